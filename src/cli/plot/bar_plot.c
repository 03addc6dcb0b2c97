#include "cli/plot/bar_plot.h"

#include "cli/sheet/date_view.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/palette.h"
#include "cli/terminal/text_width.h"

#include <string.h>

/* The shortest bar. */
#define CELLS_LEAST 8

/* Above the first and the last cell. */
static void write_ends(sc_output *output, const sc_axis *axis, size_t names, bool is_date)
{
    void (*const format)(double, char *) =
        is_date ? sc_date_view_format : sc_bound_format_exact;
    char low[SC_BAR_NUMBER_BYTES], high[SC_BAR_NUMBER_BYTES];
    format(axis->low, low);
    format(axis->high, high);
    const size_t used = strlen(low) + strlen(high);
    sc_output_repeat(output, " ", names + 4);
    sc_output_text(output, low);
    sc_output_repeat(output, " ", used < axis->cells ? axis->cells - used : 1);
    sc_output_format(output, "%s\n", high);
}

typedef struct bar_layout {
    sc_axis axis;
    size_t names, values, marks; /* columns; marks is 0 where they are not shown */
} bar_layout;

/* The widths of all that is shown, and the axis that holds it. */
static void widen(const sc_bar_plot *plot, size_t shown, bar_layout *out)
{
    sc_bar_row row;
    sc_axis_init(&out->axis, 0);
    if (plot->key != NULL) {
        sc_width_widen(&out->names, plot->key->name);
        sc_width_widen(&out->values, plot->key->value);
        sc_width_widen(&out->marks, plot->key->marked);
        out->axis.low = out->axis.high = 0;
    }
    for (size_t i = 0; i < shown; i++) {
        plot->source(plot->context, i, &row);
        sc_width_widen(&out->names, row.name);
        sc_width_widen(&out->values, row.value);
        if (row.has_bar)
            sc_axis_widen(&out->axis, &row.bar);
        if (plot->key == NULL)
            continue;
        sc_width_widen(&out->marks, row.marked);
        sc_axis_widen(&out->axis, &(sc_error_bar){.low = row.mark, .high = row.mark});
    }
    if (plot->key != NULL && !(out->axis.high > 0))
        out->axis.high = 1;
}

static bar_layout layout_of(const sc_bar_plot *plot, size_t shown,
                            const sc_terminal *terminal)
{
    bar_layout out = {.names = 0};
    widen(plot, shown, &out);
    size_t numbers = out.values + (out.marks == 0 ? 0 : out.marks + 2);
    if (terminal->is_terminal && out.marks > 0 &&
        out.names + numbers + 6 + CELLS_LEAST > terminal->columns) {
        out.marks = 0;
        numbers = out.values;
    }
    const size_t beside = numbers + 6 + CELLS_LEAST,
                 room = beside + CELLS_LEAST < terminal->columns
                            ? terminal->columns - beside
                            : CELLS_LEAST;
    if (terminal->is_terminal && out.names > room)
        out.names = room; /* longer names are cut */
    const size_t used = out.names + numbers + 6;
    out.axis.cells =
        used + CELLS_LEAST < terminal->columns ? terminal->columns - used : CELLS_LEAST;
    return out;
}

static void write_numbers(sc_output *output, const bar_layout *layout, const char *value,
                          const char *marked)
{
    sc_output_format(output, "  %*s", (int)layout->values, value);
    if (layout->marks > 0)
        sc_output_format(output, "  %*s", (int)layout->marks, marked);
    sc_output_text(output, "\n");
}

static void write_key(sc_output *output, const sc_bar_key *key, const bar_layout *layout,
                      const sc_terminal *terminal)
{
    const char *blue = terminal->colour ? SC_BLUE : "",
               *orange = terminal->colour ? SC_ORANGE : "",
               *plain = terminal->colour ? SC_PLAIN : "";
    const size_t words = strlen(key->bar) + strlen(key->mark) + 6;
    const bool has_words = layout->axis.cells >= words;
    const size_t used = has_words ? words : 4;
    sc_output_format(output, "  %*s  %s%s%s%s%s  %s%s%s%s%s", (int)layout->names,
                     key->name, blue, sc_bar_cell_text(SCRIM_CELL_FILLED, terminal->utf8),
                     plain, has_words ? " " : "", has_words ? key->bar : "", orange,
                     sc_bar_mark_text(terminal->utf8), plain, has_words ? " " : "",
                     has_words ? key->mark : "");
    sc_output_repeat(output, " ", layout->axis.cells - used);
    write_numbers(output, layout, key->value, key->marked);
}

void sc_bar_plot_write(sc_output *output, const sc_bar_plot *plot,
                       const sc_terminal *terminal)
{
    const size_t shown = plot->count < SC_BAR_ROWS ? plot->count : SC_BAR_ROWS;
    const bar_layout layout = layout_of(plot, shown, terminal);
    const sc_axis *axis = &layout.axis;
    sc_bar_row row;
    if (plot->key != NULL)
        write_key(output, plot->key, &layout, terminal);
    if (plot->has_ends && axis->low <= axis->high)
        write_ends(output, axis, layout.names, plot->is_date);
    for (size_t i = 0; i < shown; i++) {
        plot->source(plot->context, i, &row);
        row.name[sc_fitting_bytes(row.name, strlen(row.name), layout.names)] = '\0';
        sc_output_repeat(output, " ", 2 + layout.names - sc_text_width(row.name));
        sc_output_text(output, row.name);
        sc_output_text(output, "  ");
        if (plot->key != NULL)
            sc_marked_bar_write(output, axis, row.bar.value, row.mark, terminal);
        else if (row.has_bar)
            sc_error_bar_write(output, axis, &row.bar, terminal);
        else
            sc_output_repeat(output, " ", axis->cells);
        write_numbers(output, &layout, row.value, row.marked);
    }
    if (plot->count > shown)
        sc_output_format(output, "  and %zu more\n", plot->count - shown);
}
