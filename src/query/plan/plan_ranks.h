/* What is certain of a quantile before it is drawn: between which quantiles of the rows it lies. How far
 * that is in the unit of the column depends on how far values are apart there, which is private.
 *
 * Claim  plan-ranks.holds  a quantile is between the two that are named with the confidence, in every
 *                          table of as many rows as are expected
 */
#ifndef SC_QUERY_PLAN_RANKS_H
#define SC_QUERY_PLAN_RANKS_H

#include "query/plan/plan_model.h"

/* A sentence without an end in the arena, by the certificate of what selects the quantile; "" for other
 * aggregates. NULL without memory. */
const char *sc_plan_ranks_text(const scrim_plan *plan,
                               const sc_planned_statement *statement, size_t aggregate,
                               sc_arena *arena);

#endif
