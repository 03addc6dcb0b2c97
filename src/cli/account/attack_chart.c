#include "cli/account/attack_chart.h"

#include "cli/plot/axis_step.h"
#include "cli/plot/chart.h"
#include "cli/sheet/markup.h"

#include <math.h>

#define LEFT 80
#define KEY_STEP 200
/* Of one chart among several. */
#define PANEL 320
#define PANEL_TOP 96

bool sc_attack_has_chart(const scrim_attack *attack, size_t table)
{
    scrim_attack_table shown;
    return scrim_attack_table_at(attack, table, &shown) && shown.points > 0;
}

/* An axis around its values: a logarithmic one, or one with round numbers. */
static void choose_axis(sc_chart_axis *axis)
{
    const double least_extent = axis->is_log ? 0.1 : 1e-9;
    if (axis->high - axis->low < least_extent) {
        axis->low -= least_extent;
        axis->high += least_extent;
    }
    if (axis->is_log) {
        sc_chart_axis_label_log(axis);
        return;
    }
    const double step = sc_axis_step(axis->high - axis->low, SC_AXIS_LABELS);
    sc_chart_axis_label(axis, ceil(axis->low / step - 1e-9) * step, step);
}

static void choose_percent(sc_chart_axis *axis)
{
    axis->low = 0;
    axis->high = 100;
    sc_chart_axis_label(axis, 0, 20);
}

static sc_chart chart_of(const scrim_attack *attack, size_t index,
                         const scrim_attack_table *table)
{
    sc_chart chart = {.points = table->x,
                      .count = table->points,
                      .stride = 1,
                      .names_y = true,
                      .rows = 15,
                      .label_chars = 8,
                      .margin = 8};
    sc_chart_axis_init(&chart.x, table->x_name, table->is_log_x != 0);
    sc_chart_axis_init(&chart.y, table->y_name, table->is_log_y != 0);
    for (size_t i = 0; i < table->points; i++)
        sc_chart_axis_widen(&chart.x, table->x[i]);
    for (; chart.line_count < table->curves && chart.line_count < SC_CHART_LINES;
         chart.line_count++) {
        sc_chart_line *line = &chart.lines[chart.line_count];
        line->y = scrim_attack_curve_at(attack, index, chart.line_count, &line->words);
        for (size_t i = 0; i < table->points; i++)
            sc_chart_axis_widen(&chart.y, line->y[i]);
    }
    choose_axis(&chart.x);
    if (table->is_log_y)
        choose_axis(&chart.y);
    else
        choose_percent(&chart.y);
    return chart;
}

void sc_attack_chart_terminal(sc_output *output, const scrim_attack *attack, size_t table,
                              const sc_terminal *terminal)
{
    scrim_attack_table shown;
    if (!scrim_attack_table_at(attack, table, &shown))
        return;
    const sc_chart chart = chart_of(attack, table, &shown);
    sc_output_format(output, "  %s\n", shown.heading);
    sc_chart_terminal_write(output, &chart, terminal);
}

static void write_panel(sc_output *output, const scrim_attack *attack, size_t index,
                        const scrim_attack_table *table, int top)
{
    static const char *const styles[] = {SC_SVG_THIN, SC_SVG_BROAD};
    const sc_svg_field field = {.left = LEFT,
                                .right = SC_SVG_WIDTH - 20,
                                .top = top + 30,
                                .bottom = top + PANEL - 80};
    const sc_chart chart = chart_of(attack, index, table);
    sc_output_format(output, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">", LEFT, top);
    sc_markup_short(output, table->heading, SC_SVG_TITLE_CHARS);
    sc_output_text(output, "</text>\n");
    for (size_t i = 0; i < chart.line_count && i < 2; i++)
        sc_svg_key(output, LEFT + (int)i * KEY_STEP, top + 16, styles[i],
                   chart.lines[i].words);
    sc_chart_svg_write(output, &chart, &field);
}

void sc_attack_chart_svg(sc_output *output, const scrim_attack *attack)
{
    scrim_attack_facts facts;
    scrim_attack_table table;
    int charts = 0, place = 0;
    scrim_attack_describe(attack, &facts);
    for (size_t i = 0; scrim_attack_table_at(attack, i, &table); i++)
        charts += sc_attack_has_chart(attack, i);
    sc_svg_open_headed(output, PANEL_TOP + charts * PANEL,
                       &(sc_svg_heading){.title = facts.name,
                                         .summary = facts.target,
                                         .summary_lines = 2,
                                         .x = LEFT,
                                         .y = 24});
    for (size_t i = 0; scrim_attack_table_at(attack, i, &table); i++)
        if (sc_attack_has_chart(attack, i))
            write_panel(output, attack, i, &table, PANEL_TOP + PANEL * place++);
    sc_svg_close(output);
}
