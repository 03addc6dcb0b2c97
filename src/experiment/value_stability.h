/* How many elements must come or go before a statistic can change: the stability radius of
 * propose-test-release, and the costs behind smooth sensitivity
 * (spec/flexible-accuracy.md 13.3).
 *
 * Claim  value-stability.radius  the add/remove distance to the nearest histogram that has a
 *                                neighbour of another value
 * Claim  value-stability.cost    the least add/remove distance to a histogram whose value is one
 *                                of two that many bars apart and which has a neighbour whose value
 *                                is the other
 */
#ifndef SC_EXPERIMENT_VALUE_STABILITY_H
#define SC_EXPERIMENT_VALUE_STABILITY_H

#include "experiment/heights.h"

/* No histogram near or far has another value (there is one bar only). */
#define SC_STABLE_FOR_EVER INT64_MAX

int64_t sc_stability_radius(const sc_height_statistic *f, const sc_heights *x);

/* costs[d], 1 <= d <= B: the least cost of a jump by d; SC_STABLE_FOR_EVER where there is none.
 * Takes a time that grows with the square of the number of bars and not with their heights. */
void sc_jump_costs(const sc_height_statistic *f, const sc_heights *x,
                   int64_t costs[SC_HEIGHTS_MAX + 1]);
/* The smooth sensitivity max_d d exp(-decay costs[d]). */
double sc_smooth_sensitivity(const int64_t costs[SC_HEIGHTS_MAX + 1], size_t bars,
                             double decay);

#endif
