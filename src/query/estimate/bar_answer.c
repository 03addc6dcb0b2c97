#include "query/estimate/bar_answer.h"

#include "base/number/ball.h"
#include "mechanism/histogram/stlap.h"
#include "mechanism/noise/laplace.h"
#include "query/estimate/noise_sum.h"
#include "query/estimate/real_digits.h"
#include "query/language/key_text.h"

#include <inttypes.h>
#include <stdio.h>

bool sc_bar_is_noisy(const scrim_measurement *measurement)
{
    return measurement->mechanism == &sc_laplace;
}

bool sc_bar_noise_radius(const sc_law *law, const sc_ratio *confidence, uint64_t buckets,
                         sc_int128 *out)
{
    SC_OWN(sc_ratio, beta, divisor);
    sc_ratio_set_int64(&beta, 1);
    sc_ratio_sub(&beta, &beta, confidence);
    sc_ratio_set_int128(&divisor, (sc_int128)buckets);
    sc_ratio_div(&beta, &beta, &divisor);
    return sc_noise_law_radius(law, &beta, out, NULL) == SCRIM_OK &&
           *out <= (sc_int128)SC_BARS_COUNT_MAX;
}

static bool set_noise(const sc_bar_source *source, sc_bar_view *out)
{
    const sc_law *law = sc_noise_law(source->measurement);
    sc_int128 all;
    if (!sc_bar_noise_radius(law, source->confidence, out->grid.count, &all) ||
        !sc_bar_noise_radius(law, source->confidence, 1, &out->within))
        return false;
    out->is_noisy = true;
    out->confidence = source->confidence;
    out->shift = (uint64_t)all;
    out->most = 2 * out->shift;
    return true;
}

bool sc_bar_view_set(const sc_statistics *statistics, size_t statistic,
                     const sc_bar_source *source, sc_bar_view *out)
{
    const scrim_measurement *measurement = source->measurement;
    if (measurement->mechanism != &sc_stlap && !sc_bar_is_noisy(measurement))
        return false;
    *out = (sc_bar_view){.grid = sc_bar_view_grid(statistics, statistic, source->width),
                         .is_people = source->max_rows <= 1,
                         .is_grouped = source->is_grouped};
    if (out->grid.count > SC_BAR_GRID_COUNT)
        return false;
    if (sc_bar_is_noisy(measurement))
        return set_noise(source, out);
    out->most = sc_stlap_q(measurement);
    return true;
}

sc_bar_grid sc_bar_view_grid(const sc_statistics *statistics, size_t statistic,
                             int64_t width)
{
    const sc_group_value *value = &statistics->groups[statistics->list[statistic].value];
    return sc_bar_grid_of(value->low, value->high, width);
}

void sc_bar_view_law(const scrim_measurement *measurement, sc_law *law)
{
    if (sc_bar_is_noisy(measurement)) {
        const sc_law *noise = sc_noise_law(measurement);
        sc_law_init(law, noise->functions, &noise->shape, noise->bound);
        return;
    }
    const sc_stlap_state *state = sc_stlap_state_of(measurement);
    sc_law_init(law, &sc_shifted_laplace_law, &state->epsilon, (sc_int128)state->q);
}

#define BITS 96
#define PLACES 96

/* rows w / values. */
sc_int128 sc_bar_rows(const sc_bar_grid *grid, const sc_ratio *rows)
{
    sc_int128 count = 0;
    SC_OWN(sc_ratio, x, y);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&x, grid->width);
    sc_ratio_mul(&x, &x, rows);
    sc_ratio_set_int128(&y, (sc_int128)grid->high - grid->low + 1);
    sc_ratio_div(&x, &x, &y);
    if (sc_ratio_compare(&x, rows) > 0)
        sc_ratio_set(&x, rows);
    sc_ratio_floor(&x, &whole);
    if (!sc_integer_get_int128(&whole, &count))
        count = (sc_int128)1 << 62;
    return count;
}

