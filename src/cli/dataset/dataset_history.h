/* The changes of the vault's owner: budgets, datasets and their versions, caps and shares. */
#ifndef SC_CLI_DATASET_HISTORY_H
#define SC_CLI_DATASET_HISTORY_H

#include "cli/terminal/options.h"

/* The history of the datasets that have or had this name, or of all (NULL), to standard output in the format that
 * the options ask for, from --since on. */
SCRIM_MUST_USE scrim_status sc_dataset_history(scrim_vault *vault, const char *name,
                                               const sc_options *options,
                                               scrim_error *error);

#endif
