#include "check.h"
#include "local/device/device_hash.h"
#include "local/device/repeated_encoders.h"
#include "local_law.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of "9/4". */
static double quotient(const char *text)
{
    char *end;
    const double over = strtod(text, &end);
    return *end == '/' ? over / strtod(end + 1, NULL) : over;
}

/* ---- bit-flip ----------------------------------------------------------------------------- */

/* Tapes of the choice and of the coins, which take one draw each below a + b. */
static local_tapes flip_tapes(const scrim_local_config *config)
{
    local_tapes tapes = {.count = 0};
    const uint32_t coin = config->a + config->b;
    for (uint32_t left = config->values; left > 0; left--)
        tapes.slots[tapes.count++] = (local_slot){left, 0};
    if (coin == 4) /* digits of 1/4 for all lanes */
        for (size_t i = 0; i < 2; i++)
            tapes.slots[tapes.count++] = (local_slot){0, config->chosen};
    else
        for (uint32_t i = 0; i < config->chosen; i++)
            tapes.slots[tapes.count++] = (local_slot){coin, 0};
    return tapes;
}

/* Reports of all tapes: a small number for each that occurs, and what they say about bucket 0. */
typedef struct flips {
    uint64_t names[512];
    uint64_t rows[5 * 512];
    size_t count;
    double mean[5], square[5];
} flips;

static size_t flips_index(flips *seen, uint64_t name)
{
    size_t i = 0;
    while (i < seen->count && seen->names[i] != name)
        i++;
    if (i == seen->count && CHECK(i < COUNT(seen->names)))
        seen->names[seen->count++] = name;
    return i;
}

/* (k/d) (bit (s+1) - 1)/(s-1), s = a/b, where bucket 0 was chosen; else 0. */
static double flips_estimate(const scrim_local_config *config, const uint8_t *report)
{
    const double s = (double)config->a / config->b;
    for (uint32_t i = 0; i < config->chosen; i++)
        if (report[i] == 0)
            return (double)config->values / config->chosen *
                   ((report[config->chosen] >> i & 1) * (s + 1) - 1) / (s - 1);
    return 0;
}

static void flips_count(flips *out, const scrim_local_config *config, uint32_t value)
{
    local_tapes tapes = flip_tapes(config);
    while (local_tapes_next(&tapes)) {
        uint8_t report[8] = {0};
        device_tape tape = {tapes.words, tapes.count, 0};
        const scrim_local_source source = device_tape_source(&tape);
        CHECK_INT(scrim_local_encode(config, value, &source, report), SCRIM_LOCAL_OK);
        CHECK_INT(tape.taken, tapes.count);
        for (uint32_t i = 1; i < config->chosen; i++)
            CHECK(report[i] > report[i - 1]);
        out->rows[(size_t)value * 512 + flips_index(out, device_number(report, 8))]++;
        const double estimate = flips_estimate(config, report);
        out->mean[value] += estimate;
        out->square[value] += estimate * estimate;
    }
}

static void check_flips(const json_t *row, const char *words)
{
    static flips all;
    const scrim_local_config config = device_config(words);
    const local_tapes tapes = flip_tapes(&config);
    const double total = (double)local_tapes_total(&tapes);
    memset(&all, 0, sizeof all);
    for (uint32_t x = 0; x < config.values; x++)
        flips_count(&all, &config, x);
    const double ratio = quotient(vectors_text(row, "ratio"));
    CHECK_NEAR(local_law_ratio(all.rows, config.values, 512), ratio, 1e-12);
    CHECK_NEAR(local_law_loss(&config), log(ratio), 1e-8);
    for (uint32_t x = 0; x < config.values; x++) {
        const double mean = all.mean[x] / total, want = x == 0 ? 1 : 0;
        CHECK(fabs(mean - want) < 1e-9);
        CHECK_NEAR(all.square[x] / total - want,
                   quotient(vectors_text(row, x == 0 ? "var_at_1" : "var_at_0")), 1e-9);
    }
}

SLOW_TEST(bit_flip_has_its_law)
{
    CLAIM("bit_flip.privacy");
    const json_t *rows = vectors_load("local-additions", "dbitflip");
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        char words[64];
        snprintf(words, sizeof words, "bit-flip values=%u a=%u b=%u chosen=%u epoch=0",
                 (unsigned)vectors_number(row, "k"), (unsigned)vectors_number(row, "A"),
                 (unsigned)vectors_number(row, "B"), (unsigned)vectors_number(row, "d"));
        check_flips(row, words);
    }
    CHECK(i > 0);
}

/* The target epsilon is never exceeded, with the parts that the specification rounds to. */
TEST(bit_flip_keeps_the_target)
{
    const json_t *rows = vectors_load("local-additions", "rounding");
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        char words[96];
        const uint64_t b = vectors_number(row, "SUE_B_of_2_32");
        snprintf(words, sizeof words,
                 "bit-flip values=1000 a=%llu b=%llu chosen=9 epoch=1",
                 (unsigned long long)(((uint64_t)1 << 32) - b), (unsigned long long)b);
        const scrim_local_config config = device_config(words);
        CHECK_NEAR(local_law_loss(&config),
                   strtod(vectors_text(row, "SUE_eps_true"), NULL), 2e-8);
    }
    CHECK(i > 0);
}

