/* scrim series create|release|show NAME */
#include "cli/answer/charge_note.h"
#include "cli/answer/query_request.h"
#include "cli/answer/result_show.h"
#include "cli/answer/series_page.h"
#include "cli/answer/series_plot.h"
#include "cli/answer/series_sheet.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/process.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"
#include "cli/vault/seeded_vault.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Creating. */

static scrim_status fail_words(scrim_error *error)
{
    return sc_refuse(
        error, "name a series, a dataset and a query: scrim series create NAME DATASET "
               "\"SELECT ...\" --epsilon E --count N");
}

static scrim_status read_new(const sc_options *options, scrim_vault *vault,
                             scrim_series **out, scrim_error *error)
{
    scrim_caret caret;
    char totals[SC_QUERY_TOTALS_BYTES];
    uint64_t count = 0;
    SC_TRY(sc_totals_read(options, totals, error));
    scrim_status status =
        sc_options_number(options, SCRIM_OPTION_RELEASES, 999999, 0, &count, error);
    if (status != SCRIM_OK ||
        (sc_options_has(options, SCRIM_OPTION_RELEASES) && count == 0))
        return sc_refuse(error, "--count must be a whole number from 1 to 999999");
    caret.text[0] = '\0';
    status = scrim_series_new(
        vault, options->words[2], options->words[3], options->words[4],
        SCRIM_OPTIONS(scrim_series_options,
                      .epsilon = options->value[SCRIM_OPTION_EPSILON],
                      .delta = options->value[SCRIM_OPTION_DELTA],
                      .expect = options->value[SCRIM_OPTION_EXPECT],
                      .mechanism = options->value[SCRIM_OPTION_MECHANISM],
                      .max_groups = options->value[SCRIM_OPTION_MAX_GROUPS],
                      .max_rows = options->value[SCRIM_OPTION_MAX_ROWS],
                      .max_total_rows = options->value[SCRIM_OPTION_MAX_TOTAL_ROWS],
                      .max_total = totals[0] == '\0' ? NULL : totals,
                      .cut_share = options->value[SCRIM_OPTION_CUT_SHARE],
                      .releases = count, .window = options->value[SCRIM_OPTION_WINDOW],
                      .known_keys = options->value[SCRIM_OPTION_KNOWN_KEYS],
                      .running = sc_options_has(options, SCRIM_OPTION_RUNNING)),
        out, &caret, error);
    if (status != SCRIM_OK && caret.text[0] != '\0')
        sc_talk_caret(caret.text);
    return status;
}

/* The error of its releases is that of its query; of running totals each has its own. */
static scrim_status talk_of_error(scrim_vault *vault, sc_output *output,
                                  const scrim_series *series,
                                  const scrim_series_facts *facts,
                                  const sc_options *options, unsigned columns,
                                  scrim_error *error)
{
    SC_OWNED(scrim_plan_free_at) scrim_plan *plan = NULL;
    if (facts->is_running)
        return sc_series_running_talk(output, vault, series, facts, columns, error);
    SC_TRY(scrim_plan_new(
        vault, facts->dataset, &facts->query, 1,
        SCRIM_OPTIONS(scrim_query_options, .epsilon = facts->epsilon,
                      .delta = facts->delta,
                      .expect = options->value[SCRIM_OPTION_EXPECT],
                      .max_groups = facts->max_groups, .max_rows = facts->max_rows,
                      .max_total_rows = facts->max_total_rows,
                      .max_total = facts->max_total, .cut_share = facts->cut_share,
                      .mechanism = options->value[SCRIM_OPTION_MECHANISM]),
        &plan, NULL, error));
    return sc_series_error_talk(output, vault, plan, columns, error);
}

/* The talk about a series before it is entered; without a forecast, when it is. */
static scrim_status talk_of_new(scrim_vault *vault, const scrim_series *series,
                                const scrim_series_facts *facts,
                                const scrim_series_forecast *forecast,
                                const sc_options *options, scrim_error *error)
{
    sc_terminal beside;
    scrim_series_step first;
    char where[SC_VAULT_WORDS_BYTES];
    if (sc_options_has(options, SCRIM_OPTION_QUIET))
        return SCRIM_OK;
    SC_TRY(scrim_series_step_at(series, 0, &first, error));
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_vault_words(options->value[SCRIM_OPTION_VAULT], where);
    if (forecast != NULL) {
        sc_series_price_talk(output, facts, &first, forecast, beside.columns);
        SC_TRY(sc_series_windows_talk(output, series, facts, beside.columns, error));
        SC_TRY(
            talk_of_error(vault, output, series, facts, options, beside.columns, error));
    } else {
        sc_series_created_talk(output, facts, where, beside.columns);
    }
    return sc_output_finish(output, error);
}

