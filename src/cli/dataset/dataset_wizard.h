/* The owner is asked on a terminal for what a policy lacks. Nothing is guessed: of the source the
 * header alone is looked at, for the names of columns, which are shown and, where one is misspelt,
 * recalled; unit, ranges and budget have no default.
 * Each answer is checked when it is given, and asked for again when it is not right; what was said
 * before the first question is checked before it. */
#ifndef SC_CLI_DATASET_WIZARD_H
#define SC_CLI_DATASET_WIZARD_H

#include "cli/dataset/wizard_line.h"

/* Fills draft, shows it as it will be kept and asks for consent. SCRIM_E_PARAM when the owner
 * leaves, or does not agree, and what is wrong with the draft as it comes: SCRIM_E_INPUT for a source
 * that cannot be read or lacks a column. */
SCRIM_MUST_USE scrim_status sc_dataset_wizard(const char *name, sc_policy_draft *draft,
                                              sc_population_finder *find, void *context,
                                              scrim_error *error);

#endif
