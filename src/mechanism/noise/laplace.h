/* Discrete Laplace noise on integers, or on the points of a declared grid.
 *
 * Input       a vector of numbers, of l1 sensitivity D under the neighbours
 * Output      x + Z in each coordinate, P(Z = z) proportional to exp(-|z| / scale), in steps;
 *             with lower and upper both input and output are clamped to them
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       laplace.privacy   epsilon-DP with epsilon = D / scale, no delta; the curve is
 *                               that of the exact law at every epsilon
 * Claim       laplace.accuracy  P(|Z| > t) = 2 p^(t+1) / (1 + p), p = exp(-1/scale); the
 *                               radius shown is the smallest t with at most 1 - confidence,
 *                               for each value by itself
 * Time        depends on the noise, never on the input: noise is drawn before it is read
 * Reference   Ghosh, Roughgarden, Sundararajan 2009; spec/mechanisms.md 2.1, 2.2, 4.1
 */
#ifndef SC_MECHANISM_NOISE_LAPLACE_H
#define SC_MECHANISM_NOISE_LAPLACE_H

#include "mechanism/noise/additive.h"

extern const sc_mechanism sc_laplace;

/* The scale of a kind of noise: the sensitivity and the scale in steps, and epsilon; of the last two
 * one was given. SCRIM_E_LIMIT when the scale is beyond 2^-60 to 2^60. */
scrim_status sc_laplace_scale(scrim_measurement *measurement, sc_additive *state,
                              sc_ratio *scale, scrim_error *error);
/* Such a scale, in steps. */
SCRIM_MUST_USE scrim_status sc_laplace_scale_check(const scrim_measurement *measurement,
                                                   const sc_ratio *scale,
                                                   scrim_error *error);
/* A pure epsilon, by the curve of the exact law; a sensitivity beyond every grid is charged as any
 * pure mechanism. */
void sc_laplace_cost(const sc_additive *state, const sc_ratio *epsilon,
                     sc_exact_cost *out);

#endif