/* More bits than a word, and chosen values of two bytes. */
TEST(bit_flip_report_has_its_layout)
{
    CLAIM("local.length");
    const scrim_local_config config =
        device_config("bit-flip values=1000 a=4294967294 b=2 chosen=70 epoch=0");
    uint64_t seed = 3;
    const scrim_local_source source = device_seeded(&seed);
    uint8_t report[2 * 70 + 9];
    REQUIRE(scrim_local_report_bytes(&config) == sizeof report);
    for (uint64_t x = 0; x < 1000; x += 37) {
        CHECK_INT(scrim_local_encode(&config, x, &source, report), SCRIM_LOCAL_OK);
        for (uint32_t i = 0; i < 70; i++) {
            const uint64_t bucket = device_number(report + (size_t)2 * i, 2);
            CHECK(bucket < 1000);
            CHECK_INT(report[140 + i / 8] >> i % 8 & 1, bucket == x);
        }
        CHECK_INT(report[148] >> 6, 0);
    }
}

/* ---- repeated-unary ----------------------------------------------------------------------- */

/* counts[z]: how many tapes make these reports of two bits each, of one permanent answer. */
static void count_unary(const scrim_local_config *config, uint64_t value,
                        unsigned reports, const local_tapes *tapes, uint64_t *counts)
{
    local_tapes all = *tapes;
    sl_plan plan;
    sl_repeated_unary.prepare(config, &plan);
    memset(counts, 0, ((size_t)1 << (2 * reports)) * sizeof *counts);
    while (local_tapes_next(&all)) {
        device_tape tape = {all.words, all.count, 0};
        const scrim_local_source source = device_tape_source(&tape);
        sl_bits bits;
        uint8_t permanent, seen = 0;
        sl_bits_init(&bits, &source, 0);
        sl_repeated_unary.permanent(&plan, (sl_secret){.value = value}, &bits, &bits,
                                    &permanent);
        for (unsigned i = 0; i < reports; i++) {
            uint8_t report = permanent;
            sl_repeated_unary.perturb(&plan, &bits, &report);
            seen |= (uint8_t)(report << 2 * i);
        }
        CHECK_INT(sl_bits_clear(&bits), SCRIM_LOCAL_OK);
        counts[seen]++;
    }
}

/* r reports of one permanent answer at A = 7, B = 1, p2 = 3/4, by all tapes. */
SLOW_TEST(repeated_unary_has_its_law)
{
    CLAIM("repeated_unary.privacy");
    const json_t *rows = vectors_load("local-additions", "l_osue");
    const scrim_local_config config =
        device_config("repeated-unary values=2 a=7 b=1 keep=3221225472 epoch=1");
    for (unsigned reports = 1; reports <= 2; reports++) {
        local_tapes tapes = {.count = 4 + 2 * reports};
        uint64_t counts[2 * 16];
        for (size_t i = 0; i < tapes.count; i++)
            tapes.slots[i] = (local_slot){0, 2};
        const size_t outputs = (size_t)1 << (2 * reports);
        count_unary(&config, 0, reports, &tapes, counts);
        count_unary(&config, 1, reports, &tapes, counts + outputs);
        const json_t *row = json_array_get(rows, reports - 1);
        CHECK_INT(vectors_number(row, "A"), 7);
        CHECK_INT(vectors_number(row, "r"), reports);
        CHECK_NEAR(local_law_ratio(counts, 2, outputs),
                   quotient(vectors_text(row, "ratio")), 1e-12);
    }
}

/* Loss of one report, and of all. */
TEST(repeated_unary_loss_is_the_specifications)
{
    CLAIM("repeated_unary.privacy");
    const json_t *rows = vectors_load("local-additions", "l_osue");
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        const unsigned a = (unsigned)vectors_number(row, "A");
        const unsigned b = (unsigned)vectors_number(row, "B");
        const double keep = quotient(vectors_text(row, "p2"));
        for (unsigned epoch = 0; epoch < 2; epoch++) {
            char words[96];
            snprintf(words, sizeof words,
                     "repeated-unary values=9 a=%u b=%u keep=%llu epoch=%u", a, b,
                     (unsigned long long)(keep * 4294967296.0), epoch);
            const scrim_local_config config = device_config(words);
            if (epoch == 0)
                CHECK_NEAR(local_law_loss(&config), log((double)a / b), 1e-8);
            else if (vectors_number(row, "r") == 1)
                CHECK_NEAR(local_law_loss(&config),
                           log(quotient(vectors_text(row, "ratio"))), 1e-8);
        }
    }
    CHECK(i > 0);
}

TEST(repeated_protocols_refuse_wrong_parameters)
{
    static const char *const wrong[] = {
        "bit-flip values=5 a=3 b=1 chosen=0 epoch=0",
        "bit-flip values=5 a=3 b=1 chosen=6 epoch=0",
        "bit-flip values=1 a=3 b=1 chosen=1 epoch=0",
        "bit-flip values=5 a=3 b=1 chosen=2 epoch=2",
        "repeated-unary values=5 a=3 b=1 keep=2147483648 epoch=0",
        "repeated-unary values=1 a=3 b=1 keep=2147483649 epoch=0",
        "repeated-unary values=5 a=3 b=3 keep=2147483649 epoch=0",
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char text[SCRIM_LOCAL_CONFIG_BYTES];
        scrim_local_config config;
        snprintf(text, sizeof text, "scrim-local/1 question=q protocol=%s\n", wrong[i]);
        CHECK_INT(scrim_local_config_parse(text, &config), SCRIM_LOCAL_E_PARAM);
    }
}

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
