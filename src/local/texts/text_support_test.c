#include "audit/bounds.h"
#include "base/memory.h"
#include "check.h"
#include "local/device/set_encoders.h"
#include "local/texts/text_support.h"
#include "local_device.h"
#include "text_scene.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REPORTS 60
#define TEXTS 70

static const char *const configs[] = {"text-hashing a=3 b=1 text=1 cells=2",
                                      "text-hashing a=3 b=1 text=8 cells=64",
                                      "text-hashing a=54 b=1 text=11 cells=256",
                                      "text-hashing a=400 b=1 text=31 cells=2048"};

/* The cell by products in the field, as the device has it. */
static uint32_t cell_of(const scrim_local_config *config, const uint8_t *report,
                        const uint8_t *text)
{
    uint64_t words[SL_TEXT_WORDS], sum = 0;
    const uint32_t count = sl_text_words(text, config->text, 8 * config->text, words);
    for (uint32_t w = 0; w < count; w++)
        sum ^= sl_field_product(device_number(report + (size_t)8 * w, 8), words[w]);
    return (uint32_t)(sum >> 1 >> (63 - sl_cell_bits(config->cells)));
}

static void check_support(const scrim_local_config *config, uint64_t *seed)
{
    const size_t bytes = scrim_local_report_bytes(config);
    const size_t tail = config->cells > 256 ? 2 : 1;
    uint8_t texts[TEXTS][31], reports[REPORTS * 40], packed[TEXTS * 31];
    uint64_t counts[TEXTS], want[TEXTS] = {0}, dropped = 0, supported = 0;
    const scrim_local_source source = device_seeded(seed);
    CHECK_INT(source.fill(source.context, texts, sizeof texts), 0);
    for (size_t i = 0; i < REPORTS; i++) {
        uint8_t *report = reports + i * bytes;
        CHECK_INT(scrim_local_encode_text(config, texts[i % 3], &source, report),
                  SCRIM_LOCAL_OK);
        for (size_t s = 0; s < TEXTS; s++)
            want[s] += cell_of(config, report, texts[s]) ==
                       device_number(report + bytes - tail, tail);
    }
    for (size_t s = 0; s < TEXTS; s++)
        memcpy(packed + s * config->text, texts[s], config->text);
    REQUIRE_OK(
        sc_text_support(config, reports, REPORTS, packed, TEXTS, counts, &dropped, NULL));
    for (size_t s = 0; s < TEXTS; s++) {
        CHECK_INT(counts[s], want[s]);
        supported += counts[s];
    }
    CHECK(supported > REPORTS / 10);
    CHECK_INT(dropped, 0);
}

TEST(text_support_counts_equal_cells)
{
    uint64_t seed = check_seed();
    for (size_t i = 0; i < COUNT(configs); i++) {
        const scrim_local_config config = device_config(configs[i]);
        check_support(&config, &seed);
    }
}

/* A cell that is out of range counts for nothing. */
TEST(text_support_drops_what_no_device_sends)
{
    const scrim_local_config config = device_config(configs[1]);
    uint8_t report[9] = {1, 2, 3, 4, 5, 6, 7, 8, 64}, texts[8 * 40] = {0};
    uint64_t counts[40], dropped = 0;
    REQUIRE_OK(sc_text_support(&config, report, 1, texts, 40, counts, &dropped, NULL));
    CHECK_INT(dropped, 1);
    for (size_t s = 0; s < 40; s++)
        CHECK_INT(counts[s], 0);
}

TEST(text_support_is_the_same_by_vectors)
{
    CLAIM("text-support.same");
    enum { QUARTERS = 6, PADDED = 96 };
    uint64_t seed = check_seed();
    uint8_t values[QUARTERS * PADDED], low[16 * QUARTERS], high[16 * QUARTERS];
    uint32_t plain_hits[PADDED] = {0}, wide_hits[PADDED] = {0};
    const scrim_local_source source = device_seeded(&seed);
    sc_text_planes plain = {QUARTERS, PADDED, values, plain_hits};
    sc_text_planes wide = {QUARTERS, PADDED, values, wide_hits};
    for (unsigned round = 0; round < 200; round++) {
        const bool has_high = round % 2 == 1;
        CHECK_INT(source.fill(source.context, values, sizeof values), 0);
        CHECK_INT(source.fill(source.context, low, sizeof low), 0);
        memset(high, 0, sizeof high);
        for (size_t i = 0; i < sizeof values; i++)
            values[i] &= 15;
        for (size_t i = 0; i < sizeof low; i++) {
            low[i] &= has_high ? 3 : 15;
            high[i] = has_high ? low[i] ^ (i % 3 == 0) : 0;
        }
        sc_text_planes_add_plain(&plain, low, high, has_high ? 0x0102 : 5);
        if (!sc_text_planes_add_wide(&wide, low, has_high ? high : NULL,
                                     has_high ? 0x0102 : 5))
            SKIP("this machine has no vectors for it");
    }
    CHECK_BYTES(wide_hits, plain_hits, sizeof plain_hits);
    uint64_t all = 0;
    for (size_t i = 0; i < PADDED; i++)
        all += plain_hits[i];
    CHECK(all > 100);
}

