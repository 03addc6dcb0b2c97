/* Discrete Gaussian noise on integers, or on the points of a declared grid.
 *
 * Input       size numbers (one, unless it is given), of l2 sensitivity D under the neighbours
 * Output      x + Z in each coordinate, P(Z = z) proportional to exp(-z^2 / (2 variance)), in
 *             steps
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       gaussian.privacy   rho-concentrated with rho = D^2 / (2 variance). One value: the
 *                                curve is that of the exact discrete law. Several: the discrete
 *                                Gaussian is not the same in all directions, and the curve is
 *                                the conversion of rho. epsilon and delta, where they were
 *                                given, are met by that curve at the variance that is used
 * Claim       gaussian.accuracy  the radius shown is the smallest t with P(|Z| > t) at most
 *                                1 - confidence, for each value
 * Time        depends on the noise, never on the input: noise is drawn before it is read
 * Reference   Canonne, Kamath, Steinke 2020; spec/mechanisms.md 2.3, 4.3
 */
#ifndef SC_MECHANISM_NOISE_GAUSSIAN_H
#define SC_MECHANISM_NOISE_GAUSSIAN_H

#include "model/mechanism.h"

extern const sc_mechanism sc_gaussian_noise;

#endif
