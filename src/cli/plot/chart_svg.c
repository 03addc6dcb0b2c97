#include "cli/plot/chart.h"

#include <math.h>

static double place_x(const sc_chart *chart, const sc_svg_field *field, double x)
{
    return sc_svg_x(field, sc_chart_part(&chart->x, x));
}

static double place_part(const sc_chart *chart, const sc_svg_field *field, double part)
{
    sc_svg_field upper = *field;
    upper.bottom -= chart->y.zero_gap;
    return sc_svg_y(&upper, part);
}

static double place_y(const sc_chart *chart, const sc_svg_field *field, double y)
{
    return sc_chart_is_zero(&chart->y, y)
               ? field->bottom
               : place_part(chart, field, fmin(sc_chart_part(&chart->y, y), 1));
}

static void write_axes(sc_output *output, const sc_chart *chart,
                       const sc_svg_field *field)
{
    const sc_chart_axis *x = &chart->x, *y = &chart->y;
    for (size_t i = 0; i < x->label_count; i++)
        sc_svg_x_label(output, field,
                       sc_svg_x(field, (x->labels[i].at - x->low) / (x->high - x->low)),
                       x->labels[i].text);
    if (x->name != NULL)
        sc_svg_x_name(output, field, x->name);
    for (size_t i = 0; i < y->label_count; i++) {
        const double part = (y->labels[i].at - y->low) / (y->high - y->low);
        sc_svg_y_label(output, field, place_part(chart, field, part), y->labels[i].text,
                       !y->is_log && y->labels[i].at == 0);
    }
    if (y->zero_gap > 0)
        sc_svg_y_label(output, field, field->bottom, "0", true);
    if (chart->names_y)
        sc_svg_y_name(output, field, y->name);
}

/* An error bar, with caps where the look has them. */
static void write_reach(sc_output *output, const sc_chart_look *look, double x,
                        double low, double high)
{
    const int cap = look->cap;
    if (cap == 0)
        sc_output_format(output,
                         "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n",
                         x, low, x, high, look->reach_style);
    else
        sc_output_format(output,
                         "<path d=\"M%.2f %.2fV%.2fM%.2f %.2fh%dM%.2f %.2fh%d\" "
                         "fill=\"none\" %s/>\n",
                         x, low, high, x - cap, low, 2 * cap, x - cap, high, 2 * cap,
                         look->reach_style);
}

static void write_points(sc_output *output, const sc_chart *chart,
                         const sc_svg_field *field, const sc_chart_line *line)
{
    for (size_t i = 0; i < chart->count * chart->stride; i += chart->stride) {
        const double x = place_x(chart, field, chart->points[i]);
        if (!isfinite(line->y[i]))
            continue;
        if (line->low[i] < line->high[i] || line->look->cap > 0)
            write_reach(output, line->look, x, place_y(chart, field, line->low[i]),
                        place_y(chart, field, line->high[i]));
        sc_svg_mark(output, x, place_y(chart, field, line->y[i]), line->look->shape,
                    line->look->colour);
    }
}

/* One line a stretch of points that are finite. */
static void write_line(sc_output *output, const sc_chart *chart,
                       const sc_svg_field *field, const sc_chart_line *line)
{
    const char *plain = line == chart->lines ? SC_SVG_THIN : SC_SVG_BROAD;
    sc_svg_pen pen = {.output = output,
                      .style = line->look == NULL ? plain : line->look->style};
    for (size_t i = 0; i < chart->count * chart->stride; i += chart->stride)
        if (isfinite(line->y[i]))
            sc_svg_pen_to(&pen, place_x(chart, field, chart->points[i]),
                          place_y(chart, field, line->y[i]));
        else
            sc_svg_pen_lift(&pen);
    sc_svg_pen_lift(&pen);
    if (line->look != NULL)
        write_points(output, chart, field, line);
}

static void write_mark(sc_output *output, const sc_chart *chart,
                       const sc_svg_field *field)
{
    const double part = sc_chart_part(&chart->x, chart->mark);
    const double x = sc_svg_x(field, part);
    if (part >= 0 && part <= 1)
        sc_output_format(output,
                         "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                         "stroke=\"#000000\" stroke-dasharray=\"4 4\"/>\n",
                         x, field->top, x, field->bottom);
}

static void write_level(sc_output *output, const sc_chart *chart,
                        const sc_svg_field *field)
{
    sc_output_format(output,
                     "<path d=\"M%d %.1fH%d\" stroke=\"" SC_ORANGE_HEX
                     "\" stroke-dasharray=\"6 4\"><title>%s</title></path>\n",
                     field->left, place_y(chart, field, chart->level), field->right,
                     chart->level_words);
}

static void write_dot(sc_output *output, const sc_chart *chart, const sc_svg_field *field)
{
    if (sc_chart_part(&chart->x, chart->dot_x) > 1 + 1e-9)
        return;
    sc_svg_dot(output, place_x(chart, field, chart->dot_x),
               place_y(chart, field, chart->dot_y), chart->dot_hex, chart->dot_words);
}

void sc_chart_svg_write(sc_output *output, const sc_chart *chart,
                        const sc_svg_field *field)
{
    write_axes(output, chart, field);
    if (chart->has_level)
        write_level(output, chart, field);
    for (size_t i = chart->line_count; i-- > 0;)
        write_line(output, chart, field, &chart->lines[i]);
    if (chart->has_mark)
        write_mark(output, chart, field);
    if (chart->has_dot)
        write_dot(output, chart, field);
}
