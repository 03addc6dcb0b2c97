#include "base/number/ball_double.h"
#include "check.h"
#include "mechanism/microdata/projection.h"
#include "microdata/least_squares.h"
#include "trees.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void parse(const char *text, sc_ratio *out)
{
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), out, NULL), SCRIM_OK);
}

static void check_text(const sc_ratio *got, const char *want)
{
    SC_OWN(sc_ratio, number);
    REQUIRE(want != NULL);
    parse(want, &number);
    CHECK_INT(sc_ratio_compare(got, &number), 0);
}

/* The estimates in rationals, from the variances under test. */

static void sum_children(const sc_exact_squares *s, size_t v, const sc_ratio *values,
                         sc_ratio *out)
{
    sc_ratio_set_int64(out, 0);
    for (size_t c = s->shape.child[v]; c < s->shape.child[v + 1]; c++)
        sc_ratio_add(out, out, &values[c]);
}

static void pass_up(const sc_exact_squares *s, size_t v, sc_ratio *values)
{
    SC_OWN(sc_ratio, sum, own, weight);
    sum_children(s, v, values, &sum);
    sc_ratio_add(&weight, &s->measured[v], &s->below[v]);
    if (sc_ratio_sign(&s->measured[v]) < 0) {
        sc_ratio_set(&values[v], &sum);
    } else if (sc_ratio_sign(&weight) > 0) {
        sc_ratio_mul(&own, &values[v], &s->below[v]);
        sc_ratio_mul(&sum, &sum, &s->measured[v]);
        sc_ratio_add(&sum, &sum, &own);
        sc_ratio_div(&values[v], &sum, &weight);
    }
}

static void pass_down(const sc_exact_squares *s, size_t v, sc_ratio *values)
{
    SC_OWN(sc_ratio, rest, part);
    sum_children(s, v, values, &rest);
    sc_ratio_sub(&rest, &values[v], &rest);
    if (sc_ratio_sign(&s->below[v]) == 0)
        return;
    sc_ratio_div(&rest, &rest, &s->below[v]);
    for (size_t c = s->shape.child[v]; c < s->shape.child[v + 1]; c++) {
        sc_ratio_mul(&part, &s->up[c], &rest);
        sc_ratio_add(&values[c], &values[c], &part);
    }
}

static void estimate(const sc_exact_squares *s, sc_ratio *values)
{
    for (size_t v = s->shape.inner; v-- > 0;)
        pass_up(s, v, values);
    for (size_t v = 0; v < s->shape.inner; v++)
        pass_down(s, v, values);
}

/* The estimates in doubles are those of the vector too. */
static void check_doubles(const json_t *row, const sc_tree_shape *shape,
                          const sc_ratio *variances)
{
    double numbers[8], values[8];
    sc_squares s;
    SC_BALL_SCOPE(scope);
    for (size_t v = 0; v < 8; v++) {
        numbers[v] = sc_ball_near(&variances[v]);
        values[v] =
            (double)json_integer_value(trees_member(json_object_get(row, "noisy"), v));
    }
    CHECK_STATUS(sc_squares_init(&s, shape, numbers, NULL), SCRIM_OK);
    sc_squares_estimate(&s, values);
    for (size_t v = 0; v < 8; v++) {
        SC_OWN(sc_ratio, want);
        parse(json_string_value(trees_member(json_object_get(row, "estimate"), v)),
              &want);
        CHECK_NEAR(values[v], sc_ball_near(&want), 1e-13);
    }
    sc_squares_clear(&s);
}

static size_t level_of(size_t node)
{
    return node == 0 ? 0 : node < 3 ? 1 : 2;
}

static void check_numbers(const json_t *object, const char *name, const sc_ratio *got)
{
    const json_t *list = json_object_get(object, name);
    for (size_t v = 0; list != NULL && v < 8; v++)
        check_text(&got[v], json_string_value(trees_member(list, v)));
}

/* The estimates of a vector, from the same noisy counts. */
static void check_case(const json_t *row, const char *const levels[3])
{
    tree_scene t;
    sc_exact_squares s;
    sc_ratio *variances = sc_ratios_new(8), *values = sc_ratios_new(8);
    trees_example(&t);
    for (size_t v = 0; v < 8; v++) {
        parse(levels[level_of(v)], &variances[v]);
        sc_ratio_set_int64(&values[v], json_integer_value(trees_member(
                                           json_object_get(row, "noisy"), v)));
    }
    CHECK_STATUS(sc_exact_squares_init(&s, &t.shape, variances, NULL), SCRIM_OK);
    estimate(&s, values);
    check_numbers(row, "estimate", values);
    check_doubles(row, &t.shape, variances);
    check_numbers(row, "up_variance", s.up);
    check_numbers(row, "variance", s.final);
    sc_exact_squares_clear(&s);
    sc_ratios_free(variances, 8);
    sc_ratios_free(values, 8);
}

