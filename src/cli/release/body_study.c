/* Commands about bodies that are no list of facts: compare two, sample one, plot several, and admissible, which
 * needs none. */
#include "cli/display/number_view.h"
#include "cli/release/body_page.h"
#include "cli/release/body_picture.h"
#include "cli/release/file_proof.h"
#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* scrim body compare FILE FILE */
typedef struct compare_state {
    sc_body_view views[2];
    scrim_solid_gap gap;
    scrim_volume volumes[2];
    double centers[2][SCRIM_BODY_DIMENSIONS];
    double direction[SCRIM_BODY_DIMENSIONS];
    sc_body_points points; /* whose projections are compared; may be none */
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

/* The largest difference of the quantiles in one direction, in scaled columns; false unless both bodies have the same
 * directions. */
static bool quantile_distance(const compare_state *s, double *out)
{
    const size_t count = s->views[0].facts.direction_count,
                 dimension = s->views[0].facts.dimension;
    *out = 0;
    if (s->views[1].facts.direction_count != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        double normals[2][SCRIM_BODY_DIMENSIONS], offsets[2], square = 0;
        for (size_t b = 0; b < 2; b++)
            if (scrim_body_half_space_at(s->views[b].body, i, normals[b], &offsets[b]) ==
                0)
                return false;
        for (size_t j = 0; j < dimension; j++) {
            const double scaled = normals[0][j] * s->views[0].columns[j].scale;
            if (fabs(normals[0][j] - normals[1][j]) > 0)
                return false;
            square += scaled * scaled;
        }
        *out = fmax(*out, fabs(offsets[0] - offsets[1]) / sqrt(square));
    }
    return true;
}

/* Steiner points are at most C_d times the Hausdorff distance apart: C_d is d times the mean of |u_1| over unit vectors. */
static double center_bound(const compare_state *s)
{
    const double d = (double)s->views[0].facts.dimension;
    return d * exp(lgamma(d / 2) - lgamma((d + 1) / 2)) / sqrt(acos(-1)) * s->gap.upper;
}

/* How far both bodies reach from the first one's Steiner point at most: the corner of the box around them. */
static scrim_status reach(const compare_state *s, double *out, scrim_error *error)
{
    const sc_body_view *view = &s->views[0];
    double square = 0;
    for (size_t j = 0; j < view->facts.dimension; j++) {
        double most = 0;
        for (size_t side = 0; side < 4; side++) {
            double normal[SCRIM_BODY_DIMENSIONS] = {0}, at[SCRIM_BODY_DIMENSIONS], value;
            normal[j] = side % 2 == 0 ? 1 : -1;
            SC_TRY(
                scrim_solid_support(s->views[side / 2].solid, normal, &value, at, error));
            most = fmax(most,
                        (value - normal[j] * s->centers[0][j]) / view->columns[j].scale);
        }
        square += most * most;
    }
    *out = sqrt(square);
    return SCRIM_OK;
}

/* How far apart the nearest points of both bodies are, and the most that it can be by their Hausdorff distance h:
 * 2 sqrt((|x| + R) h), with the origin at the first Steiner point. */
static scrim_status compare_projections(const compare_state *s, const double *x,
                                        double *apart, double *at_most,
                                        scrim_error *error)
{
    const sc_body_view *view = &s->views[0];
    double y[2][SCRIM_BODY_DIMENSIONS], square = 0, away = 0, radius = 0;
    for (size_t i = 0; i < 2; i++) {
        scrim_projection projection;
        SC_TRY(scrim_solid_project(s->views[i].solid, x, y[i], &projection, error));
    }
    for (size_t j = 0; j < view->facts.dimension; j++) {
        const double step = (y[0][j] - y[1][j]) / view->columns[j].scale,
                     from = (x[j] - s->centers[0][j]) / view->columns[j].scale;
        square += step * step;
        away += from * from;
    }
    SC_TRY(reach(s, &radius, error));
    *apart = sqrt(square);
    *at_most = 2 * sqrt((sqrt(away) + radius) * s->gap.upper);
    return SCRIM_OK;
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
    double apart;
    SC_TRY(sc_page_new(options, columns, 3, &page, error));
    put(page, "distance_at_least", s->gap.lower, -1);
    put(page, "distance_at_most", s->gap.upper, -1);
    if (quantile_distance(s, &apart))
        put(page, "quantile_distance", apart, -1);
    put(page, "centre_distance", center_distance(s), -1);
    put(page, "centre_distance_at_most", center_bound(s), -1);
    for (size_t i = 0; i < s->points.count; i++) {
        double at_most;
        SC_TRY(compare_projections(s, s->points.x + i * s->points.dimension, &apart,
                                   &at_most, error));
        put(page, "projection_distance", apart, -1);
        put(page, "projection_distance_at_most", at_most, -1);
    }
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
    if (status == SCRIM_OK &&
        (options->repeated_count > 0 || sc_options_has(options, SCRIM_OPTION_CSV)))
        status = sc_body_points_read(&s.points, &s.views[0], options, error);
    if (status == SCRIM_OK)
        status = measure(&s, error);
    if (status == SCRIM_OK)
        status = list(&s, options, error);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET)) {
        sc_body_view_note(&s.views[0], options);
        sc_body_view_note(&s.views[1], options);
        note_direction(&s);
    }
    sc_body_points_clear(&s.points);
    sc_body_view_close(&s.views[0]);
    sc_body_view_close(&s.views[1]);
    return status;
}

