/* The subcommands of `scrim local`, `scrim microdata` and `scrim body`, in the order of their help (cmd_local.c
 * and others). */
#ifndef SC_CLI_SUBCOMMANDS_H
#define SC_CLI_SUBCOMMANDS_H

#include "cli/terminal/command.h"

extern const sc_command sc_local_plan_command, sc_local_encode, sc_local_collect,
    sc_local_decode, sc_local_amplify, sc_local_simulate;

extern const sc_command sc_microdata_plan_command, sc_microdata_release,
    sc_microdata_show, sc_microdata_fit_command, sc_microdata_check;

extern const sc_command sc_body_fit, sc_body_center, sc_body_show, sc_body_project,
    sc_body_depth, sc_body_outliers, sc_body_sample, sc_body_minimise, sc_body_compare,
    sc_body_plot, sc_body_admissible, sc_body_support, sc_body_exact;

/* `center` of a dataset in place of a file: a release. */
SCRIM_MUST_USE scrim_status sc_body_center_dataset(const sc_options *options,
                                                   scrim_error *error);

#endif
