/* The largest flow from one node of a graph to another, in integers: Dinic's algorithm.
 *
 * An arc has a capacity and, for the flows of least cost that are made of this one, a price; only
 * arcs that are tight for the potentials are walked. Without prices and potentials all are.
 *
 * Claim  max-flow.exact  what is pushed is the largest flow, or the limit where that is less; no
 *                        arc carries more than its capacity
 */
#ifndef SC_ACCURACY_MAX_FLOW_H
#define SC_ACCURACY_MAX_FLOW_H

#include "base/checked.h"
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

/* Room for so many nodes and pairs of arcs, at most 2^31 - 1 of either; SCRIM_E_MEMORY, and then
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

#endif
