#include "audit/bounds.h"
#include "check.h"
#include "local/texts/support_threshold.h"
#include "text_scene.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>

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

/* Of 200 candidates a tenth is held: the list is longer than Bonferroni's, and the expected share of false
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
