#include "cli/plot/cell_plot.h"
#include "cli/plot/curve_plot.h"
#include "cli/terminal/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows for the decades; one more below them is for 0. */
#define ROWS 15
#define LABEL_CHARS 7
#define MARGIN 8

enum { CELL_EXACT = 1, CELL_CLAIMED = 2, CELL_BOTH = 3 };

static const sc_cell_kind kinds[SC_CELL_KINDS] = {
    [CELL_EXACT] = {{"*", "●"}, SC_BLUE, "exact"},
    [CELL_CLAIMED] = {{"o", "○"}, SC_ORANGE, "claimed"},
    [CELL_BOTH] = {{"@", "◉"}, SC_BLUE, "both"}};

/* A delta between two points, along a straight line of the logarithms where both have one. */
static double between(double left, double right, double part)
{
    if (left > 0 && right > 0 && isfinite(left) && isfinite(right))
        return exp(log(left) + part * (log(right) - log(left)));
    return part < 1 ? left : right;
}

static void set_cell(sc_cell_plot *plot, const sc_curve_axes *axes, size_t column,
                     double delta, unsigned kind)
{
    if (!isfinite(delta))
        return;
    double y = sc_curve_y(axes, delta);
    size_t row = y < 0 ? ROWS : sc_cell_plot_row(ROWS, y);
    plot->cells[row][column] |= (unsigned char)kind;
}

static void fill_cells(const sc_curve_view *view, const sc_curve_axes *axes,
                       sc_cell_plot *plot)
{
    size_t right = 0;
    for (size_t column = 0; view->count > 0 && column < plot->columns; column++) {
        double epsilon = axes->x_end * (double)column / (double)(plot->columns - 1);
        while (right + 1 < view->count && view->points[right].epsilon < epsilon)
            right++;
        const sc_curve_point *b = &view->points[right], *a = right == 0 ? b : b - 1;
        double extent = b->epsilon - a->epsilon;
        double part = extent > 0 ? (epsilon - a->epsilon) / extent : 1;
        set_cell(plot, axes, column, between(a->lower, b->lower, part), CELL_EXACT);
        set_cell(plot, axes, column, between(a->claimed, b->claimed, part), CELL_CLAIMED);
    }
}

/* Powers of ten, and 0 below all of them; multiples of the step. */
static void fill_labels(const sc_curve_axes *axes, sc_cell_plot *plot)
{
    for (int power = axes->y_top; power >= axes->y_floor; power -= axes->y_step) {
        double y = (double)(power - axes->y_floor) / (axes->y_top - axes->y_floor);
        snprintf(plot->y_labels[sc_cell_plot_row(ROWS, y)], SC_CELL_LABEL_BYTES,
                 power == 0 ? "1" : "1e%d", power);
    }
    snprintf(plot->y_labels[ROWS], SC_CELL_LABEL_BYTES, "0");
    for (int i = 0; i * axes->x_step <= axes->x_end * (1 + 1e-9); i++) {
        char label[16];
        double epsilon = i * axes->x_step;
        snprintf(label, sizeof label, "%g", epsilon);
        sc_cell_plot_label(plot, sc_cell_plot_column(plot, sc_curve_x(axes, epsilon)),
                           label);
    }
}

void sc_curve_terminal_write(sc_output *output, const sc_curve_view *view,
                             const sc_terminal *terminal)
{
    sc_curve_axes axes;
    sc_cell_plot plot;
    sc_curve_axes_choose(view, &axes);
    sc_cell_plot_init(&plot, ROWS + 1, LABEL_CHARS, MARGIN, terminal);
    plot.x_name = "epsilon";
    plot.y_name = "delta";
    memcpy(plot.kinds, kinds, sizeof kinds);
    fill_cells(view, &axes, &plot);
    fill_labels(&axes, &plot);
    sc_output_text(output, "  ");
    sc_output_text(output, view->title); /* may be long */
    sc_output_text(output, "\n");
    sc_cell_plot_write(output, &plot, terminal);
}