static double fraction(const json_t *row, const char *name)
{
    unsigned above = 0, below = 1;
    CHECK_INT(sscanf(vectors_text(row, name), "%u/%u", &above, &below), 2);
    return (double)above / below;
}

TEST(support_thresholds_are_those_of_the_vectors)
{
    const json_t *rows = vectors_load("local-additions", "pem_thresholds"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const uint64_t n = vectors_number(row, "n_group");
        const double q = fraction(row, "Q");
        const uint64_t c = sc_support_threshold(n, q, vectors_number(row, "candidates"),
                                                fraction(row, "alpha"));
        CHECK_INT(c, vectors_number(row, "count_threshold"));
        CHECK_NEAR(sc_binomial_at_least(c, n, q), strtod(vectors_text(row, "tail"), NULL),
                   1e-9);
    }
    CHECK_INT(i, 3);
}

TEST(support_threshold_at_its_ends)
{
    CHECK_INT(sc_support_threshold(10, 0.5, 1, 1), 0);
    CHECK_INT(sc_support_threshold(10, 0.5, 1, 1e-9), 11);
    CHECK_INT(sc_support_threshold(0, 0.5, 100, 0.05), 1);
    CHECK_INT(sc_support_threshold(10, 0.5, 1, 0.00098), 10);
}

/* The chance of an alarm where nobody holds a candidate, at the parameters of the vector pem_fwer. The share
 * of 4,000 runs there was 0.0445; here it is computed: 1 - (1 - tail)^candidates. */
TEST(support_threshold_keeps_false_alarms_below_alpha)
{
    CLAIM("local-unknown.alarm");
    const json_t *row = vectors_load("local-additions", "pem_fwer");
    const uint64_t n = vectors_number(row, "n_group");
    const uint64_t candidates = vectors_number(row, "candidates");
    const double q = fraction(row, "Q"), alpha = fraction(row, "alpha");
    const uint64_t c = sc_support_threshold(n, q, candidates, alpha);
    uint64_t seed = check_seed(), alarms = 0;
    const uint64_t runs = check_count(100, 4000);
    for (uint64_t run = 0; run < runs; run++) {
        bool is_alarm = false;
        for (uint64_t v = 0; v < candidates; v++)
            is_alarm |= scene_binomial(n, q, &seed) >= c;
        alarms += is_alarm;
    }
    const double rate =
        -expm1((double)candidates * log1p(-sc_binomial_at_least(c, n, q)));
    CHECK(rate <= alpha && rate > 0.9 * alpha);
    CHECK_NEAR(rate, strtod(vectors_text(row, "false_alarm_rate"), NULL), 0.1);
    CHECK(fabs((double)alarms / (double)runs - rate) < 4.5 * sqrt(rate / (double)runs));
}

/* Against the definition, over all r. */
static uint64_t rate_by_definition(uint64_t n, double q, const uint64_t *counts,
                                   size_t candidates, double alpha)
{
    double harmonic = 0;
    uint64_t threshold = n + 1;
    for (size_t r = 1; r <= candidates; r++)
        harmonic += 1 / (double)r;
    for (size_t r = 1; r <= candidates; r++)
        if (sc_binomial_at_least(counts[r - 1], n, q) <=
            (double)r * alpha / ((double)candidates * harmonic))
            threshold = counts[r - 1];
    return threshold;
}

static int falling(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

/* A tenth of 200 candidates is held: the list is longer than Bonferroni's, and the expected share of false
 * ones in it is below alpha. */
TEST(support_threshold_by_rate)
{
    CLAIM("local-unknown.alarm");
    enum { CANDIDATES = 200, HELD = 20, N = 3000 };
    const double q = 0.125, alpha = 0.2;
    uint64_t seed = check_seed(), counts[CANDIDATES], sorted[CANDIDATES];
    double share = 0;
    size_t longer = 0, runs = 200;
    for (size_t run = 0; run < runs; run++) {
        size_t listed = 0, wrong = 0;
        for (size_t v = 0; v < CANDIDATES; v++)
            sorted[v] = counts[v] = scene_binomial(N, v < HELD ? q + 0.015 : q, &seed);
        qsort(sorted, CANDIDATES, sizeof *sorted, falling);
        const uint64_t c = sc_support_threshold_rate(N, q, sorted, CANDIDATES, alpha);
        CHECK_INT(c, rate_by_definition(N, q, sorted, CANDIDATES, alpha));
        for (size_t v = 0; v < CANDIDATES; v++) {
            listed += counts[v] >= c;
            wrong += counts[v] >= c && v >= HELD;
        }
        share += listed > 0 ? (double)wrong / (double)listed : 0;
        longer += c < sc_support_threshold(N, q, CANDIDATES, alpha);
    }
    CHECK(share / (double)runs < alpha);
    CHECK(longer > 0);
}
