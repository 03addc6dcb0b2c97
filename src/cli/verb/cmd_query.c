/* scrim query NAME "SELECT ..." */
#include "cli/answer/charge_note.h"
#include "cli/answer/cost_limit.h"
#include "cli/answer/plan_alternatives.h"
#include "cli/answer/plan_view.h"
#include "cli/answer/query_request.h"
#include "cli/answer/result_show.h"
#include "cli/release/report_html.h"
#include "cli/release/report_svg.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/interview.h"
#include "cli/terminal/line_editor.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"
#include "cli/vault/seeded_vault.h"
#include "cli/verb/verbs.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct query_state {
    sc_query_request request;
    sc_answer_style style;
    sc_progress progress;
    scrim_result *result;
    sc_vault_seed seed;
} query_state;

static scrim_status ask(query_state *state, scrim_error *error)
{
    scrim_result_facts facts;
    sc_charge_first_words("query", state->request.dataset, state->style.vault);
    sc_progress_start(&state->progress, 0, "%", !state->style.quiet);
    scrim_status status =
        scrim_query_run(state->request.vault, state->request.plan, &state->result, error);
    sc_progress_end(&state->progress);
    if (status != SCRIM_OK)
        return status;
    scrim_result_describe(state->result, &facts);
    sc_charge_last_words("query", facts.release, state->style.vault);
    return SCRIM_OK;
}

/* Cautions of a new answer; a query that is refused shows the reason alone. */
static scrim_status warn(const query_state *state, scrim_error *error)
{
    scrim_result_facts facts;
    scrim_result_describe(state->result, &facts);
    return state->style.quiet || facts.is_repeated
               ? SCRIM_OK
               : sc_plan_warn(state->request.vault, state->request.plan, state->result,
                              error);
}

/* The answer, with its page and its drawing where they are wanted. */
static scrim_status show(const query_state *state, const sc_options *options,
                         scrim_error *error)
{
    const char *page = options->value[SCRIM_OPTION_HTML];
    const char *drawing = options->value[SCRIM_OPTION_SVG];
    scrim_result_facts facts;
    scrim_status status = warn(state, error);
    scrim_result_describe(state->result, &facts);
    if (status == SCRIM_OK && page != NULL)
        status = sc_label_page_write(state->request.vault, facts.release, page, error);
    if (status == SCRIM_OK && drawing != NULL)
        status = sc_answer_svg_file(state->request.vault, facts.release,
                                    scrim_result_text(state->result, 0), drawing, error);
    if (status == SCRIM_OK)
        status =
            sc_result_show(&state->style, state->request.vault, state->result, error);
    return status;
}

/* Before anything is charged. */
static scrim_status check_files(const sc_options *options, scrim_error *error)
{
    const char *page = options->value[SCRIM_OPTION_HTML];
    const char *drawing = options->value[SCRIM_OPTION_SVG];
    if (page != NULL)
        SC_TRY(sc_file_writer_check("--html", page, error));
    if (drawing != NULL)
        SC_TRY(sc_file_writer_check("--svg", drawing, error));
    return SCRIM_OK;
}

/* A person who was shown the cost has agreed to it. */
static bool is_agreed;

void sc_verb_query_agree(void)
{
    is_agreed = true;
}

/* Says before the charge that a better answer is there for nothing; a person may take that one. */
static scrim_status offer_earlier(const query_state *state, const sc_options *options,
                                  scrim_error *error)
{
    char words[SC_ALTERNATIVE_BYTES], answer[SC_ANSWER_BYTES];
    if (is_agreed || state->style.quiet)
        return SCRIM_OK;
    sc_plan_earlier_words(&state->request, options, SC_ALTERNATIVE_OPTION, words);
    if (words[0] == '\0')
        return SCRIM_OK;
    sc_talk("earlier     %s\n", words);
    if (!sc_interview_is_possible())
        return SCRIM_OK;
    SC_TRY(sc_interview_ask(NULL, "charge it all the same? y or n (n)", answer, error));
    return strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0
               ? SCRIM_OK
               : sc_refuse(error, "not asked; nothing was charged");
}

