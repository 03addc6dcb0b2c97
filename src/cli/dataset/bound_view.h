/* The owner's table of bounds: what totals of rows, or max-groups and max-rows, keep, and what noise they need. All of
 * it is SENSITIVE. */
#ifndef SC_CLI_BOUND_VIEW_H
#define SC_CLI_BOUND_VIEW_H

#include "cli/terminal/options.h"

/* scrim dataset check NAME --bounds. */
SCRIM_MUST_USE scrim_status sc_bound_view_check(scrim_vault *vault, const char *name,
                                                const sc_options *options,
                                                scrim_error *error);
/* The same table of a policy that is about to be declared, on standard error, for somebody who is being
 * asked for bounds. by: the columns of GROUP BY, separated by commas; NULL: totals for typical questions. */
SCRIM_MUST_USE scrim_status sc_bound_view_say(const char *policy, const char *by,
                                              const char *epsilon, scrim_error *error);

#endif
