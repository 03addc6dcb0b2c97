/* scrim suggest NAME --columns x,y --epsilon E */
#include "cli/answer/charge_note.h"
#include "cli/answer/plan_writer.h"
#include "cli/answer/release_note.h"
#include "cli/answer/suggestion_forecast.h"
#include "cli/answer/suggestion_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"
#include "cli/vault/seeded_vault.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct suggest_state {
    sc_answer_style style;
    sc_progress progress;
    scrim_vault *vault;
    const char *dataset, *question_epsilon, *expect;
    scrim_suggestion *suggestion;
    sc_output output;
    sc_vault_seed seed;
} suggest_state;

static scrim_status read_request(suggest_state *state, const sc_options *options,
                                 scrim_error *error)
{
    if (options->word_count != 2)
        return sc_refuse(error, "name one dataset, as in 'scrim suggest orders --columns "
                                "amount --epsilon 1'; 'scrim dataset list' shows them");
    if (!sc_options_has(options, SCRIM_OPTION_EPSILON))
        return sc_refuse(error, "missing --epsilon; it has no default");
    state->dataset = options->words[1];
    state->question_epsilon = options->value[SCRIM_OPTION_QUESTION_EPSILON];
    state->expect = options->value[SCRIM_OPTION_EXPECT];
    if (state->expect != NULL && !sc_options_has(options, SCRIM_OPTION_DRY_RUN))
        return sc_refuse(error, "--expect is for a forecast; add --dry-run");
    SC_TRY(sc_answer_style_read(options, &state->style, error));
    SC_TRY(sc_vault_place_open(options, &state->vault, error));
    SC_TRY(sc_vault_seed_use(&state->seed, options, state->vault, error));
    return scrim_suggestion_new(
        state->vault, state->dataset,
        SCRIM_OPTIONS(scrim_suggestion_options,
                      .epsilon = options->value[SCRIM_OPTION_EPSILON],
                      .columns = options->value[SCRIM_OPTION_COLUMNS],
                      .by = options->value[SCRIM_OPTION_BY],
                      .confidence = options->value[SCRIM_OPTION_CONFIDENCE],
                      .question_epsilon = state->question_epsilon,
                      .progress = sc_progress_told, .context = &state->progress),
        &state->suggestion, error);
}

