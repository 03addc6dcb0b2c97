/* scrim microdata plan --cells D --epsilon E */
#include "cli/microdata/microdata_commands.h"
#include "cli/microdata/microdata_plan_writer.h"
#include "cli/microdata/tree_plan.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/screen.h"
#include "cli/vault/vault_place.h"

#include <stdlib.h>
#include <string.h>

#define CELLS_LIMIT UINT64_C(134217728)
#define ROWS_LIMIT UINT64_C(1048576)

typedef struct plan_state {
    scrim_microdata_question asked;
    scrim_microdata_plan plan;
    sc_microdata_curve curve;
    sc_screen screen;
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
    return sc_refuse(error, "unknown neighbours '%.40s'; use add-remove or replace",
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
        return sc_refuse(error, "missing --cells N, the number of cells of the table; "
                                "or name a dataset and --levels");
    if ((asked->epsilon == NULL) == (asked->rho == NULL))
        return sc_refuse(error, "give --epsilon E, or --rho R instead");
    SC_TRY(read_neighbours(options->value[SCRIM_OPTION_NEIGHBOURS], &asked->neighbours,
                           error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_CELLS, CELLS_LIMIT, 0, &asked->cells,
                             error));
    return sc_options_number(options, SCRIM_OPTION_ROWS_PER_UNIT, ROWS_LIMIT, 1,
                             &asked->max_rows, error);
}

static scrim_status write_table(void *context, sc_screen *screen, scrim_error *error)
{
    const plan_state *plan = context;
    return sc_microdata_plan_write(&screen->output, &plan->asked, &plan->plan,
                                   screen->format, &screen->terminal, error);
}

static void draw(const void *context, sc_output *output, const sc_terminal *terminal)
{
    sc_microdata_curve_terminal(output, &((const plan_state *)context)->curve, terminal);
}

static void draw_svg(const void *context, sc_output *output)
{
    sc_microdata_curve_svg(output, &((const plan_state *)context)->curve);
}

static scrim_status run_plan(const sc_options *options, scrim_error *error)
{
    static const sc_screen_page page = {write_table, draw, draw_svg, NULL, false};
    if (sc_options_has(options, SCRIM_OPTION_LEVELS))
        return sc_tree_plan(options, error);
    if (options->word_count > 2 || sc_options_has(options, SCRIM_OPTION_TABLES) ||
        sc_options_has(options, SCRIM_OPTION_QUERIES) ||
        sc_options_has(options, SCRIM_OPTION_SHARES) ||
        sc_options_has(options, SCRIM_OPTION_MECHANISM) ||
        sc_options_has(options, SCRIM_OPTION_POLICY))
        return sc_refuse(error, "missing --levels; give columns, the coarsest first, as "
                                "in --levels country,education,sex");
    SC_FREED plan_state *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    SC_TRY(sc_screen_read(options, &plan->screen, error));
    SC_TRY(read_asked(plan, options, error));
    SC_TRY(scrim_microdata_plan_find(&plan->asked, &plan->plan, error));
    if (sc_screen_draws(&plan->screen))
        SC_TRY(sc_microdata_curve_find(&plan->asked, &plan->plan, &plan->curve, error));
    return sc_screen_show(&plan->screen, &page, plan, error);
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
