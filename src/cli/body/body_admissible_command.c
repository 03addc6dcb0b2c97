/* scrim body admissible --q Q --directions M --epsilon E [--delta D] */
#include "cli/body/body_commands.h"
#include "cli/body/body_file_view.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <math.h>
#include <string.h>

static const char example[] =
    "scrim body admissible --q 0.9 --directions 80 --epsilon 1 --delta 1e-6";

/* The larger share of pure and of concentrated composition. */
static double share_of(double epsilon, double delta, double directions)
{
    const double pure = epsilon / directions;
    if (!(delta > 0))
        return pure;
    const double l = log(1 / delta), root = sqrt(l + epsilon) - sqrt(l);
    return fmax(pure, sqrt(8 * root * root / directions));
}

static scrim_status read_number(const sc_options *options, sc_option option, bool needed,
                                double low, double high, double *out, scrim_error *error)
{
    const char *text = options->value[option];
    if (text == NULL && !needed)
        return SCRIM_OK;
    if (text == NULL)
        return sc_refuse(error, "%s is missing, as in '%s'", sc_option_name(option),
                         example);
    *out = sc_number_view(text);
    return *out > low && *out < high
               ? SCRIM_OK
               : sc_refuse(error,
                           "'%.40s' is not valid; %s must be above %g and below %g", text,
                           sc_option_name(option), low, high);
}

static scrim_status read_request(const sc_options *options, scrim_admissible_options *out,
                                 scrim_error *error)
{
    double q = 0, epsilon = 0, delta = 0, distance = 0, confidence = 0.95;
    uint64_t directions = 0;
    SC_TRY(read_number(options, SCRIM_OPTION_Q, true, 0.5, 1, &q, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_DIRECTIONS, SCRIM_BODY_DIRECTIONS, 0,
                             &directions, error));
    if (directions == 0)
        return sc_refuse(error, "--directions is missing, as in '%s'", example);
    SC_TRY(read_number(options, SCRIM_OPTION_EPSILON, true, 0, 1e6, &epsilon, error));
    SC_TRY(read_number(options, SCRIM_OPTION_DELTA, false, 0, 1, &delta, error));
    SC_TRY(
        read_number(options, SCRIM_OPTION_TARGET_ERROR, false, 0, 1e6, &distance, error));
    SC_TRY(
        read_number(options, SCRIM_OPTION_CONFIDENCE, false, 0.5, 1, &confidence, error));
    *out = *SCRIM_OPTIONS(scrim_admissible_options, .q = q,
                          .epsilon_each = share_of(epsilon, delta, (double)directions),
                          .directions = (size_t)directions, .beta = 1 - confidence,
                          .error = distance);
    return SCRIM_OK;
}

static void put_units(sc_listing *page, double units, bool is_asked)
{
    if (!is_asked)
        sc_listing_put(page, "%s", "");
    else if (units < 1e15)
        sc_listing_put(page, "%.0f", units);
    else
        sc_body_put_number(page, units);
}

static scrim_status run_admissible(const sc_options *options, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {"q", SC_KIND_BOUND | SC_RIGHT},
        {"epsilon_each", SC_KIND_BOUND | SC_RIGHT},
        {"inner_radius", SC_KIND_BOUND | SC_RIGHT},
        {"outer_radius", SC_KIND_BOUND | SC_RIGHT},
        {"reach", SC_KIND_BOUND | SC_RIGHT},
        {"density", SC_KIND_BOUND | SC_RIGHT},
        {"units", SC_KIND_BOUND | SC_RIGHT},
        {"units_for_error", SC_KIND_BOUND | SC_RIGHT | SC_NULLABLE}};
    scrim_admissible_options asked;
    scrim_admissible found;
    sc_listing *page = NULL;
    if (options->word_count != 2)
        return sc_refuse(error, "no file is needed, as in '%s'", example);
    scrim_status status = read_request(options, &asked, error);
    if (status == SCRIM_OK)
        status = scrim_admissible_find(&asked, &found, error);
    if (status == SCRIM_OK)
        status =
            sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error);
    if (status == SCRIM_OK) {
        const double cells[] = {asked.q,     asked.epsilon_each, found.inner,
                                found.outer, found.reach,        found.density};
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
            sc_body_put_number(page, cells[i]);
        put_units(page, found.units, true);
        put_units(page, found.units_error, asked.error > 0);
    }
    status = sc_page_end(page, status, error);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_talk("for a symmetric log-concave distribution with deviation 1 in each "
                "direction; "
                "about accuracy only, and sufficient, not necessary\n");
    return status;
}

static const char usage[] =
    "How many units a body needs, before anything is released or charged: for a\n"
    "symmetric log-concave distribution with deviation 1 in each direction. Shows the\n"
    "radii of balls inside and around the body, the density near its boundary, and\n"
    "the number of units from which the bounds hold; with --target-error also the\n"
    "number from which the body is within that Hausdorff distance. Privacy never\n"
    "depends on it.\n"
    "\n"
    "  --q Q              above 0.5 and below 1\n"
    "  --directions M     how many\n"
    "  --epsilon E        of the whole body\n"
    "  --delta D          of the whole body (default: pure)\n"
    "  --target-error T   Hausdorff distance, in deviations\n"
    "  --confidence C     default 0.95\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json             short for --format json\n"
    "  --quiet            no notes on standard error\n"
    "\n"
    "example: scrim body admissible --q 0.9 --directions 80 --epsilon 1 --delta 1e-6\n";

const sc_command sc_body_admissible = {
    .name = "admissible",
    .synopsis = "--q Q --directions M --epsilon E",
    .summary = "how many units a body needs",
    .usage = usage,
    .kind = SC_COMMAND_LIST,
    .options = SC_OPTION_SET(SCRIM_OPTION_Q, SCRIM_OPTION_DIRECTIONS,
                             SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA,
                             SCRIM_OPTION_TARGET_ERROR, SCRIM_OPTION_CONFIDENCE),
    .run = run_admissible,
};
