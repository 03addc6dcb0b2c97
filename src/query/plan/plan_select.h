/* Partition selection: takes the way that keeps the smallest group with probability 1/2; of equal ones, the
 * first.
 *
 * If the question also counts units, a way that shows its noisy counts needs no second draw, and gets its
 * share. plan_choice.h decides between that and the best way with a draw; the statement holds the decision.
 *
 * If HAVING gives the least number of units of a group (released.h), stabilise selects the keys by that
 * threshold, or by a higher one that delta needs. No other way is tried: one draw serves both.
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

/* Does the question count units of private keys, so that a selection could show them? In a series that continues it
 * shows those of known keys whatever they are (noisy_threshold.h), at the same charge. */
bool sc_plan_select_asks(const sc_planned_statement *statement);
/* Does the selection show the units that are asked for, so that they are not drawn again? */
bool sc_plan_select_shows(const sc_planned_statement *statement);
/* The chosen one; NULL if none is chosen. */
const sc_key_choice *sc_plan_select_chosen(const sc_key_choice *choices, size_t count);

/* The budget of a selection. */
typedef struct sc_select_budget {
    scrim_neighbours neighbours;
    const sc_ratio *epsilon, *delta;
} sc_select_budget;

/* choices has room for SC_PLAN_CHOICES; the measurements, which are also in made, are freed by the
 * caller, also on failure. SCRIM_E_LIMIT when there is no way at this epsilon and delta. */
SCRIM_MUST_USE scrim_status sc_plan_select(const sc_planned_statement *statement,
                                           const sc_select_budget *budget,
                                           sc_key_choice *choices, size_t *count,
                                           scrim_measurement **made, scrim_error *error);

/* The same without a statement: a unit has at most max_groups keys; shows: only ways that show their noisy
 * counts. */
SCRIM_MUST_USE scrim_status sc_plan_select_ways(uint64_t max_groups, bool shows,
                                                const sc_select_budget *budget,
                                                sc_key_choice *choices, size_t *count,
                                                scrim_measurement **made,
                                                scrim_error *error);

/* The smallest group that each other way of the same cost keeps with probability 1/2, as in
 * "partition-selection 76, threshold-laplace 87"; nothing where taken is no selection. */
void sc_plan_select_put_others(const scrim_measurement *taken, sc_text_sink *out);

#endif
