/* scrim compose "PARTS" --delta D | --epsilon E */
#include "cli/display/curve_plot.h"
#include "cli/mechanism/compose_writer.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/talk.h"
#include "cli/verb/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Knots of a curve, at most, and with the corners of the steps between them. */
#define POINTS 16
#define CORNERS (3 * POINTS)

typedef struct compose_state {
    scrim_composition *parts, *one; /* for groups, parts is made from one */
    scrim_bounds bounds;
    sc_compose_view view;
    const char *accountant; /* NULL: all */
    char *line;             /* the parts as they were given */
    sc_progress progress;
    sc_bounds_point points[2][CORNERS];
    sc_bounds_view curves[2];
    size_t curve_count;
    sc_screen screen;
} compose_state;

/* The request. */

static scrim_status read_question(compose_state *state, const sc_options *options,
                                  scrim_error *error)
{
    const char *delta = options->value[SCRIM_OPTION_DELTA],
               *epsilon = options->value[SCRIM_OPTION_EPSILON];
    if ((delta == NULL) == (epsilon == NULL))
        return sc_refuse(
            error, "give --delta to compute epsilon, or --epsilon to compute delta; %s",
            delta == NULL ? "one of them" : "not both");
    state->view.for_epsilon = delta != NULL;
    state->view.at = delta != NULL ? delta : epsilon;
    return SCRIM_OK;
}

/* The parts against groups, in place of those against one unit. */
static scrim_status read_group(compose_state *state, const sc_options *options,
                               scrim_error *error)
{
    uint64_t units = 0;
    SC_TRY(sc_options_positive(options, SCRIM_OPTION_GROUP, 1 << 20, 0, &units, error));
    if (units == 0)
        return SCRIM_OK;
    state->one = state->parts;
    state->parts = NULL;
    return scrim_composition_group(state->one, units, &state->parts, error);
}

static scrim_status read_request(compose_state *state, const sc_options *options,
                                 scrim_error *error)
{
    state->accountant = options->value[SCRIM_OPTION_ACCOUNTANT];
    if (options->word_count < 2)
        return sc_refuse(error, "name the parts, as in 'scrim compose \"laplace "
                                "scale=10 x100; gaussian sigma=20 x50\" --delta 1e-6'");
    SC_TRY(read_question(state, options, error));
    SC_TRY(sc_screen_read(options, &state->screen, error));
    state->line = sc_word_line(options->words + 1, options->word_count - 1);
    if (state->line == NULL)
        return sc_out_of_memory(error, "the arguments");
    SC_TRY(scrim_composition_parse(state->line, &state->parts, error));
    return read_group(state, options, error);
}

/* Asking. */

#define OPTIONS(state)                                                                   \
    SCRIM_OPTIONS(scrim_composition_options, .accountant = (state)->accountant,          \
                  .progress = sc_progress_told, .context = &(state)->progress)

static const char *best_name(const scrim_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].is_best)
            return bounds->rows[i].accountant.name;
    return NULL;
}

static scrim_status take_at_zero(compose_state *state, const char *name,
                                 scrim_error *error)
{
    scrim_bounds found;
    const scrim_status status = scrim_composition_delta(
        state->parts, "0", SCRIM_OPTIONS(scrim_composition_options, .accountant = name),
        &found, error);
    if (status != SCRIM_OK)
        return status;
    if (found.best.has_upper)
        state->view.distance = fmin(state->view.distance, found.best.upper_view);
    scrim_bounds_clear(&found);
    return SCRIM_OK;
}

/* The delta at epsilon 0 bounds how often a guess is right, often far below what one epsilon says. The accountant that is
 * the best for the question is asked, as all of them would take as long again, and the one of rhos, which takes no time. */
static scrim_status ask_at_zero(compose_state *state, scrim_error *error)
{
    static const char quick[] = "concentrated";
    const char *name = best_name(&state->bounds);
    state->view.distance = 1;
    if (name == NULL)
        return SCRIM_OK;
    SC_TRY(take_at_zero(state, name, error));
    return strcmp(name, quick) == 0 || state->accountant != NULL
               ? SCRIM_OK
               : take_at_zero(state, quick, error);
}

static scrim_status ask(compose_state *state, scrim_error *error)
{
    sc_compose_view *view = &state->view;
    sc_progress_start(&state->progress, 0, "bounds", !state->screen.quiet);
    scrim_status status =
        (view->for_epsilon ? scrim_composition_epsilon : scrim_composition_delta)(
            state->parts, view->at, OPTIONS(state), &state->bounds, error);
    view->parts = state->parts;
    view->bounds = &state->bounds;
    if (status == SCRIM_OK)
        status = ask_at_zero(state, error);
    sc_progress_end(&state->progress);
    return status;
}

