#include "cli/display/box.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/line_fold.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/pager.h"
#include "cli/terminal/terminal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SC_BOX_COLUMNS 288 /* more than a query can select */

void sc_axis_init(sc_axis *axis, size_t cells)
{
    *axis = (sc_axis){.low = HUGE_VAL, .high = -HUGE_VAL, .cells = cells};
}

void sc_axis_widen(sc_axis *axis, const sc_error_bar *bar)
{
    axis->low = fmin(axis->low, bar->is_filled ? fmin(bar->low, 0) : bar->low);
    axis->high = fmax(axis->high, bar->is_filled ? fmax(bar->high, 0) : bar->high);
}

size_t sc_axis_cell(const sc_axis *axis, double value)
{
    double extent = axis->high - axis->low;
    if (!(extent > 0) || !isfinite(extent))
        return axis->cells / 2;
    double part = (value - axis->low) / extent;
    size_t cell = part <= 0 ? 0 : (size_t)(part * (double)axis->cells);
    return cell >= axis->cells ? axis->cells - 1 : cell;
}

sc_bar_cell sc_error_bar_cell(const sc_axis *axis, const sc_error_bar *bar, size_t cell)
{
    size_t low = sc_axis_cell(axis, bar->low), high = sc_axis_cell(axis, bar->high);
    size_t value = sc_axis_cell(axis, bar->value);
    if (cell == value && !bar->has_no_value)
        return SCRIM_CELL_VALUE;
    if (cell == low)
        return SCRIM_CELL_LOW;
    if (cell == high)
        return SCRIM_CELL_HIGH;
    if (cell > low && cell < high)
        return SCRIM_CELL_LINE;
    size_t zero = sc_axis_cell(axis, 0);
    bool between = (cell >= zero && cell < value) || (cell <= zero && cell > value);
    return bar->is_filled && !bar->has_no_value && between ? SCRIM_CELL_FILLED
                                                           : SCRIM_CELL_EMPTY;
}

const char *sc_bar_cell_text(sc_bar_cell cell, bool utf8)
{
    static const char *const texts[SCRIM_CELL_KINDS][2] = {
        [SCRIM_CELL_EMPTY] = {" ", " "}, [SCRIM_CELL_FILLED] = {"#", "█"},
        [SCRIM_CELL_LOW] = {"|", "├"},   [SCRIM_CELL_LINE] = {"-", "─"},
        [SCRIM_CELL_VALUE] = {"o", "●"}, [SCRIM_CELL_HIGH] = {"|", "┤"},
    };
    return texts[cell][utf8];
}

void sc_error_bar_write(sc_output *output, const sc_axis *axis, const sc_error_bar *bar,
                        const sc_terminal *terminal)
{
    const char *colour = "";
    for (size_t cell = 0; cell < axis->cells; cell++) {
        const sc_bar_cell kind = sc_error_bar_cell(axis, bar, cell);
        const char *wanted = kind == SCRIM_CELL_EMPTY    ? colour
                             : kind == SCRIM_CELL_FILLED ? SC_BLUE
                                                         : SC_ORANGE;
        if (terminal->colour && wanted != colour)
            sc_output_text(output, wanted);
        colour = wanted;
        sc_output_text(output, sc_bar_cell_text(kind, terminal->utf8));
    }
    if (terminal->colour)
        sc_output_text(output, SC_PLAIN);
}

const char *sc_bar_mark_text(bool utf8)
{
    return utf8 ? "┃" : "|";
}

