#include "cli/plot/bar_plot.h"

#include "cli/sheet/date_view.h"
#include "cli/sheet/number_view.h"
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

void sc_bar_plot_write(sc_output *output, const sc_bar_plot *plot,
                       const sc_terminal *terminal)
{
    const size_t shown = plot->count < SC_BAR_ROWS ? plot->count : SC_BAR_ROWS;
    size_t name_width = 0, value_width = 0;
    sc_bar_row row;
    sc_axis axis;
    sc_axis_init(&axis, 0);
    for (size_t i = 0; i < shown; i++) {
        plot->source(plot->context, i, &row);
        sc_width_widen(&name_width, row.name);
        sc_width_widen(&value_width, row.value);
        if (row.has_bar)
            sc_axis_widen(&axis, &row.bar);
    }
    const size_t beside = value_width + 6 + CELLS_LEAST,
                 room = beside + CELLS_LEAST < terminal->columns
                            ? terminal->columns - beside
                            : CELLS_LEAST;
    if (terminal->is_terminal && name_width > room)
        name_width = room; /* longer names are cut */
    const size_t used = name_width + value_width + 6;
    axis.cells =
        used + CELLS_LEAST < terminal->columns ? terminal->columns - used : CELLS_LEAST;
    if (plot->has_ends && axis.low <= axis.high)
        write_ends(output, &axis, name_width, plot->is_date);
    for (size_t i = 0; i < shown; i++) {
        plot->source(plot->context, i, &row);
        row.name[sc_fitting_bytes(row.name, strlen(row.name), name_width)] = '\0';
        sc_output_repeat(output, " ", 2 + name_width - sc_text_width(row.name));
        sc_output_text(output, row.name);
        sc_output_text(output, "  ");
        if (row.has_bar)
            sc_error_bar_write(output, &axis, &row.bar, terminal);
        else
            sc_output_repeat(output, " ", axis.cells);
        sc_output_format(output, "  %*s\n", (int)value_width, row.value);
    }
    if (plot->count > shown)
        sc_output_format(output, "  and %zu more\n", plot->count - shown);
}
