/* Which rows the numbers of an answer are about, each sentence once: bounds make counts smaller than people expect. */
#ifndef SC_CLI_KEPT_NOTE_H
#define SC_CLI_KEPT_NOTE_H

#include "cli/terminal/output.h"
#include "scrim.h"

#include <stdbool.h>

/* A sentence for each statement. The statements of a tree count the same rows: those of the finest groups say which, and what they
 * have in common is said once. */
void sc_kept_note_write(sc_output *talk, const scrim_result *result, bool is_tree);

#endif
