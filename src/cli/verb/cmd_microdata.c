/* scrim microdata SUBCOMMAND */
#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/program.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <string.h>

/* A release that is tried first is a subcommand of its own. */
static scrim_status advise_plan(const sc_options *options, scrim_error *error)
{
    if (!sc_options_has(options, SCRIM_OPTION_DRY_RUN) || options->word_count < 2 ||
        strcmp(options->words[1], sc_microdata_release.name) != 0)
        return SCRIM_OK;
    return sc_refuse(error, "release takes no --dry-run; 'scrim microdata plan' shows "
                            "its errors and charges nothing");
}

static const sc_command *command_at(size_t index)
{
    static const sc_command *const commands[] = {
        &sc_microdata_plan_command, &sc_microdata_release, &sc_microdata_show,
        &sc_microdata_fit_command, &sc_microdata_check};
    return index < sizeof commands / sizeof *commands ? commands[index] : NULL;
}

const sc_verb sc_verb_microdata = {
    .name = "microdata",
    .synopsis = "SUBCOMMAND [OPTION...]",
    .summary = "Plan, release and check counts that add up to their totals",
    .usage =
        "A table of counts adds up if its total is the sum of its cells, and if no cell\n"
        "is negative. No private table has both accurate cells and an accurate total:\n"
        "the mechanism point-first favours the cells, sum-first the total. A tree of\n"
        "groups within groups favours its upper levels.\n"
        "\n"
        "  scrim microdata plan --cells N --epsilon E [--delta D] | --rho R\n"
        "      Predicts the errors of both for a flat table, and what no private table\n"
        "      can have. It uses no data.\n"
        "  scrim microdata plan NAME|--policy FILE --levels COLUMN,... --epsilon E\n"
        "      Shows the errors of the release below before it is asked for. With a\n"
        "      policy file it needs neither vault nor data.\n"
        "  scrim microdata release NAME --levels COLUMN,... --epsilon E\n"
        "      Counts all rows, the groups of the first column, of the first two, and "
        "so\n"
        "      on; adds noise to every count, also of empty groups; then least squares,\n"
        "      and integers from the top down. The same release again costs nothing.\n"
        "      The values of the columns must be public. The bounds of a person's rows\n"
        "      hold for the last level, and all levels count the rows that they keep.\n"
        "  scrim microdata show RELEASE\n"
        "      Shows the tree of a past release, free of charge.\n"
        "  scrim microdata fit FILE\n"
        "      Makes a flat table of noisy cells and a noisy total that were released\n"
        "      apart, free of charge. The file has the columns level, KEY and noisy, as\n"
        "      --measurements writes it: level 0 is the total.\n"
        "  scrim microdata check FILE...\n"
        "      Checks tables in CSV: parts add up, no count is below 0, the same group\n"
        "      has the same count in all of them. Status 7 if not.\n"
        "\n",
    .more =
        "  --cells N          plan: cells of the table, at most 134217728\n"
        "  --rho R            concentrated privacy, in place of --epsilon; a tree then\n"
        "                     has Gaussian noise and needs --delta too\n"
        "  --policy FILE      plan: the policy of a dataset that is not added yet\n"
        "  --rows-per-unit N  plan: the most rows of one unit (default 1)\n"
        "  --neighbours RELATION  plan: add-remove (default) or replace\n"
        "  --levels LIST      columns, the coarsest first\n"
        "  --tables LIST      release: columns of a table of counts that each group "
        "gets;\n"
        "                     repeat it for several tables\n"
        "  --queries LIST     what is measured, as in total,sex:1,sex*race:2\n"
        "                     with shares; repeat it for all rows and each level\n"
        "                     (default: the total and all cells of each table)\n"
        "  --epsilon E        what all counts cost; there is no default\n"
        "  --delta D          plan: sum-first with noise that never exceeds a bound;\n"
        "                     release: needed for Gaussian noise (default 0)\n"
        "  --mechanism laplace|gaussian  release: the noise (default: the one with the\n"
        "                     smaller error)\n"
        "  --shares LIST      shares of the budget, integers: one for all rows\n"
        "                     and one a level; 0: that level is not measured\n"
        "  --invariant KEYS:N a known count, total:N or COLUMN=VALUE,...:N. It is\n"
        "                     published exactly and is not protected. scrim does not\n"
        "                     read it from the data\n"
        "  --confidence C     of the intervals (default 0.95)\n"
        "  --runs N           simulated intervals of the final counts from N runs\n"
        "                     (default 1000, 0 above 20000 counts); 0: none\n"
        "  --range LOW,HIGH   show: people in a range of the last level, a numeric\n"
        "                     column; with an interval\n"
        "  --quantile P       show: a quantile of that column likewise; both may repeat\n"
        "  --out FILE         release, show: write the table to this file, and its\n"
        "                     signed label to FILE.label; JSON holds its label. Files\n"
        "                     of --records and --measurements have a label, too\n"
        "  --key KEY          fit, check: refuse a file that this key has not signed\n"
        "  --records FILE     also write a row for each counted person, as CSV\n"
        "  --measurements FILE  also write the noisy counts with their variances\n"
        "  --method M         fit: squares (default): least squares; largest: the\n"
        "                     smallest largest error; sum: the total first\n"
        "  --weight W         fit by squares: the total counts for W cells (default 1)\n"
        "  --plot             plan: draw the error of cells against the cost; else the\n"
        "                     tree on standard error, shaded by relative error\n"
        "  --svg FILE         write the same drawing to a file\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json             short for --format json\n"
        "  --quiet            show neither progress nor notes; plan: no drawing on\n"
        "                     standard error\n" SC_USAGE_VAULT SC_USAGE_SEED "\n"
        "example: scrim microdata plan --cells 3000 --epsilon 1 --delta 1e-6\n"
        "         scrim microdata release adult --levels country,sex "
        "--epsilon 1\n",
    .advise = advise_plan,
    .command = command_at,
};
