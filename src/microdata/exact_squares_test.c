#include "base/number/ball_double.h"
#include "check.h"
#include "microdata/exact_squares.h"
#include "microdata/least_squares.h"
#include "trees.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

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
