/* The covariance of two estimates, where the protocol has one in closed form: Cov(C_v, C_w) is the sum over x
 * of n_x (Pr[both supported | x] - Pr[v supported | x] Pr[w supported | x]), with the estimates for n_x
 * (spec/local-additions.md 1).
 *
 * Claim  count-covariance.exact  with the true n_x it is the covariance of the two estimates
 */
#ifndef SC_LOCAL_COUNT_COVARIANCE_H
#define SC_LOCAL_COUNT_COVARIANCE_H

#include "local/collect/decoding.h"

/* Of two values that differ. False: the protocol has none here (local-hashing, bit-flip, square-wave, and
 * hadamard with several blocks). */
bool sc_count_covariance(const scrim_local_config *config, const sc_decoding *decoding,
                         size_t v, size_t w, double *out);

#endif
