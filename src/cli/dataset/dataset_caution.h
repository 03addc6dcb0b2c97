/* Questions for an owner to think about once more after a dataset was added, said on standard error and
 * never refused: a budget that promises little, a range that ends at midnight, and people who seem to have two
 * budgets.
 *
 * THREATS A38: a population is chosen by its owner, and a copy of a table under another name would
 * be a second budget for the same people. Files of the same name or size are told. */
#ifndef SC_CLI_DATASET_CAUTION_H
#define SC_CLI_DATASET_CAUTION_H

#include "scrim.h"

#include <stdbool.h>

/* The dataset as it is in the vault now. knows_budget: the owner has seen the caution about the budget already. */
SCRIM_MUST_USE scrim_status sc_dataset_caution_write(scrim_vault *vault,
                                                     const scrim_dataset *dataset,
                                                     bool knows_budget,
                                                     scrim_error *error);
#define SC_MIDNIGHT_BYTES 320
/* About a timestamp column whose last moment is a day without a time, which means midnight; false where it is
 * not. */
bool sc_caution_midnight(const char *name, const char *high,
                         char text[SC_MIDNIGHT_BYTES]);
/* A dataset of another population that has a file of the same name or size as a settled policy;
 * its name is "" if no dataset has. Looks at files as only the owner may. */
SCRIM_MUST_USE scrim_status sc_dataset_find_twin(scrim_vault *vault, const char *policy,
                                                 const char *population,
                                                 scrim_dataset *out, bool *is_same_file,
                                                 scrim_error *error);
/* Shares of a population that are above its budget together. */
SCRIM_MUST_USE scrim_status sc_dataset_caution_shares(scrim_vault *vault,
                                                      const char *population,
                                                      scrim_error *error);
/* Answers to this version of a dataset that now has a newer one: they are no longer repeated. */
SCRIM_MUST_USE scrim_status sc_dataset_caution_answers(scrim_vault *vault,
                                                       const char *name, uint64_t version,
                                                       scrim_error *error);

#endif
