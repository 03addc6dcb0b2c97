/* The box of an answer, and its bars. */
#include "cli/answer/result_writer.h"
#include "cli/plot/error_bar.h"
#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/date_view.h"
#include "cli/terminal/number_view.h"
#include "cli/terminal/text_width.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAR_LEAST 12
#define BAR_MOST 40
#define BAR_BYTES 3
/* In a plot longer names are cut. */
#define NAME_CHARS 24
#define NAME_BYTES (4 * NAME_CHARS + 1)
#define PLOT_ROWS 200
#define AXIS_MOST ((size_t)400)

typedef struct table_view {
    const scrim_result *result;
    size_t statement, columns, rows;
    char **cells;   /* row after row; one more column for the bars */
    size_t *widths; /* of the value, low and high of each column */
} table_view;

static const scrim_result_column *column_at(const table_view *view, size_t column)
{
    return scrim_result_column_at(view->result, view->statement, column);
}

static const scrim_result_cell *cell_at(const table_view *view, size_t row, size_t column)
{
    return scrim_result_cell_at(view->result, view->statement, row, column);
}

/* A value that is not there has a word of its own; an empty key is empty. */
static const char *value_text(const table_view *view, size_t row, size_t column)
{
    const scrim_result_cell *cell = cell_at(view, row, column);
    return cell->low != NULL && cell->value[0] == '\0' ? "none" : cell->value;
}

static void measure(table_view *view)
{
    for (size_t row = 0; row < view->rows; row++)
        for (size_t i = 0; i < view->columns; i++) {
            const scrim_result_cell *cell = cell_at(view, row, i);
            size_t *widths = &view->widths[3 * i];
            sc_width_widen(&widths[0], value_text(view, row, i));
            if (!sc_result_has_interval(column_at(view, i)))
                continue;
            sc_width_widen(&widths[1], cell->low);
            sc_width_widen(&widths[2], cell->high);
        }
}

static char *copy_clean(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy != NULL) {
        memcpy(copy, text, strlen(text) + 1);
        sc_complaint_clean(copy);
    }
    return copy;
}

/* "10771  [10759, 10783]", all of a column under one another. */
static char *make_cell(const table_view *view, size_t row, size_t column)
{
    const scrim_result_cell *cell = cell_at(view, row, column);
    const scrim_result_column *kind = column_at(view, column);
    const size_t *widths = &view->widths[3 * column];
    if (kind->kind != SCRIM_OUTPUT_NUMBER && !sc_result_has_interval(kind))
        return copy_clean(cell->value);
    const size_t bytes = widths[0] + widths[1] + widths[2] + 8;
    char *text = malloc(bytes);
    if (text == NULL)
        return NULL;
    if (sc_result_has_interval(kind) && cell->low[0] == '\0')
        snprintf(text, bytes, "%*s", (int)widths[0], value_text(view, row, column));
    else if (sc_result_has_interval(kind))
        snprintf(text, bytes, "%*s  [%*s, %*s]", (int)widths[0],
                 value_text(view, row, column), (int)widths[1], cell->low, (int)widths[2],
                 cell->high);
    else
        snprintf(text, bytes, "%*s", (int)widths[0], cell->value);
    return text;
}

/* Bars. */

static bool find_bar_column(const table_view *view, size_t *out)
{
    for (size_t i = view->columns; i-- > 0;)
        if (column_at(view, i)->kind == SCRIM_OUTPUT_VALUE) {
            *out = i;
            return true;
        }
    return false;
}

static bool is_date(const scrim_result_column *column)
{
    return column->kind == SCRIM_OUTPUT_DATE || column->kind == SCRIM_OUTPUT_DATE_VALUE;
}

/* Where it is on an axis. */
static double place_of(const scrim_result_column *column, const char *text)
{
    return is_date(column) ? sc_date_view(text) : sc_number_view(text);
}

/* A date is no length, and is not drawn from 0 on. */
static sc_error_bar bar_of(const table_view *view, size_t row, size_t column, bool filled)
{
    const scrim_result_cell *cell = cell_at(view, row, column);
    const scrim_result_column *kind = column_at(view, column);
    const bool has_no_value = cell->value[0] == '\0';
    return (sc_error_bar){.low = place_of(kind, cell->low),
                          .value = place_of(kind, has_no_value ? cell->low : cell->value),
                          .high = place_of(kind, cell->high),
                          .is_filled = filled && !is_date(kind),
                          .has_no_value = has_no_value};
}

static size_t room_for_bars(const table_view *view, unsigned columns)
{
    size_t used = 4; /* of the bars' own column */
    for (size_t i = 0; i < view->columns; i++) {
        const size_t *widths = &view->widths[3 * i];
        size_t width = widths[0];
        if (sc_result_has_interval(column_at(view, i)))
            width += widths[1] + widths[2] + 6;
        sc_width_widen(&width, column_at(view, i)->name);
        used += width + 3;
    }
    return used < columns ? columns - used : 0;
}

static bool add_bars(table_view *view, size_t column, size_t cells, bool utf8)
{
    sc_axis axis;
    sc_axis_init(&axis, cells);
    for (size_t row = 0; row < view->rows; row++) {
        const sc_error_bar bar = bar_of(view, row, column, false);
        sc_axis_widen(&axis, &bar);
    }
    for (size_t row = 0; row < view->rows; row++) {
        const sc_error_bar bar = bar_of(view, row, column, false);
        char *text = malloc(BAR_BYTES * cells + 1);
        if (text == NULL)
            return false;
        size_t used = 0;
        for (size_t i = 0; i < cells; i++)
            used += (size_t)sprintf(
                text + used, "%s",
                sc_bar_cell_text(sc_error_bar_cell(&axis, &bar, i), utf8));
        view->cells[row * (view->columns + 1) + view->columns] = text;
    }
    return true;
}

