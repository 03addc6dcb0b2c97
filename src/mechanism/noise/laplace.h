/* Discrete Laplace noise on integers, or on the points of a declared grid.
 *
 * Input       a vector of numbers, of l1 sensitivity D under the neighbours
 * Output      x + Z in each coordinate, P(Z = z) proportional to exp(-|z| / scale), in steps;
 *             with lower and upper both input and output are clamped to them
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       laplace.privacy   epsilon-DP with epsilon = D / scale, no delta; the curve is
 *                               that of the exact law at every epsilon
 * Claim       laplace.accuracy  P(|Z| > t) = 2 p^(t+1) / (1 + p), p = exp(-1/scale); the
 *                               radius shown is the smallest t with at most 1 - confidence
 * Time        depends on the noise, never on the input: noise is drawn before it is read
 * Reference   Ghosh, Roughgarden, Sundararajan 2009; spec/mechanisms.md 2.1, 2.2, 4.1
 */
#ifndef SC_MECHANISM_NOISE_LAPLACE_H
#define SC_MECHANISM_NOISE_LAPLACE_H

#include "model/mechanism.h"

extern const sc_mechanism sc_laplace;

#endif
