/* scrim body minimise FILE FUNCTION */
#include "cli/body/body_commands.h"
#include "cli/body/body_file_view.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"

static scrim_status minimise(const sc_body_view *view, const sc_options *options,
                             scrim_error *error)
{
    sc_listing_column columns[SC_BODY_CELLS_MOST];
    double x[SCRIM_BODY_DIMENSIONS];
    scrim_minimum minimum;
    sc_listing *page = NULL;
    size_t count = sc_body_view_columns(view, columns, 0);
    columns[count++] = (sc_listing_column){"value", SC_KIND_BOUND | SC_RIGHT};
    columns[count++] = (sc_listing_column){"gap", SC_KIND_BOUND | SC_RIGHT};
    columns[count++] = (sc_listing_column){"steps", SC_KIND_NUMBER | SC_RIGHT};
    scrim_status status =
        scrim_solid_minimise(view->solid, options->words[3], 0, x, &minimum, error);
    if (status == SCRIM_OK)
        status = sc_page_new(options, columns, count, &page, error);
    if (status == SCRIM_OK) {
        sc_body_view_put(view, page, x);
        sc_body_put_number(page, minimum.value);
        sc_body_put_number(page, minimum.gap);
        sc_listing_put(page, "%zu", minimum.steps);
    }
    return sc_page_end(page, status, error);
}

static scrim_status run_minimise(const sc_options *options, scrim_error *error)
{
    sc_body_view view;
    if (options->word_count != 4)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "name a file and a function, as in 'scrim body minimise "
                                 "body.json \"(age - 40)^2 + abs(hours - 38)\"'");
    scrim_status status = sc_body_view_open(&view, options->words[2], options, error);
    if (status != SCRIM_OK)
        return status;
    status = minimise(&view, options, error);
    if (status == SCRIM_OK)
        sc_body_view_note(&view, options);
    sc_body_view_close(&view);
    return status;
}

static const char usage[] =
    "The smallest value of a convex function over the body, where it is, and a gap:\n"
    "no point of the body has a value below value - gap. The function is public; its\n"
    "terms are numbers, columns (between double quotes where a name is no word),\n"
    "+ - * / ^ and brackets, abs, max, min, exp, log, sqrt, and norm (the root of\n"
    "the sum of squares). It must be convex by its form, or of degree 2.\n"
    "\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json         short for --format json\n" SC_USAGE_PROOF
    "  --quiet        no notes on standard error\n"
    "\n"
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
