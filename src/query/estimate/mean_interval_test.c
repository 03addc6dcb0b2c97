#include "noise_list.h"
#include "query/estimate/moment_interval.h"

#include <math.h>
#include <stdio.h>

#define BETA 0.05

/* A group, and the range of its values less their centre. */
typedef struct group {
    double sum, rows, low, high;
} group;

static bool covers(const sc_mean_setting *setting, const group *g, double sum,
                   double rows)
{
    const double mean = g->sum / g->rows;
    const sc_real_interval interval = sc_mean_interval(setting, sum, rows, BETA);
    CHECK(interval.low >= g->low && interval.high <= g->high);
    CHECK(interval.low <= interval.high);
    return interval.low <= mean && mean <= interval.high;
}

/* The probability of it, over all noise. */
static double coverage(const char *sum_line, const char *rows_line, const group *g)
{
    noise_list sum = {.reach = 0}, rows = {.reach = 0};
    double covered = 0;
    const bool is_listed =
        noise_list_init(&sum, sum_line) && noise_list_init(&rows, rows_line);
    const sc_mean_setting setting = {&sum.noise, &rows.noise, g->low, g->high};
    for (int64_t y = -rows.reach; is_listed && y <= rows.reach; y++) {
        /* Mass that is not worth the time counts as covered: 1e-7 in all. */
        for (int64_t z = -sum.reach; z <= sum.reach; z++) {
            const double mass = noise_list_mass(&rows, y) * noise_list_mass(&sum, z);
            if (mass < 1e-11 ||
                covers(&setting, g, g->sum + (double)z, g->rows + (double)y))
                covered += mass;
        }
    }
    noise_list_clear(&sum);
    noise_list_clear(&rows);
    return covered;
}

SLOW_TEST(mean_interval_has_its_level_for_every_noise)
{
    CLAIM("mean-interval.coverage");
    static const struct {
        const char *sum, *rows;
        group g;
        double at_most;
    } list[] = {
        /* shares of a yes or no column, of which -1/2 is not a step: values 0 and 1, centre 0 */
        {"laplace epsilon=1/4", "laplace epsilon=1/4", {120, 400, 0, 1}, 0.97},
        {"laplace epsilon=1", "laplace epsilon=1", {60, 200, 0, 1}, 0.985},
        /* values -5 to 5 */
        {"laplace sensitivity=5 epsilon=1",
         "laplace epsilon=1/2",
         {-130, 100, -5, 5},
         0.97},
        {"laplace sensitivity=5 epsilon=1/2",
         "laplace epsilon=1",
         {301, 100, -5, 5},
         0.97},
        {"laplace sensitivity=5 epsilon=1", "laplace epsilon=1", {0, 70, -5, 5}, 0.97},
        {"gaussian sigma=15", "gaussian sigma=3", {-130, 100, -5, 5}, 0.97},
        /* at an end of the range, and a group that is within its noise of nothing */
        {"laplace sensitivity=5 epsilon=1", "laplace epsilon=1", {250, 50, -5, 5}, 1},
        {"laplace sensitivity=5 epsilon=1", "laplace epsilon=1", {3, 1, -5, 5}, 1},
        {"laplace sensitivity=5 epsilon=1", "laplace epsilon=1", {12, 5, -5, 5}, 1},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        const double c = coverage(list[i].sum, list[i].rows, &list[i].g);
        if (!CHECK(c >= 1 - BETA && c <= list[i].at_most + 1e-6))
            CHECK_FAIL("%s, %s: coverage %.6f", list[i].sum, list[i].rows, c);
    }
}

/* Adult's ages: a range of 0 to 120 about 60, a mean of 38.6. */
TEST(mean_interval_of_ages_covers_as_often_as_it_says)
{
    CLAIM("mean-interval.coverage");
    static const struct {
        const char *sum, *rows;
    } list[] = {
        {"laplace sensitivity=60 epsilon=0.05", "laplace epsilon=0.05"},
        {"laplace sensitivity=60 epsilon=1", "laplace epsilon=1"},
        {"gaussian sensitivity=60 sigma=600", "gaussian sigma=10"},
    };
    const size_t count = check_count_whole(4000, 100000);
    for (size_t i = 0; i < COUNT(list); i++) {
        noise_list sum, rows;
        const group g = {-21.4 * 3000, 3000, -60, 60};
        if (noise_list_draw(&sum, list[i].sum, count, 2 * i) &&
            noise_list_draw(&rows, list[i].rows, count, 2 * i + 1)) {
            const sc_mean_setting setting = {&sum.noise, &rows.noise, g.low, g.high};
            size_t covered = 0;
            for (size_t k = 0; k < count; k++)
                covered += covers(&setting, &g, g.sum + (double)sum.draws[k],
                                  g.rows + (double)rows.draws[k]);
            /* Five standard deviations: a false alarm in two million runs. */
            const double share = (double)covered / (double)count;
            const double noise = 5 * sqrt(BETA * (1 - BETA) / (double)count);
            if (!CHECK(share >= 1 - BETA - noise && share <= 0.96 + noise))
                CHECK_FAIL("%s: coverage %.4f", list[i].sum, share);
        }
        noise_list_clear(&sum);
        noise_list_clear(&rows);
    }
}

TEST(mean_interval_is_open_where_there_may_be_no_rows)
{
    noise_list sum, rows;
    if (noise_list_init(&sum, "laplace sensitivity=5 epsilon=1") &&
        noise_list_init(&rows, "laplace epsilon=1")) {
        const sc_mean_setting setting = {&sum.noise, &rows.noise, -5, 5};
        /* P(|Z| >= 3) = .0729, P(|Z| >= 4) = .0268. */
        for (int n = -4; n <= 8; n++) {
            const sc_real_interval interval = sc_mean_interval(&setting, 2, n, BETA);
            CHECK(interval.is_open == (n < 4));
            if (n < 4)
                CHECK(interval.low == -5 && interval.high == 5);
        }
        /* A quotient that no mean of the range explains. */
        const sc_real_interval beyond = sc_mean_interval(&setting, 5000, 100, BETA);
        CHECK(!beyond.is_open && beyond.low == 5 && beyond.high == 5);
    }
    noise_list_clear(&sum);
    noise_list_clear(&rows);
}

static bool is_below_seven(const void *context, double distance)
{
    (void)context;
    return distance <= 7;
}

TEST(farthest_finds_the_end_from_outside)
{
    const double firsts[] = {1e-6, 1, 6.9, 100};
    for (size_t i = 0; i < COUNT(firsts); i++) {
        const double found = sc_farthest(is_below_seven, NULL, firsts[i], 50);
        CHECK(found >= 7 && found <= 7.001);
        CHECK(sc_farthest(is_below_seven, NULL, firsts[i], 3) == 3);
        CHECK(sc_farthest(is_below_seven, NULL, firsts[i], -1) == 0);
    }
}
