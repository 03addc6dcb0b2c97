#include "base/memory.h"
#include "check.h"
#include "local/device/device_hash.h"
#include "local/texts/text_decoder.h"
#include "local_device.h"
#include "query/estimate/noise_sum.h"
#include "scrim/local_candidates.h"
#include "text_scene.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double number(const json_t *value)
{
    return json_is_string(value) ? strtod(json_string_value(value), NULL)
                                 : json_number_value(value);
}

/* Expected counts in, truth out. */
TEST(text_decoder_solves_the_vector)
{
    const json_t *vector = vectors_load("local-and-accounting", "rappor_decode");
    const json_t *rows = json_object_get(vector, "design_rows_candidates");
    const json_t *counts = json_object_get(vector, "expected_bit_counts");
    const size_t bits = json_array_size(counts), columns = json_array_size(rows);
    const uint64_t reports = vectors_number(vector, "N");
    uint64_t ones[8];
    scrim_local_candidate found[3];
    scrim_local_explained explained;
    sc_text_design design;
    REQUIRE(bits == 8 && columns == 3);
    REQUIRE_OK(sc_text_design_init(&design, 1, bits, columns, 2, NULL));
    for (size_t s = 0; s < columns; s++) {
        uint32_t places[2], set = 0;
        for (uint32_t j = 0; j < bits && set < 2; j++)
            if (json_integer_value(json_array_get(json_array_get(rows, s), j)) == 1)
                places[set++] = j;
        REQUIRE(set == 2);
        sc_text_design_set(&design, 0, s, places);
    }
    for (size_t j = 0; j < bits; j++)
        ones[j] = (uint64_t)number(json_array_get(counts, j));
    const sc_signal_chances chances = sc_signal_chances_of(
        number(json_object_get(vector, "f")), number(json_object_get(vector, "p_if_0")),
        number(json_object_get(vector, "q_if_1")));
    REQUIRE_OK(
        sc_text_decode(&design, &chances, &reports, ones, found, &explained, NULL));
    for (size_t s = 0; s < columns; s++) {
        const double want = number(json_array_get(json_object_get(vector, "truth"), s));
        CHECK_NEAR(found[s].estimate, want, 1e-9);
        CHECK(found[s].is_kept && found[s].same == s);
    }
    CHECK(fabs(explained.unexplained) < 1e-5);
    CHECK_INT(explained.kept, 3);
    sc_text_design_clear(&design);
}

/* Collections of one scene. */
typedef struct collection {
    size_t texts, candidates;
    size_t gap; /* each gap-th text is no candidate; 0: the first ones are candidates */
    size_t cohorts, bits;
    uint64_t devices;
    scene_law law;
    sc_signal_chances chances;
    sc_text_design all, design;
    uint64_t *held, *reports, *ones;
    double *weights;
    scrim_local_candidate *rows;
    scrim_local_explained explained;
} collection;

static bool open_collection(collection *c)
{
    c->held = sc_allocate(c->texts, sizeof *c->held);
    c->weights = sc_allocate(c->texts, sizeof *c->weights);
    c->reports = sc_allocate(c->cohorts, sizeof *c->reports);
    c->ones = sc_allocate(c->cohorts * c->bits, sizeof *c->ones);
    c->rows = sc_allocate(c->candidates, sizeof *c->rows);
    return CHECK(sc_text_design_init(&c->all, c->cohorts, c->bits, c->texts, 2, NULL) ==
                 SCRIM_OK) &&
           CHECK(sc_text_design_init(&c->design, c->cohorts, c->bits, c->candidates, 2,
                                     NULL) == SCRIM_OK);
}

static void close_collection(collection *c)
{
    sc_text_design_clear(&c->all);
    sc_text_design_clear(&c->design);
    sc_free(c->held);
    sc_free(c->weights);
    sc_free(c->reports);
    sc_free(c->ones);
    sc_free(c->rows);
}

static size_t text_of(const collection *c, size_t candidate)
{
    return c->gap == 0 ? candidate : candidate + candidate / (c->gap - 1);
}