TEST(exact_squares_agree_with_the_vectors)
{
    CLAIM("exact-squares.equal");
    const json_t *levels = vectors_load("synthetic", "gls_levels");
    const json_t *equal = vectors_load("microdata", "gls_example");
    REQUIRE(levels != NULL && equal != NULL);
    check_case(levels, (const char *const[]){"3", "2", "1"});
    check_case(equal, (const char *const[]){"1", "1", "1"});
}

/* The weights that a vector calls "3+4", "3-6", "node 1", "root", "leaf 3" or "3/2*4-7". */
static const char *const functions[][6] = {
    {"leaf 3", "1", "0", "0", "0", "0"},    {"3+4", "1", "1", "0", "0", "0"},
    {"4+6", "0", "1", "0", "1", "0"},       {"3-6", "1", "0", "0", "-1", "0"},
    {"node 1", "1", "1", "1", "0", "0"},    {"root", "1", "1", "1", "1", "1"},
    {"3/2*4-7", "0", "3/2", "0", "0", "-1"}};

TEST(variances_of_linear_functions_agree_with_the_vectors)
{
    CLAIM("exact-squares.equal");
    const json_t *list =
        json_object_get(vectors_load("synthetic", "gls_levels"), "linear");
    static const char *const levels[] = {"3", "2", "1"};
    tree_scene t;
    sc_exact_squares s;
    sc_ratio *numbers = sc_ratios_new(8);
    SC_OWN(sc_ratio, variance);
    trees_example(&t);
    for (size_t v = 0; v < 8; v++)
        parse(levels[level_of(v)], &numbers[v]);
    REQUIRE_OK(sc_exact_squares_init(&s, &t.shape, numbers, NULL));
    CHECK_INT(json_array_size(list), COUNT(functions));
    for (size_t i = 0; i < COUNT(functions); i++) {
        const json_t *row = json_array_get(list, i);
        CHECK_STR(vectors_text(row, "function"), functions[i][0]);
        for (size_t v = 3; v < 8; v++)
            parse(functions[i][v - 2], &numbers[v]);
        REQUIRE_OK(sc_exact_squares_linear(&s, numbers, &variance, NULL));
        check_text(&variance, vectors_text(row, "variance"));
    }
    sc_exact_squares_clear(&s);
    sc_ratios_free(numbers, 8);
}

/* Known and unmeasured nodes: the sum of c^2 V over all noises, c by single impulses, is U. */
static void check_by_impulses(uint64_t *state, const tree_scene *t)
{
    sc_exact_squares s;
    sc_ratio *variances = sc_ratios_new(t->nodes), *values = sc_ratios_new(t->nodes);
    sc_ratio *sums = sc_ratios_new(t->nodes);
    SC_OWN(sc_ratio, part);
    for (size_t v = 0; v < t->nodes; v++) {
        const uint64_t kind = trees_next(state) % 6;
        sc_ratio_set_int64(&variances[v], kind == 0 ? 0
                                          : kind == 1 && v < t->shape.inner
                                              ? -1
                                              : (int64_t)kind);
    }
    CHECK_STATUS(sc_exact_squares_init(&s, &t->shape, variances, NULL), SCRIM_OK);
    for (size_t u = 0; u < t->nodes; u++) {
        if (sc_ratio_sign(&variances[u]) <= 0)
            continue;
        for (size_t v = 0; v < t->nodes; v++)
            sc_ratio_set_int64(&values[v], u == v);
        estimate(&s, values);
        for (size_t v = 0; v < t->nodes; v++) {
            sc_ratio_mul(&part, &values[v], &values[v]);
            sc_ratio_mul(&part, &part, &variances[u]);
            sc_ratio_add(&sums[v], &sums[v], &part);
        }
    }
    for (size_t v = 0; v < t->nodes; v++)
        CHECK_INT(sc_ratio_compare(&sums[v], &s.final[v]), 0);
    sc_exact_squares_clear(&s);
    sc_ratios_free(variances, t->nodes);
    sc_ratios_free(values, t->nodes);
    sc_ratios_free(sums, t->nodes);
}

TEST(exact_variances_are_sums_over_all_noises)
{
    CLAIM("exact-squares.equal");
    uint64_t state = check_seed();
    tree_scene t;
    for (uint64_t i = 0; i < check_count(4, 40); i++) {
        do
            trees_random(&state, &t);
        while (t.nodes > 40);
        check_by_impulses(&state, &t);
    }
}

TEST(exact_squares_refuse_large_trees_and_unmeasured_leaves)
{
    tree_scene t;
    sc_exact_squares s;
    sc_ratio *variances = sc_ratios_new(8);
    scrim_error error;
    trees_example(&t);
    sc_ratio_set_int64(&variances[7], -1);
    CHECK_STATUS(sc_exact_squares_init(&s, &t.shape, variances, &error), SCRIM_E_PARAM);
    sc_exact_squares_clear(&s);
    const uint32_t wide[] = {1, SC_EXACT_NODES + 1};
    CHECK_STATUS(sc_exact_squares_init(&s, &(sc_tree_shape){.child = wide, .inner = 1},
                                       variances, &error),
                 SCRIM_E_LIMIT);
    sc_exact_squares_clear(&s);
    sc_ratios_free(variances, 8);
}

