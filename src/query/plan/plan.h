/* The plan of a query, or of a batch of them: which numbers are drawn by which mechanism, with
 * what share of the budget, at what cost and with what error. It is made from public facts alone;
 * no data are opened.
 *
 * A batch is planned as one: its statements share epsilon and delta, and are charged together.
 *
 * Claim  plan.budget    what all parts of all statements cost together is never above the epsilon
 *                       and the delta that were asked for, as rationals; their shares add up to
 *                       exactly 1 (A31)
 * Claim  plan.question  parts, measurements and keys are the same whenever the question, the
 *                       version and the program are; the question says all that they depend on
 * Claim  plan.nested    no unit moves the counts of a nested plan, all of which are sums of the groups of the source,
 *                       by more than what is charged: the loss over all statements is at most that of the plan
 * Claim  plan.public    a plan opens no source: it is made from the vault and the query alone
 * Claim  plan.refuses   what needs a delta, what is beyond the limits of a mechanism and what is
 *                       outside of its domain is refused before data are opened
 */
#ifndef SC_QUERY_PLAN_H
#define SC_QUERY_PLAN_H

#include "query/plan/plan_model.h"

/* scrim_plan_new. Without a vault dataset is the text of a policy: such a plan has errors, and cannot be asked. series, which is copied, is NULL for a query of its own. A release of a series is one
 * statement. nesting is NULL where each statement bounds its own rows; else all are COUNT(*) by public keys.
 * SCRIM_E_LIMIT where a unit may have more than SC_SCHEMA_CONTRIBUTION rows in a sum. */
SCRIM_MUST_USE scrim_status sc_plan_new(scrim_vault *vault, const char *dataset,
                                        const char *const *queries, size_t count,
                                        const scrim_query_options *options,
                                        const sc_plan_series *series,
                                        const sc_plan_nesting *nesting, scrim_plan **out,
                                        scrim_caret *caret, scrim_error *error);

#endif
