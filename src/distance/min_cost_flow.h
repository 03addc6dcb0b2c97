/* The cheapest flow of a given size, in integers: successive shortest paths with potentials. Each
 * round finds the price of the cheapest way that is left, and fills all ways of that price.
 *
 * Claim  min-cost-flow.exact  no flow of the same size costs less; the cost of a flow that is not
 *                             whole lies on the line between its neighbours, and is given by the
 *                             price of the next unit
 */
#ifndef SC_ACCURACY_MIN_COST_FLOW_H
#define SC_ACCURACY_MIN_COST_FLOW_H

#include "base/number/ratio.h"
#include "distance/max_flow.h"

/* Sends whole and the part of one more from source to sink of a graph that carries nothing yet,
 * all prices >= 0, and sets cost. is_short, with cost untouched, where there is no room for it.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_min_cost_flow(sc_flow_graph *graph, size_t source,
                                             size_t sink, sc_uint128 whole,
                                             const sc_ratio *part, sc_ratio *cost,
                                             bool *is_short, scrim_error *error);

#endif
