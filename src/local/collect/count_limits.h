/* Intervals of estimates that are a sum of weights, one for each report.
 *
 * Each number of reports of a kind has the limits of a Poisson law (Wilson and Hilferty 1931). The distance of an
 * estimate to the end of its interval is the root of the sum of squares of what each number can do: the distance to the
 * limit that moves the estimate that way, times the weight (Zou and Donner 2008). Weights are taken from their mean, so
 * that only differences count. No number is certain, also where no report of a kind has come.
 *
 * Claim  count-limits.covers  of Poisson counts, the interval of a difference misses on either side with at most 1.1
 *                             times the probability of the tail, for tails from 0.25 to 1e-8
 */
#ifndef SC_LOCAL_COUNT_LIMITS_H
#define SC_LOCAL_COUNT_LIMITS_H

#include "local/collect/decoding.h"

/* How far the number that was estimated may be below and above the estimate. */
typedef struct sc_count_margin {
    double below, above;
} sc_count_margin;

/* The value's decoding has variances; z > 0. */
sc_count_margin sc_count_margin_of(const sc_decoding *decoding, size_t value, double z);

#endif
