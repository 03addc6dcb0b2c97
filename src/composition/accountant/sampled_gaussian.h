/* Renyi divergences of Gaussian noise on a Poisson sample.
 *
 * With rho = D^2 / (2 sigma^2) and a an integer, in both orders,
 *
 *     (a - 1) D_a = ln sum over j of C(a,j) (1-q)^(a-j) q^j exp(j (j-1) rho),
 *
 * for continuous noise and for discrete noise against integer shifts alike. Between integers
 * (a - 1) D_a is convex, so the chord is above it. A sample never has more than the whole: a rho,
 * which is used where there would be too many terms.
 *
 * Claim  sampled-gaussian.exact  at an integer order the ball holds that value; between two of them it
 *                                is on the chord, and nowhere above a rho
 *
 * Reference  Mironov, Talwar, Zhang 2019; spec/local-and-accounting.md 5
 */
#ifndef SC_COMPOSITION_SAMPLED_GAUSSIAN_H
#define SC_COMPOSITION_SAMPLED_GAUSSIAN_H

#include "base/number/ball.h"

/* 0 < rate <= 1; order > 1; orders above most are not summed. */
void sc_sampled_gaussian_renyi(const sc_ratio *rho, const sc_ratio *rate,
                               const sc_ratio *order, uint64_t most, long bits,
                               sc_ball *out);

#endif
