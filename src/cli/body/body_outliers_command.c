/* scrim body outliers FILE --csv POINTS */
#include "cli/body/body_commands.h"
#include "cli/body/body_points.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/talk.h"

#include <math.h>
#include <stdio.h>

/* The largest parts of a direction, in scaled columns: "+age 0.83 -hours 0.55". */
static void describe(const sc_body_view *view, size_t direction, char *text, size_t bytes)
{
    double normal[SCRIM_BODY_DIMENSIONS], offset;
    size_t used = 0;
    text[0] = '\0';
    (void)scrim_body_half_space_at(view->body, direction, normal, &offset);
    for (size_t j = 0; j < view->facts.dimension; j++)
        normal[j] *= view->columns[j].scale;
    for (unsigned turn = 0; turn < 3; turn++) {
        size_t best = 0;
        for (size_t j = 1; j < view->facts.dimension; j++)
            if (fabs(normal[j]) > fabs(normal[best]))
                best = j;
        if (fabs(normal[best]) < 0.05 || used + 90 > bytes)
            break;
        used += (size_t)snprintf(text + used, bytes - used, "%s%c%.60s %.2f",
                                 turn == 0 ? "" : " ", normal[best] < 0 ? '-' : '+',
                                 view->columns[best].name, fabs(normal[best]));
        normal[best] = 0;
    }
}

static size_t count_violated(const sc_body_view *view, const double *x)
{
    double normal[SCRIM_BODY_DIMENSIONS], offset;
    size_t violated = 0;
    for (size_t i = 0; scrim_body_half_space_at(view->body, i, normal, &offset) != 0;
         i++) {
        double sum = -offset;
        for (size_t j = 0; j < view->facts.dimension; j++)
            sum += normal[j] * x[j];
        violated += sum > 1e-12 * fabs(offset);
    }
    return violated;
}

static size_t put_point(const sc_body_view *view, sc_listing *page, const double *x)
{
    char text[400];
    size_t direction = 0;
    const double excess = scrim_solid_excess(view->solid, x, &direction);
    const bool is_outlier = excess > 0;
    sc_body_put_numbers(page, x, view->facts.dimension);
    sc_listing_put(page, "%s", is_outlier ? "true" : "false");
    sc_body_put_number(page, excess);
    sc_listing_put(page, "%zu", count_violated(view, x));
    sc_listing_put(page, "%zu", direction + 1);
    describe(view, direction, text, sizeof text);
    sc_listing_put(page, "%s", text);
    return is_outlier;
}

static scrim_status list_points(const sc_body_view *view, const sc_body_points *points,
                                const sc_options *options, size_t *outliers,
                                scrim_error *error)
{
    sc_listing_column columns[SC_BODY_CELLS_MOST];
    sc_listing *page = NULL;
    size_t count = sc_body_view_columns(view, columns, 0);
    columns[count++] = (sc_listing_column){"outlier", SC_KIND_WORD};
    columns[count++] = (sc_listing_column){"beyond", SC_KIND_BOUND | SC_RIGHT};
    columns[count++] = (sc_listing_column){"violated", SC_KIND_NUMBER | SC_RIGHT};
    columns[count++] = (sc_listing_column){"direction", SC_KIND_NUMBER | SC_RIGHT};
    columns[count++] = (sc_listing_column){"towards", SC_KIND_KEY};
    const scrim_status status = sc_page_new(options, columns, count, &page, error);
    for (size_t i = 0; status == SCRIM_OK && i < points->count; i++)
        *outliers += put_point(view, page, points->x + i * points->dimension);
    return sc_page_end(page, status, error);
}

static scrim_status run_outliers(const sc_options *options, scrim_error *error)
{
    sc_body_view view;
    sc_body_points points = {0};
    size_t outliers = 0;
    scrim_status status = sc_body_view_only(
        &view, options, "scrim body outliers body.json --csv points.csv", error);
    if (status == SCRIM_OK)
        status = sc_body_points_read(&points, &view, options, error);
    if (status == SCRIM_OK)
        status = list_points(&view, &points, options, &outliers, error);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET)) {
        sc_body_view_note(&view, options);
        sc_talk(
            "%zu of %zu points are outside; a verdict about a row of the data is for its "
            "owner alone\n",
            outliers, points.count);
    }
    sc_body_points_clear(&points);
    sc_body_view_close(&view);
    return status;
}

static const char usage[] =
    "Tells for each point whether it is outside of the body. beyond is how far it is\n"
    "beyond the half-space that it violates most, in scaled columns; 0 or less is\n"
    "inside. violated counts the half-spaces that it is beyond; direction and towards\n"
    "tell the one it violates most. A share of 1 - q of all units is beyond each\n"
    "half-space, so many honest points are outside of a body with many directions.\n"
    "If a point is a row of the data, its verdict is for its owner alone.\n"
    "\n"
    "  --at X,Y,...   a public point: a number for each column; may be repeated\n"
    "  --csv FILE     public points, with a first line that names the columns\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json         short for --format json\n" SC_USAGE_PROOF
    "  --quiet        no notes on standard error\n"
    "\n"
    "example: scrim body outliers body.json --csv points.csv\n";

const sc_command sc_body_outliers = {
    .name = "outliers",
    .synopsis = "FILE --at X,Y,... | --csv FILE",
    .summary = "which points are outside",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_AT, SCRIM_OPTION_CSV, SCRIM_OPTION_SEED),
    .run = run_outliers,
};
