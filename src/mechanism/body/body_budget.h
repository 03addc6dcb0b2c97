/* How M quantiles share one budget: pure, an M-th of epsilon for each; or concentrated, by delta. Whichever leaves more
 * for each of them.
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
#ifndef SC_MECHANISM_BODY_BUDGET_H
#define SC_MECHANISM_BODY_BUDGET_H

#include "base/number/ratio.h"
#include "base/status.h"

#include <stddef.h>

typedef struct sc_body_budget {
    bool is_concentrated;
    sc_ratio rho; /* where it is */
    sc_ratio each;
} sc_body_budget;

void sc_body_budget_init(sc_body_budget *budget);
void sc_body_budget_clear(sc_body_budget *budget);

/* epsilon > 0; delta is in [0, 1). SCRIM_E_LIMIT where less than 10^-6 is left for each. */
SCRIM_MUST_USE scrim_status sc_body_budget_set(sc_body_budget *budget,
                                               const sc_ratio *epsilon,
                                               const sc_ratio *delta, size_t count,
                                               scrim_error *error);

#endif
