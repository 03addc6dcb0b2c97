#include "base/memory.h"
#include "check.h"
#include "local_device.h"
#include "scrim/local_candidates.h"
#include "text_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT 5 /* bytes */
#define TEXTS 100
#define COHORTS 128
#define BITS 128

/* One regression case of google/rappor: 100 texts v1 to v100 are held, of which candidates may leave out
 * every tenth, and have texts beyond that nobody holds. */
typedef struct small_case {
    const char *name;
    const char *chances; /* f, p and q in parts of 2^32 */
    size_t extra;
    bool has_gaps;
} small_case;

/* p, q, f: 0.39, 0.61, 0.45; loose: 0.225, 0.775, 0. */
#define NORMAL "f=1932735283 p=1675037245 q=2619930050"
#define LOOSE "f=0 p=966367641 q=3328599654"
static const small_case cases[] = {{"typical", NORMAL, 20, true},
                                   {"sharp", NORMAL, 0, false},
                                   {"loose", LOOSE, 20, true},
                                   {"over_x2", NORMAL, 200, true},
                                   {"over_x10", NORMAL, 1000, true}};

typedef struct small_fleet {
    scrim_local_config config;
    uint64_t held[TEXTS];
    uint64_t reports[COHORTS], ones[COHORTS * BITS];
    uint8_t *texts;  /* candidates */
    size_t *numbers; /* theirs, from 1 */
    size_t candidates;
    scrim_local_candidate *rows;
    scrim_local_explained explained;
} small_fleet;

static void write_text(size_t number, uint8_t out[TEXT])
{
    char text[24];
    memset(out, 0, TEXT);
    memcpy(out, text, (size_t)snprintf(text, sizeof text, "v%zu", number));
}

static bool open_small(small_fleet *f, const small_case *c)
{
    char words[160];
    snprintf(words, sizeof words,
             "rappor values=0 text=%d bits=%d hashes=2 cohorts=%d %s epoch=1", TEXT, BITS,
             COHORTS, c->chances);
    memset(f, 0, sizeof *f);
    f->config = device_config(words);
    f->texts = sc_allocate(TEXTS + c->extra, TEXT);
    f->numbers = sc_allocate(TEXTS + c->extra, sizeof *f->numbers);
    f->rows = sc_allocate(TEXTS + c->extra, sizeof *f->rows);
    for (size_t number = 1; number <= TEXTS + c->extra; number++) {
        if (c->has_gaps && number <= TEXTS && number % 10 == 9)
            continue;
        write_text(number, f->texts + TEXT * f->candidates);
        f->numbers[f->candidates++] = number;
    }
    return true;
}

static void close_small(small_fleet *f)
{
    sc_free(f->texts);
    sc_free(f->numbers);
    sc_free(f->rows);
}

static void count_report(small_fleet *f, const uint8_t *report)
{
    const size_t cohort = report[0];
    f->reports[cohort]++;
    for (size_t i = 0; i < BITS / 8; i++)
        for (unsigned byte = report[1 + i]; byte != 0; byte &= byte - 1)
            f->ones[cohort * BITS + 8 * i + (size_t)__builtin_ctz(byte)]++;
}

/* Every report is the device's own. */
static void send(small_fleet *f, scene_law law, uint64_t devices, uint64_t *seed)
{
    const scrim_local_source source = device_seeded(seed);
    double weights[TEXTS];
    uint8_t report[1 + BITS / 8], text[TEXT];
    scene_weights(law, TEXTS, weights);
    scene_divide(devices, weights, TEXTS, f->held, seed);
    for (size_t i = 0; i < TEXTS; i++) {
        write_text(i + 1, text);
        for (uint64_t d = 0; d < f->held[i]; d++) {
            if (scrim_local_encode_text(&f->config, text, &source, report) !=
                SCRIM_LOCAL_OK)
                CHECK_FAIL("no report");
            count_report(f, report);
        }
    }
}

typedef struct quality {
    double
        variation; /* total variation from the truth, texts that were not kept counted as 0 */
    size_t wrong, right;
} quality;

static quality judge(const small_fleet *f, uint64_t devices)
{
    double left[TEXTS], sum = 0;
    quality found = {0};
    for (size_t i = 0; i < TEXTS; i++)
        left[i] = (double)f->held[i];
    for (size_t s = 0; s < f->candidates; s++) {
        if (!f->rows[s].is_kept)
            continue;
        const bool is_held = f->numbers[s] <= TEXTS;
        found.wrong += !is_held;
        found.right += is_held;
        if (is_held)
            left[f->numbers[s] - 1] -= f->rows[s].estimate;
        else
            sum += f->rows[s].estimate;
    }
    for (size_t i = 0; i < TEXTS; i++)
        sum += fabs(left[i]);
    found.variation = sum / 2 / (double)devices;
    return found;
}

static bool decode(small_fleet *f)
{
    const scrim_local_counts counts = {f->reports, f->ones};
    return CHECK(scrim_local_candidates_decode(&f->config, &counts, f->texts,
                                               f->candidates, f->rows, &f->explained,
                                               NULL) == SCRIM_OK);
}

static quality run_small(scene_law law, const small_case *c, uint64_t devices,
                         uint64_t *seed)
{
    small_fleet f;
    quality found = {.variation = 1};
    if (open_small(&f, c)) {
        send(&f, law, devices, seed);
        if (decode(&f))
            found = judge(&f, devices);
    }
    close_small(&f);
    return found;
}

/* The 25 small cases of google/rappor's regression tests, 10^6 devices each, against the planted truth: what
 * was measured, and a tenth of the scale more. Of all candidates that nobody holds, 6,200 in 25 cases, one false
 * positive is what Bonferroni allows. */