static bool fill(table_view *view, const sc_terminal *terminal, bool *has_bars)
{
    size_t bar_column;
    measure(view);
    for (size_t row = 0; row < view->rows; row++)
        for (size_t i = 0; i < view->columns; i++) {
            char *cell = make_cell(view, row, i);
            if (cell == NULL)
                return false;
            view->cells[row * (view->columns + 1) + i] = cell;
        }
    const size_t room = room_for_bars(view, terminal->columns);
    *has_bars = view->rows > 1 && room >= BAR_LEAST && find_bar_column(view, &bar_column);
    return !*has_bars ||
           add_bars(view, bar_column, room < BAR_MOST ? room : BAR_MOST, terminal->utf8);
}

/* The box has no column for bars where there are none. */
static void write_view(sc_output *output, const table_view *view, bool has_bars,
                       const char **names, const char **cells,
                       const sc_terminal *terminal)
{
    const size_t columns = view->columns + (has_bars ? 1 : 0);
    for (size_t i = 0; i < view->columns; i++)
        names[i] = column_at(view, i)->name;
    names[view->columns] = "";
    for (size_t row = 0; row < view->rows; row++)
        for (size_t i = 0; i < columns; i++)
            cells[row * columns + i] = view->cells[row * (view->columns + 1) + i];
    const sc_box box = {names, columns, cells, view->rows};
    sc_box_write(output, &box, SCRIM_FORMAT_TABLE, terminal);
}

scrim_status sc_result_table_write(sc_output *output, const scrim_result *result,
                                   size_t statement, const sc_terminal *terminal,
                                   scrim_error *error)
{
    table_view view = {.result = result,
                       .statement = statement,
                       .columns = scrim_result_columns(result, statement),
                       .rows = scrim_result_rows(result, statement)};
    const size_t cell_count = view.rows * (view.columns + 1);
    bool has_bars = false;
    view.cells = calloc(cell_count + 1, sizeof *view.cells);
    view.widths = calloc(3 * view.columns + 1, sizeof *view.widths);
    const char **names = calloc(view.columns + 1, sizeof *names);
    const char **cells = calloc(cell_count + 1, sizeof *cells);
    const bool is_filled = view.cells != NULL && view.widths != NULL && names != NULL &&
                           cells != NULL && fill(&view, terminal, &has_bars);
    if (is_filled)
        write_view(output, &view, has_bars, names, cells, terminal);
    for (size_t i = 0; view.cells != NULL && i < cell_count; i++)
        free(view.cells[i]);
    free(view.cells);
    free(view.widths);
    free(names);
    free(cells);
    if (!is_filled)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the table");
    return SCRIM_OK;
}

/* The plot. */

void sc_result_row_name(const scrim_result *result, size_t statement, size_t row,
                        char *text, size_t bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        if (sc_result_has_interval(scrim_result_column_at(result, statement, i)))
            continue;
        const char *key = scrim_result_cell_at(result, statement, row, i)->value;
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

static void plot_column(sc_output *output, const table_view *view, size_t column,
                        const sc_terminal *terminal)
{
    char name[NAME_BYTES];
    size_t name_width = 0, value_width = 0;
    const size_t shown = view->rows < PLOT_ROWS ? view->rows : PLOT_ROWS;
    sc_axis axis;
    sc_axis_init(&axis, 0);
    for (size_t row = 0; row < shown; row++) {
        const sc_error_bar bar = bar_of(view, row, column, true);
        sc_result_row_name(view->result, view->statement, row, name, sizeof name);
        sc_width_widen(&name_width, name);
        sc_width_widen(&value_width, value_text(view, row, column));
        sc_axis_widen(&axis, &bar);
    }
    const size_t used = name_width + value_width + 6;
    axis.cells = used + 8 < terminal->columns ? terminal->columns - used : 8;
    sc_output_format(output, "%s\n", column_at(view, column)->name);
    for (size_t row = 0; row < shown; row++) {
        const sc_error_bar bar = bar_of(view, row, column, true);
        sc_result_row_name(view->result, view->statement, row, name, sizeof name);
        sc_output_text(output, "  ");
        sc_output_repeat(output, " ", name_width - sc_text_width(name));
        sc_output_text(output, name);
        sc_output_text(output, "  ");
        sc_error_bar_write(output, &axis, &bar, terminal);
        sc_output_format(output, "  %*s\n", (int)value_width,
                         value_text(view, row, column));
    }
    if (view->rows > shown)
        sc_output_format(output, "  and %zu more\n", view->rows - shown);
}

/* Is it a set of places, of which nothing is told but that they are shown? */
static bool is_support(const table_view *view, size_t column)
{
    const scrim_result_column *kind = column_at(view, column);
    return kind->certificate != NULL && !sc_result_has_interval(kind) &&
           (kind->kind == SCRIM_OUTPUT_NUMBER || is_date(kind));
}

/* One axis, with a mark at each place, and its first and last place below. */
static void plot_support(sc_output *output, const table_view *view, size_t column,
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
    const table_view view = {.result = result,
                             .statement = statement,
                             .columns = scrim_result_columns(result, statement),
                             .rows = scrim_result_rows(result, statement)};
    for (size_t i = 0; i < view.columns; i++)
        if (sc_result_has_interval(column_at(&view, i)))
            plot_column(output, &view, i, terminal);
        else if (is_support(&view, i))
            plot_support(output, &view, i, terminal);
}
