#include "cli/display/chart.h"

#include "cli/display/number_view.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double place_of(const sc_chart_axis *axis, double value)
{
    return axis->is_log ? log10(value) : value;
}

void sc_chart_axis_init(sc_chart_axis *axis, const char *name, bool is_log)
{
    *axis = (sc_chart_axis){
        .name = name, .is_log = is_log, .low = HUGE_VAL, .high = -HUGE_VAL};
}

void sc_chart_axis_widen(sc_chart_axis *axis, double value)
{
    if (!isfinite(value) || (axis->is_log && !(value > 0)))
        return;
    axis->low = fmin(axis->low, place_of(axis, value));
    axis->high = fmax(axis->high, place_of(axis, value));
}

double sc_chart_part(const sc_chart_axis *axis, double value)
{
    return (place_of(axis, value) - axis->low) / (axis->high - axis->low);
}

bool sc_chart_is_zero(const sc_chart_axis *axis, double value)
{
    return axis->zero_gap > 0 && (!(value > 0) || sc_chart_part(axis, value) < 0);
}

/* "5000", "0.2", "1e6": short, and without the sign and the zeros that C puts into an exponent. */
static void format_place(double value, char text[SC_CHART_LABEL_BYTES])
{
    snprintf(text, SC_CHART_LABEL_BYTES, "%g", value);
    char *exponent = strchr(text, 'e');
    if (exponent != NULL)
        snprintf(exponent, SC_CHART_LABEL_BYTES - (size_t)(exponent - text), "e%d",
                 (int)strtol(exponent + 1, NULL, 10));
}

void sc_chart_axis_add(sc_chart_axis *axis, double at, const char *words)
{
    const double slack = 1e-9 * (axis->high - axis->low);
    if (axis->label_count == SC_CHART_LABELS || at < axis->low - slack ||
        at > axis->high + slack)
        return;
    char *text = axis->labels[axis->label_count].text;
    axis->labels[axis->label_count++].at = at;
    if (words != NULL)
        snprintf(text, SC_CHART_LABEL_BYTES, "%s", words);
    else if (axis->is_date)
        sc_date_view_format(at, text);
    else if (!axis->is_log)
        format_place(at, text);
    else if (at == 0)
        snprintf(text, SC_CHART_LABEL_BYTES, "1");
    else
        snprintf(text, SC_CHART_LABEL_BYTES, "1e%.0f", at);
}

void sc_chart_axis_label(sc_chart_axis *axis, double start, double step)
{
    const double slack = 1e-9 * (axis->high - axis->low);
    for (int i = 0;; i++) {
        const double at = start + i * step;
        /* An axis of no value ends at once: no comparison with it holds. */
        if (!(step > 0 ? at <= axis->high + slack : at >= axis->low - slack))
            return;
        sc_chart_axis_add(axis, fabs(at) < fabs(step) / 2 ? 0 : at, NULL);
    }
}

/* Labels of more decades than this would touch each other. */
#define DECADES 10

void sc_chart_axis_label_log(sc_chart_axis *axis)
{
    static const double factors[] = {1, 2, 5};
    const double decades = axis->high - axis->low;
    const size_t used = decades > 3 ? 1 : 3;
    const int each = 1 + (int)(decades / DECADES);
    const int first = (int)floor(axis->low / each) * each;
    for (int power = first; power <= (int)ceil(axis->high); power += each)
        for (size_t i = 0; i < used; i++) {
            char text[SC_CHART_LABEL_BYTES];
            const double value = factors[i] * pow(10, power);
            format_place(value, text);
            sc_chart_axis_add(axis, log10(value), text);
        }
}

/* The two lines are bits. */
enum { CELL_FIRST = 1, CELL_SECOND = 2, CELL_BOTH = 3, CELL_DOT = 4, CELL_LEVEL = 5 };

static const sc_cell_kind kinds[SC_CELL_KINDS] = {
    [CELL_FIRST] = {.texts = {"*", "●"}, .colour = SC_BLUE},
    [CELL_SECOND] = {.texts = {"o", "○"}, .colour = SC_ORANGE},
    [CELL_BOTH] = {.texts = {"@", "◉"}, .colour = SC_BLUE},
    [CELL_DOT] = {.texts = {"@", "◉"}, .colour = SC_ORANGE},
    [CELL_LEVEL] = {.texts = {"-", "─"}, .colour = SC_ORANGE}};

/* A value between two, along a straight line of the axis; where an end has no logarithm, the left
 * one up to the right point. */
static double between(const sc_chart_axis *axis, double left, double right, double part)
{
    if (!axis->is_log)
        return left + part * (right - left);
    if (left > 0 && right > 0 && isfinite(left) && isfinite(right))
        return exp(log(left) + part * (log(right) - log(left)));
    return part < 1 ? left : right;
}

static size_t row_of(const sc_chart *chart, double y)
{
    if (sc_chart_is_zero(&chart->y, y))
        return chart->rows;
    return sc_cell_plot_row(chart->rows, fmin(fmax(sc_chart_part(&chart->y, y), 0), 1));
}

/* A line over a level, not beside it. */
static void set_cell(unsigned char *cell, unsigned kind)
{
    *cell = *cell == CELL_LEVEL ? (unsigned char)kind : (unsigned char)(*cell | kind);
}