static const char compare_usage[] =
    "How far two bodies with the same columns, bounds and scales are apart: the\n"
    "Hausdorff distance (exact up to two columns, else between two bounds), the\n"
    "largest difference of their quantiles, if their directions are the same, the\n"
    "distance of their Steiner points, and their volumes. For each given point also\n"
    "how far apart the nearest points of both bodies are. at_most is what the\n"
    "Hausdorff distance allows.\n"
    "\n" SC_USAGE_POINTS SC_USAGE_READ SC_USAGE_SEED "\n"
    "example: scrim body compare 2024.json 2025.json\n";

const sc_command sc_body_compare = {
    .name = "compare",
    .synopsis = "FILE FILE",
    .summary = "how far two bodies are apart",
    .usage = compare_usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_AT, SCRIM_OPTION_CSV, SCRIM_OPTION_SEED),
    .run = run_compare,
};

/* scrim body sample FILE -n N */
#define COUNT_MOST UINT64_C(100000000)
#define TOLD_POINTS 1024

static scrim_status read_step(const sc_options *options, double *out, scrim_error *error)
{
    const char *text = options->value[SCRIM_OPTION_STEP];
    char *end;
    *out = 0;
    if (text == NULL)
        return SCRIM_OK;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out > 0 && *out < 1e9
               ? SCRIM_OK
               : sc_refuse(error, "'%.40s' is not a step; --step must be above 0", text);
}

/* Half of it is walking, half is writing. */
static void tell_walk(void *context, uint64_t done, uint64_t total)
{
    sc_progress_told(context, done, 2 * total);
}

static scrim_status read_sample(const sc_options *options, sc_progress *progress,
                                scrim_sample_options *out, scrim_error *error)
{
    uint64_t count, thinning;
    double step;
    SC_TRY(
        sc_options_number(options, SCRIM_OPTION_COUNT, COUNT_MOST, 1000, &count, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_THINNING, COUNT_MOST, 0, &thinning,
                             error));
    SC_TRY(read_step(options, &step, error));
    if (count == 0)
        return sc_refuse(error, "-n must be at least 1");
    *out = *SCRIM_OPTIONS(scrim_sample_options, .count = count,
                          .method = options->value[SCRIM_OPTION_METHOD],
                          .weight = options->value[SCRIM_OPTION_WEIGHT],
                          .thinning = thinning, .step = step, .progress = tell_walk,
                          .context = progress);
    return SCRIM_OK;
}

/* The points to write, and the progress that is shown meanwhile. */
typedef struct written {
    const double *points;
    uint64_t count;
    sc_progress *progress;
} written;

static scrim_status put_points(const sc_body_view *view, const written *w,
                               sc_output *output, const sc_options *options,
                               scrim_error *error)
{
    sc_listing_column columns[SC_BODY_CELLS_MOST];
    sc_format format;
    sc_terminal terminal;
    sc_terminal_look(output->descriptor, &terminal);
    SC_TRY(sc_options_format(options, SCRIM_FORMAT_CSV, &format, error));
    sc_listing page = {.columns = columns,
                       .column_count = sc_body_view_columns(view, columns, 0),
                       .output = output,
                       .format = format,
                       .terminal = &terminal,
                       .is_marked = true};
    (void)sc_listing_open(&page);
    /* Points on a terminal show by themselves how far it is. */
    if (terminal.is_terminal)
        sc_progress_end(w->progress);
    for (uint64_t i = 0; i < w->count && output->error == 0; i++) {
        sc_body_view_put(view, &page, w->points + i * view->facts.dimension);
        if (i % TOLD_POINTS == 0 && !terminal.is_terminal)
            sc_progress_told(w->progress, w->count + i, 2 * w->count);
    }
    return sc_listing_close(&page, SCRIM_OK, error);
}

