/* How far the noise of a part spreads, as explain and labels show it. */
#ifndef SC_QUERY_PLAN_DEVIATION_H
#define SC_QUERY_PLAN_DEVIATION_H

#include "query/estimate/shown.h"
#include "query/plan/plan_model.h"

/* The step that a statistic's numbers are in: 1 for counts; squares of a value have the square of its
 * step. */
void sc_plan_step(const sc_planned_statement *statement, size_t statistic, sc_ratio *out);

/* The standard deviation of a part's noise in the unit of its column, rounded up; "" where it has
 * none. Only the query and the statistics of the statement are read. */
void sc_plan_put_deviation(const sc_planned_statement *statement,
                           const sc_drawn_part *part, char out[SC_SHOWN_THREE_BYTES]);

/* The same for the counts that a partition selection shows. */
void sc_plan_put_selection_deviation(const scrim_measurement *measurement,
                                     char out[SC_SHOWN_THREE_BYTES]);

#endif
