/* scrim body SUBCOMMAND */
#include "cli/body/body_commands.h"
#include "cli/terminal/complaint.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

static scrim_status run_body(const sc_options *options, scrim_error *error)
{
    const sc_body_command *command = NULL;
    if (options->word_count < 2)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "missing subcommand; 'scrim help body' lists them");
    scrim_status status = sc_body_command_find(options->words[1], &command, error);
    if (status == SCRIM_OK)
        status = sc_options_check(options, command->options, error);
    return status == SCRIM_OK ? command->run(options, error) : status;
}

const sc_verb sc_verb_body = {
    .name = "body",
    .synopsis = "SUBCOMMAND [OPTION...]",
    .summary = "Release where most units lie in several columns, and study it",
    .usage =
        "A floating body is the region of several columns that is central from every\n"
        "direction: each of its half-spaces holds a share q of the units. It is "
        "released\n"
        "once, as a JSON file with its label. Whatever is computed from the file is "
        "free\n"
        "of charge and needs no vault. Points are in units of the columns; distances,\n"
        "radii and volumes are those of columns scaled to comparable units.\n",
    .topic = sc_body_topic_at,
    .options = SC_OPTION_SET(
        SC_OPTIONS_FORMAT, SC_OPTIONS_VAULT, SCRIM_OPTION_SEED, SCRIM_OPTION_QUIET,
        SCRIM_OPTION_METHOD, SCRIM_OPTION_SCALES, SCRIM_OPTION_EXPECTED_UNITS,
        SCRIM_OPTION_DRY_RUN, SCRIM_OPTION_AT, SCRIM_OPTION_CSV, SCRIM_OPTION_COUNT,
        SCRIM_OPTION_WEIGHT, SCRIM_OPTION_THINNING, SCRIM_OPTION_STEP, SCRIM_OPTION_OUT,
        SCRIM_OPTION_COLUMNS, SCRIM_OPTION_SVG, SCRIM_OPTION_Q, SCRIM_OPTION_DIRECTIONS,
        SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_TARGET_ERROR,
        SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_KEY),
    .run = run_body,
};