/* Beside rows, which have no place for it. */
static scrim_status show_cost(suggest_state *state, scrim_error *error)
{
    scrim_plan_facts facts;
    SC_TRY(sc_output_finish(&state->output, error));
    SC_TRY(scrim_plan_describe(state->vault, scrim_suggestion_plan(state->suggestion),
                               &facts, error));
    sc_output_init_screen(&state->output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_output_text(&state->output, "cost        ");
    sc_cost_write_short(&state->output, &facts.cost);
    sc_output_text(&state->output, "; nothing was charged (--dry-run)\n");
    return sc_output_finish(&state->output, error);
}

/* The needs of a suggestion; or the plan, as explain shows it. */
static scrim_status show_plan(suggest_state *state, scrim_error *error)
{
    const bool is_short =
        state->style.format == SCRIM_FORMAT_TABLE && !state->style.is_verbose;
    sc_output_init_screen(&state->output, STDOUT_FILENO, state->style.format);
    SC_TRY(is_short ? sc_suggestion_forecast(&state->style, &state->output, state->vault,
                                             state->suggestion, state->expect, error)
                    : sc_plan_write(&state->output,
                                    &(sc_plan_style){.format = state->style.format,
                                                     .terminal = &state->style.terminal},
                                    state->vault,
                                    scrim_suggestion_plan(state->suggestion), error));
    return state->style.format == SCRIM_FORMAT_CSV && !state->style.quiet
               ? show_cost(state, error)
               : sc_output_finish(&state->output, error);
}

static scrim_status ask(suggest_state *state, scrim_error *error)
{
    scrim_result_facts facts;
    sc_charge_first_words("suggest", state->dataset, state->style.vault);
    sc_progress_start(&state->progress, 0, "%", !state->style.quiet);
    const scrim_status status =
        scrim_suggestion_run(state->vault, state->suggestion, error);
    sc_progress_end(&state->progress);
    if (status != SCRIM_OK)
        return status;
    scrim_result_describe(scrim_suggestion_result(state->suggestion), &facts);
    sc_charge_last_words("suggest", facts.release, state->style.vault);
    return SCRIM_OK;
}

static scrim_status ask_and_show(suggest_state *state, scrim_error *error)
{
    scrim_status status = ask(state, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_suggestion_show(&state->style, state->vault, state->suggestion,
                                state->question_epsilon, error);
    if (status != SCRIM_OK)
        sc_charge_advise_result(error, scrim_suggestion_result(state->suggestion),
                                state->style.vault);
    return status;
}

static scrim_status run_suggest(const sc_options *options, scrim_error *error)
{
    suggest_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_out_of_memory(error, "a suggestion");
    scrim_status status = read_request(state, options, error);
    if (status == SCRIM_OK)
        status = sc_options_has(options, SCRIM_OPTION_DRY_RUN)
                     ? show_plan(state, error)
                     : ask_and_show(state, error);
    scrim_suggestion_free(state->suggestion);
    scrim_vault_close(state->vault);
    sc_vault_seed_clear(&state->seed, NULL);
    free(state);
    return status;
}

const sc_verb sc_verb_suggest = {
    .name = "suggest",
    .synopsis = "NAME [--columns C,C,...] --epsilon E [OPTION...]",
    .summary = "Find contribution bounds and ranges by private histograms, charged",
    .usage =
        "Counts people on the rungs of ladders: by how many rows they have, how many\n"
        "groups they are in, their totals and their values. From these counts scrim\n"
        "computes the bounds with the smallest predicted error: --max-total-rows,\n"
        "--max-groups, --max-rows and --max-total for the owner, CLAMP for the analyst.\n"
        "It always suggests one, and shows how sure it is. It does not apply them. The\n"
        "result is charged, recorded and labelled like a query, and is free when asked\n"
        "again.\n"
        "An owner, who may look at the data, can use 'scrim dataset check NAME "
        "--bounds'.\n"
        "It computes errors from the rows, suggest predicts them from noisy counts, so\n"
        "the two may recommend different bounds.\n"
        "\n"
        "  --columns C,C,...  number and date columns to suggest ranges for (at most "
        "16);\n"
        "                 without them only groups and rows are bounded\n"
        "  --by K,K,...   what queries will group by: columns, or expressions such as\n"
        "                 'MONTH(day)'; without it all rows are one group\n"
        "  --epsilon E    total cost, divided equally among the quantities; no default\n"
        "  --question-epsilon E  find the bounds for later questions of this epsilon\n"
        "                 (default: the same as --epsilon)\n"
        "  --dry-run      show only the cost, the noise of each ladder and how many\n"
        "                 people it needs; nothing is read or charged. --verbose, CSV\n"
        "                 and JSON show the plan\n"
        "  --expect N     with --dry-run: how many people you expect, for a forecast\n"
        "  --verbose      also show the people on every rung, and how bounds are chosen\n"
        "  --plot         draw the people on every rung: on a terminal below the "
        "tables,\n"
        "                 else on standard error\n"
        "  --confidence C of the confidence intervals (default 0.95)\n" SC_USAGE_VAULT
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --quiet        show neither progress nor notes\n" SC_USAGE_SEED "\n"
        "example: scrim suggest orders --columns amount --by shop --epsilon 1\n",
    .kind = SC_COMMAND_RELEASE,
    .options = SC_OPTION_SET(SCRIM_OPTION_EPSILON, SCRIM_OPTION_COLUMNS, SCRIM_OPTION_BY,
                             SCRIM_OPTION_QUESTION_EPSILON, SCRIM_OPTION_DRY_RUN,
                             SCRIM_OPTION_EXPECT, SCRIM_OPTION_VERBOSE, SCRIM_OPTION_PLOT,
                             SCRIM_OPTION_CONFIDENCE),
    .run = run_suggest,
};