static void check_row(const json_t *row)
{
    const json_t *list = json_object_get(row, "fanouts");
    const size_t levels = json_array_size(list) + 1;
    const double rate = atof(vectors_text(row, "eps")) / (double)levels;
    size_t fanouts[16];
    sc_level_noise noise[16];
    double bounds[16];
    REQUIRE(levels <= COUNT(noise));
    for (size_t i = 0; i < levels; i++) {
        noise[i] = (sc_level_noise){SC_TREE_LAPLACE, rate};
        if (i + 1 < levels)
            fanouts[i] = (size_t)json_integer_value(json_array_get(list, i));
    }
    sc_error_bounds(noise, fanouts, levels, bounds);
    CHECK_NEAR(bounds[levels - 1], atof(vectors_text(row, "leaf_rms_bound")), 1e-12);
    CHECK_NEAR(bounds[0] * bounds[0], atof(vectors_text(row, "root_mse")), 1e-12);
}

TEST(error_bounds_agree_with_the_vectors)
{
    CLAIM("error-bound.level");
    const json_t *rows = vectors_load("microdata", "hierarchy_rms_bound"), *row;
    size_t i;
    CHECK_INT(json_array_size(rows), 4);
    json_array_foreach(rows, i, row) check_row(row);
    CHECK_NEAR(sc_level_variance(&(sc_level_noise){SC_TREE_GAUSSIAN, 9}), 9, 0);
    CHECK_NEAR(sc_level_variance(&(sc_level_noise){SC_TREE_LAPLACE, log(2)}), 4, 1e-12);
}

/* The noise of one node, from a test's own coins. */
static int64_t draw(uint64_t *state, const sc_level_noise *noise)
{
    const double a = (double)(trees_next(state) + 1) * 0x1p-31;
    const double b = (double)(trees_next(state) + 1) * 0x1p-31;
    if (noise->kind == SC_TREE_LAPLACE)
        return (int64_t)(floor(-log(a) / noise->amount) - floor(-log(b) / noise->amount));
    return (int64_t)nearbyint(sqrt(-2 * noise->amount * log(a)) * cos(2 * M_PI * b));
}

/* The root has three children, and these have five, one and two. */
static void make_uneven(tree_scene *t)
{
    static const uint32_t child[] = {1, 4, 9, 10, 12};
    *t = (tree_scene){.nodes = 12};
    memcpy(t->child, child, sizeof child);
    t->shape = (sc_tree_shape){.child = t->child, .inner = 4};
}

/* Mean squares over runs, in a tree of empty and of full leaves. */
static void check_errors(uint64_t *state, const sc_level_noise *noise, bool is_even)
{
    static const size_t fanouts[] = {3, 5};
    tree_scene t;
    int64_t truth[TREES_NODES], values[TREES_NODES];
    double bounds[3], squares[TREES_NODES] = {0};
    const uint64_t runs = check_count(300, 20000);
    if (is_even)
        trees_even(fanouts, 3, &t);
    else
        make_uneven(&t);
    for (size_t v = t.nodes; v-- > 0;) {
        truth[v] = v < t.shape.inner ? 0 : v % 2 == 0 ? 0 : (int64_t)(10 * v);
        for (size_t c = v < t.shape.inner ? t.child[v] : 1;
             v < t.shape.inner && c < t.child[v + 1]; c++)
            truth[v] += truth[c];
    }
    sc_error_bounds(noise, fanouts, 3, bounds);
    for (uint64_t i = 0; i < runs; i++) {
        for (size_t v = 0; v < t.nodes; v++)
            values[v] = truth[v] + draw(state, &noise[v == 0 ? 0 : v < 4 ? 1 : 2]);
        sc_top_down(&t.shape, NULL, values);
        for (size_t v = 0; v < t.nodes; v++) {
            const double error = (double)(values[v] - truth[v]);
            squares[v] += error * error / (double)runs;
        }
    }
    /* The root attains its bound: four deviations of a mean of squares of Laplace noise. */
    const double slack = 1 + 5 / sqrt((double)runs);
    for (size_t v = 0; v < t.nodes; v++)
        CHECK(sqrt(squares[v]) <= slack * bounds[v == 0 ? 0 : v < 4 ? 1 : 2]);
}

TEST(errors_stay_below_their_bounds)
{
    CLAIM("error-bound.level");
    uint64_t state = check_seed();
    const sc_level_noise laplace[] = {
        {SC_TREE_LAPLACE, 0.5}, {SC_TREE_LAPLACE, 0.25}, {SC_TREE_LAPLACE, 0.1}};
    const sc_level_noise gaussian[] = {
        {SC_TREE_GAUSSIAN, 9}, {SC_TREE_GAUSSIAN, 25}, {SC_TREE_GAUSSIAN, 100}};
    for (int is_even = 0; is_even < 2; is_even++) {
        check_errors(&state, laplace, is_even == 1);
        check_errors(&state, gaussian, is_even == 1);
    }
}
