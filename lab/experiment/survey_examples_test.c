#include "check.h"
#include "lab/experiment/survey_examples.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double bound(const char *line, const char *name)
{
    lab_linear_bounds bounds;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(lab_linear_bounds_of(line, &bounds, &error), SCRIM_OK)) {
        CHECK_STR(error.message, line);
        return (double)NAN;
    }
    for (size_t i = 0; i < bounds.count; i++)
        if (strcmp(bounds.list[i].name, name) == 0)
            return bounds.list[i].error;
    CHECK_FAIL("%s: no %s", line, name);
    return (double)NAN;
}

/* v:smalldb_accuracy */
TEST(linear_bounds_of_smalldb_are_those_of_the_vectors)
{
    CLAIM("linear-bounds.enough");
    json_t *rows = vectors_load("mechanisms", "smalldb_accuracy"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) >= 3);
    json_array_foreach(rows, index, row)
    {
        char line[200];
        const uint64_t bins = vectors_number(row, "universe");
        const uint64_t queries = vectors_number(row, "queries");
        const uint64_t people = vectors_number(row, "n");
        const double epsilon = strtod(vectors_text(row, "epsilon"), NULL);
        const double beta = strtod(vectors_text(row, "beta"), NULL);
        const double root = strtod(vectors_text(row, "alpha_root"), NULL);
        CHECK_NEAR(lab_linear_multisets(bins, vectors_number(row, "m")),
                   strtod(vectors_text(row, "ln_multisets"), NULL), 1e-12);
        const double found = lab_linear_cube_root(queries, bins, people, epsilon, beta);
        CHECK(found >= root);
        CHECK_NEAR(found, root, 1e-9);
        snprintf(line, sizeof line,
                 "queries=%llu bins=%llu people=%llu epsilon=%g confidence=%g",
                 (unsigned long long)queries, (unsigned long long)bins,
                 (unsigned long long)people, epsilon, 1 - beta);
        /* with fewer rows and the best alpha it is smaller than with the survey's */
        CHECK(bound(line, "smalldb") <
              1.001 * (double)people *
                  strtod(vectors_text(row, "error_bound_exact_count"), NULL));
        CHECK_NEAR(bound(line, "cube-root"), root * (double)people, 1e-9);
    }
}

/* spec/papers-additions.md 6: the radii of 10 and of 1000 answers at once. */
TEST(linear_bounds_of_laplace_noise_are_radii_at_once)
{
    CLAIM("linear-bounds.enough");
    CHECK_INT((int64_t)bound("queries=10 bins=2 people=9 epsilon=10", "laplace"), 5);
    CHECK_INT((int64_t)bound("queries=1000 bins=2 people=9 epsilon=500", "laplace"), 20);
    CHECK_INT((int64_t)bound("queries=1 bins=2 people=9 epsilon=1", "laplace"), 3);
}

/* One count: the limit is where e^((2a+1) epsilon) reaches (1-beta)/beta, and Laplace noise is never
 * below it. */
SLOW_TEST(linear_limits_are_never_above_what_is_enough)
{
    CLAIM("linear-bounds.limit");
    static const char *const epsilons[] = {"0.01", "0.1", "1/3", "1", "3"};
    static const char *const deltas[] = {"0", "1e-6", "0.01"};
    for (size_t i = 0; i < COUNT(epsilons); i++)
        for (size_t k = 0; k < COUNT(deltas); k++) {
            char line[200];
            snprintf(line, sizeof line,
                     "queries=1 bins=2 people=100000 epsilon=%s delta=%s", epsilons[i],
                     deltas[k]);
            const double limit = bound(line, "one count");
            CHECK(limit <= bound(line, "laplace"));
            CHECK(limit <= bound(line, "nothing"));
            snprintf(line, sizeof line,
                     "queries=4096 bins=64 people=100000 epsilon=%s delta=%s",
                     epsilons[i], deltas[k]);
            CHECK(bound(line, "packing") <= bound(line, "laplace"));
            CHECK(bound(line, "rebuild") <= bound(line, "smalldb"));
        }
    /* (1-beta)/beta = 19, ln 19 = 2.944: at epsilon 1/10 2a + 1 >= 29.4 */
    CHECK_INT((int64_t)bound("queries=1 bins=2 people=1000 epsilon=1/10", "one count"),
              15);
    /* ln(64 * 0.95)/0.1 = 41.08 */
    CHECK_INT((int64_t)bound("queries=64 bins=64 people=1000 epsilon=1/10", "packing"),
              21);
    /* 30 people, wrong with 1/(1+e^0.1) - 0.05 = 0.42502: 30 * 0.42502 / 4 = 3.19 */
    CHECK_INT(
        (int64_t)bound("queries=1073741824 bins=64 people=1000 epsilon=1/10", "rebuild"),
        4);
}