/* The curves. */

/* The delta of the question, given or found, as a view; 0 if it is not below
 * 1. */
static double delta_of(const compose_state *state, const char **text)
{
    const scrim_bounds *bounds = &state->bounds;
    const double view =
        state->view.for_epsilon ? bounds->at_view : bounds->best.upper_view;
    *text = state->view.for_epsilon ? state->view.at : bounds->best.upper;
    return view < 1 ? view : 0;
}

/* Steps from knot to knot: epsilon is monotone, so between two knots it is below the larger upper bound and above the smaller
 * lower one, where a straight line may lie on the wrong side. Returns the number of points. */
static size_t set_points(sc_bounds_point *points, const double *x,
                         const scrim_bound_pair *bounds, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const scrim_bound_pair *here = &bounds[i], *next = &bounds[i + 1];
        points[used++] = (sc_bounds_point){x[i], here->lower_view, here->upper_view};
        if (i + 1 == count)
            break;
        const double lower = fmin(here->lower_view, next->lower_view),
                     upper = fmax(here->upper_view, next->upper_view);
        points[used++] = (sc_bounds_point){x[i], lower, upper};
        points[used++] = (sc_bounds_point){x[i + 1], lower, upper};
    }
    return used;
}

#define DECADES 12
#define DECADES_MOST 300

/* Deltas at which epsilon is asked. */
typedef struct knots {
    char texts[POINTS][16];
    const char *deltas[POINTS];
    double at[POINTS];
    size_t count;
} knots;

static void add_knot(knots *k, double at, const char *delta)
{
    k->at[k->count] = at;
    k->deltas[k->count++] = delta;
}

/* Powers of ten, from far below the delta that was asked for up to 1/10, and that delta, if it is above 0. */
static void put_knots(knots *k, double delta, const char *asked)
{
    const double decades = delta > 0 ? ceil(-1.5 * log10(delta)) : DECADES;
    const int span = decades < DECADES        ? DECADES
                     : decades < DECADES_MOST ? (int)decades
                                              : DECADES_MOST;
    const int step = (span + POINTS - 3) / (POINTS - 2);
    double before = 0;
    for (int i = span / step - 1; i >= 0; i--) {
        const int power = 1 + step * i;
        const double knot = pow(10, -power);
        if (delta > before * (1 + 1e-9) && delta < knot * (1 - 1e-9))
            add_knot(k, delta, asked);
        snprintf(k->texts[k->count], sizeof *k->texts, "1e-%d", power);
        add_knot(k, knot, k->texts[k->count]);
        before = knot;
    }
    if (delta > before * (1 + 1e-9))
        add_knot(k, delta, asked);
}

static scrim_status make_delta_curve(compose_state *state, scrim_error *error)
{
    knots k = {.count = 0};
    const char *asked;
    scrim_bound_pair found[POINTS];
    const double delta = delta_of(state, &asked);
    put_knots(&k, delta, asked);
    SC_TRY(scrim_composition_curve(state->parts, k.deltas, k.count, OPTIONS(state), found,
                                   error));
    state->curves[state->curve_count++] =
        (sc_bounds_view){.title = "epsilon against delta",
                         .x_name = "delta",
                         .x_is_log = true,
                         .points = state->points[0],
                         .count = set_points(state->points[0], k.at, found, k.count),
                         .has_mark = delta > 0,
                         .mark = delta};
    return SCRIM_OK;
}

/* epsilon against the number of releases, at the delta of the question; no curve without a delta. */
static scrim_status make_growth_curve(compose_state *state, scrim_error *error)
{
    uint64_t releases[POINTS];
    double at[POINTS];
    scrim_bound_pair found[POINTS];
    const char *delta;
    const uint64_t all = scrim_composition_releases(state->parts);
    size_t count = all < POINTS ? (size_t)all : POINTS;
    if (!(delta_of(state, &delta) > 0) || all < 2)
        return SCRIM_OK;
    for (size_t i = 0; i < count; i++) {
        releases[i] = i + 1 == count ? all : all / count * i + 1;
        at[i] = (double)releases[i];
    }
    SC_TRY(scrim_composition_growth(state->parts, delta, releases, count, OPTIONS(state),
                                    found, error));
    count = set_points(state->points[1], at, found, count);
    state->curves[state->curve_count++] =
        (sc_bounds_view){.title = "epsilon against the number of releases",
                         .x_name = "releases, in the order of the parts",
                         .points = state->points[1],
                         .count = count};
    return SCRIM_OK;
}

