/* The bars of an answer, and its plot. */
#include "cli/answer/result_plot.h"

#include "cli/display/bar_plot.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <string.h>

#define AXIS_MOST ((size_t)400)

typedef struct result_view {
    const scrim_result *result;
    size_t statement, columns, rows;
} result_view;

static result_view view_of(const scrim_result *result, size_t statement)
{
    return (result_view){.result = result,
                         .statement = statement,
                         .columns = scrim_result_columns(result, statement),
                         .rows = scrim_result_rows(result, statement)};
}

static const scrim_result_column *column_at(const result_view *view, size_t column)
{
    return scrim_result_column_at(view->result, view->statement, column);
}

static const scrim_result_cell *cell_at(const result_view *view, size_t row,
                                        size_t column)
{
    return scrim_result_cell_at(view->result, view->statement, row, column);
}

/* Noise alone: neither a number nor a bar is drawn, and the axis does not hold it. */
static bool is_unusable(const scrim_result_cell *cell)
{
    return cell->low != NULL && cell->value[0] != '\0' &&
           strcmp(scrim_result_cell_text(cell), "no usable value") == 0;
}

/* Where everything is possible there is nothing to draw either. */
static bool has_no_bar(const scrim_result_cell *cell)
{
    return cell->is_open || is_unusable(cell);
}

/* A value that is not there has a word of its own; an empty key is empty. */
static const char *value_text(const result_view *view, size_t row, size_t column)
{
    const scrim_result_cell *cell = cell_at(view, row, column);
    if (is_unusable(cell))
        return scrim_result_cell_text(cell);
    return cell->low != NULL && cell->value[0] == '\0' ? "none" : cell->value;
}

/* Bars. */

static bool is_date(const scrim_result_column *column)
{
    return column->kind == SCRIM_OUTPUT_DATE || column->kind == SCRIM_OUTPUT_DATE_VALUE ||
           column->kind == SCRIM_OUTPUT_TIMESTAMP ||
           column->kind == SCRIM_OUTPUT_TIMESTAMP_VALUE;
}

/* Where it is on an axis. */
static double place_of(const scrim_result_column *column, const char *text)
{
    return is_date(column) ? sc_date_view(text) : sc_number_view(text);
}

/* The first of some texts that is not empty. */
static const char *first_text(const char *a, const char *b, const char *c)
{
    return a[0] != '\0' ? a : b[0] != '\0' ? b : c;
}

/* A date is no length, and is not drawn from 0 on. An end that is missing is drawn at the value. */
static sc_error_bar bar_of(const result_view *view, size_t row, size_t column,
                           bool filled)
{
    const scrim_result_cell *cell = cell_at(view, row, column);
    const scrim_result_column *kind = column_at(view, column);
    const bool has_no_value = cell->value[0] == '\0';
    const char *low = first_text(cell->low, cell->value, cell->high),
               *high = first_text(cell->high, cell->value, cell->low);
    return (sc_error_bar){.low = place_of(kind, low),
                          .value = place_of(kind, has_no_value ? low : cell->value),
                          .high = place_of(kind, high),
                          .is_filled = filled && !is_date(kind),
                          .has_no_value = has_no_value};
}

sc_result_bars sc_result_bars_of(const scrim_result *result, size_t statement)
{
    const result_view view = view_of(result, statement);
    sc_result_bars bars = {.result = result, .statement = statement};
    for (size_t i = view.columns; i-- > 0 && view.rows > 1 && !bars.has_any;)
        if (column_at(&view, i)->kind == SCRIM_OUTPUT_VALUE) {
            bars.column = i;
            bars.has_any = true;
        }
    return bars;
}

bool sc_result_bar(const void *context, size_t row, sc_error_bar *out)
{
    const sc_result_bars *bars = context;
    const result_view view = view_of(bars->result, bars->statement);
    if (has_no_bar(cell_at(&view, row, bars->column)))
        return false;
    *out = bar_of(&view, row, bars->column, false);
    return true;
}

/* The plot. */

