/* Discrete Laplace noise on a number that is itself random: robust release, and the answer of a
 * randomised query.
 *
 * Input       a number v, drawn by the caller from the law f(x) of its input x; on a grid it is
 *             rounded to it, exactly
 * Output      v + Z,  P(Z = z) proportional to exp(-|z| epsilon / R), where rho is
 *             R = ceil(rho/step) steps
 * Neighbours  as rho was declared for: of neighbours x and x' the laws f(x) and f(x') are within
 *             rho of each other but for a mass of theta, W_inf at theta(f(x), f(x')) <= rho
 * Claim       robust-laplace.privacy   (epsilon, theta)-DP: the sub-coupling of mass 1 - theta
 *                                      moves v by at most R steps, so that its noisy parts are
 *                                      within exp(epsilon) at each point, and the rest has mass
 *                                      theta; with theta = 0 it is pure, with the curve of the
 *                                      exact law
 * Claim       robust-laplace.accuracy  P(|Z| > t) = 2 a^(t+1) / (1 + a), a = exp(-epsilon/R)
 *
 * The guarantee is of inputs. Of outputs that are close nothing of the kind holds (E23):
 * distance/robust_release.h has what does, beta(gamma) in both forms, and the theta-sensitivity of
 * a family of laws, which is the rho to give. Where that is 0, v itself may be shown. The audit
 * looks at numbers that are not drawn, where theta buys nothing; drawn ones are enumerated in the
 * tests.
 * Time        depends on the noise, never on the input
 * Reference   spec/flexible-accuracy.md 12; errata E22 to E27
 */
#ifndef SC_MECHANISM_NOISE_ROBUST_LAPLACE_H
#define SC_MECHANISM_NOISE_ROBUST_LAPLACE_H

#include "model/measurement.h"

extern const sc_mechanism sc_robust_laplace;

#endif
