#include "check.h"
#include "local/device/condensed_encoder.h"
#include "local/device/metric.h"
#include "local_law.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        const double loss = local_law_loss(&config), wish = alpha * m;
        CHECK(loss <= wish);
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