/* P(Z >= k - n), n > 0 rows in a bucket; of noise P(Z >= k + a - n). False where it is 0, or nothing is there to be shown. */
static bool shown(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ball *p)
{
    const sc_int128 least = (sc_int128)guess->k - sc_bar_rows(grid, guess->rows);
    sc_int128 shift = 0;
    if (least > 0 ||
        (guess->confidence != NULL &&
         !sc_bar_noise_radius(guess->law, guess->confidence, grid->count, &shift)))
        return false;
    sc_law_at_least(guess->law, least + shift, BITS, p);
    return true;
}

/* width (1/p - 1) + radius; false where p is too small to be told from 0. */
static bool error_of(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ratio *out)
{
    sc_ball p, x, one;
    bool is_known = false;
    sc_ball_init(&p);
    sc_ball_init(&x);
    sc_ball_init(&one);
    if (!shown(grid, guess, &p))
        goto done;
    sc_ball_set_int64(&one, 1);
    sc_ball_sub(&x, &one, &p, BITS);
    sc_ball_div(&x, &x, &p, BITS);
    sc_ball_set_int64(&one, grid->width);
    sc_ball_mul(&x, &x, &one, BITS);
    sc_ball_set_int64(&one, sc_bar_grid_radius(grid));
    sc_ball_add(&x, &x, &one, BITS);
    is_known = sc_ball_is_finite(&x) && sc_ball_round_up(&x, PLACES, out);
done:
    sc_ball_clear(&one);
    sc_ball_clear(&x);
    sc_ball_clear(&p);
    return is_known;
}

static void exact_error(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ratio *out)
{
    SC_OWN(sc_ratio, range);
    sc_ratio_set_int128(&range, (sc_int128)grid->high - grid->low);
    if (!error_of(grid, guess, out) || sc_ratio_compare(out, &range) > 0)
        sc_ratio_set(out, &range);
}

void sc_bar_error(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ratio *out)
{
    SC_BALL_SCOPE(scope);
    exact_error(grid, guess, out);
}

/* (1 - p)^buckets >= 1/2, as logarithms. */
bool sc_bar_shows_nothing(const sc_bar_grid *grid, const sc_bar_guess *guess)
{
    bool is_so = true;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, p, none, half);
    if (shown(grid, guess, &p)) {
        sc_ball_set_int64(&half, 1);
        sc_ball_mul_power2(&half, &half, -1);
        is_so = sc_ball_is_less_equal(&p, &half);
        sc_ball_log(&half, &half, BITS);
        sc_ball_neg(&none, &p);
        sc_ball_log1p(&none, &none, BITS);
        sc_ball_mul_int64(&none, &none, (int64_t)grid->count, BITS);
        is_so = is_so && sc_ball_is_less_equal(&half, &none);
    }
    return is_so;
}

/* 1, 2, 5, 10, 20, ...: the next one; 0 behind the last. */
static int64_t next_width(int64_t width)
{
    int64_t lead = width;
    while (lead % 10 == 0)
        lead /= 10;
    if (width > SC_BAR_GRID_WIDTH / 3)
        return 0;
    return lead == 2 ? width / 2 * 5 : 2 * width;
}

/* Where no width of the list has few enough buckets: the least that has, or the widest of all; 0 when
 * that has too many as well. */
static int64_t widest(int64_t low, int64_t high, uint64_t most)
{
    int64_t width = most < 2 ? INT64_MAX : sc_bar_grid_least_width(low, high, most);
    if (width > SC_BAR_GRID_WIDTH)
        width = SC_BAR_GRID_WIDTH;
    return sc_bar_grid_of(low, high, width).count <= most ? width : 0;
}

