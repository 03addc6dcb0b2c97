/* What calibration found, in every format, and as a picture: the error against epsilon. */
#ifndef SC_CLI_CALIBRATION_WRITER_H
#define SC_CLI_CALIBRATION_WRITER_H

#include "cli/output.h"
#include "cli/terminal.h"

/* A table ends with the sentence. */
void sc_calibration_write(sc_output *output, const scrim_calibration *found,
                          sc_format format, const sc_terminal *terminal);
/* The one sentence that says it in words. */
void sc_calibration_sentence_write(sc_output *output, const scrim_calibration *found,
                                   const sc_terminal *terminal);
/* A bar a point, as long as its error; what was found is marked. */
void sc_calibration_plot_write(sc_output *output, const scrim_calibration *found,
                               const scrim_calibration_point *points, size_t count,
                               const sc_terminal *terminal);

#endif
