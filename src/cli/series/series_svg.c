#include "cli/plot/axis_step.h"
#include "cli/plot/svg_plot.h"
#include "cli/series/series_plot.h"
#include "cli/sheet/markup.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Two pictures beside each other below a heading. */
#define TOP 76
#define PANEL 190
#define LEFT 64
#define GAP 74
#define RIGHT 20
#define ABOVE 30 /* its name */
#define BELOW 34 /* labels */
#define NAME_CHARS 30
/* Half of the cap of an error bar. */
#define CAP 4

/* The axis of values: from 0 unless there are values below. */
typedef struct value_axis {
    double low, high, step;
} value_axis;

static value_axis axis_of(const sc_series_panel *panel, size_t count)
{
    value_axis axis = {0, 0, 1};
    for (size_t i = 0; i < count; i++) {
        if (!panel->points[i].is_there)
            continue;
        axis.low = fmin(axis.low, panel->points[i].low);
        axis.high = fmax(axis.high, panel->points[i].high);
    }
    if (!(axis.high > axis.low))
        axis.high = axis.low + 1;
    axis.step = sc_axis_step(axis.high - axis.low);
    return axis;
}

static double place_y(const sc_svg_field *field, const value_axis *axis, double value)
{
    return sc_svg_y(field, (value - axis->low) / (axis->high - axis->low));
}

static double place_x(const sc_svg_field *field, uint64_t number, uint64_t releases)
{
    return sc_svg_x(field, ((double)number - 0.5) / (double)releases);
}

static void write_axes(sc_output *output, const sc_svg_field *field,
                       const value_axis *axis, uint64_t releases)
{
    char label[32];
    const double x_step = fmax(1, sc_axis_step((double)releases));
    for (double y = ceil(axis->low / axis->step) * axis->step;
         y <= axis->high * (1 + 1e-9); y += axis->step) {
        snprintf(label, sizeof label, "%g", fabs(y) < axis->step / 2 ? 0 : y);
        sc_svg_y_label(output, field, place_y(field, axis, y), label,
                       fabs(y) < axis->step / 2);
    }
    for (double x = releases < 7 ? 1 : x_step; x <= (double)releases; x += x_step) {
        snprintf(label, sizeof label, "%g", x);
        sc_svg_x_label(output, field, place_x(field, (uint64_t)x, releases), label);
    }
}

/* A value with the interval that the truth lies in. */
static void write_point(sc_output *output, double x, double low, double y, double high)
{
    sc_output_format(
        output,
        "<path d=\"M%.2f %.2fV%.2fM%.2f %.2fh%dM%.2f %.2fh%d\" fill=\"none\" "
        "stroke=\"" SC_ORANGE_HEX "\" stroke-width=\"2\"/>\n",
        x, low, high, x - CAP, low, 2 * CAP, x - CAP, high, 2 * CAP);
    sc_output_format(
        output, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.5\" fill=\"" SC_BLUE_HEX "\"/>\n",
        x, y);
}

static void write_panel(sc_output *output, const sc_series_panels *panels, size_t index)
{
    const sc_series_panel *panel = &panels->list[index];
    const sc_series_sheet *sheet = panels->sheet;
    const int half = (SC_SVG_WIDTH - LEFT - RIGHT - GAP) / 2;
    const int left = LEFT + (index % 2 == 0 ? 0 : half + GAP);
    const double top = TOP + (double)(index / 2) * PANEL;
    const sc_svg_field field = {.left = left,
                                .right = left + half,
                                .top = top + ABOVE,
                                .bottom = top + PANEL - BELOW};
    const value_axis axis = axis_of(panel, sheet->count);
    sc_svg_pen pen = {.output = output, .style = SC_SVG_THIN};
    sc_output_format(output, "<text x=\"%d\" y=\"%.0f\" font-weight=\"bold\">", left,
                     top + ABOVE - 10);
    sc_markup_short(output, panel->name[0] == '\0' ? panels->column : panel->name,
                    NAME_CHARS);
    sc_output_text(output, "</text>\n");
    write_axes(output, &field, &axis, sheet->facts.releases);
    for (size_t i = 0; i < sheet->count; i++)
        if (panel->points[i].is_there)
            sc_svg_pen_to(&pen,
                          place_x(&field, sheet->steps[i].number, sheet->facts.releases),
                          place_y(&field, &axis, panel->points[i].value));
        else
            sc_svg_pen_lift(&pen);
    sc_svg_pen_lift(&pen);
    for (size_t i = 0; i < sheet->count; i++) {
        const sc_series_point *p = &panel->points[i];
        if (p->is_there)
            write_point(output,
                        place_x(&field, sheet->steps[i].number, sheet->facts.releases),
                        place_y(&field, &axis, p->low), place_y(&field, &axis, p->value),
                        place_y(&field, &axis, p->high));
    }
}

void sc_series_svg_write(sc_output *output, const sc_series_panels *panels)
{
    const scrim_series_facts *facts = &panels->sheet->facts;
    char title[200], summary[340], window[160];
    snprintf(title, sizeof title, "%s of %s", facts->name, facts->dataset);
    snprintf(window, sizeof window,
             facts->window[0] == '\0' ? "version" : "window of %.128s", facts->window);
    snprintf(summary, sizeof summary, "%.100s by release, each of a %s%s",
             panels->column == NULL ? "nothing" : panels->column, window,
             panels->keys > panels->count ? "; the largest keys" : "");
    const sc_svg_heading heading = {.title = title, .summary = summary, .x = 20, .y = 26};
    const size_t rows = (panels->count + 1) / 2;
    sc_svg_open_headed(output, (int)(TOP + PANEL * (rows == 0 ? 1 : rows) + 10),
                       &heading);
    if (panels->count == 0)
        sc_output_format(output, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT, TOP + ABOVE,
                         sc_series_nothing(panels));
    for (size_t i = 0; i < panels->count; i++)
        write_panel(output, panels, i);
    sc_svg_close(output);
}
