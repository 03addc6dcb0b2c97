#include "check.h"
#include "local/device/device_draws.h"
#include "local/device/number_encoders.h"
#include "local_device.h"
#include "local_law.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The probabilities of the specification, with a target epsilon that was rounded to parts of 2^20. */
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

/* counts[z]: how many tapes make the reports z of these two numbers, bit 0 the first's, of one
 * device: its first three words come again in each round, then `flips` words for the flips. */
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

static void check_wave(const json_t *row)
{
    const uint64_t m = vectors_number(row, "m"), w = vectors_number(row, "w");
    const uint64_t a = vectors_number(row, "A"), b = vectors_number(row, "B");
    const uint64_t total = vectors_number(row, "W"),
                   outputs = vectors_number(row, "outputs");
    uint64_t rows[8 * 12] = {0};
    char words[128];
    snprintf(words, sizeof words, "square-wave values=%d a=%d b=%d width=%d", (int)m,
             (int)a, (int)b, (int)w);
    const scrim_local_config config = device_config(words);
    for (uint64_t x = 0; x < m; x++)
        for (uint64_t u = 0; u < total; u++) {
            const uint64_t z = device_report(&config, x, u, total);
            REQUIRE(z < outputs);
            rows[x * outputs + z]++;
        }
    for (uint64_t x = 0; x < m; x++)
        for (uint64_t z = 0; z < outputs; z++)
            CHECK_INT(rows[x * outputs + z], z >= x && z <= x + 2 * w ? a : b);
    device_check_law(rows, m, outputs, total, a, b);
}

TEST(device_square_wave_has_its_law)
{
    const json_t *rows = vectors_load("local-additions", "square_wave");
    CLAIM("local.privacy");
    REQUIRE(json_array_size(rows) == 3);
    for (size_t i = 0; i < json_array_size(rows); i++)
        check_wave(json_array_get(rows, i));
}

/* The map: from u below (2w+1) a the near outputs in order, then the others in order. */
TEST(device_square_wave_maps_in_order)
{
    const scrim_local_config config =
        device_config("square-wave values=3 a=3 b=2 width=1");
    static const uint64_t wanted[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0, 4, 4};
    for (uint64_t u = 0; u < COUNT(wanted); u++)
        CHECK_INT(device_report(&config, 1, u, COUNT(wanted)), wanted[u]);
}

static scrim_local_status status_of(const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text, "scrim-local/1 question=q protocol=square-wave %s\n",
             words);
    return scrim_local_config_parse(text, &config);
}

