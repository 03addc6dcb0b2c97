/* Results of a calibration, in every format: the noise for a cost, and how large a group must be to be published. */
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

/* How large a group must be to be published, in every format. */

/* keys is how many a public universe has, where the report has one. A table ends with the sentence. */
SCRIM_MUST_USE scrim_status sc_sizes_write(sc_output *output,
                                           const scrim_sizes_report *report,
                                           uint64_t keys, sc_format format,
                                           const sc_terminal *terminal,
                                           scrim_error *error);
/* The one sentence that says it in words. */
void sc_sizes_sentence_write(sc_output *output, const scrim_sizes_report *report,
                             const sc_terminal *terminal);

#endif
