/* The mechanism `body`, a quantile in every direction. First, how M quantiles share one budget: by pure composition, epsilon/M for
 * each; or, if there is a delta, by concentrated composition. The one that leaves more for each is used.
 *
 *     pure          each = epsilon/M
 *     concentrated  rho is what (epsilon, delta) allow; a quantile of epsilon_i costs epsilon_i^2/8, as it is of
 *                   bounded range, so each = sqrt(8 rho/M)
 *
 * Both are rounded down, so that all of them together stay within the budget.
 *
 * Claim  body-budget.within  M each <= epsilon, or M each^2/8 <= rho where rho keeps delta at epsilon
 *
 * Reference  spec/floating-body.md 6.1
 */
#ifndef SC_MECHANISM_BODY_BODY_QUANTILES_H
#define SC_MECHANISM_BODY_BODY_QUANTILES_H

#include "base/number/ratio.h"
#include "base/status.h"
#include "model/mechanism.h"

#include <stddef.h>

typedef struct sc_body_budget {
    bool is_concentrated;
    sc_ratio rho;  /* if is_concentrated: of all quantiles together */
    sc_ratio each; /* epsilon of one quantile */
} sc_body_budget;

void sc_body_budget_init(sc_body_budget *budget);
void sc_body_budget_clear(sc_body_budget *budget);

/* epsilon > 0; delta is in [0, 1). SCRIM_E_LIMIT where less than 10^-6 is left for each. */
SCRIM_MUST_USE scrim_status sc_body_budget_set(sc_body_budget *budget,
                                               const sc_ratio *epsilon,
                                               const sc_ratio *delta, size_t count,
                                               scrim_error *error);

/* A floating body by its directions: a quantile of the rows in every public direction, by the exponential mechanism over
 * ranks.
 *
 * Input       rows of `dimensions` numbers, each clamped to [lower, upper] and put on the grid; a unit owns one row, or at
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

extern const sc_mechanism sc_body_mechanism;

#endif
