#include "check.h"
#include "local/device/repeated_encoder.h"
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

TEST(bit_flip_has_its_law)
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

/* The wish is never exceeded, with the parts that the specification rounds to. */
TEST(bit_flip_keeps_the_wish)
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
TEST(repeated_unary_has_its_law)
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