static scrim_status make_curves(compose_state *state, scrim_error *error)
{
    if (!sc_screen_draws(&state->screen))
        return SCRIM_OK;
    sc_progress_start(&state->progress, 0, "points", !state->screen.quiet);
    scrim_status status = make_delta_curve(state, error);
    if (status == SCRIM_OK)
        status = make_growth_curve(state, error);
    sc_progress_end(&state->progress);
    return status;
}

static void draw_svg(const void *context, sc_output *output)
{
    const compose_state *state = context;
    char summary[SC_COMPOSE_SUMMARY_BYTES];
    sc_compose_summary(&state->view, summary);
    sc_bounds_svg_write(output, state->line, summary, state->curves, state->curve_count);
}

static void draw(const void *context, sc_output *output, const sc_terminal *terminal)
{
    const compose_state *state = context;
    for (size_t i = 0; i < state->curve_count; i++)
        sc_bounds_terminal_write(output, &state->curves[i], terminal);
}

static void write_meaning(const void *context, sc_output *output,
                          const sc_terminal *terminal)
{
    sc_compose_meaning_write(output, &((const compose_state *)context)->view,
                             terminal->columns);
}

static scrim_status write_bounds(void *context, sc_screen *screen, scrim_error *error)
{
    return sc_compose_write(&screen->output, &((const compose_state *)context)->view,
                            screen->format, &screen->terminal, error);
}

static scrim_status compose(compose_state *state, const sc_options *options,
                            scrim_error *error)
{
    static const sc_screen_page page = {write_bounds, draw, draw_svg, write_meaning,
                                        true};
    SC_TRY(read_request(state, options, error));
    SC_TRY(ask(state, error));
    SC_TRY(make_curves(state, error));
    return sc_screen_show(&state->screen, &page, state, error);
}

static scrim_status run_compose(const sc_options *options, scrim_error *error)
{
    SC_FREED compose_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    const scrim_status status = compose(state, options, error);
    scrim_bounds_clear(&state->bounds);
    scrim_composition_free(state->parts);
    scrim_composition_free(state->one);
    free(state->line);
    return status;
}

const sc_verb sc_verb_compose = {
    .name = "compose",
    .synopsis = "\"PARTS\" --delta D|--epsilon E [OPTION...]",
    .summary = "Compute the joint cost of many releases, by every accountant",
    .usage =
        "Computes an upper and a lower bound on the joint epsilon of all parts at a\n"
        "delta, or on their delta at an epsilon. The best upper bound is marked. It "
        "uses\n"
        "no data and spends nothing. Parts are separated by ';':\n"
        "\n"
        "  [poisson rate=R] MECHANISM key=value... [xN]\n"
        "\n"
        "MECHANISM is one of 'scrim list mechanisms', or continuous-gaussian sigma=R or\n"
        "continuous-laplace scale=R for comparison. xN repeats a part N times. poisson\n"
        "means that the part runs on a secret sample, which has each unit with\n"
        "probability R. Defaults: neighbours=add-remove, sensitivity=1, threshold=0.\n"
        "A guarantee that is stated, and of which nothing else is known, is a part too,\n"
        "such as what 'scrim local amplify' prints, as epsilon=R delta=R:\n"
        "\n"
        "  epsilon=R [delta=R]   rho=R [xi=R]   renyi order=R epsilon=R   gdp mu=R\n"
        "\n"
        "Its bounds are those of the worst mechanism that has it.\n"
        "\n"
        "  --delta D    compute epsilon at this delta, at least 0 and less than 1\n"
        "  --epsilon E  compute delta at this epsilon, at least 0\n"
        "  --group K    compute what K units together lose, such as a household\n"
        "  --accountant NAME  use only this accountant\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json       short for --format json\n"
        "  --plot       draw epsilon against delta and against the number of releases:\n"
        "               on a terminal above the table, otherwise on standard error\n"
        "  --svg FILE   write the same drawing to a file\n"
        "  --quiet      show no progress, notes or drawing on standard error\n"
        "\n"
        "example: scrim compose \"laplace scale=9 x100; gaussian sigma=20\" --delta "
        "1e-6\n",
    .kind = SC_COMMAND_PLAN,
    .options = SC_OPTION_SET(SCRIM_OPTION_DELTA, SCRIM_OPTION_EPSILON, SCRIM_OPTION_GROUP,
                             SCRIM_OPTION_ACCOUNTANT),
    .run = run_compose,
};
