/* What is certain of a quantile before it is drawn: between which quantiles of the rows it lies. How far
 * that is in the unit of the column depends on how far values are apart there, which is private.
 *
 * Claim  plan-ranks.holds    a quantile is between the two that are named with the confidence, in every
 *                            table of as many rows as are expected
 * Claim  plan-ranks.unknown  an error in the unit of the column is predicted only where the deviation of the
 *                            column is guessed; else it is said to be unknown, and no target takes it for known
 */
#ifndef SC_QUERY_PLAN_RANKS_H
#define SC_QUERY_PLAN_RANKS_H

#include "query/plan/plan_model.h"

typedef struct sc_plan_ranks {
    const char *radius; /* at most so many rows from its rank */
    const char *text;   /* the same as a sentence without an end */
} sc_plan_ranks;

/* By the certificate of what selects the quantile, in the arena; "" for other aggregates. False without
 * memory. */
bool sc_plan_ranks_of(const scrim_plan *plan, const sc_planned_statement *statement,
                      size_t aggregate, sc_arena *arena, sc_plan_ranks *out);

/* The quantile that makes the error of an output unknown; NULL: there is none. */
const sc_query_aggregate *sc_plan_unknown_of(const scrim_plan *plan,
                                             const sc_query *query,
                                             const sc_query_output *output);

#endif
