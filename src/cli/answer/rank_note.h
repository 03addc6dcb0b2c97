/* A top list whose order the noise leaves undecided, from released values alone. */
#ifndef SC_CLI_RANK_NOTE_H
#define SC_CLI_RANK_NOTE_H

#include "cli/terminal/output.h"
#include "scrim.h"

/* What a top list sorts by first, as written: a name without its quotes, the number of a column, or the
 * beginning of an expression; false: it has no ORDER BY, or neither LIMIT nor TOP. */
bool sc_rank_name(const char *query, char name[SCRIM_COLUMN_BYTES]);
/* "ranks       ..." for each ORDER BY ... LIMIT by a value whose intervals overlap in neighbouring rows. */
void sc_rank_note_write(sc_output *output, const scrim_result *result);

#endif
