#include "cli/plot/cell_plot.h"
#include "cli/plot/chart.h"
#include "cli/terminal/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
