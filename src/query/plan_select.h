/* Ways to choose discovered keys, held against each other: the smallest group that is kept with
 * probability 1/2 decides (spec/thresholding.md 6).
 *
 * Where one unit is in one group, partition selection is optimal and is taken. Where units are
 * asked for besides and one unit is in several groups, a way that shows its noisy counts is taken:
 * they are the answer, and no second draw is paid for.
 *
 * Claim  plan-select.smallest  no other way that was looked at, and shows what it must, keeps a
 *                              smaller group with probability 1/2
 */
#ifndef SC_QUERY_PLAN_SELECT_H
#define SC_QUERY_PLAN_SELECT_H

#include "query/plan.h"
#include "query/sensitivity.h"

#define SC_PLAN_CHOICES 3

/* Does the selection show the units that are asked for, so that they are not drawn again? */
bool sc_plan_select_shows(const sc_plan_statement *statement);

/* choices has room for SC_PLAN_CHOICES; the measurements, which are also in made, are freed by the
 * caller, also on failure. SCRIM_E_LIMIT when there is no way at this epsilon and delta. */
SCRIM_MUST_USE scrim_status sc_plan_select(const sc_plan_statement *statement,
                                           scrim_neighbours neighbours,
                                           const sc_ratio *epsilon, const sc_ratio *delta,
                                           sc_plan_choice *choices, size_t *count,
                                           scrim_measurement **made, scrim_error *error);

#endif
