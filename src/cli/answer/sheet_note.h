/* Notes beside a released table: groups that were kept, the order of rows, and the note that a replay reads again. */
#ifndef SC_CLI_SHEET_NOTE_H
#define SC_CLI_SHEET_NOTE_H

#include "cli/answer/answer_sheet.h"
#include "cli/terminal/output.h"
#include "scrim.h"

#include <stdbool.h>

/* Which rows the numbers of an answer are about, each sentence once: bounds make counts smaller than people expect. */

/* Writes a sentence for each statement. All statements of a tree count the same rows: only those with the finest groups describe
 * them, and clauses that they share are written once. */
void sc_kept_note_write(sc_output *talk, const scrim_result *result, bool is_tree);

/* Top lists (ORDER BY with LIMIT) whose order the noise leaves undecided. Uses released values only. */

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
 * Every line is optional and may be shown. A label that the answer does not show is empty. Unknown lines are ignored.
 */

/* The default confidence of intervals. */
#define SC_CONFIDENCE_USUAL "0.95"

typedef struct sc_sheet_note {
    const char
        *confidence; /* of the intervals; the default if the note has no such line */
    size_t count;    /* of the values that the certificate is for; 0: not known */
    const char *name,
        *label_name;     /* of the columns of values and of labels; may be NULL */
    const char **labels; /* may be NULL */
    size_t label_count;
    char *bytes; /* the parsed text, into which the others point */
} sc_sheet_note;

/* Sets note->labels (freed by free): the labels of values that the answer shows; the others become empty, such as the label of a group
 * that was not kept. labels: label_count of them, or NULL. False without memory. */
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
