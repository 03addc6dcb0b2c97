/* An answer laid out in rows and columns of text, whatever it is written as: numbers with
 * their intervals, candidates that were chosen with their labels, or what a sparse vector run
 * said of each query. */
#ifndef SC_CLI_ANSWER_SHEET_H
#define SC_CLI_ANSWER_SHEET_H

#include "cli/display/box.h"
#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

/* An answer and what is known about it. */
typedef struct sc_answer_sheet {
    const scrim_answer *answer;
    const scrim_certificate *certificate;
    const char *measurement;         /* its line */
    const scrim_measurement *source; /* where frequencies may be estimated; or NULL */
    const char *const *labels;       /* of the input's values, or NULL */
    size_t label_count;
    const char *name;                  /* of the values; NULL: "value" */
    const char *label_name;            /* NULL: "label" */
    const scrim_vault_release *charge; /* in a vault; NULL: in none */
    const size_t *rows; /* which values are shown, by sc_answer_rows_new; NULL: all */
    size_t row_count;
} sc_answer_sheet;

/* The groups of labels that were kept: a group that was not has no row, and never a label. Freed by
 * free; NULL where all are shown. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_answer_rows_new(const sc_answer_sheet *sheet, size_t **out,
                                               size_t *count, scrim_error *error);
/* The place among the labels that a value belongs to: that of the candidate chosen, else its own.
 * False for a group that was not kept. */
bool sc_answer_label_place(const scrim_answer *answer, size_t index, size_t *out);
/* How many rows are shown, and the index of the value of one. */
size_t sc_answer_row_count(const sc_answer_sheet *sheet);
size_t sc_answer_row_index(const sc_answer_sheet *sheet, size_t row);

typedef enum sc_answer_subject {
    SCRIM_ANSWER_OF_NUMBERS,
    SCRIM_ANSWER_OF_CHOICES,
    SCRIM_ANSWER_OF_QUERIES
} sc_answer_subject;

sc_answer_subject sc_answer_subject_of(const scrim_answer *answer);

#define SC_ANSWER_NUMBER_BYTES 24

/* One value of it; it stays where it is. */
typedef struct sc_answer_row {
    scrim_answer_kind kind;
    const char *label; /* NULL: none; may lie in number */
    const char *value;
    bool has_interval; /* else both ends are "" */
    char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
    char number[SC_ANSWER_NUMBER_BYTES];
} sc_answer_row;

void sc_answer_row_get(const sc_answer_sheet *sheet, size_t index, sc_answer_row *out);
/* The certificate gives numbers an interval, if any are shown. */
bool sc_answer_has_intervals(const sc_answer_sheet *sheet);
/* The number at an index as an error bar, of no extent where it has no interval; false where
 * there is no number, or none that a double can show. */
bool sc_answer_bar(const sc_answer_sheet *sheet, size_t index, bool is_filled,
                   sc_error_bar *out);

typedef enum sc_answer_column {
    SCRIM_COLUMN_INDEX,
    SCRIM_COLUMN_LABEL,
    SCRIM_COLUMN_ANSWER, /* "below" or "above" */
    SCRIM_COLUMN_VALUE,  /* "" for an answer without a value */
    SCRIM_COLUMN_LOW,
    SCRIM_COLUMN_HIGH
} sc_answer_column;

#define SC_ANSWER_COLUMNS 5
#define SC_ANSWER_NAME_BYTES 256

typedef struct sc_answer_columns {
    sc_answer_column kinds[SC_ANSWER_COLUMNS];
    char names[SC_ANSWER_COLUMNS][SC_ANSWER_NAME_BYTES]; /* cut when they are longer */
    size_t count;
} sc_answer_columns;

/* They follow from the measurement and the input's labels, never from a value: but for what
 * kind of answer it is. */
void sc_answer_columns_get(const sc_answer_sheet *sheet, sc_answer_columns *out);
/* The text in a column of a row; lives as long as both. */
const char *sc_answer_cell(const sc_answer_row *row, sc_answer_column column);

#endif
