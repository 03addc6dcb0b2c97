#include "check.h"
#include "queries.h"
#include "query/aggregate/aggregates.h"
#include "query/estimate/bar_answer.h"
#include "query/estimate/real_digits.h"
#include "query/rows/statistic.h"
#include "row_oracle.h"

#include <stdio.h>
#include <string.h>

#define CELLS 64
#define ROWS 40

/* Any confidence: what is drawn here is within it. */
static sc_ratio half;

/* Rows of ages, how many of each bucket are left out, or noise that goes both ways, and what is then shown. */
typedef struct case_of {
    size_t seen; /* bars that noise is no excuse for, and the first and last of them */
    uint64_t first, last;
    sc_bar_view view;
    int64_t rows[ROWS];
    size_t count;
    uint64_t held[CELLS];
    sc_drawn_bar bars[CELLS];
    struct {
        const sc_drawn_bar *bars;
        size_t count;
    } shown;
} case_of;

static void make_case(case_of *c, const sc_extent *extent, int64_t width, uint64_t *seed)
{
    *c = (case_of){.view = {.grid = sc_bar_grid_of(extent->low, extent->high, width),
                            .most = row_random(seed, 4),
                            .is_noisy = row_random(seed, 2) == 0,
                            .is_people = true}};
    if (c->view.is_noisy) {
        c->view.shift = c->view.most;
        c->view.most *= 2;
        c->view.confidence = &half;
    }
    c->count = row_random(seed, ROWS + 1);
    const uint64_t spread = 1 + row_random(seed, (uint64_t)(extent->high - extent->low));
    for (size_t i = 0; i < c->count; i++) {
        c->rows[i] = extent->low + (int64_t)row_random(seed, spread);
        c->held[sc_bar_grid_place(&c->view.grid, c->rows[i])]++;
    }
    for (uint64_t place = 0; place < c->view.grid.count; place++) {
        const uint64_t out = row_random(seed, c->view.most + 1);
        /* Noise goes as far either way. */
        const int64_t left = (int64_t)(c->held[place] + c->view.shift) - (int64_t)out;
        if (left > (int64_t)c->view.shift) {
            c->first = c->seen++ == 0 ? place : c->first;
            c->last = place;
        }
        if (left > 0 || c->view.is_noisy)
            c->bars[c->shown.count++] = (sc_drawn_bar){place, left};
    }
    CHECK(sc_bar_is_possible(&c->view, c->bars, c->shown.count));
    c->shown.bars = c->bars;
}

/* The true value of the rows, in steps; false where there is no such value. */
static bool truth_of(const case_of *c, const sc_query_aggregate *a, int64_t *out)
{
    bool is_there = false;
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t i = 0; i < c->count; i++) {
        uint64_t same = 0;
        for (size_t j = 0; j < c->count; j++)
            same += c->view.grid.width == 1
                        ? c->rows[j] == c->rows[i]
                        : sc_bar_grid_place(&c->view.grid, c->rows[j]) ==
                              sc_bar_grid_place(&c->view.grid, c->rows[i]);
        if (a->kind == &sc_aggregate_max_k && same < a->k)
            continue;
        is_there = true;
        low = c->rows[i] < low ? c->rows[i] : low;
        high = c->rows[i] > high ? c->rows[i] : high;
    }
    if (!is_there)
        return false;
    *out = a->kind == &sc_aggregate_min     ? low
           : a->kind == &sc_aggregate_range ? high - low
                                            : high;
    return true;
}

static int64_t steps_of(const sc_ratio *x, const sc_query_aggregate *a)
{
    sc_ratio unit;
    sc_integer whole;
    sc_int128 steps = 0;
    sc_ratio_init(&unit);
    sc_integer_init(&whole);
    sc_extent_value(a->value->extent.step, 1, &unit);
    sc_ratio_div(&unit, x, &unit);
    sc_ratio_floor(&unit, &whole);
    CHECK(sc_integer_get_int128(&whole, &steps));
    sc_integer_clear(&whole);
    sc_ratio_clear(&unit);
    return (int64_t)steps;
}

