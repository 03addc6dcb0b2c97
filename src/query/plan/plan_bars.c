#include "query/plan/plan_bars.h"

#include "mechanism/histogram/stlap.h"
#include "query/estimate/bar_answer.h"
#include "query/estimate/noise_sum.h"
#include "query/estimate/real_digits.h"
#include "query/plan/plan_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ALL_GROUPS ((uint64_t)1 << 22)
#define CAUTION_BYTES (SC_RATIO_TEXT_BYTES + 400)
#define FOUND_GROUP ((uint64_t)1 << 16)
/* With noise all of them are recorded. */
#define NOISY_GROUPS ((uint64_t)1 << 16)
_Static_assert(SC_PLAN_LISTED_KEYS <= ALL_GROUPS, "every group has a bucket");

/* Is an aggregate of a histogram part of arithmetic? */
static bool computes_with_bars(const sc_query *query)
{
    for (size_t i = 0; i < query->output_count; i++)
        for (size_t k = 0; k < query->aggregate_count; k++)
            if (query->outputs[i].formula != NULL &&
                query->aggregates[k].kind->bars != NULL &&
                sc_query_output_has(&query->outputs[i], k))
                return true;
    return false;
}

bool sc_plan_bars_are_noisy(const scrim_plan *plan, const sc_planned_statement *s)
{
    /* Releases of a series mean the same, whenever it was begun. */
    const bool is_asked = plan->options.noise == SC_PLAN_LAPLACE && !plan->has_series;
    return (sc_ratio_sign(&plan->options.delta) == 0 || is_asked || s->has_noisy_bars) &&
           plan->options.noise != SC_PLAN_STLAP && s->keys_kind != SC_PLAN_DISCOVERED &&
           !computes_with_bars(s->query);
}

const char *sc_plan_bars_word(const scrim_plan *plan, const sc_planned_statement *s)
{
    const bool is_asked = plan->options.noise == SC_PLAN_LAPLACE && !plan->has_series;
    if (s->has_noisy_bars)
        return " bars-noisy";
    /* Arithmetic keeps its buckets free of noise, also where Laplace noise is asked for. */
    return is_asked && s->keys_kind != SC_PLAN_DISCOVERED && computes_with_bars(s->query)
               ? " bars-lossy"
               : "";
}

/* The buckets that a group may have, of which there are never more than NOISY_GROUPS. */
static uint64_t noisy_room(const sc_planned_statement *s)
{
    return s->keys_kind == SC_PLAN_NO_KEYS ? NOISY_GROUPS : NOISY_GROUPS / s->key_count;
}

/* The same without noise, of which there are never more than ALL_GROUPS. */
static uint64_t room_for(const sc_planned_statement *s)
{
    if (s->keys_kind == SC_PLAN_DISCOVERED)
        return FOUND_GROUP;
    if (s->keys_kind == SC_PLAN_NO_KEYS || s->key_count * SC_BAR_GRID_COUNT <= ALL_GROUPS)
        return SC_BAR_GRID_COUNT;
    return ALL_GROUPS / s->key_count;
}

static scrim_status fail_room(uint64_t most, const char *way, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT,
                   "a histogram has at most %llu bucket%s in each of these groups%s",
                   (unsigned long long)most, most == 1 ? "" : "s", way);
}

