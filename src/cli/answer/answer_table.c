#include "cli/answer/answer_table.h"

#include "cli/plot/error_bar.h"
#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/text_width.h"

#include <stdlib.h>
#include <string.h>

/* Error bars are drawn when there is room for the least of them, and no longer than this. */
#define BAR_LEAST 12
#define BAR_MOST 40
/* Of a cell of a bar, in UTF-8. */
#define BAR_BYTES 3

/* The cells of the box, all of them copies. */
typedef struct sheet_box {
    const sc_answer_sheet *sheet;
    const sc_answer_columns *columns;
    const sc_terminal *terminal;
    size_t column_count, row_count;
    sc_axis axis;
    char **cells;
    size_t widths[SC_ANSWER_COLUMNS];
} sheet_box;

static bool is_number(sc_answer_column column)
{
    return column == SCRIM_COLUMN_INDEX || column == SCRIM_COLUMN_VALUE ||
           column == SCRIM_COLUMN_LOW || column == SCRIM_COLUMN_HIGH;
}

static char **cell_at(sheet_box *box, size_t row, size_t column)
{
    return &box->cells[row * box->column_count + column];
}

static bool set_cell(sheet_box *box, size_t row, size_t column, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        return false;
    sc_complaint_clean(copy); /* a label may hold what steers a terminal */
    *cell_at(box, row, column) = copy;
    sc_width_widen(&box->widths[column], copy);
    return true;
}

static bool set_row(sheet_box *box, size_t row)
{
    const sc_answer_columns *columns = box->columns;
    sc_answer_row texts;
    bool halted = row == scrim_answer_count(box->sheet->answer);
    if (!halted)
        sc_answer_row_get(box->sheet, row, &texts);
    for (size_t i = 0; i < columns->count; i++) {
        const char *cell = !halted ? sc_answer_cell(&texts, columns->kinds[i])
                           : columns->kinds[i] == SCRIM_COLUMN_ANSWER ? "halted"
                                                                      : "";
        if (!set_cell(box, row, i, cell))
            return false;
    }
    return true;
}

/* Numbers end in one line, so that they can be compared. */
static bool align_right(sheet_box *box, size_t column)
{
    for (size_t row = 0; row < box->row_count; row++) {
        char **cell = cell_at(box, row, column);
        size_t pad = box->widths[column] - sc_text_width(*cell), bytes = strlen(*cell);
        char *padded = malloc(pad + bytes + 1);
        if (padded == NULL)
            return false;
        memset(padded, ' ', pad);
        memcpy(padded + pad, *cell, bytes + 1);
        free(*cell);
        *cell = padded;
    }
    return true;
}

/* Bars. */

/* False where there is none: a row that has no number. */
static bool bar_of(const sc_answer_sheet *sheet, size_t row, sc_error_bar *out)
{
    return row < scrim_answer_count(sheet->answer) &&
           sc_answer_bar(sheet, row, false, out);
}

static bool set_bar(sheet_box *box, size_t row)
{
    sc_error_bar bar;
    char *text = malloc(box->axis.cells * BAR_BYTES + 1);
    if (text == NULL)
        return false;
    char *end = text;
    *end = '\0';
    bool has_bar = bar_of(box->sheet, row, &bar);
    for (size_t cell = 0; has_bar && cell < box->axis.cells; cell++) {
        sc_bar_cell kind = sc_error_bar_cell(&box->axis, &bar, cell);
        end = stpcpy(end, sc_bar_cell_text(kind, box->terminal->utf8));
    }
    *cell_at(box, row, box->columns->count) = text;
    return true;
}

static bool add_bars(sheet_box *box, size_t cells)
{
    sc_error_bar bar;
    sc_axis_init(&box->axis, cells);
    for (size_t row = 0; row < box->row_count; row++)
        if (bar_of(box->sheet, row, &bar))
            sc_axis_widen(&box->axis, &bar);
    for (size_t row = 0; row < box->row_count; row++)
        if (!set_bar(box, row))
            return false;
    return true;
}

/* The box. */

/* What the columns of text leave of the terminal, but for the bar's own borders. */
static size_t room_for_bars(const sheet_box *box)
{
    size_t taken = 1 + 3;
    for (size_t i = 0; i < box->columns->count; i++)
        taken += box->widths[i] + 3;
    return taken >= box->terminal->columns ? 0 : box->terminal->columns - taken;
}

/* Leaves the last column out. */
static void drop_bars(sheet_box *box)
{
    size_t kept = box->columns->count;
    for (size_t row = 0; row < box->row_count; row++)
        memmove(&box->cells[row * kept], &box->cells[row * (kept + 1)],
                kept * sizeof *box->cells);
    /* what lay behind them is now twice there */
    memset(&box->cells[box->row_count * kept], 0, box->row_count * sizeof *box->cells);
    box->column_count = kept;
}

static bool fill_box(sheet_box *box)
{
    for (size_t i = 0; i < box->columns->count; i++)
        box->widths[i] = sc_text_width(box->columns->names[i]);
    for (size_t row = 0; row < box->row_count; row++)
        if (!set_row(box, row))
            return false;
    size_t room = room_for_bars(box);
    for (size_t i = 0; i < box->columns->count; i++)
        if (is_number(box->columns->kinds[i]) && room > 0 && !align_right(box, i))
            return false;
    if (room >= BAR_LEAST && sc_answer_has_intervals(box->sheet))
        return add_bars(box, room < BAR_MOST ? room : BAR_MOST);
    drop_bars(box);
    return true;
}

scrim_status sc_answer_table_write(sc_output *output, const sc_answer_sheet *sheet,
                                   const sc_answer_columns *columns,
                                   const sc_terminal *terminal, scrim_error *error)
{
    sheet_box box = {.sheet = sheet,
                     .columns = columns,
                     .terminal = terminal,
                     .column_count = columns->count + 1,
                     .row_count = scrim_answer_count(sheet->answer)};
    const char *names[SC_ANSWER_COLUMNS + 1];
    box.row_count += scrim_answer_has_halted(sheet->answer) ? 1 : 0;
    size_t cell_count = box.row_count * box.column_count;
    box.cells = calloc(cell_count + 1, sizeof *box.cells);
    bool filled = box.cells != NULL && fill_box(&box);
    if (filled) {
        for (size_t i = 0; i < columns->count; i++)
            names[i] = columns->names[i];
        names[columns->count] = "";
        sc_box shown = {names, box.column_count, (const char *const *)box.cells,
                        box.row_count};
        sc_box_write(output, &shown, SCRIM_FORMAT_TABLE, terminal);
    }
    for (size_t i = 0; box.cells != NULL && i < cell_count; i++)
        free(box.cells[i]);
    free(box.cells);
    if (!filled)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the table");
    return SCRIM_OK;
}
