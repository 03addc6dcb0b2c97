/* The distance of labels on an axis that begins at 0. A view: doubles. */
#ifndef SC_CLI_AXIS_STEP_H
#define SC_CLI_AXIS_STEP_H

/* Labels on the axis of a chart, at most, but for the one at 0. */
#define SC_AXIS_LABELS 7

/* The step, 1, 2 or 5 times a power of ten, that gives an extent above 0 no more labels than these. */
double sc_axis_step(double extent, int labels);

#endif