scrim_status sc_plan_bars_width(const sc_planned_statement *s, size_t statistic,
                                const scrim_measurement *measurement,
                                const sc_ratio *rows, int64_t *out, scrim_error *error)
{
    const sc_group_statistic *t = &s->statistics.list[statistic];
    const sc_group_value *value = &s->statistics.groups[t->value];
    const bool is_noisy = sc_bar_is_noisy(measurement);
    const uint64_t most = is_noisy ? noisy_room(s) : room_for(s);
    if (t->width > 0) {
        *out = t->width;
        return sc_bar_view_grid(&s->statistics, statistic, t->width).count <= most
                   ? SCRIM_OK
                   : fail_room(most, "; take a larger width, or fewer groups", error);
    }
    sc_law law;
    SC_OWN(sc_ratio, confidence);
    /* Another confidence is another view of the same buckets. */
    sc_ratio_set_quotient(&confidence, 95, 100);
    sc_bar_view_law(measurement, &law);
    const sc_bar_guess guess = {
        .law = &law, .rows = rows, .k = 1, .confidence = is_noisy ? &confidence : NULL};
    *out = sc_bar_width_choose(value->low, value->high, most, &guess);
    sc_law_clear(&law);
    return *out > 0 ? SCRIM_OK
                    : fail_room(most,
                                ", which no width brings its range to; narrow the range, "
                                "name a width, or take fewer groups",
                                error);
}

/* Counting. */

/* The most counts of all groups together: 4 MiB a worker. */
#define COUNTED ((uint64_t)SC_GROUP_BARS)

