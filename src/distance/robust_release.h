/* Privacy and error of Laplace noise of scale b = rho / epsilon on one number: the
 * calculators of robust release and of randomised queries.
 *
 * Claim  robust.mean      lossy average form, tight: beta(gamma) = b (1 - gamma (1 + ln(1/gamma)))
 * Claim  robust.radius    lossy worst form: beta(gamma) = b ln(1/gamma), infinite at 0
 * Claim  robust.output    without a loss, outputs at an infinity-Wasserstein distance of at most rho
 *                         are within exp(2 acosh(exp(epsilon/2))) of each other, and not always
 *                         within less than exp(acosh(exp(epsilon))): robustness of outputs, as it
 *                         was once claimed with epsilon itself, is false (E23)
 *
 * Claim  robust.stated    a measurement states its own rho, epsilon and theta, and an epsilon of
 *                         outputs that is not below the one above
 *
 * The guarantee for inputs: where the laws of two inputs are within rho but for theta, the outputs are
 * (epsilon, theta)-indistinguishable. The sub-coupling of mass 1 - theta moves nothing further than
 * rho, so that its noisy parts are within exp(epsilon) at each point; the rest has mass theta. The
 * mechanism is robust-laplace (mechanism/noise/robust_laplace.h).
 *
 * Reference  spec/flexible-accuracy.md 12; errata E22 to E27
 */
#ifndef SC_DISTANCE_ROBUST_RELEASE_H
#define SC_DISTANCE_ROBUST_RELEASE_H

#include "base/number/ball.h"

/* Continuous noise. scale > 0; gamma in [0, 1], SCRIM_E_PARAM otherwise. The radius at 0 is not
 * finite. */
SCRIM_MUST_USE scrim_status sc_robust_mean(const sc_ratio *scale, const sc_ratio *gamma,
                                           long bits, sc_ball *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_robust_radius(const sc_ratio *scale, const sc_ratio *gamma,
                                             long bits, sc_ball *out, scrim_error *error);

/* epsilon >= 0: what holds of outputs. */
void sc_robust_output_epsilon(const sc_ratio *epsilon, long bits, sc_ball *out);

#endif
