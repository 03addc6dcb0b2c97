/* A privacy curve as a picture: the exact delta at each epsilon against the claimed one, on a
 * logarithmic axis. The terminal and the SVG file share the points and the axes. A view of
 * bounds: doubles. */
#ifndef SC_CLI_CURVE_PLOT_H
#define SC_CLI_CURVE_PLOT_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

typedef struct sc_curve_point {
    double epsilon;
    double lower, upper; /* of the exact delta */
    double claimed;      /* infinite: nothing is claimed */
} sc_curve_point;

typedef struct sc_curve_view {
    const char *title;   /* the measurement's line */
    const char *verdict; /* "holds", "violated", "undecided" */
    const char *summary; /* what it is about, in one line */
    const sc_curve_point *points;
    size_t count; /* in ascending order of epsilon */
    bool has_charged;
    double charged_epsilon, charged_delta; /* the pair that is charged */
} sc_curve_view;

/* Where things stand: parts of the axes, from 0 at the left and below to 1. */
typedef struct sc_curve_axes {
    double x_end, x_step; /* epsilon from 0; a label every step */
    int y_top, y_floor;   /* delta from 10^floor to 10^top */
    int y_step;           /* decades between labels */
} sc_curve_axes;

/* No more decades than this are shown; what is smaller stands at 0. */
#define SC_CURVE_DECADES 30

void sc_curve_axes_choose(const sc_curve_view *view, sc_curve_axes *out);
double sc_curve_x(const sc_curve_axes *axes, double epsilon);
/* Below 0 for a delta that is 0, or below the floor. */
double sc_curve_y(const sc_curve_axes *axes, double delta);

/* About half as high as wide, in ASCII or Unicode. */
void sc_curve_terminal_write(sc_output *output, const sc_curve_view *view,
                             const sc_terminal *terminal);
/* A file that needs no other: no script, no font of its own, no link. */
void sc_curve_svg_write(sc_output *output, const sc_curve_view *view);

#endif
