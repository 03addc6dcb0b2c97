/* scrim audit --losses: the privacy loss of each outcome on the worst pair, and its distribution as a drawing. */
#include "cli/display/chart.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/mechanism/audit_writer.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/talk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS_SHOWN 24
#define HEIGHT 430
#define LEFT 80
#define SUMMARY_BYTES 512

/* A step of the distribution: outcomes of one loss. */
typedef struct step {
    scrim_audit_outcome first;
    size_t outcomes;
    double x, y; /* their probabilities together */
} step;

typedef struct losses_page {
    const scrim_measurement *measurement;
    const scrim_audit_losses *losses;
    scrim_audit_outcome
        only;    /* the outcome that was asked for; its text is NULL: none was */
    step *steps; /* the largest loss first */
    size_t step_count;
    double *points; /* of the drawing: losses, and probabilities behind all of them */
    size_t point_count;
} losses_page;

static double middle(double lower, double upper)
{
    return isfinite(lower) && isfinite(upper) ? lower + (upper - lower) / 2 : lower;
}

static double loss_of(const scrim_audit_outcome *outcome)
{
    return middle(outcome->loss_lower, outcome->loss_upper);
}

static double reached_of(const scrim_audit_outcome *outcome)
{
    return middle(outcome->reached_lower, outcome->reached_upper);
}

/* Outcomes of one loss are reached together. */
static scrim_status make_steps(losses_page *page, scrim_error *error)
{
    const size_t count = scrim_audit_losses_count(page->losses);
    page->steps = calloc(count + 1, sizeof *page->steps);
    if (page->steps == NULL)
        return sc_out_of_memory(error, "the losses");
    for (size_t i = 0; i < count; i++) {
        scrim_audit_outcome outcome;
        SC_TRY(scrim_audit_losses_get(page->losses, i, &outcome, error));
        step *last = page->step_count == 0 ? NULL : &page->steps[page->step_count - 1];
        if (last == NULL || last->first.reached_lower < outcome.reached_lower ||
            last->first.loss_lower > outcome.loss_upper) {
            last = &page->steps[page->step_count++];
            last->first = outcome;
        }
        last->outcomes++;
        last->x += middle(outcome.x_lower, outcome.x_upper);
        last->y += middle(outcome.y_lower, outcome.y_upper);
    }
    return SCRIM_OK;
}

/* Rows. */

static void add_number(sc_listing *listing, double value, bool is_short)
{
    char text[SC_BOUND_BYTES];
    if (is_short)
        sc_bound_format(value, true, text);
    else
        sc_bound_format_exact(value, text);
    sc_listing_put(listing, "%s", text);
}

static void add_outcome(sc_listing *listing, const scrim_audit_outcome *outcome)
{
    sc_listing_put(listing, "%s", outcome->outcome);
    add_number(listing, middle(outcome->x_lower, outcome->x_upper), false);
    add_number(listing, middle(outcome->y_lower, outcome->y_upper), false);
    add_number(listing, loss_of(outcome), false);
    add_number(listing, reached_of(outcome), false);
}

static scrim_status write_rows(const losses_page *page, sc_screen *screen,
                               scrim_error *error)
{
    static const sc_listing_column columns[] = {{.name = "outcome"},
                                                {"x", SC_KIND_BOUND},
                                                {"y", SC_KIND_BOUND},
                                                {"loss", SC_KIND_BOUND},
                                                {"reached", SC_KIND_BOUND}};
    sc_listing listing = SC_LISTING(columns, &screen->output, screen->format, NULL);
    scrim_status status = SCRIM_OK;
    sc_json *json = sc_listing_open(&listing);
    if (json != NULL) {
        sc_json_text(json, "measurement", scrim_measurement_text(page->measurement));
        sc_json_text(json, "pair", scrim_audit_losses_pair(page->losses));
        sc_json_double(json, "unlisted", scrim_audit_losses_unlisted(page->losses));
    }
    if (page->only.outcome != NULL)
        add_outcome(&listing, &page->only);
    const size_t count =
        page->only.outcome != NULL ? 0 : scrim_audit_losses_count(page->losses);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        scrim_audit_outcome outcome;
        status = scrim_audit_losses_get(page->losses, i, &outcome, error);
        if (status == SCRIM_OK)
            add_outcome(&listing, &outcome);
    }
    return sc_listing_close(&listing, status, error);
}

/* A table for people: one row for each loss, or for some of many. */

static void add_step(sc_listing *box, const step *s)
{
    if (s->outcomes == 1)
        sc_listing_put(box, "%s", s->first.outcome);
    else
        sc_listing_put(box, "%s and %zu more", s->first.outcome, s->outcomes - 1);
    add_number(box, s->x, true);
    add_number(box, s->y, true);
    add_number(box, loss_of(&s->first), true);
    add_number(box, reached_of(&s->first), true);
}

static scrim_status write_box(const losses_page *page, sc_screen *screen,
                              scrim_error *error)
{
    static const sc_listing_column columns[] = {{.name = "outcome"},
                                                {.name = "on x"},
                                                {.name = "on y"},
                                                {.name = "loss"},
                                                {.name = "loss at least this"}};
    sc_listing box =
        SC_LISTING(columns, &screen->output, SCRIM_FORMAT_TABLE, &screen->terminal);
    const size_t every = (page->step_count + ROWS_SHOWN - 1) / ROWS_SHOWN;
    const step only = {.first = page->only,
                       .outcomes = 1,
                       .x = middle(page->only.x_lower, page->only.x_upper),
                       .y = middle(page->only.y_lower, page->only.y_upper)};
    if (page->only.outcome != NULL)
        add_step(&box, &only);
    for (size_t i = 0; page->only.outcome == NULL && i < page->step_count; i++)
        if (i % every == 0 || i + 1 == page->step_count)
            add_step(&box, &page->steps[i]);
    SC_TRY(sc_listing_close(&box, SCRIM_OK, error));
    if (page->only.outcome == NULL && every > 1)
        sc_output_format(&screen->output,
                         "losses      %zu, some of them shown; CSV and JSON have all\n",
                         page->step_count);
    return SCRIM_OK;
}

