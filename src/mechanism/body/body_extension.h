/* The extension of a published mechanism from typical tables to all of them, in one dimension and exactly.
 *
 * Input       rows, each clamped to the range of answers and put on the grid; a unit owns one row, and their number is public
 * Output      a value t of [lower - reach spacing, upper + reach spacing] with probability proportional to w[S(t) + clip], S as
 *             extension_score.h has it and w a ladder of integers of ratio exp(epsilon/2)
 * Neighbours  replace
 * Claim       body-extension.privacy   epsilon-DP and of epsilon-bounded range for every input, no delta
 * Claim       body-extension.accuracy  on a typical table the answer is within the radius of the k-th row, k = ceil(q n), with the
 *                                      confidence; on others nothing is promised
 * Claim       body-extension.total     nothing fails by what the rows are
 * Reference   spec/floating-body.md 5
 *
 * For the quantile of a column use `quantile`: it errs less for every input that was tried. This one is for whoever wants the
 * published guarantee. It needs more than reach/q rows, and at least reach/(1 - q).
 *
 * Proof. S moves by at most 1 with a row, so that a weight, and the sum of all, changes by a factor of at most exp(epsilon/2). */
#ifndef SC_MECHANISM_BODY_EXTENSION_H
#define SC_MECHANISM_BODY_EXTENSION_H

#include "model/mechanism.h"

extern const sc_mechanism sc_body_extension;

#endif