int64_t sc_bar_width_choose(int64_t low, int64_t high, uint64_t most,
                            const sc_bar_guess *guess)
{
    int64_t chosen = 0;
    SC_OWN(sc_ratio, error, best, range);
    sc_ratio_set_int128(&range, (sc_int128)high - low);
    SC_BALL_SCOPE(scope);
    for (int64_t width = 1; width > 0; width = next_width(width)) {
        const sc_bar_grid grid = sc_bar_grid_of(low, high, width);
        if (grid.count > most)
            continue;
        exact_error(&grid, guess, &error);
        /* If every width is as bad as the whole range, prefer wider buckets, which hold more. */
        if (chosen == 0 || sc_ratio_compare(&error, &best) < 0 ||
            (sc_ratio_compare(&best, &range) >= 0 && sc_ratio_sign(&range) > 0)) {
            sc_ratio_set(&best, &error);
            chosen = width;
        }
        if (grid.count <= 2)
            break;
    }
    return chosen > 0 ? chosen : widest(low, high, most);
}

/* The bucket of the value. */

typedef struct finding {
    bool is_empty;
    uint64_t place, other; /* of RANGE the last place and the first one */
} finding;

/* The bars without what noise may have added. */
static size_t lower_bars(const sc_bar_view *view, const sc_drawn_bar *drawn, size_t count,
                         sc_bar *out)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (drawn[i].count > (int64_t)view->shift)
            out[left++] =
                (sc_bar){drawn[i].place, (uint64_t)drawn[i].count - view->shift};
    return left;
}

/* The mechanism's statistics see the places of buckets, 0, 1, 2, ..., as values. */
static scrim_status find_among(const sc_query_aggregate *a, const sc_bar_view *view,
                               const sc_bar *shown, size_t shown_count, finding *out,
                               scrim_error *error)
{
    sc_buckets places;
    sc_bars bars;
    sc_exact_finding found;
    SC_OWN(sc_ratio, zero, one);
    sc_ratio_set_int64(&one, 1);
    *out = (finding){.is_empty = true};
    scrim_status status =
        sc_buckets_init_points(&places, &zero, &one, view->grid.count, error);
    if (status != SCRIM_OK)
        return status;
    const sc_bars_facts facts = {
        .buckets = &places, .q = view->most, .bars_max = view->grid.count};
    status = sc_bars_init(&bars, &facts, shown, shown_count, error);
    if (status == SCRIM_OK) {
        status = a->kind->bars->find(a, &bars, &found, error);
        if (status == SCRIM_OK) {
            *out = (finding){.is_empty = found.is_empty, .place = found.place};
            out->other = bars.count == 0 ? 0 : bars.bars[0].place;
            sc_finding_clear(&found);
        }
        sc_bars_clear(&bars);
    }
    sc_buckets_clear(&places);
    return status;
}

static scrim_status find(const sc_query_aggregate *a, const sc_bar_view *view,
                         const sc_drawn_bar *drawn, size_t count, finding *out,
                         scrim_error *error)
{
    sc_bar *left = sc_allocate(count, sizeof *left);
    if (left == NULL)
        return sc_no_memory(error, "a histogram");
    const scrim_status status =
        find_among(a, view, left, lower_bars(view, drawn, count, left), out, error);
    sc_free(left);
    return status;
}

/* Values. */

static void set_steps(const sc_query_aggregate *a, sc_int128 steps, sc_ratio *out)
{
    SC_OWN(sc_ratio, unit);
    sc_extent_value(a->value->extent.step, 1, &unit);
    sc_ratio_set_int128(out, steps);
    sc_ratio_mul(out, out, &unit);
}

/* Is a bucket nineteen parts of twenty of the range? Its middle then tells nothing. */
static bool is_whole(const sc_bar_grid *grid, size_t place)
{
    return 20 * ((sc_int128)sc_bar_grid_high(grid, place) -
                 sc_bar_grid_low(grid, place)) >=
           19 * ((sc_int128)grid->high - grid->low);
}

/* Sets the whole range. */
static void set_open(const sc_query_aggregate *a, const sc_bar_grid *grid,
                     sc_estimate *out)
{
    const bool is_range = a->kind->bars->side == SC_BAR_BOTH;
    set_steps(a, is_range ? 0 : grid->low, &out->low);
    set_steps(a, is_range ? (sc_int128)grid->high - grid->low : grid->high, &out->high);
}

