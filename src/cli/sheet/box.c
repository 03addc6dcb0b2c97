#include "cli/sheet/box.h"

#include "cli/terminal/palette.h"
#include "cli/terminal/text_width.h"

#include <ctype.h>
#include <string.h>

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

/* What a column needs if its cells are broken in more and more places. */
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
