/* The owner's table of bounds: what max-groups and max-rows keep, and what noise they need. All of
 * it is SENSITIVE. */
#ifndef SC_CLI_BOUND_VIEW_H
#define SC_CLI_BOUND_VIEW_H

#include "cli/terminal/options.h"

/* scrim dataset check NAME --bounds. */
SCRIM_MUST_USE scrim_status sc_bound_view_check(scrim_vault *vault, const char *name,
                                                const sc_options *options,
                                                scrim_error *error);
/* For somebody who is being asked for bounds: the share of rows that each choice keeps, on standard
 * error. */
SCRIM_MUST_USE scrim_status sc_bound_view_say(const char *policy, scrim_error *error);

#endif