static void talk(const void *context, sc_output *output, const sc_terminal *terminal)
{
    const losses_page *page = context;
    const size_t begin = sc_fold_begin(output);
    sc_output_format(output, "pair        %s\n", scrim_audit_losses_pair(page->losses));
    if (scrim_audit_losses_unlisted(page->losses) > 0)
        sc_output_format(output,
                         "truncated   outcomes with a total probability of %.2g on x\n",
                         scrim_audit_losses_unlisted(page->losses));
    sc_fold_end(output, begin, terminal->columns);
}

static scrim_status write_page(void *context, sc_screen *screen, scrim_error *error)
{
    const losses_page *page = context;
    if (screen->format != SCRIM_FORMAT_TABLE)
        return write_rows(page, screen, error);
    sc_fold_line(&screen->output, "audited", scrim_measurement_text(page->measurement),
                 screen->terminal.columns);
    talk(page, &screen->output, &screen->terminal);
    return write_box(page, screen, error);
}

/* The drawing: the probability of a loss at least as large, as steps. */

static void add_point(losses_page *page, size_t room, double loss, double probability)
{
    page->points[page->point_count] = loss;
    page->points[room + page->point_count++] = probability;
}

static scrim_status make_points(losses_page *page, scrim_error *error)
{
    const size_t room = 2 * page->step_count + 2;
    double before = (double)NAN, beyond = 0;
    page->points = calloc(2 * room, sizeof *page->points);
    if (page->points == NULL)
        return sc_out_of_memory(error, "the drawing");
    for (size_t i = page->step_count; i-- > 0;) {
        const double loss = loss_of(&page->steps[i].first);
        const double reached = reached_of(&page->steps[i].first);
        if (loss > 0 && isinf(loss))
            beyond = reached;
        if (isinf(loss))
            continue;
        add_point(page, room, isnan(before) ? loss : before, reached);
        add_point(page, room, loss, reached);
        before = loss;
    }
    if (!isnan(before))
        add_point(page, room, before, beyond);
    return SCRIM_OK;
}

static void set_axes(const losses_page *page, sc_chart *chart)
{
    sc_chart_axis_init(&chart->x, "privacy loss on x", false);
    sc_chart_axis_init(&chart->y, "probability", false);
    for (size_t i = 0; i < page->point_count; i++)
        sc_chart_axis_widen(&chart->x, page->points[i]);
    if (!(chart->x.low < chart->x.high)) {
        chart->x.low = page->point_count == 0 ? 0 : chart->x.low - 1;
        chart->x.high = chart->x.low + 2;
    }
    chart->y.low = 0;
    chart->y.high = 1;
    const double apart = sc_axis_step(chart->x.high - chart->x.low, SC_AXIS_LABELS);
    sc_chart_axis_label(&chart->x, ceil(chart->x.low / apart - 1e-9) * apart, apart);
    sc_chart_axis_label(&chart->y, 0, 0.2);
}

static sc_chart chart_of(const losses_page *page)
{
    sc_chart chart = {.title = scrim_measurement_text(page->measurement),
                      .points = page->points,
                      .count = page->point_count,
                      .stride = 1,
                      .lines = {{.words = "of a loss at least as large",
                                 .y = page->points + 2 * page->step_count + 2}},
                      .line_count = 1,
                      .names_y = true,
                      .rows = 15,
                      .label_chars = 7,
                      .margin = 8};
    set_axes(page, &chart);
    return chart;
}

static void draw(const void *context, sc_output *output, const sc_terminal *terminal)
{
    const sc_chart chart = chart_of(context);
    sc_chart_terminal_write(output, &chart, terminal);
}

static void draw_svg(const void *context, sc_output *output)
{
    static const sc_svg_field field = {
        .left = LEFT, .right = SC_SVG_WIDTH - 20, .top = 70, .bottom = HEIGHT - 70};
    const losses_page *page = context;
    const sc_chart chart = chart_of(page);
    char summary[SUMMARY_BYTES];
    snprintf(summary, sizeof summary, "chance of a loss at least as large; inputs %s",
             scrim_audit_losses_pair(page->losses));
    sc_svg_open_headed(
        output, HEIGHT,
        &(sc_svg_heading){.title = chart.title, .summary = summary, .x = LEFT, .y = 24});
    sc_chart_svg_write(output, &chart, &field);
    sc_svg_close(output);
}

scrim_status sc_losses_show(const scrim_measurement *measurement,
                            const scrim_audit_losses *losses, const char *outcome,
                            sc_screen *screen, scrim_error *error)
{
    static const sc_screen_page parts = {write_page, draw, draw_svg, talk, true};
    losses_page page = {.measurement = measurement, .losses = losses};
    scrim_status status = SCRIM_OK;
    if (outcome != NULL)
        status = scrim_audit_losses_find(losses, outcome, &page.only, error);
    if (status == SCRIM_OK)
        status = make_steps(&page, error);
    if (status == SCRIM_OK)
        status = make_points(&page, error);
    if (status == SCRIM_OK)
        status = sc_screen_show(screen, &parts, &page, error);
    free(page.steps);
    free(page.points);
    return status;
}
