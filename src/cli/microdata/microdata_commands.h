/* The subcommands of `scrim microdata`. */
#ifndef SC_CLI_MICRODATA_COMMANDS_H
#define SC_CLI_MICRODATA_COMMANDS_H

#include "cli/terminal/options.h"

typedef struct sc_microdata_command {
    const char *name;
    sc_option_set options;
    /* words[1] is the subcommand itself. */
    scrim_status (*run)(const sc_options *options, scrim_error *error);
} sc_microdata_command;

extern const sc_microdata_command sc_microdata_plan_command, sc_microdata_release,
    sc_microdata_show, sc_microdata_fit_command, sc_microdata_check;

/* SCRIM_E_PARAM: there is none of that name. */
SCRIM_MUST_USE scrim_status sc_microdata_command_find(const char *name,
                                                      const sc_microdata_command **out,
                                                      scrim_error *error);

#endif
