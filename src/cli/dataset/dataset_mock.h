/* scrim dataset mock: made-up rows that fit the declaration of a dataset. */
#ifndef SC_CLI_DATASET_MOCK_H
#define SC_CLI_DATASET_MOCK_H

#include "cli/terminal/options.h"

/* Writes as many rows as --rows says to the file of --out, or to standard output. */
SCRIM_MUST_USE scrim_status sc_dataset_mock(scrim_vault *vault, const char *name,
                                            const sc_options *options,
                                            scrim_error *error);

#endif
