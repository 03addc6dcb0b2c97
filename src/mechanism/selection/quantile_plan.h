/* How several quantiles share one budget: a plan made of public numbers alone.
 *
 * split      each quantile on its own, with an equal share of epsilon
 * recursive  the middle one first; then each side on the rows of that side, all nodes of one
 *            depth with the same share, since a row lies in one of them only. To do the rows
 *            justice that are equal to a released value, each row is spread over 64 cells
 *            (parts), and what is released says how many of them go left
 *
 * The plan with the smaller predicted error is taken: the largest rank error over all
 * quantiles, at a confidence of 0.95 (quantile.md).
 *
 * A node asks for a share numerator/denominator of the items of its part. Its score moves by
 * sensitivity when a unit's rows are added (or exchanged), so that its ladder has the step
 * share of epsilon / (2 sensitivity).
 */
#ifndef SC_MECHANISM_SELECTION_QUANTILE_PLAN_H
#define SC_MECHANISM_SELECTION_QUANTILE_PLAN_H

#include "base/number/parameters.h"
#include "mechanism/selection/ladder.h"
#include "scrim/measurement.h"

#include <stddef.h>

#define SC_QUANTILES_MAX SC_PARAMETER_ITEMS
/* The parts of a row in a recursive plan. */
#define SC_QUANTILE_PARTS 64
/* Ladders are built so that the top is reached with a probability below 2^-14 in all. */
#define SC_QUANTILE_BETA_BITS 14

typedef enum sc_quantile_form {
    SC_QUANTILE_CHOOSE,
    SC_QUANTILE_SPLIT,
    SC_QUANTILE_RECURSIVE
} sc_quantile_form;

/* The question: quantiles p[0] < p[1] < ..., all in (0, 1), of rows on cells 0 .. largest. */
typedef struct sc_quantile_question {
    const sc_ratio *p;
    size_t count;
    const sc_ratio *epsilon;
    scrim_neighbours neighbours;
    uint64_t rows; /* that one unit may own */
    uint64_t largest;
    sc_quantile_form form;
} sc_quantile_question;

#define SC_QUANTILE_NONE SIZE_MAX

typedef struct sc_quantile_node {
    size_t index;        /* of the quantile it answers */
    size_t lower, upper; /* nodes whose answers bound its part, or SC_QUANTILE_NONE */
    size_t left, right;  /* nodes of its two sides, or SC_QUANTILE_NONE */
    uint64_t numerator, denominator;
    sc_ladder ladder;
} sc_quantile_node;

/* Nodes stand before those of their sides. */
typedef struct sc_quantile_plan {
    bool is_recursive;
    bool is_by_order; /* the k-th row, not a share: replace, one row a unit */
    uint64_t parts;
    uint64_t cells; /* (largest + 1) parts */
    size_t count;
    size_t releases; /* that compose: quantiles, or depths */
    size_t width;    /* rows of the widest slice of ranks */
    sc_quantile_node nodes[SC_QUANTILES_MAX];
    sc_ratio share; /* epsilon of each release */
} sc_quantile_plan;

/* SCRIM_E_PARAM when the p do not increase; SCRIM_E_LIMIT when the ladders would have too many
 * rungs, or a recursive form was asked for that has no room for its parts. */
SCRIM_MUST_USE scrim_status sc_quantile_plan_init(sc_quantile_plan *plan,
                                                  const sc_quantile_question *question,
                                                  scrim_error *error);
void sc_quantile_plan_clear(sc_quantile_plan *plan);

/* The largest rank error of all quantiles, but for a probability of beta in all; false when
 * the ladders do not reach as far. */
bool sc_quantile_plan_radius_upper(const sc_quantile_plan *plan, const sc_ratio *beta,
                                   sc_ratio *out);

#endif
