/* What experiments have found, in every format: a table an experiment with what it says of scrim's
 * mechanism below it, or rows for programs. */
#ifndef SC_CLI_EXPERIMENT_WRITER_H
#define SC_CLI_EXPERIMENT_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

SCRIM_MUST_USE scrim_status sc_experiment_write(sc_output *output,
                                                const scrim_experiment *found,
                                                sc_format format,
                                                const sc_terminal *terminal,
                                                scrim_error *error);

/* How one mechanism's error stands to the least of all at the same epsilon. */
typedef enum sc_experiment_verdict {
    SC_STANDING_LEAST,
    SC_STANDING_TIED, /* within two standard errors of the difference */
    SC_STANDING_BEHIND
} sc_experiment_verdict;

sc_experiment_verdict sc_experiment_standing(const scrim_experiment_error *own,
                                             const scrim_experiment_error *least);

#endif
