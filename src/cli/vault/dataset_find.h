/* A dataset of a vault by its name. */
#ifndef SC_CLI_DATASET_FIND_H
#define SC_CLI_DATASET_FIND_H

#include "scrim.h"

/* SCRIM_E_PARAM when there is none of that name; the message has the nearest, if one is near. */
SCRIM_MUST_USE scrim_status sc_dataset_find(scrim_vault *vault, const char *name,
                                            scrim_dataset *out, scrim_error *error);

#endif
