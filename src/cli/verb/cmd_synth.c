/* scrim synth NAME --epsilon E --delta D */
#include "cli/answer/charge_note.h"
#include "cli/release/synth_report_page.h"
#include "cli/release/synth_rows_page.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"
#include "cli/vault/seeded_vault.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <stdlib.h>

typedef struct synth_state {
    sc_answer_style style;
    sc_synth_row_request asked;
    sc_progress progress;
    scrim_vault *vault;
    const char *dataset;
    const char *cuts[SC_OPTIONS_REPEATED], *never[SC_OPTIONS_REPEATED],
        *private_keys[SC_OPTIONS_REPEATED];
    size_t cut_count, never_count, private_key_count;
    uint64_t refine, ways;
    sc_query_file queries;
    scrim_synth *synth;
    scrim_synth_release *release;
    sc_vault_seed seed;
} synth_state;

static void gather(const sc_options *options, sc_option option, const char **list,
                   size_t *count)
{
    for (size_t i = 0; i < options->repeated_count; i++)
        if (options->repeated[i].option == option)
            list[(*count)++] = options->repeated[i].value;
}

static scrim_status make_plan(synth_state *state, const sc_options *options,
                              scrim_error *error)
{
    gather(options, SCRIM_OPTION_CUT, state->cuts, &state->cut_count);
    gather(options, SCRIM_OPTION_NEVER, state->never, &state->never_count);
    gather(options, SCRIM_OPTION_PRIVATE_KEYS, state->private_keys,
           &state->private_key_count);
    return scrim_synth_new(
        state->vault, state->dataset,
        SCRIM_OPTIONS(
            scrim_synth_options, .method = options->value[SCRIM_OPTION_METHOD],
            .columns = options->value[SCRIM_OPTION_COLUMNS],
            .epsilon = options->value[SCRIM_OPTION_EPSILON],
            .delta = options->value[SCRIM_OPTION_DELTA],
            .rho = options->value[SCRIM_OPTION_RHO], .refine = state->refine,
            .ways = (unsigned)state->ways, .cuts = state->cuts,
            .cut_count = state->cut_count, .never = state->never,
            .never_count = state->never_count, .private_keys = state->private_keys,
            .private_key_count = state->private_key_count,
            .queries = state->queries.lines, .query_count = state->queries.count,
            .max_groups = options->value[SCRIM_OPTION_MAX_GROUPS],
            .max_rows = options->value[SCRIM_OPTION_MAX_ROWS],
            .max_total_rows = options->value[SCRIM_OPTION_MAX_TOTAL_ROWS],
            .progress = sc_progress_told, .context = &state->progress),
        &state->synth, error);
}

static scrim_status read_queries(synth_state *state, const sc_options *options,
                                 scrim_error *error)
{
    const char *paths[SC_OPTIONS_REPEATED];
    size_t count = 0;
    gather(options, SCRIM_OPTION_QUERIES, paths, &count);
    if (count > 1)
        return sc_refuse(error, "give one file of --queries, with all of them");
    return count == 0 ? SCRIM_OK : sc_query_file_read(paths[0], &state->queries, error);
}

static scrim_status read_request(synth_state *state, const sc_options *options,
                                 scrim_error *error)
{
    if (options->word_count != 2)
        return sc_refuse(error, "name one dataset, as in 'scrim synth adult --epsilon 1 "
                                "--delta 1e-7'; 'scrim dataset list' shows them");
    state->dataset = options->words[1];
    const char *refine = options->value[SCRIM_OPTION_REFINE];
    SC_TRY(sc_answer_style_read(options, &state->style, error));
    if (refine != NULL)
        SC_TRY(sc_release_number_parse(refine, &state->refine, error));
    SC_TRY(sc_options_positive(options, SCRIM_OPTION_WAYS, 64, 0, &state->ways, error));
    SC_TRY(sc_synth_row_request_read(options, &state->asked, error));
    SC_TRY(read_queries(state, options, error));
    SC_TRY(sc_vault_place_open(options, &state->vault, error));
    SC_TRY(sc_vault_seed_use(&state->seed, options, state->vault, error));
    SC_TRY(make_plan(state, options, error));
    return scrim_synth_check_rows(state->synth,
                                  SCRIM_OPTIONS(scrim_synth_row_options,
                                                .rows = state->asked.rows,
                                                .given = state->asked.given,
                                                .given_count = state->asked.given_count),
                                  error);
}

static scrim_status release_rows(synth_state *state, scrim_error *error)
{
    scrim_synth_released facts;
    sc_charge_first_words("synth", state->dataset, state->style.vault);
    sc_progress_start(&state->progress, 0, "%", !state->style.quiet);
    scrim_status status =
        scrim_synth_run(state->vault, state->synth, &state->release, error);
    sc_progress_end(&state->progress);
    if (status != SCRIM_OK)
        return status;
    scrim_synth_release_describe(state->release, &facts);
    sc_charge_last_words("synth", facts.release, state->style.vault);
    status =
        sc_synth_show(&state->style, &state->asked, state->vault, state->release, error);
    if (status != SCRIM_OK)
        sc_charge_advise(error, facts.release, state->style.vault);
    return status;
}

static scrim_status perform(synth_state *state, const sc_options *options,
                            scrim_error *error)
{
    SC_TRY(read_request(state, options, error));
    return sc_options_has(options, SCRIM_OPTION_DRY_RUN)
               ? sc_synth_plan_show(&state->style, state->vault, state->synth, error)
               : release_rows(state, error);
}

