/* How far noise spreads, known before anything is drawn: the ranks of quantiles, and the standard deviation
 * of a part's noise.
 *
 * A quantile is certain to lie between two quantiles of the rows. Their distance in the unit of the column
 * depends on the values there, which is private.
 *
 * Claim  plan-ranks.holds    a quantile is between the two that are named with the confidence, in every
 *                            table of as many rows as are expected
 * Claim  plan-ranks.unknown  an error in the unit of the column is predicted only where the deviation of the
 *                            column is guessed; else it is said to be unknown, and no target takes it for known
 */
#ifndef SC_QUERY_PLAN_SPREAD_H
#define SC_QUERY_PLAN_SPREAD_H

#include "query/estimate/shown.h"
#include "query/plan/plan_model.h"

typedef struct sc_plan_ranks {
    const char *radius; /* upper bound of the distance from its rank, in rows */
    const char *text;   /* the same as a sentence without an end */
} sc_plan_ranks;

/* From the certificate of the selecting mechanism, in the arena; "" for other aggregates. False without
 * memory. */
bool sc_plan_ranks_of(const scrim_plan *plan, const sc_planned_statement *statement,
                      size_t aggregate, sc_arena *arena, sc_plan_ranks *out);

/* The quantile that makes the error of an output unknown; NULL if it is known. */
const sc_query_aggregate *sc_plan_unknown_of(const scrim_plan *plan,
                                             const sc_query *query,
                                             const sc_query_output *output);

/* The step that a statistic's numbers are in: 1 for counts; squares of a value have the square of its
 * step. */
void sc_plan_step(const sc_planned_statement *statement, size_t statistic, sc_ratio *out);

/* The standard deviation of a part's noise as explain and labels show it, in the unit of its
 * column, rounded up; "" for noise without a standard deviation. Only the query and the
 * statistics of the statement are read. */
void sc_plan_put_deviation(const sc_planned_statement *statement,
                           const sc_drawn_part *part, char out[SC_SHOWN_THREE_BYTES]);

/* The same for the counts that a partition selection shows, and of people who are cut. */
void sc_plan_put_selection_deviation(const scrim_measurement *measurement,
                                     char out[SC_SHOWN_THREE_BYTES]);

#endif
