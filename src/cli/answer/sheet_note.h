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
#ifndef SC_CLI_SHEET_NOTE_H
#define SC_CLI_SHEET_NOTE_H

#include "cli/answer/answer_sheet.h"

/* Of intervals, where nobody asked for another. */
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
/* Of any text; NULL is an empty one. Cleared by sc_sheet_note_clear. */
SCRIM_MUST_USE scrim_status sc_sheet_note_parse(const char *text, sc_sheet_note *out,
                                                scrim_error *error);
/* Also of zeros. */
void sc_sheet_note_clear(sc_sheet_note *note);

#endif
