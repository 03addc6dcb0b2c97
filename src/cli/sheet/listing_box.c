#include "cli/sheet/listing_box.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/text_width.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Error bars are drawn when there is room for the least of them, and no longer than this. */
#define BAR_LEAST 12
/* What stands above them, and the column that they are of where it has room. */
#define BAR_HEAD "interval"
#define BAR_HEAD_BYTES 128
#define BAR_MOST 40
/* Bytes of a cell of a bar, in UTF-8. */
#define BAR_BYTES 3

size_t sc_listing_bounds(const sc_listing_column *columns, size_t count, size_t column)
{
    size_t bounds = 0;
    while (column + 1 + bounds < count &&
           (columns[column + 1 + bounds].kind & SC_BOUND) != 0)
        bounds++;
    return bounds;
}

static char **cell_at(const sc_listing_box *box, size_t row, size_t column)
{
    return &box->cells[row * box->column_count + column];
}

/* A value that is not there has a word of its own, and so has a key that is NULL. */
static const char *text_at(const sc_listing_box *box, size_t row, size_t column)
{
    const char *cell = *cell_at(box, row, column);
    const bool is_value = (box->columns[column].kind & SC_TOGETHER) != 0;
    if (cell == NULL && (box->columns[column].kind & SC_KEYED) != 0)
        return "NULL";
    return cell != NULL && cell[0] != '\0' ? cell : is_value ? "none" : "";
}

/* False where there is no text: there was no memory for it. */
static bool replace(char **cell, char *text)
{
    if (text == NULL)
        return false;
    free(*cell);
    *cell = text;
    return true;
}

/* The width of the cells of a column. */
static size_t width_of(const sc_listing_box *box, size_t column)
{
    size_t width = 0;
    for (size_t row = 0; row < box->row_count; row++)
        sc_width_widen(&width, text_at(box, row, column));
    return width;
}

/* "10771  [10759, 10783]", all of a column under one another. */
static bool join_intervals(const sc_listing_box *box, size_t column)
{
    const int value = (int)width_of(box, column), low = (int)width_of(box, column + 1),
              high = (int)width_of(box, column + 2);
    const size_t bytes = (size_t)value + (size_t)low + (size_t)high + 8;
    for (size_t row = 0; row < box->row_count; row++) {
        char *text = malloc(bytes);
        if (text != NULL && text_at(box, row, column + 1)[0] == '\0' &&
            text_at(box, row, column + 2)[0] == '\0')
            snprintf(text, bytes, "%*s", value, text_at(box, row, column));
        else if (text != NULL)
            snprintf(text, bytes, "%*s  [%*s, %*s]", value, text_at(box, row, column),
                     low, text_at(box, row, column + 1), high,
                     text_at(box, row, column + 2));
        if (!replace(cell_at(box, row, column), text))
            return false;
    }
    return true;
}

/* Numbers end in one line, so that they can be compared. */
static bool align_right(const sc_listing_box *box, size_t column, size_t width)
{
    for (size_t row = 0; row < box->row_count; row++) {
        const char *cell = text_at(box, row, column);
        const size_t pad = width - sc_text_width(cell), bytes = strlen(cell);
        char *padded = malloc(pad + bytes + 1);
        if (padded != NULL) {
            memset(padded, ' ', pad);
            memcpy(padded + pad, cell, bytes + 1);
        }
        if (!replace(cell_at(box, row, column), padded))
            return false;
    }
    return true;
}

static char *bar_text(const sc_listing_box *box, const sc_axis *axis, size_t row,
                      bool utf8)
{
    sc_error_bar bar;
    char *text = malloc(BAR_BYTES * axis->cells + 1), *end = text;
    if (text == NULL)
        return NULL;
    *end = '\0';
    if (box->bar(box->bar_context, row, &bar))
        for (size_t cell = 0; cell < axis->cells; cell++)
            end =
                stpcpy(end, sc_bar_cell_text(sc_error_bar_cell(axis, &bar, cell), utf8));
    return text;
}

static bool make_bars(const sc_listing_box *box, size_t room, bool utf8, char **bars)
{
    sc_axis axis;
    sc_error_bar bar;
    sc_axis_init(&axis, room);
    for (size_t row = 0; row < box->row_count; row++)
        if (box->bar(box->bar_context, row, &bar))
            sc_axis_widen(&axis, &bar);
    for (size_t row = 0; row < box->row_count; row++)
        if ((bars[row] = bar_text(box, &axis, row, utf8)) == NULL)
            return false;
    return true;
}

