/* scrim replay RELEASE */
#include "cli/answer/answer_show.h"
#include "cli/answer/result_show.h"
#include "cli/answer/sheet_note.h"
#include "cli/answer/statistic_list.h"
#include "cli/display/number_view.h"
#include "cli/release/body_release.h"
#include "cli/release/synth_rows_page.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/vault/shown_answers.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct replay_state {
    uint64_t id;
    sc_answer_style style;
    scrim_vault *vault;
    scrim_vault_release release;
    scrim_measurement *measurement;
    scrim_answer *answer;
    sc_sheet_note note;
    scrim_certificate certificate;
} replay_state;

static scrim_status read_request(replay_state *replay, const sc_options *options,
                                 scrim_error *error)
{
    if (options->word_count != 2)
        return sc_refuse(error, "name one release by its number, as in 'scrim replay "
                                "12'; 'scrim ledger' lists them");
    SC_TRY(sc_release_number_parse(options->words[1], &replay->id, error));
    SC_TRY(sc_answer_style_read(options, &replay->style, error));
    sc_options_abridge(options, &replay->style.terminal);
    replay->style.is_replay = true;
    return SCRIM_OK;
}

static scrim_status read_release(replay_state *replay, const sc_options *options,
                                 scrim_error *error)
{
    SC_TRY(sc_vault_place_open(options, &replay->vault, error));
    SC_TRY(scrim_vault_replay(replay->vault, replay->id, &replay->release, error));
    return scrim_vault_release_check(&replay->release, error);
}

static scrim_status fail_kind(const replay_state *replay, scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_LEDGER,
                             "release %" PRIu64 " is of a kind that this version cannot "
                             "show; 'scrim ledger export' has what was recorded",
                             replay->id);
}

static scrim_status make_answer(replay_state *replay, scrim_error *error)
{
    const scrim_vault_release *release = &replay->release;
    if (scrim_measurement_parse(scrim_synth_compared(release->measurement),
                                &replay->measurement, error) != SCRIM_OK)
        return fail_kind(replay, error);
    scrim_status status = scrim_answer_parse(replay->measurement, release->answer,
                                             release->id, &replay->answer, error);
    return status == SCRIM_E_SYNTAX ? fail_kind(replay, error) : status;
}

/* The number of values that the certificate is about. Other surfaces may not have kept it: of
 * scores it cannot be told from the answer, and then no guarantee. */
static size_t value_count(const replay_state *replay)
{
    const char *input = scrim_measurement_mechanism(replay->measurement)->input;
    if (replay->note.count > 0)
        return replay->note.count;
    if (strcmp(input, "rows") == 0 || strcmp(input, "transactions") == 0 ||
        strcmp(input, "points") == 0)
        return 1;
    return strcmp(input, "scores") == 0 ? 0 : scrim_answer_count(replay->answer);
}

static scrim_status certify(replay_state *replay, const sc_options *options,
                            scrim_error *error)
{
    const char *asked = options->value[SCRIM_OPTION_CONFIDENCE];
    SC_TRY(sc_sheet_note_parse(replay->release.note, &replay->note, error));
    const size_t count = value_count(replay);
    if (count == 0)
        return SCRIM_OK;
    return scrim_measurement_certify(replay->measurement,
                                     asked == NULL ? replay->note.confidence : asked,
                                     count, &replay->certificate, error);
}

/* A query's answer is shown as the query showed it. */
static bool is_of_query(const replay_state *replay)
{
    return strncmp(replay->release.measurement, "query ", 6) == 0;
}

static scrim_status show_query(replay_state *replay, const sc_options *options,
                               scrim_error *error)
{
    SC_OWNED(scrim_result_free_at) scrim_result *result = NULL;
    if (replay->style.statistics != NULL)
        return sc_refuse(error, "--statistic works on the output of 'scrim run "
                                "bucket-histogram'; in a query write MAX(x) instead");
    SC_TRY(sc_answer_style_out(options, &replay->style, error));
    scrim_status status =
        scrim_query_replay(replay->vault, replay->id,
                           options->value[SCRIM_OPTION_CONFIDENCE], &result, error);
    if (status == SCRIM_E_SYNTAX)
        status = fail_kind(replay, error);
    if (status == SCRIM_OK)
        status = sc_result_show(&replay->style, replay->vault, result, error);
    return status;
}

/* Rows of a synthetic release, made again from what was recorded. */
static scrim_status show_synth(const replay_state *replay, const sc_options *options,
                               scrim_error *error)
{
    sc_synth_row_request asked;
    SC_OWNED(scrim_synth_release_free_at) scrim_synth_release *release = NULL;
    SC_TRY(sc_synth_row_request_read(options, &asked, error));
    SC_TRY(scrim_synth_replay(replay->vault, replay->id, &release, error));
    return sc_synth_show(&replay->style, &asked, replay->vault, release, error);
}

/* Options that only such rows have. */
static scrim_status check_options(const sc_options *options, bool has_file,
                                  scrim_error *error)
{
    static const sc_option rows[] = {SCRIM_OPTION_ROWS, SCRIM_OPTION_GIVEN};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sc_options_has(options, rows[i]))
            return sc_refuse(error, "%s is for a release of 'scrim synth'",
                             sc_option_name(rows[i]));
    return !has_file && sc_options_has(options, SCRIM_OPTION_OUT)
               ? sc_refuse(error, "--out is for a release of 'scrim query' or 'scrim "
                                  "synth'; send the output to a file with '>'")
               : SCRIM_OK;
}

