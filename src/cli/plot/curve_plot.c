#include "cli/plot/curve_plot.h"

#include "cli/plot/axis_step.h"
#include "cli/plot/chart.h"

#include <math.h>
#include <stdio.h>

/* No more decades than this are shown; what is smaller stands at 0. */
#define DECADES 30
/* The drawing and the field of the curve in it. */
#define HEIGHT 470
#define LEFT 80
#define KEY 62

static void choose_deltas(const sc_curve_view *view, sc_chart_axis *y)
{
    sc_chart_axis_init(y, "delta", true);
    for (size_t i = 0; i < view->count; i++) {
        sc_chart_axis_widen(y, view->points[i].lower);
        sc_chart_axis_widen(y, view->points[i].claimed);
    }
    const bool has_any = y->low <= y->high;
    y->high = has_any ? ceil(fmin(y->high, 0) - 1e-9) : 0;
    y->low = has_any ? floor(y->low + 1e-9) : -1;
    y->low = fmax(fmin(y->low, y->high - 1), y->high - DECADES);
    y->zero_gap = 18;
    sc_chart_axis_label(y, y->high, -ceil((y->high - y->low) / SC_AXIS_LABELS));
}

static sc_chart chart_of(const sc_curve_view *view)
{
    static const sc_curve_point none;
    const sc_curve_point *points = view->count == 0 ? &none : view->points;
    const double end = view->count == 0 ? 0 : points[view->count - 1].epsilon;
    sc_chart chart = {.title = view->title,
                      .points = &points->epsilon,
                      .count = view->count,
                      .stride = sizeof *points / sizeof points->epsilon,
                      .lines = {{.words = "exact", .y = &points->lower},
                                {.words = "claimed", .y = &points->claimed}},
                      .line_count = 2,
                      .has_dot = view->has_charged,
                      .hides_dot = true,
                      .dot_x = view->charged_epsilon,
                      .dot_y = view->charged_delta,
                      .dot_hex = "#000000",
                      .names_y = true,
                      .rows = 15,
                      .label_chars = 7,
                      .margin = 8};
    snprintf(chart.dot_words, sizeof chart.dot_words, "charged: epsilon %g, delta %g",
             view->charged_epsilon, view->charged_delta);
    sc_chart_axis_init(&chart.x, "epsilon", false);
    chart.x.low = 0;
    chart.x.high = end > 0 && isfinite(end) ? end : 1;
    sc_chart_axis_label(&chart.x, 0, sc_axis_step(chart.x.high, SC_AXIS_LABELS));
    choose_deltas(view, &chart.y);
    return chart;
}

void sc_curve_terminal_write(sc_output *output, const sc_curve_view *view,
                             const sc_terminal *terminal)
{
    const sc_chart chart = chart_of(view);
    sc_chart_terminal_write(output, &chart, terminal);
}

void sc_curve_svg_write(sc_output *output, const sc_curve_view *view)
{
    static const sc_svg_field field = {
        .left = LEFT, .right = SC_SVG_WIDTH - 20, .top = 80, .bottom = HEIGHT - 70};
    const sc_svg_heading heading = {.title = view->title,
                                    .verdict = view->verdict,
                                    .summary = view->summary,
                                    .x = LEFT,
                                    .y = 24};
    const sc_chart chart = chart_of(view);
    sc_svg_open_headed(output, HEIGHT, &heading);
    sc_chart_svg_write(output, &chart, &field);
    sc_svg_key(output, LEFT, KEY, SC_SVG_THIN, chart.lines[0].words);
    sc_svg_key(output, LEFT + 110, KEY, SC_SVG_BROAD, chart.lines[1].words);
    if (view->has_charged) {
        sc_svg_dot(output, LEFT + 255, KEY, chart.dot_hex, NULL);
        sc_output_format(output, "<text x=\"%d\" y=\"%d\">charged</text>\n", LEFT + 268,
                         KEY + 4);
    }
    sc_svg_close(output);
}