static scrim_status run_create(const sc_options *options, scrim_vault *vault,
                               scrim_error *error)
{
    SC_OWNED(scrim_series_free_at) scrim_series *series = NULL;
    scrim_series_facts facts;
    scrim_series_forecast forecast;
    const int beyond = sc_options_has(options, SCRIM_OPTION_BEYOND_BUDGET);
    SC_TRY(read_new(options, vault, &series, error));
    SC_TRY(scrim_series_forecast_of(vault, series, &forecast, error));
    scrim_series_describe(series, &facts);
    SC_TRY(sc_series_price_write(&forecast, options, error));
    SC_TRY(talk_of_new(vault, series, &facts, &forecast, options, error));
    SC_TRY(scrim_series_enter(vault, series, beyond, error));
    return talk_of_new(vault, series, &facts, NULL, options, error);
}

/* Releasing. */

typedef struct release_call {
    sc_answer_style style;
    sc_progress progress;
    scrim_result *result;
    sc_series_place place;
    sc_vault_seed seed;
} release_call;

static scrim_status release(release_call *call, const sc_options *options,
                            scrim_vault *vault, uint64_t number, scrim_error *error)
{
    char where[SC_VAULT_WORDS_BYTES];
    scrim_result_facts facts;
    sc_vault_words(call->style.vault, where);
    sc_last_words_set(SC_PROGRAM
                      " series: ended; 'scrim series show %.64s%s' shows whether it was "
                      "answered; a release is charged once, however often it is "
                      "asked for\n",
                      options->words[2], where);
    sc_last_words_begin();
    sc_progress_start(&call->progress, 0, "%", !call->style.quiet);
    const scrim_status status = scrim_series_release(
        vault, options->words[2], number,
        SCRIM_OPTIONS(scrim_series_run,
                      .confidence = options->value[SCRIM_OPTION_CONFIDENCE],
                      .progress = sc_progress_told, .context = &call->progress),
        &call->result, error);
    sc_progress_end(&call->progress);
    if (status != SCRIM_OK)
        return status;
    scrim_result_describe(call->result, &facts);
    sc_charge_last_words("series", facts.release, call->style.vault);
    call->style.place = &call->place;
    return sc_series_place_read(vault, options->words[2], facts.release, &call->place,
                                error);
}

/* Advice that names the series and its dataset. */
static void advise(const char *name, scrim_vault *vault, scrim_error *error)
{
    scrim_series *series = NULL;
    scrim_series_facts facts;
    scrim_error ignored;
    if (error->reason == SCRIM_REASON_COMPLETE)
        sc_complaint_append(error, "; scrim series show %s has them", name);
    if (error->reason != SCRIM_REASON_MISSING ||
        strcmp(error->parameter, "version") != 0 ||
        scrim_series_read(vault, name, &series, &ignored) != SCRIM_OK)
        return;
    scrim_series_describe(series, &facts);
    sc_complaint_append(error, "; scrim dataset update %s declares it", facts.dataset);
    scrim_series_free(series);
}

static scrim_status run_release(const sc_options *options, scrim_vault *vault,
                                scrim_error *error)
{
    uint64_t number = 0;
    release_call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = SCRIM_OK;
    if (options->word_count == 4)
        status = sc_release_number_parse(options->words[3], &number, error);
    /* 0 would be the next one, and charged. */
    if (status == SCRIM_E_PARAM || (options->word_count == 4 && number == 0))
        status = sc_refuse(error, "releases of a series are numbered from 1, as in "
                                  "'scrim series release NAME 3'");
    if (status == SCRIM_OK)
        status = sc_answer_style_read(options, &call->style, error);
    if (status == SCRIM_OK)
        sc_options_abridge(options, &call->style.terminal);
    if (status == SCRIM_OK)
        status = sc_vault_seed_use(&call->seed, options, vault, error);
    if (status == SCRIM_OK)
        status = release(call, options, vault, number, error);
    if (status != SCRIM_OK)
        advise(options->words[2], vault, error);
    if (status == SCRIM_OK)
        status = sc_result_show(&call->style, vault, call->result, error);
    if (status != SCRIM_OK && call->result != NULL)
        sc_charge_advise_result(error, call->result, call->style.vault);
    scrim_result_free(call->result);
    sc_series_place_clear(&call->place);
    sc_vault_seed_clear(&call->seed, vault);
    free(call);
    return status;
}

