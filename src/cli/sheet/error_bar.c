#include "cli/sheet/error_bar.h"

#include "cli/terminal/palette.h"

#include <math.h>

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

/* One cell of a bar that is so many eighths of a cell long. */
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
