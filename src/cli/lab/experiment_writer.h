/* The results of flexible-accuracy: one table for each experiment, rows for programs, and drawings. */
#ifndef SC_CLI_EXPERIMENT_WRITER_H
#define SC_CLI_EXPERIMENT_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "lab/experiment/flexible_accuracy.h"

SCRIM_MUST_USE scrim_status sc_experiment_write(sc_output *output,
                                                const lab_experiment *found,
                                                sc_format format,
                                                const sc_terminal *terminal,
                                                scrim_error *error);

/* How the error of a mechanism compares with the smallest one at the same epsilon. */
typedef enum sc_experiment_verdict {
    SC_STANDING_LEAST,
    SC_STANDING_TIED, /* within two standard errors of the difference */
    SC_STANDING_BEHIND
} sc_experiment_verdict;

sc_experiment_verdict sc_experiment_standing(const lab_experiment_error *own,
                                             const lab_experiment_error *least);

/* One experiment, given by its data, as an SVG file: the raw and the flexible error of each mechanism
 * against epsilon on logarithmic axes, and the data below. Errors too small for the axis are drawn on a
 * line of their own, at 0. */
void sc_experiment_svg_write(sc_output *output, const lab_experiment *found,
                             const lab_experiment_data *data);

#endif