static scrim_status show_answer(const replay_state *replay, scrim_error *error)
{
    const sc_answer_sheet sheet = {
        .answer = replay->answer,
        .certificate = &replay->certificate,
        .measurement = scrim_measurement_text(replay->measurement),
        .source = replay->measurement,
        .labels = replay->note.labels,
        .label_count = replay->note.label_count,
        .name = replay->note.name,
        .label_name = replay->note.label_name,
        .charge = &replay->release,
    };
    return sc_answer_show(&replay->style, &sheet, replay->measurement, NULL, error);
}

static scrim_status show_run(replay_state *replay, const sc_options *options,
                             scrim_error *error)
{
    SC_TRY(make_answer(replay, error));
    if (replay->style.statistics != NULL)
        SC_TRY(sc_statistic_list_check(replay->measurement, replay->style.statistics,
                                       error));
    SC_TRY(certify(replay, options, error));
    return show_answer(replay, error);
}

static scrim_status show_body(replay_state *replay, const sc_options *options,
                              scrim_error *error)
{
    SC_OWNED(scrim_body_release_free_at) scrim_body_release *release = NULL;
    SC_TRY(check_options(options, false, error));
    SC_TRY(scrim_body_replay(replay->vault, replay->id, &release, error));
    SC_TRY(sc_body_release_show(&replay->style, release, NULL, error));
    return sc_body_release_note(&replay->style, replay->vault, release, error);
}

static scrim_status show(replay_state *replay, const sc_options *options,
                         scrim_error *error)
{
    if (scrim_body_is_measurement(replay->release.measurement))
        return show_body(replay, options, error);
    if (scrim_synth_is_measurement(replay->release.measurement))
        return show_synth(replay, options, error);
    SC_TRY(check_options(options, is_of_query(replay), error));
    return is_of_query(replay) ? show_query(replay, options, error)
                               : show_run(replay, options, error);
}

/* The answer of another analyst costs a share its price, the first time. */
static scrim_status tell_booked(const replay_state *replay, scrim_error *error)
{
    SC_OWNED(sc_shown_answers_clear) sc_shown_answers shown = {.items = NULL};
    const scrim_vault_release *release = &replay->release;
    const char *analyst = scrim_vault_analyst(replay->vault);
    char amount[SC_AMOUNT_BYTES];
    if (replay->style.quiet || strcmp(release->analyst, analyst) == 0)
        return SCRIM_OK;
    SC_TRY(sc_shown_answers_read(replay->vault, &shown, error));
    const scrim_vault_shown *own = sc_shown_find(&shown, replay->id, analyst);
    if (own != NULL) {
        sc_amount_format(release->unit, own->amount, own->delta, true, amount);
        sc_talk("booked      %s on your share, once; the budget is unchanged\n", amount);
    }
    return SCRIM_OK;
}

static scrim_status run_replay(const sc_options *options, scrim_error *error)
{
    replay_state *replay = calloc(1, sizeof *replay);
    if (replay == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = read_request(replay, options, error);
    if (status == SCRIM_OK)
        status = read_release(replay, options, error);
    if (status == SCRIM_OK)
        status = show(replay, options, error);
    if (status == SCRIM_OK)
        status = tell_booked(replay, error);
    sc_sheet_note_clear(&replay->note);
    scrim_answer_free(replay->answer);
    scrim_measurement_free(replay->measurement);
    scrim_vault_release_clear(&replay->release);
    scrim_vault_close(replay->vault);
    free(replay);
    return status;
}

const sc_verb sc_verb_replay = {
    .name = "replay",
    .synopsis = "RELEASE [OPTION...]",
    .summary = "Show a past answer again, free of charge",
    .usage =
        "Shows the recorded answer of a release again, as it was shown the first time.\n"
        "No noise is drawn and nothing is charged; an answer that somebody else asked\n"
        "is booked on your share, if you have one, the first time. If the release was\n"
        "charged but has no recorded answer, the status is 5. Ask its query again: the\n"
        "release is then finished at no further charge.\n"
        "\n" SC_USAGE_VAULT
        "  --confidence C of the confidence intervals (default: as released)\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --statistic LIST  for a bucket-histogram: show these statistics instead of\n"
        "                 its bars, as 'scrim run' does\n"
        "  --plot         draw the numbers as bars: on a terminal instead of the table,\n"
        "                 otherwise on standard error\n"
        "  --out FILE     of a query or synthetic rows: write the answer to this file,\n"
        "                 signed in FILE.label; 'scrim report verify' checks it\n"
        "  --rows N, --given C=V  for a release of 'scrim synth': other rows of the "
        "same\n"
        "                 model\n"
        "  --all          show all rows of a long table; page by page on a terminal\n"
        "  --quiet        show no note on cost and accuracy\n"
        "\n"
        "example: scrim replay 12 --json\n",
    .kind = SC_COMMAND_LOOK,
    .options = SC_OPTION_SET(SCRIM_OPTION_ALL, SCRIM_OPTION_PLOT, SC_OPTIONS_SYNTH_ROWS,
                             SCRIM_OPTION_STATISTIC, SCRIM_OPTION_CONFIDENCE),
    .run = run_replay,
};
