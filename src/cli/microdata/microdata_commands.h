/* The subcommands of `scrim microdata`, in the order of its help (cmd_microdata.c). */
#ifndef SC_CLI_MICRODATA_COMMANDS_H
#define SC_CLI_MICRODATA_COMMANDS_H

#include "cli/terminal/command.h"

extern const sc_command sc_microdata_plan_command, sc_microdata_release,
    sc_microdata_show, sc_microdata_fit_command, sc_microdata_check;

#endif
