/* Declarations of an owner from the command line: a policy comes from a file, from options or from answers on a
 * terminal, is entered in the vault, and the rows are compared with it. */
#ifndef SC_CLI_DATASET_DECLARE_H
#define SC_CLI_DATASET_DECLARE_H

#include "cli/dataset/policy_draft.h"
#include "cli/terminal/interview.h"
#include "cli/terminal/options.h"

typedef struct sc_dataset_call {
    const sc_options *options;
    const char *name;             /* NULL: all datasets, or one that has no name yet */
    char answer[SC_ANSWER_BYTES]; /* the name, if the owner typed it when asked */
    scrim_vault *vault;
    sc_policy_draft draft;
    const char *resumed;   /* the file of a draft that the wizard continues, or NULL */
    bool has_typed_budget; /* the owner typed it when asked, and has seen its caution */
} sc_dataset_call;

/* A new dataset. On a terminal the wizard asks for what is missing. */
SCRIM_MUST_USE scrim_status sc_dataset_declare_add(sc_dataset_call *call,
                                                   scrim_error *error);
/* Another policy: --policy FILE replaces all of it, other options change their lines of the present one. */
SCRIM_MUST_USE scrim_status sc_dataset_declare_set(sc_dataset_call *call,
                                                   scrim_error *error);
/* The same policy for new contents of the source: a new version. */
SCRIM_MUST_USE scrim_status sc_dataset_declare_update(sc_dataset_call *call,
                                                      scrim_error *error);
/* A public table that questions may join. It is a part of the policy. */
SCRIM_MUST_USE scrim_status sc_dataset_declare_join(sc_dataset_call *call,
                                                    scrim_error *error);

#endif
