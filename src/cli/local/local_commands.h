/* The subcommands of `scrim local`, one file each. */
#ifndef SC_CLI_LOCAL_COMMANDS_H
#define SC_CLI_LOCAL_COMMANDS_H

#include "cli/terminal/help_topic.h"
#include "cli/terminal/options.h"

typedef struct sc_local_command {
    sc_help_topic help;
    sc_option_set options;
    /* words[1] is the subcommand itself. */
    scrim_status (*run)(const sc_options *options, scrim_error *error);
} sc_local_command;

extern const sc_local_command sc_local_plan_command, sc_local_encode, sc_local_collect,
    sc_local_decode, sc_local_amplify, sc_local_simulate;

/* What each says of itself; NULL past the last. */
const sc_help_topic *sc_local_topic_at(size_t index);
/* SCRIM_E_PARAM: there is none of that name. */
SCRIM_MUST_USE scrim_status sc_local_command_find(const char *name,
                                                  const sc_local_command **out,
                                                  scrim_error *error);

#endif
