/* One of h shares of discrete Laplace noise: the difference of two negative binomial numbers,
 * P(j) ~ a_j x^j with x = exp(-1/scale) and a_j the product of ((i-1)h + 1)/(i h) for i = 1..j.
 *
 * The sum of h shares is exactly a discrete Laplace number: the h-fold convolution of a_j is 1.
 *
 * Claim  laplace-share.exact  the law of a draw is exactly that, for every rational scale
 *
 * A geometric number y is kept if coins of ((i-1)h + 1)/(i h) all fall so, i = 1..y. It takes a random
 * time that depends on the number drawn, about h scale steps.
 *
 * Reference  Goryczka, Xiong 2015; spec/local-additions.md 5
 */
#ifndef SC_SAMPLING_LAPLACE_SHARE_H
#define SC_SAMPLING_LAPLACE_SHARE_H

#include "sampling/geometric.h"

#define SC_SHARES_MAX 1000000
#define SC_SHARE_SCALE_MAX 1000 /* of a sum of other than all shares */

/* The sum of `count` independent shares, each of one of `shares`; scale at most SC_SHARE_SCALE_MAX. */
SCRIM_MUST_USE scrim_status sc_laplace_share_sum(sc_bits *bits, const sc_fraction *scale,
                                                 uint64_t shares, uint64_t count,
                                                 sc_int128 *out, scrim_error *error);

#endif
