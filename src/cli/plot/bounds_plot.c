#include "cli/plot/bounds_plot.h"

#include "cli/plot/axis_step.h"
#include "cli/plot/chart.h"
#include "cli/sheet/markup.h"

#include <math.h>

/* The drawing: a heading, and one field below the other. */
#define HEADING 60
#define PANEL 340
#define LEFT 80

static void choose_axes(const sc_bounds_view *view, sc_chart_axis *x, sc_chart_axis *y)
{
    sc_chart_axis_init(x, view->x_name, view->x_is_log);
    sc_chart_axis_init(y, "epsilon", false);
    sc_chart_axis_widen(y, 0);
    if (!view->x_is_log)
        sc_chart_axis_widen(x, 0);
    for (size_t i = 0; i < view->count; i++) {
        sc_chart_axis_widen(x, view->points[i].x);
        sc_chart_axis_widen(y, view->points[i].upper);
        sc_chart_axis_widen(y, view->points[i].lower);
    }
    if (x->low > x->high)
        x->low = 0;
    if (!(x->high > x->low))
        x->high = x->low + 1;
    if (!(y->high > 0))
        y->high = 1;
    double step = sc_axis_step(x->high - x->low, SC_AXIS_LABELS);
    if (view->x_is_log && step < 1)
        step = 1;
    /* From the right where x is logarithmic: the largest delta is a round one. */
    sc_chart_axis_label(x, view->x_is_log ? x->high : x->low,
                        view->x_is_log ? -step : step);
    sc_chart_axis_label(y, y->low, sc_axis_step(y->high, SC_AXIS_LABELS));
}

static sc_chart chart_of(const sc_bounds_view *view)
{
    static const sc_bounds_point none;
    const sc_bounds_point *points = view->count == 0 ? &none : view->points;
    sc_chart chart = {.points = &points->x,
                      .count = view->count,
                      .stride = sizeof *points / sizeof points->x,
                      .lines = {{.words = "at most", .y = &points->upper},
                                {.words = "at least", .y = &points->lower}},
                      .line_count = 2,
                      .has_mark = view->has_mark,
                      .mark = view->mark,
                      .rows = 13,
                      .label_chars = 9,
                      .margin = 6};
    choose_axes(view, &chart.x, &chart.y);
    return chart;
}

void sc_bounds_terminal_write(sc_output *output, const sc_bounds_view *view,
                              const sc_terminal *terminal)
{
    const sc_chart chart = chart_of(view);
    sc_output_format(output, "%s\n", view->title);
    sc_chart_terminal_write(output, &chart, terminal);
    sc_output_text(output, "\n");
}

static void write_panel(sc_output *output, const sc_bounds_view *view, double top)
{
    const sc_svg_field field = {.left = LEFT,
                                .right = SC_SVG_WIDTH - 30,
                                .top = top + 60,
                                .bottom = top + PANEL - 60};
    const sc_chart chart = chart_of(view);
    sc_output_format(output, "<text x=\"%d\" y=\"%.1f\" font-weight=\"bold\">", LEFT,
                     field.top - 34);
    sc_markup_short(output, view->title, SC_SVG_TITLE_CHARS);
    sc_output_text(output, "</text>\n");
    sc_chart_svg_write(output, &chart, &field);
    sc_svg_key(output, LEFT, field.top - 16, SC_SVG_THIN, chart.lines[0].words);
    sc_svg_key(output, LEFT + 120, field.top - 16, SC_SVG_BROAD, chart.lines[1].words);
}

void sc_bounds_svg_write(sc_output *output, const char *title, const char *summary,
                         const sc_bounds_view *views, size_t count)
{
    const sc_svg_heading heading = {.title = title, .summary = summary, .x = 20, .y = 26};
    sc_svg_open_headed(output, HEADING + PANEL * (int)count, &heading);
    for (size_t i = 0; i < count; i++)
        write_panel(output, &views[i], HEADING + PANEL * (double)i);
    sc_svg_close(output);
}
