#include "check.h"
#include "local/device/mean_encoder.h"
#include "local_law.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* All draws below 3700, for the values that the specification prints. */
TEST(one_bit_mean_is_the_specifications)
{
    CLAIM("one_bit_mean.privacy");
    const json_t *row = vectors_load("local-and-accounting", "one_bit_mean_integer");
    const scrim_local_config config = device_config("one-bit-mean values=101 a=27 b=10");
    const uint64_t total = vectors_number(row, "modulus");
    const char *x;
    json_t *accept;
    size_t seen = 0;
    json_object_foreach(json_object_get(row, "accept_below"), x, accept)
    {
        const uint64_t value = strtoull(x, NULL, 10);
        for (uint64_t u = 0; u < total; u++)
            CHECK_INT(device_report(&config, value, u, total),
                      u < (uint64_t)json_integer_value(accept));
        seen++;
    }
    CHECK_INT(seen, 4);
    CHECK_NEAR(local_law_loss(&config), strtod(vectors_text(row, "eps"), NULL), 1e-9);
}

/* The probabilities of the specification, with a wish that was rounded to parts of 2^20. */
TEST(one_bit_mean_has_its_law)
{
    const json_t *rows = vectors_load("local-and-accounting", "one_bit_mean");
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        const double b = 1048576;
        const double a = floor(b * exp(strtod(vectors_text(row, "eps"), NULL)));
        const uint64_t m = vectors_number(row, "m"), x = vectors_number(row, "x");
        const double want = strtod(vectors_text(row, "prob_one"), NULL);
        const uint64_t total = (uint64_t)(a + b) * m;
        const uint64_t ones = (uint64_t)b * m + x * (uint64_t)(a - b);
        char words[64];
        snprintf(words, sizeof words, "one-bit-mean values=%u a=%u b=%u",
                 (unsigned)(m + 1), (unsigned)a, (unsigned)b);
        const scrim_local_config config = device_config(words);
        CHECK_INT(device_report(&config, x, ones - 1, total), 1);
        CHECK_INT(device_report(&config, x, ones, total), 0);
        CHECK_NEAR((double)ones / (double)total, want, 1e-6);
    }
    CHECK(i > 0);
}

/* The alpha-point rounds without bias, as the specification's pairing does: each answer has the law of
 * one-bit-mean, exactly. */
TEST(rounded_bit_mean_has_no_bias)
{
    CLAIM("rounded_bit_mean.privacy");
    const json_t *row = vectors_load("local-and-accounting", "alpha_point");
    const json_t *bias = json_object_get(row, "zero_to_m_minus_1_ge");
    const uint64_t m = vectors_number(row, "m"), a = 3, b = 2;
    const scrim_local_config config =
        device_config("rounded-bit-mean values=11 a=3 b=2 flip=0 epoch=0");
    const local_tapes tapes = {.slots = {{10, 0}, {5, 0}, {5, 0}}, .count = 3};
    uint64_t rows[11 * 2];
    for (uint64_t x = 0; x <= m; x++) {
        local_law_count(&config, x, NULL, &tapes, rows + 2 * x, 2);
        CHECK_STR(json_string_value(json_array_get(bias, x)), "0");
        CHECK_INT((sc_int128)rows[2 * x + 1] * (a + b) * m,
                  (sc_int128)(b * m + x * (a - b)) * 250);
    }
    CHECK_NEAR(local_law_ratio(rows, 11, 2), (double)a / (double)b, 1e-15);
}

/* counts[z]: how many tapes make the reports z of these two numbers, bit 0 the first's, of one device: its
 * first three words come again in each round, then there are so many for each flip. */
static void count_transcripts(const scrim_local_config *config, const uint64_t x[2],
                              const local_tapes *tapes, unsigned flips,
                              uint64_t counts[4])
{
    local_tapes all = *tapes;
    for (size_t z = 0; z < 4; z++)
        counts[z] = 0;
    while (local_tapes_next(&all)) {
        unsigned z = 0;
        for (unsigned round = 0; round < 2; round++) {
            uint64_t words[5] = {all.words[0], all.words[1], all.words[2]};
            for (unsigned i = 0; i < flips; i++)
                words[3 + i] = all.words[3 + round * flips + i];
            device_tape tape = {words, 3 + flips, 0};
            const scrim_local_source source = device_tape_source(&tape);
            uint8_t report;
            CHECK_INT(scrim_local_encode(config, x[round], &source, &report),
                      SCRIM_LOCAL_OK);
            z |= (unsigned)report << round;
        }
        counts[z]++;
    }
}

