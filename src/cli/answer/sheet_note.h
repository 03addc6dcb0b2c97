/* Notes beside a released table: groups that were kept, the order of rows, and the note that a replay reads again. */
#ifndef SC_CLI_SHEET_NOTE_H
#define SC_CLI_SHEET_NOTE_H

#include "cli/answer/answer_sheet.h"
#include "cli/terminal/output.h"
#include "scrim.h"

#include <stdbool.h>

/* Which rows the numbers of an answer are about, each sentence once: bounds make counts smaller than people expect. */

/* A sentence for each statement. The statements of a tree count the same rows: those of the finest groups say which, and what they
 * have in common is said once. */
void sc_kept_note_write(sc_output *talk, const scrim_result *result, bool is_tree);

/* A top list whose order the noise leaves undecided, from released values alone. */

/* The first key that a top list sorts by, as written: a name without its quotes, the number of a column, or the
 * beginning of an expression; false: it has no ORDER BY, or neither LIMIT nor TOP. */
bool sc_rank_name(const char *query, char name[SCRIM_COLUMN_BYTES]);
/* "ranks       ..." for each ORDER BY ... LIMIT by a value whose intervals overlap in neighbouring rows. */
void sc_rank_note_write(sc_output *output, const scrim_result *result);

/* How an answer is shown, kept with it in the vault, so that it can be shown again as it was:
 *
 *     confidence 0.95
 *     count 2
 *     name n
 *     label-name colour
 *     label red
 *     label blue
 *
 * All of it may be shown. A label that the answer does not show is empty. What this version does not know is passed over.
 */

/* The confidence of intervals, where nobody asked for another. */
#define SC_CONFIDENCE_USUAL "0.95"

typedef struct sc_sheet_note {
    const char *confidence; /* of the intervals; the usual one where none was kept */
    size_t count;           /* of the values that the certificate is for; 0: not known */
    const char *name, *label_name; /* NULL: none */
    const char **labels;           /* NULL: none */
    size_t label_count;
    char *bytes; /* what they all lie in, where it was parsed */
} sc_sheet_note;

/* The labels of a note, freed by free: those that the answer shows. Others are empty, such as that of
 * a group that was not kept. labels are label_count, or NULL. False without memory. */
bool sc_sheet_note_take(sc_sheet_note *note, const scrim_answer *answer,
                        const char *const *labels);
/* The text, freed by free; NULL without memory. */
char *sc_sheet_note_format(const sc_sheet_note *note);
/* Reads any text; NULL is an empty one. Cleared by sc_sheet_note_clear. */
SCRIM_MUST_USE scrim_status sc_sheet_note_parse(const char *text, sc_sheet_note *out,
                                                scrim_error *error);
/* Also of zeros. */
void sc_sheet_note_clear(sc_sheet_note *note);

#endif