static void set_range(const sc_query_aggregate *a, const sc_bar_grid *grid,
                      const finding *found, sc_estimate *out)
{
    const sc_int128 least = (sc_int128)sc_bar_grid_low(grid, found->place) -
                            sc_bar_grid_high(grid, found->other);
    set_steps(a,
              (sc_int128)sc_bar_grid_middle(grid, found->place) -
                  sc_bar_grid_middle(grid, found->other),
              &out->value);
    set_steps(a, least < 0 ? 0 : least, &out->low);
}

scrim_status sc_bar_estimate(const sc_query_aggregate *a, const sc_bar_view *view,
                             const sc_drawn_bar *bars, size_t bar_count, sc_estimate *out,
                             bool *is_empty, scrim_error *error)
{
    const sc_bar_grid *grid = &view->grid;
    const sc_bar_side side = a->kind->bars->side;
    finding found;
    SC_TRY(find(a, view, bars, bar_count, &found, error));
    *is_empty = found.is_empty;
    out->is_open = found.is_empty || side == SC_BAR_NEITHER ||
                   (is_whole(grid, found.place) &&
                    (side != SC_BAR_BOTH || is_whole(grid, found.other)));
    sc_ratio_set_int64(&out->value, 0);
    set_open(a, grid, out);
    if (found.is_empty)
        return SCRIM_OK;
    if (side == SC_BAR_BOTH) {
        set_range(a, grid, &found, out);
        return SCRIM_OK;
    }
    set_steps(a, sc_bar_grid_middle(grid, found.place), &out->value);
    if (side == SC_BAR_LOWER)
        set_steps(a, sc_bar_grid_high(grid, found.place), &out->high);
    else if (side == SC_BAR_UPPER)
        set_steps(a, sc_bar_grid_low(grid, found.place), &out->low);
    return SCRIM_OK;
}

bool sc_bar_is_shown(const sc_query_aggregate *a, const sc_bar_view *view,
                     const sc_drawn_bar *bar)
{
    return a->kind->shape == SC_SHAPE_COUNTS || bar->count > (int64_t)view->shift;
}

bool sc_bar_is_possible(const sc_bar_view *view, const sc_drawn_bar *bars,
                        size_t bar_count)
{
    bool is = bar_count == 0 || bars[bar_count - 1].place < view->grid.count;
    if (view->is_noisy)
        return is && bar_count == view->grid.count;
    for (size_t i = 0; i < bar_count; i++)
        is = is && bars[i].count > 0;
    return is;
}

/* The interval of a count: at least 0, and with the drawn value in it. */
static void set_noisy_count(const sc_bar_view *view, const sc_drawn_bar *bar,
                            sc_estimate *out)
{
    const sc_int128 count = bar->count, low = count - view->within,
                    high = count + view->within;
    out->is_beyond = count < 0;
    sc_ratio_set_int128(&out->low, count < 0 ? count : low < 0 ? 0 : low);
    sc_ratio_set_int128(&out->high, high < 0 ? 0 : high);
}

void sc_bar_count_estimate(const sc_bar_view *view, const sc_drawn_bar *bar,
                           sc_estimate *out)
{
    out->is_open = false;
    sc_ratio_set_int128(&out->value, bar->count);
    if (view->is_noisy) {
        set_noisy_count(view, bar, out);
        return;
    }
    sc_ratio_set_int128(&out->low, bar->count);
    sc_ratio_set_int128(&out->high, (sc_int128)bar->count + (sc_int128)view->most);
}

void sc_bar_bucket(const sc_query_aggregate *a, const sc_bar_view *view, uint64_t place,
                   sc_ratio *out)
{
    set_steps(a, sc_bar_grid_start(&view->grid, place), out);
}

unsigned sc_bar_digits(const sc_query_aggregate *a)
{
    SC_OWN(sc_ratio, step);
    sc_extent_value(a->value->extent.step, 1, &step);
    return sc_digits_of_step(&step);
}

/* Certificates. */

/* A bucket of one value promises as much as the values do. */
static bool is_promised(const sc_query_aggregate *a, const sc_bar_view *view)
{
    return view->grid.width == 1 || (a->kind->bars->side != SC_BAR_NEITHER && a->k <= 1);
}

