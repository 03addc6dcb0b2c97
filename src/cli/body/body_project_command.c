/* scrim body project FILE --at X,Y,... */
#include "cli/body/body_commands.h"
#include "cli/body/body_points.h"
#include "cli/report/file_proof.h"

#include <stdio.h>

/* "3 7 12": at most so many of the directions that hold the point back. */
static void put_active(sc_listing *page, const scrim_projection *projection)
{
    char text[200];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < projection->active_count && used + 8 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu",
                                 i == 0 ? "" : " ", projection->active[i] + 1);
    sc_listing_put(page, "%s", text);
}

static scrim_status list_points(const sc_body_view *view, const sc_body_points *points,
                                const sc_options *options, scrim_error *error)
{
    sc_listing_column columns[SC_BODY_CELLS_MOST];
    double y[SCRIM_BODY_DIMENSIONS];
    sc_listing *page = NULL;
    size_t count = sc_body_view_columns(view, columns, 0);
    columns[count++] = (sc_listing_column){"distance", SC_KIND_BOUND | SC_RIGHT};
    columns[count++] = (sc_listing_column){"held_by", SC_KIND_TEXT};
    scrim_status status = sc_page_new(options, columns, count, &page, error);
    for (size_t i = 0; status == SCRIM_OK && i < points->count; i++) {
        scrim_projection projection;
        status = scrim_solid_project(view->solid, points->x + i * points->dimension, y,
                                     &projection, error);
        if (status != SCRIM_OK)
            break;
        sc_body_view_put(view, page, y);
        sc_body_put_number(page, projection.distance);
        put_active(page, &projection);
    }
    return sc_page_end(page, status, error);
}

static scrim_status run_project(const sc_options *options, scrim_error *error)
{
    sc_body_view view;
    sc_body_points points = {0};
    scrim_status status = sc_body_view_only(
        &view, options, "scrim body project body.json --at 40,38", error);
    if (status == SCRIM_OK)
        status = sc_body_points_read(&points, &view, options, error);
    if (status == SCRIM_OK)
        status = list_points(&view, &points, options, error);
    if (status == SCRIM_OK)
        sc_body_view_note(&view, options);
    sc_body_points_clear(&points);
    sc_body_view_close(&view);
    return status;
}

static const char usage[] =
    "The nearest point of the body for each given point, in scaled columns, and its\n"
    "distance. held_by has the numbers of the half-spaces that hold the point back;\n"
    "their multipliers prove that no point of the body is nearer.\n"
    "\n"
    "  --at X,Y,...   a public point: a number for each column; may be repeated\n"
    "  --csv FILE     public points, with a first line that names the columns\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json         short for --format json\n" SC_USAGE_PROOF
    "  --quiet        no notes on standard error\n"
    "\n"
    "example: scrim body project body.json --at 90,80,16\n";

const sc_command sc_body_project = {
    .name = "project",
    .synopsis = "FILE --at X,Y,... | --csv FILE",
    .summary = "the nearest point of the body",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_AT, SCRIM_OPTION_CSV, SCRIM_OPTION_SEED),
    .run = run_project,
};
