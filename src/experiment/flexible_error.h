/* The flexible error of an answer: how far it is from the nearest value that the statistic takes
 * after at most so many elements were dropped (spec/flexible-accuracy.md 4.1, 13.1).
 *
 * Claim  flexible-error.least  the error of every answer is the least distance to the value of any
 *                              histogram below x that lacks at most the allowance
 */
#ifndef SC_EXPERIMENT_FLEXIBLE_ERROR_H
#define SC_EXPERIMENT_FLEXIBLE_ERROR_H

#include "experiment/heights.h"

/* How many elements the yardstick of the experiments lets go: floor(5 |x| / 1000). */
int64_t sc_flexible_allowance(const sc_heights *x);
/* Which values, 0 to B, the statistic can take when at most so many elements are dropped. */
void sc_flexible_reach(const sc_height_statistic *f, const sc_heights *x,
                       int64_t allowance, bool reach[SC_HEIGHTS_MAX + 1]);
/* The flexible error of each answer, 0 to B. */
void sc_flexible_errors(const sc_height_statistic *f, const sc_heights *x,
                        int64_t allowance, uint32_t errors[SC_HEIGHTS_MAX + 1]);

#endif
