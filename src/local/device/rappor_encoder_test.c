#include "check.h"
#include "local/device/bloom.h"
#include "local/device/rappor_encoder.h"
#include "local_law.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALF "2147483648"
#define QUARTER "1073741824"
#define THREE_QUARTERS "3221225472"

/* Words of one permanent answer with f = 1/2, and of one report with p = 1/2, q = 3/4, in k lanes. */
static local_tapes tapes_of(uint32_t permanent, uint32_t report, uint32_t lanes)
{
    local_tapes tapes = {.count = permanent + report};
    for (size_t i = 0; i < tapes.count; i++)
        tapes.slots[i] = (local_slot){0, lanes};
    return tapes;
}

/* The largest ratio of the one-hot forms, by all tapes. */
static double list_ratio(const char *words, uint32_t bits, local_tapes tapes)
{
    const scrim_local_config config = device_config(words);
    uint64_t rows[4 * 16];
    const size_t outputs = (size_t)1 << bits, values = config.values;
    for (size_t x = 0; x < values; x++)
        local_law_count(&config, x, NULL, &tapes, rows + x * outputs, outputs);
    return local_law_ratio(rows, values, outputs);
}

/* A loss that is rounded up by less than a part for each logarithm. */
static void check_loss(const char *words, double want)
{
    const scrim_local_config config = device_config(words);
    const double got = local_law_loss(&config);
    CHECK(got >= want * (1 - 1e-15));
    CHECK(got <= want + 40 / 4294967296.0);
}

TEST(rappor_one_hot_has_its_law)
{
    CLAIM("rappor.permanent");
    CLAIM("rappor.report");
    /* One-time: 2 ln 3. */
    CHECK_NEAR(log(list_ratio("rappor values=3 text=0 bits=3 hashes=0 cohorts=1 f=" HALF
                              " p=0 q=0 epoch=0",
                              3, tapes_of(2, 0, 3))),
               2 * log(3), 1e-12);
    CHECK_NEAR(log(list_ratio("rappor values=2 text=0 bits=2 hashes=0 cohorts=1 f=" HALF
                              " p=" HALF " q=" THREE_QUARTERS " epoch=1",
                              2, tapes_of(2, 3, 2))),
               0.537142932083364092, 1e-12);
    check_loss("rappor values=2 text=0 bits=2 hashes=0 cohorts=1 f=" HALF " p=" HALF
               " q=" THREE_QUARTERS " epoch=1",
               0.537142932083364092);
}

/* Each bit of the permanent answer: with f = 1/2 it is 3/4 likely to be the signal's. A set bit is
 * cleared and a clear one set. */
TEST(rappor_sets_and_clears_bits)
{
    const scrim_local_config config = device_config(
        "rappor values=3 text=0 bits=3 hashes=0 cohorts=1 f=" HALF " p=0 q=0 epoch=0");
    const local_tapes tapes = tapes_of(2, 0, 3);
    for (uint64_t x = 0; x < 3; x++) {
        uint64_t counts[8];
        local_law_count(&config, x, NULL, &tapes, counts, 8);
        for (uint64_t z = 0; z < 8; z++) {
            uint64_t weight = 1;
            for (unsigned bit = 0; bit < 3; bit++)
                weight *= (z >> bit & 1) == (x == bit) ? 3 : 1;
            CHECK_INT(counts[z], weight);
        }
    }
}

/* Two texts whose filters have no bit in common, at four bits and two hashes. */
static void find_apart(const scrim_local_config *config, uint8_t a[4], uint8_t b[4])
{
    unsigned masks[256];
    for (unsigned i = 0; i < 256; i++) {
        const uint8_t text[4] = {(uint8_t)i, 0, 0, 0};
        masks[i] = 0;
        for (uint32_t h = 0; h < config->hashes; h++)
            masks[i] |= 1u << sl_bloom_place(sl_divisor_of(config->bits), 0, h, text, 4);
    }
    for (unsigned i = 0; i < 256 * 256; i++)
        if (masks[i / 256] + masks[i % 256] == 15 &&
            __builtin_popcount(masks[i / 256]) == 2) {
            a[0] = (uint8_t)(i / 256);
            b[0] = (uint8_t)(i % 256);
            return;
        }
    CHECK_FAIL("no two texts are apart");
}

static const char *const two_hashes[] = {
    "rappor values=0 text=4 bits=4 hashes=2 cohorts=1 f=" HALF " p=0 q=0 epoch=0",
    "rappor values=0 text=4 bits=4 hashes=2 cohorts=1 f=" THREE_QUARTERS
    " p=0 q=0 epoch=0",
};