/* One collection, in which the first `held` texts are held. */
static bool collect(collection *c, size_t held, uint64_t *seed)
{
    memset(c->held, 0, c->texts * sizeof *c->held);
    scene_weights(c->law, held, c->weights);
    scene_divide(c->devices, c->weights, held, c->held, seed);
    scene_design(&c->all, seed);
    for (size_t cohort = 0; cohort < c->cohorts; cohort++)
        for (size_t s = 0; s < c->candidates; s++)
            memcpy(c->design.places + 2 * (cohort * c->candidates + s),
                   c->all.places + 2 * (cohort * c->texts + text_of(c, s)),
                   2 * sizeof *c->all.places);
    scene_counts(&c->all, c->held, &c->chances, c->reports, c->ones, seed);
    return CHECK(sc_text_decode(&c->design, &c->chances, c->reports, c->ones, c->rows,
                                &c->explained, NULL) == SCRIM_OK);
}

/* How many of the most frequent texts are kept, and in the interval. */
typedef struct coverage {
    double sum, squares; /* of errors in units of the standard error */
    uint64_t seen, covered, missed, wrong;
} coverage;

static void look(const collection *c, size_t held, size_t frequent, coverage *out)
{
    for (size_t s = 0; s < c->candidates; s++) {
        const scrim_local_candidate *row = &c->rows[s];
        out->wrong += row->is_kept && text_of(c, s) >= held;
        if (s >= frequent)
            continue;
        out->missed += !row->is_kept;
        if (!row->is_kept)
            continue;
        const double z = (row->estimate - (double)c->held[text_of(c, s)]) / row->error;
        out->seen++;
        out->covered += fabs(z) < 1.959963984540054;
        out->sum += z;
        out->squares += z * z;
    }
}

/* A fifth of the texts are no candidates, and a sixth of the candidates nobody holds. The bounds are those
 * of the specification; with fewer collections, four standard deviations wider. */
SLOW_TEST(text_decoder_intervals_cover)
{
    CLAIM("local-candidates.cover");
    collection c = {.texts = 20,
                    .candidates = 16,
                    .gap = 5,
                    .cohorts = 10,
                    .bits = 32,
                    .devices = 200000,
                    .law = SCENE_ZIPF,
                    .chances = sc_signal_chances_of(0.25, 0.25, 0.75)};
    coverage seen = {0};
    uint64_t seed = check_seed();
    const uint64_t runs = check_count_whole(100, 2000);
    if (open_collection(&c))
        for (uint64_t run = 0; run < runs && collect(&c, 17, &seed); run++)
            look(&c, 17, 5, &seen);
    const double n = (double)seen.seen, share = (double)seen.covered / n;
    const double wide = check_is_long() ? 0 : 4 * sqrt(0.05 * 0.95 / n);
    CHECK(seen.seen > 4 * runs);
    CHECK(share > 0.93 - wide && share < 0.97 + wide);
    CHECK(fabs(seen.sum / n) < 0.1 + 4 / sqrt(n));
    CHECK_INT(seen.missed, 0);
    /* one false positive in 20 collections is what Bonferroni allows */
    CHECK((double)seen.wrong <= 0.05 * (double)runs + 4 * sqrt(0.05 * (double)runs));
    close_collection(&c);
}

/* Half of the devices hold texts that are no candidates: without a column for them each candidate would be
 * given some. */
SLOW_TEST(text_decoder_does_not_give_unknown_texts_to_candidates)
{
    collection c = {.texts = 200,
                    .candidates = 12,
                    .cohorts = 16,
                    .bits = 16,
                    .devices = 400000,
                    .law = SCENE_ZIPF,
                    .chances = sc_signal_chances_of(0.25, 0.25, 0.75)};
    coverage seen = {0};
    uint64_t seed = check_seed();
    double unexplained = 0, truth = 0;
    if (open_collection(&c))
        for (uint64_t run = 0; run < 10 && collect(&c, 200, &seed); run++) {
            look(&c, 200, 3, &seen);
            for (size_t s = 0; s < c.texts; s++)
                truth += s >= c.candidates || !c.rows[s].is_kept ? (double)c.held[s] : 0;
            unexplained += c.explained.unexplained;
        }
    CHECK(seen.seen >= 20);
    CHECK(fabs(seen.sum / (double)seen.seen) < 1.2);
    CHECK_NEAR(unexplained, truth, 0.1);
    close_collection(&c);
}

