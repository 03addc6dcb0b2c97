/* scrim body outliers FILE --csv POINTS */
#include "cli/body/body_commands.h"
#include "cli/body/body_page.h"
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

static scrim_status fill(sc_body_call *call, scrim_error *error)
{
    (void)error;
    for (size_t i = 0; i < call->points.count; i++)
        call->found += put_point(&call->view, call->page,
                                 call->points.x + i * call->points.dimension);
    return SCRIM_OK;
}

static void note(const sc_body_call *call)
{
    sc_talk("%zu of %zu points are outside; a verdict about a row of the data is for its "
            "owner alone\n",
            call->found, call->points.count);
}

static scrim_status run_outliers(const sc_options *options, scrim_error *error)
{
    static const sc_body_page page = {
        .example = "scrim body outliers body.json --csv points.csv",
        .takes_points = true,
        .last = {{"outlier", SC_KIND_WORD},
                 {"beyond", SC_KIND_BOUND | SC_RIGHT},
                 {"violated", SC_KIND_NUMBER | SC_RIGHT},
                 {"direction", SC_KIND_NUMBER | SC_RIGHT},
                 {"towards", SC_KIND_KEY}},
        .fill = fill,
        .note = note};
    return sc_body_page_show(&page, options, error);
}

static const char usage[] =
    "Tells for each point whether it is outside of the body. beyond is how far it is\n"
    "beyond the half-space that it violates most, in scaled columns; 0 or less is\n"
    "inside. violated counts the half-spaces that it is beyond; direction and towards\n"
    "tell the one it violates most. A share of 1 - q of all units is beyond each\n"
    "half-space, so many honest points are outside of a body with many directions.\n"
    "If a point is a row of the data, its verdict is for its owner alone.\n"
    "\n" SC_USAGE_POINTS SC_USAGE_READ "\n"
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