static void write_svg(const void *panels, sc_output *output)
{
    sc_series_svg_write(output, panels);
}

typedef struct show_call {
    sc_answer_style style;
    sc_series_sheet sheet;
    sc_series_panels panels;
    scrim_series_forecast forecast;
    bool has_forecast;
    sc_output output;
} show_call;

/* The table, or on a terminal the plot in its place; then words and plot on standard error. */
static scrim_status show(show_call *call, scrim_error *error)
{
    const sc_answer_style *style = &call->style;
    const scrim_series_forecast *forecast = call->has_forecast ? &call->forecast : NULL;
    const bool in_place =
        style->plot && style->terminal.is_terminal && style->format == SCRIM_FORMAT_TABLE;
    sc_terminal beside;
    sc_output_init_screen(&call->output, STDOUT_FILENO, style->format);
    if (in_place)
        sc_series_plot_write(&call->output, &call->panels, &style->terminal);
    else
        SC_TRY(sc_series_write(&call->output, &call->sheet, forecast, style->format,
                               &style->terminal, error));
    SC_TRY(sc_output_finish(&call->output, error));
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&call->output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    if (style->plot && !in_place)
        sc_series_plot_write(&call->output, &call->panels, &beside);
    if (!style->quiet)
        sc_series_talk(&call->output, &call->sheet, forecast, style->vault,
                       beside.columns);
    return sc_output_finish(&call->output, error);
}

static scrim_status read_forecast(show_call *call, scrim_vault *vault, scrim_error *error)
{
    const scrim_series_facts *facts = &call->sheet.facts;
    if (facts->is_over || facts->next == 0)
        return SCRIM_OK;
    const scrim_status status =
        scrim_series_forecast_of(vault, call->sheet.series, &call->forecast, error);
    call->has_forecast = status == SCRIM_OK;
    /* A series that cannot be released any more, as after another policy, can still be shown. */
    return status / 10 == SCRIM_E_PARAM / 10 || status == SCRIM_E_POLICY ? SCRIM_OK
                                                                         : status;
}

static scrim_status run_show(const sc_options *options, scrim_vault *vault,
                             scrim_error *error)
{
    const char *drawing = options->value[SCRIM_OPTION_SVG];
    if (options->word_count == 2 &&
        (drawing != NULL || sc_options_has(options, SCRIM_OPTION_PLOT)))
        return sc_refuse(error, "a plot needs one series: scrim series show NAME %s",
                         drawing != NULL ? "--svg FILE" : "--plot");
    if (options->word_count == 2)
        return sc_series_list_write(options, vault, error);
    if (options->word_count != 3)
        return sc_refuse(error, "name one series: scrim series show NAME");
    show_call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory to show the series");
    scrim_status status = sc_answer_style_read(options, &call->style, error);
    sc_options_abridge(options, &call->style.terminal);
    if (status == SCRIM_OK && drawing != NULL)
        status = sc_file_writer_check("--svg", drawing, error);
    if (status == SCRIM_OK)
        status = sc_series_sheet_read(vault, options->words[2],
                                      options->value[SCRIM_OPTION_CONFIDENCE],
                                      &call->sheet, error);
    if (status == SCRIM_OK)
        status = read_forecast(call, vault, error);
    if (status == SCRIM_OK)
        status = sc_series_panels_make(&call->sheet, &call->panels, error);
    if (status == SCRIM_OK && drawing != NULL)
        status = sc_file_write("--svg", drawing, write_svg, &call->panels, error);
    if (status == SCRIM_OK)
        status = show(call, error);
    sc_series_panels_clear(&call->panels);
    sc_series_sheet_clear(&call->sheet);
    free(call);
    return status;
}

/* The verb. */

static scrim_status run_series(const sc_options *options, scrim_error *error);

