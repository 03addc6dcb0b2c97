/* The policy of an owner who leaves before the end, kept in a file that `scrim dataset add --policy`
 * goes on with. */
#ifndef SC_CLI_WIZARD_DRAFT_H
#define SC_CLI_WIZARD_DRAFT_H

#include "cli/dataset/wizard_answers.h"

#include <limits.h>

/* Was anything answered that would be lost? */
bool sc_wizard_has_answers(const sc_wizard *wizard);
/* Is this text of a policy file a draft? */
bool sc_wizard_is_draft(const char *text, size_t bytes);
/* Replaces the draft that was resumed, if it is of the same name; else writes NAME.policy, or NAME-2.policy and so on where that is
 * there already, into the current folder: whole or not at all. What is missing stands in comments. path is
 * where it is. */
SCRIM_MUST_USE scrim_status sc_wizard_keep_draft(const sc_wizard *wizard,
                                                 char path[PATH_MAX], scrim_error *error);

#endif
