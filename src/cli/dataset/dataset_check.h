/* scrim dataset check: what of the source is not as it was declared, for the owner alone. All that is
 * said is about raw data and marked SENSITIVE, in every format: on every line, or above a table. No value is shown. */
#ifndef SC_CLI_DATASET_CHECK_H
#define SC_CLI_DATASET_CHECK_H

#include "cli/terminal/options.h"

/* SCRIM_E_CHECK, after the table was written, when something is not as declared. */
SCRIM_MUST_USE scrim_status sc_dataset_check(scrim_vault *vault, const char *name,
                                             const sc_options *options,
                                             scrim_error *error);

#endif
