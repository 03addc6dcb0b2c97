/* The texts that the public interface shows of a plan; they live as long as it. */
#ifndef SC_QUERY_PLAN_SHOWN_H
#define SC_QUERY_PLAN_SHOWN_H

#include "query/plan/plan_model.h"

/* errors are those of all outputs, one behind the other, as sc_plan_predict_outputs gives them. Sets
 * plan->shown. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_plan_show(scrim_plan *plan, const sc_ratio *errors,
                                         scrim_error *error);

#endif
