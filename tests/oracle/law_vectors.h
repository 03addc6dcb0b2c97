/* Rows of the golden vectors that describe a law. */
#ifndef LAW_VECTORS_H
#define LAW_VECTORS_H

#include "sampling/law.h"
#include "vectors.h"

/* Checks whichever of pmf, cdf, tail_ge, variance and accuracy a row has: lists of
 * [k, "probability"], a number, a list of {beta, a, prob_abs_gt_a}. */
void law_vectors_check(const sc_law *law, const json_t *row);

/* "t/s" of two integers, and 1/x of a decimal, as text. */
void law_vectors_quotient(const json_t *t, const json_t *s, char text[64]);
void law_vectors_reciprocal(const json_t *x, char text[SC_RATIO_TEXT_BYTES]);

#endif
