/* Composition of Renyi curves, with the curve of Gaussian noise on a sample. */
#ifndef SC_COMPOSITION_RENYI_H
#define SC_COMPOSITION_RENYI_H

#include "base/number/ball.h"
#include "composition/accountant/accountant.h"

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

/* 0 < rate <= 1; order > 1; orders above most are not summed. */
void sc_sampled_gaussian_renyi(const sc_ratio *rho, const sc_ratio *rate,
                               const sc_ratio *order, uint64_t most, long bits,
                               sc_ball *out);

/* Renyi composition: curves add up at every order, and the best order is converted.
 *
 * For each part the least that is proved counts: its curve, its rho, what any mechanism of its pure
 * epsilon has, and, on a Poisson sample, the sum above for Gaussian noise and the
 * amplified epsilon for the rest; a sample never has more than the whole. A part that holds only but
 * for an event adds the probability of it to delta. The sum is converted by Canonne, Kamath and
 * Steinke.
 *
 *     renyi          curves, at the best order
 *     renyi-filter   curves, at the best of 16 orders that are fixed beforehand, each at a 16th of delta: what has been
 *                    spent at an order can be held against a limit as answers come, so that it is a filter
 *     concentrated   rho (and xi) alone: one line for all orders, so that it is a filter as well
 *
 * Claim  renyi.upper  no composition of such parts has more at that delta
 * Claim  renyi-filter.upper  nor where parameters follow from answers, as long as at one of the orders the sum is no more
 * Claim  concentrated.upper  nor by the line
 *
 * Reference  spec/local-and-accounting.md 5, 6; spec/papers-additions.md 1.6
 */

extern const sc_accountant sc_accountant_renyi;
extern const sc_accountant sc_accountant_renyi_filter;
extern const sc_accountant sc_accountant_concentrated;

/* The sum of the parts' curves, as a curve: what `scrim compose` may plot. delta is the mass that is
 * left out of it. */
typedef struct sc_renyi_sum sc_renyi_sum;

/* *out is NULL when some part has no finite divergence; freed by sc_renyi_sum_free, NULL included.
 * The bag is kept. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_renyi_sum_new(const sc_bag *bag, bool is_concentrated,
                                             sc_renyi_sum **out, scrim_error *error);
void sc_renyi_sum_free(sc_renyi_sum *sum);
/* The curve without what is left out; lives as long as the sum. */
const sc_curve *sc_renyi_sum_curve(const sc_renyi_sum *sum);

#endif
