/* The smallest epsilon at which no output of a plan is expected to err by more than a target: a
 * multiple of 1/1000. A relative target is a part of the size that plan_size.h gives each value.
 *
 * Claim  target.smallest  the error that is predicted at the epsilon found is at most the target,
 *                         and at 1/1000 less it is above; where 1000 is not enough, the target is
 *                         refused with the smallest that can be had
 */
#ifndef SC_QUERY_TARGET_H
#define SC_QUERY_TARGET_H

#include "query/plan/noise_choice.h"

/* The epsilon goes into the plan's options, which hold the target. SCRIM_E_PARAM when the target
 * cannot be met, else what a trial fails with. */
SCRIM_MUST_USE scrim_status sc_target_solve(scrim_plan *plan,
                                            const sc_noise_choice *choice,
                                            scrim_error *error);

#endif
