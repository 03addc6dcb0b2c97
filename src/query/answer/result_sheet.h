/* A statement on its way from the record of an answer to what is shown of it: the measurements that
 * its numbers were drawn by, the columns, and the rows with their cells (result.h).
 *
 *     sc_sheet sheet = {.arena = ..., .record = ..., .query = ..., .statistics = ...};
 *     sc_sheet_prepare(&sheet, confidence, &error);
 *     sc_sheet_columns(&sheet, &shown, &error);
 *     sc_sheet_rows(&sheet, 1, &shown, &error);
 *     sc_sheet_clear(&sheet);
 */
#ifndef SC_QUERY_RESULT_SHEET_H
#define SC_QUERY_RESULT_SHEET_H

#include "query/answer/record.h"
#include "query/estimate/bar_answer.h"
#include "query/estimate/formula_estimate.h"
#include "query/rows/key_tuple.h"

typedef struct sc_result_statement {
    const char *text, *kept, *missing;
    bool has_cut;
    scrim_result_cut cut;
    scrim_result_column *columns;
    size_t column_count;
    scrim_result_cell **rows; /* in the order in which they are shown */
    size_t row_count;
    scrim_result_cell *next; /* the first row that LIMIT leaves out; NULL: none */
    /* The place of the first group. */
} sc_result_statement;

/* A row: its outputs as they are compared, its keys as texts, its cells. */
typedef struct sc_sheet_row {
    const struct sc_sheet *sheet;
    sc_released_value *values; /* all rows have the same where none is compared by them */
    sc_text *keys;
    sc_text
        tuple; /* its keys in the order of their types: as in the record, or with those that a set leaves out */
    uint64_t place; /* of the bucket that it is about, where it is about one */
    scrim_result_cell *cells;
} sc_sheet_row;

typedef struct sc_sheet {
    sc_arena *arena;
    const sc_record_statement *record;
    const sc_query *query;
    sc_statistics statistics;
    scrim_measurement **measurements; /* by part */
    const scrim_measurement **drawn;  /* by statistic: what has drawn it */
    sc_estimator **estimators;        /* by aggregate; NULL where it is made of bars */
    sc_formula_estimator **formulas;  /* by output; NULL if it is not a formula */
    sc_bar_view *views;               /* by histogram */
    sc_key_part *parts;               /* of a key */
    uint64_t max_rows;                /* of a unit in a group */
    uint64_t draws;                   /* that each number is the sum of */
    const unsigned *digits; /* by output, those of a column of numbers; NULL: its own */
    sc_sheet_row *rows;
    size_t row_count;
    /* By aggregate: the numbers that stand for those of the record, by its rows, and half of their interval, in steps; NULL: its
     * own. */
    const sc_int128 *const *consistent;
    const sc_int128 *halves;
} sc_sheet;

/* The confidence lives as long as the sheet. SCRIM_E_LEDGER for a record that this version cannot read, SCRIM_E_MEMORY; likewise
 * below. */
SCRIM_MUST_USE scrim_status sc_sheet_prepare(sc_sheet *sheet, const sc_ratio *confidence,
                                             scrim_error *error);
SCRIM_MUST_USE scrim_status sc_sheet_columns(sc_sheet *sheet, sc_result_statement *out,
                                             scrim_error *error);
/* Sets of keys whose totals are consistent: sets what stands for the numbers of all sheets, which are in the order of the
 * sets. */
SCRIM_MUST_USE scrim_status sc_sheets_make_consistent(sc_sheet *sheets, size_t count,
                                                      const sc_ratio *confidence,
                                                      scrim_error *error);
/* The rows of one sheet, or of all sets of one question. */
SCRIM_MUST_USE scrim_status sc_sheet_rows(sc_sheet *sheets, size_t count,
                                          sc_result_statement *out, scrim_error *error);
/* Frees everything that is not of the arena. */
void sc_sheet_clear(sc_sheet *sheet);

/* The buckets of an aggregate that is made of a histogram. */
const sc_bar_view *sc_sheet_view(const sc_sheet *sheet, size_t aggregate);

scrim_status sc_sheet_no_memory(scrim_error *error);
scrim_status sc_sheet_unreadable(scrim_error *error);

/* Is the value noise alone, so that no number is shown in its place? result.c. */
bool sc_result_is_unusable(const scrim_result_cell *cell);

#endif
