/* Answering a plan of quantiles node by node: each node draws a cell of its part, and where it
 * has sides the cell cuts the part in two.
 *
 * The items in cells up to the one that was drawn go left, the others right: which way an item
 * goes is a function of the item and of what has been released. A part in which no cell is left
 * is its last cell, and holds nothing.
 *
 * Claim  quantile-parts.disjoint  every item is in one part of a depth at most, and its parts
 *                                 hold exactly the items of their cells
 */
#ifndef SC_MECHANISM_SELECTION_QUANTILE_PARTS_H
#define SC_MECHANISM_SELECTION_QUANTILE_PARTS_H

#include "mechanism/selection/quantile_plan.h"
#include "mechanism/selection/rank_shells.h"

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

/* The field of a node, whose bounds are answered. It borrows the slice, so there is one at a
 * time. */
SCRIM_MUST_USE scrim_status sc_quantile_parts_field(sc_quantile_parts *parts, size_t node,
                                                    sc_rank_field *out,
                                                    scrim_error *error);
/* Takes a cell of its part for the node's answer. */
void sc_quantile_parts_answer(sc_quantile_parts *parts, size_t node, uint64_t cell);

/* Draws the answers to all nodes, in keys; increasing ones. Each call draws anew. */
SCRIM_MUST_USE scrim_status sc_quantile_parts_draw(sc_quantile_parts *parts,
                                                   sc_bits *bits, scrim_error *error);

#endif
