/* The answer to a query in every format.
 *
 * CSV has the keys and, of an aggregate named n, the columns n, n_low and n_high; a text key that a
 * spreadsheet would take for a formula has a ' in front (A61). JSON is an object with rows, cost and
 * release, where an aggregate is {"value", "low", "high"}; that of a batch has statements with
 * their rows. A table is a box, in a batch below its statement, with an error bar beside the last
 * aggregate where there is room.
 */
#ifndef SC_CLI_RESULT_WRITER_H
#define SC_CLI_RESULT_WRITER_H

#include "cli/answer/series_place.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* charge is what the vault has of the release; is_repeated, whether it answers a question that was
 * asked again, and place, which may be NULL, its place in a series, which JSON says. */
SCRIM_MUST_USE scrim_status sc_result_write(sc_output *output, const scrim_result *result,
                                            const scrim_vault_release *charge,
                                            bool is_repeated,
                                            const sc_series_place *place,
                                            sc_format format, const sc_terminal *terminal,
                                            scrim_error *error);

/* Which statement of a batch comes next, for people; nothing where there is only one. */
void sc_result_heading_write(sc_output *output, const scrim_result *result,
                             size_t statement);
/* The box of one statement. */
SCRIM_MUST_USE scrim_status sc_result_table_write(sc_output *output,
                                                  const scrim_result *result,
                                                  size_t statement,
                                                  const sc_terminal *terminal,
                                                  scrim_error *error);
/* Bars from 0, an aggregate below the other, for people. */
void sc_result_plot_write(sc_output *output, const scrim_result *result, size_t statement,
                          const sc_terminal *terminal);

/* The parts of CSV and JSON that other tables of answers are made of, without a newline: the names of
 * columns, a row of them, and the members of a row. */
void sc_result_csv_names(sc_output *output, const scrim_result *result, size_t statement);
/* The names that the answer to a plan will have. */
SCRIM_MUST_USE scrim_status sc_plan_csv_names(sc_output *output, const scrim_plan *plan,
                                              size_t statement, scrim_error *error);
void sc_result_csv_row(sc_output *output, const scrim_result *result, size_t statement,
                       size_t row);
void sc_result_json_row(sc_output *output, const scrim_result *result, size_t statement,
                        size_t row);

/* Is the column an aggregate, with an interval? */
static inline bool sc_result_has_interval(const scrim_result_column *column)
{
    return column->kind == SCRIM_OUTPUT_VALUE || column->kind == SCRIM_OUTPUT_DATE_VALUE;
}
/* Is there an interval that holds with a probability? Else all of them are certain. */
bool sc_result_has_chance(const scrim_result *result);
/* "education, sex": what a row is called in a plot; keys are cleaned for a terminal. At most bytes
 * with the terminator, cut between characters. */
void sc_result_row_name(const scrim_result *result, size_t statement, size_t row,
                        char *text, size_t bytes);

#endif