static double x_at(const sc_chart *chart, size_t point)
{
    return sc_chart_part(&chart->x, chart->points[point * chart->stride]);
}

static void fill_lines(const sc_chart *chart, sc_cell_plot *plot)
{
    size_t right = 0;
    for (size_t column = 0; chart->count > 0 && column < plot->columns; column++) {
        const double x = (double)column / (double)(plot->columns - 1);
        while (right + 1 < chart->count && x_at(chart, right) < x)
            right++;
        const size_t left = right == 0 ? 0 : right - 1;
        const double start = x_at(chart, left), end = x_at(chart, right);
        if (x < start - 1e-9 || (x > end + 1e-9 && end > start))
            continue; /* outside of the points */
        const double part = end > start ? (x - start) / (end - start) : 1;
        for (size_t i = 0; i < chart->line_count; i++) {
            const double *y = chart->lines[i].y;
            const double value = between(&chart->y, y[left * chart->stride],
                                         y[right * chart->stride], part);
            if (isfinite(value))
                set_cell(&plot->cells[row_of(chart, value)][column], 1U << i);
        }
    }
}

/* Below, the labels that do not run into another. */
static void fill_labels(const sc_chart *chart, sc_cell_plot *plot)
{
    const sc_chart_axis *x = &chart->x, *y = &chart->y;
    for (size_t i = 0; i < y->label_count; i++) {
        const double part = (y->labels[i].at - y->low) / (y->high - y->low);
        memcpy(plot->y_labels[sc_cell_plot_row(chart->rows, part)], y->labels[i].text,
               SC_CELL_LABEL_BYTES);
    }
    if (y->zero_gap > 0)
        snprintf(plot->y_labels[chart->rows], SC_CELL_LABEL_BYTES, "0");
    for (size_t i = 0; i < x->label_count; i++) {
        const double part = (x->labels[i].at - x->low) / (x->high - x->low);
        const size_t length = strlen(x->labels[i].text);
        size_t at = sc_cell_plot_column(plot, part);
        at = at + length > plot->columns ? plot->columns - length : at;
        if (sc_cell_plot_is_free(plot, at == 0 ? 0 : at - 1, length + 2))
            sc_cell_plot_label(plot, at, x->labels[i].text);
    }
}

static void fill_marks(const sc_chart *chart, sc_cell_plot *plot)
{
    const double part = fmin(fmax(sc_chart_part(&chart->x, chart->dot_x), 0), 1);
    if (chart->has_dot && !chart->hides_dot)
        plot->cells[row_of(chart, chart->dot_y)][sc_cell_plot_column(plot, part)] =
            CELL_DOT;
}

void sc_chart_terminal_write(sc_output *output, const sc_chart *chart,
                             const sc_terminal *terminal)
{
    sc_cell_plot plot;
    if (chart->title != NULL) {
        sc_output_text(output, "  ");
        sc_output_text(output, chart->title); /* may be long */
        sc_output_text(output, "\n");
    }
    sc_cell_plot_init(&plot, chart->rows + (chart->y.zero_gap > 0 ? 1 : 0),
                      chart->label_chars, chart->margin, terminal);
    plot.x_name = chart->x.name;
    plot.y_name = chart->y.name;
    memcpy(plot.kinds, kinds, sizeof kinds);
    for (size_t i = 0; i < chart->line_count; i++)
        plot.kinds[1U << i].words = chart->lines[i].words;
    plot.kinds[CELL_BOTH].words = chart->line_count == 2 ? "both" : NULL;
    plot.kinds[CELL_DOT].words =
        chart->has_dot && !chart->hides_dot ? chart->dot_words : NULL;
    plot.kinds[CELL_LEVEL].words = chart->has_level ? chart->level_words : NULL;
    if (chart->has_level)
        memset(plot.cells[row_of(chart, chart->level)], CELL_LEVEL, plot.columns);
    fill_lines(chart, &plot);
    fill_marks(chart, &plot);
    fill_labels(chart, &plot);
    sc_cell_plot_write(output, &plot, terminal);
}

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

/* A horizontal axis of more labels leaves every second one out on a phone. */
#define PHONE_LABELS 5

static void write_axes(sc_output *output, const sc_chart *chart,
                       const sc_svg_field *field)
{
    const sc_chart_axis *x = &chart->x, *y = &chart->y;
    for (size_t i = 0; i < x->label_count; i++)
        sc_svg_x_label(output, field,
                       sc_svg_x(field, (x->labels[i].at - x->low) / (x->high - x->low)),
                       x->labels[i].text, x->label_count > PHONE_LABELS && i % 2 == 1);
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

/* More points than this would touch each other and hide their line. */
#define MARKS_MOST 60

static void write_points(sc_output *output, const sc_chart *chart,
                         const sc_svg_field *field, const sc_chart_line *line)
{
    const bool has_marks = chart->count <= MARKS_MOST;
    for (size_t i = 0; i < chart->count * chart->stride; i += chart->stride) {
        const double x = place_x(chart, field, chart->points[i]);
        if (!isfinite(line->y[i]))
            continue;
        if (line->low[i] < line->high[i] || line->look->cap > 0)
            write_reach(output, line->look, x, place_y(chart, field, line->low[i]),
                        place_y(chart, field, line->high[i]));
        if (has_marks)
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
