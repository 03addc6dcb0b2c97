/* The meaning of an epsilon in one number: how often somebody can be right who is shown the answer
 * of one of two neighbours, each as likely, and must say which it was. Without the answer it is
 * 1/2.
 *
 * Claim  guess.upper  no rule is right more often than that: the smallest of what the cost proves,
 *                     (exp(epsilon) + delta) / (1 + exp(epsilon)), of a curve (1 + delta(0)) / 2 and
 *                     of a rho what its curve says; rounded up to a thousandth, at most 1
 *
 * Reference  Kairouz, Oh, Viswanath 2015: the region of errors that (epsilon, delta) leaves;
 *            Pinsker's inequality for a rho (renyi_conversion.h)
 */
#ifndef SC_MODEL_GUESS_H
#define SC_MODEL_GUESS_H

#include "model/cost.h"

/* The smallest bound of epsilon and delta, of the rho, and of the curve: what the cost has of them. */
void sc_guess_upper(const sc_exact_cost *cost, sc_ratio *out);

#endif
