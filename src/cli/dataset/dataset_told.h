/* The notes for an owner on standard error when a dataset was added or changed, with its cautions. The change
 * is done: whatever is told now, and whether it can be, alters nothing. --quiet leaves all of it out. */
#ifndef SC_CLI_DATASET_TOLD_H
#define SC_CLI_DATASET_TOLD_H

#include "cli/terminal/options.h"

/* "updated dataset NAME (version 2), budget ...". */
SCRIM_MUST_USE scrim_status sc_dataset_tell_version(scrim_vault *vault, const char *name,
                                                    const sc_options *options,
                                                    const char *what, scrim_error *error);
typedef struct sc_dataset_added {
    bool has_source, lacks_columns;
    bool has_typed_budget; /* when asked for it, with its caution: that is not repeated */
} sc_dataset_added;
SCRIM_MUST_USE scrim_status sc_dataset_tell_added(scrim_vault *vault, const char *name,
                                                  const sc_options *options,
                                                  const sc_dataset_added *facts,
                                                  scrim_error *error);
/* before: the version that it had. */
SCRIM_MUST_USE scrim_status sc_dataset_tell_changed(scrim_vault *vault, const char *name,
                                                    const sc_options *options,
                                                    uint64_t before, scrim_error *error);

#endif
