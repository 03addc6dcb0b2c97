/* scrim body compare FILE FILE */
#include "cli/body/body_commands.h"
#include "cli/body/body_file_view.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"

#include <math.h>

typedef struct compare_state {
    sc_body_view views[2];
    scrim_solid_gap gap;
    scrim_volume volumes[2];
    double centers[2][SCRIM_BODY_DIMENSIONS];
    double direction[SCRIM_BODY_DIMENSIONS];
} compare_state;

static scrim_status measure(compare_state *s, scrim_error *error)
{
    scrim_center center;
    SC_TRY(scrim_solid_compare(s->views[0].solid, s->views[1].solid, s->direction,
                               &s->gap, error));
    for (size_t i = 0; i < 2; i++) {
        SC_TRY(scrim_solid_volume(s->views[i].solid, &s->volumes[i], error));
        SC_TRY(scrim_solid_center(s->views[i].solid, "steiner", s->centers[i], &center,
                                  error));
    }
    return SCRIM_OK;
}

static double center_distance(const compare_state *s)
{
    const sc_body_view *view = &s->views[0];
    double sum = 0;
    for (size_t j = 0; j < view->facts.dimension; j++) {
        const double step =
            (s->centers[0][j] - s->centers[1][j]) / view->columns[j].scale;
        sum += step * step;
    }
    return sqrt(sum);
}

static void put(sc_listing *page, const char *what, double value, double standard_error)
{
    sc_listing_put(page, "%s", what);
    sc_body_put_number(page, value);
    if (standard_error >= 0)
        sc_body_put_number(page, standard_error);
    else
        sc_listing_put(page, "%s", "");
}

static scrim_status list(const compare_state *s, const sc_options *options,
                         scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {"measure", SC_KIND_TEXT},
        {"value", SC_KIND_BOUND | SC_RIGHT},
        {"standard_error", SC_KIND_BOUND | SC_RIGHT | SC_NULLABLE}};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, columns, 3, &page, error));
    put(page, "distance_at_least", s->gap.lower, -1);
    put(page, "distance_at_most", s->gap.upper, -1);
    put(page, "centre_distance", center_distance(s), -1);
    for (size_t i = 0; i < 2; i++)
        put(page, i == 0 ? "volume_first" : "volume_second", s->volumes[i].share,
            s->volumes[i].share * s->volumes[i].standard_error);
    return sc_page_write(page, error);
}

static void note_direction(const compare_state *s)
{
    const sc_body_view *view = &s->views[0];
    size_t best = 0;
    for (size_t j = 1; j < view->facts.dimension; j++)
        if (fabs(s->direction[j]) > fabs(s->direction[best]))
            best = j;
    sc_talk(
        "distances are Hausdorff's, in scaled columns; volumes are shares of that of the "
        "bounds\n");
    if (s->gap.lower > 0)
        sc_talk("the bodies differ most towards %c%.80s\n",
                s->direction[best] < 0 ? '-' : '+', view->columns[best].name);
}

static scrim_status run_compare(const sc_options *options, scrim_error *error)
{
    compare_state s = {.gap = {0, 0}};
    if (options->word_count != 4)
        return sc_refuse(
            error, "name two files, as in 'scrim body compare before.json after.json'");
    scrim_status status =
        sc_body_view_open(&s.views[0], options->words[2], options, error);
    if (status == SCRIM_OK)
        status = sc_body_view_open(&s.views[1], options->words[3], options, error);
    if (status == SCRIM_OK)
        status = measure(&s, error);
    if (status == SCRIM_OK)
        status = list(&s, options, error);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET)) {
        sc_body_view_note(&s.views[0], options);
        sc_body_view_note(&s.views[1], options);
        note_direction(&s);
    }
    sc_body_view_close(&s.views[0]);
    sc_body_view_close(&s.views[1]);
    return status;
}

static const char usage[] =
    "How far two bodies with the same columns, bounds and scales are apart: the\n"
    "Hausdorff distance (exact up to two columns, else between two bounds), the\n"
    "distance of their Steiner points, and their volumes.\n"
    "\n" SC_USAGE_READ SC_USAGE_SEED "\n"
    "example: scrim body compare 2024.json 2025.json\n";

const sc_command sc_body_compare = {
    .name = "compare",
    .synopsis = "FILE FILE",
    .summary = "how far two bodies are apart",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_SEED),
    .run = run_compare,
};