static int64_t common_width(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

const int64_t *sc_plan_bars_counted(const sc_planned_statement *s, sc_arena *arena)
{
    const sc_statistics *statistics = &s->statistics;
    const uint64_t groups = s->keys_kind == SC_PLAN_NO_KEYS ? 1 : s->key_count;
    int64_t *widths = sc_arena_allocate(arena, statistics->value_count, sizeof *widths);
    if (widths == NULL || s->keys_kind == SC_PLAN_DISCOVERED)
        return widths;
    for (size_t i = 0; i < s->part_count; i++)
        if (s->parts[i].width > 0) {
            int64_t *width = &widths[statistics->list[s->parts[i].statistic].value];
            *width = common_width(s->parts[i].width, *width);
        }
    for (size_t i = 0; i < statistics->value_count; i++) {
        const sc_group_value *value = &statistics->groups[i];
        uint64_t count = SC_GROUP_BARS + 1;
        if (widths[i] > 0)
            count = sc_bar_grid_of(value->low, value->high, widths[i]).count;
        if (count > SC_GROUP_BARS || count * groups > COUNTED)
            widths[i] = 0;
    }
    for (size_t i = 0; i < statistics->count; i++)
        if (statistics->list[i].kind == SC_STATISTIC_QUANTILES ||
            statistics->list[i].kind == SC_STATISTIC_VALUES)
            widths[statistics->list[i].value] = 0;
    return widths;
}

void sc_plan_bars_gather(const sc_bar_grid *from, const sc_uint128 *counts,
                         const sc_bar_grid *to, int64_t *cells)
{
    for (uint64_t place = 0; place < from->count; place++) {
        int64_t *cell = &cells[sc_bar_grid_place(to, sc_bar_grid_low(from, place))];
        *cell += (int64_t)counts[place];
    }
}

/* The number of elements from which on a bucket counts. */
static uint64_t least_shown(const sc_query_aggregate *a)
{
    return a->k > 0 ? a->k : 1;
}

static sc_bar_guess guess_of(const sc_query_aggregate *a, const sc_law *law,
                             const scrim_measurement *measurement,
                             const sc_bar_expected *expected)
{
    return (sc_bar_guess){.law = law,
                          .rows = expected->rows,
                          .k = least_shown(a),
                          .confidence =
                              sc_bar_is_noisy(measurement) ? expected->confidence : NULL};
}

/* Half of the interval of a count. */
static void predict_count(const sc_law *law, const scrim_measurement *measurement,
                          const sc_ratio *confidence, sc_ratio *out)
{
    SC_OWN(sc_ratio, x);
    if (!sc_bar_is_noisy(measurement)) {
        sc_ratio_set_quotient(out, (int64_t)sc_stlap_q(measurement), 2);
        return;
    }
    sc_int128 within;
    sc_ratio_set_int64(&x, 1);
    sc_ratio_sub(&x, &x, confidence);
    if (sc_noise_law_radius(law, &x, &within, NULL) == SCRIM_OK)
        sc_ratio_set_int128(out, within);
}

void sc_plan_bars_predict(const sc_query_aggregate *a, const sc_bar_grid *grid,
                          const scrim_measurement *measurement,
                          const sc_bar_expected *expected, sc_ratio *out)
{
    sc_law law;
    SC_OWN(sc_ratio, unit);
    sc_bar_view_law(measurement, &law);
    const sc_bar_guess guess = guess_of(a, &law, measurement, expected);
    sc_ratio_set_int64(out, 0);
    sc_ratio_set_int64(&unit, 2);
    if (a->kind->shape == SC_SHAPE_COUNTS) {
        predict_count(&law, measurement, expected->confidence, out);
    } else if (!a->kind->is_unpredicted) {
        sc_bar_error(grid, &guess, out);
        if (a->kind->bars->side == SC_BAR_BOTH)
            sc_ratio_mul(out, out, &unit);
        sc_ratio_set_int128(&unit, (sc_int128)grid->high - grid->low);
        if (sc_ratio_compare(out, &unit) > 0)
            sc_ratio_set(out, &unit);
        sc_extent_value(a->value->extent.step, 1, &unit);
        sc_ratio_mul(out, out, &unit);
        sc_real_three_upper(sc_ratio_upper(out), out);
    }
    sc_law_clear(&law);
}

/* On the elements that hide behind noise, or are left out. */
typedef struct hidden {
    uint64_t count;
    bool is_noise;
} hidden;

static void put_caution(const sc_query_aggregate *a, const sc_bar_grid *grid,
                        const hidden *h, const sc_ratio *rows, char text[CAUTION_BYTES])
{
    char expect[SC_RATIO_TEXT_BYTES], has[32] = "less than 1", with[32] = "";
    const sc_int128 each = sc_bar_rows(grid, rows);
    const bool is_rows = a->kind->shape != SC_SHAPE_VALUE;
    sc_ratio_format(rows, expect, sizeof expect);
    if (each > 0) /* and below k + q, since it is shown too rarely */
        snprintf(has, sizeof has, "%" PRId64, (int64_t)each);
    if (a->k > 0)
        snprintf(with, sizeof with, " with %" PRIu64, a->k);
    snprintf(text, CAUTION_BYTES,
             "of %s rows that are spread evenly a bucket has %s, and up to %" PRIu64
             " of each %s: most likely none is shown%s, and there is no %s; "
             "take a larger epsilon%s%s, or expect more rows where there are "
             "more",
             expect, has, h->count,
             h->is_noise ? "cannot be told from noise" : "are left out", with,
             is_rows ? "row" : "value", h->is_noise ? "" : " or delta",
             grid->count > 2 ? ", or wider buckets" : "");
}

static hidden hidden_of(const sc_bar_grid *grid, const scrim_measurement *measurement,
                        const sc_law *law, const sc_ratio *confidence)
{
    sc_int128 shift = 0;
    if (!sc_bar_is_noisy(measurement))
        return (hidden){sc_stlap_q(measurement), false};
    return (hidden){sc_bar_noise_radius(law, confidence, grid->count, &shift)
                        ? 2 * (uint64_t)shift
                        : 0,
                    true};
}

const char *sc_plan_bars_caution(const sc_query_aggregate *a, const sc_bar_grid *grid,
                                 const scrim_measurement *measurement,
                                 const sc_bar_expected *expected, sc_arena *arena)
{
    char text[CAUTION_BYTES];
    sc_law law;
    /* Counts with noise are all shown. */
    if (sc_bar_is_noisy(measurement) && a->kind->shape == SC_SHAPE_COUNTS)
        return "";
    sc_bar_view_law(measurement, &law);
    const sc_bar_guess guess = guess_of(a, &law, measurement, expected);
    const bool is_needed = sc_bar_shows_nothing(grid, &guess);
    const hidden h = hidden_of(grid, measurement, &law, expected->confidence);
    sc_law_clear(&law);
    if (!is_needed)
        return "";
    put_caution(a, grid, &h, expected->rows, text);
    return sc_arena_copy(arena, text, strlen(text));
}
