#include "audit/bounds.h"
#include "noise_list.h"
#include "query/estimate/quantile_estimate.h"
#include "query/rows/quantile_rings.h"

#include <math.h>
#include <stdio.h>

#define STEPS 4000
#define HIGH 3600 /* of tables with one row in each third step */
#define FALSE_ALARM 1e-9

/* A table given by its rows in each step, its rings about a released quantile, and noise. */
typedef struct scene {
    noise_list list;
    sc_rank_noise *noise;
    int64_t values[STEPS];
    uint64_t rows;
    int64_t high;
    size_t at; /* the next draw */
} scene;

static bool scene_begin(scene *s, const char *line, int64_t high, size_t draws)
{
    *s = (scene){.high = high};
    return noise_list_draw(&s->list, line, draws, 1) &&
           CHECK_STATUS(sc_rank_noise_new(&s->list.noise, sc_rings_most(0, high, 2),
                                          &s->noise, NULL),
                        SCRIM_OK);
}

static void scene_end(scene *s)
{
    sc_rank_noise_free(s->noise);
    noise_list_clear(&s->list);
}

static size_t draw_counts(scene *s, const sc_int128 *quantiles, size_t count,
                          int64_t *ends, sc_int128 *counts)
{
    const size_t rings = sc_rings_of(0, s->high, quantiles, count, ends);
    sc_rings_count(ends, rings, s->values, s->rows, counts);
    for (size_t i = 0; i < rings; i++)
        counts[i] += s->list.draws[s->at++ % s->list.draw_count];
    return rings;
}

/* One interval of the first of the quantiles. */
static void find(scene *s, double p, double beta, const sc_int128 *quantiles,
                 size_t count, int64_t *low, int64_t *high)
{
    int64_t ends[SC_RINGS_MOST + 1];
    sc_int128 counts[SC_RINGS_MOST];
    const size_t rings = draw_counts(s, quantiles, count, ends, counts);
    sc_rank_interval(&(sc_rank_setting){s->noise, p, beta}, ends, counts, rings,
                     quantiles[0], low, high);
    CHECK(*low >= 0 && *high <= s->high && *low <= quantiles[0] && *high >= quantiles[0]);
}

/* One row in each third step: from 0.95 to 0.995 as for every interval; whatever quantile was released. */
TEST(rank_interval_of_rows_apart_covers_and_is_not_padded)
{
    CLAIM("rank-interval.coverage");
    static const struct {
        const char *line;
        double p;
    } cases[] = {{"laplace epsilon=1", 0.5},
                 {"laplace epsilon=1/10", 0.25},
                 {"gaussian sigma=4", 0.5},
                 {"gaussian sigma=12", 0.8}};
    const uint64_t runs = check_count(2000, 100000);
    for (size_t i = 0; i < COUNT(cases); i += check_every(2)) {
        scene s;
        if (scene_begin(&s, cases[i].line, HIGH, runs * 27)) {
            for (s.rows = 0; s.rows < 1200; s.rows++)
                s.values[s.rows] = 3 * (int64_t)s.rows;
            const int64_t truth = s.values[(size_t)(cases[i].p * 1200)];
            uint64_t covered = 0;
            for (uint64_t r = 0; r < runs; r++) {
                int64_t low, high;
                const sc_int128 released = truth - 6 + (int64_t)(r % 13);
                find(&s, cases[i].p, 0.05, &released, 1, &low, &high);
                covered += low <= truth && truth <= high;
            }
            const double share = (double)covered / (double)runs;
            if (!CHECK(sc_binomial_at_most(covered, runs, 0.95) >= FALSE_ALARM) ||
                !CHECK(sc_binomial_at_least(covered, runs, 0.995) >= FALSE_ALARM))
                CHECK_FAIL("%s, p %g: %.4f", cases[i].line, cases[i].p, share);
        }
        scene_end(&s);
    }
}

/* Two quantiles share their rings, and a quantile that was released far off is found out. */
TEST(rank_interval_covers_whatever_was_released)
{
    scene s;
    const uint64_t runs = check_count(2000, 20000);
    static const sc_int128 released[][2] = {
        {1500, 1800}, {0, 0}, {3600, 7}, {1797, 1803}};
    if (scene_begin(&s, "laplace epsilon=1/4", 3600, runs * 53))
        for (size_t i = 0; i < COUNT(released); i++) {
            for (s.rows = 0; s.rows < 1200; s.rows++)
                s.values[s.rows] = 3 * (int64_t)s.rows;
            uint64_t covered = 0;
            for (uint64_t r = 0; r < runs; r++) {
                int64_t low, high;
                find(&s, 0.5, 0.05, released[i], 2, &low, &high);
                covered += low <= 1800 && 1800 <= high;
            }
            CHECK(sc_binomial_at_most(covered, runs, 0.95) >= FALSE_ALARM);
        }
    scene_end(&s);
}