static bool is_by_start(const sc_query_aggregate *a)
{
    return a->kind->shape != SC_SHAPE_VALUE;
}

/* The largest distance of a value from the middle of its bucket, twice for RANGE, or from its start. */
static void set_beta(const sc_query_aggregate *a, const sc_bar_view *view, sc_ratio *out)
{
    const sc_int128 far =
        is_by_start(a) ? sc_bar_grid_reach(&view->grid) : sc_bar_grid_radius(&view->grid);
    set_steps(a, a->kind->bars->side == SC_BAR_BOTH ? 2 * far : far, out);
}

void sc_bar_flexible(const sc_query_aggregate *a, const sc_bar_view *view,
                     sc_flexible_claim *out)
{
    SC_OWN(sc_ratio, buckets);
    sc_ratio_set_int128(&buckets, (sc_int128)view->grid.count);
    sc_ratio_set_int128(&out->alpha, (sc_int128)view->most);
    sc_ratio_mul(&out->alpha, &out->alpha, &buckets);
    out->is_count = true;
    out->distortion = SC_DISTORTION_DROP;
    out->metric = a->kind->bars->metric;
    if (view->is_noisy) {
        sc_ratio_set_int64(&out->gamma, 1);
        sc_ratio_sub(&out->gamma, &out->gamma, view->confidence);
    }
    out->is_beta_unbounded = !is_promised(a, view);
    if (!out->is_beta_unbounded)
        set_beta(a, view, &out->beta);
}

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_count(sc_text_sink *sink, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    put(sink, text);
}

void sc_bar_put_elements(sc_text_sink *sink, const sc_bar_view *view, uint64_t count)
{
    put_count(sink, count);
    put(sink, view->is_people ? (count == 1 ? " person" : " people")
                              : (count == 1 ? " row" : " rows"));
}

/* The unit of a width or a distance. */
static const char *unit_of(const sc_query_aggregate *a)
{
    return a->value->type == SC_TYPE_DATE        ? " days"
           : a->value->type == SC_TYPE_TIMESTAMP ? " seconds"
                                                 : "";
}

void sc_bar_put_near(sc_text_sink *sink, const sc_query_aggregate *a,
                     const sc_bar_view *view, const char *what)
{
    char text[SC_RATIO_TEXT_BYTES];
    SC_OWN(sc_ratio, beta);
    set_beta(a, view, &beta);
    (void)sc_ratio_format(&beta, text, sizeof text);
    put(sink, "the value is ");
    if (sc_ratio_sign(&beta) > 0) {
        put(sink, "within ");
        put(sink, text);
        put(sink, unit_of(a));
        put(sink, " of ");
    }
    put(sink, "the true ");
    put(sink, what);
    put(sink, " of the rest");
}

static void put_value(sc_text_sink *sink, const sc_query_aggregate *a, int64_t value)
{
    char text[SC_KEY_TEXT_BYTES];
    (void)sc_key_text(a->value, value, text, sizeof text);
    put(sink, text);
}

/* ": 999 for 0 to 1999", of the first bucket that begins within the range, where there is one. */
static void put_example(sc_text_sink *sink, const sc_query_aggregate *a,
                        const sc_bar_grid *grid, bool is_start)
{
    const uint64_t place = sc_bar_grid_start(grid, 0) < grid->low ? 1 : 0;
    if (place >= grid->count)
        return;
    put(sink, ": ");
    put_value(sink, a,
              is_start ? sc_bar_grid_low(grid, place) : sc_bar_grid_middle(grid, place));
    put(sink, " for ");
    put_value(sink, a, sc_bar_grid_low(grid, place));
    put(sink, " to ");
    put_value(sink, a, sc_bar_grid_high(grid, place));
}

