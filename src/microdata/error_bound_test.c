#include "check.h"
#include "mechanism/microdata/projection.h"
#include "microdata/error_bound.h"
#include "trees.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

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