/* The value of most rows, released, is all of its interval. */
TEST(rank_interval_of_rows_alike_is_one_value)
{
    CLAIM("rank-interval.holds");
    scene s;
    if (scene_begin(&s, "laplace epsilon=1/2", 73, 200)) {
        for (s.rows = 0; s.rows < 1000; s.rows++)
            s.values[s.rows] = s.rows < 300 ? 10 : s.rows < 700 ? 40 : 60;
        const sc_int128 released = 40;
        int64_t low, high;
        find(&s, 0.5, 0.05, &released, 1, &low, &high);
        CHECK(low == 40 && high == 40);
        /* A step off, the interval reaches to the source of the rows. */
        const sc_int128 beside = 41;
        find(&s, 0.5, 0.05, &beside, 1, &low, &high);
        CHECK(low == 40 && high == 41);
    }
    scene_end(&s);
}

/* All rows at an end of the range: that end alone, whichever quantile was released. */
TEST(rank_interval_of_rows_at_an_end_is_that_end)
{
    CLAIM("rank-interval.holds");
    scene s;
    if (scene_begin(&s, "laplace epsilon=1/2", 73, 500))
        for (int64_t end = 0; end <= 73; end += 73) {
            static const sc_int128 beyond[] = {-9, 99};
            int64_t low, high, ends[SC_RINGS_MOST + 1];
            sc_int128 counts[SC_RINGS_MOST];
            for (s.rows = 0; s.rows < 1000; s.rows++)
                s.values[s.rows] = end;
            const sc_int128 released = end, outside = beyond[end > 0];
            find(&s, 0.5, 0.05, &released, 1, &low, &high);
            CHECK(low == end && high == end);
            const size_t rings = draw_counts(&s, &outside, 1, ends, counts);
            sc_rank_interval(&(sc_rank_setting){s.noise, 0.5, 0.05}, ends, counts, rings,
                             outside, &low, &high);
            CHECK(low == end && high == end);
        }
    scene_end(&s);
}

TEST(rank_interval_of_nothing_is_the_range)
{
    scene s;
    if (scene_begin(&s, "laplace epsilon=1/2", 73, 500)) {
        const sc_int128 released = 40;
        uint64_t whole = 0;
        for (int r = 0; r < 20; r++) {
            int64_t low, high;
            find(&s, 0.5, 0.05, &released, 1, &low, &high);
            whole += low == 0 && high == 73;
        }
        CHECK(whole >= 15);
    }
    scene_end(&s);
}

/* The surer, the wider: with the same counts. */
TEST(rank_interval_grows_with_confidence)
{
    scene s;
    if (scene_begin(&s, "gaussian sigma=5", 3600, 2000)) {
        for (s.rows = 0; s.rows < 1200; s.rows++)
            s.values[s.rows] = 3 * (int64_t)s.rows;
        const sc_int128 released = 900;
        for (int r = 0; r < 50; r++) {
            int64_t low[2], high[2];
            const size_t at = s.at;
            find(&s, 0.25, 0.2, &released, 1, &low[0], &high[0]);
            s.at = at;
            find(&s, 0.25, 0.001, &released, 1, &low[1], &high[1]);
            CHECK(low[1] <= low[0] && high[1] >= high[0] && high[1] - low[1] > 12);
        }
    }
    scene_end(&s);
}

TEST(rank_interval_width_is_as_predicted)
{
    static const char *const lines[] = {"laplace epsilon=1/2", "laplace epsilon=1/15",
                                        "gaussian sigma=8"};
    static const double ps[] = {0.5, 0.25, 0.9};
    const uint64_t runs = check_count(1000, 20000);
    for (size_t i = 0; i < COUNT(lines) * COUNT(ps); i += check_every(4)) {
        scene s;
        const double p = ps[i % COUNT(ps)];
        if (scene_begin(&s, lines[i / COUNT(ps)], HIGH, runs * 27)) {
            int64_t ends[SC_RINGS_MOST + 1];
            sc_int128 counts[SC_RINGS_MOST];
            double rows[SC_RINGS_MOST], width = 0, squares = 0;
            for (s.rows = 0; s.rows < 1200; s.rows++)
                s.values[s.rows] = 3 * (int64_t)s.rows;
            const sc_int128 released = s.values[(size_t)(p * 1200)];
            for (uint64_t r = 0; r < runs; r++) {
                int64_t low, high;
                find(&s, p, 0.05, &released, 1, &low, &high);
                const double half = (double)(high - low) / 2;
                width += half / (double)runs;
                squares += half * half / (double)runs;
            }
            const size_t rings = sc_rings_of(0, s.high, &released, 1, ends);
            sc_rings_count(ends, rings, s.values, s.rows, counts);
            for (size_t k = 0; k < rings; k++)
                rows[k] = (double)counts[k];
            const double predicted =
                sc_rank_predict(&s.list.noise, p, 0.05, ends, rows, rings);
            const double slack =
                6 * sqrt((squares - width * width) / (double)runs) / width;
            CHECK_NEAR(predicted, width, 0.05 + slack);
        }
        scene_end(&s);
    }
}