/* A crossing is seen where nothing is flipped: 0 then m gives 0 then 1, which 0 and 0 never give. */
TEST(rounded_bit_mean_shows_a_crossing)
{
    const json_t *row = vectors_load("local-and-accounting", "memo_transcript");
    const double up = exp(1) / (exp(1) + 1);
    const scrim_local_config config =
        device_config("rounded-bit-mean values=4 a=3 b=1 flip=0 epoch=0");
    const local_tapes tapes = {.slots = {{3, 0}, {4, 0}, {4, 0}}, .count = 3};
    uint64_t crossing[4], constant[4];
    count_transcripts(&config, (const uint64_t[]){0, 3}, &tapes, 0, crossing);
    count_transcripts(&config, (const uint64_t[]){0, 0}, &tapes, 0, constant);
    CHECK_INT(crossing[2], (sc_int128)3 * 3 * 3); /* of 3 * 4 * 4: the square of 3/4 */
    CHECK_INT(constant[2], 0);
    CHECK_NEAR(strtod(vectors_text(row, "prob_for_sequence_0_m"), NULL), up * up, 1e-12);
}

/* With flips, any two sequences of two numbers: at most 2 ln((1-g)/g), and two that are constant at
 * most ln(a/b). */
TEST(rounded_bit_mean_pays_for_each_round)
{
    CLAIM("rounded_bit_mean.privacy");
    const scrim_local_config config =
        device_config("rounded-bit-mean values=3 a=9 b=1 flip=1073741824 epoch=0");
    const local_tapes tapes = {
        .slots = {{2, 0}, {10, 0}, {10, 0}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}, .count = 7};
    uint64_t rows[9 * 4], constant[2 * 4];
    for (uint64_t x = 0; x < 9; x++)
        count_transcripts(&config, (const uint64_t[]){x / 3, x % 3}, &tapes, 2,
                          rows + 4 * x);
    CHECK(local_law_ratio(rows, 9, 4) <= 9);
    for (size_t z = 0; z < 4; z++) {
        constant[z] = rows[z];
        constant[4 + z] = rows[(size_t)4 * 8 + z];
    }
    CHECK(local_law_ratio(constant, 2, 4) < 9);
    CHECK_NEAR(local_law_loss(&config), log(3), 1e-8);
}

/* A fresh offset each period: the loss of one round alone, u/(1-u) = (9 * 3 + 1) / (3 + 9). */
TEST(rounded_bit_mean_has_the_law_of_one_round)
{
    CLAIM("rounded_bit_mean.privacy");
    const scrim_local_config config =
        device_config("rounded-bit-mean values=3 a=9 b=1 flip=1073741824 epoch=1");
    const local_tapes tapes = {.slots = {{2, 0}, {10, 0}, {10, 0}, {0, 1}, {0, 1}},
                               .count = 5};
    uint64_t rows[3 * 2];
    for (uint64_t x = 0; x < 3; x++)
        local_law_count(&config, x, NULL, &tapes, rows + 2 * x, 2);
    CHECK_NEAR(local_law_ratio(rows, 3, 2), 28.0 / 12, 1e-15);
    CHECK_NEAR(local_law_loss(&config), log(28.0 / 12), 1e-8);
}

TEST(bit_means_refuse_wrong_parameters)
{
    static const char *const wrong[] = {
        "one-bit-mean values=1 a=3 b=1",
        "rounded-bit-mean values=1 a=3 b=1 flip=0 epoch=0",
        "rounded-bit-mean values=3 a=3 b=1 flip=2147483648 epoch=0",
        "rounded-bit-mean values=3 a=3 b=1 flip=1 epoch=2",
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char text[SCRIM_LOCAL_CONFIG_BYTES];
        scrim_local_config config;
        snprintf(text, sizeof text, "scrim-local/1 question=q protocol=%s\n", wrong[i]);
        CHECK_INT(scrim_local_config_parse(text, &config), SCRIM_LOCAL_E_PARAM);
    }
}
