#include "cli/display/curve_plot.h"

#include "cli/display/canvas.h"
#include "cli/display/chart.h"
#include "cli/terminal/terminal.h"

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

/* The drawing: a heading, and one field below the other. */
#define HEADING 60
#define PANEL 340

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
    /* Label a logarithmic axis from the right, where the largest delta is a round number. */
    sc_chart_axis_label(x, view->x_is_log ? x->high : x->low,
                        view->x_is_log ? -step : step);
    sc_chart_axis_label(y, y->low, sc_axis_step(y->high, SC_AXIS_LABELS));
}

static sc_chart bounds_chart_of(const sc_bounds_view *view)
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
    const sc_chart chart = bounds_chart_of(view);
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
    const sc_chart chart = bounds_chart_of(view);
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

#define ERROR_HEIGHT 450
/* Sizes of one curve among several. */
#define ERROR_PANEL 230
#define PANEL_TOP 100

static void error_choose_axes(const sc_error_curve *curve, sc_chart_axis *x,
                              sc_chart_axis *y)
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

static sc_chart error_chart_of(const sc_error_curve *curve)
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
    error_choose_axes(curve, &chart.x, &chart.y);
    return chart;
}

void sc_error_curve_terminal(sc_output *output, const sc_error_curve *curve,
                             const sc_terminal *terminal)
{
    const sc_chart chart = error_chart_of(curve);
    sc_chart_terminal_write(output, &chart, terminal);
}

void sc_error_curve_svg(sc_output *output, const sc_error_curve *curve)
{
    static const sc_svg_field field = {
        .left = LEFT, .right = SC_SVG_WIDTH - 20, .top = 80, .bottom = ERROR_HEIGHT - 60};
    char summary[240], wanted[40] = "";
    const sc_chart chart = error_chart_of(curve);
    if (chart.has_level)
        snprintf(wanted, sizeof wanted, "; wanted: %g", curve->target);
    snprintf(summary, sizeof summary, "%.80s; at %s%s", curve->about, chart.dot_words,
             wanted);
    sc_svg_open_headed(
        output, ERROR_HEIGHT,
        &(sc_svg_heading){.title = curve->title, .summary = summary, .x = LEFT, .y = 24});
    sc_chart_svg_write(output, &chart, &field);
    sc_svg_close(output);
}

void sc_error_curves_svg(sc_output *output, const char *title,
                         const sc_error_curve *curves, size_t count)
{
    const int height = PANEL_TOP + (int)count * ERROR_PANEL;
    sc_svg_open_headed(output, height,
                       &(sc_svg_heading){.title = title,
                                         .summary = "half of the interval of each column",
                                         .x = LEFT,
                                         .y = 24});
    for (size_t i = 0; i < count; i++) {
        const int top = PANEL_TOP + (int)i * ERROR_PANEL;
        const sc_svg_field field = {.left = LEFT,
                                    .right = SC_SVG_WIDTH - 20,
                                    .top = top,
                                    .bottom = top + ERROR_PANEL - 80};
        const sc_chart chart = error_chart_of(&curves[i]);
        sc_output_format(output, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">", LEFT,
                         top - 12);
        sc_markup_short(output, curves[i].title, SC_SVG_TITLE_CHARS);
        sc_output_text(output, "</text>\n");
        sc_chart_svg_write(output, &chart, &field);
    }
    sc_svg_close(output);
}

#define KEYS_Y 70
#define KEYS_X 20
#define KEY_STEP 172
#define TOP 110
#define PANELS_HEIGHT 260

static const sc_chart_look looks[SC_PANELS_LINES] = {
    SC_CHART_LOOK(SC_BLUE_HEX, "none", "2", SC_SVG_DISC),
    SC_CHART_LOOK(SC_ORANGE_HEX, "6 3", "2", SC_SVG_CROSS),
    SC_CHART_LOOK("#009e73", "none", "1", SC_SVG_SQUARE),
    SC_CHART_LOOK("#000000", "2 3", "1", SC_SVG_PLUS)};

void sc_panels_open(sc_output *output, const sc_panels *panels, size_t count)
{
    sc_svg_open_headed(
        output, TOP + (int)count * PANELS_HEIGHT,
        &(sc_svg_heading){
            .title = panels->title, .summary = panels->summary, .x = LEFT, .y = 24});
    for (size_t i = 0; i < SC_PANELS_LINES && panels->keys[i] != NULL; i++) {
        const int x = KEYS_X + (int)i * KEY_STEP;
        sc_svg_key(output, x, KEYS_Y, looks[i].style, panels->keys[i]);
        sc_svg_mark(output, x + 15, KEYS_Y, looks[i].shape, looks[i].colour);
    }
}

static void set_axes(const sc_panel *panel, sc_chart *chart)
{
    const bool is_log = panel->x_step == 0;
    const size_t lines = chart->line_count;
    sc_chart_axis_init(&chart->x, panel->x_name, is_log);
    sc_chart_axis_init(&chart->y, panel->y_name, false);
    sc_chart_axis_widen(&chart->y, 0);
    if (!is_log)
        sc_chart_axis_widen(&chart->x, 0);
    if (panel->x_last > 0)
        sc_chart_axis_widen(&chart->x, panel->x_last);
    for (size_t i = 0; i < panel->count; i++) {
        sc_chart_axis_widen(&chart->x, panel->x[i]);
        for (size_t k = 0; k < lines; k++)
            sc_chart_axis_widen(&chart->y, chart->lines[k].y[i]);
    }
    if (is_log && panel->count == 1) { /* an axis has an extent */
        chart->x.low -= 1;
        chart->x.high += 1;
    }
    sc_chart_axis_label(&chart->y, 0,
                        sc_axis_step(chart->y.high - chart->y.low, SC_AXIS_LABELS));
    if (is_log)
        sc_chart_axis_label_log(&chart->x);
    else
        sc_chart_axis_label(&chart->x, 0, panel->x_step);
}

static sc_chart panels_chart_of(const sc_panels *panels, const sc_panel *panel,
                                size_t lines)
{
    sc_chart chart = {
        .points = panel->x, .count = panel->count, .stride = 1, .names_y = true};
    for (size_t k = 0; k < SC_PANELS_LINES && chart.line_count < lines; k++) {
        const double *y = panel->y[k];
        if (y != NULL)
            chart.lines[chart.line_count++] = (sc_chart_line){
                .words = panels->keys[k], .look = &looks[k], .y = y, .low = y, .high = y};
    }
    set_axes(panel, &chart);
    return chart;
}

void sc_panel_write(sc_output *output, const sc_panels *panels, size_t index,
                    const sc_panel *panel)
{
    const int top = TOP + (int)index * PANELS_HEIGHT;
    const sc_svg_field field = {LEFT, SC_SVG_WIDTH - 20, top + 20,
                                top + PANELS_HEIGHT - 60};
    const sc_chart chart = panels_chart_of(panels, panel, SC_PANELS_LINES);
    if (panel->title != NULL)
        sc_output_format(output,
                         "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", LEFT,
                         top + 8, panel->title);
    sc_chart_svg_write(output, &chart, &field);
}

void sc_panel_terminal(sc_output *output, const sc_panels *panels, const sc_panel *panel,
                       const sc_terminal *terminal)
{
    sc_chart chart = panels_chart_of(panels, panel, 2);
    chart.title = panel->title;
    chart.rows = 15;
    chart.label_chars = 8;
    chart.margin = 8;
    sc_chart_terminal_write(output, &chart, terminal);
}
