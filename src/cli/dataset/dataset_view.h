/* The datasets of a vault as tables: all of them, or the policy of one. */
#ifndef SC_CLI_DATASET_VIEW_H
#define SC_CLI_DATASET_VIEW_H

#include "cli/terminal/options.h"

SCRIM_MUST_USE scrim_status sc_dataset_list(scrim_vault *vault, const sc_options *options,
                                            scrim_error *error);
/* With --policy FILE the policy is written there, with comments, as --policy reads it. */
SCRIM_MUST_USE scrim_status sc_dataset_show(scrim_vault *vault, const char *name,
                                            const sc_options *options,
                                            scrim_error *error);

#endif
