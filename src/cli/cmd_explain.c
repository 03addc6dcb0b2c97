/* scrim explain NAME "SELECT ..." */
#include "cli/complaint.h"
#include "cli/plan_writer.h"
#include "cli/query_request.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct explain_state {
    sc_query_request request;
    sc_output output;
} explain_state;

static scrim_status show(explain_state *state, const sc_options *options,
                         scrim_error *error)
{
    sc_terminal terminal;
    sc_format format;
    sc_terminal_look(STDOUT_FILENO, &terminal);
    scrim_status status = sc_options_format(options, SCRIM_FORMAT_TABLE, &format, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(&state->output, STDOUT_FILENO);
    status = sc_plan_write(&state->output, state->request.vault, state->request.plan,
                           format, &terminal, error);
    return status == SCRIM_OK ? sc_output_finish(&state->output, error) : status;
}

static scrim_status run_explain(const sc_options *options, scrim_error *error)
{
    explain_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory to explain in");
    scrim_status status =
        sc_query_request_read(options, NULL, NULL, &state->request, error);
    if (status == SCRIM_OK)
        status = show(state, options, error);
    sc_query_request_clear(&state->request);
    free(state);
    return status;
}

const sc_verb sc_verb_explain = {
    .name = "explain",
    .synopsis = "NAME \"SELECT ...\" --epsilon E [OPTION...]",
    .summary = "What a query would cost and how large its error would be, free",
    .usage =
        "Shows the plan of a query: its mechanisms and how the budget is divided among\n"
        "them, the error to expect in the units of the columns, the smallest group "
        "likely\n"
        "to be kept, what it costs and what would be left. No data are opened and "
        "nothing\n"
        "is charged. scrim-query(5) is the language.\n"
        "\n" SC_USAGE_QUERY "  --format table|csv|json|jsonl  a table if left out\n"
        "  --json         short for --format json\n"
        "\n"
        "example: scrim explain adult \"SELECT sex, COUNT(*), AVG(age) GROUP BY sex\" "
        "--epsilon 0.5\n",
    .options = SC_OPTIONS_QUERY,
    .run = run_explain,
};
