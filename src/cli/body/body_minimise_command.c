/* scrim body minimise FILE FUNCTION */
#include "cli/body/body_commands.h"
#include "cli/body/body_page.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"

static scrim_status fill(sc_body_call *call, scrim_error *error)
{
    double x[SCRIM_BODY_DIMENSIONS];
    scrim_minimum minimum;
    SC_TRY(scrim_solid_minimise(call->view.solid, call->options->words[3], 0, x, &minimum,
                                error));
    sc_body_view_put(&call->view, call->page, x);
    sc_body_put_number(call->page, minimum.value);
    sc_body_put_number(call->page, minimum.gap);
    sc_listing_put(call->page, "%zu", minimum.steps);
    return SCRIM_OK;
}

static scrim_status run_minimise(const sc_options *options, scrim_error *error)
{
    static const sc_body_page page = {
        .takes_function = true,
        .example = "scrim body minimise body.json \"(age - 40)^2 + abs(hours - 38)\"",
        .last = {{"value", SC_KIND_BOUND | SC_RIGHT},
                 {"gap", SC_KIND_BOUND | SC_RIGHT},
                 {"steps", SC_KIND_NUMBER | SC_RIGHT}},
        .fill = fill};
    return sc_body_page_show(&page, options, error);
}

static const char usage[] =
    "The smallest value of a convex function over the body, where it is, and a gap:\n"
    "no point of the body has a value below value - gap. The function is public; its\n"
    "terms are numbers, columns (between double quotes where a name is no word),\n"
    "+ - * / ^ and brackets, abs, max, min, exp, log, sqrt, and norm (the root of\n"
    "the sum of squares). It must be convex by its form, or of degree 2.\n"
    "\n" SC_USAGE_READ "\n"
    "example: scrim body minimise body.json '(age - 40)^2 + 3 * abs(hours - 38)'\n";

const sc_command sc_body_minimise = {
    .name = "minimise",
    .synopsis = "FILE FUNCTION",
    .summary = "the least value of a convex function over the body",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_SEED),
    .run = run_minimise,
};