TEST(linear_bounds_refuse_what_is_no_question)
{
    CLAIM("linear-bounds.limit");
    lab_linear_bounds bounds;
    static const char *const lines[] = {
        "queries=0 bins=2 people=9 epsilon=1",
        "queries=1 bins=1 people=9 epsilon=1",
        "queries=1 bins=2 epsilon=1",
        "queries=1 bins=2 people=9 epsilon=0",
        "queries=1 bins=2 people=9 epsilon=1 confidence=1/2",
        "queries=1 bins=2 people=9 epsilon=1 delta=1"};
    for (size_t i = 0; i < COUNT(lines); i++)
        CHECK_STATUS(lab_linear_bounds_of(lines[i], &bounds, NULL), SCRIM_E_PARAM);
}

/* The survey's revenues, and weights by hand: exp(epsilon revenue / largest price). */
TEST(pricing_is_the_survey_s_sale)
{
    CLAIM("pricing.exact");
    static const double want[11] = {1.5, 3, 2.02, 1.5, 2, 2.5, 3, 3.01, 0, 0, 0};
    lab_pricing p;
    REQUIRE_OK(lab_pricing_of("", "1", "0.95", &p, NULL));
    CHECK_INT(p.buyers[1], 3);
    CHECK_INT(p.buyers[2], 2);
    CHECK_INT(p.buyers[7], 1);
    CHECK_INT(p.buyers[8], 0);
    for (size_t c = 0; c < LAB_PRICING_CROWDS; c++) {
        const lab_pricing_crowd *crowd = &p.crowd[c];
        const double times = (double)crowd->buyers / 3;
        double total = 0, expected = 0, chances = 0;
        for (size_t i = 0; i < p.prices; i++) {
            CHECK_NEAR(p.revenue[i], want[i], 1e-12);
            total += exp(times * (want[i] - 3.01) / 4);
        }
        for (size_t i = 0; i < p.prices; i++) {
            const double weight = exp(times * (want[i] - 3.01) / 4) / total;
            CHECK(fabs(crowd->chance[i] - weight) <= 1e-9 * weight + 1e-300);
            CHECK(crowd->chance[i] == 0 || crowd->chance[i] >= 1e-300);
            expected += weight * want[i] * times;
            chances += crowd->chance[i];
        }
        CHECK_NEAR(chances, 1, 1e-12);
        CHECK_NEAR(crowd->expected, expected, 1e-9);
        CHECK_NEAR(crowd->best, 3.01 * times, 1e-12);
    }
    CHECK(p.crowd[3].expected > 0.99 * p.crowd[3].best);
    CHECK(p.overstep > 0.49 && p.overstep < 0.5);
}

/* Two buyers and three prices: revenues 4, 5 and 0, of which a price of 7 is the sensitivity. */
TEST(pricing_of_one_s_own_buyers)
{
    CLAIM("pricing.exact");
    lab_pricing p;
    REQUIRE_OK(lab_pricing_of("prices=2,5,7 valuations=2.5,5", "2", "0.9", &p, NULL));
    CHECK_INT(p.prices, 3);
    CHECK_INT(p.valuations, 2);
    CHECK_NEAR(p.revenue[0], 4, 1e-12);
    CHECK_NEAR(p.revenue[1], 5, 1e-12);
    CHECK_NEAR(p.revenue[2], 0, 1e-12);
    const double weights[] = {exp(2 * 4 / 7.0), exp(2 * 5 / 7.0), 1};
    const double total = weights[0] + weights[1] + weights[2];
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(p.crowd[0].chance[i], weights[i] / total, 1e-12);
    CHECK_NEAR(p.crowd[0].nothing, 1 / total, 1e-12);
    CHECK_INT(p.crowd[3].buyers, 2000);
}

/* Theorem 4.5, with one best price: (ln(11) + ln(20)) 4/epsilon at most is lost. */
TEST(pricing_loses_no_more_than_the_theorem_says)
{
    CLAIM("pricing.loss");
    static const char *const epsilons[] = {"0.01", "0.1", "1", "10"};
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        lab_pricing p;
        REQUIRE_OK(lab_pricing_of("", epsilons[i], "0.95", &p, NULL));
        for (size_t c = 0; c < LAB_PRICING_CROWDS; c++) {
            CHECK_NEAR(p.crowd[c].loss_bound,
                       (log(11) + log(20)) * 4 / strtod(epsilons[i], NULL), 1e-9);
            CHECK(p.crowd[c].loss <= p.crowd[c].loss_bound);
        }
    }
}

TEST(pricing_refuses_what_is_no_cost)
{
    CLAIM("pricing.exact");
    lab_pricing p;
    CHECK_STATUS(lab_pricing_of("", "0", "0.95", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_pricing_of("", "x", "0.95", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_pricing_of("", "1", "1", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_pricing_of("prices=1,x", "1", "0.95", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_pricing_of("prices=1", "1", "0.95", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_pricing_of("prices=0,0", "1", "0.95", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_pricing_of("prices=1,1.005", "1", "0.95", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_pricing_of("valuations=-1,2", "1", "0.95", &p, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_pricing_of("buyers=1", "1", "0.95", &p, NULL), SCRIM_E_PARAM);
}
