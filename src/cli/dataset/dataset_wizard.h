/* The owner is asked on a terminal for what a policy lacks. Nothing is guessed: of the source the
 * header alone is looked at, for the names of columns, and its rows only where the owner wants the
 * table of bounds; unit, ranges and budget have no default.
 *
 * Each answer is checked when it is given, and asked for again when it is not right; options and a
 * policy file are checked before the first question. "<" goes back, "?" explains, the last page changes
 * any line. Whoever leaves early keeps a draft in a file; nothing else is ever written. */
#ifndef SC_CLI_DATASET_WIZARD_H
#define SC_CLI_DATASET_WIZARD_H

#include "cli/dataset/wizard_answers.h"

/* Asks for what draft lacks, and for the name where it is NULL; shows the policy as it will be kept,
 * and has the host add it when the owner agrees. SCRIM_E_PARAM when the owner leaves, with the place of
 * the draft, or does not agree; and what is wrong with the draft as it comes: SCRIM_E_INPUT for a source
 * that cannot be read or lacks a column. resumed is the path of the draft that the lines come from, which
 * then is the place where they are kept; NULL: they come from elsewhere. */
SCRIM_MUST_USE scrim_status sc_dataset_wizard(const sc_wizard_host *host,
                                              const char *name, sc_policy_draft *draft,
                                              const char *resumed, scrim_error *error);

#endif
