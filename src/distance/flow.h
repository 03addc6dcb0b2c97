/* The largest flow from one node of a graph to another, in integers: Dinic's algorithm.
 *
 * An arc has a capacity and, for the flows of least cost that are made of this one, a price; only
 * arcs that are tight for the potentials are walked. Without prices and potentials all are.
 *
 * Claim  max-flow.exact  what is pushed is the largest flow, or the limit where that is less; no
 *                        arc carries more than its capacity
 */
#ifndef FLOW_H
#define FLOW_H

#include "base/checked.h"
#include "base/number/ratio.h"
#include "base/status.h"

#define SC_FLOW_NONE UINT32_MAX

/* Arcs come in pairs: of arc a the way back is a ^ 1. */
typedef struct sc_flow_arc {
    sc_uint128 capacity; /* what it can still take */
    int64_t price;
    uint32_t to, next;
} sc_flow_arc;

typedef struct sc_flow_graph {
    size_t node_count, arc_count, arc_capacity;
    sc_flow_arc *arcs;
    uint32_t *first;      /* of each node */
    sc_int128 *potential; /* of each node: an arc is tight where price + from - to is 0 */
    uint32_t *level, *current, *path; /* what a search needs */
} sc_flow_graph;

/* Room for this many nodes and pairs of arcs, at most 2^31 - 1 of either; SCRIM_E_MEMORY, and then
 * there is nothing to clear. */
SCRIM_MUST_USE scrim_status sc_flow_graph_init(sc_flow_graph *out, size_t nodes,
                                               size_t arcs, scrim_error *error);
void sc_flow_graph_clear(sc_flow_graph *graph);
/* An arc within the room that was asked for. price >= 0. */
void sc_flow_graph_add(sc_flow_graph *graph, size_t from, size_t to, sc_uint128 capacity,
                       int64_t price);
/* Pushes as much as there is room for over tight arcs, at most limit; returns how much. */
sc_uint128 sc_max_flow(sc_flow_graph *graph, size_t source, size_t sink,
                       sc_uint128 limit);

/* The cheapest flow of a given size, in integers: successive shortest paths with potentials. Each
 * round finds the price of the cheapest way that is left, and fills all ways of that price.
 *
 * Claim  min-cost-flow.exact  no flow of the same size costs less; the cost of a flow that is not
 *                             whole lies on the line between its neighbours, and is given by the
 *                             price of the next unit
 */

/* Sends whole and the part of one more from source to sink of a graph that carries nothing yet,
 * all prices >= 0, and sets cost. is_short, with cost untouched, where there is no room for it.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_min_cost_flow(sc_flow_graph *graph, size_t source,
                                             size_t sink, sc_uint128 whole,
                                             const sc_ratio *part, sc_ratio *cost,
                                             bool *is_short, scrim_error *error);

#endif