SLOW_TEST(local_candidates_in_the_small_cases)
{
    static const double variations[][COUNT(cases)] = {{0.34, 0.34, 0.07, 0.35, 0.39},
                                                      {0.16, 0.14, 0.07, 0.18, 0.18},
                                                      {0.18, 0.15, 0.08, 0.19, 0.21},
                                                      {0.20, 0.17, 0.06, 0.20, 0.21},
                                                      {0.10, 0.10, 0.05, 0.10, 0.11}};
    uint64_t seed = check_seed();
    const uint64_t devices = check_count_whole(100000, 1000000);
    size_t wrong = 0, right = 0;
    for (int law = SCENE_UNIFORM; law <= SCENE_ZIPF_STEEP; law++)
        for (size_t i = 0; i < COUNT(cases); i++) {
            if (!check_is_long() && (law != SCENE_ZIPF_STEEP || i > 2))
                continue;
            const quality found = run_small((scene_law)law, &cases[i], devices, &seed);
            if (found.variation > variations[law][i] + 0.1)
                CHECK_FAIL("%s: total variation %g", cases[i].name, found.variation);
            wrong += found.wrong;
            right += found.right;
        }
    CHECK(wrong <= (check_is_long() ? 4 : 1));
    CHECK(right >= (check_is_long() ? 800 : 20));
}

/* One bit a value: the debiased counts of the vector, and nothing is selected. */
TEST(local_candidates_of_a_list_are_the_debiased_counts)
{
    const scrim_local_config config = device_config(
        "rappor values=3 text=0 bits=3 hashes=0 cohorts=1 f=2147483648 p=2147483648 "
        "q=3221225472 epoch=1");
    const uint64_t reports = 10000, ones[] = {6000, 5625, 5000};
    const scrim_local_counts counts = {&reports, ones};
    scrim_local_candidate rows[3];
    scrim_local_explained explained;
    REQUIRE_OK(
        scrim_local_candidates_decode(&config, &counts, NULL, 3, rows, &explained, NULL));
    CHECK_NEAR(rows[0].estimate, 3000, 1e-12);
    CHECK_NEAR(rows[0].error, 389.230009120571278, 1e-12);
    CHECK_NEAR(rows[0].p_value, erfc(3000 / rows[0].error / sqrt(2)) / 2, 1e-9);
    CHECK(fabs(rows[1].estimate) < 1e-9 && fabs(rows[1].p_value - 0.5) < 1e-9);
    CHECK_NEAR(rows[2].estimate, -5000, 1e-12);
    CHECK(rows[0].is_kept && !rows[1].is_kept && !rows[2].is_kept);
    CHECK_NEAR(explained.unexplained, 7000, 1e-12);
    CHECK_NEAR(explained.unexplained_error, rows[0].error, 1e-12);
}

TEST(local_candidates_refuse)
{
    const uint64_t none[8] = {0};
    const scrim_local_counts counts = {none, none};
    scrim_local_candidate rows[2];
    scrim_local_explained explained;
    scrim_error error;
    const scrim_local_config other = device_config("text-hashing a=3 b=1 text=1 cells=2");
    const scrim_local_config list = device_config(
        "rappor values=3 text=0 bits=3 hashes=0 cohorts=1 f=2147483648 p=0 q=0 epoch=0");
    CHECK_STATUS(
        scrim_local_candidates_decode(&other, &counts, NULL, 2, rows, &explained, &error),
        SCRIM_E_PARAM);
    CHECK_STATUS(
        scrim_local_candidates_decode(&list, &counts, NULL, 2, rows, &explained, &error),
        SCRIM_E_PARAM);
    CHECK_STR(error.message, "a list of values has 3 of them");
}

/* A collection has the same counts. */
TEST(local_candidates_of_a_collection)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    uint8_t batch[SCRIM_LOCAL_HEADER_BYTES + 200 * 3], texts[] = {'a', 'b', 'c'};
    scrim_local_config config = device_config(
        "rappor values=0 text=1 bits=16 hashes=2 cohorts=2 f=429496729 p=429496729 "
        "q=3865470566 epoch=1");
    uint64_t seed = check_seed(), reports[2] = {0}, ones[32] = {0};
    const scrim_local_source source = device_seeded(&seed);
    scrim_local_candidate want[3], got[3];
    scrim_local_explained explained;
    scrim_collection *collection = NULL;
    REQUIRE(scrim_local_config_format(&config, text) == SCRIM_LOCAL_OK);
    scrim_local_header(&config, batch);
    batch[3] = 1;
    for (size_t i = 0; i < 200; i++) {
        uint8_t *report = batch + SCRIM_LOCAL_HEADER_BYTES + 3 * i;
        REQUIRE(scrim_local_encode_text(&config, &texts[i % 2], &source, report) ==
                SCRIM_LOCAL_OK);
        reports[report[0]]++;
        for (size_t bit = 0; bit < 16; bit++)
            ones[16 * report[0] + bit] += report[1 + bit / 8] >> (bit % 8) & 1;
    }
    REQUIRE_OK(scrim_collection_new(text, &collection, NULL));
    REQUIRE_OK(scrim_collection_read(collection, batch, sizeof batch, NULL));
    REQUIRE_OK(scrim_collection_end_file(collection, NULL));
    REQUIRE_OK(scrim_collection_candidates(collection, texts, 3, got, &explained, NULL));
    REQUIRE_OK(scrim_local_candidates_decode(
        &config, &(scrim_local_counts){reports, ones}, texts, 3, want, &explained, NULL));
    CHECK_BYTES(got, want, sizeof got);
    CHECK(got[0].is_kept && got[1].is_kept && !got[2].is_kept);
    scrim_collection_free(collection);
}
