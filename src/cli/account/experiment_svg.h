/* An experiment as a picture: the raw and the flexible error of each mechanism against epsilon, on
 * logarithmic axes, and the data below them. Errors too small for the axis stand on a line of their
 * own, at 0. A view: doubles. */
#ifndef SC_CLI_EXPERIMENT_SVG_H
#define SC_CLI_EXPERIMENT_SVG_H

#include "cli/terminal/output.h"

/* The experiment whose data are these, one of those of found. A file that needs no other. */
void sc_experiment_svg_write(sc_output *output, const scrim_experiment *found,
                             const scrim_experiment_data *data);

#endif
