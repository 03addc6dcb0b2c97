/* Drawing a plan of quantiles, its exact law, its audit's neighbours and its cost. A plan is
 * answered node by node: each node draws a cell of its part, and where it
 * has sides the cell cuts the part in two.
 *
 * The items in cells up to the one that was drawn go left, the others right: which way an item
 * goes is a function of the item and of what has been released. A part in which no cell is left
 * is its last cell, and holds nothing.
 *
 * Claim  quantile-parts.disjoint  every item is in one part of a depth at most, and its parts
 *                                 hold exactly the items of their cells
 */
#ifndef SC_MECHANISM_SELECTION_QUANTILE_LAW_H
#define SC_MECHANISM_SELECTION_QUANTILE_LAW_H

#include "mechanism/selection/quantile_plan.h"
#include "mechanism/selection/rank_shells.h"
#include "model/cost.h"
#include "model/mechanism.h"
#include "model/outcomes.h"

typedef struct sc_quantile_part {
    uint64_t first, last;  /* cells */
    uint64_t below, count; /* items below first, items from first to last */
} sc_quantile_part;

/* The answers so far. Made once for one input; a draw and a law fill it alike. */
typedef struct sc_quantile_parts {
    const sc_quantile_plan *plan;
    sc_order_rows rows;
    sc_order_slice slice;
    sc_quantile_part parts[SC_QUANTILES_MAX]; /* of the nodes whose bounds are answered */
    uint64_t keys[SC_QUANTILES_MAX];          /* the answers, by quantile */
} sc_quantile_parts;

/* Nothing answered yet: every node without bounds has the whole range. SCRIM_E_PARAM for no
 * rows at all where their number is public, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_quantile_parts_init(sc_quantile_parts *parts,
                                                   const sc_quantile_plan *plan,
                                                   const sc_order_rows *rows,
                                                   scrim_error *error);
void sc_quantile_parts_clear(sc_quantile_parts *parts);

/* Draws the answers to all nodes, in keys; increasing ones. Each call draws anew. */
SCRIM_MUST_USE scrim_status sc_quantile_parts_draw(sc_quantile_parts *parts,
                                                   sc_bits *bits, scrim_error *error);

/* The exact law of a plan of quantiles on one input, from the weights that draw it. */

/* Outcomes are keyed by the points of the grid, rows->low + key, in increasing order; sorted.
 * SCRIM_E_LIMIT where there are more than 2^22 ways to them. */
SCRIM_MUST_USE scrim_status sc_quantile_law(const sc_quantile_plan *plan,
                                            const sc_order_rows *rows, long bits,
                                            sc_outcomes *out, scrim_error *error);

/* The neighbours that the audit of a quantile goes through: all small tables on a few points of
 * the range, each with all its neighbours.
 *
 * A pair has rows in common, and beside them rows of one unit: under add-remove x lacks them,
 * under replace x and y have different ones. There are at most SC_QUANTILE_POINTS points,
 * evenly spread, both ends among them, and as many rows as leave at most
 * SC_QUANTILE_PAIRS_MAX pairs.
 */

#define SC_QUANTILE_POINTS 8
#define SC_QUANTILE_PAIRS_MAX 20000
#define SC_QUANTILE_UNIT_MAX 32

/* For the lists of parameters: the rows that the tables have. */
#define SC_PARAMETER_PAIR_ROWS(high)                                                     \
    SC_RULE_COUNT("records", high,                                                       \
                  "the rows of the tables that the audit looks at, from 1 to " high)

typedef struct sc_quantile_family {
    scrim_neighbours neighbours;
    int64_t low, high; /* of the grid: low < high */
    size_t rows;       /* of the larger table, the unit's own among them */
    size_t unit;       /* rows of the unit; at most rows, and SC_QUANTILE_UNIT_MAX */
} sc_quantile_family;

size_t sc_quantile_pair_count(const sc_quantile_family *family);
void sc_quantile_pair(const sc_quantile_family *family, size_t index, sc_pair *out);

/* The cost of releases of bounded range, fixed in number, of one epsilon each: the sum of epsilons, and as many times
 * epsilon^2/8 concentrated.
 */

/* epsilon is what they are together, releases times each. */
void sc_composed_range_cost(sc_exact_cost *out, const sc_ratio *epsilon,
                            const sc_ratio *each, uint64_t releases);

#endif
