#include "check.h"
#include "query/estimate/consistent.h"
#include "sampling/discrete_gaussian.h"
#include "sampling/discrete_laplace.h"

#include <math.h>

enum { NODES = 40 };
#define LARGE 1000000000

/* A tree of up to three levels, of 1 and of parts[i] nodes below each. */
typedef struct tree {
    sc_consistent_level levels[3];
    sc_ratio values[3][NODES];
    size_t parents[3][NODES];
    sc_law laws[3];
    size_t count;
} tree;

static void begin(tree *t, size_t count, const size_t *parts,
                  const sc_law_functions *functions, const int64_t *shapes)
{
    size_t nodes = 1;
    *t = (tree){.count = count};
    for (size_t i = 0; i < count; i++) {
        SC_OWN(sc_ratio, shape);
        nodes *= i == 0 ? 1 : parts[i - 1];
        sc_ratio_set_int64(&shape, shapes[i]);
        sc_law_init(&t->laws[i], functions, &shape, 0);
        for (size_t k = 0; k < nodes; k++) {
            sc_ratio_init(&t->values[i][k]);
            t->parents[i][k] = i == 0 ? 0 : k % (nodes / parts[i - 1]);
        }
        t->levels[i] = (sc_consistent_level){.count = nodes,
                                             .parents = i == 0 ? NULL : t->parents[i],
                                             .values = t->values[i],
                                             .laws = {&t->laws[i]},
                                             .weights = {1},
                                             .noises = 1};
    }
}

static void end(tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        for (size_t k = 0; k < t->levels[i].count; k++)
            sc_ratio_clear(&t->values[i][k]);
        sc_law_clear(&t->laws[i]);
    }
}

static bool make(tree *t)
{
    SC_OWN(sc_ratio, beta);
    sc_ratio_set_quotient(&beta, 1, 20);
    return CHECK_STATUS(sc_consistent_make(t->levels, t->count, &beta, NULL), SCRIM_OK);
}

static void check_adds_up(const tree *t)
{
    for (size_t i = 0; i + 1 < t->count; i++)
        for (size_t k = 0; k < t->levels[i].count; k++) {
            SC_OWN(sc_ratio, sum);
            for (size_t p = 0; p < t->levels[i + 1].count; p++)
                if (t->parents[i + 1][p] == k)
                    sc_ratio_add(&sum, &sum, &t->values[i + 1][p]);
            CHECK(sc_ratio_compare(&sum, &t->values[i][k]) == 0);
        }
}

TEST(consistent_parts_add_up_to_their_totals)
{
    CLAIM("consistent.adds-up");
    static const size_t parts[] = {3, 4};
    static const int64_t shapes[] = {7, 11, 2};
    for (int64_t seed = 1; seed <= 20; seed++) {
        tree t;
        int64_t state = seed;
        begin(&t, 3, parts, &sc_discrete_laplace_law, shapes);
        for (size_t i = 0; i < t.count; i++)
            for (size_t k = 0; k < t.levels[i].count; k++) {
                state = (state * 48271) % 2147483647;
                sc_ratio_set_int64(&t.values[i][k], state % 200 - 100);
            }
        if (make(&t))
            check_adds_up(&t);
        end(&t);
    }
}

TEST(consistent_numbers_stay_as_they_are)
{
    CLAIM("consistent.adds-up");
    static const size_t parts[] = {2, 5};
    static const int64_t shapes[] = {3, 8, 20};
    tree t;
    begin(&t, 3, parts, &sc_discrete_laplace_law, shapes);
    for (size_t k = 0; k < 10; k++) {
        SC_OWN(sc_ratio, own);
        sc_ratio_set_int64(&own, (int64_t)(k * k) - 20);
        sc_ratio_set(&t.values[2][k], &own);
        sc_ratio_add(&t.values[1][k % 2], &t.values[1][k % 2], &own);
        sc_ratio_add(&t.values[0][0], &t.values[0][0], &own);
    }
    const bool is_made = make(&t);
    for (size_t k = 0; is_made && k < 10; k++)
        CHECK(sc_ratio_compare_int64(&t.values[2][k], (int64_t)(k * k) - 20) == 0);
    CHECK(sc_ratio_compare_int64(&t.values[0][0], 285 - 200) == 0);
    end(&t);
}

