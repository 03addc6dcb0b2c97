#include "cli/series/series_plot.h"

#include "cli/sheet/error_bar.h"
#include "cli/sheet/number_view.h"
#include "cli/sheet/text_width.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Between the name of a window and its value. */
#define BAR_LEAST 16
#define BAR_MOST 60
#define NUMBER_CHARS 14
/* Releases of a key that are drawn at most. */
#define ROWS 200

static sc_error_bar bar_of(const sc_series_point *point)
{
    return (sc_error_bar){.low = point->low, .value = point->value, .high = point->high};
}

static size_t name_width(const sc_series_panels *panels)
{
    size_t width = 0;
    for (size_t i = 0; i < panels->sheet->count; i++) {
        char text[SC_SERIES_WINDOW_BYTES];
        sc_series_window_name(&panels->sheet->steps[i], text);
        sc_width_widen(&width, text);
    }
    return width;
}

/* The ends of the axis, above its first and its last cell. */
static void write_ends(sc_output *output, const sc_axis *axis, size_t names)
{
    char low[SC_BOUND_BYTES], high[SC_BOUND_BYTES];
    sc_bound_format_exact(axis->low, low);
    sc_bound_format_exact(axis->high, high);
    const size_t used = strlen(low) + strlen(high);
    sc_output_repeat(output, " ", names + 10);
    sc_output_text(output, low);
    sc_output_repeat(output, " ", used < axis->cells ? axis->cells - used : 1);
    sc_output_text(output, high);
    sc_output_text(output, "\n");
}

const char *sc_series_nothing(const sc_series_panels *panels)
{
    if (panels->sheet->count == 0)
        return "no release is made yet";
    return panels->column == NULL ? "there is no column of numbers to draw"
                                  : "no key was shown in any release";
}

static void write_panel(sc_output *output, const sc_series_panels *panels,
                        const sc_series_panel *panel, size_t names,
                        const sc_terminal *terminal)
{
    const size_t used = names + NUMBER_CHARS + 10;
    const size_t room = terminal->columns > used ? terminal->columns - used : 0;
    sc_axis axis;
    sc_axis_init(&axis, room < BAR_LEAST ? BAR_LEAST : room > BAR_MOST ? BAR_MOST : room);
    for (size_t i = 0; i < panels->sheet->count; i++)
        if (panel->points[i].is_there) {
            const sc_error_bar bar = bar_of(&panel->points[i]);
            sc_axis_widen(&axis, &bar);
        }
    sc_output_text(output, "  ");
    sc_output_text(output, panels->column);
    if (panel->name[0] != '\0') {
        sc_output_text(output, " of ");
        sc_output_text(output, panel->name);
    }
    sc_output_text(output, "\n");
    if (axis.low <= axis.high)
        write_ends(output, &axis, names);
    for (size_t i = 0; i < panels->sheet->count && i < ROWS; i++) {
        char window[SC_SERIES_WINDOW_BYTES], value[SC_BOUND_BYTES];
        const sc_error_bar bar = bar_of(&panel->points[i]);
        sc_series_window_name(&panels->sheet->steps[i], window);
        sc_output_format(output, "  %4" PRIu64 "  ", panels->sheet->steps[i].number);
        sc_output_text(output, window);
        sc_output_repeat(output, " ", names - sc_text_width(window) + 2);
        if (!panel->points[i].is_there) {
            sc_output_text(output, "not shown\n");
            continue;
        }
        sc_error_bar_write(output, &axis, &bar, terminal);
        sc_bound_format_exact(panel->points[i].value, value);
        sc_output_format(output, "  %s\n", value);
    }
}

void sc_series_plot_write(sc_output *output, const sc_series_panels *panels,
                          const sc_terminal *terminal)
{
    const size_t names = name_width(panels);
    if (panels->count == 0)
        sc_output_format(output, "  %s\n", sc_series_nothing(panels));
    for (size_t i = 0; i < panels->count; i++) {
        sc_output_text(output, i > 0 ? "\n" : "");
        write_panel(output, panels, &panels->list[i], names, terminal);
    }
    if (panels->keys > panels->count)
        sc_output_format(output, "\n  the %zu largest of %zu keys\n", panels->count,
                         panels->keys);
}
