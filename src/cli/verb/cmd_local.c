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
        "and nothing is charged: each device pays for its own report.\n"
        "\n"
        "  scrim local encode --config FILE < VALUES > REPORTS\n"
        "      Makes one report of each line, as a device does: for public or simulated\n"
        "      values, tests and gateways. Never collect private values to encode them\n"
        "      here. A value is a number from 0 on; any other line counts as the last\n"
        "      value. Configurations of texts take the line itself.\n"
        "  scrim local collect --config FILE REPORTS... > SUMS\n"
        "      Adds up files of reports, of sums, or of both; - is standard input. Sums\n"
        "      of parts add up to the sums of the whole. Reports that no device can "
        "have\n"
        "      sent are dropped. Shapes that honest devices hardly ever send are "
        "flagged.\n"
        "  scrim local decode --config FILE SUMS...\n"
        "      Estimates counts, or the mean of numbers: unbiased, with standard "
        "errors,\n"
        "      intervals for each value and for all values together, and how far fake\n"
        "      reports can move them.\n"
        "\n"
        "  --config FILE      the configuration of the devices\n"
        "  --names FILE       decode: names of the values 0, 1, ..., one a line\n"
        "  --confidence C     decode: of intervals, above 0.5 and below 1 (default "
        "0.95)\n"
        "  --top N            decode: the N largest estimates only\n"
        "  --significant      decode: only values that somebody holds; of those, at "
        "most\n"
        "                     1 - C are expected to be false\n"
        "  --post METHOD      decode: also counts that are at least 0 and add up, by\n"
        "                     simplex, norm-sub (the same), em or em-smooth. They are\n"
        "                     biased; scrim measures and prints the bias\n"
        "  --updates N        decode: updates of em (default 200)\n"
        "  --quiet            collect: no summary on standard error\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json             short for --format json\n" SC_USAGE_SEED "\n"
        "example: scrim local decode --config emoji.config monday.sums --top 10\n",
    .options = SC_OPTIONS_FORMAT | SC_OPTIONS_SEED | SC_OPTION_BIT(SCRIM_OPTION_QUIET) |
               SC_OPTION_BIT(SCRIM_OPTION_CONFIG) | SC_OPTION_BIT(SCRIM_OPTION_NAMES) |
               SC_OPTION_BIT(SCRIM_OPTION_TOP) | SC_OPTION_BIT(SCRIM_OPTION_CONFIDENCE) |
               SC_OPTION_BIT(SCRIM_OPTION_SIGNIFICANT) |
               SC_OPTION_BIT(SCRIM_OPTION_POST) | SC_OPTION_BIT(SCRIM_OPTION_UPDATES),
    .run = run_local,
};
