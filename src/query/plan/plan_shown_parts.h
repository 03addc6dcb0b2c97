/* The parts of a statement as `explain` shows them: what each draws, by which mechanism, at which share and
 * cost, and how far its noise reaches. */
#ifndef SC_QUERY_PLAN_SHOWN_PARTS_H
#define SC_QUERY_PLAN_SHOWN_PARTS_H

#include "query/plan/plan_model.h"
#include "query/plan/texts.h"

/* One for each part; NULL without memory. The bundle has a cost for each part that has an epsilon, in their
 * order, which are taken from costs; a part that has rho alone costs that. */
const scrim_plan_part *sc_plan_show_parts(sc_texts *texts, const sc_planned_statement *s,
                                          const sc_exact_cost **costs);

#endif
