#include "check.h"
#include "microdata/least_squares.h"
#include "trees.h"

#include <math.h>

typedef struct case_numbers {
    double noisy[TREES_NODES], variances[TREES_NODES];
    double values[TREES_NODES], errors[TREES_NODES], dense[TREES_NODES];
} case_numbers;

/* Some nodes are not measured, and some are measured well. */
static void make_numbers(uint64_t *state, const tree_scene *t, case_numbers *n)
{
    for (size_t v = 0; v < t->nodes; v++) {
        n->noisy[v] = (double)(trees_next(state) % 100) - 20;
        n->variances[v] = (double)(trees_next(state) % 50 + 1) / 7;
        if (v < t->shape.inner && trees_next(state) % 4 == 0)
            n->variances[v] = HUGE_VAL;
        n->values[v] = n->noisy[v];
    }
}

static void check_linear(uint64_t *state, const tree_scene *t, const sc_squares *s)
{
    double weights[TREES_NODES], spare[TREES_NODES], want = 0;
    const size_t inner = t->shape.inner;
    for (size_t v = 0; v < t->nodes; v++)
        weights[v] = (double)(trees_next(state) % 7) - 3;
    for (size_t a = inner; a < t->nodes; a++)
        for (size_t b = inner; b < t->nodes; b++)
            want += weights[a] * weights[b] * trees_covariance(a - inner, b - inner);
    CHECK_NEAR(sc_squares_linear(s, weights, spare), want, 1e-9);
}

TEST(least_squares_agree_with_dense_algebra)
{
    CLAIM("least-squares.best");
    CLAIM("least-squares.adds-up");
    uint64_t state = check_seed();
    const uint64_t trees = check_count(40, 400);
    tree_scene t;
    case_numbers n;
    sc_squares s;
    for (uint64_t i = 0; i < trees; i++) {
        trees_random(&state, &t);
        make_numbers(&state, &t, &n);
        REQUIRE_OK(sc_squares_init(&s, &t.shape, n.variances, NULL));
        trees_dense(&t, n.noisy, n.variances, n.dense, n.errors);
        sc_squares_estimate(&s, n.values);
        for (size_t v = 0; v < t.nodes; v++) {
            CHECK(fabs(n.values[v] - n.dense[v]) < 1e-8 * (1 + fabs(n.dense[v])));
            CHECK_NEAR(sc_squares_variance(&s, v), n.errors[v], 1e-9);
        }
        for (size_t v = 0; v < t.shape.inner; v++) {
            double sum = 0;
            for (size_t c = t.child[v]; c < t.child[v + 1]; c++)
                sum += n.values[c];
            CHECK(fabs(sum - n.values[v]) < 1e-9 * (1 + fabs(sum)));
        }
        check_linear(&state, &t, &s);
        sc_squares_clear(&s);
    }
}

/* A known count as the limit of ever better measurements. */
TEST(known_counts_are_the_limit_of_good_measurements)
{
    CLAIM("least-squares.best");
    uint64_t state = check_seed() + 7;
    tree_scene t;
    case_numbers n;
    double known[TREES_NODES];
    sc_squares s;
    for (uint64_t i = 0; i < check_count(40, 200); i++) {
        trees_random(&state, &t);
        make_numbers(&state, &t, &n);
        for (size_t v = 0; v < t.nodes; v++)
            known[v] = n.variances[v];
        REQUIRE(t.nodes > 0);
        const size_t at = trees_next(&state) % t.nodes;
        known[at] = 0;
        n.variances[at] = 1e-8;
        REQUIRE_OK(sc_squares_init(&s, &t.shape, known, NULL));
        trees_dense(&t, n.noisy, n.variances, n.dense, n.errors);
        sc_squares_estimate(&s, n.values);
        CHECK(n.values[at] == n.noisy[at]);
        for (size_t v = 0; v < t.nodes; v++) {
            CHECK(fabs(n.values[v] - n.dense[v]) < 1e-4 * (1 + fabs(n.dense[v])));
            CHECK(fabs(sc_squares_variance(&s, v) - n.errors[v]) < 1e-4);
        }
        sc_squares_clear(&s);
    }
}

TEST(even_trees_need_numbers_of_levels_alone)
{
    CLAIM("least-squares.best");
    static const size_t fanouts[] = {3, 4, 5};
    static const double levels[] = {7, HUGE_VAL, 2.5, 1.25};
    uint64_t state = check_seed();
    tree_scene t;
    double variances[TREES_NODES], one[TREES_NODES], other[TREES_NODES];
    double weights[2][TREES_NODES], spare[TREES_NODES];
    sc_squares even, any;
    trees_even(fanouts, 4, &t);
    REQUIRE_OK(sc_squares_init_even(&even, &t.shape, fanouts, 4, levels, NULL));
    for (size_t v = 0; v < t.nodes; v++) {
        variances[v] = levels[sc_squares_level(&even, v)];
        one[v] = other[v] = (double)(trees_next(&state) % 100);
        weights[0][v] = weights[1][v] = (double)(trees_next(&state) % 5);
    }
    REQUIRE_OK(sc_squares_init(&any, &t.shape, variances, NULL));
    sc_squares_estimate(&even, one);
    sc_squares_estimate(&any, other);
    for (size_t v = 0; v < t.nodes; v++) {
        CHECK_NEAR(one[v], other[v], 1e-12);
        CHECK_NEAR(sc_squares_variance(&even, v), sc_squares_variance(&any, v), 1e-12);
    }
    CHECK_NEAR(sc_squares_linear(&even, weights[0], spare),
               sc_squares_linear(&any, weights[1], spare), 1e-12);
    sc_squares_clear(&even);
    sc_squares_clear(&any);
}

TEST(least_squares_refuse_what_they_cannot_estimate)
{
    tree_scene t;
    double variances[8] = {1, 1, 1, 1, 1, 1, HUGE_VAL, 1};
    sc_squares s;
    scrim_error error;
    trees_example(&t);
    CHECK_STATUS(sc_squares_init(&s, &t.shape, variances, &error), SCRIM_E_PARAM);
    sc_squares_clear(&s);
    variances[6] = -1;
    CHECK_STATUS(sc_squares_init(&s, &t.shape, variances, &error), SCRIM_E_PARAM);
    sc_squares_clear(&s);
    const size_t fanouts[SC_TREE_LEVELS + 1] = {1};
    const double many[SC_TREE_LEVELS + 1] = {1};
    CHECK_STATUS(
        sc_squares_init_even(&s, &t.shape, fanouts, SC_TREE_LEVELS + 1, many, &error),
        SCRIM_E_LIMIT);
    sc_squares_clear(&s);
}