static const struct {
    sc_command command;
    scrim_status (*run)(const sc_options *options, scrim_vault *vault,
                        scrim_error *error);
} actions[] = {
    {{.name = "create",
      .kind = SC_COMMAND_LOOK,
      .options = SC_OPTION_SET(
          SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_EXPECT,
          SCRIM_OPTION_MECHANISM, SCRIM_OPTION_RELEASES, SCRIM_OPTION_WINDOW,
          SCRIM_OPTION_MAX_GROUPS, SCRIM_OPTION_MAX_ROWS, SCRIM_OPTION_MAX_TOTAL_ROWS,
          SCRIM_OPTION_MAX_TOTAL, SCRIM_OPTION_CUT_SHARE, SCRIM_OPTION_RUNNING,
          SCRIM_OPTION_KNOWN_KEYS, SCRIM_OPTION_BEYOND_BUDGET),
      .run = run_series},
     run_create},
    {{.name = "release",
      .kind = SC_COMMAND_RELEASE,
      .options =
          SC_OPTION_SET(SCRIM_OPTION_ALL, SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_PLOT),
      .run = run_series},
     run_release},
    {{.name = "show",
      .kind = SC_COMMAND_LOOK,
      .options = SC_OPTION_SET(SCRIM_OPTION_ALL, SCRIM_OPTION_CONFIDENCE,
                               SCRIM_OPTION_PLOT, SCRIM_OPTION_SVG),
      .run = run_series},
     run_show},
};

static const sc_command *command_at(size_t index)
{
    return index < sizeof actions / sizeof *actions ? &actions[index].command : NULL;
}

/* A missing word is reported before the vault is opened, which may be missing as well. */
static scrim_status check_words(const sc_options *options, scrim_error *error)
{
    const size_t count = options->word_count;
    if (strcmp(options->words[1], "create") == 0 && count != 5)
        return fail_words(error);
    if (strcmp(options->words[1], "release") == 0 && (count < 3 || count > 4))
        return sc_refuse(error, "name one series: scrim series release NAME [NUMBER]");
    return SCRIM_OK;
}

/* Opens the vault for the subcommand, which sc_verb_perform has found in the table. */
static scrim_status run_series(const sc_options *options, scrim_error *error)
{
    SC_OWNED(scrim_vault_close_at) scrim_vault *vault = NULL;
    size_t action = 0;
    while (strcmp(options->words[1], actions[action].command.name) != 0)
        action++;
    SC_TRY(check_words(options, error));
    SC_TRY(sc_vault_place_open(options, &vault, error));
    return actions[action].run(options, vault, error);
}

const sc_verb sc_verb_series = {
    .name = "series",
    .synopsis = "create|release|show NAME [OPTION...]",
    .summary = "Release the same query of a growing table, again and again",
    .usage =
        "  create NAME DATASET \"SELECT ...\"\n"
        "                 declare a series and show what it will cost; nothing is\n"
        "                 spent or reserved. To end a series, make no more releases.\n"
        "  release NAME [NUMBER]\n"
        "                 make the next release, charged and answered like a query; a\n"
        "                 release that exists is shown again, free of charge\n"
        "  show [NAME]    show all releases of a series; without NAME list all series\n"
        "\n"
        "Fixed by create:\n"
        "  --epsilon E    what one release may cost; there is no default\n"
        "  --delta D      delta of one release, e.g. for private keys (default 0)\n"
        "  --count N      how many releases are planned\n"
        "  --window COLUMN[=START,...|week|month|quarter|year]\n"
        "                 each release is about one window of this number or date\n"
        "                 column: its range in N equal parts, from each START to the\n"
        "                 next, or the weeks, months, quarters or years of its dates.\n"
        "                 Without it each release is about a new version.\n"
        "  --running      each release is the total of all windows so far; all of them\n"
        "                 cost E together while the table keeps its version\n"
        "  --known-keys continue|rethreshold\n"
        "                 private keys that were shown are public from then on and\n"
        "                 always shown (continue, default), or selected anew each time\n"
        "  --expect N[,COLUMN=MEAN[:DEVIATION]...]\n"
        "                 as in scrim query\n"
        "  --mechanism laplace|gaussian|stlap\n"
        "                 as in scrim query\n"
        "  --max-total-rows N, --max-groups N, --max-rows N, --max-total NAME=N\n"
        "                 contribution bounds in place of the owner's, as in scrim "
        "query\n"
        "  --cut-share R  as in scrim query\n"
        "  --beyond-budget  create it even if the budget is too small for all releases\n"
        "\n" SC_USAGE_VAULT
        "  --confidence C of the confidence intervals (default 0.95)\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --plot         release: draw bars; show: draw each column by release\n"
        "  --svg FILE     show: write the same drawing to a file\n"
        "  --all          show all rows of a long table; page by page on a terminal\n"
        "  --quiet        show neither progress nor notes\n" SC_USAGE_SEED "\n"
        "example: scrim series create words plays \\\n"
        "             \"SELECT word, COUNT(*) AS n GROUP BY word\" --window speech \\\n"
        "             --count 12 --epsilon 0.1 --delta 1e-9\n",
    .command = command_at,
};
