/* Commands that list facts of one released body: center, show, project, depth, outliers and minimise. */
#include "cli/release/body_page.h"
#include "cli/release/file_proof.h"
#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* scrim body center FILE */
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

static scrim_status center_fill(sc_body_call *call, scrim_error *error)
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
        .fill = center_fill};
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

static const char center_usage[] =
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
    .usage = center_usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_METHOD, SCRIM_OPTION_SEED, SCRIM_OPTION_COLUMNS,
                             SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_Q,
                             SCRIM_OPTION_DIRECTIONS, SCRIM_OPTION_SCALES,
                             SCRIM_OPTION_EXPECTED_UNITS, SCRIM_OPTION_MAX_TOTAL_ROWS,
                             SCRIM_OPTION_DRY_RUN),
    .run = run_center,
};

/* scrim body show FILE */
/* A volume in more columns takes seconds; 'compare' finds it. */
#define VOLUME_COLUMNS 12
#define LABEL_BYTES 4000

/* The label of a release tells all of it; other labels may be any text. */
static void note_label(const scrim_body_facts *facts)
{
    const size_t bytes = strlen(facts->label),
                 end = bytes > 0 && facts->label[bytes - 1] == '\n' ? bytes - 1 : bytes;
    if (bytes > 0)
        sc_talk("%.*s\n", end < LABEL_BYTES ? (int)end : LABEL_BYTES, facts->label);
    if (facts->release != 0)
        return;
    sc_talk("estimates the region that these %zu directions cut out; it contains the "
            "floating body of all directions\n",
            facts->direction_count);
    if (facts->epsilon > 0)
        sc_talk("cost: epsilon %g, delta %g; each direction epsilon %g (%s, %s)\n",
                facts->epsilon, facts->delta, facts->epsilon_each,
                facts->composition[0] == '\0' ? "not stated" : facts->composition,
                facts->neighbours);
}

static void show_note(const sc_body_call *call)
{
    const scrim_body_facts *facts = &call->view.facts;
    const double beta = 0.05, ranks = scrim_body_rank_error(call->view.body, beta);
    note_label(facts);
    if (isfinite(ranks))
        sc_talk(
            "each quantile is within %.0f ranks of the true one, all at once, with "
            "probability %g%s\n",
            ceil(ranks), 1 - beta,
            facts->units > 0 && ranks > 0.1 * (1 - facts->q) * (double)facts->units
                ? "; that is more than a tenth of the units outside: expect a poor body"
                : "");
    sc_talk("largest ball inside: radius %.6g; %zu of %zu half-spaces %s redundant\n",
            call->view.shape.radius, call->found, facts->direction_count,
            call->found == 1 ? "is" : "are");
    if (call->volume.share > 0)
        sc_talk("volume %.4g of that of the bounds%s\n", call->volume.share,
                call->volume.standard_error > 0 ? ", estimated" : "");
}

/* Four digits in a box, where numbers have exponents and a row has many of them. */
static void put_half_space(const sc_body_view *view, sc_listing *page,
                           const double *normal, double offset)
{
    if (page->format != SCRIM_FORMAT_TABLE) {
        sc_body_put_numbers(page, normal, view->facts.dimension);
        sc_body_put_number(page, offset);
        return;
    }
    for (size_t j = 0; j < view->facts.dimension; j++)
        sc_listing_put(page, "%.4g", fabs(normal[j]) > 0 ? normal[j] : 0);
    sc_listing_put(page, "%.4g", fabs(offset) > 0 ? offset : 0);
}

static void put_rows(sc_body_call *call, const unsigned char *is_redundant)
{
    double normal[SCRIM_BODY_DIMENSIONS], offset;
    for (size_t i = 0; scrim_body_half_space_at(call->view.body, i, normal, &offset) != 0;
         i++) {
        sc_listing_put(call->page, "%zu", i + 1);
        put_half_space(&call->view, call->page, normal, offset);
        sc_listing_put(call->page, "%s", is_redundant[i] ? "true" : "false");
        call->found += is_redundant[i];
    }
}

static scrim_status fill(sc_body_call *call, scrim_error *error)
{
    const sc_body_view *view = &call->view;
    SC_FREED unsigned char *is_redundant = calloc(view->facts.direction_count, 1);
    if (is_redundant == NULL)
        return sc_out_of_memory(error, "a body");
    SC_TRY(scrim_solid_redundant(view->solid, is_redundant, error));
    if (view->facts.dimension <= VOLUME_COLUMNS)
        SC_TRY(scrim_solid_volume(view->solid, &call->volume, error));
    put_rows(call, is_redundant);
    return SCRIM_OK;
}