/* The weight of each drawn number in a node, by drawing a large number there and 0 elsewhere. */
static double variance_by_impulses(const size_t *parts, const int64_t *shapes,
                                   size_t level, size_t node, double *sizes)
{
    double variance = 0;
    size_t nodes = 1;
    *sizes = 0;
    for (size_t i = 0; i < 3; i++) {
        nodes *= i == 0 ? 1 : parts[i - 1];
        for (size_t k = 0; k < nodes; k++) {
            tree t;
            begin(&t, 3, parts, &sc_discrete_gaussian_law, shapes);
            sc_ratio_set_int64(&t.values[i][k], LARGE);
            if (make(&t)) {
                const double weight = sc_ratio_upper(&t.values[level][node]) / LARGE;
                variance += weight * weight * (double)shapes[i];
                *sizes += fabs(weight);
            }
            end(&t);
        }
    }
    return variance;
}

/* Three levels with unlike noise: the interval has the variance that the weights of all numbers give, and least squares
 * have less than the number itself. */
TEST(consistent_intervals_are_those_of_all_weights)
{
    CLAIM("consistent.weights");
    static const size_t parts[] = {3, 2};
    static const int64_t shapes[] = {4000000, 1000000, 9000000};
    tree t;
    begin(&t, 3, parts, &sc_discrete_gaussian_law, shapes);
    if (make(&t))
        for (size_t i = 0; i < 3; i++) {
            double sizes;
            const double variance = variance_by_impulses(parts, shapes, i, 0, &sizes),
                         half = 1.959964 * sqrt(variance);
            CHECK((double)t.levels[i].half >= half * (1 - 1e-6));
            CHECK((double)t.levels[i].half <= half + sizes + 2);
            CHECK(variance < (double)shapes[i]);
        }
    end(&t);
}

/* The closed forms of two levels (query-semantics.md 8.1). */
TEST(consistent_totals_of_two_levels_have_the_closed_forms)
{
    CLAIM("consistent.weights");
    static const size_t parts[] = {5};
    static const int64_t shapes[] = {3000000, 2000000};
    const double p = 3e6, c = 2e6, k = 5;
    tree t;
    begin(&t, 2, parts, &sc_discrete_gaussian_law, shapes);
    sc_ratio_set_int64(&t.values[0][0], LARGE);
    if (make(&t)) {
        const double weight = (1 / p) / (1 / p + 1 / (k * c));
        CHECK(fabs(sc_ratio_upper(&t.values[0][0]) / LARGE - weight) < 1e-4);
        CHECK(fabs(sc_ratio_upper(&t.values[1][0]) / LARGE - weight / k) < 1e-4);
        CHECK(fabs((double)t.levels[0].half - 1.959964 / sqrt(1 / p + 1 / (k * c))) < 4);
        CHECK(fabs((double)t.levels[1].half - 1.959964 * sqrt(c - c * c / (k * c + p))) <
              4);
    }
    end(&t);
}

/* Noises of one scale are the same sum whether they are listed or counted. */
TEST(noises_may_be_counted)
{
    CLAIM("noise-series.upper");
    double scales[12], twice[2] = {5, 0.7}, times[2] = {1, 11};
    for (size_t i = 0; i < COUNT(scales); i++)
        scales[i] = i == 0 ? 5 : 0.7;
    for (double s = 1; s < 60; s *= 1.5) {
        const double listed = sc_noise_series_tail_upper(scales, NULL, COUNT(scales), s),
                     counted = sc_noise_series_tail_upper(twice, times, 2, s);
        CHECK(fabs(listed - counted) <= 1e-9);
    }
    /* Many of a small scale are near a normal law, and are not made large one by one. */
    const double many[2] = {1, 0.001}, most[2] = {1, 1000000};
    const double tail = sc_noise_series_tail_upper(many, most, 2, 4);
    CHECK(tail > 0.048 && tail < 0.051);
}

TEST(trees_that_are_not_even_are_refused)
{
    static const size_t parts[] = {3};
    static const int64_t shapes[] = {3, 2};
    SC_OWN(sc_ratio, beta);
    sc_ratio_set_quotient(&beta, 1, 20);
    tree t;
    begin(&t, 2, parts, &sc_discrete_laplace_law, shapes);
    t.levels[1].count = 2;
    t.levels[0].count = 1;
    CHECK_STATUS(sc_consistent_make(t.levels, 2, &beta, NULL), SCRIM_OK);
    t.parents[1][0] = 1;
    CHECK_STATUS(sc_consistent_make(t.levels, 2, &beta, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_consistent_make(t.levels, 0, &beta, NULL), SCRIM_E_PARAM);
    t.levels[1].count = 3;
    end(&t);
}
