/* scrim explain NAME "SELECT ..." */
#include "cli/answer/plan_alternatives.h"
#include "cli/answer/plan_compare.h"
#include "cli/answer/plan_writer.h"
#include "cli/answer/query_request.h"
#include "cli/display/curve_plot.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/talk.h"
#include "cli/verb/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The curve of errors goes from a tenth of the plan's epsilon to ten times as much. */
#define STEPS 8
#define POINTS (2 * STEPS + 1)

typedef struct explain_state {
    sc_query_request request;
    sc_output output, drawing;
    sc_error_point points[POINTS];
    sc_error_curve curve;
    sc_plan_compare compare;
    size_t statements; /* of the plan */
    bool is_verbose;
} explain_state;

/* The largest error of a plan's columns. */
static scrim_status worst_error(const scrim_plan *plan, size_t statements, double *out,
                                scrim_error *error)
{
    scrim_plan_statement statement;
    scrim_plan_output column;
    *out = 0;
    for (size_t s = 0; s < statements; s++) {
        SC_TRY(scrim_plan_statement_at(plan, s, &statement, error));
        for (size_t i = 0; i < statement.outputs; i++) {
            SC_TRY(scrim_plan_output_at(plan, s, i, &column, error));
            if (!column.is_key)
                *out = fmax(*out, sc_number_view(column.error));
        }
    }
    return SCRIM_OK;
}

/* Adds one point, unless no plan can be made at that epsilon. */
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
        status = worst_error(plan, state->statements, &worst, error);
    if (status == SCRIM_OK && worst > 0)
        state->points[state->curve.count++] = (sc_error_point){strtod(text, NULL), worst};
    scrim_plan_free(plan);
    return status;
}

/* In the unit of the columns; 0: none. */
static double target_of(const char *text)
{
    return text == NULL || strchr(text, '%') != NULL ? 0 : sc_number_view(text);
}

static scrim_status make_curve(explain_state *state, const sc_options *options,
                               scrim_error *error)
{
    const char *target = options->value[SCRIM_OPTION_TARGET_ERROR];
    sc_error_curve *curve = &state->curve;
    scrim_plan_facts facts;
    *curve = (sc_error_curve){.title = state->request.queries[0],
                              .about = "half of the widest interval that is expected",
                              .points = state->points,
                              .target = target_of(target)};
    SC_TRY(scrim_plan_describe(state->request.vault, state->request.plan, &facts, error));
    state->statements = facts.statements;
    SC_TRY(
        worst_error(state->request.plan, facts.statements, &curve->chosen.error, error));
    curve->chosen.epsilon = sc_number_view(facts.epsilon);
    for (int i = -STEPS; i <= STEPS; i++)
        SC_TRY(add_point(state, options,
                         curve->chosen.epsilon * pow(10, (double)i / STEPS), error));
    if (curve->chosen.error > 0 && curve->count < 2)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "no error to draw: no plan exists near this epsilon");
    return SCRIM_OK;
}

#define NO_ERROR "no error to draw: none is predicted for these columns"

/* The drawing of the plan, or of what is compared. */
static void draw_svg(const void *context, sc_output *output)
{
    const explain_state *state = context;
    const sc_plan_compare *compare = &state->compare;
    if (compare->count > 0)
        sc_error_curves_svg(output, state->request.queries[0], compare->curves,
                            compare->curve_count);
    else
        sc_error_curve_svg(output, &state->curve);
}

static void draw_terminal(explain_state *state, sc_output *output,
                          const sc_terminal *terminal)
{
    const sc_plan_compare *compare = &state->compare;
    for (size_t i = 0; i < compare->curve_count; i++)
        sc_error_curve_terminal(output, &compare->curves[i], terminal);
    if (compare->count == 0)
        sc_error_curve_terminal(output, &state->curve, terminal);
}

