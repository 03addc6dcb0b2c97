/* All series of a vault, a row each: with exact numbers for programs, and fewer columns with short
 * numbers for people. */
#ifndef SC_CLI_SERIES_LIST_H
#define SC_CLI_SERIES_LIST_H

#include "cli/terminal/options.h"

/* To standard output. */
SCRIM_MUST_USE scrim_status sc_series_list_write(const sc_options *options,
                                                 scrim_vault *vault, scrim_error *error);

#endif
