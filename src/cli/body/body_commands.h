/* The subcommands of `scrim body`, in the order of its help (cmd_body.c). */
#ifndef SC_CLI_BODY_COMMANDS_H
#define SC_CLI_BODY_COMMANDS_H

#include "cli/terminal/command.h"

extern const sc_command sc_body_fit, sc_body_center, sc_body_show, sc_body_project,
    sc_body_depth, sc_body_outliers, sc_body_sample, sc_body_minimise, sc_body_compare,
    sc_body_plot, sc_body_admissible;

/* `center` of a dataset in place of a file: a release (body_center_dataset.c). */
SCRIM_MUST_USE scrim_status sc_body_center_dataset(const sc_options *options,
                                                   scrim_error *error);

#endif
