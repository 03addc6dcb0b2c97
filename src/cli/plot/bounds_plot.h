/* Bounds on epsilon as a picture: the upper and the lower one over a number, from 0 upwards. The
 * terminal and the SVG file share the points and the axes. A view of bounds: doubles. */
#ifndef SC_CLI_BOUNDS_PLOT_H
#define SC_CLI_BOUNDS_PLOT_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

typedef struct sc_bounds_point {
    double x;
    double lower, upper; /* upper may be infinite: nothing is proved */
} sc_bounds_point;

typedef struct sc_bounds_view {
    const char *title;  /* "epsilon against delta" */
    const char *x_name; /* "delta" */
    bool x_is_log;      /* x are powers of ten, all above 0 */
    const sc_bounds_point *points;
    size_t count; /* in ascending order of x */
    bool has_mark;
    double mark; /* the x that was asked for */
} sc_bounds_view;

/* Where things stand: parts of the axes, from 0 at the left and below to 1. */
typedef struct sc_bounds_axes {
    bool x_is_log;
    double x_start, x_end, x_step; /* where x is logarithmic, exponents of ten */
    double y_end, y_step;          /* from 0 */
} sc_bounds_axes;

void sc_bounds_axes_choose(const sc_bounds_view *view, sc_bounds_axes *out);
double sc_bounds_x(const sc_bounds_axes *axes, double x);
double sc_bounds_y(const sc_bounds_axes *axes, double y);
/* The labels of the horizontal axis, from 0 on: its place, and its text. False past the last. */
bool sc_bounds_label(const sc_bounds_axes *axes, int index, double *place, char text[32]);

/* In ASCII or Unicode. */
void sc_bounds_terminal_write(sc_output *output, const sc_bounds_view *view,
                              const sc_terminal *terminal);
/* A file that needs no other, one picture below the other; summary is one line below the title. */
void sc_bounds_svg_write(sc_output *output, const char *title, const char *summary,
                         const sc_bounds_view *views, size_t count);

#endif
