#include "microdata/range_tree.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "microdata/least_squares.h"
#include "model/option_struct.h"

#include <math.h>
#include <stdio.h>

#define MOST_BRANCHES 1024
#define MOST_BINS ((uint64_t)1 << 27)

typedef struct range_tree {
    size_t fanouts[SC_TREE_LEVELS];
    size_t levels, nodes, inner;
    uint32_t *child;
    size_t first, last; /* nodes of the range */
    bool has_root;
} range_tree;

/* Bins are padded to a complete tree. */
static scrim_status make(const scrim_range_options *o, uint64_t first, uint64_t last,
                         range_tree *t, scrim_error *error)
{
    size_t width = 1, next = 1;
    if (o->branching < 2 || o->branching > MOST_BRANCHES)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "branching",
                                 "must be from 2 to 1024");
    if (o->bins < 1 || o->bins > MOST_BINS || first > last || last >= o->bins)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "bins",
                                 "must be from 1 to 134217728, with the range inside");
    *t = (range_tree){.levels = 1, .nodes = 1, .has_root = !o->leaves_out_root};
    for (; width < o->bins; width *= o->branching) {
        t->inner += width;
        t->fanouts[t->levels++ - 1] = o->branching;
        t->nodes += width * o->branching;
    }
    if (t->inner > 0 && t->nodes > UINT32_MAX)
        return sc_fail(error, SCRIM_E_LIMIT, "the range tree has too many nodes");
    t->child = sc_allocate(t->inner + 1, sizeof *t->child);
    if (t->child == NULL)
        return sc_no_memory(error, "a range tree");
    for (size_t v = 0; v <= t->inner; v++, next += o->branching)
        t->child[v] = (uint32_t)next;
    t->first = t->inner + first;
    t->last = t->inner + last;
    return SCRIM_OK;
}

static scrim_status exact_variance(const range_tree *t, const sc_ratio *variance,
                                   char out[SCRIM_NUMBER_BYTES], scrim_error *error)
{
    const sc_tree_shape shape = {.child = t->child, .inner = t->inner};
    sc_exact_squares squares = {.nodes = 0};
    sc_ratio *numbers = sc_ratios_new(t->nodes);
    SC_OWN(sc_ratio, sum);
    if (numbers == NULL)
        return sc_no_memory(error, "a range tree");
    for (size_t v = 0; v < t->nodes; v++)
        sc_ratio_set(&numbers[v], variance);
    if (!t->has_root && t->inner > 0)
        sc_ratio_set_int64(&numbers[0], -1);
    scrim_status status = sc_exact_squares_init(&squares, &shape, numbers, error);
    for (size_t v = t->inner; v < t->nodes; v++)
        sc_ratio_set_int64(&numbers[v], v >= t->first && v <= t->last);
    if (status == SCRIM_OK)
        status = sc_exact_squares_linear(&squares, numbers, &sum, error);
    if (status == SCRIM_OK &&
        sc_ratio_format(&sum, out, SCRIM_NUMBER_BYTES) >= SCRIM_NUMBER_BYTES)
        status = sc_fail(error, SCRIM_E_LIMIT, "the variance has too many digits");
    sc_exact_squares_clear(&squares);
    sc_ratios_free(numbers, t->nodes);
    return status;
}

static scrim_status near_variance(const range_tree *t, const sc_ratio *variance,
                                  char out[SCRIM_NUMBER_BYTES], scrim_error *error)
{
    const sc_tree_shape shape = {.child = t->child, .inner = t->inner};
    double variances[SC_TREE_LEVELS];
    sc_squares squares = {.levels = 0};
    double *weights = sc_allocate(t->nodes, sizeof *weights);
    double *spare = sc_allocate(t->nodes, sizeof *spare);
    SC_BALL_SCOPE(scope);
    scrim_status status =
        weights == NULL || spare == NULL ? sc_no_memory(error, "a range tree") : SCRIM_OK;
    for (size_t i = 0; i < t->levels; i++)
        variances[i] = i == 0 && !t->has_root ? HUGE_VAL : sc_ball_near(variance);
    if (status == SCRIM_OK)
        status = sc_squares_init_even(&squares, &shape, t->fanouts, t->levels, variances,
                                      error);
    for (size_t v = t->first; status == SCRIM_OK && v <= t->last; v++)
        weights[v] = 1;
    if (status == SCRIM_OK)
        snprintf(out, SCRIM_NUMBER_BYTES, "%.12g",
                 sc_squares_linear(&squares, weights, spare));
    sc_squares_clear(&squares);
    sc_free(weights);
    sc_free(spare);
    return status;
}

scrim_status scrim_range_variance(const scrim_range_options *options, uint64_t first,
                                  uint64_t last, char out[SCRIM_NUMBER_BYTES],
                                  scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    scrim_range_options given;
    range_tree t = {.nodes = 0};
    SC_OWN(sc_ratio, variance);
    scrim_status status =
        sc_option_struct_copy(options, sizeof(size_t), &given, sizeof given, error);
    if (status == SCRIM_OK)
        status = sc_ratio_parse(sc_text_of(given.variance), &variance, error);
    if (status == SCRIM_OK && sc_ratio_sign(&variance) <= 0)
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "variance",
                                   "must be above 0");
    if (status == SCRIM_OK)
        status = make(&given, first, last, &t, error);
    if (status == SCRIM_OK)
        status = t.nodes <= SC_EXACT_NODES ? exact_variance(&t, &variance, out, error)
                                           : near_variance(&t, &variance, out, error);
    sc_free(t.child);
    return status;
}