/* One cell of a bar whose length is given in eighths of a cell. */
static const char *fine_cell_text(size_t cell, size_t eighths, bool utf8)
{
    static const char *const blocks[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    size_t filled = eighths <= 8 * cell ? 0 : eighths - 8 * cell;
    if (filled > 8)
        filled = 8;
    return utf8 ? blocks[filled] : filled >= 4 ? "#" : " ";
}

void sc_marked_bar_write(sc_output *output, const sc_axis *axis, double value,
                         double mark, const sc_terminal *terminal)
{
    const double part = (value - axis->low) / (axis->high - axis->low);
    const size_t eighths = (size_t)(part * (double)axis->cells * 8 + 0.5),
                 marked = sc_axis_cell(axis, mark);
    sc_output_text(output, terminal->colour ? SC_BLUE : "");
    for (size_t cell = 0; cell < axis->cells; cell++) {
        if (cell != marked)
            sc_output_text(output, fine_cell_text(cell, eighths, terminal->utf8));
        else if (terminal->colour)
            sc_output_format(output, SC_ORANGE "%s" SC_BLUE,
                             sc_bar_mark_text(terminal->utf8));
        else
            sc_output_text(output, sc_bar_mark_text(terminal->utf8));
    }
    sc_output_text(output, terminal->colour ? SC_PLAIN : "");
}

/* A column is not made narrower than this to fit the terminal. */
#define NARROWEST 8

/* A word too wide for its column is broken behind a bar, or a hyphen or underscore between letters. */
static bool is_joint(const char *text, size_t at)
{
    if (at == 0 || text[at] == '\0' || text[at + 1] == ' ' || text[at + 1] == '\0')
        return false;
    return text[at] == '|' ||
           ((text[at] == '-' || text[at] == '_') &&
            isalpha((unsigned char)text[at - 1]) && isalpha((unsigned char)text[at + 1]));
}

/* Is it a space between the ends of an interval, as in "12  [ 9, 15]"? Two spaces are in front of
 * those, and of no other bracket. A cell is broken there last of all. */
static bool is_inside_interval(const char *text, size_t at)
{
    while (at > 0 && text[at] != '[' && text[at] != ']')
        at--;
    return text[at] == '[' && at >= 2 && text[at - 1] == ' ' && text[at - 2] == ' ';
}

static bool is_gap(const char *text, size_t at)
{
    return text[at] == ' ' && !is_inside_interval(text, at);
}

/* Takes one line of at most width columns off the front of rest, broken at a space
 * where there is one, else at a joint of the word, else in an interval, else anywhere; returns its
 * bytes. */
static size_t take_line(const char **rest, size_t width)
{
    const char *text = *rest;
    const size_t fits = sc_fitting_bytes(text, strlen(text), width);
    size_t last_gap = 0, last_space = 0, last_joint = 0;
    for (size_t i = 0; i < fits; i++) {
        if (text[i] == ' ')
            last_space = i;
        if (is_gap(text, i))
            last_gap = i;
        if (is_joint(text, i))
            last_joint = i + 1;
    }
    bool cut_in_word = text[fits] != '\0' && !is_gap(text, fits);
    size_t bytes = !cut_in_word                   ? fits
                   : last_gap > strspn(text, " ") ? last_gap
                   : last_joint > 0               ? last_joint
                   : text[fits] == ' '            ? fits
                   : last_space > 0               ? last_space
                                                  : fits;
    *rest = text + bytes;
    *rest += strspn(*rest, " ");
    return bytes;
}

const char *sc_box_upright(bool utf8)
{
    return utf8 ? "│" : "|";
}

void sc_box_rule_write(sc_output *output, sc_box_rule rule, const size_t *widths,
                       size_t column_count, bool utf8)
{
    static const char *const corners[3][3] = {
        {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
    sc_output_text(output, utf8 ? corners[rule][0] : "+");
    for (size_t column = 0; column < column_count; column++) {
        if (column > 0)
            sc_output_text(output, utf8 ? corners[rule][1] : "+");
        sc_output_repeat(output, utf8 ? "─" : "-", widths[column] + 2);
    }
    sc_output_text(output, utf8 ? corners[rule][2] : "+");
    sc_output_text(output, "\n");
}

void sc_heading_write(sc_output *output, const char *text, size_t bytes,
                      const sc_terminal *terminal)
{
    const bool has_colour = terminal->colour && bytes > 0;
    sc_output_text(output, has_colour ? SC_HEADING : "");
    sc_output_bytes(output, text, bytes);
    sc_output_text(output, has_colour ? SC_PLAIN : "");
}

/* One row, on as many lines as its longest cell needs. */
static void write_box_row(sc_output *output, const sc_box *box, const char *const *cells,
                          const size_t *widths, const sc_terminal *terminal)
{
    const size_t column_count = box->column_count;
    const char *rest[SC_BOX_COLUMNS];
    memcpy(rest, cells, column_count * sizeof rest[0]);
    bool more = true;
    while (more) {
        more = false;
        for (size_t column = 0; column < column_count; column++) {
            const char *line = rest[column];
            size_t bytes = take_line(&rest[column], widths[column]);
            sc_output_text(output, sc_box_upright(terminal->utf8));
            sc_output_text(output, " ");
            if (cells == box->columns)
                sc_heading_write(output, line, bytes, terminal);
            else
                sc_output_bytes(output, line, bytes);
            sc_output_repeat(output, " ",
                             widths[column] - sc_bytes_width(line, bytes) + 1);
            more = more || rest[column][0] != '\0';
        }
        sc_output_text(output, sc_box_upright(terminal->utf8));
        sc_output_text(output, "\n");
    }
}

static void widen(size_t *width, size_t needed)
{
    *width = needed > *width ? needed : *width;
}

/* The widest of the parts that text is broken into, at spaces, perhaps but in intervals, and perhaps
 * at joints too. */
static size_t widest_part(const char *text, bool in_intervals, bool at_joints)
{
    size_t widest = 0, start = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        const bool is_space = in_intervals ? text[i] == ' ' : is_gap(text, i);
        if (is_space || text[i + 1] == '\0' || (at_joints && is_joint(text, i))) {
            const size_t end = is_space ? i : i + 1;
            widen(&widest, sc_bytes_width(text + start, end - start));
            start = i + 1;
        }
    }
    return widest;
}

/* Takes from the widest column that is above its least width, until the total fits. */
static void squeeze(size_t *widths, const size_t *least, size_t count, size_t *total,
                    size_t available)
{
    while (*total > available) {
        size_t widest = count;
        for (size_t column = 0; column < count; column++)
            if (widths[column] > least[column] &&
                (widest == count || widths[column] > widths[widest]))
                widest = column;
        if (widest == count)
            return;
        widths[widest]--;
        --*total;
    }
}

/* The width of a column if its cells are broken in more and more places. */
typedef enum sc_box_break {
    BREAK_NOWHERE,
    BREAK_AT_SPACES,    /* but in intervals */
    BREAK_AT_JOINTS,    /* and there */
    BREAK_IN_INTERVALS, /* at any space */
    BREAK_IN_PARTS,     /* at any space or joint */
    BREAK_ANYWHERE,
    BREAKS
} sc_box_break;

static size_t needed_width(const char *cell, sc_box_break breaks)
{
    if (breaks == BREAK_NOWHERE)
        return sc_text_width(cell);
    if (breaks == BREAK_ANYWHERE)
        return NARROWEST;
    return widest_part(cell, breaks >= BREAK_IN_INTERVALS,
                       breaks == BREAK_AT_JOINTS || breaks == BREAK_IN_PARTS);
}

/* The width that a column needs, for the widest of its cells. */
static size_t column_width(const sc_box *box, size_t column, sc_box_break breaks)
{
    size_t width = needed_width(box->columns[column], breaks);
    for (size_t row = 0; row < box->row_count; row++)
        widen(&width, needed_width(box->cells[row * box->column_count + column], breaks));
    return width;
}

/* As wide as the widest cell where that fits, else cells are broken, in as few places as will do. On
 * a terminal no table of many columns is broken in an interval or in a part of a word: false where it
 * would have to be. */
static bool choose_widths(const sc_box *box, const sc_terminal *terminal, size_t *widths)
{
    const bool can_stack = terminal->is_terminal && box->column_count > 2;
    size_t least[SC_BOX_COLUMNS], total = 1;
    for (size_t i = 0; i < box->column_count; i++) {
        widths[i] = column_width(box, i, BREAK_NOWHERE);
        total += widths[i] + 3;
    }
    for (int breaks = BREAK_AT_SPACES; breaks < BREAKS && total > terminal->columns &&
                                       !(can_stack && breaks > BREAK_AT_JOINTS);
         breaks++) {
        if (breaks == BREAK_AT_JOINTS && !can_stack)
            continue; /* in intervals first */
        for (size_t i = 0; i < box->column_count; i++)
            least[i] = column_width(box, i, (sc_box_break)breaks);
        if (box->column_count == 2 && widths[0] < terminal->columns / 3)
            least[0] = widths[0]; /* names, beside what they are */
        squeeze(widths, least, box->column_count, &total, terminal->columns);
    }
    return !can_stack || total <= terminal->columns;
}

/* A cell without the blanks that put it under others. */
static void write_cell(sc_output *output, const char *text)
{
    for (size_t i = strspn(text, " "); text[i] != '\0'; i++) {
        const bool is_blank =
            text[i] == ' ' && (text[i - 1] == '[' || text[i - 1] == ' ');
        if (!is_blank || !is_inside_interval(text, i))
            sc_output_bytes(output, text + i, 1);
    }
}

/* Names take half of the terminal at most, and what is wider goes on in lines of its own. */
static void write_stack(sc_output *output, const sc_box *box, const sc_terminal *terminal)
{
    const size_t columns = terminal->columns;
    size_t names = 0;
    for (size_t i = 0; i < box->column_count; i++)
        sc_width_widen(&names, box->columns[i]);
    names = names + 2 > columns / 2 ? columns / 2 - 2 : names;
    for (size_t row = 0; row < box->row_count; row++) {
        for (size_t i = 0; i < box->column_count; i++) {
            const char *cell = box->cells[row * box->column_count + i];
            const size_t width = sc_text_width(box->columns[i]);
            sc_heading_write(output, box->columns[i], strlen(box->columns[i]), terminal);
            if (cell[strspn(cell, " ")] != '\0')
                sc_output_repeat(output, " ", width < names ? names - width + 2 : 2);
            write_cell(output, cell);
            sc_output_text(output, "\n");
        }
        sc_output_text(output, "\n");
    }
    if (box->row_count == 0)
        sc_output_text(output, "no rows\n");
}

void sc_box_write(sc_output *output, const sc_box *box, const sc_terminal *terminal)
{
    size_t widths[SC_BOX_COLUMNS];
    size_t count = box->column_count;
    if (!choose_widths(box, terminal, widths)) {
        write_stack(output, box, terminal);
        return;
    }
    sc_box_rule_write(output, SCRIM_RULE_TOP, widths, count, terminal->utf8);
    write_box_row(output, box, box->columns, widths, terminal);
    sc_box_rule_write(output, SCRIM_RULE_MIDDLE, widths, count, terminal->utf8);
    for (size_t row = 0; row < box->row_count; row++)
        write_box_row(output, box, box->cells + row * count, widths, terminal);
    sc_box_rule_write(output, SCRIM_RULE_BOTTOM, widths, count, terminal->utf8);
}

/* Error bars are drawn when there is room for the least of them, and no longer than this. */
#define BAR_LEAST 12
/* The heading of error bars. */
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

/* Above the bars: which column they are of, in the longest form that there is room for. */
static const char *bar_head(const sc_listing_box *box, size_t room,
                            char head[BAR_HEAD_BYTES])
{
    static const char *const forms[] = {BAR_HEAD " of ", "plot of ", ""};
    for (size_t i = 0; box->bar_of != NULL && i < sizeof forms / sizeof *forms; i++) {
        const int bytes = snprintf(head, BAR_HEAD_BYTES, "%s%s", forms[i], box->bar_of);
        if (bytes < BAR_HEAD_BYTES && sc_text_width(head) <= room)
            return head;
    }
    return BAR_HEAD;
}

/* Keeps the first and the last rows, with dots between them. Returns how many rows there are then. */
static size_t abridge(const char **cells, size_t columns, size_t rows,
                      const sc_terminal *terminal)
{
    const size_t half = terminal->rows_most / 2;
    if (half == 0 || rows <= terminal->rows_most)
        return rows;
    for (size_t i = 0; i < columns; i++)
        cells[half * columns + i] = terminal->utf8 ? "\u22ee" : ":";
    memmove(cells + (half + 1) * columns, cells + (rows - half) * columns,
            half * columns * sizeof *cells);
    return 2 * half + 1;
}

/* False: it was not shown. */
static bool show_pages(sc_output *output, const sc_box *box, const sc_terminal *terminal)
{
    SC_FREED sc_output *kept = malloc(sizeof *kept);
    size_t bytes = 0;
    if (kept == NULL)
        return false;
    sc_output_init_keep(kept);
    kept->columns = output->columns;
    kept->has_colour = output->has_colour;
    sc_box_write(kept, box, terminal);
    SC_FREED char *text = sc_output_take(kept, &bytes);
    return text != NULL && sc_output_flush(output) && sc_pager_show(text, bytes);
}

/* The box has no column for bars if no row has a bar. */
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
    const size_t rows = abridge(cells, columns, box->row_count, terminal);
    const sc_box whole = {names, columns, cells, rows};
    if (!terminal->pages || rows <= SC_ROWS_MOST || !show_pages(output, &whole, terminal))
        sc_box_write(output, &whole, terminal);
    if (rows < box->row_count)
        sc_output_format(output,
                         "rows %zu to %zu of %zu are left out; --all shows them\n",
                         terminal->rows_most / 2 + 1,
                         box->row_count - terminal->rows_most / 2, box->row_count);
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
