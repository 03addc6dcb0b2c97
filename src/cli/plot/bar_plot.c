#include "cli/plot/bar_plot.h"

#include "cli/sheet/text_width.h"

/* Of a bar. */
#define CELLS_LEAST 8

void sc_bar_plot_write(sc_output *output, size_t count, sc_bar_source source,
                       const void *context, const sc_terminal *terminal)
{
    const size_t shown = count < SC_BAR_ROWS ? count : SC_BAR_ROWS;
    size_t name_width = 0, value_width = 0;
    sc_bar_row row;
    sc_axis axis;
    sc_axis_init(&axis, 0);
    for (size_t i = 0; i < shown; i++) {
        source(context, i, &row);
        sc_width_widen(&name_width, row.name);
        sc_width_widen(&value_width, row.value);
        if (row.has_bar)
            sc_axis_widen(&axis, &row.bar);
    }
    const size_t used = name_width + value_width + 6;
    axis.cells =
        used + CELLS_LEAST < terminal->columns ? terminal->columns - used : CELLS_LEAST;
    for (size_t i = 0; i < shown; i++) {
        source(context, i, &row);
        sc_output_repeat(output, " ", 2 + name_width - sc_text_width(row.name));
        sc_output_text(output, row.name);
        sc_output_text(output, "  ");
        if (row.has_bar)
            sc_error_bar_write(output, &axis, &row.bar, terminal);
        else
            sc_output_repeat(output, " ", axis.cells);
        sc_output_format(output, "  %*s\n", (int)value_width, row.value);
    }
    if (count > shown)
        sc_output_format(output, "  and %zu more\n", count - shown);
}
