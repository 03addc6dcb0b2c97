#include "cli/plot/bounds_plot.h"
#include "cli/plot/cell_plot.h"
#include "cli/terminal/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS 13
#define LABEL_CHARS 9
#define MARGIN 6

enum { CELL_UPPER = 1, CELL_LOWER = 2, CELL_BOTH = 3 };

static const sc_cell_kind kinds[SC_CELL_KINDS] = {
    [CELL_UPPER] = {{"*", "●"}, SC_BLUE, "at most"},
    [CELL_LOWER] = {{"o", "○"}, SC_ORANGE, "at least"},
    [CELL_BOTH] = {{"@", "◉"}, SC_BLUE, "both"}};

static void set_cell(sc_cell_plot *plot, const sc_bounds_axes *axes, size_t column,
                     double value, unsigned kind)
{
    if (!isfinite(value))
        return;
    double y = sc_bounds_y(axes, value);
    y = y < 0 ? 0 : y > 1 ? 1 : y;
    plot->cells[sc_cell_plot_row(ROWS, y)][column] |= (unsigned char)kind;
}

static void fill_cells(const sc_bounds_view *view, const sc_bounds_axes *axes,
                       sc_cell_plot *plot)
{
    size_t right = 0;
    for (size_t column = 0; view->count > 0 && column < plot->columns; column++) {
        const double x = (double)column / (double)(plot->columns - 1);
        while (right + 1 < view->count && sc_bounds_x(axes, view->points[right].x) < x)
            right++;
        const sc_bounds_point *b = &view->points[right], *a = right == 0 ? b : b - 1;
        const double start = sc_bounds_x(axes, a->x), end = sc_bounds_x(axes, b->x);
        if (x < start - 1e-9)
            continue; /* left of the first point */
        const double part = end > start ? (x - start) / (end - start) : 1;
        set_cell(plot, axes, column, a->upper + part * (b->upper - a->upper), CELL_UPPER);
        set_cell(plot, axes, column, a->lower + part * (b->lower - a->lower), CELL_LOWER);
    }
}

/* Multiples of the step; below, the labels that do not run into another. */
static void fill_labels(const sc_bounds_axes *axes, sc_cell_plot *plot)
{
    char label[32];
    double place;
    for (int i = 0; i * axes->y_step <= axes->y_end * (1 + 1e-9); i++) {
        const double y = sc_bounds_y(axes, i * axes->y_step);
        snprintf(plot->y_labels[sc_cell_plot_row(ROWS, y)], SC_CELL_LABEL_BYTES, "%g",
                 i * axes->y_step);
    }
    for (int i = 0; sc_bounds_label(axes, i, &place, label); i++) {
        const size_t length = strlen(label);
        size_t at = sc_cell_plot_column(plot, place);
        at = at + length > plot->columns ? plot->columns - length : at;
        if (sc_cell_plot_is_free(plot, at, length + 1))
            sc_cell_plot_label(plot, at, label);
    }
}

void sc_bounds_terminal_write(sc_output *output, const sc_bounds_view *view,
                              const sc_terminal *terminal)
{
    sc_bounds_axes axes;
    sc_cell_plot plot;
    sc_bounds_axes_choose(view, &axes);
    sc_cell_plot_init(&plot, ROWS, LABEL_CHARS, MARGIN, terminal);
    plot.x_name = view->x_name;
    plot.y_name = "epsilon";
    memcpy(plot.kinds, kinds, sizeof kinds);
    fill_cells(view, &axes, &plot);
    fill_labels(&axes, &plot);
    sc_output_format(output, "%s\n", view->title);
    sc_cell_plot_write(output, &plot, terminal);
    sc_output_text(output, "\n");
}
