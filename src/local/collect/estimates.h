/* Errors of estimates: intervals, covariances, and the values that somebody holds. */
#ifndef SC_LOCAL_ESTIMATES_H
#define SC_LOCAL_ESTIMATES_H

#include "local/collect/decoding.h"

/* Intervals for the number of devices that hold a value, and for means.
 *
 * A count's interval has the numbers x for which the observed hits are in neither tail of their law if x
 * devices hold the value. The law is a sum of independent bits; its quantiles are those of Cornish and
 * Fisher with cumulants up to the fourth, with a continuity correction; where hits are few, the interval of
 * Clopper and Pearson for the mean probability of a hit serves; sums of weights have limits of their own
 * (count_limits.h). An estimate outside of 0 to the number of reports has an interval of more than a point. A mean of bits has that interval too, which
 * covers whatever the devices' numbers are (Hoeffding 1956); other means have that of a normal law.
 *
 * Claim  count-interval.covers  the interval covers with at least about the stated probability: not less
 *                               by more than a tenth of the rest
 * Claim  count-interval.joint   intervals of all values, each with its part of the rest, hold together with at least
 *                               the stated probability
 */

typedef struct sc_count_interval {
    double low, high;
} sc_count_interval;

/* Each tail has the probability that a normal law has above z > 0. Within [0, reports]. */
sc_count_interval sc_count_interval_of(const sc_decoding *decoding, size_t value,
                                       double z);
/* The interval of the mean, with the probability of a tail; within [0, largest]. */
sc_count_interval sc_mean_interval_of(const sc_decoding *decoding, double largest,
                                      double tail);

/* The covariance of two estimates: Cov(C_v, C_w) is the sum over x of n_x (Pr[both supported | x] - Pr[v
 * supported | x] Pr[w supported | x]), with the estimates for n_x (spec/local-additions.md 1). Of square-wave it
 * is that of the reports as they were counted.
 *
 * Claim  count-covariance.exact  with the true n_x it is the covariance of the two estimates
 */

/* The covariance for two different values of a protocol that estimates counts. False: not known
 * for the protocol. */
bool sc_count_covariance(const scrim_local_config *config, const sc_decoding *decoding,
                         size_t v, size_t w, double *out);

/* Which values somebody holds, with the rate of false ones controlled: Benjamini and Yekutieli 2001, which
 * holds whatever the dependence between the estimates. The hits of a value that no device holds are
 * binomial, exactly; p is their tail.
 *
 * Claim  discovery.rate  of the values that it lists, the expected share that no device holds is at most
 *                        level
 */

/* Sets p[v] to the tail of the hits of v, where that is at most level, else to 1. Values with p[v] at most
 * *listed are; none is where that is below 0. SCRIM_E_MEMORY; SCRIM_E_PARAM: the protocol has no
 * such test. */
SCRIM_MUST_USE scrim_status sc_discovery(const sc_decoding *decoding, double level,
                                         double *p, double *listed, scrim_error *error);

#endif
