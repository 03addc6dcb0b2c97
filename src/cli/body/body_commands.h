/* The subcommands of `scrim body`, one file each. */
#ifndef SC_CLI_BODY_COMMANDS_H
#define SC_CLI_BODY_COMMANDS_H

#include "cli/terminal/help_topic.h"
#include "cli/terminal/options.h"

typedef struct sc_body_command {
    sc_help_topic help;
    sc_option_set options;
    /* words[1] is the subcommand itself. */
    scrim_status (*run)(const sc_options *options, scrim_error *error);
} sc_body_command;

extern const sc_body_command sc_body_fit, sc_body_center, sc_body_show, sc_body_project,
    sc_body_depth, sc_body_outliers, sc_body_sample, sc_body_minimise, sc_body_compare,
    sc_body_plot, sc_body_admissible;

/* `center` of a dataset in place of a file: a release (body_center_dataset.c). */
SCRIM_MUST_USE scrim_status sc_body_center_dataset(const sc_options *options,
                                                   scrim_error *error);

/* What each says of itself; NULL past the last. */
const sc_help_topic *sc_body_topic_at(size_t index);
/* SCRIM_E_PARAM: there is none of that name. */
SCRIM_MUST_USE scrim_status sc_body_command_find(const char *name,
                                                 const sc_body_command **out,
                                                 scrim_error *error);

#endif
