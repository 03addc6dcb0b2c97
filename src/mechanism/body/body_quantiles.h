/* A floating body by its directions: a quantile of the rows in every public direction, by the exponential mechanism over
 * ranks.
 *
 * Input       rows of so many numbers, each clamped to [lower, upper] and put on the grid; a unit owns one row, or at
 *             most max-rows=N of them. A row with a number that is missing lies at the lower end of every direction
 * Output      for direction i the cell t_i: origin_i + t_i width_i bounds a half-space that about a share q of the rows
 *             lies in. The body is the intersection of the half-spaces; it and all that follows from it is post-processing
 * Neighbours  replace, add-remove: as quantile.h for each direction
 * Claim       body.privacy   epsilon-DP for every input, no delta; with delta=R (epsilon, delta)-DP by the concentrated sum
 *                            of the directions, where that leaves more for each
 * Claim       body.accuracy  all rank errors are at most the radius, a whole number of rows, with probability at least the
 *                            confidence, for every input
 * Claim       body.total     nothing fails by what the rows are
 * Reference   spec/floating-body.md 6
 *
 * Proof. The cell of a row in a direction is a function of that row (direction_keys.h), so that neighbouring tables have
 * neighbouring keys, and a quantile of keys is private by quantile.md, Theorem 1, with its share of the budget. Directions are
 * drawn independently; pure epsilons add up, and so does epsilon_i^2/8 of releases of bounded range.
 */
#ifndef SC_MECHANISM_BODY_QUANTILES_H
#define SC_MECHANISM_BODY_QUANTILES_H

#include "model/mechanism.h"

extern const sc_mechanism sc_body_mechanism;

#endif
