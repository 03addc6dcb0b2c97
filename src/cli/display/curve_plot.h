/* Drawings of curves, as characters and as SVG: an audit, bounds from above and below, an error against epsilon,
 * and panels side by side. */
#ifndef SC_CLI_CURVE_PLOT_H
#define SC_CLI_CURVE_PLOT_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* A privacy curve as a picture: the exact delta at each epsilon against the claimed one, on a
 * logarithmic axis. A chart (chart.h). A view of bounds: doubles. */

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

/* About half as high as wide, in ASCII or Unicode. */
void sc_curve_terminal_write(sc_output *output, const sc_curve_view *view,
                             const sc_terminal *terminal);
/* A file that needs no other: no script, no font of its own, no link. */
void sc_curve_svg_write(sc_output *output, const sc_curve_view *view);

/* Bounds on epsilon as a picture: the upper and the lower one over a number, from 0 upwards. A
 * chart (chart.h). A view of bounds: doubles. */

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

/* How large an error is to be expected at each epsilon: the largest of all columns, which is what
 * --target-error is held against. Both axes are logarithmic. A chart (chart.h). A view of
 * predictions: doubles. */

typedef struct sc_error_point {
    double epsilon, error; /* both above 0 */
} sc_error_point;

typedef struct sc_error_curve {
    const char *title; /* what would be asked */
    const char *
        about; /* which error it is: "half of the widest interval"; not of several curves */
    const sc_error_point *points;
    size_t count;          /* in ascending order of epsilon; at least 2 */
    sc_error_point chosen; /* that of the plan; zeros: none was chosen */
    double target;         /* the error that was wanted; 0: none was */
} sc_error_curve;

/* About half as high as wide, in ASCII or Unicode. */
void sc_error_curve_terminal(sc_output *output, const sc_error_curve *curve,
                             const sc_terminal *terminal);
/* A file that needs no other: no script, no font of its own, no link. */
void sc_error_curve_svg(sc_output *output, const sc_error_curve *curve);
/* Curves of one question, each by itself below its title, since their units differ. */
void sc_error_curves_svg(sc_output *output, const char *title,
                         const sc_error_curve *curves, size_t count);

/* A drawing of panels below one another: a heading, a key of at most four lines, and a chart for each
 * panel; the panels also in a terminal. */

#define SC_PANELS_LINES 4

typedef struct sc_panels {
    const char *title, *summary;
    const char *keys[SC_PANELS_LINES]; /* NULL: there are fewer */
} sc_panels;

typedef struct sc_panel {
    const char *title; /* NULL: none */
    const char *x_name, *y_name;
    double x_step; /* between labels, from 0 on; 0: a logarithmic axis */
    double x_last; /* the axis goes so far, also without points; 0: to the last point */
    const double *x;
    size_t count;
    const double *y[SC_PANELS_LINES]; /* of each key; NULL: it has no line here */
} sc_panel;

/* Ended by sc_svg_close (svg_plot.h). */
void sc_panels_open(sc_output *output, const sc_panels *panels, size_t count);
/* The panels in their order. The axis of y has 0. */
void sc_panel_write(sc_output *output, const sc_panels *panels, size_t index,
                    const sc_panel *panel);
/* One panel in a terminal, by the first two keys that have a line. */
void sc_panel_terminal(sc_output *output, const sc_panels *panels, const sc_panel *panel,
                       const sc_terminal *terminal);

#endif
