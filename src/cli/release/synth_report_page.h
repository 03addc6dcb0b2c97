/* `scrim synth report` and `scrim synth check`: what the rows of a release preserve, by the release alone or, for the
 * owner, by the data. */
#ifndef SC_CLI_SYNTH_REPORT_PAGE_H
#define SC_CLI_SYNTH_REPORT_PAGE_H

#include "cli/answer/answer_show.h"
#include "cli/terminal/output.h"

/* The words behind `scrim synth`: report or check, and the number of a release. Closes standard output. */
SCRIM_MUST_USE scrim_status sc_synth_report_run(const sc_options *options,
                                                scrim_error *error);

#endif