/* `scrim query NAME` on a terminal: questions are typed. */
static bool is_typed(const sc_options *options)
{
    return options->word_count == 2 && !sc_options_has(options, SCRIM_OPTION_FILE) &&
           strchr(options->words[1], ' ') == NULL && sc_line_editor_is_possible();
}

static scrim_status run_query(const sc_options *options, scrim_error *error)
{
    if (is_typed(options))
        return sc_verb_shell.run(options, error);
    query_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = sc_answer_style_read(options, &state->style, error);
    if (status == SCRIM_OK)
        status = sc_answer_style_out(options, &state->style, error);
    sc_options_abridge(options, &state->style.terminal);
    if (status == SCRIM_OK)
        status = check_files(options, error);
    if (status == SCRIM_OK)
        status = sc_query_request_read(options, sc_progress_told, &state->progress,
                                       &state->request, error);
    if (status != SCRIM_OK)
        sc_plan_earlier_advise(&state->request, options, error);
    if (status == SCRIM_OK)
        status = sc_vault_seed_use(&state->seed, options, state->request.vault, error);
    state->style.plan = state->request.plan;
    if (status == SCRIM_OK)
        status = sc_cost_limit_check(options, &state->request, state->style.quiet, error);
    if (status == SCRIM_OK)
        status = offer_earlier(state, options, error);
    if (status == SCRIM_OK)
        status = ask(state, error);
    if (status == SCRIM_OK)
        status = show(state, options, error);
    if (status != SCRIM_OK && state->result != NULL)
        sc_charge_advise_result(error, state->result, state->style.vault);
    scrim_result_free(state->result);
    sc_query_request_clear(&state->request);
    sc_vault_seed_clear(&state->seed, NULL);
    free(state);
    return status;
}

const sc_verb sc_verb_query = {
    .name = "query",
    .synopsis = "NAME \"SELECT ...\" --epsilon E [OPTION...]",
    .summary = "Ask a query: values with intervals, cost and release number",
    .usage =
        "Charges the query, reads the data, and shows the answer with its noise. 'scrim\n"
        "explain' shows cost and error beforehand, free of charge. The same query about\n"
        "the same version of the data costs nothing: scrim shows the recorded answer.\n"
        "If a query is interrupted after its charge, ask it again: it is finished free.\n"
        "If a release answers it with a larger epsilon, scrim says so before the "
        "charge,\n"
        "and asks on a terminal.\n"
        "scrim-query(5) describes the language.\n"
        "\n" SC_USAGE_QUERY "  --cap epsilon=R  refuse a query that would cost more. "
        "Without it the cost of a\n"
        "                 --target-error above epsilon 1 is shown and asked for on a\n"
        "                 terminal, and refused elsewhere\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --plot         draw the numbers as bars: on a terminal instead of the table,\n"
        "                 otherwise on standard error\n"
        "  --svg FILE     also draw the numbers with their confidence intervals\n"
        "  --html FILE    also write the label of the answer, a web page with plots\n"
        "  --out FILE     write the answer to this file, CSV unless a format is given,\n"
        "                 signed in FILE.label; 'scrim report verify' checks it\n"
        "  --all          show all rows of a long table; page by page on a terminal\n"
        "  --quiet        show neither progress nor the note on cost and "
        "accuracy\n" SC_USAGE_SEED "\n"
        "example: scrim query adult \"SELECT sex, AVG(age) GROUP BY sex\" --epsilon "
        "0.5\n",
    .kind = SC_COMMAND_RELEASE,
    .options = SC_OPTION_SET(SC_OPTIONS_QUERY, SCRIM_OPTION_CAP, SCRIM_OPTION_ALL,
                             SCRIM_OPTION_PLOT, SCRIM_OPTION_SVG, SCRIM_OPTION_HTML,
                             SCRIM_OPTION_OUT),
    .run = run_query,
};