static scrim_status run_show(const sc_options *options, scrim_error *error)
{
    static const sc_body_page page = {
        .example = "scrim body show body.json",
        .first = {"direction", SC_KIND_NUMBER | SC_RIGHT},
        .last = {{"at_most", SC_KIND_BOUND | SC_RIGHT}, {"redundant", SC_KIND_WORD}},
        .fill = fill,
        .note = show_note};
    return sc_body_page_show(&page, options, error);
}

static const char usage[] =
    "The released half-spaces, one a row: the sum of the numbers times the columns is\n"
    "at most at_most. On standard error: the label of the release, what it\n"
    "estimates, how far off its quantiles can be, the largest ball inside, and the\n"
    "volume.\n"
    "\n" SC_USAGE_READ SC_USAGE_SEED "\n"
    "example: scrim body show body.json\n";

const sc_command sc_body_show = {
    .name = "show",
    .synopsis = "FILE",
    .summary = "the half-spaces, and what is known about them",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_SEED),
    .run = run_show,
};

/* scrim body project FILE --at X,Y,... */
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

static scrim_status project_fill(sc_body_call *call, scrim_error *error)
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
        .fill = project_fill};
    return sc_body_page_show(&page, options, error);
}

static const char project_usage[] =
    "The nearest point of the body for each given point, in scaled columns, and its\n"
    "distance. held_by has the numbers of the half-spaces that hold the point back;\n"
    "their multipliers prove that no point of the body is nearer.\n"
    "\n" SC_USAGE_POINTS SC_USAGE_READ "\n"
    "example: scrim body project body.json --at 90,80,16\n";

const sc_command sc_body_project = {
    .name = "project",
    .synopsis = "FILE --at X,Y,... | --csv FILE",
    .summary = "the nearest point of the body",
    .usage = project_usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_AT, SCRIM_OPTION_CSV, SCRIM_OPTION_SEED),
    .run = run_project,
};

/* scrim body support FILE --at X,Y,... */
static scrim_status support_fill(sc_body_call *call, scrim_error *error)
{
    double x[SCRIM_BODY_DIMENSIONS], value;
    for (size_t i = 0; i < call->points.count; i++) {
        const double *normal = call->points.x + i * call->points.dimension;
        SC_TRY(scrim_solid_support(call->view.solid, normal, &value, x, error));
        sc_body_put_numbers(call->page, normal, call->points.dimension);
        sc_body_put_number(call->page, value);
    }
    return SCRIM_OK;
}

static scrim_status run_support(const sc_options *options, scrim_error *error)
{
    static const sc_body_page page = {.example = "scrim body support body.json --at 1,0",
                                      .takes_points = true,
                                      .last = {{"support", SC_KIND_BOUND | SC_RIGHT}},
                                      .fill = support_fill};
    return sc_body_page_show(&page, options, error);
}

static const char support_usage[] =
    "The support function: for each direction the largest value in the body of the\n"
    "sum of its numbers times the columns. A direction is given as a point; 1,0 asks\n"
    "for the largest first column, and -1,0 for minus the smallest.\n"
    "\n" SC_USAGE_POINTS SC_USAGE_READ "\n"
    "example: scrim body support body.json --at 1,0,0\n";

const sc_command sc_body_support = {
    .name = "support",
    .synopsis = "FILE --at X,Y,... | --csv FILE",
    .summary = "how far it reaches in a direction",
    .usage = support_usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_AT, SCRIM_OPTION_CSV, SCRIM_OPTION_SEED),
    .run = run_support,
};

/* scrim body depth FILE... --at X,Y,... */
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

static const char depth_usage[] =
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
    .usage = depth_usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_AT, SCRIM_OPTION_CSV, SCRIM_OPTION_SEED),
    .run = run_depth,
};

/* scrim body outliers FILE --csv POINTS */
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

static scrim_status outliers_fill(sc_body_call *call, scrim_error *error)
{
    (void)error;
    for (size_t i = 0; i < call->points.count; i++)
        call->found += put_point(&call->view, call->page,
                                 call->points.x + i * call->points.dimension);
    return SCRIM_OK;
}

static void outliers_note(const sc_body_call *call)
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
        .fill = outliers_fill,
        .note = outliers_note};
    return sc_body_page_show(&page, options, error);
}

static const char outliers_usage[] =
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
    .usage = outliers_usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_AT, SCRIM_OPTION_CSV, SCRIM_OPTION_SEED),
    .run = run_outliers,
};

/* scrim body minimise FILE FUNCTION */
static scrim_status minimise_fill(sc_body_call *call, scrim_error *error)
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
        .fill = minimise_fill};
    return sc_body_page_show(&page, options, error);
}

static const char minimise_usage[] =
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
    .usage = minimise_usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_SEED),
    .run = run_minimise,
};
