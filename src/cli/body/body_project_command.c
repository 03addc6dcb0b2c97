/* scrim body project FILE --at X,Y,... */
#include "cli/body/body_commands.h"
#include "cli/body/body_page.h"
#include "cli/report/file_proof.h"

#include <stdio.h>

/* "3 7 12": the directions that hold the point back, as many as fit. */
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

static scrim_status fill(sc_body_call *call, scrim_error *error)
{
    double y[SCRIM_BODY_DIMENSIONS];
    for (size_t i = 0; i < call->points.count; i++) {
        scrim_projection projection;
        const scrim_status status = scrim_solid_project(
            call->view.solid, call->points.x + i * call->points.dimension, y, &projection,
            error);
        if (status != SCRIM_OK)
            return status;
        sc_body_view_put(&call->view, call->page, y);
        sc_body_put_number(call->page, projection.distance);
        put_active(call->page, &projection);
    }
    return SCRIM_OK;
}

static scrim_status run_project(const sc_options *options, scrim_error *error)
{
    static const sc_body_page page = {
        .example = "scrim body project body.json --at 40,38",
        .takes_points = true,
        .last = {{"distance", SC_KIND_BOUND | SC_RIGHT}, {"held_by", SC_KIND_TEXT}},
        .fill = fill};
    return sc_body_page_show(&page, options, error);
}

static const char usage[] =
    "The nearest point of the body for each given point, in scaled columns, and its\n"
    "distance. held_by has the numbers of the half-spaces that hold the point back;\n"
    "their multipliers prove that no point of the body is nearer.\n"
    "\n" SC_USAGE_POINTS SC_USAGE_READ "\n"
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
