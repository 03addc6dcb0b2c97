/* What calibration found, in every format. */
#ifndef SC_CLI_CALIBRATION_WRITER_H
#define SC_CLI_CALIBRATION_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* A table ends with the sentence. */
void sc_calibration_write(sc_output *output, const scrim_calibration *found,
                          sc_format format, const sc_terminal *terminal);
/* The one sentence that says it in words. */
void sc_calibration_sentence_write(sc_output *output, const scrim_calibration *found,
                                   const sc_terminal *terminal);

#endif