TEST(device_square_wave_refuses_other_sizes)
{
    CHECK_INT(status_of("values=2 a=3 b=1 width=0"), SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=1 a=3 b=1 width=0"), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(status_of("values=16777215 a=4294967295 b=4294967294 width=16777216"),
              SCRIM_LOCAL_OK);
    CHECK_INT(status_of("values=16777216 a=3 b=1 width=0"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("values=2 a=3 b=1 width=33554431"), SCRIM_LOCAL_E_LIMIT);
    CHECK_INT(status_of("values=2 a=3 b=1 width=4294967295"), SCRIM_LOCAL_E_LIMIT);
}

/* P(clamp(x + z) = y) on 0..top, P(z) proportional to r^|z|. */
static double clamped(double r, int x, int y, int top)
{
    const double norm = (1 - r) / (1 + r);
    if (y > 0 && y < top)
        return norm * pow(r, abs(y - x));
    return norm * pow(r, abs(y - x)) / (1 - r);
}

/* All tapes at a = 2, b = 1: the sign below 3, and as many coins of 1/2 as matter. */
TEST(geometric_encoder_has_its_law)
{
    CLAIM("condensed_geometric.privacy");
    const scrim_local_config config =
        device_config("condensed-geometric values=5 a=2 b=1");
    const local_tapes tapes = {.slots = {{3, 0}, {0, 6}}, .count = 2};
    uint64_t rows[5 * 5];
    for (uint64_t x = 0; x < 5; x++) {
        local_law_count(&config, x, NULL, &tapes, rows + 5 * x, 5);
        for (uint64_t y = 0; y < 5; y++)
            CHECK_NEAR((double)rows[5 * x + y] / (3 * 64),
                       clamped(0.5, (int)x, (int)y, 4), 1e-12);
        for (uint64_t other = 0; other < x; other++) {
            uint64_t pair[2 * 5];
            for (size_t z = 0; z < 5; z++) {
                pair[z] = rows[5 * x + z];
                pair[5 + z] = rows[5 * other + z];
            }
            CHECK_NEAR(local_law_ratio(pair, 2, 5), pow(2, (double)(x - other)), 1e-12);
        }
    }
    CHECK_NEAR(local_law_loss(&config), 4 * log(2), 1e-8);
}

/* Coins that are not halves, one draw below a each. */
TEST(geometric_encoder_has_its_law_for_any_ratio)
{
    const scrim_local_config config =
        device_config("condensed-geometric values=4 a=3 b=1");
    for (uint64_t x = 0; x < 4; x++) {
        double law[4] = {0};
        for (uint64_t sign = 0; sign < 4; sign++)
            for (uint64_t coins = 0; coins < 27; coins++) {
                uint64_t words[65];
                uint8_t report = 9;
                words[0] = device_word(sign, 4);
                for (uint64_t i = 0, rest = coins; i < 64; i++, rest /= 3)
                    words[1 + i] = device_word(i < 3 ? rest % 3 : 2, 3);
                device_tape tape = {words, 65, 0};
                const scrim_local_source source = device_tape_source(&tape);
                CHECK_INT(scrim_local_encode(&config, x, &source, &report),
                          SCRIM_LOCAL_OK);
                CHECK_INT(tape.taken, 65);
                REQUIRE(report < 4);
                law[report] += 1.0 / (4 * 27);
            }
        for (uint64_t y = 0; y < 4; y++)
            CHECK_NEAR(law[y], clamped(1.0 / 3, (int)x, (int)y, 3), 1e-12);
    }
}

/* The specification's law is this one, at the ratio exp(-1/2). */
TEST(geometric_law_is_the_specifications)
{
    const json_t *row = vectors_load("local-and-accounting", "cldp_clamped_geometric");
    const json_t *law = json_object_get(row, "pmf_x1");
    for (int y = 0; y < 5; y++)
        CHECK_NEAR(strtod(json_string_value(json_array_get(law, (size_t)y)), NULL),
                   clamped(exp(-0.5), 1, y, 4), 1e-12);
}

/* laplace-mean reports outside of the range, up to its width, as an offset. */
TEST(laplace_mean_has_its_law)
{
    CLAIM("laplace_mean.privacy");
    const scrim_local_config config =
        device_config("laplace-mean values=3 a=2 b=1 width=3");
    const local_tapes tapes = {.slots = {{3, 0}, {0, 8}}, .count = 2};
    uint64_t rows[3 * 9];
    for (uint64_t x = 0; x < 3; x++) {
        local_law_count(&config, x, NULL, &tapes, rows + 9 * x, 9);
        for (uint64_t y = 0; y < 9; y++)
            CHECK_NEAR((double)rows[9 * x + y] / (3 * 256),
                       clamped(0.5, (int)x + 3, (int)y, 8), 1e-12);
    }
    CHECK_NEAR(local_law_ratio(rows, 3, 9), 4, 1e-12);
    CHECK_NEAR(local_law_loss(&config), 2 * log(2), 1e-8);
}

/* Runs of ones, of all lengths. */
TEST(device_runs_of_ones_are_counted)
{
    CHECK_INT(sl_run_of_ones(UINT64_MAX), 64);
    for (unsigned i = 0; i < 64; i++) {
        const uint64_t run = ((uint64_t)1 << i) - 1;
        CHECK_INT(sl_run_of_ones(run), i);
        CHECK_INT(sl_run_of_ones(i == 63 ? run : run | UINT64_MAX << (i + 1)), i);
    }
}

/* A run that goes on into further words: the largest report. */
TEST(geometric_encoder_reaches_its_ends)
{
    const scrim_local_config config =
        device_config("condensed-geometric values=200 a=2 b=1");
    uint64_t words[] = {device_word(0, 3), UINT64_MAX, UINT64_MAX, 7, 0};
    for (unsigned i = 0; i < 2; i++) {
        device_tape tape = {words, 5, 0};
        const scrim_local_source source = device_tape_source(&tape);
        uint8_t report;
        words[0] = device_word(i, 3);
        CHECK_INT(scrim_local_encode(&config, i == 0 ? 20 : 150, &source, &report),
                  SCRIM_LOCAL_OK);
        CHECK_INT(report, i == 0 ? 20 + 132 : 150 - 132);
        CHECK_INT(tape.taken, 5);
        tape.taken = 0;
        CHECK_INT(scrim_local_encode(&config, 99, &source, &report), SCRIM_LOCAL_OK);
        CHECK_INT(report, i == 0 ? 199 : 0);
    }
}

/* The weights by distance, as the header defines them. */
static void weights_of(const scrim_local_config *config, uint64_t weights[256])
{
    weights[0] = (uint64_t)1 << 31;
    for (size_t t = 1; t < 256; t++)
        weights[t] = (weights[t - 1] * config->b + config->a - 1) / config->a;
}

/* The report that is made of u below sum: the first of eight words counts. */
static uint64_t report_at(const scrim_local_config *config, uint64_t x, uint64_t u,
                          uint64_t sum)
{
    uint64_t words[8] = {device_word(u, sum)};
    device_tape tape = {words, 8, 0};
    const scrim_local_source source = device_tape_source(&tape);
    uint8_t report[2] = {0};
    CHECK_INT(scrim_local_encode(config, x, &source, report), SCRIM_LOCAL_OK);
    CHECK_INT(tape.taken, 8);
    return device_number(report, scrim_local_report_bytes(config));
}

/* Each value gets as many u as its weight: the u are cut into pieces at which the report changes. */
static void check_row(const scrim_local_config *config, uint32_t x)
{
    uint64_t weights[256], got[256] = {0}, sum = 0;
    weights_of(config, weights);
    for (uint32_t z = 0; z < config->values; z++)
        sum += weights[sl_metric_distance(config, x, z)];
    for (uint64_t u = 0; u < sum;) {
        const uint64_t z = report_at(config, x, u, sum);
        uint64_t low = u, high = sum;
        REQUIRE(z < config->values);
        while (high - low > 1) {
            const uint64_t middle = low + (high - low) / 2;
            *(report_at(config, x, middle, sum) == z ? &low : &high) = middle;
        }
        got[z] += high - u;
        u = high;
    }
    for (uint32_t z = 0; z < config->values; z++)
        CHECK_INT(got[z], weights[sl_metric_distance(config, x, z)]);
}

/* The line, with the laws of the specification. */
TEST(condensed_line_has_its_law)
{
    CLAIM("condensed_exponential.privacy");
    const json_t *rows = vectors_load("local-and-accounting", "cldp_exponential");
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        const double alpha = strtod(vectors_text(row, "alpha"), NULL);
        const unsigned m = (unsigned)vectors_number(row, "m"), b = 1u << 30;
        uint64_t weights[256], sum = 0;
        char words[96];
        snprintf(words, sizeof words,
                 "condensed-exponential values=%u a=%u b=%u metric=0", m + 1,
                 (unsigned)floor(b * exp(alpha / 2)), b);
        const scrim_local_config config = device_config(words);
        weights_of(&config, weights);
        for (unsigned z = 0; z <= m; z++)
            sum += weights[z];
        for (unsigned z = 0; z <= m; z++)
            CHECK_NEAR((double)weights[z] / (double)sum,
                       strtod(json_string_value(
                                  json_array_get(json_object_get(row, "row_x0"), z)),
                              NULL),
                       1e-8);
        for (unsigned x = 0; x <= m; x += 1 + m / 4)
            check_row(&config, x);
        const double loss = local_law_loss(&config), target = alpha * m;
        CHECK(loss <= target);
        CHECK(loss >= strtod(vectors_text(row, "pure_ldp_eps_over_domain"), NULL) - 1e-6);
    }
    CHECK(i > 0);
}

