/* The covariance of two estimates: Cov(C_v, C_w) is the sum over x of n_x (Pr[both supported | x] - Pr[v
 * supported | x] Pr[w supported | x]), with the estimates for n_x (spec/local-additions.md 1). Of square-wave it
 * is that of the reports as they were counted.
 *
 * Claim  count-covariance.exact  with the true n_x it is the covariance of the two estimates
 */
#ifndef SC_LOCAL_COUNT_COVARIANCE_H
#define SC_LOCAL_COUNT_COVARIANCE_H

#include "local/collect/decoding.h"

/* Of two values that differ, of a protocol that estimates counts. False: the protocol has none. */
bool sc_count_covariance(const scrim_local_config *config, const sc_decoding *decoding,
                         size_t v, size_t w, double *out);

#endif