/* The bars beyond the value, by the sentence of the certificate. */
static void check_beyond(const case_of *c, const sc_query_aggregate *a, int64_t value)
{
    const sc_bar_grid *grid = &c->view.grid;
    const uint64_t place = sc_bar_grid_place(grid, value);
    for (uint64_t g = 0; g < grid->count; g++) {
        if (a->kind == &sc_aggregate_max && g > place)
            CHECK(c->held[g] <= c->view.most);
        if (a->kind == &sc_aggregate_min && g < place)
            CHECK(c->held[g] <= c->view.most);
        if (a->kind == &sc_aggregate_max_k && g > place)
            CHECK(c->held[g] < a->k + c->view.most);
        if (a->kind == &sc_aggregate_mode)
            CHECK(c->held[g] <= c->held[place] + c->view.most);
    }
    /* Nobody is invented: the bucket of a value holds somebody. */
    CHECK(a->kind == &sc_aggregate_range || c->held[place] > 0);
}

/* The value is that of the bars, moved by no more than half a bucket. */
static void check_within(const case_of *c, const sc_query_aggregate *a, int64_t value)
{
    const sc_bar_grid *grid = &c->view.grid;
    sc_flexible_claim flexible;
    sc_flexible_init(&flexible);
    sc_bar_flexible(a, &c->view, &flexible);
    CHECK_INT(
        sc_ratio_compare_int64(&flexible.alpha, (int64_t)(c->view.most * grid->count)),
        0);
    CHECK_STATUS(sc_flexible_check(&flexible, NULL), SCRIM_OK);
    const int64_t beta = steps_of(&flexible.beta, a);
    CHECK_INT(flexible.is_beta_unbounded,
              grid->width > 1 && (a->kind == &sc_aggregate_mode ||
                                  (a->kind == &sc_aggregate_max_k && a->k > 1)));
    /* Each bar keeps whichever of its rows: the first and the last of them are the worst. */
    int64_t first_low = INT64_MAX, first_high = INT64_MAX, last_low = INT64_MIN,
            last_high = INT64_MIN;
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t place = sc_bar_grid_place(grid, c->rows[i]);
        if (place == c->last) {
            last_low =
                last_low == INT64_MIN || c->rows[i] < last_low ? c->rows[i] : last_low;
            last_high = c->rows[i] > last_high ? c->rows[i] : last_high;
        }
        if (place == c->first) {
            first_low = c->rows[i] < first_low ? c->rows[i] : first_low;
            first_high = first_high == INT64_MAX || c->rows[i] > first_high ? c->rows[i]
                                                                            : first_high;
        }
    }
    if (a->kind == &sc_aggregate_max)
        CHECK(value - last_low <= beta && last_high - value <= beta);
    if (a->kind == &sc_aggregate_min)
        CHECK(value - first_low <= beta && first_high - value <= beta);
    if (a->kind == &sc_aggregate_range)
        CHECK(value - (last_low - first_high) <= beta &&
              last_high - first_low - value <= beta);
    sc_flexible_clear(&flexible);
}

/* Each element that is not left out, by the start of its bucket: whichever of a bar are the rest, the
 * furthest of all its rows may be. */
static void check_buckets(const case_of *c, const sc_query_aggregate *a)
{
    sc_flexible_claim flexible;
    sc_ratio start;
    int64_t furthest = 0;
    sc_flexible_init(&flexible);
    sc_ratio_init(&start);
    sc_bar_flexible(a, &c->view, &flexible);
    CHECK_STATUS(sc_flexible_check(&flexible, NULL), SCRIM_OK);
    CHECK(!flexible.is_beta_unbounded);
    CHECK_INT(sc_ratio_sign(&flexible.gamma), c->view.is_noisy);
    CHECK_STR(flexible.metric,
              a->kind == &sc_aggregate_support ? SC_METRIC_HAUSDORFF : SC_METRIC_MOVE);
    const int64_t beta = steps_of(&flexible.beta, a);
    for (size_t k = 0; k < c->shown.count; k++) {
        if (!sc_bar_is_shown(a, &c->view, &c->bars[k]))
            continue;
        sc_bar_bucket(a, &c->view, c->bars[k].place, &start);
        const int64_t shown = steps_of(&start, a);
        for (size_t i = 0; i < c->count; i++)
            if (sc_bar_grid_place(&c->view.grid, c->rows[i]) == c->bars[k].place)
                CHECK(c->rows[i] >= shown && c->rows[i] - shown <= beta);
    }
    /* No more is claimed than some rows need. */
    for (int64_t x = c->view.grid.low; x <= c->view.grid.high; x++) {
        sc_bar_bucket(a, &c->view, sc_bar_grid_place(&c->view.grid, x), &start);
        const int64_t away = x - steps_of(&start, a);
        furthest = away > furthest ? away : furthest;
    }
    CHECK_INT(beta, furthest);
    sc_ratio_clear(&start);
    sc_flexible_clear(&flexible);
}