/* ---- a table ------------------------------------------------------------------------------ */

/* Distances of four places on a tree, for y = 1, 2, 3 and x below y. */
static const uint8_t tree[] = {2, 5, 5, 5, 5, 4};

static scrim_local_config table_config(const uint8_t *table, size_t bytes,
                                       unsigned values)
{
    scrim_local_config config = {.question = "q",
                                 .protocol = SCRIM_LOCAL_CONDENSED,
                                 .values = values,
                                 .a = 6,
                                 .b = 5,
                                 .metric = 1};
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_table_hash(table, bytes, config.table_hash);
    CHECK_INT(scrim_local_config_format(&config, text), SCRIM_LOCAL_OK);
    scrim_local_config read;
    CHECK_INT(scrim_local_config_parse(text, &read), SCRIM_LOCAL_OK);
    CHECK_BYTES(read.hash, config.hash, sizeof config.hash);
    CHECK_BYTES(read.table_hash, config.table_hash, sizeof config.table_hash);
    return read;
}

/* log of the largest ratio of two rows' probabilities, of x and of y. */
static double pair_loss(const scrim_local_config *config, uint32_t x, uint32_t y)
{
    uint64_t weights[256];
    double sums[2] = {0, 0}, most = 0;
    weights_of(config, weights);
    for (uint32_t z = 0; z < config->values; z++) {
        const double over = (double)weights[sl_metric_distance(config, x, z)];
        const double under = (double)weights[sl_metric_distance(config, y, z)];
        sums[0] += over;
        sums[1] += under;
        most = fmax(most, over / under);
    }
    return log(most * sums[1] / sums[0]);
}

