/* Bounds on epsilon as a picture: the upper and the lower one over a number, from 0 upwards. A
 * chart (chart.h). A view of bounds: doubles. */
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

/* In ASCII or Unicode. */
void sc_bounds_terminal_write(sc_output *output, const sc_bounds_view *view,
                              const sc_terminal *terminal);
/* A file that needs no other, one picture below the other; summary is one line below the title. */
void sc_bounds_svg_write(sc_output *output, const char *title, const char *summary,
                         const sc_bounds_view *views, size_t count);

#endif