/* Texts that set the same bits are told as one, and nothing is found where nobody answered. */
TEST(text_decoder_has_nothing_to_say)
{
    collection c = {.texts = 5,
                    .candidates = 5,
                    .cohorts = 4,
                    .bits = 8,
                    .chances = sc_signal_chances_of(0.5, 0.25, 0.75)};
    uint64_t seed = check_seed();
    if (open_collection(&c) && collect(&c, 5, &seed)) {
        CHECK_INT(c.explained.kept, 0);
        CHECK(c.explained.unexplained == 0);
        for (size_t s = 0; s < c.candidates; s++)
            CHECK(c.rows[s].estimate == 0 && c.rows[s].p_value == 1);
    }
    close_collection(&c);
}

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
    double expected, spread; /* of right by the decoder below; its variance */
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

/* ---- what the best decoder would do ---- */

/* Inverts a matrix in place, by Gauss and Jordan; it is positive definite. */
static void invert(double m[TEXTS][TEXTS])
{
    for (size_t p = 0; p < TEXTS; p++) {
        const double pivot = m[p][p];
        m[p][p] = 1;
        for (size_t j = 0; j < TEXTS; j++)
            m[p][j] /= pivot;
        for (size_t i = 0; i < TEXTS; i++) {
            const double factor = m[i][p];
            if (i == p)
                continue;
            m[i][p] = 0;
            for (size_t j = 0; j < TEXTS; j++)
                m[i][j] -= factor * m[p][j];
        }
    }
}

/* Adds X' W X of one cohort: rows are bits, an entry is the cohort's share of the devices. */
static void add_cohort(const small_fleet *f, uint32_t cohort, double devices,
                       double information[TEXTS][TEXTS])
{
    const double unit = 0x1p-32, chance = (double)f->config.f * unit,
                 p = (double)f->config.p * unit, q = (double)f->config.q * unit,
                 on = chance * (p + q) / 2 + (1 - chance) * q,
                 off = chance * (p + q) / 2 + (1 - chance) * p;
    const sl_divisor bits = sl_divisor_of(BITS);
    bool sets[TEXTS][BITS] = {{false}};
    for (size_t i = 0; i < TEXTS; i++) {
        uint8_t text[TEXT];
        write_text(i + 1, text);
        for (uint32_t h = 0; h < 2; h++)
            sets[i][sl_bloom_place(bits, cohort, h, text, TEXT)] = true;
    }
    for (size_t bit = 0; bit < BITS; bit++) {
        double held = 0;
        for (size_t i = 0; i < TEXTS; i++)
            held += sets[i][bit] ? (double)f->held[i] / COHORTS : 0;
        const double variance =
            (held * on * (1 - on) + (devices / COHORTS - held) * off * (1 - off)) /
            pow((1 - chance) * (q - p), 2);
        for (size_t i = 0; i < TEXTS; i++)
            for (size_t j = 0; j < TEXTS && sets[i][bit]; j++)
                information[i][j] += sets[j][bit] / variance / COHORTS / COHORTS;
    }
}

static double density(double z)
{
    return exp(-z * z / 2) / sqrt(2 * M_PI);
}

/* E |n - x|, where x is normal about n if it is above z errors, and else 0. */
static double expected_miss(double n, double error, double z)
{
    const double a = z - n / error;
    return n * erfc(-a / sqrt(2)) / 2 +
           error * (a >= 0 ? density(a) : 2 * density(0) - density(a));
}

/* The expected total variation of least squares that knows which 100 texts are held and how bits vary, where texts
 * below the threshold of the test, and those that are no candidates, count as 0; and how many are above it. */
