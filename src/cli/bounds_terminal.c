#include "cli/bounds_plot.h"
#include "cli/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS 13
#define LABEL_CHARS 9
#define CELLS_MOST 100

enum { CELL_EMPTY = 0, CELL_UPPER = 1, CELL_LOWER = 2, CELL_BOTH = 3 };

typedef struct bounds_grid {
    sc_bounds_axes axes;
    size_t cells;
    unsigned char cell[ROWS][CELLS_MOST];
} bounds_grid;

static const char *cell_text(unsigned cell, bool utf8)
{
    static const char *const texts[][2] = {[CELL_EMPTY] = {" ", " "},
                                           [CELL_UPPER] = {"*", "●"},
                                           [CELL_LOWER] = {"o", "○"},
                                           [CELL_BOTH] = {"@", "◉"}};
    return texts[cell][utf8];
}

static void set_cell(bounds_grid *grid, size_t column, double value, unsigned kind)
{
    if (!isfinite(value))
        return;
    double y = sc_bounds_y(&grid->axes, value);
    y = y < 0 ? 0 : y > 1 ? 1 : y;
    grid->cell[(size_t)((1 - y) * (ROWS - 1) + 0.5)][column] |= (unsigned char)kind;
}

static void fill_grid(const sc_bounds_view *view, bounds_grid *grid)
{
    size_t right = 0;
    for (size_t column = 0; view->count > 0 && column < grid->cells; column++) {
        const double x = (double)column / (double)(grid->cells - 1);
        while (right + 1 < view->count &&
               sc_bounds_x(&grid->axes, view->points[right].x) < x)
            right++;
        const sc_bounds_point *b = &view->points[right], *a = right == 0 ? b : b - 1;
        const double start = sc_bounds_x(&grid->axes, a->x),
                     end = sc_bounds_x(&grid->axes, b->x);
        if (x < start - 1e-9)
            continue; /* left of the first point */
        const double part = end > start ? (x - start) / (end - start) : 1;
        set_cell(grid, column, a->upper + part * (b->upper - a->upper), CELL_UPPER);
        set_cell(grid, column, a->lower + part * (b->lower - a->lower), CELL_LOWER);
    }
}

/* The multiple of the step that stands in a row, where there is one. */
static void write_label(sc_output *output, const bounds_grid *grid, size_t row)
{
    const sc_bounds_axes *axes = &grid->axes;
    char label[32] = "";
    for (int i = 0; i * axes->y_step <= axes->y_end * (1 + 1e-9); i++) {
        const double y = sc_bounds_y(axes, i * axes->y_step);
        if ((size_t)((1 - y) * (ROWS - 1) + 0.5) == row)
            snprintf(label, sizeof label, "%g", i * axes->y_step);
    }
    sc_output_format(output, "  %*s ", LABEL_CHARS, label);
}

static void write_row(sc_output *output, const bounds_grid *grid, size_t row,
                      const sc_terminal *terminal)
{
    size_t end = grid->cells;
    const char *colour = "";
    while (end > 0 && grid->cell[row][end - 1] == CELL_EMPTY)
        end--;
    write_label(output, grid, row);
    sc_output_text(output, terminal->utf8 ? "│" : "|");
    for (size_t column = 0; column < end; column++) {
        const unsigned cell = grid->cell[row][column];
        const char *wanted = cell == CELL_EMPTY   ? colour
                             : cell == CELL_LOWER ? SC_ORANGE
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

/* The axis, its labels below it: those that do not run into another. */
static void write_axis(sc_output *output, const sc_bounds_view *view,
                       const bounds_grid *grid, bool utf8)
{
    char labels[CELLS_MOST + 40], label[32];
    double place;
    size_t used = 0;
    memset(labels, ' ', sizeof labels);
    sc_output_format(output, "  %*s %s", LABEL_CHARS, "", utf8 ? "└" : "+");
    sc_output_repeat(output, utf8 ? "─" : "-", grid->cells);
    for (int i = 0; sc_bounds_label(&grid->axes, i, &place, label); i++) {
        const size_t length = strlen(label);
        size_t at = (size_t)(place * (double)(grid->cells - 1) + 0.5);
        at = at + length > grid->cells ? grid->cells - length : at;
        bool is_free = true;
        for (size_t j = at; j < at + length + 1; j++)
            is_free = is_free && labels[j] == ' ';
        if (!is_free)
            continue;
        memcpy(labels + at, label, length);
        used = at + length > used ? at + length : used;
    }
    labels[used] = '\0';
    sc_output_format(output, "\n  %*s  %s\n", LABEL_CHARS, "", labels);
    sc_output_format(output, "  %*s  %s\n", LABEL_CHARS, "", view->x_name);
}

static void write_key(sc_output *output, const sc_terminal *terminal)
{
    const char *blue = terminal->colour ? SC_BLUE : "",
               *orange = terminal->colour ? SC_ORANGE : "",
               *plain = terminal->colour ? SC_PLAIN : "";
    sc_output_format(output, "  %*s  %s%s%s at most  %s%s%s at least  %s%s%s both\n",
                     LABEL_CHARS, "epsilon", blue, cell_text(CELL_UPPER, terminal->utf8),
                     plain, orange, cell_text(CELL_LOWER, terminal->utf8), plain, blue,
                     cell_text(CELL_BOTH, terminal->utf8), plain);
}

void sc_bounds_terminal_write(sc_output *output, const sc_bounds_view *view,
                              const sc_terminal *terminal)
{
    bounds_grid grid = {.cells = terminal->columns - LABEL_CHARS - 6};
    if (grid.cells > CELLS_MOST)
        grid.cells = CELLS_MOST;
    sc_bounds_axes_choose(view, &grid.axes);
    fill_grid(view, &grid);
    sc_output_format(output, "%s\n", view->title);
    write_key(output, terminal);
    for (size_t row = 0; row < ROWS; row++)
        write_row(output, &grid, row, terminal);
    write_axis(output, view, &grid, terminal->utf8);
    sc_output_text(output, "\n");
}
