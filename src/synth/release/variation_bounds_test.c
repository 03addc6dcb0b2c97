#include "check.h"
#include "synth/release/synth_report.h"

#include <math.h>

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A marginal: true counts, noise, rows. */
#define CELLS 6
typedef struct scene {
    int64_t x[CELLS], y[CELLS];
    int64_t s[CELLS];
    double n, m, noise;
} scene;

static void make_scene(scene *c, uint64_t *seed)
{
    c->n = c->m = c->noise = 0;
    for (size_t i = 0; i < CELLS; i++) {
        const int64_t z = (int64_t)(next(seed) % 41) - 20;
        c->x[i] = (int64_t)(next(seed) % 50);
        c->y[i] = c->x[i] + z;
        /* Half of the time fitted to y. */
        c->s[i] = (int64_t)(next(seed) % 2 == 0 ? next(seed) % 80
                                                : (uint64_t)(c->y[i] > 0 ? c->y[i] : 0));
        c->n += (double)c->x[i];
        c->m += (double)c->s[i];
        c->noise += fabs((double)z);
    }
}

static double true_variation(const scene *c)
{
    double sum = 0;
    for (size_t i = 0; i < CELLS; i++)
        sum += fabs((double)c->x[i] / c->n - (double)c->s[i] / c->m);
    return sum / 2;
}

TEST(variation_intervals_hold)
{
    CLAIM("variation.interval");
    uint64_t seed = check_seed(), narrow = 0;
    for (int turn = 0; turn < 2000; turn++) {
        scene c;
        make_scene(&c, &seed);
        if (c.n == 0 || c.m == 0)
            continue;
        const double total = c.n + (double)(next(&seed) % 21) - 10;
        const sc_variation_total t = {total > 1 ? total : 1,
                                      fabs((total > 1 ? total : 1) - c.n)};
        const double distance =
            sc_variation_distance(c.y, c.s, CELLS, t.total, (uint64_t)c.m);
        const sc_variation v = sc_variation_interval(distance, c.noise, &t);
        const double truth = true_variation(&c);
        CHECK(v.lower <= truth && truth <= v.upper);
        CHECK(v.lower >= 0 && v.upper <= 1);
        narrow += v.upper < 1 && v.lower > 0;
    }
    CHECK(narrow > 10);
}

/* With noise and slack of 0 the interval is the truth: nothing is given away. */
TEST(variation_intervals_are_tight)
{
    const int64_t y[] = {30, 50, 20};
    const int64_t s[] = {2, 5, 3};
    const sc_variation_total t = {100, 0};
    const sc_variation v =
        sc_variation_interval(sc_variation_distance(y, s, 3, 100, 10), 0, &t);
    CHECK_NEAR(v.lower, 0.1, 1e-9);
    CHECK_NEAR(v.upper, 0.1, 1e-9);
    const sc_variation_total loose = {100, 4};
    const sc_variation w = sc_variation_interval(20, 6, &loose);
    CHECK_NEAR(w.lower, 0.05, 1e-9);
    CHECK_NEAR(w.upper, 0.15, 1e-9);
}

TEST(variation_slack_is_that_of_its_noise)
{
    const sc_cell_noise none = {false, 0}, gaussian = {false, 100}, laplace = {true, 7};
    CHECK(sc_variation_slack_upper(&none, 0.05) == 0);
    CHECK_NEAR(sc_variation_slack_upper(&gaussian, 0.05), 10 * sqrt(2 * log(40)) + 1,
               1e-12);
    CHECK_NEAR(sc_variation_slack_upper(&laplace, 0.05), 7 * log(40) + 1, 1e-12);
}

/* One round: sums of |x - model|, the chosen one by the inequality of selection, and bounds for all others. */
TEST(variation_bounds_by_selection_hold)
{
    CLAIM("variation.upper");
    const sc_selection_round round = {5, 0.1, 2, 30, 500};
    const double beta = 0.1, behind = (log(5) + log(10)) / 0.1;
    /* A candidate at the very edge: 3 (s - 7) = 2 (500 - 30) + behind. */
    const double edge = (2 * (500 - 30) + behind) / 3 + 7;
    const double upper = sc_selection_upper(&round, 3, 7, beta);
    CHECK_NEAR(upper, edge, 1e-12);
    const sc_variation_total t = {2000, 5};
    CHECK_NEAR(sc_variation_upper(upper, 40, &t), (edge + 40 + 5) / 4000, 1e-9);
    CHECK(sc_variation_upper(1e9, 0, &t) == 1);
}

/* The exponential mechanism over five scores: the bound of every candidate holds but for probability beta. False
 * alarms: 6 standard deviations above it. */
TEST(variation_bounds_by_selection_hold_in_draws)
{
    CLAIM("variation.upper");
    const double beta = 0.1, h = 0.05;
    uint64_t seed = check_seed(), broken = 0;
    const uint64_t draws = 4000;
    for (uint64_t draw = 0; draw < draws; draw++) {
        double sums[5], weights[5], all = 0, u;
        size_t chosen = 0;
        for (size_t i = 0; i < 5; i++) {
            sums[i] = (double)(next(&seed) % 200);
            all += weights[i] = exp(h * 2 * (sums[i] - 10));
        }
        u = (double)(next(&seed) >> 11) * 0x1p-53 * all;
        while (chosen < 4 && u >= weights[chosen])
            u -= weights[chosen++];
        const sc_selection_round round = {5, h, 2, 10, sums[chosen]};
        bool holds = true;
        for (size_t i = 0; i < 5; i++)
            holds = holds && sums[i] <= sc_selection_upper(&round, 2, 10, beta);
        broken += !holds;
    }
    CHECK((double)broken <= (double)draws * beta + 6 * sqrt((double)draws * beta));
}
