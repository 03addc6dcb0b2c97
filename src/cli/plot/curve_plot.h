/* A privacy curve as a picture: the exact delta at each epsilon against the claimed one, on a
 * logarithmic axis. A chart (chart.h). A view of bounds: doubles. */
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

/* About half as high as wide, in ASCII or Unicode. */
void sc_curve_terminal_write(sc_output *output, const sc_curve_view *view,
                             const sc_terminal *terminal);
/* A file that needs no other: no script, no font of its own, no link. */
void sc_curve_svg_write(sc_output *output, const sc_curve_view *view);

#endif
