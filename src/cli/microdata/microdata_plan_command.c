/* scrim microdata plan --cells D --epsilon E */
#include "cli/microdata/microdata_commands.h"
#include "cli/microdata/microdata_plan_writer.h"
#include "cli/microdata/tree_plan.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/vault/vault_place.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CELLS_LIMIT UINT64_C(134217728)
#define ROWS_LIMIT UINT64_C(1048576)

typedef struct plan_state {
    scrim_microdata_question asked;
    scrim_microdata_plan plan;
    sc_microdata_curve curve;
    bool plot, is_quiet;
    const char *svg; /* NULL: no file */
    sc_format format;
    sc_terminal terminal;
    sc_output output, beside;
} plan_state;

static scrim_status read_neighbours(const char *text, scrim_neighbours *out,
                                    scrim_error *error)
{
    *out = SCRIM_ADD_REMOVE;
    if (text == NULL || strcmp(text, "add-remove") == 0)
        return SCRIM_OK;
    *out = SCRIM_REPLACE;
    if (strcmp(text, "replace") == 0)
        return SCRIM_OK;
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "unknown neighbours '%.40s'; use add-remove or replace",
                             text);
}

static scrim_status read_asked(plan_state *plan, const sc_options *options,
                               scrim_error *error)
{
    scrim_microdata_question *asked = &plan->asked;
    *asked =
        (scrim_microdata_question){.size = sizeof *asked,
                                   .epsilon = options->value[SCRIM_OPTION_EPSILON],
                                   .delta = options->value[SCRIM_OPTION_DELTA],
                                   .rho = options->value[SCRIM_OPTION_RHO],
                                   .confidence = options->value[SCRIM_OPTION_CONFIDENCE]};
    if (!sc_options_has(options, SCRIM_OPTION_CELLS))
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "missing --cells N, the number of cells of the table; "
                                 "or name a dataset and --levels");
    if ((asked->epsilon == NULL) == (asked->rho == NULL))
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "give --epsilon E, or --rho R instead");
    scrim_status status = read_neighbours(options->value[SCRIM_OPTION_NEIGHBOURS],
                                          &asked->neighbours, error);
    if (status == SCRIM_OK)
        status = sc_options_number(options, SCRIM_OPTION_CELLS, CELLS_LIMIT, 0,
                                   &asked->cells, error);
    if (status == SCRIM_OK)
        status = sc_options_number(options, SCRIM_OPTION_ROWS_PER_UNIT, ROWS_LIMIT, 1,
                                   &asked->max_rows, error);
    return status;
}

static scrim_status read_request(plan_state *plan, const sc_options *options,
                                 scrim_error *error)
{
    plan->plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    plan->is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    plan->svg = options->value[SCRIM_OPTION_SVG];
    scrim_status status =
        sc_options_screen(options, &plan->terminal, &plan->format, error);
    if (status == SCRIM_OK)
        status = read_asked(plan, options, error);
    if (status == SCRIM_OK && plan->svg != NULL)
        status = sc_file_writer_check("--svg", plan->svg, error);
    return status;
}

static scrim_status write_svg(plan_state *plan, scrim_error *error)
{
    sc_file_writer file;
    scrim_status status = sc_file_writer_open(&file, "--svg", plan->svg, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(&plan->beside, file.descriptor);
    sc_microdata_curve_svg(&plan->beside, &plan->curve);
    return sc_file_writer_close(&file, &plan->beside, error);
}

static scrim_status show(plan_state *plan, scrim_error *error)
{
    sc_output_init_screen(&plan->output, STDOUT_FILENO, plan->format);
    if (plan->plot && plan->terminal.is_terminal)
        sc_microdata_curve_terminal(&plan->output, &plan->curve, &plan->terminal);
    scrim_status status = sc_microdata_plan_write(
        &plan->output, &plan->asked, &plan->plan, plan->format, &plan->terminal, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(&plan->output, error);
    if (status != SCRIM_OK || !plan->plot || plan->is_quiet || plan->terminal.is_terminal)
        return status;
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&plan->beside, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_microdata_curve_terminal(&plan->beside, &plan->curve, &beside);
    return sc_output_finish(&plan->beside, error);
}

static scrim_status run_plan(const sc_options *options, scrim_error *error)
{
    if (sc_options_has(options, SCRIM_OPTION_LEVELS))
        return sc_tree_plan(options, error);
    if (options->word_count > 2 || sc_options_has(options, SCRIM_OPTION_TABLES) ||
        sc_options_has(options, SCRIM_OPTION_QUERIES) ||
        sc_options_has(options, SCRIM_OPTION_SHARES) ||
        sc_options_has(options, SCRIM_OPTION_MECHANISM) ||
        sc_options_has(options, SCRIM_OPTION_POLICY))
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "missing --levels; give columns, the coarsest first, as "
                                 "in --levels country,education,sex");
    plan_state *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = read_request(plan, options, error);
    if (status == SCRIM_OK)
        status = scrim_microdata_plan_find(&plan->asked, &plan->plan, error);
    if (status == SCRIM_OK && (plan->plot || plan->svg != NULL))
        status = sc_microdata_curve_find(&plan->asked, &plan->plan, &plan->curve, error);
    if (status == SCRIM_OK && plan->svg != NULL)
        status = write_svg(plan, error);
    if (status == SCRIM_OK)
        status = show(plan, error);
    free(plan);
    return status;
}

const sc_command sc_microdata_plan_command = {
    .name = "plan",
    .kind = SC_COMMAND_PLAN,
    .options = SC_OPTION_SET(
        SCRIM_OPTION_CELLS, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_RHO,
        SCRIM_OPTION_ROWS_PER_UNIT, SCRIM_OPTION_NEIGHBOURS, SCRIM_OPTION_CONFIDENCE,
        SC_OPTIONS_VAULT, SCRIM_OPTION_LEVELS, SCRIM_OPTION_TABLES, SCRIM_OPTION_QUERIES,
        SCRIM_OPTION_SHARES, SCRIM_OPTION_MECHANISM, SCRIM_OPTION_POLICY),
    .run = run_plan,
};
