#include "cli/plot/panels.h"

#include "cli/plot/axis_step.h"
#include "cli/plot/chart.h"
#include "cli/plot/svg_plot.h"
#include "cli/terminal/palette.h"

#define LEFT 80
#define KEYS_Y 70
#define KEY_STEP 160
#define TOP 110
#define HEIGHT 260

static const sc_chart_look looks[SC_PANELS_LINES] = {
    SC_CHART_LOOK(SC_BLUE_HEX, "none", "2", SC_SVG_DISC),
    SC_CHART_LOOK(SC_ORANGE_HEX, "6 3", "2", SC_SVG_CROSS),
    SC_CHART_LOOK("#009e73", "none", "1", SC_SVG_SQUARE),
    SC_CHART_LOOK("#000000", "2 3", "1", SC_SVG_PLUS)};

void sc_panels_open(sc_output *output, const sc_panels *panels, size_t count)
{
    sc_svg_open_headed(
        output, TOP + (int)count * HEIGHT,
        &(sc_svg_heading){
            .title = panels->title, .summary = panels->summary, .x = LEFT, .y = 24});
    for (size_t i = 0; i < SC_PANELS_LINES && panels->keys[i] != NULL; i++) {
        const int x = LEFT + (int)i * KEY_STEP;
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
    for (size_t i = 0; i < panel->count; i++) {
        sc_chart_axis_widen(&chart->x, panel->x[i]);
        for (size_t k = 0; k < lines; k++)
            sc_chart_axis_widen(&chart->y, panel->y[k][i]);
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

static sc_chart chart_of(const sc_panels *panels, const sc_panel *panel, size_t lines)
{
    sc_chart chart = {
        .points = panel->x, .count = panel->count, .stride = 1, .names_y = true};
    for (; chart.line_count < lines && panel->y[chart.line_count] != NULL;
         chart.line_count++) {
        const double *y = panel->y[chart.line_count];
        chart.lines[chart.line_count] =
            (sc_chart_line){.words = panels->keys[chart.line_count],
                            .look = &looks[chart.line_count],
                            .y = y,
                            .low = y,
                            .high = y};
    }
    set_axes(panel, &chart);
    return chart;
}

void sc_panel_write(sc_output *output, const sc_panels *panels, size_t index,
                    const sc_panel *panel)
{
    const int top = TOP + (int)index * HEIGHT;
    const sc_svg_field field = {LEFT, SC_SVG_WIDTH - 20, top + 20, top + HEIGHT - 60};
    const sc_chart chart = chart_of(panels, panel, SC_PANELS_LINES);
    if (panel->title != NULL)
        sc_output_format(output,
                         "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", LEFT,
                         top + 8, panel->title);
    sc_chart_svg_write(output, &chart, &field);
}

void sc_panel_terminal(sc_output *output, const sc_panels *panels, const sc_panel *panel,
                       const sc_terminal *terminal)
{
    sc_chart chart = chart_of(panels, panel, 2);
    chart.title = panel->title;
    chart.rows = 15;
    chart.label_chars = 8;
    chart.margin = 8;
    sc_chart_terminal_write(output, &chart, terminal);
}
