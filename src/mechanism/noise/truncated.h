/* Discrete Laplace noise that never exceeds a bound: renormalised on -bound..bound, in steps.
 *
 * Input       a vector of numbers, of l1 sensitivity D under the neighbours
 * Output      x + Z in each coordinate, P(Z = z) proportional to exp(-|z| / scale), |z| <= bound;
 *             with lower and upper both input and output are clamped to them
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       truncated.privacy   (D / scale, delta)-DP, delta the mass of the D outermost points
 *                                 of one side; of one value (size=1, or with a grid) the curve is
 *                                 that of the exact law. A delta that was given is charged as it
 *                                 was given, and bound is the smallest that meets it
 * Claim       truncated.accuracy  no value is ever further than bound steps from the truth
 * Time        depends on the noise, never on the input: noise is drawn before it is read
 * Reference   Geng, Ding, Guo, Kumar 2020; spec/mechanisms.md 2.2, 4.2
 */
#ifndef SC_MECHANISM_NOISE_TRUNCATED_H
#define SC_MECHANISM_NOISE_TRUNCATED_H

#include "model/mechanism.h"

extern const sc_mechanism sc_truncated_laplace;

/* The delta at epsilon >= 0 of one value with noise of a truncated law against a shift of 1 to
 * law->bound steps, exactly; no smaller shift has more. */
void sc_truncated_delta(const sc_law *law, uint64_t shift, const sc_ratio *epsilon,
                        long bits, sc_ball *out);

#endif
