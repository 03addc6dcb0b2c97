/* How large an error is to be expected at each epsilon: the largest of all columns, which is what
 * --target-error is held against. Both axes are logarithmic. A chart (chart.h). A view of
 * predictions: doubles. */
#ifndef SC_CLI_ERROR_CURVE_H
#define SC_CLI_ERROR_CURVE_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

typedef struct sc_error_point {
    double epsilon, error; /* both above 0 */
} sc_error_point;

typedef struct sc_error_curve {
    const char *title; /* what would be asked */
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

#endif