/* The columns that are shown, by the place of their cells in a row. */
typedef struct shown_columns {
    size_t places[SC_BOX_COLUMNS + 1];
    size_t count;
} shown_columns;

/* Cleans and aligns; room is what the text leaves of a terminal, but for the borders of bars. */
static bool prepare(const sc_listing_box *box, size_t columns, shown_columns *shown,
                    size_t *room)
{
    size_t widths[SC_BOX_COLUMNS], taken = 1 + 3;
    for (size_t i = 0; i < box->row_count * box->column_count; i++)
        if (box->cells[i] != NULL)
            sc_complaint_clean(box->cells[i]);
    for (size_t i = 0; i < box->column_count && shown->count < SC_BOX_COLUMNS; i++) {
        const unsigned kind = box->columns[i].kind;
        size_t *width = &widths[shown->count];
        shown->places[shown->count++] = i;
        if ((kind & SC_TOGETHER) != 0 && !join_intervals(box, i))
            return false;
        *width = width_of(box, i);
        if ((kind & SC_UNDER) != 0 && !align_right(box, i, *width))
            return false;
        sc_width_widen(width, box->columns[i].name);
        taken += *width + 3;
        if ((kind & SC_TOGETHER) != 0)
            i += sc_listing_bounds(box->columns, box->column_count, i);
    }
    *room = taken < columns ? columns - taken : 0;
    for (size_t i = 0; i<shown->count && * room> 0; i++)
        if ((box->columns[shown->places[i]].kind & SC_RIGHT) != 0 &&
            !align_right(box, shown->places[i], widths[i]))
            return false;
    return true;
}

/* Above the bars: which column they are of, where there is room for its name. */
static const char *bar_head(const sc_listing_box *box, size_t room,
                            char head[BAR_HEAD_BYTES])
{
    if (box->bar_of == NULL)
        return BAR_HEAD;
    const int bytes = snprintf(head, BAR_HEAD_BYTES, BAR_HEAD " of %s", box->bar_of);
    return bytes < BAR_HEAD_BYTES && sc_text_width(head) <= room ? head : BAR_HEAD;
}

/* The box has no column for bars where there are none. */
static bool write_cells(sc_output *output, const sc_listing_box *box,
                        const shown_columns *shown, char **bars, size_t room,
                        const sc_terminal *terminal)
{
    const size_t columns = shown->count + (bars != NULL ? 1 : 0);
    const char *names[SC_BOX_COLUMNS + 1];
    char head[BAR_HEAD_BYTES];
    const char **cells = calloc(box->row_count * columns + 1, sizeof *cells);
    if (cells == NULL)
        return false;
    for (size_t i = 0; i < shown->count; i++)
        names[i] = box->columns[shown->places[i]].name;
    if (bars != NULL)
        names[shown->count] = bar_head(box, room, head);
    for (size_t row = 0; row < box->row_count; row++)
        for (size_t i = 0; i < columns; i++)
            cells[row * columns + i] =
                i < shown->count ? text_at(box, row, shown->places[i]) : bars[row];
    sc_box_write(output, &(sc_box){names, columns, cells, box->row_count}, terminal);
    free(cells);
    return true;
}

bool sc_listing_box_write(sc_output *output, const sc_listing_box *box,
                          const sc_terminal *terminal)
{
    shown_columns shown = {.count = 0};
    size_t room = 0;
    char **bars = NULL;
    bool is_made = prepare(box, terminal->columns, &shown, &room);
    if (is_made && box->bar != NULL && room >= BAR_LEAST &&
        shown.count < SC_BOX_COLUMNS) {
        bars = calloc(box->row_count + 1, sizeof *bars);
        room = room < BAR_MOST ? room : BAR_MOST;
        is_made = bars != NULL && make_bars(box, room, terminal->utf8, bars);
    }
    const bool is_written =
        is_made && write_cells(output, box, &shown, bars, room, terminal);
    for (size_t i = 0; bars != NULL && i < box->row_count; i++)
        free(bars[i]);
    free(bars);
    return is_written;
}
