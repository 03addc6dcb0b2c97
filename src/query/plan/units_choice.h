/* Units that are asked for beside discovered keys: shown by the selection, or drawn again.
 *
 * A selection that shows noisy counts answers COUNT(DISTINCT unit) by itself, and has the share of
 * the budget that a draw would have had; the best selection shows nothing, and pays for the draw.
 * Both are tried with the whole budget divided as each of them needs it, and of each statement that
 * is taken which keeps the smaller group with probability 1/2; of equals the one that draws less.
 * What was not taken is listed with the others, with the draw that it would need.
 *
 * Claim  units-choice.smallest  neither way, with all of its draws paid for, keeps a smaller group
 *                               with probability 1/2 than the one that is taken
 */
#ifndef SC_QUERY_UNITS_CHOICE_H
#define SC_QUERY_UNITS_CHOICE_H

#include "query/plan/trial.h"

/* The trial of a plan whose statements are these, at its epsilon or at the one that is found for
 * its target. Sets draws_units of the statements. SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_units_choose(scrim_plan *plan,
                                            sc_planned_statement *statements,
                                            sc_trial **out, scrim_error *error);

#endif
