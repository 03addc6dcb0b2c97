/* scrim explain NAME "SELECT ..." */
#include "cli/answer/plan_writer.h"
#include "cli/answer/query_request.h"
#include "cli/plot/error_curve.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/verb/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The curve of errors goes from a tenth of the plan's epsilon to ten times as much. */
#define STEPS 8
#define POINTS (2 * STEPS + 1)

typedef struct explain_state {
    sc_query_request request;
    sc_output output, drawing;
    sc_error_point points[POINTS];
    sc_error_curve curve;
} explain_state;

/* The largest error of a plan's columns. */
static scrim_status worst_error(const scrim_plan *plan, size_t statements, double *out,
                                scrim_error *error)
{
    scrim_plan_statement statement;
    scrim_plan_output column;
    scrim_status status = SCRIM_OK;
    *out = 0;
    for (size_t s = 0; s < statements && status == SCRIM_OK; s++) {
        status = scrim_plan_statement_at(plan, s, &statement, error);
        for (size_t i = 0; status == SCRIM_OK && i < statement.outputs; i++) {
            status = scrim_plan_output_at(plan, s, i, &column, error);
            if (status == SCRIM_OK && !column.is_key)
                *out = fmax(*out, sc_number_view(column.error));
        }
    }
    return status;
}

/* One point; an epsilon at which no plan can be made has none. */
static scrim_status add_point(explain_state *state, const sc_options *options,
                              double epsilon, scrim_error *error)
{
    char text[32];
    double worst = 0;
    scrim_plan *plan = NULL;
    snprintf(text, sizeof text, "%.4g", epsilon);
    scrim_status status =
        sc_query_request_at(&state->request, options, text, &plan, error);
    if (status == SCRIM_E_LIMIT)
        return SCRIM_OK;
    if (status == SCRIM_OK)
        status = worst_error(plan, state->request.query_count, &worst, error);
    if (status == SCRIM_OK && worst > 0)
        state->points[state->curve.count++] = (sc_error_point){strtod(text, NULL), worst};
    scrim_plan_free(plan);
    return status;
}

static scrim_status make_curve(explain_state *state, const sc_options *options,
                               scrim_error *error)
{
    const char *target = options->value[SCRIM_OPTION_TARGET_ERROR];
    sc_error_curve *curve = &state->curve;
    scrim_plan_facts facts;
    *curve = (sc_error_curve){.title = state->request.queries[0],
                              .points = state->points,
                              .target = target == NULL ? 0 : sc_number_view(target)};
    scrim_status status =
        scrim_plan_describe(state->request.vault, state->request.plan, &facts, error);
    if (status == SCRIM_OK)
        status = worst_error(state->request.plan, facts.statements, &curve->chosen.error,
                             error);
    if (status != SCRIM_OK)
        return status;
    curve->chosen.epsilon = sc_number_view(facts.epsilon);
    for (int i = -STEPS; i <= STEPS && status == SCRIM_OK; i++)
        status = add_point(state, options,
                           curve->chosen.epsilon * pow(10, (double)i / STEPS), error);
    if (status == SCRIM_OK && curve->chosen.error > 0 && curve->count < 2)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "there is no error to draw: no plan can be made around "
                                 "this epsilon");
    return status;
}

static scrim_status write_svg(explain_state *state, const char *path, scrim_error *error)
{
    sc_file_writer file;
    const scrim_status status = sc_file_writer_open(&file, "--svg", path, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(&state->drawing, file.descriptor);
    sc_error_curve_svg(&state->drawing, &state->curve);
    return sc_file_writer_close(&file, &state->drawing, error);
}

/* On a terminal below the plan, otherwise on standard error. */
static scrim_status write_plot(explain_state *state, scrim_error *error)
{
    sc_terminal terminal;
    sc_terminal_look(STDOUT_FILENO, &terminal);
    if (terminal.is_terminal) {
        sc_output_text(&state->output, "\n");
        sc_error_curve_terminal(&state->output, &state->curve, &terminal);
        return SCRIM_OK;
    }
    sc_terminal_look(STDERR_FILENO, &terminal);
    sc_output_init(&state->drawing, STDERR_FILENO);
    sc_error_curve_terminal(&state->drawing, &state->curve, &terminal);
    return sc_output_finish(&state->drawing, error);
}

static scrim_status show(explain_state *state, const sc_options *options,
                         scrim_error *error)
{
    const char *svg = options->value[SCRIM_OPTION_SVG];
    const bool has_plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    sc_terminal terminal;
    sc_format format;
    sc_terminal_look(STDOUT_FILENO, &terminal);
    scrim_status status = sc_options_format(options, SCRIM_FORMAT_TABLE, &format, error);
    if (status == SCRIM_OK && (has_plot || svg != NULL))
        status = make_curve(state, options, error);
    const bool has_curve = state->curve.chosen.error > 0 && state->curve.count > 1;
    if (status == SCRIM_OK && svg != NULL && !has_curve)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "there is no error to draw: none is predicted for these "
                                 "columns");
    if (status == SCRIM_OK && svg != NULL)
        status = write_svg(state, svg, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(&state->output, STDOUT_FILENO);
    status = sc_plan_write(&state->output, state->request.vault, state->request.plan,
                           format, &terminal, error);
    if (status == SCRIM_OK && has_plot && has_curve)
        status = write_plot(state, error);
    else if (status == SCRIM_OK && has_plot)
        fputs("there is no error to draw: none is predicted for these columns\n", stderr);
    return status == SCRIM_OK ? sc_output_finish(&state->output, error) : status;
}

static scrim_status run_explain(const sc_options *options, scrim_error *error)
{
    explain_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory to explain in");
    const char *svg = options->value[SCRIM_OPTION_SVG];
    scrim_status status =
        svg == NULL ? SCRIM_OK : sc_file_writer_check("--svg", svg, error);
    if (status == SCRIM_OK)
        status = sc_query_request_read(options, NULL, NULL, &state->request, error);
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
        "  --plot         the largest error of a column at each epsilon as well: on a\n"
        "                 terminal below the plan, otherwise on standard error\n"
        "  --svg FILE     the same as a drawing\n"
        "\n"
        "example: scrim explain adult \"SELECT sex, AVG(age) GROUP BY sex\" --epsilon "
        "0.5\n",
    .options = SC_OPTIONS_QUERY | SC_OPTION_BIT(SCRIM_OPTION_PLOT) |
               SC_OPTION_BIT(SCRIM_OPTION_SVG),
    .run = run_explain,
};
