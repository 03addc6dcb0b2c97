/* scrim errata [NUMBER|PLACE|WORD...] */
#include "cli/mechanism/experiments.h"
#include "cli/verb/verbs.h"

static scrim_status run_errata(const sc_options *options, scrim_error *error)
{
    return sc_errata_show(options, 1, error);
}

const sc_verb sc_verb_errata = {
    .name = "errata",
    .synopsis = "[NUMBER|PLACE|WORD...] [OPTION...]",
    .summary = "Show what is wrong in the papers, with computed counterexamples",
    .usage =
        "Lists what is wrong, ambiguous or unproved in the documents that scrim\n"
        "implements: one line each; on a terminal, without an option, how many each\n"
        "document has. With a number, or a place such as Theorem 6.4 or equation "
        "'(14)',\n"
        "it shows one of them in full and computes its counterexample; with words it\n"
        "lists those that have them in their place or title, or that are about a\n"
        "mechanism of that name; 000 to 004 are documents.\n"
        "\n"
        "  --document D  list those of one document: 000, 001, 002, 003 or 004\n"
        "  --kind K      list one kind: false, loose, gap, ambiguous, typo, misleading,\n"
        "                unproved, unusable or unreadable\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json        short for --format json\n"
        "  --quiet       no notes on standard error\n"
        "\n"
        "'scrim list papers' shows which statement runs with which command.\n"
        "\n"
        "example: scrim errata --document 004 --kind false\n"
        "example: scrim errata 12\n"
        "example: scrim errata noisy-max\n"
        "example: scrim errata Theorem 6.4 --document 002\n",
    .kind = SC_COMMAND_LIST,
    .options = SC_OPTION_SET(SCRIM_OPTION_DOCUMENT, SCRIM_OPTION_KIND),
    .run = run_errata,
};
