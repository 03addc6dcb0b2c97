/* Compares the ways to select private keys: the one that keeps the smallest group with probability
 * 1/2 is taken, and the first of several that keep the same one.
 *
 * Where units are asked for besides, a way that shows its noisy counts needs no second draw, and
 * has what that would cost. Whether that is better than the best way of all and a draw is settled
 * by plan_choice.h; here the statement says which of both it is.
 *
 * Where HAVING says how many units a group has at least (released.h), stabilise selects the keys by
 * that threshold, or by a higher one that delta needs, and no other way is looked at: one draw selects
 * and is HAVING.
 *
 * Claim  plan-select.least     a group is kept exactly where its units with noise reach the number of
 *                              HAVING, or the threshold of delta if that is higher
 * Claim  plan-select.smallest  no other way that was looked at, and shows what it must, keeps a
 *                              smaller group with probability 1/2
 */
#ifndef SC_QUERY_PLAN_SELECT_H
#define SC_QUERY_PLAN_SELECT_H

#include "query/plan/plan_model.h"
#include "query/rows/sensitivity.h"

/* The most choices of one statement: all ways, and the best of the other kind where units are asked
 * for. */
#define SC_PLAN_CHOICES 5

/* Are units asked for beside discovered keys? Not of a selection that known keys pass by, as in a
 * series that continues: it has no counts of those. */
bool sc_plan_select_asks(const sc_planned_statement *statement);
/* Does the selection show the units that are asked for, so that they are not drawn again? */
bool sc_plan_select_shows(const sc_planned_statement *statement);
/* The one that is taken; NULL when there is none. */
const sc_key_choice *sc_plan_select_chosen(const sc_key_choice *choices, size_t count);

/* choices has room for SC_PLAN_CHOICES; the measurements, which are also in made, are freed by the
 * caller, also on failure. SCRIM_E_LIMIT when there is no way at this epsilon and delta. */
SCRIM_MUST_USE scrim_status sc_plan_select(const sc_planned_statement *statement,
                                           scrim_neighbours neighbours,
                                           const sc_ratio *epsilon, const sc_ratio *delta,
                                           sc_key_choice *choices, size_t *count,
                                           scrim_measurement **made, scrim_error *error);

/* The same by numbers alone: the ways to select keys of which a unit has at most max_groups, or with shows only those
 * that show their noisy counts. As sc_plan_select. */
SCRIM_MUST_USE scrim_status sc_plan_select_ways(
    uint64_t max_groups, bool shows, scrim_neighbours neighbours, const sc_ratio *epsilon,
    const sc_ratio *delta, sc_key_choice *choices, size_t *count,
    scrim_measurement **made, scrim_error *error);

/* The smallest group that each other way of the same cost keeps with probability 1/2, as in
 * "partition-selection 76, threshold-laplace 87"; nothing where taken is no selection. */
void sc_plan_select_put_others(const scrim_measurement *taken, sc_text_sink *out);

#endif