/* Bloom filters, by all tapes, against the specification's loss of a permanent answer. */
TEST(rappor_bloom_has_its_law)
{
    CLAIM("rappor.permanent");
    const json_t *rows = vectors_load("local-and-accounting", "rappor_prr");
    for (size_t i = 0; i < COUNT(two_hashes); i++) {
        const scrim_local_config config = device_config(two_hashes[i]);
        const local_tapes tapes = tapes_of(i == 0 ? 2 : 3, 0, 4);
        const char *printed = vectors_text(json_array_get(rows, 2 * i), "eps_infinity");
        uint8_t texts[2][4] = {{0}};
        uint64_t counts[2 * 16];
        find_apart(&config, texts[0], texts[1]);
        for (size_t t = 0; t < 2; t++)
            local_law_count(&config, 0, texts[t], &tapes, counts + 16 * t, 16);
        CHECK_NEAR(log(local_law_ratio(counts, 2, 16)), strtod(printed, NULL), 1e-12);
        check_loss(two_hashes[i], strtod(printed, NULL));
    }
}

static uint32_t part_of(const char *fraction)
{
    char *end;
    const double over = strtod(fraction, &end);
    return (uint32_t)lround(over / (*end == '/' ? strtod(end + 1, NULL) : 1) *
                            4294967296.0);
}

/* The loss of one report, and of all, of each row of the specification. */
TEST(rappor_loss_is_the_specifications)
{
    CLAIM("rappor.report");
    const json_t *rows = vectors_load("local-and-accounting", "rappor_reports");
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        const char *forever = vectors_text(row, "eps_infinity");
        for (unsigned epoch = 0; epoch < 2; epoch++) {
            char words[256];
            const bool is_infinite = epoch == 0 && strcmp(forever, "inf") == 0;
            snprintf(words, sizeof words,
                     "scrim-local/1 question=q protocol=rappor values=0 text=8 bits=64 "
                     "hashes=%u cohorts=1 f=%u p=%u q=%u epoch=%u\n",
                     (unsigned)vectors_number(row, "h"), part_of(vectors_text(row, "f")),
                     part_of(vectors_text(row, "p_if_0")),
                     part_of(vectors_text(row, "q_if_1")), epoch);
            scrim_local_config config;
            const scrim_local_status status = scrim_local_config_parse(words, &config);
            CHECK_INT(status, is_infinite ? SCRIM_LOCAL_E_PARAM : SCRIM_LOCAL_OK);
            if (status == SCRIM_LOCAL_OK)
                CHECK_NEAR(
                    local_law_loss(&config),
                    strtod(epoch == 0 ? forever : vectors_text(row, "eps_one_report"),
                           NULL),
                    1e-8);
        }
    }
    CHECK(i > 3);
}

/* ---- one bit, asked again ----------------------------------------------------------------- */

#define YES_OR_NO                                                                        \
    "rappor values=2 text=0 bits=1 hashes=0 cohorts=1 f=" HALF " p=" HALF                \
    " q=" THREE_QUARTERS " epoch="

/* counts[z]: how many tapes make these reports, bit i the i-th, of one permanent answer. */
static void count_reports(uint64_t value, unsigned reports, uint64_t *counts)
{
    const scrim_local_config config = device_config(YES_OR_NO "0");
    local_tapes tapes = tapes_of(2, 3 * reports, 1);
    sl_plan plan;
    sl_rappor.prepare(&config, &plan);
    memset(counts, 0, ((size_t)1 << reports) * sizeof *counts);
    while (local_tapes_next(&tapes)) {
        device_tape tape = {tapes.words, tapes.count, 0};
        const scrim_local_source source = device_tape_source(&tape);
        sl_bits bits;
        uint8_t permanent, all = 0;
        sl_bits_init(&bits, &source, 0);
        sl_rappor.permanent(&plan, (sl_secret){.value = value}, &bits, &bits, &permanent);
        for (unsigned i = 0; i < reports; i++) {
            uint8_t report = permanent;
            sl_rappor.perturb(&plan, &bits, &report);
            all |= (uint8_t)(report << i);
        }
        CHECK_INT(sl_bits_clear(&bits), SCRIM_LOCAL_OK);
        counts[all]++;
    }
}

TEST(rappor_single_bit_has_its_law)
{
    CLAIM("rappor.report");
    const json_t *rows = vectors_load("local-and-accounting", "rappor_single_bit");
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        const unsigned reports = (unsigned)vectors_number(row, "reports");
        uint64_t counts[2 * 16];
        const size_t outputs = (size_t)1 << reports;
        REQUIRE(reports <= 4);
        count_reports(0, reports, counts);
        count_reports(1, reports, counts + outputs);
        CHECK_NEAR(log(local_law_ratio(counts, 2, outputs)),
                   strtod(vectors_text(row, "eps_exact"), NULL), 1e-12);
    }
    CHECK(i > 0);
    check_loss(YES_OR_NO "1", strtod("0.336472236621212931", NULL));
    check_loss(YES_OR_NO "0", log(3));
}

