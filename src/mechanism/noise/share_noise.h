/* Shares of discrete Laplace noise, for parties that add them to a sum that only secure aggregation
 * opens: no party has to be trusted with the data.
 *
 * Input       a vector of numbers, of l1 sensitivity D under the neighbours
 * Output      x + Z, Z the sum of `honest` shares; `shares` of them add up to discrete Laplace noise
 *             of that scale, and honest is shares unless given. With honest=1 it is what one party
 *             adds to its own part of the sum
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       laplace-share.privacy   with honest >= shares epsilon-DP, epsilon = D / scale: further
 *                                     shares are independent noise. With fewer epsilon is D ln(P(0)/P(1))
 *                                     of the law of their sum, tight for D = 1
 * Claim       laplace-share.accuracy  the radius shown is the smallest t with P(|Z| > t) at most
 *                                     1 - confidence, for each value by itself
 * Time        depends on the noise, never on the input: noise is drawn before it is read
 * Reference   Goryczka, Xiong 2015; spec/local-additions.md 5
 *
 * Fewer than all. P(k) ~ x^k sum over j of a_j a_(j+k) x^2j with a_(j+1)/a_j = (j + r)/(j + 1), which
 * rises with j for r <= 1: each term is log-convex in k >= 0, and so is their sum. Hence P(k)/P(k+1) is
 * largest at k = 0, and a shift by D is D shifts by 1.
 */
#ifndef SC_MECHANISM_NOISE_SHARE_NOISE_H
#define SC_MECHANISM_NOISE_SHARE_NOISE_H

#include "model/measurement.h"

extern const sc_mechanism sc_laplace_share;

#endif
