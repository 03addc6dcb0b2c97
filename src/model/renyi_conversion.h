/* From Renyi divergences to (epsilon, delta), by Canonne, Kamath and Steinke.
 *
 * With r the divergence of order a > 1, in both directions:
 *
 *     ln delta = (a-1)(r - epsilon) - ln(a-1) + a ln(1 - 1/a)
 *     epsilon  = r + ln(1 - 1/a) - (ln delta + ln a)/(a-1)
 *
 * Any order is sound. The one that is used is searched for, and a poor search costs tightness,
 * never privacy.
 *
 * Claim  conversion.sound  what is converted is never below what the curve's own pair of laws has
 * Claim  conversion.distance  neither is the distance: of a rho it is at most sqrt(rho / 2)
 *
 * Reference  spec/local-and-accounting.md 5, 6
 */
#ifndef SC_MODEL_RENYI_CONVERSION_H
#define SC_MODEL_RENYI_CONVERSION_H

#include "model/curve_kind.h"

/* ln delta at an epsilon, and epsilon at a ln delta, at the best order found; false when no
 * order gives a finite one. The curve has a renyi function. */
bool sc_renyi_log_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out);
bool sc_renyi_epsilon(const sc_curve *curve, const sc_ball *log_delta, long bits,
                      sc_ball *out);
/* The largest rho, up to the search, whose conversion gives ln delta at epsilon: the order a
 * allows (epsilon + (ln delta + ln(a-1) - a ln(1 - 1/a))/(a-1)) / a. False when that is not above
 * 0 at any order. */
bool sc_renyi_rho(const sc_ratio *epsilon, const sc_ball *log_delta, long bits,
                  sc_ball *out);

/* The distance in total variation, which is delta at epsilon 0 and never below delta at any other: at most sqrt(r / 2)
 * (Pinsker) and sqrt(1 - exp(-r)) (Bretagnolle, Huber), where r is the divergence of the smallest order, which is not below
 * that of order 1. False where r is not finite. */
bool sc_renyi_distance(const sc_curve *curve, long bits, sc_ball *out);
/* delta at an epsilon: the smaller of the two. */
bool sc_renyi_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                    sc_ball *out);

/* The smallest order that a conversion tries, 1 + 2^-14. */
void sc_renyi_smallest_order(sc_ratio *out);
/* order - 1. */
void sc_renyi_less_one(const sc_ratio *order, sc_ratio *out);

#endif