void sc_result_row_name(const scrim_result *result, size_t statement, size_t row,
                        char *text, size_t bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        if (sc_result_has_interval(scrim_result_column_at(result, statement, i)))
            continue;
        const scrim_result_cell *cell = scrim_result_cell_at(result, statement, row, i);
        const char *key = cell->is_all ? "(all)" : cell->is_null ? "NULL" : cell->value;
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", used > 0 ? ", " : "",
                                 key);
        if (used >= bytes)
            used = bytes - 1;
    }
    if (used == 0)
        snprintf(text, bytes, "all");
    else
        text[used] = '\0';
    while (used > 0 && used == bytes - 1 && ((unsigned char)text[used - 1] & 0x80) != 0)
        text[--used] = '\0'; /* no half of a character */
    sc_complaint_clean(text);
}

typedef struct column_view {
    const result_view *view;
    size_t column;
} column_view;

static void row_at(const void *context, size_t row, sc_bar_row *out)
{
    const column_view *of = context;
    sc_result_row_name(of->view->result, of->view->statement, row, out->name,
                       sizeof out->name);
    out->value = value_text(of->view, row, of->column);
    out->has_bar = !has_no_bar(cell_at(of->view, row, of->column));
    out->bar = bar_of(of->view, row, of->column, true);
}

static void plot_column(sc_output *output, const result_view *view, size_t column,
                        const sc_terminal *terminal)
{
    const column_view of = {view, column};
    sc_output_format(output, "%s\n", column_at(view, column)->name);
    sc_bar_plot_write(
        output, &(sc_bar_plot){.count = view->rows, .source = row_at, .context = &of},
        terminal);
}

/* Is it a set of places, of which nothing is told but that they are shown? */
static bool is_support(const result_view *view, size_t column)
{
    const scrim_result_column *kind = column_at(view, column);
    return kind->certificate != NULL && !sc_result_has_interval(kind) &&
           (kind->kind == SCRIM_OUTPUT_NUMBER || is_date(kind));
}

/* One axis, with a mark at each place, and its first and last place below. */
static void plot_support(sc_output *output, const result_view *view, size_t column,
                         const sc_terminal *terminal)
{
    const scrim_result_column *kind = column_at(view, column);
    bool marks[AXIS_MOST] = {false};
    sc_axis axis;
    sc_axis_init(&axis, terminal->columns > 12 ? terminal->columns - 4 : 8);
    if (axis.cells > AXIS_MOST)
        axis.cells = AXIS_MOST;
    size_t first = 0, last = 0;
    for (size_t row = 0; row < view->rows; row++) {
        const double at = place_of(kind, cell_at(view, row, column)->value);
        sc_axis_widen(&axis, &(sc_error_bar){.low = at, .value = at, .high = at});
        first = at <= axis.low ? row : first;
        last = at >= axis.high ? row : last;
    }
    sc_output_format(output, "%s\n", kind->name);
    if (view->rows == 0)
        return;
    for (size_t row = 0; row < view->rows; row++)
        marks[sc_axis_cell(&axis, place_of(kind, cell_at(view, row, column)->value))] =
            true;
    sc_output_text(output, "  ");
    for (size_t cell = 0; cell < axis.cells; cell++)
        sc_output_text(output,
                       sc_bar_cell_text(marks[cell] ? SCRIM_CELL_VALUE : SCRIM_CELL_LINE,
                                        terminal->utf8));
    const char *from = cell_at(view, first, column)->value,
               *to = cell_at(view, last, column)->value;
    const size_t used = strlen(from) + strlen(to);
    sc_output_format(output, "\n  %s", from);
    sc_output_repeat(output, " ", used < axis.cells ? axis.cells - used : 1);
    sc_output_format(output, "%s\n", to);
}

void sc_result_plot_write(sc_output *output, const scrim_result *result, size_t statement,
                          const sc_terminal *terminal)
{
    const result_view view = view_of(result, statement);
    for (size_t i = 0; i < view.columns; i++)
        if (sc_result_has_interval(column_at(&view, i)))
            plot_column(output, &view, i, terminal);
        else if (is_support(&view, i))
            plot_support(output, &view, i, terminal);
}