/* On a terminal below the plan, otherwise on standard error, unless --quiet is given. */
static scrim_status write_plot(explain_state *state, const sc_options *options,
                               scrim_error *error)
{
    sc_terminal terminal;
    sc_terminal_look(STDOUT_FILENO, &terminal);
    if (terminal.is_terminal) {
        sc_output_text(&state->output, "\n");
        draw_terminal(state, &state->output, &terminal);
        return SCRIM_OK;
    }
    if (sc_options_has(options, SCRIM_OPTION_QUIET))
        return SCRIM_OK;
    sc_terminal_look(STDERR_FILENO, &terminal);
    sc_output_init_screen(&state->drawing, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    draw_terminal(state, &state->drawing, &terminal);
    return sc_output_finish(&state->drawing, error);
}

/* Sets what is drawn, and whether there is anything. */
static scrim_status make_drawing(explain_state *state, const sc_options *options,
                                 bool *has_drawing, scrim_error *error)
{
    const bool compares = state->compare.count > 0;
    const scrim_status status = compares ? sc_plan_compare_draw(&state->compare, error)
                                         : make_curve(state, options, error);
    *has_drawing = compares ? state->compare.curve_count > 0
                            : state->curve.chosen.error > 0 && state->curve.count > 1;
    return status;
}

/* Below the plan: other ways to ask. */
static void write_alternatives(explain_state *state, const sc_options *options,
                               const sc_terminal *terminal)
{
    char words[SC_ALTERNATIVE_BYTES];
    sc_plan_earlier_words(&state->request, options, SC_ALTERNATIVE_OPTION, words);
    if (words[0] != '\0')
        sc_fold_line(&state->output, "earlier", words, terminal->columns);
    sc_plan_half_words(&state->request, options, words);
    if (words[0] != '\0')
        sc_fold_line(&state->output, "or", words, terminal->columns);
}

static scrim_status write_words(explain_state *state, const sc_options *options,
                                sc_format format, scrim_error *error)
{
    sc_terminal terminal;
    sc_terminal_look(STDOUT_FILENO, &terminal);
    sc_output_init_screen(&state->output, STDOUT_FILENO, format);
    if (state->compare.count > 0)
        return sc_plan_compare_write(&state->output, &state->compare, format, &terminal,
                                     error);
    SC_TRY(sc_plan_write(&state->output,
                         &(sc_plan_style){.format = format,
                                          .terminal = &terminal,
                                          .is_verbose = state->is_verbose,
                                          .has_expect = true},
                         state->request.vault, state->request.plan, error));
    if (format == SCRIM_FORMAT_TABLE)
        write_alternatives(state, options, &terminal);
    return SCRIM_OK;
}

static scrim_status show(explain_state *state, const sc_options *options,
                         scrim_error *error)
{
    const char *svg = options->value[SCRIM_OPTION_SVG];
    const bool has_plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    bool has_drawing = false;
    sc_format format;
    scrim_status status = sc_options_format(options, SCRIM_FORMAT_TABLE, &format, error);
    if (status == SCRIM_OK && (has_plot || svg != NULL))
        status = make_drawing(state, options, &has_drawing, error);
    if (status == SCRIM_OK && svg != NULL && !has_drawing)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, NO_ERROR);
    if (status == SCRIM_OK && svg != NULL)
        status = sc_file_write("--svg", svg, draw_svg, state, error);
    if (status == SCRIM_OK)
        status = write_words(state, options, format, error);
    if (status == SCRIM_OK && has_plot && has_drawing)
        status = write_plot(state, options, error);
    else if (status == SCRIM_OK && has_plot &&
             !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_talk(NO_ERROR "\n");
    return status == SCRIM_OK ? sc_output_finish(&state->output, error) : status;
}

/* One plan, or one for each budget that is compared. */
static scrim_status make_plans(explain_state *state, const sc_options *options,
                               scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (!sc_options_has(options, SCRIM_OPTION_COMPARE)) {
        status = sc_query_request_read(options, NULL, NULL, &state->request, error);
        if (status != SCRIM_OK)
            sc_plan_earlier_advise(&state->request, options, error);
        return status;
    }
    SC_TRY(sc_query_request_open(options, &state->request, error));
    return sc_plan_compare_read(&state->request, options, &state->compare, error);
}

static scrim_status run_explain(const sc_options *options, scrim_error *error)
{
    explain_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    const char *svg = options->value[SCRIM_OPTION_SVG];
    state->is_verbose = sc_options_has(options, SCRIM_OPTION_VERBOSE);
    scrim_status status =
        svg == NULL ? SCRIM_OK : sc_file_writer_check("--svg", svg, error);
    if (status == SCRIM_OK)
        status = make_plans(state, options, error);
    if (status == SCRIM_OK)
        status = show(state, options, error);
    sc_plan_compare_clear(&state->compare);
    sc_query_request_clear(&state->request);
    free(state);
    return status;
}

const sc_verb sc_verb_explain = {
    .name = "explain",
    .synopsis = "NAME \"SELECT ...\" --epsilon E [OPTION...]",
    .summary = "Show the cost and the expected error of a query, free of charge",
    .usage =
        "Shows how scrim would answer a query: the cost, what would be left, the\n"
        "expected error of each column, the mechanisms and their noise, the errors of\n"
        "other plans that were compared, and how many people a group needs to be\n"
        "shown; a release that answers it with a larger epsilon, and smaller errors\n"
        "with half the contribution bounds. No data is read and nothing is charged.\n"
        "scrim-query(5) describes the language.\n"
        "\n" SC_USAGE_QUERY
        "  --compare E,E,...  instead of --epsilon: show the cost and the error of each\n"
        "                 column for each of these values, one row each\n"
        "  --verbose      also show whom it protects, households, rho, the released\n"
        "                 numbers with their mechanisms, and the steps between the "
        "rows\n"
        "                 and the aggregates\n"
        "  --format table|csv|json|jsonl  a table by default\n"
        "  --json         short for --format json\n"
        "  --quiet        no drawing on standard error\n"
        "  --plot         also draw the largest expected error against epsilon: on a\n"
        "                 terminal below the plan, otherwise on standard error; with\n"
        "                 --compare the error of each column\n"
        "  --svg FILE     write the same drawing to a file\n"
        "\n"
        "example: scrim explain adult \"SELECT sex, AVG(age) GROUP BY sex\" --epsilon "
        "0.5\n",
    .kind = SC_COMMAND_PLAN,
    .options = SC_OPTION_SET(SC_OPTIONS_QUERY, SC_OPTIONS_VAULT, SCRIM_OPTION_COMPARE,
                             SCRIM_OPTION_VERBOSE),
    .run = run_explain,
};
