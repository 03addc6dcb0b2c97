/* Intervals for the number of devices that hold a value, and for means.
 *
 * A count's interval has the numbers x for which the observed hits are in neither tail of their law if x
 * devices hold the value. The law is a sum of independent bits; its quantiles are those of Cornish and
 * Fisher with cumulants up to the fourth, with a continuity correction; where hits are few, the interval of
 * Clopper and Pearson for the mean probability of a hit serves. A mean of bits has that interval too, which
 * covers whatever the devices' numbers are (Hoeffding 1956); other means have that of a normal law.
 *
 * Claim  count-interval.covers  the interval covers with at least about the stated probability: not less
 *                               by more than a tenth of the rest
 */
#ifndef SC_LOCAL_COUNT_INTERVAL_H
#define SC_LOCAL_COUNT_INTERVAL_H

#include "local/collect/decoding.h"

typedef struct sc_count_interval {
    double low, high;
} sc_count_interval;

/* Each tail has the probability that a normal law has above z > 0. Within [0, reports]. */
sc_count_interval sc_count_interval_of(const sc_decoding *decoding, size_t value,
                                       double z);
/* Of the mean, with the probability of a tail; within [0, largest]. */
sc_count_interval sc_mean_interval_of(const sc_decoding *decoding, double largest,
                                      double tail);

#endif
