/* The meaning of an epsilon in one number: how often somebody can be right who is shown the answer
 * of one of two neighbours, each as likely, and must say which it was. Without the answer it is
 * 1/2.
 *
 * Claim  guess.upper  no rule is right more often than that: (exp(epsilon) + delta) / (1 +
 *                     exp(epsilon)), and of a curve (1 + delta(0)) / 2; rounded up to a
 *                     thousandth, at most 1
 *
 * Reference  Kairouz, Oh, Viswanath 2015: the region of errors that (epsilon, delta) leaves
 */
#ifndef SC_MODEL_GUESS_H
#define SC_MODEL_GUESS_H

#include "model/cost.h"

/* Computed from epsilon and delta where the cost has them, else from its curve. */
void sc_guess_upper(const sc_exact_cost *cost, sc_ratio *out);

#endif