static void check_pairs(const scrim_local_config *config)
{
    double most = 0;
    for (uint32_t x = 0; x < config->values; x++)
        for (uint32_t y = 0; y < config->values; y++) {
            const double loss = pair_loss(config, x, y);
            CHECK(loss <= 2 * sl_metric_distance(config, x, y) *
                                  log((double)config->a / config->b) +
                              1e-12);
            most = fmax(most, loss);
        }
    CHECK(local_law_loss(config) >= most);
    CHECK(local_law_loss(config) <=
          2 * sl_metric_diameter(config) * log((double)config->a / config->b) + 1e-8);
}

TEST(condensed_table_has_its_law)
{
    CLAIM("condensed_exponential.privacy");
    scrim_local_config config = table_config(tree, sizeof tree, 4);
    uint8_t report;
    uint64_t seed = 1;
    const scrim_local_source source = device_seeded(&seed);
    /* No report and no loss without the table. */
    CHECK_INT(scrim_local_encode(&config, 0, &source, &report), SCRIM_LOCAL_E_PARAM);
    CHECK(scrim_local_loss(&config) == UINT64_MAX);
    REQUIRE(scrim_local_config_table(&config, tree, sizeof tree) == SCRIM_LOCAL_OK);
    for (uint32_t x = 0; x < 4; x++)
        check_row(&config, x);
    check_pairs(&config);
    const scrim_local_config line =
        device_config("condensed-exponential values=20 a=6 b=5 metric=0");
    check_pairs(&line);
}

TEST(condensed_table_is_checked)
{
    static const uint8_t far[] = {2, 8, 5, 5, 5, 4}, same[] = {2, 5, 5, 5, 5, 0};
    scrim_local_config config = table_config(tree, sizeof tree, 4);
    CHECK_INT(scrim_local_config_table(&config, far, sizeof far), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_config_table(&config, tree, sizeof tree - 1),
              SCRIM_LOCAL_E_PARAM);
    CHECK(config.table == NULL);
    /* Tables whose hash is right: 0 to 2 is farther than by way of 1; 2 and 3 are one place. */
    config = table_config(far, sizeof far, 4);
    CHECK_INT(scrim_local_config_table(&config, far, sizeof far), SCRIM_LOCAL_E_PARAM);
    config = table_config(same, sizeof same, 4);
    CHECK_INT(scrim_local_config_table(&config, same, sizeof same), SCRIM_LOCAL_E_PARAM);
    config = device_config("condensed-exponential values=4 a=6 b=5 metric=0");
    CHECK_INT(scrim_local_config_table(&config, tree, sizeof tree), SCRIM_LOCAL_E_PARAM);
}

static uint64_t below_secret(uint64_t n, const uint64_t words[8])
{
    device_tape tape = {words, 8, 0};
    const scrim_local_source source = device_tape_source(&tape);
    sl_bits bits;
    sl_bits_init(&bits, &source, 0);
    const uint64_t u = sl_uniform_secret(&bits, n);
    CHECK_INT(sl_bits_clear(&bits), SCRIM_LOCAL_OK);
    return u;
}

/* Below a secret size: the first word that is not rejected, of eight. */
TEST(device_uniform_below_a_secret)
{
    static const uint64_t sizes[] = {
        1, 2, 3, 7, 1000, ((uint64_t)1 << 48) - 1, (uint64_t)1 << 48};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const uint64_t n = sizes[i], rejected = (0 - n) % n;
        for (unsigned bad = 0; bad < 8; bad++) {
            uint64_t words[8] = {0}; /* a zero is rejected unless n divides 2^64 */
            words[bad] = device_word(n - 1, n);
            CHECK_INT(below_secret(n, words), rejected > 0 || bad == 0 ? n - 1 : 0);
        }
    }
}

/* The first word that leads to u; those of all u below m are rejected m (2^64 mod n)/n times, rounded up.
 * If all eight are, the last one counts. */
TEST(device_uniform_below_a_secret_counts_its_last_word)
{
    CLAIM("condensed_exponential.privacy");
    static const uint64_t sizes[] = {3, 7, 1000, 4099, 2147483655};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const uint64_t n = sizes[i], rest = (0 - n) % n, good = device_word(n - 1, n);
        uint64_t seen = 0;
        for (uint64_t u = 0; u + 1 < n && u < 1000; u++) {
            const uint64_t first = (uint64_t)((((sc_uint128)u << 64) + n - 1) / n);
            const uint64_t words[8] = {first, good},
                           all[8] = {0, 0, 0, 0, 0, 0, 0, first};
            const uint64_t got = below_secret(n, words);
            CHECK(got == u || got == n - 1);
            seen += got != u;
            CHECK_INT(seen, (uint64_t)(((sc_uint128)(u + 1) * rest + n - 1) / n));
            CHECK_INT(below_secret(n, all), u);
        }
    }
}
