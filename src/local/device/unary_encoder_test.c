#include "check.h"
#include "local/device/device_draws.h"
#include "local/device/set_encoders.h"
#include "local_device.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

/* The parts of one report: for each of k bits a number below a + b, and the fair coin. */
typedef struct unary_draw {
    uint64_t numbers[4];
    uint64_t coin;
} unary_draw;

/* Where a+b is a power of two, 2^digits, a lane's digits are those of a + b - 1 - number: a lane is
 * 1 where its number is below b. The words of each number's lane, the last digit first. */
static size_t lane_words(const scrim_local_config *config, const unary_draw *draw,
                         uint64_t *words)
{
    uint32_t digits = 0, skipped = 0;
    const uint32_t total = config->a + config->b;
    while ((uint32_t)1 << digits < total)
        digits++;
    while ((config->b >> skipped & 1) == 0)
        skipped++;
    for (uint32_t digit = skipped; digit < digits; digit++)
        for (uint32_t i = 0; i < config->values; i++)
            words[(size_t)SL_BLOCK * (digit - skipped)] |=
                ((total - 1 - draw->numbers[i]) >> digit & 1) << i;
    return (size_t)SL_BLOCK * (digits - skipped);
}

static size_t number_words(const scrim_local_config *config, const unary_draw *draw,
                           uint64_t *words)
{
    for (uint32_t i = 0; i < config->values; i++)
        words[i] = device_word(draw->numbers[i], (uint64_t)config->a + config->b);
    return config->values;
}

static uint64_t unary_report(const scrim_local_config *config, uint64_t x,
                             const unary_draw *draw)
{
    uint64_t words[40] = {0};
    const uint32_t total = config->a + config->b;
    size_t count = 0;
    uint8_t report[8] = {0};
    if (config->protocol == SCRIM_LOCAL_OPTIMISED_UNARY)
        words[count++] = draw->coin << x;
    count += (total & (total - 1)) == 0 ? lane_words(config, draw, words + count)
                                        : number_words(config, draw, words + count);
    device_tape tape = {words, count, 0};
    const scrim_local_source source = device_tape_source(&tape);
    CHECK_INT(scrim_local_encode(config, x, &source, report), SCRIM_LOCAL_OK);
    CHECK_INT(tape.taken, count);
    return report[0];
}

/* All numbers of all bits: the next draw, false behind the last. */
static bool next_draw(const scrim_local_config *config, unary_draw *draw)
{
    for (uint32_t i = 0; i < config->values; i++) {
        if (++draw->numbers[i] < (uint64_t)config->a + config->b)
            return true;
        draw->numbers[i] = 0;
    }
    return ++draw->coin < 2;
}

/* Bits 1 of row x, of `draws` draws: p where it is the own bit, q elsewhere. */
static void check_bits(const uint64_t *rows, uint64_t k, uint64_t draws,
                       const json_t *row)
{
    uint8_t supports[4 * 16] = {0};
    for (uint64_t v = 0; v < k; v++)
        for (uint64_t y = 0; y < (uint64_t)1 << k; y++)
            supports[v << k | y] = y >> v & 1;
    device_check_pure(rows, supports, k, (size_t)1 << k, draws, vectors_text(row, "p"),
                      vectors_text(row, "q"));
}

static void check_unary(const json_t *row)
{
    const bool optimised = strcmp(vectors_text(row, "form"), "OUE") == 0;
    const uint64_t k = vectors_number(row, "k");
    const uint64_t a = vectors_number(row, "A"), b = vectors_number(row, "B");
    uint64_t rows[4 * 16] = {0}, draws = 0;
    char words[128];
    snprintf(words, sizeof words, "%s-unary values=%d a=%d b=%d",
             optimised ? "optimised" : "symmetric", (int)k, (int)a, (int)b);
    const scrim_local_config config = device_config(words);
    unary_draw draw = {0};
    do {
        for (uint64_t x = 0; x < k; x++) {
            const uint64_t y = unary_report(&config, x, &draw);
            REQUIRE(y >> k == 0);
            rows[x << k | y]++;
        }
        draws++;
    } while (next_draw(&config, &draw));
    check_bits(rows, k, draws, row);
    device_check_law(rows, k, (size_t)1 << k, draws, optimised ? a : a * a,
                     optimised ? b : b * b);
    CHECK_INT(scrim_local_config_is_within(&config, (uint32_t)(optimised ? a : a * a),
                                           (uint32_t)(optimised ? b : b * b)),
              1);
}

TEST(device_unary_has_its_law)
{
    const json_t *rows = vectors_load("local-additions", "unary");
    CLAIM("local.privacy");
    REQUIRE(json_array_size(rows) == 6);
    for (size_t i = 0; i < json_array_size(rows); i++)
        check_unary(json_array_get(rows, i));
}

/* Each bit of a long bitmap: with all noise 0 the symmetric report is the value alone. */
TEST(device_unary_finds_its_bit)
{
    const scrim_local_config config = device_config("symmetric-unary values=150 a=3 b=1");
    const uint64_t words[2 * SL_BLOCK] = {0};
    CHECK_INT(scrim_local_report_bytes(&config), 19);
    for (uint64_t x = 0; x < 200; x++) {
        device_tape tape = {words, COUNT(words), 0};
        const scrim_local_source source = device_tape_source(&tape);
        const uint64_t wanted = x < 150 ? x : 149;
        uint8_t report[19];
        CHECK_INT(scrim_local_encode(&config, x, &source, report), SCRIM_LOCAL_OK);
        for (uint64_t i = 0; i < 8 * sizeof report; i++)
            CHECK_INT(report[i / 8] >> (i % 8) & 1, i == wanted);
    }
}

/* All noise 1: spare bits stay 0. */
TEST(device_unary_has_no_spare_bits)
{
    const scrim_local_config config = device_config("optimised-unary values=67 a=3 b=1");
    uint64_t words[1 + 2 * SL_BLOCK];
    memset(words, 0xff, sizeof words);
    device_tape tape = {words, COUNT(words), 0};
    const scrim_local_source source = device_tape_source(&tape);
    uint8_t report[9];
    REQUIRE(scrim_local_report_bytes(&config) == sizeof report);
    CHECK_INT(scrim_local_encode(&config, 66, &source, report), SCRIM_LOCAL_OK);
    CHECK_BYTES(report, "\xff\xff\xff\xff\xff\xff\xff\xff\x07", sizeof report);
}

static scrim_local_status status_of(const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text, "scrim-local/1 question=q protocol=%s\n", words);
    return scrim_local_config_parse(text, &config);
}

TEST(device_unary_refuses_other_sizes)
{
    CHECK_INT(status_of("symmetric-unary values=65536 a=3 b=1"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("symmetric-unary values=65537 a=3 b=1"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("optimised-unary values=65537 a=3 b=1"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("optimised-unary values=1 a=3 b=1"), SCRIM_LOCAL_E_PARAM);
}