static scrim_status write_points(const sc_body_view *view, const written *w,
                                 const sc_options *options, scrim_error *error)
{
    const char *path = options->value[SCRIM_OPTION_OUT];
    sc_file_writer file;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "points");
    scrim_status status = sc_file_writer_open(
        &file, "--out", path == NULL ? sc_standard_output : path, error);
    if (status == SCRIM_OK) {
        sc_output_init(output, file.descriptor);
        status = put_points(view, w, output, options, error);
        const scrim_status closed =
            sc_file_writer_close(&file, output, status == SCRIM_OK ? error : NULL);
        status = status == SCRIM_OK ? closed : status;
    }
    free(output);
    return status;
}

static scrim_status sample(const sc_body_view *view, const sc_options *options,
                           scrim_error *error)
{
    scrim_sample_options asked;
    scrim_sample_facts facts = {0};
    sc_progress progress;
    scrim_status status = read_sample(options, &progress, &asked, error);
    if (status != SCRIM_OK)
        return status;
    double *points = calloc(asked.count, view->facts.dimension * sizeof *points);
    if (points == NULL)
        return sc_out_of_memory(error, "points");
    sc_progress_start(&progress, 0, "%", !sc_options_has(options, SCRIM_OPTION_QUIET));
    status = scrim_solid_sample(view->solid, &asked, points, &facts, error);
    if (status == SCRIM_OK)
        status = write_points(view, &(written){points, asked.count, &progress}, options,
                              error);
    sc_progress_end(&progress);
    free(points);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET)) {
        sc_body_view_note(view, options);
        sc_talk("%llu points of the region, %llu steps apart, correlated by %.2f; they "
                "are not "
                "rows, and tell nothing about how data lie in it\n",
                (unsigned long long)asked.count, (unsigned long long)facts.thinning,
                facts.correlation);
    }
    return status;
}

static scrim_status run_sample(const sc_options *options, scrim_error *error)
{
    SC_OWNED(sc_body_view_close) sc_body_view view = {0};
    const char *path = options->value[SCRIM_OPTION_OUT];
    SC_TRY(path == NULL ? SCRIM_OK : sc_file_writer_check("--out", path, error));
    SC_TRY(
        sc_body_view_only(&view, options, "scrim body sample body.json -n 1000", error));
    return sample(&view, options, error);
}

static const char usage[] =
    "Random points of the body, as CSV: uniform, or by the density exp(-phi) of a\n"
    "convex function phi. They are points of the region and not rows of the data. Any\n"
    "number of them is free. Points come from random walks: neighbours are a little\n"
    "correlated, and nothing proves how near the walk is to its distribution.\n"
    "\n"
    "  -n N           how many (default 1000)\n"
    "  --weight PHI   the density is exp(-PHI); written as for 'minimise'\n"
    "  --method M     hit-and-run (default) or langevin, which is biased and puts\n"
    "                 points on the boundary\n"
    "  --thinning N   steps of the walk from one point to the next\n"
    "  --step S       of langevin, in scaled columns\n"
    "  --out FILE     write the points to this file\n"
    "  --format table|csv|json|jsonl  default csv\n"
    "  --json         short for --format json\n" SC_USAGE_PROOF
    "  --quiet        show neither progress nor notes\n" SC_USAGE_SEED "\n"
    "example: scrim body sample body.json -n 10000 --out points.csv\n";

const sc_command sc_body_sample = {
    .name = "sample",
    .synopsis = "FILE [-n N] [--weight PHI]",
    .summary = "random points of the body",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_COUNT, SCRIM_OPTION_WEIGHT, SCRIM_OPTION_METHOD,
                             SCRIM_OPTION_THINNING, SCRIM_OPTION_STEP, SCRIM_OPTION_OUT,
                             SCRIM_OPTION_SEED),
    .run = run_sample,
};

/* scrim body plot FILE... */
typedef struct plot_state {
    sc_body_view views[SC_BODY_PICTURE_BODIES];
    sc_body_picture picture;
    sc_body_points points;
} plot_state;

static scrim_status draw_text(const sc_body_picture *picture, scrim_error *error)
{
    sc_terminal terminal;
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "a drawing");
    sc_output_init(output, STDOUT_FILENO);
    sc_terminal_look(STDOUT_FILENO, &terminal);
    SC_TRY(sc_body_picture_write(picture, output, &terminal, error));
    return sc_output_finish(output, error);
}

static scrim_status read_points(plot_state *s, const sc_options *options,
                                scrim_error *error)
{
    if (!sc_options_has(options, SCRIM_OPTION_AT) &&
        !sc_options_has(options, SCRIM_OPTION_CSV))
        return SCRIM_OK;
    if (!sc_options_has(options, SCRIM_OPTION_SVG))
        return sc_refuse(error, "points are drawn into a file; add --svg FILE");
    s->picture.points = &s->points;
    return sc_body_points_read(&s->points, &s->views[0], options, error);
}

