/* `scrim dataset join`: a public table on its way into a policy. */
#ifndef SC_CLI_DATASET_JOIN_H
#define SC_CLI_DATASET_JOIN_H

#include "cli/dataset/policy_draft.h"

/* Puts the table of a CSV file into the draft of a dataset's policy, or takes it away where the file is "none".
 * --on says by which columns, --name its name (the file's if left out), --column its types. */
SCRIM_MUST_USE scrim_status sc_dataset_join(sc_policy_draft *draft, const char *path,
                                            const sc_options *options,
                                            scrim_error *error);
/* A line join=NAME=COLUMN=@FILE, or NAME=COLUMN=KEY=@FILE, becomes the lines of that table. `value` is its value;
 * others stay as they are. */
SCRIM_MUST_USE scrim_status sc_dataset_join_settle(sc_policy_draft *draft,
                                                   const char *value, scrim_error *error);

#endif
