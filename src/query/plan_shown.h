/* What the public interface shows of a plan, as texts that live as long as it. */
#ifndef SC_QUERY_PLAN_SHOWN_H
#define SC_QUERY_PLAN_SHOWN_H

#include "query/plan.h"

typedef struct sc_plan_shown {
    const char *unit, *epsilon, *delta, *confidence, *expect, *guesses;
    const scrim_plan_statement *statements;
    const scrim_plan_output *const *outputs; /* by statement */
    const scrim_plan_part *const *parts;
} sc_plan_shown;

/* errors are those of all aggregates, one behind the other, as sc_plan_predict gives them. Sets
 * plan->shown. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_show(scrim_plan *plan, const sc_ratio *errors,
                                         scrim_error *error);

/* x >= 0 with three digits, rounded up: "0.0123", "4570". */
#define SC_PLAN_DIGITS_BYTES 400
void sc_plan_put_digits(const sc_ratio *x, char out[SC_PLAN_DIGITS_BYTES]);

/* The standard deviation of a part's noise in the unit of its column, rounded up; "" where it has
 * none. Of the statement its query and its statistics are needed. */
void sc_plan_put_deviation(const sc_plan_statement *statement, const sc_plan_part *part,
                           char out[SC_PLAN_DIGITS_BYTES]);

#endif
