/* scrim microdata SUBCOMMAND */
#include "cli/microdata/microdata_commands.h"
#include "cli/terminal/complaint.h"
#include "cli/verb/verbs.h"

static scrim_status run_microdata(const sc_options *options, scrim_error *error)
{
    const sc_microdata_command *command = NULL;
    if (options->word_count < 2)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "missing subcommand; 'scrim help microdata' lists them");
    scrim_status status = sc_microdata_command_find(options->words[1], &command, error);
    if (status == SCRIM_OK)
        status = sc_options_check(options, command->options, error);
    if (status == SCRIM_OK && options->word_count > 2)
        return sc_complaint_fill(error, SCRIM_E_PARAM, "unexpected word '%.40s'",
                                 options->words[2]);
    return status == SCRIM_OK ? command->run(options, error) : status;
}

const sc_verb sc_verb_microdata = {
    .name = "microdata",
    .synopsis = "SUBCOMMAND [OPTION...]",
    .summary = "Plan tables of counts that add up to their totals",
    .usage =
        "A table of counts adds up if its total is the sum of its cells, and if no cell\n"
        "is negative. No private table has both accurate cells and an accurate total:\n"
        "the mechanism point-first favours the cells, sum-first the total.\n"
        "\n"
        "  scrim microdata plan --cells N --epsilon E [--delta D] | --rho R\n"
        "      Predicts the errors of both, and what no private table can have. It uses\n"
        "      no data, and nothing is charged.\n"
        "\n"
        "  --cells N             plan: cells of the table, at most 134217728\n"
        "  --epsilon E           plan: what the release costs\n"
        "  --delta D             plan: sum-first with noise that never exceeds a bound\n"
        "  --rho R               plan: concentrated privacy, in place of --epsilon\n"
        "  --rows-per-unit N     plan: the most rows of one unit (default 1)\n"
        "  --neighbours RELATION plan: add-remove (default) or replace\n"
        "  --confidence C        plan: of the ranges, above 0 and below 1 (default "
        "0.95)\n"
        "  --plot                plan: draw the error of cells against the cost\n"
        "  --svg FILE            plan: write the same drawing to a file\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json                short for --format json\n"
        "\n"
        "example: scrim microdata plan --cells 3000 --epsilon 1 --delta 1e-6\n",
    .options =
        SC_OPTIONS_FORMAT | SC_OPTION_BIT(SCRIM_OPTION_CELLS) |
        SC_OPTION_BIT(SCRIM_OPTION_EPSILON) | SC_OPTION_BIT(SCRIM_OPTION_DELTA) |
        SC_OPTION_BIT(SCRIM_OPTION_RHO) | SC_OPTION_BIT(SCRIM_OPTION_ROWS_PER_UNIT) |
        SC_OPTION_BIT(SCRIM_OPTION_NEIGHBOURS) | SC_OPTION_BIT(SCRIM_OPTION_CONFIDENCE) |
        SC_OPTION_BIT(SCRIM_OPTION_PLOT) | SC_OPTION_BIT(SCRIM_OPTION_SVG),
    .run = run_microdata,
};