static scrim_status run_synth(const sc_options *options, scrim_error *error)
{
    SC_FREED synth_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    const scrim_status status = perform(state, options, error);
    scrim_synth_release_free(state->release);
    scrim_synth_free(state->synth);
    scrim_vault_close(state->vault);
    sc_vault_seed_clear(&state->seed, NULL);
    sc_query_file_clear(&state->queries);
    return status;
}

#define OF_ROWS                                                                          \
    SC_OPTIONS_SYNTH_ROWS, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_RHO,   \
        SCRIM_OPTION_METHOD, SCRIM_OPTION_COLUMNS, SCRIM_OPTION_CUT, SCRIM_OPTION_SVG,   \
        SCRIM_OPTION_HTML, SCRIM_OPTION_VERBOSE, SCRIM_OPTION_CONFIDENCE,                \
        SCRIM_OPTION_NEVER, SCRIM_OPTION_PRIVATE_KEYS, SCRIM_OPTION_WAYS,                \
        SCRIM_OPTION_QUERIES, SCRIM_OPTION_REFINE, SCRIM_OPTION_DRY_RUN,                 \
        SCRIM_OPTION_MAX_GROUPS, SCRIM_OPTION_MAX_ROWS, SCRIM_OPTION_MAX_TOTAL_ROWS

/* Both take the options of the rows, so that a request need not be typed anew. */
static const sc_command commands[] = {{.name = "report",
                                       .kind = SC_COMMAND_RELEASE,
                                       .options = SC_OPTION_SET(OF_ROWS),
                                       .run = sc_synth_report_run},
                                      {.name = "check",
                                       .kind = SC_COMMAND_RELEASE,
                                       .options = SC_OPTION_SET(OF_ROWS),
                                       .run = sc_synth_report_run}};

static const sc_command *command_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

const sc_verb sc_verb_synth = {
    .name = "synth",
    .synopsis = "NAME --epsilon E --delta D [OPTION...] | report|check RELEASE",
    .summary = "Release synthetic records, drawn from a private model of the data",
    .usage =
        "Measures counts of columns and of columns together with exact noise, fits a\n"
        "model to them, and writes rows drawn from it as CSV. None is a row of the "
        "data.\n"
        "The whole cost is charged first, and the noisy counts are recorded: the same\n"
        "request again, other numbers of rows and --given cost nothing more. Numbers "
        "and\n"
        "dates are counted in bins; a row gets a value drawn within its bin. NULL is a\n"
        "category. Text columns need public keys, or --private-keys. 'report' shows how\n"
        "near the rows of a release are to the data: the total variation of columns and\n"
        "of columns together, with intervals for what was measured, or the answers to\n"
        "--queries. It is free of charge.\n"
        "'check' compares with the data, for the owner alone: its output is SENSITIVE.\n"
        "\n"
        "  --epsilon E    total cost; no default. For report: charges a comparison with\n"
        "                 the data, the mean total variation of all pairs\n"
        "  --delta D      of that cost; mst and aim need it\n"
        "  --rho R        in place of epsilon: the total in concentrated privacy\n"
        "  --method mst|aim|mwem|smalldb  mst (default): a tree of pairs, in seconds;\n"
        "                 aim: more accurate and slower; mwem: for few columns;\n"
        "                 smalldb: for at most 256 possible rows, without --never\n"
        "  --ways K       of mwem: measure tables of K columns together (default 2)\n"
        "  --queries FILE  of mwem and smalldb: rows for these counts, one a line, as "
        "in\n"
        "                 sex=Female, age=20..39, education_num=13|14; ranges have both\n"
        "                 ends and whole bins; # begins a comment\n"
        "  --columns C,C,...  the columns (default: all; at most 64)\n"
        "  --cut C=CUT    bins of a column: WIDTH, FROM:WIDTH:BINS or EDGE,EDGE,...;\n"
        "                 may be repeated. Without it a column has a bin for each "
        "value,\n"
        "                 or 16 bins if there are more than 256 values\n"
        "  --never C=V,C=V  a combination that no row can have; may be repeated\n"
        "  --private-keys C[=N]  select the keys of a text column without public keys "
        "by\n"
        "                 partition selection, at most N (default 64), with a fifth of\n"
        "                 epsilon and half of delta; other values become NULL; may be\n"
        "                 repeated\n"
        "  --refine RELEASE  measure more for an earlier release of mst or aim, with "
        "aim:\n"
        "                 the model then has the measurements of both\n"
        "  --max-total-rows N  use at most N rows of a unit (default: the owner's "
        "bounds)\n"
        "  --max-groups N, --max-rows N  at most N different rows of a unit, each at "
        "most\n"
        "                 N times\n"
        "  --rows N       how many rows (default: as many as the data seem to have)\n"
        "  --given C=V    only rows with this value; may be repeated\n"
        "  --out FILE     write the rows, or the report, to this file, and its signed\n"
        "                 label to FILE.label; JSON holds its label\n"
        "  --dry-run      show only the columns, the cost and the expected error;\n"
        "                 nothing is read or charged\n" SC_USAGE_VAULT
        "  --format table|csv|json|jsonl  of the rows (default csv)\n"
        "  --json         short for --format json\n"
        "  --svg FILE, --html FILE, --verbose, --confidence C  for report: a drawing, a\n"
        "                 page, also what was not measured, confidence (default 0.95)\n"
        "  --quiet        show neither progress nor notes\n" SC_USAGE_SEED "\n"
        "example: scrim synth adult --epsilon 1 --delta 1e-7 --out rows.csv\n",
    .kind = SC_COMMAND_RELEASE,
    .options = SC_OPTION_SET(OF_ROWS),
    .command = command_at,
    .run = run_synth,
};
