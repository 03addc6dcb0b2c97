/* scrim distance theta-sensitivity FILE: how far apart the distributions of a randomised query are on
 * neighbouring inputs, ignoring a mass of theta, for every theta or for one.
 *
 * The file is JSON: {"laws": {"a": [["0", "9/10"], ["50", "1/10"]], "b": [[1, 0.9], [90, 0.1]]},
 * "neighbours": [["a", "b"]]}. A law lists places and masses, exact numbers or strings of them;
 * without neighbours every two inputs are. */
#ifndef SC_CLI_THETA_TABLE_H
#define SC_CLI_THETA_TABLE_H

#include "cli/terminal/options.h"

/* theta NULL: all. SCRIM_E_INPUT with the number of the line that has another form. */
SCRIM_MUST_USE scrim_status sc_theta_table(const sc_options *options, const char *path,
                                           const char *theta, scrim_error *error);

#endif
