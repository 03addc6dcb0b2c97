#include "check.h"
#include "microdata/tree_tables.h"
#include "trees.h"
#include "vectors.h"

#include <math.h>

/* A parent and eight children, as the vector has them. */
typedef struct coverage_scene {
    uint32_t child[2];
    size_t starts[3];
    sc_squares squares;
    sc_level_noise noise[2];
    int64_t truth[9];
} coverage_scene;

static void open_scene(coverage_scene *c, const json_t *row)
{
    static const size_t fanouts[] = {8};
    const double variance = (double)vectors_number(row, "sigma2");
    *c = (coverage_scene){
        .child = {1, 9},
        .starts = {0, 1, 9},
        .noise = {{SC_TREE_GAUSSIAN, variance}, {SC_TREE_GAUSSIAN, variance}}};
    const sc_tree_shape shape = {.child = c->child, .inner = 1};
    CHECK_STATUS(sc_squares_init_even(&c->squares, &shape, fanouts, 2,
                                      (const double[]){variance, variance}, NULL),
                 SCRIM_OK);
    for (size_t v = 1; v < 9; v++) {
        c->truth[v] =
            json_integer_value(json_array_get(json_object_get(row, "truth"), v - 1));
        c->truth[0] += c->truth[v];
    }
}

/* A release of the scene by a test's own coins, and its intervals. */
static void release(coverage_scene *c, uint64_t *state, uint64_t run, int64_t *low,
                    int64_t *high)
{
    double values[9];
    int64_t counts[9];
    for (size_t v = 0; v < 9; v++) {
        const double a = (double)(trees_next(state) + 1) * 0x1p-31;
        const double b = (double)(trees_next(state) + 1) * 0x1p-31;
        values[v] = (double)c->truth[v] +
                    nearbyint(sqrt(-2 * c->noise[0].amount * log(a)) * cos(2 * M_PI * b));
    }
    sc_squares_estimate(&c->squares, values);
    for (size_t v = 0; v < 9; v++)
        counts[v] = sc_nearest_count(values[v]);
    sc_top_down(&c->squares.shape, NULL, counts);
    const sc_simulation simulation = {.squares = &c->squares,
                                      .noise = c->noise,
                                      .starts = c->starts,
                                      .levels = 2,
                                      .key = {run, 1},
                                      .runs = 300,
                                      .confidence = 0.95};
    CHECK_STATUS(sc_simulate(&simulation, counts, low, high, NULL), SCRIM_OK);
}

/* Simulated intervals fail for small positive counts as often as the specification warns. */
SLOW_TEST(simulated_intervals_cover_as_the_vectors_say)
{
    CLAIM("simulated.public");
    const json_t *row = vectors_load("synthetic", "simulated_interval_coverage");
    uint64_t state = check_seed();
    const uint64_t runs = check_count_whole(400, 10000);
    coverage_scene c;
    double held[9] = {0};
    REQUIRE(row != NULL);
    open_scene(&c, row);
    for (uint64_t i = 0; i < runs; i++) {
        int64_t low[9], high[9];
        release(&c, &state, i, low, high);
        for (size_t v = 1; v < 9; v++)
            held[v] += (low[v] <= c.truth[v] && c.truth[v] <= high[v]) / (double)runs;
    }
    for (size_t v = 1; v < 9; v++) {
        const double want = atof(
            json_string_value(json_array_get(json_object_get(row, "coverage"), v - 1)));
        /* Five deviations of both counts, and the choice of the quantile. */
        const double slack =
            5 * sqrt(want * (1 - want) * (1 / 2000.0 + 1 / (double)runs));
        if (fabs(held[v] - want) > slack + 0.01)
            CHECK_FAIL("child %zu: %.3f, and not %.3f", v, held[v], want);
    }
    sc_squares_clear(&c.squares);
}

TEST(simulations_repeat_and_refuse_large_trees)
{
    CLAIM("simulated.public");
    const json_t *row = vectors_load("synthetic", "simulated_interval_coverage");
    coverage_scene c;
    int64_t low[2][9], high[2][9];
    scrim_error error;
    REQUIRE(row != NULL);
    open_scene(&c, row);
    for (size_t i = 0; i < 2; i++) {
        uint64_t state = 3;
        release(&c, &state, 9, low[i], high[i]);
    }
    CHECK_BYTES(low[0], low[1], sizeof *low);
    CHECK_BYTES(high[0], high[1], sizeof *high);
    const sc_simulation large = {
        .squares = &c.squares, .starts = c.starts, .levels = 2, .runs = SIZE_MAX / 2};
    CHECK_STATUS(sc_simulate(&large, c.truth, low[0], high[0], &error), SCRIM_E_LIMIT);
    CHECK_INT(sc_nearest_count(2.5), 2);
    CHECK_INT(sc_nearest_count(-3.5), -4);
    CHECK_INT(sc_nearest_count(1e300), SC_PROJECTION_VALUE);
    CHECK_INT(sc_nearest_count(-1e300), -SC_PROJECTION_VALUE);
    sc_squares_clear(&c.squares);
}
