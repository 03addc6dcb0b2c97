/* The methods of synthetic records: their plans, checked and forecast before the charge, and followed after it. */
#ifndef SC_SYNTH_METHOD_H
#define SC_SYNTH_METHOD_H

#include "synth/release/synth_domain.h"

/* The total that is charged. As sc_allowance_new. */
SCRIM_MUST_USE scrim_status sc_synth_allowance(const scrim_synth *synth,
                                               sc_allowance **out, scrim_error *error);
/* Refuses a plan that its method cannot follow, and sets the errors of the plan. SCRIM_E_PARAM, SCRIM_E_LIMIT,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_forecast(scrim_synth *synth, scrim_error *error);
/* Draws all of it; rounds is ready. */
SCRIM_MUST_USE scrim_status sc_synth_follow(const scrim_synth *synth, sc_rounds *rounds,
                                            scrim_error *error);

#endif