static double expected_variation(const small_fleet *f, const small_case *c,
                                 uint64_t devices, quality *found)
{
    static double information[TEXTS][TEXTS];
    const double z = -sc_normal_quantile(0.05 / (double)f->candidates);
    double sum = 0;
    memset(information, 0, sizeof information);
    for (uint32_t cohort = 0; cohort < COHORTS; cohort++)
        add_cohort(f, cohort, (double)devices, information);
    invert(information);
    for (size_t i = 0; i < TEXTS; i++) {
        const bool is_missing = c->has_gaps && (i + 1) % 10 == 9;
        const double n = (double)f->held[i];
        const double error = sqrt(information[i][i]),
                     chance = is_missing ? 0 : erfc((z - n / error) / sqrt(2)) / 2;
        sum += is_missing ? n : expected_miss(n, error, z);
        found->expected += chance;
        found->spread += chance * (1 - chance);
    }
    return sum / 2 / (double)devices;
}

static void run_small(scene_law law, const small_case *c, uint64_t devices,
                      uint64_t *seed, quality *found)
{
    small_fleet f;
    if (open_small(&f, c)) {
        send(&f, law, devices, seed);
        if (decode(&f)) {
            *found = judge(&f, devices);
            const double best = expected_variation(&f, c, devices, found);
            if (found->variation > 1.25 * best + 0.01)
                CHECK_FAIL("%s: total variation %g, not near %g", c->name,
                           found->variation, best);
        }
    }
    close_small(&f);
}

/* The 25 small cases of google/rappor's regression tests, 10^6 devices each: within a quarter of the expected total
 * variation of a decoder that knows which texts are held, and nineteen in twenty of the texts that it keeps. Of all
 * candidates that nobody holds, 6,200 in 25 cases, one false positive is what Bonferroni allows. */
SLOW_TEST(local_candidates_in_the_small_cases)
{
    uint64_t seed = check_seed();
    const uint64_t devices = check_count_whole(100000, 1000000);
    size_t wrong = 0, right = 0;
    double expected = 0, spread = 0;
    for (int law = SCENE_UNIFORM; law <= SCENE_ZIPF_STEEP; law++)
        for (size_t i = 0; i < COUNT(cases); i++) {
            quality found = {0};
            if (!check_is_long() && (law != SCENE_ZIPF_STEEP || i > 2))
                continue;
            run_small((scene_law)law, &cases[i], devices, &seed, &found);
            wrong += found.wrong;
            right += found.right;
            expected += found.expected;
            spread += found.spread;
        }
    CHECK(wrong <= (check_is_long() ? 4 : 1));
    if (!((double)right >= 0.95 * expected - 4 * sqrt(spread)))
        CHECK_FAIL("%zu texts are kept where %g are expected", right, expected);
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
    const scrim_local_config other = device_config("text-hashing a=3 b=1 text=1 cells=4");
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
    scrim_collection *collected = NULL;
    REQUIRE(scrim_local_config_format(&config, text) == SCRIM_LOCAL_OK);
    scrim_local_header(&config, batch);
    batch[3] = 1;
    for (size_t i = 0; i < 200; i++) {
        uint8_t *report = batch + SCRIM_LOCAL_HEADER_BYTES + 3 * i;
        REQUIRE(scrim_local_encode_text(&config, &texts[i % 2], &source, report) ==
                SCRIM_LOCAL_OK);
        reports[report[0]]++;
        for (size_t bit = 0; bit < 16; bit++)
            ones[(size_t)16 * report[0] + bit] += report[1 + bit / 8] >> (bit % 8) & 1;
    }
    REQUIRE_OK(scrim_collection_new(text, &collected, NULL));
    REQUIRE_OK(scrim_collection_read(collected, batch, sizeof batch, NULL));
    REQUIRE_OK(scrim_collection_end_file(collected, NULL));
    REQUIRE_OK(scrim_collection_candidates(collected, texts, 3, got, &explained, NULL));
    REQUIRE_OK(scrim_local_candidates_decode(
        &config, &(scrim_local_counts){reports, ones}, texts, 3, want, &explained, NULL));
    CHECK_BYTES(got, want, sizeof got);
    CHECK(got[0].is_kept && got[1].is_kept && !got[2].is_kept);
    scrim_collection_free(collected);
}
