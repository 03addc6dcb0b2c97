/* The continuous Gaussian mechanism (Balle, Wang 2018): a number to plan and to compare with.
 *
 * Noise of this sigma is not what scrim draws, and a sigma from here must not be handed to the
 * discrete sampler: at sigma 1, sensitivity 2 and epsilon 11.7 the discrete delta is more than
 * twice the continuous one. gaussian_calibration.h begins its search here, and tests there.
 *
 * Claim  analytic-gaussian.exact  delta(epsilon) = Q(epsilon/s - s/2) - exp(epsilon) Q(epsilon/s +
 *                                 s/2), s the sensitivity over sigma, Q the upper normal tail
 *
 * Reference  spec/mechanisms.md 4.3
 */
#ifndef SC_MECHANISM_NOISE_ANALYTIC_GAUSSIAN_H
#define SC_MECHANISM_NOISE_ANALYTIC_GAUSSIAN_H

#include "base/number/ball.h"
#include "base/status.h"

/* delta at epsilon >= 0; ratio is the sensitivity over sigma, above 0; out may be that ball. */
void sc_analytic_gaussian_delta(const sc_ratio *epsilon, const sc_ball *ratio, long bits,
                                sc_ball *out);
/* A sigma, in sensitivities, whose delta at epsilon > 0 is at most this one, 0 < delta < 1, at
 * most 2^-62 of itself above the smallest. SCRIM_E_LIMIT beyond 2^-62 to 2^130. */
SCRIM_MUST_USE scrim_status sc_analytic_gaussian_sigma_upper(const sc_ratio *epsilon,
                                                             const sc_ratio *delta,
                                                             sc_ratio *out,
                                                             scrim_error *error);

#endif
