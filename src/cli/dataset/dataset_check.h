/* scrim dataset check: what of the source is not as it was declared, for the owner alone. All that is
 * said is about raw data and marked SENSITIVE, in every format: on every line, or above a table. No value is shown. */
#ifndef SC_CLI_DATASET_CHECK_H
#define SC_CLI_DATASET_CHECK_H

#include "cli/terminal/options.h"

/* SCRIM_E_CHECK, after the table was written, when something is not as declared. */
SCRIM_MUST_USE scrim_status sc_dataset_check(scrim_vault *vault, const char *name,
                                             const sc_options *options,
                                             scrim_error *error);

/* scrim dataset check NAME --risk: how many people are unique by which columns, and with --sensitive what their classes
 * tell of that column. */
SCRIM_MUST_USE scrim_status sc_dataset_risk(scrim_vault *vault, const char *name,
                                            const sc_options *options,
                                            scrim_error *error);

/* After a declaration, for an owner who sits at a terminal: the findings that are not as declared and what to do about
 * them, on standard error. A script gets nothing of it: it is due only where standard input and standard error are
 * terminals, and not with --quiet or --no-check; its outcome is no status, since the declaration was made. */
bool sc_dataset_check_is_due(const sc_options *options);
void sc_dataset_check_declared(scrim_vault *vault, const char *name);

#endif
