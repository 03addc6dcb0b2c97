/* scrim body center FILE */
#include "cli/body/body_commands.h"
#include "cli/body/body_page.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"

#include <string.h>

static const char *const methods[] = {"frame", "steiner", "chebyshev"};
#define METHODS (sizeof methods / sizeof *methods)

static scrim_status put_center(const sc_body_view *view, const char *method,
                               sc_listing *page, scrim_error *error)
{
    double x[SCRIM_BODY_DIMENSIONS];
    scrim_center center;
    size_t row;
    SC_TRY(scrim_solid_center(view->solid, method, x, &center, error));
    sc_listing_put(page, "%s", method);
    sc_body_view_put(view, page, x);
    sc_body_put_number(page, center.standard_error);
    sc_listing_put(page, "%s",
                   scrim_solid_excess(view->solid, x, &row) <= 0 ? "true" : "false");
    return SCRIM_OK;
}

static scrim_status fill(sc_body_call *call, scrim_error *error)
{
    const char *asked = call->options->value[SCRIM_OPTION_METHOD];
    if (asked != NULL)
        return put_center(&call->view, asked, call->page, error);
    for (size_t i = 0; i < METHODS; i++)
        SC_TRY(put_center(&call->view, methods[i], call->page, error));
    return SCRIM_OK;
}

/* A word that ends in .json or has a slash names a file; any other word names a dataset. */
static bool is_file(const char *word)
{
    static const char end[] = ".json";
    const size_t bytes = strlen(word);
    return strcmp(word, "-") == 0 || strchr(word, '/') != NULL ||
           (bytes >= sizeof end && strcmp(word + bytes - (sizeof end - 1), end) == 0);
}

static scrim_status run_center(const sc_options *options, scrim_error *error)
{
    static const sc_body_page page = {
        .example = "scrim body center body.json",
        .first = {"method", SC_KIND_TEXT},
        .last = {{"standard_error", SC_KIND_BOUND | SC_RIGHT}, {"inside", SC_KIND_WORD}},
        .fill = fill};
    const bool is_dataset = options->word_count == 3 && !is_file(options->words[2]);
    if (is_dataset && sc_options_has(options, SCRIM_OPTION_KEY))
        return sc_refuse(error,
                         "--key is for the file of a body; '%.60s' is the name "
                         "of a dataset",
                         options->words[2]);
    if (is_dataset)
        return sc_body_center_dataset(options, error);
    const scrim_status checked =
        sc_options_check(options, sc_command_kind_options(SC_COMMAND_READ),
                         SC_OPTION_SET(SCRIM_OPTION_METHOD, SCRIM_OPTION_SEED), error);
    return checked == SCRIM_OK ? sc_body_page_show(&page, options, error) : checked;
}

static const char usage[] =
    "Centres of a released body, free of charge, if a file is named: one in .json.\n"
    "Of a dataset a body is released for the centre alone, with a q of its own, 0.6:\n"
    "it takes the options of 'scrim body fit'. Distances are those of scaled columns.\n"
    "  frame      the point that fits all half-spaces best, by least squares. Defined\n"
    "             even if the half-spaces hold no point. For a symmetric distribution\n"
    "             it estimates the centre; for a skewed one a location of its own\n"
    "  steiner    the mean of the support function over all directions. Exact for one\n"
    "             and two columns; else averaged over frames, with a standard error\n"
    "  chebyshev  the centre of a largest ball inside\n"
    "  depth      of a dataset of one or two columns: a point that is deep from every\n"
    "             direction, by one release; needs --expected-units\n"
    "\n"
    "  --method M     only this one (default of a dataset: frame)\n" SC_USAGE_READ "\n"
    "example: scrim body center body.json --method steiner\n";

const sc_command sc_body_center = {
    .name = "center",
    .synopsis = "FILE|NAME [--method M] [OPTION...]",
    .summary = "centres of the body, or of a dataset",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_METHOD, SCRIM_OPTION_SEED, SCRIM_OPTION_COLUMNS,
                             SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_Q,
                             SCRIM_OPTION_DIRECTIONS, SCRIM_OPTION_SCALES,
                             SCRIM_OPTION_EXPECTED_UNITS, SCRIM_OPTION_DRY_RUN),
    .run = run_center,
};
