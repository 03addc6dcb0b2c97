/* The answer to a query as bars: beside the rows of its box, and by themselves. */
#ifndef SC_CLI_RESULT_PLOT_H
#define SC_CLI_RESULT_PLOT_H

#include "cli/display/box.h"
#include "scrim.h"

/* Is the column an aggregate, with an interval? */
static inline bool sc_result_has_interval(const scrim_result_column *column)
{
    return column->kind == SCRIM_OUTPUT_VALUE ||
           column->kind == SCRIM_OUTPUT_DATE_VALUE ||
           column->kind == SCRIM_OUTPUT_TIMESTAMP_VALUE;
}

/* The column that a box has bars of: the last aggregate, of more than one row. */
typedef struct sc_result_bars {
    const scrim_result *result;
    size_t statement, column;
    bool has_any;
} sc_result_bars;

sc_result_bars sc_result_bars_of(const scrim_result *result, size_t statement);
/* The bar of a row; the context is an sc_result_bars that has any. */
bool sc_result_bar(const void *context, size_t row, sc_error_bar *out);

/* Bars from 0, an aggregate below the other, for people. */
void sc_result_plot_write(sc_output *output, const scrim_result *result, size_t statement,
                          const sc_terminal *terminal);
/* "education, sex": what a row is called in a plot; keys are cleaned for a terminal. At most bytes
 * with the terminator, cut between characters. */
void sc_result_row_name(const scrim_result *result, size_t statement, size_t row,
                        char *text, size_t bytes);

#endif
