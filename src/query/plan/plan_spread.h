/* How far noise spreads, known before anything is drawn: the ranks of quantiles, and the standard deviation
 * of a part's noise.
 *
 * A quantile is certain to lie between two quantiles of the rows. Their distance in the unit of the column
 * depends on the values there, which is private.
 *
 * Claim  plan-ranks.holds    with the confidence, a quantile lies between the two that are named, in every
 *                            table with the expected number of rows
 * Claim  plan-ranks.unknown  an error in the unit of the column is predicted only if the caller guesses the deviation of
 *                            the column; otherwise it is unknown, and no target treats it as known
 */
#ifndef SC_QUERY_PLAN_SPREAD_H
#define SC_QUERY_PLAN_SPREAD_H

#include "query/estimate/shown.h"
#include "query/plan/plan_model.h"

typedef struct sc_plan_ranks {
    const char *radius; /* upper bound of the distance from its rank, in rows */
    const char *text;   /* the same as a sentence without a full stop */
} sc_plan_ranks;

/* From the certificate of the selecting mechanism, in the arena; "" for other aggregates. False without
 * memory. */
bool sc_plan_ranks_of(const scrim_plan *plan, const sc_planned_statement *statement,
                      size_t aggregate, sc_arena *arena, sc_plan_ranks *out);

/* The quantile that makes the error of an output unknown; NULL if it is known. */
const sc_query_aggregate *sc_plan_unknown_of(const scrim_plan *plan,
                                             const sc_query *query,
                                             const sc_query_output *output);

/* The unit of a statistic's numbers: 1 for counts, the step of the column for sums, its square for sums of squares. */
void sc_plan_step(const sc_planned_statement *statement, size_t statistic, sc_ratio *out);

/* The standard deviation of a part's noise as explain and labels show it, in the unit of its
 * column, rounded up; "" for noise without a standard deviation. Only the query and the
 * statistics of the statement are read. */
void sc_plan_put_deviation(const sc_planned_statement *statement,
                           const sc_drawn_part *part, char out[SC_SHOWN_THREE_BYTES]);

/* The same for the counts that a partition selection shows, and for the counts of people whose rows are cut. */
void sc_plan_put_selection_deviation(const scrim_measurement *measurement,
                                     char out[SC_SHOWN_THREE_BYTES]);

#endif
