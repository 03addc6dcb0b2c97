#include "cli/curve_plot.h"
#include "cli/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows for the decades; one more below them is for 0. */
#define ROWS 15
#define LABEL_CHARS 7
#define CELLS_MOST 100

typedef enum curve_cell {
    CELL_EMPTY = 0,
    CELL_EXACT = 1,
    CELL_CLAIMED = 2,
    CELL_BOTH = 3
} curve_cell;

typedef struct curve_grid {
    sc_curve_axes axes;
    size_t cells;
    unsigned char cell[ROWS + 1][CELLS_MOST]; /* the last row is 0 */
} curve_grid;

static const char *cell_text(unsigned cell, bool utf8)
{
    static const char *const texts[][2] = {[CELL_EMPTY] = {" ", " "},
                                           [CELL_EXACT] = {"*", "●"},
                                           [CELL_CLAIMED] = {"o", "○"},
                                           [CELL_BOTH] = {"@", "◉"}};
    return texts[cell][utf8];
}

/* A delta between two points, along a straight line of the logarithms where both have one. */
static double between(double left, double right, double part)
{
    if (left > 0 && right > 0 && isfinite(left) && isfinite(right))
        return exp(log(left) + part * (log(right) - log(left)));
    return part < 1 ? left : right;
}

static void set_cell(curve_grid *grid, size_t column, double delta, curve_cell kind)
{
    if (!isfinite(delta))
        return;
    double y = sc_curve_y(&grid->axes, delta);
    size_t row = y < 0 ? ROWS : (size_t)((1 - y) * (ROWS - 1) + 0.5);
    grid->cell[row][column] |= (unsigned char)kind;
}

static void fill_grid(const sc_curve_view *view, curve_grid *grid)
{
    size_t right = 0;
    for (size_t column = 0; view->count > 0 && column < grid->cells; column++) {
        double epsilon = grid->axes.x_end * (double)column / (double)(grid->cells - 1);
        while (right + 1 < view->count && view->points[right].epsilon < epsilon)
            right++;
        const sc_curve_point *b = &view->points[right], *a = right == 0 ? b : b - 1;
        double extent = b->epsilon - a->epsilon;
        double part = extent > 0 ? (epsilon - a->epsilon) / extent : 1;
        set_cell(grid, column, between(a->lower, b->lower, part), CELL_EXACT);
        set_cell(grid, column, between(a->claimed, b->claimed, part), CELL_CLAIMED);
    }
}

/* The label of a row: a power of ten that stands there, or 0 below all. */
static void write_label(sc_output *output, const curve_grid *grid, size_t row)
{
    const sc_curve_axes *axes = &grid->axes;
    char label[16] = "";
    for (int power = axes->y_top; row < ROWS && power >= axes->y_floor;
         power -= axes->y_step) {
        double y = (double)(power - axes->y_floor) / (axes->y_top - axes->y_floor);
        if ((size_t)((1 - y) * (ROWS - 1) + 0.5) == row)
            snprintf(label, sizeof label, power == 0 ? "1" : "1e%d", power);
    }
    sc_output_format(output, "  %*s ", LABEL_CHARS, row == ROWS ? "0" : label);
}

static void write_row(sc_output *output, const curve_grid *grid, size_t row,
                      const sc_terminal *terminal)
{
    size_t end = grid->cells;
    const char *colour = "";
    while (end > 0 && grid->cell[row][end - 1] == CELL_EMPTY)
        end--;
    write_label(output, grid, row);
    sc_output_text(output, terminal->utf8 ? "│" : "|");
    for (size_t column = 0; column < end; column++) {
        unsigned cell = grid->cell[row][column];
        const char *wanted = cell == CELL_EMPTY     ? colour
                             : cell == CELL_CLAIMED ? SC_ORANGE
                                                    : SC_BLUE;
        if (terminal->colour && wanted != colour)
            sc_output_text(output, wanted);
        colour = wanted;
        sc_output_text(output, cell_text(cell, terminal->utf8));
    }
    if (terminal->colour && end > 0)
        sc_output_text(output, SC_PLAIN);
    sc_output_text(output, "\n");
}

/* The axis, its labels below it. */
static void write_axis(sc_output *output, const curve_grid *grid, bool utf8)
{
    char labels[CELLS_MOST + 16];
    memset(labels, ' ', sizeof labels);
    size_t used = 0;
    sc_output_format(output, "  %*s %s", LABEL_CHARS, "", utf8 ? "└" : "+");
    sc_output_repeat(output, utf8 ? "─" : "-", grid->cells);
    for (int i = 0; i * grid->axes.x_step <= grid->axes.x_end * (1 + 1e-9); i++) {
        char label[16];
        double epsilon = i * grid->axes.x_step;
        int length = snprintf(label, sizeof label, "%g", epsilon);
        size_t at =
            (size_t)(sc_curve_x(&grid->axes, epsilon) * (double)(grid->cells - 1) + 0.5);
        memcpy(labels + at, label, (size_t)length);
        used = at + (size_t)length;
    }
    labels[used] = '\0';
    sc_output_format(output, "\n  %*s  %s\n", LABEL_CHARS, "", labels);
    sc_output_format(output, "  %*s  epsilon\n", LABEL_CHARS, "");
}

static void write_key(sc_output *output, const sc_terminal *terminal)
{
    const char *blue = terminal->colour ? SC_BLUE : "",
               *orange = terminal->colour ? SC_ORANGE : "",
               *plain = terminal->colour ? SC_PLAIN : "";
    sc_output_format(output, "  %*s  %s%s%s exact  %s%s%s claimed  %s%s%s both\n",
                     LABEL_CHARS, "delta", blue, cell_text(CELL_EXACT, terminal->utf8),
                     plain, orange, cell_text(CELL_CLAIMED, terminal->utf8), plain, blue,
                     cell_text(CELL_BOTH, terminal->utf8), plain);
}

void sc_curve_terminal_write(sc_output *output, const sc_curve_view *view,
                             const sc_terminal *terminal)
{
    curve_grid grid;
    memset(&grid, 0, sizeof grid);
    sc_curve_axes_choose(view, &grid.axes);
    grid.cells = terminal->columns - LABEL_CHARS - 8;
    if (grid.cells > CELLS_MOST)
        grid.cells = CELLS_MOST;
    fill_grid(view, &grid);
    sc_output_text(output, "  ");
    sc_output_text(output, view->title); /* may be long */
    sc_output_text(output, "\n");
    write_key(output, terminal);
    for (size_t row = 0; row <= ROWS; row++)
        write_row(output, &grid, row, terminal);
    write_axis(output, &grid, terminal->utf8);
}
