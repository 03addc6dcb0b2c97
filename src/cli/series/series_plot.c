#include "cli/series/series_plot.h"

#include "cli/display/bar_plot.h"
#include "cli/display/number_view.h"
#include "cli/terminal/line_fold.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct panel_rows {
    const sc_series_panels *panels;
    const sc_series_panel *panel;
    size_t windows; /* width of the widest */
} panel_rows;

static void row_at(const void *context, size_t index, sc_bar_row *out)
{
    const panel_rows *rows = context;
    const scrim_series_step *step = &rows->panels->sheet->steps[index];
    const sc_series_point *point = &rows->panel->points[index];
    char window[SC_SERIES_WINDOW_BYTES];
    sc_series_window_name(step, window);
    snprintf(out->name, sizeof out->name, "%4" PRIu64 "  %-*.64s", step->number,
             (int)rows->windows, window);
    out->has_bar = isfinite(point->value);
    out->bar =
        (sc_error_bar){.low = point->low, .value = point->value, .high = point->high};
    out->value = out->number;
    if (!out->has_bar)
        out->value = "not shown";
    else if (rows->panel->is_date)
        sc_date_view_format(point->value, out->number);
    else
        sc_bound_format_exact(point->value, out->number);
}

const char *sc_series_nothing(const sc_series_panels *panels)
{
    if (panels->sheet->count == 0)
        return "no release yet";
    return panels->columns == 0 ? "no numeric column to draw"
                                : "no release has shown a key yet";
}

void sc_series_plot_write(sc_output *output, const sc_series_panels *panels,
                          const sc_terminal *terminal)
{
    panel_rows rows = {.panels = panels};
    for (size_t i = 0; i < panels->sheet->count; i++) {
        char window[SC_SERIES_WINDOW_BYTES];
        sc_series_window_name(&panels->sheet->steps[i], window);
        sc_width_widen(&rows.windows, window);
    }
    if (panels->count == 0)
        sc_output_format(output, "  %s\n", sc_series_nothing(panels));
    for (size_t i = 0; i < panels->count; i++) {
        const sc_series_panel *panel = rows.panel = &panels->list[i];
        sc_output_format(output, "%s  %s%s%s\n", i > 0 ? "\n" : "", panel->column,
                         panel->name[0] == '\0' ? "" : " of ", panel->name);
        sc_bar_plot_write(output,
                          &(sc_bar_plot){.count = panels->sheet->count,
                                         .source = row_at,
                                         .context = &rows,
                                         .has_ends = true,
                                         .is_date = panel->is_date},
                          terminal);
    }
    if (panels->keys > SC_SERIES_PANELS)
        sc_output_format(output, "\n  the %d largest of %zu keys\n", SC_SERIES_PANELS,
                         panels->keys);
}
