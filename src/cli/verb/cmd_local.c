/* scrim local SUBCOMMAND */
#include "cli/local/local_commands.h"
#include "cli/terminal/complaint.h"
#include "cli/verb/verbs.h"

static scrim_status run_local(const sc_options *options, scrim_error *error)
{
    const sc_local_command *command = NULL;
    if (options->word_count < 2)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "missing subcommand; 'scrim help local' lists them");
    scrim_status status = sc_local_command_find(options->words[1], &command, error);
    if (status == SCRIM_OK)
        status = sc_options_check(options, command->options, error);
    return status == SCRIM_OK ? command->run(options, error) : status;
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
    .topic = sc_local_topic_at,
    .options = SC_OPTION_SET(
        SC_OPTIONS_FORMAT, SCRIM_OPTION_SEED, SCRIM_OPTION_USERS, SCRIM_OPTION_HONEST,
        SCRIM_OPTION_SHUFFLER, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA,
        SCRIM_OPTION_PLOT, SCRIM_OPTION_SVG, SCRIM_OPTION_QUIET, SCRIM_OPTION_CONFIG,
        SCRIM_OPTION_NAMES, SCRIM_OPTION_TOP, SCRIM_OPTION_CONFIDENCE,
        SCRIM_OPTION_SIGNIFICANT, SCRIM_OPTION_POST, SCRIM_OPTION_UPDATES,
        SCRIM_OPTION_DOMAIN, SCRIM_OPTION_UNKNOWN, SCRIM_OPTION_LENGTH,
        SCRIM_OPTION_PERIODS, SCRIM_OPTION_CONSTANT, SCRIM_OPTION_ORDERED,
        SCRIM_OPTION_OUT, SCRIM_OPTION_LAW, SCRIM_OPTION_DRIFT, SCRIM_OPTION_LIFETIME,
        SCRIM_OPTION_COVARIANCE, SCRIM_OPTION_JOINT, SCRIM_OPTION_JOINT_NAMES,
        SCRIM_OPTION_EVERY),
    .run = run_local,
};