/* "; a value stands for its bucket of 2000: 999 for 0 to 1999". A bucket of one value is that. */
static void put_width(sc_text_sink *sink, const sc_query_aggregate *a,
                      const sc_bar_grid *grid)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio width;
    if (grid->width == 1)
        return;
    sc_ratio_init(&width);
    set_steps(a, grid->width, &width);
    (void)sc_ratio_format(&width, text, sizeof text);
    sc_ratio_clear(&width);
    put(sink, is_by_start(a) ? "; a row is named by the first value of its bucket of "
              : a->kind->bars->side == SC_BAR_BOTH
                  ? "; both ends stand for their buckets of "
                  : "; a value stands for its bucket of ");
    put(sink, text);
    put(sink, unit_of(a));
    put_example(sink, a, grid, is_by_start(a));
}

/* Counts with noise lose nothing and gain nothing on purpose. */
static bool is_plain_counts(const sc_query_aggregate *a, const sc_bar_view *view)
{
    return view->is_noisy && a->kind->shape == SC_SHAPE_COUNTS;
}

/* "with probability 0.95, " */
static void put_confidence(sc_text_sink *sink, const sc_bar_view *view)
{
    char text[SC_RATIO_TEXT_BYTES];
    if (!view->is_noisy)
        return;
    (void)sc_ratio_format(view->confidence, text, sizeof text);
    put(sink, "with probability ");
    put(sink, text);
    put(sink, ", ");
}

/* "775 in all" */
static void put_all_missed(sc_text_sink *sink, const sc_bar_view *view)
{
    put_count(sink, view->most * view->grid.count);
    put(sink, view->is_grouped ? " in all of each group" : " in all");
}

static void put_promise(const sc_query_aggregate *a, const sc_bar_view *view,
                        sc_text_sink *sink)
{
    put_confidence(sink, view);
    put(sink, "after contribution bounds and clamping, ");
    if (is_plain_counts(a, view)) {
        a->kind->bars->promise(a, view, sink);
        return;
    }
    put(sink, "at most ");
    sc_bar_put_elements(sink, view, view->most);
    put(sink, " of each bucket are left out, ");
    put_all_missed(sink, view);
    put(sink, view->is_people ? ", and no person is added; " : ", and no row is added; ");
    a->kind->bars->promise(a, view, sink);
}

/* A sentence without an end. */
static void bar_certificate_put(const sc_query_aggregate *a, const sc_bar_view *view,
                                sc_text_sink *sink)
{
    put_promise(a, view, sink);
    put_width(sink, a, &view->grid);
}

const char *sc_bar_certificate(const sc_query_aggregate *a, const sc_bar_view *view,
                               sc_arena *arena)
{
    char text[3 * SC_RATIO_TEXT_BYTES + 4 * SC_KEY_TEXT_BYTES + 512];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, sizeof text);
    bar_certificate_put(a, view, &sink);
    return sc_arena_copy(arena, text, sink.length);
}

const char *sc_bar_short_text(const sc_query_aggregate *a, const sc_bar_view *view,
                              sc_arena *arena)
{
    char text[SC_RATIO_TEXT_BYTES + 3 * SC_KEY_TEXT_BYTES + 200];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, sizeof text);
    if (!is_plain_counts(a, view) && view->most > 0) {
        put(&sink, "may ignore up to ");
        sc_bar_put_elements(&sink, view, view->most);
        put(&sink, " of each bucket, ");
        put_all_missed(&sink, view);
    }
    if (is_by_start(a))
        put_width(&sink, a, &view->grid);
    /* Without its first semicolon. */
    const size_t skipped = sink.length > 2 && text[0] == ';' ? 2 : 0;
    return sc_arena_copy(arena, text + skipped, sink.length - skipped);
}

const char *sc_bar_flexible_text(const sc_query_aggregate *a, const sc_bar_view *view,
                                 sc_arena *arena)
{
    char text[SC_FLEXIBLE_TEXT_BYTES];
    sc_flexible_claim flexible;
    if (is_plain_counts(a, view))
        return "";
    sc_flexible_init(&flexible);
    sc_bar_flexible(a, view, &flexible);
    const size_t length = sc_flexible_format(&flexible, text, sizeof text);
    sc_flexible_clear(&flexible);
    return sc_arena_copy(arena, text, length < sizeof text ? length : sizeof text - 1);
}
