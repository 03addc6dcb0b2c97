/* scrim local SUBCOMMAND */
#include "cli/release/subcommands.h"
#include "cli/verb/verbs.h"

static const sc_command *command_at(size_t index)
{
    static const sc_command *const commands[] = {
        &sc_local_plan_command, &sc_local_encode,  &sc_local_collect,
        &sc_local_decode,       &sc_local_amplify, &sc_local_simulate};
    return index < sizeof commands / sizeof *commands ? commands[index] : NULL;
}

const sc_verb sc_verb_local = {
    .name = "local",
    .synopsis = "SUBCOMMAND [OPTION...]",
    .summary = "Collect reports that devices made private, and decode them",
    .usage =
        "Devices send reports that are private before they leave (scrim_local.h). The\n"
        "server adds them up and estimates how many devices hold each value. All "
        "devices\n"
        "have the same public configuration, one line of text in a file. No vault is "
        "used\n"
        "and nothing is charged: each device pays for its own report.\n",
    .command = command_at,
};
