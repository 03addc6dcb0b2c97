/* scrim experiment linear-queries: errors that are enough for linear queries, and limits. */
#ifndef SC_CLI_LINEAR_BOUNDS_WRITER_H
#define SC_CLI_LINEAR_BOUNDS_WRITER_H

#include "cli/terminal/options.h"

/* Writes the bounds of the question that the words behind the experiment's name ask. SCRIM_E_PARAM,
 * SCRIM_E_LIMIT and SCRIM_E_SYNTAX as scrim_linear_bounds_of; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_linear_bounds_show(const sc_options *options,
                                                  scrim_error *error);

#endif