static void check_case(const case_of *c, const sc_query_aggregate *a)
{
    if (a->kind == &sc_aggregate_support || a->kind == &sc_aggregate_histogram) {
        check_buckets(c, a);
        return;
    }
    sc_estimate estimate;
    bool is_empty = false;
    int64_t truth = 0;
    sc_estimate_init(&estimate);
    REQUIRE_OK(sc_bar_estimate(a, &c->view, c->shown.bars, c->shown.count, &estimate,
                               &is_empty, NULL));
    const int64_t value = steps_of(&estimate.value, a), low = steps_of(&estimate.low, a),
                  high = steps_of(&estimate.high, a);
    if (!is_empty)
        CHECK(low <= value && value <= high);
    if (a->kind != &sc_aggregate_mode && truth_of(c, a, &truth))
        CHECK(low <= truth && truth <= high);
    if (a->kind == &sc_aggregate_max_k)
        CHECK(!is_empty || low == a->value->extent.low);
    else
        CHECK_INT(is_empty, c->seen == 0);
    /* One bucket is the whole range, and its middle no value. */
    if (is_empty || a->kind == &sc_aggregate_mode || c->view.grid.count == 1)
        CHECK(estimate.is_open);
    else if (c->view.grid.count > 2)
        CHECK(!estimate.is_open);
    if (!is_empty) {
        check_beyond(c, a, a->kind == &sc_aggregate_range ? c->view.grid.low : value);
        check_within(c, a, value);
    }
    sc_estimate_clear(&estimate);
}

SLOW_TEST(bar_answer_is_true_of_every_histogram)
{
    static const char query[] = "SELECT MIN(age), MAX(age), RANGE(age), MODE(age), "
                                "MAX_K(age, 3) AS k, MAX_K(age, 1) AS one";
    static const int64_t widths[] = {2, 3, 7, 10, 50, 200};
    CLAIM("bar-answer.interval");
    CLAIM("bar-answer.flexible");
    CLAIM("bar-answer.noise");
    query_asked asked;
    uint64_t seed = check_seed();
    query_ask(&asked, query);
    sc_ratio_init(&half);
    sc_ratio_set_quotient(&half, 1, 2);
    if (CHECK_STATUS(asked.status, SCRIM_OK))
        for (uint64_t i = 0; i < check_count_whole(10000, 1000000); i++) {
            const sc_query_aggregate *a = &asked.query->aggregates[i % 6];
            static const sc_aggregate *const rows_of[] = {&sc_aggregate_support,
                                                          &sc_aggregate_histogram};
            case_of c;
            /* A small part of the range has a bucket for each value. */
            sc_extent extent = a->value->extent;
            const bool is_plain = row_random(&seed, 2) == 0;
            extent.low = (int64_t)row_random(&seed, 20);
            extent.high =
                is_plain ? extent.low + 2 + (int64_t)row_random(&seed, 40) : 120;
            sc_typed typed = *a->value;
            typed.extent = extent;
            sc_query_aggregate own = *a;
            own.value = &typed;
            if (i / 6 % 4 == 0 && i % 6 < COUNT(rows_of)) /* of these a query has one */
                own.kind = rows_of[i % 6];
            make_case(&c, &extent, is_plain ? 1 : widths[row_random(&seed, 6)], &seed);
            check_case(&c, &own);
        }
    sc_ratio_clear(&half);
    query_forget_asked(&asked);
}

/* Counts are shown as they are, buckets by where BUCKET has them. */
TEST(bar_answer_of_one_bucket)
{
    query_asked asked;
    query_ask(&asked, "SELECT HISTOGRAM(income, 0.5)");
    if (CHECK_STATUS(asked.status, SCRIM_OK)) {
        const sc_query_aggregate *a = &asked.query->aggregates[0];
        const sc_bar_view view = {
            .grid = sc_bar_grid_of(a->value->extent.low, a->value->extent.high, a->width),
            .most = 27};
        const sc_drawn_bar bar = {3, 100};
        sc_estimate estimate;
        sc_estimate_init(&estimate);
        sc_bar_count_estimate(&view, &bar, &estimate);
        CHECK_INT(sc_ratio_compare_int64(&estimate.value, 100), 0);
        CHECK_INT(sc_ratio_compare_int64(&estimate.low, 100), 0);
        CHECK_INT(sc_ratio_compare_int64(&estimate.high, 127), 0);
        CHECK(!estimate.is_open);
        sc_bar_bucket(a, &view, bar.place, &estimate.value);
        CHECK_NEAR(sc_ratio_upper(&estimate.value), -998.5, 1e-12);
        CHECK_INT(sc_bar_digits(a), 2);
        sc_estimate_clear(&estimate);
    }
    query_forget_asked(&asked);
}

