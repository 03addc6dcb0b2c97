/* The variance of discrete Gaussian noise for a wanted (epsilon, delta), as j/64.
 *
 * Claim  gaussian-calibration.exact  the variance that is returned was tested itself: the exact
 *                                    curve of its law, or the conversion of its concentrated
 *                                    privacy, has at most delta at epsilon
 *
 * Reference  spec/mechanisms.md 4.3; Canonne, Kamath, Steinke 2020
 */
#ifndef SC_MECHANISM_NOISE_GAUSSIAN_CALIBRATION_H
#define SC_MECHANISM_NOISE_GAUSSIAN_CALIBRATION_H

#include "base/number/ratio.h"
#include "base/status.h"

/* For one integer that moves by shift >= 1: the first j from floor(64 sigma^2) on, sigma that of
 * analytic_gaussian.h, at least 1, whose exact discrete delta is at most delta. epsilon > 0,
 * 0 < delta < 1. SCRIM_E_LIMIT when the variance would be above 2^120. */
SCRIM_MUST_USE scrim_status sc_gaussian_variance_exact(const sc_ratio *epsilon,
                                                       const sc_ratio *delta,
                                                       uint64_t shift, sc_ratio *out,
                                                       scrim_error *error);
/* For integers that move by distance > 0 in the l2 norm: the smallest j whose rho, distance^2 /
 * (2 variance), converts to at most delta at epsilon. The same limits. */
SCRIM_MUST_USE scrim_status sc_gaussian_variance_concentrated(const sc_ratio *epsilon,
                                                              const sc_ratio *delta,
                                                              const sc_ratio *distance,
                                                              sc_ratio *out,
                                                              scrim_error *error);

#endif
