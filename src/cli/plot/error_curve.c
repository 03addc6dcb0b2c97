#include "cli/plot/error_curve.h"

#include "cli/plot/chart.h"
#include "cli/sheet/markup.h"

#include <stdio.h>

#define HEIGHT 450
#define LEFT 80
/* Of one curve among several. */
#define PANEL 230
#define PANEL_TOP 100

static void choose_axes(const sc_error_curve *curve, sc_chart_axis *x, sc_chart_axis *y)
{
    sc_chart_axis_init(x, "epsilon", true);
    sc_chart_axis_init(y, "error", true);
    sc_chart_axis_widen(x, curve->chosen.epsilon);
    sc_chart_axis_widen(y, curve->chosen.error);
    for (size_t i = 0; i < curve->count; i++) {
        sc_chart_axis_widen(x, curve->points[i].epsilon);
        sc_chart_axis_widen(y, curve->points[i].error);
    }
    sc_chart_axis_widen(y, curve->target);
    /* A curve that is flat still has a height. */
    if (y->high - y->low < 0.1) {
        y->low -= 0.05;
        y->high += 0.05;
    }
    sc_chart_axis_label_log(x);
    sc_chart_axis_label_log(y);
}

static sc_chart chart_of(const sc_error_curve *curve)
{
    sc_chart chart = {.title = curve->title,
                      .points = &curve->points->epsilon,
                      .count = curve->count,
                      .stride = sizeof *curve->points / sizeof curve->points->epsilon,
                      .lines = {{.words = "predicted", .y = &curve->points->error}},
                      .line_count = 1,
                      .has_dot = curve->chosen.error > 0,
                      .dot_x = curve->chosen.epsilon,
                      .dot_y = curve->chosen.error,
                      .dot_hex = SC_ORANGE_HEX,
                      .has_level = curve->target > 0,
                      .level = curve->target,
                      .names_y = true,
                      .rows = 15,
                      .label_chars = 8,
                      .margin = 8};
    snprintf(chart.dot_words, sizeof chart.dot_words, "epsilon %g: %g",
             curve->chosen.epsilon, curve->chosen.error);
    snprintf(chart.level_words, sizeof chart.level_words, "wanted: %g", curve->target);
    choose_axes(curve, &chart.x, &chart.y);
    return chart;
}

void sc_error_curve_terminal(sc_output *output, const sc_error_curve *curve,
                             const sc_terminal *terminal)
{
    const sc_chart chart = chart_of(curve);
    sc_chart_terminal_write(output, &chart, terminal);
}

void sc_error_curve_svg(sc_output *output, const sc_error_curve *curve)
{
    static const sc_svg_field field = {
        .left = LEFT, .right = SC_SVG_WIDTH - 20, .top = 80, .bottom = HEIGHT - 60};
    char summary[200], wanted[40] = "";
    const sc_chart chart = chart_of(curve);
    if (chart.has_level)
        snprintf(wanted, sizeof wanted, ", %g was wanted", curve->target);
    snprintf(summary, sizeof summary, "the largest predicted error of a column; %s%s",
             chart.dot_words, wanted);
    sc_svg_open_headed(
        output, HEIGHT,
        &(sc_svg_heading){.title = curve->title, .summary = summary, .x = LEFT, .y = 24});
    sc_chart_svg_write(output, &chart, &field);
    sc_svg_close(output);
}

void sc_error_curves_svg(sc_output *output, const char *title,
                         const sc_error_curve *curves, size_t count)
{
    const int height = PANEL_TOP + (int)count * PANEL;
    sc_svg_open_headed(output, height,
                       &(sc_svg_heading){.title = title,
                                         .summary = "the predicted error of each column",
                                         .x = LEFT,
                                         .y = 24});
    for (size_t i = 0; i < count; i++) {
        const int top = PANEL_TOP + (int)i * PANEL;
        const sc_svg_field field = {.left = LEFT,
                                    .right = SC_SVG_WIDTH - 20,
                                    .top = top,
                                    .bottom = top + PANEL - 80};
        const sc_chart chart = chart_of(&curves[i]);
        sc_output_format(output, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">", LEFT,
                         top - 12);
        sc_markup_short(output, curves[i].title, SC_SVG_TITLE_CHARS);
        sc_output_text(output, "</text>\n");
        sc_chart_svg_write(output, &chart, &field);
    }
    sc_svg_close(output);
}
