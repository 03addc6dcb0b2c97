/* scrim body depth FILE... --at X,Y,... */
#include "cli/body/body_commands.h"
#include "cli/body/body_page.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"

#include <math.h>

#define BODIES_MOST 16

typedef struct depth_state {
    sc_body_view views[BODIES_MOST];
    size_t count;
    sc_body_points points;
} depth_state;

/* By rising q. */
static void sort_views(depth_state *s)
{
    for (size_t i = 1; i < s->count; i++)
        for (size_t k = i; k > 0 && s->views[k].facts.q < s->views[k - 1].facts.q; k--) {
            const sc_body_view kept = s->views[k];
            s->views[k] = s->views[k - 1];
            s->views[k - 1] = kept;
        }
}

/* A share of at least 1 - q of the units is beyond the point in each direction if the body of q holds it, and of at most 1 - q in
 * some direction if not. Of bodies that contradict one another the smaller one counts: noise made the larger too small. */
static void find_depth(const depth_state *s, const double *x, double *low, double *high)
{
    *low = 0;
    *high = 1;
    for (size_t i = 0; i < s->count; i++) {
        size_t direction;
        if (scrim_solid_excess(s->views[i].solid, x, &direction) <= 0) {
            *low = 1 - s->views[i].facts.q;
            return;
        }
        *high = 1 - s->views[i].facts.q;
    }
}

static scrim_status list_points(const depth_state *s, const sc_options *options,
                                scrim_error *error)
{
    const sc_body_view *first = &s->views[0];
    sc_listing_column columns[SC_BODY_CELLS_MOST];
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    size_t count = sc_body_view_columns(first, columns, 0);
    columns[count++] = (sc_listing_column){"depth_low", SC_KIND_BOUND | SC_RIGHT};
    columns[count++] = (sc_listing_column){"depth_high", SC_KIND_BOUND | SC_RIGHT};
    SC_TRY(sc_page_new(options, columns, count, &page, error));
    for (size_t i = 0; i < s->points.count; i++) {
        const double *x = s->points.x + i * s->points.dimension;
        double low, high;
        find_depth(s, x, &low, &high);
        sc_body_put_numbers(page, x, first->facts.dimension);
        sc_body_put_number(page, low);
        sc_body_put_number(page, high);
    }
    return sc_page_write(page, error);
}

static void note(const depth_state *s, const sc_options *options)
{
    if (sc_options_has(options, SCRIM_OPTION_QUIET))
        return;
    for (size_t i = 0; i < s->count; i++) {
        const sc_body_view *view = &s->views[i];
        const double ranks = scrim_body_rank_error(view->body, 0.05);
        if (isfinite(ranks) && view->facts.units > 0)
            sc_talk("q %g: shares are off by at most %.3g, with probability 0.95\n",
                    view->facts.q, ranks / (double)view->facts.units);
    }
    sc_talk(
        "depth: the smallest share of units beyond the point, over the directions of the "
        "body; free of charge\n");
}

static scrim_status run_depth(const sc_options *options, scrim_error *error)
{
    depth_state s = {.count = 0};
    scrim_status status =
        sc_body_views_open(s.views, BODIES_MOST, &s.count, options,
                           "scrim body depth body.json --at 40,38", error);
    if (status == SCRIM_OK)
        sort_views(&s);
    if (status == SCRIM_OK)
        status = sc_body_points_read(&s.points, &s.views[0], options, error);
    if (status == SCRIM_OK)
        status = list_points(&s, options, error);
    if (status == SCRIM_OK)
        note(&s, options);
    sc_body_points_clear(&s.points);
    for (size_t i = 0; i < s.count; i++)
        sc_body_view_close(&s.views[i]);
    return status;
}

static const char usage[] =
    "Bounds the depth of each point: the smallest share of units that lie beyond it\n"
    "in any direction of the body. A body at q tells whether it is at least 1 - q;\n"
    "bodies at several q bracket it. It is an upper bound of the depth in all\n"
    "directions.\n"
    "\n" SC_USAGE_POINTS SC_USAGE_READ "\n"
    "example: scrim body depth q60.json q75.json q90.json --at 40,38,10\n";

const sc_command sc_body_depth = {
    .name = "depth",
    .synopsis = "FILE... --at X,Y,... | --csv FILE",
    .summary = "how deep a point lies in the data",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_AT, SCRIM_OPTION_CSV, SCRIM_OPTION_SEED),
    .run = run_depth,
};