/* ---- layout and limits -------------------------------------------------------------------- */

/* Reports of a device in each cohort: the cohort in front, the bitmap behind it, spare bits 0. */
TEST(A26_rappor_report_has_its_layout)
{
    CLAIM("local.length");
    const scrim_local_config config = device_config(
        "rappor values=0 text=5 bits=70 hashes=3 cohorts=300 f=1 p=0 q=0 epoch=0");
    uint64_t words[3 + 2 * 33] = {0};
    uint8_t report[11];
    REQUIRE(scrim_local_report_bytes(&config) == sizeof report);
    for (uint64_t cohort = 0; cohort < 300; cohort += 13) {
        /* Zeros: no lane is noisy. */
        words[0] = device_word(cohort, 300);
        device_tape tape = {words, 1 + 2 * 33, 0};
        const scrim_local_source source = device_tape_source(&tape);
        CHECK_INT(
            scrim_local_encode_text(&config, (const uint8_t *)"apple", &source, report),
            SCRIM_LOCAL_OK);
        CHECK_INT(tape.taken, tape.count);
        CHECK_INT(device_number(report, 2), cohort);
        uint8_t bitmap[9] = {0};
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t place = sl_bloom_place(sl_divisor_of(70), (uint32_t)cohort, i,
                                                  (const uint8_t *)"apple", 5);
            REQUIRE(place < 70);
            bitmap[place / 8] |= (uint8_t)(1u << place % 8);
        }
        CHECK_BYTES(report + 2, bitmap, sizeof bitmap);
    }
}

/* Bits of the filter are even over texts, cohorts and numbers: a chi-square of 99 degrees of freedom is
 * above 180 with probability 1e-6. */
TEST(rappor_bloom_places_are_even)
{
    uint64_t counts[100] = {0};
    double square = 0;
    for (uint32_t i = 0; i < 40000; i++) {
        uint8_t text[8] = {0};
        memcpy(text, &i, 2);
        counts[sl_bloom_place(sl_divisor_of(100), i % 7, i % 3, text, sizeof text)]++;
    }
    for (size_t i = 0; i < 100; i++)
        square += ((double)counts[i] - 400) * ((double)counts[i] - 400) / 400;
    CHECK(square < 180);
}

TEST(rappor_refuses_what_is_not_private)
{
    static const char *const wrong[] = {
        /* p >= q; no noise at all; not one bit a value; too many hashes; no such epoch */
        "values=0 text=8 bits=64 hashes=2 cohorts=1 f=" HALF " p=5 q=5 epoch=1",
        "values=0 text=8 bits=64 hashes=2 cohorts=1 f=" HALF " p=6 q=5 epoch=1",
        "values=0 text=8 bits=64 hashes=2 cohorts=1 f=0 p=0 q=0 epoch=1",
        "values=0 text=8 bits=64 hashes=2 cohorts=1 f=0 p=" QUARTER " q=" HALF " epoch=0",
        "values=0 text=8 bits=64 hashes=2 cohorts=1 f=0 p=0 q=" HALF " epoch=1",
        "values=2 text=0 bits=1 hashes=0 cohorts=1 f=0 p=0 q=" HALF " epoch=1",
        "values=3 text=0 bits=2 hashes=0 cohorts=1 f=" HALF " p=0 q=0 epoch=1",
        "values=3 text=8 bits=64 hashes=2 cohorts=1 f=" HALF " p=0 q=0 epoch=1",
        "values=3 text=0 bits=3 hashes=0 cohorts=2 f=" HALF " p=0 q=0 epoch=1",
        "values=0 text=8 bits=2 hashes=3 cohorts=1 f=" HALF " p=0 q=0 epoch=1",
        "values=0 text=8 bits=64 hashes=2 cohorts=0 f=" HALF " p=0 q=0 epoch=1",
        "values=0 text=8 bits=64 hashes=2 cohorts=1 f=" HALF " p=0 q=0 epoch=2",
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char text[SCRIM_LOCAL_CONFIG_BYTES];
        scrim_local_config config;
        snprintf(text, sizeof text, "scrim-local/1 question=q protocol=rappor %s\n",
                 wrong[i]);
        CHECK_INT(scrim_local_config_parse(text, &config), SCRIM_LOCAL_E_PARAM);
    }
    const scrim_local_config texts = device_config(two_hashes[0]);
    uint64_t seed = 1;
    const scrim_local_source source = device_seeded(&seed);
    uint8_t report[8];
    CHECK_INT(scrim_local_encode(&texts, 0, &source, report), SCRIM_LOCAL_E_PARAM);
    const scrim_local_config values = device_config(YES_OR_NO "0");
    CHECK_INT(scrim_local_encode_text(&values, report, &source, report),
              SCRIM_LOCAL_E_PARAM);
}
