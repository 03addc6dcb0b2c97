/* The subcommands of `scrim local`, in the order of its help (cmd_local.c). */
#ifndef SC_CLI_LOCAL_COMMANDS_H
#define SC_CLI_LOCAL_COMMANDS_H

#include "cli/terminal/command.h"

extern const sc_command sc_local_plan_command, sc_local_encode, sc_local_collect,
    sc_local_decode, sc_local_amplify, sc_local_simulate;

#endif
