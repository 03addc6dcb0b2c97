/* A privacy curve: all that is proved about the privacy of one release, before any data exist.
 *
 * It can be asked for the delta at an epsilon, and for the Renyi divergence of an order. Each
 * answer is a ball whose upper end is never below the true value for the worst pair of
 * neighbours, in both directions; where nothing finite is proved it is infinite. The kinds that
 * many mechanisms share are below, and a mechanism may bring its own (curve_kind.h).
 *
 * Claim  curve.bounds  a curve's delta and Renyi divergence are never below those of the pair
 *                      of laws that it stands for
 *
 * Reference  spec/mechanisms.md 2.1, 2.3, 7, 8.3, 8.6; spec/local-and-accounting.md 5, 6
 */
#ifndef SC_MODEL_CURVE_H
#define SC_MODEL_CURVE_H

#include "model/curve_kind.h"

void sc_curve_init(sc_curve *curve); /* without functions: nothing is proved */
void sc_curve_clear(sc_curve *curve);
void sc_curve_set(sc_curve *out, const sc_curve *curve); /* the context is shared */

/* epsilon-DP: randomised response of this epsilon dominates it. */
void sc_curve_set_pure(sc_curve *curve, const sc_ratio *epsilon);
/* epsilon-DP and of epsilon-bounded range, so that it is epsilon^2/8 concentrated. */
void sc_curve_set_bounded_range(sc_curve *curve, const sc_ratio *epsilon);
/* (epsilon, delta)-DP and nothing more. */
void sc_curve_set_approximate(sc_curve *curve, const sc_ratio *epsilon,
                              const sc_ratio *delta);
/* rho-concentrated. */
void sc_curve_set_concentrated(sc_curve *curve, const sc_ratio *rho);
/* Does rho-concentrated privacy imply (epsilon, delta)-DP, as the conversion proves it? */
bool sc_rho_implies(const sc_ratio *rho, const sc_ratio *epsilon, const sc_ratio *delta);
/* (xi, rho)-concentrated: xi + rho order. */
void sc_curve_set_line(sc_curve *curve, const sc_ratio *xi, const sc_ratio *rho);
/* count releases, fixed in advance, of epsilon each (Kairouz, Oh, Viswanath). */
void sc_curve_set_composed(sc_curve *curve, const sc_ratio *epsilon, uint64_t count);
/* Discrete Laplace noise of a scale against an integer shift, exactly; also for a vector whose
 * l1 norm moves by so much. */
void sc_curve_set_laplace(sc_curve *curve, const sc_ratio *scale, uint64_t shift);
/* Discrete Gaussian noise on one integer against an integer shift, exactly. */
void sc_curve_set_gaussian(sc_curve *curve, const sc_ratio *variance, uint64_t shift);
/* Shifted Laplace noise of epsilon and q on an integer that moves by 1, exactly (vector_loss.h); or,
 * twice, on two of them that both do. */
void sc_curve_set_shifted(sc_curve *curve, const sc_ratio *epsilon, uint64_t q,
                          bool is_twice);

/* The answers; a smaller one that follows from the other (delta from Renyi divergences by
 * Canonne, Kamath and Steinke) is not searched for where the kind has its own. */
void sc_curve_delta_upper(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                          sc_ball *out);
void sc_curve_renyi_upper(const sc_curve *curve, const sc_ratio *order, long bits,
                          sc_ball *out);
/* A rational epsilon >= 0 with delta_upper(epsilon) <= delta, as small as 2^-40 of it allows;
 * false when no epsilon below 2^20 does. 0 < delta < 1, or 0 where the curve is pure. */
bool sc_curve_epsilon_upper(const sc_curve *curve, const sc_ratio *delta, sc_ratio *out);

#endif