static void check_words(const sc_query_aggregate *a, int64_t width, bool is_people,
                        const char *want, const char *flexible)
{
    const sc_bar_view view = {
        .grid = sc_bar_grid_of(a->value->extent.low, a->value->extent.high, width),
        .most = 27,
        .is_people = is_people};
    sc_arena arena;
    sc_arena_init(&arena);
    CHECK_STR(sc_bar_certificate(a, &view, &arena), want);
    CHECK_STR(sc_bar_flexible_text(a, &view, &arena), flexible);
    sc_arena_clear(&arena);
}

TEST(bar_answer_says_what_is_certain)
{
    query_asked asked;
    query_ask(&asked,
              "SELECT MAX(age), MIN(day), RANGE(age), MODE(age), MAX_K(age, 3) AS "
              "k");
    if (CHECK_STATUS(asked.status, SCRIM_OK)) {
        const sc_query_aggregate *a = asked.query->aggregates;
        check_words(&a[0], 1, true,
                    "after contribution bounds and clamping, at most 27 people of each "
                    "bucket are "
                    "left out, 3267 in all, and "
                    "no person is added; the value is the true maximum of the rest, and "
                    "no bucket above it holds more than 27 people",
                    "dropped=3267 beta=0 gamma=0 distortion=drop metric=absolute "
                    "case=worst");
        check_words(
            &a[0], 10, false,
            "after contribution bounds and clamping, at most 27 rows of each bucket are "
            "left out, "
            "351 in all, and no row is added; the value is within 5 of the true maximum "
            "of the rest, "
            "and no bucket above it holds more than 27 rows; a value stands for its "
            "bucket of 10: 4 for 0 to 9",
            "dropped=351 beta=5 gamma=0 distortion=drop metric=absolute "
            "case=worst");
        check_words(
            &a[2], 10, true,
            "after contribution bounds and clamping, at most 27 people of each bucket "
            "are left out, "
            "351 in all, and "
            "no person is added; the value is within 10 of the true range of the "
            "rest, and no bucket beyond either end holds more than 27 people; both "
            "ends stand for their buckets of 10: 4 for 0 to 9",
            "dropped=351 beta=10 gamma=0 distortion=drop metric=absolute "
            "case=worst");
        check_words(
            &a[3], 10, true,
            "after contribution bounds and clamping, at most 27 people of each bucket "
            "are left out, "
            "351 in all, and "
            "no person is added; the value is in the fullest bucket of the rest, "
            "and no other bucket holds more than 27 people beyond what its own "
            "does; its distance from the true mode is not known; a value stands for "
            "its bucket of 10: 4 for 0 to 9",
            "dropped=351 beta=unbounded gamma=0 distortion=drop metric=absolute "
            "case=worst");
        check_words(&a[1], 7, true,
                    "after contribution bounds and clamping, at most 27 people of each "
                    "bucket are "
                    "left out, 1458 in all, and "
                    "no person is added; the value is within 3 days of the true minimum "
                    "of the rest, and no bucket below it holds more than 27 people; a "
                    "value stands for its bucket of 7 days: 2020-01-05 for 2020-01-02 to "
                    "2020-01-08",
                    "dropped=1458 beta=3 gamma=0 distortion=drop metric=absolute "
                    "case=worst");
        check_words(&a[4], 1, true,
                    "after contribution bounds and clamping, at most 27 people of each "
                    "bucket are "
                    "left out, 3267 in all, and "
                    "no person is added; the value is the largest that 3 people of the "
                    "rest share, and no bucket above it holds 30 people",
                    "dropped=3267 beta=0 gamma=0 distortion=drop metric=absolute "
                    "case=worst");
    }
    query_forget_asked(&asked);
}
