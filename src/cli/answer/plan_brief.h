/* A plan in few lines: what each number is expected to be off by, and what asking costs. For people who are about to ask.
 * `scrim explain` says all of it. */
#ifndef SC_CLI_PLAN_BRIEF_H
#define SC_CLI_PLAN_BRIEF_H

#include "cli/answer/query_request.h"

typedef enum sc_plan_price {
    SC_PLAN_COSTS,
    SC_PLAN_IS_FREE,     /* a release answers it already */
    SC_PLAN_DOES_NOT_FIT /* the budget has less left */
} sc_plan_price;

/* Writes to standard error; the plan has seen no row. */
SCRIM_MUST_USE scrim_status sc_plan_brief(const sc_query_request *request,
                                          const sc_options *options, sc_plan_price *price,
                                          scrim_error *error);

#endif