static scrim_status run_plot(const sc_options *options, scrim_error *error)
{
    const char *svg = options->value[SCRIM_OPTION_SVG];
    plot_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return sc_out_of_memory(error, "a drawing");
    scrim_status status =
        svg == NULL ? SCRIM_OK : sc_file_writer_check("--svg", svg, error);
    if (status == SCRIM_OK)
        status = sc_body_views_open(s->views, SC_BODY_PICTURE_BODIES, &s->picture.count,
                                    options, "scrim body plot body.json", error);
    for (size_t i = 0; i < s->picture.count; i++)
        s->picture.views[i] = &s->views[i];
    if (status == SCRIM_OK)
        status = sc_body_picture_choose(&s->picture, options->value[SCRIM_OPTION_COLUMNS],
                                        error);
    if (status == SCRIM_OK)
        status = read_points(s, options, error);
    if (status == SCRIM_OK)
        status = sc_body_picture_init(&s->picture, error);
    if (status == SCRIM_OK)
        status = svg == NULL ? draw_text(&s->picture, error)
                             : sc_body_picture_svg(&s->picture, svg, error);
    if (status == SCRIM_OK)
        sc_body_view_note(&s->views[0], options);
    sc_body_points_clear(&s->points);
    for (size_t i = 0; i < SC_BODY_PICTURE_BODIES; i++)
        sc_body_view_close(&s->views[i]);
    free(s);
    return status;
}

static const char plot_usage[] =
    "Draws the body in the plane of two columns, with its Steiner point and the\n"
    "released half-spaces; for more columns a panel for each pair, with the shadow of\n"
    "the body. Up to 4 bodies with the same columns are drawn over one another,\n"
    "without half-spaces if there are more than 2. No row of the data is drawn: the\n"
    "file has none. With --svg, public points of your own can be drawn below them.\n"
    "\n" SC_USAGE_POINTS
    "  --columns A,B,...  only these columns, 2 to 6 (default: all)\n"
    "  --svg FILE         write the drawing to a file instead\n" SC_USAGE_PROOF
    "  --quiet            no notes on standard error\n"
    "\n"
    "example: scrim body plot body.json --svg body.svg\n";

const sc_command sc_body_plot = {
    .name = "plot",
    .synopsis = "FILE... [--svg FILE]",
    .summary = "draw bodies",
    .usage = plot_usage,
    .kind = SC_COMMAND_CHECK,
    .options = SC_OPTION_SET(SCRIM_OPTION_COLUMNS, SCRIM_OPTION_SVG, SCRIM_OPTION_AT,
                             SCRIM_OPTION_CSV, SCRIM_OPTION_SEED),
    .run = run_plot,
};

/* scrim body admissible --q Q --directions M --epsilon E [--delta D] */
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

/* "log-concave", which is 0, or "stable=1.5". */
static scrim_status read_law(const char *text, double *out, scrim_error *error)
{
    static const char name[] = "stable=";
    if (text == NULL || strcmp(text, "log-concave") == 0)
        return SCRIM_OK;
    *out = strncmp(text, name, strlen(name)) == 0 ? sc_number_view(text + strlen(name))
                                                  : (double)NAN;
    return *out > 0
               ? SCRIM_OK
               : sc_refuse(error,
                           "unknown law '%.40s'; use log-concave or stable=A with an "
                           "index A from 0.5 to 2",
                           text);
}

static scrim_status read_admissible(const sc_options *options,
                                    scrim_admissible_options *out, scrim_error *error)
{
    double q = 0, epsilon = 0, delta = 0, distance = 0, confidence = 0.95, stable = 0;
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
    SC_TRY(read_law(options->value[SCRIM_OPTION_LAW], &stable, error));
    *out = *SCRIM_OPTIONS(scrim_admissible_options, .q = q, .stable = stable,
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
    scrim_status status = read_admissible(options, &asked, error);
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
        sc_talk("for a %s; about accuracy only, and sufficient, not necessary\n",
                asked.stable > 0
                    ? "stable distribution of this index, in its own units"
                    : "symmetric log-concave distribution with deviation 1 in each "
                      "direction");
    return status;
}

static const char admissible_usage[] =
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
    "  --law stable=A     instead: a spherical stable law with index A, 0.5 to 2 (1\n"
    "                     is Cauchy's), in its own units\n"
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
    .usage = admissible_usage,
    .kind = SC_COMMAND_LIST,
    .options = SC_OPTION_SET(
        SCRIM_OPTION_Q, SCRIM_OPTION_DIRECTIONS, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA,
        SCRIM_OPTION_TARGET_ERROR, SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_LAW),
    .run = run_admissible,
};
