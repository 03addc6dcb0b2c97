#include "noise_list.h"
#include "query/estimate/moment_interval.h"

#include <math.h>
#include <stdio.h>

#define BETA 0.05

/* A group: its centred range, its number of rows and their statistics. */
typedef struct group {
    double rows, mean, variance;
    double reach; /* |x - centre| */
} group;

typedef struct noises {
    noise_list rows, sum, squares;
} noises;

static bool noises_init(noises *n, const char *rows, const char *sum, const char *squares)
{
    const bool first = noise_list_init(&n->rows, rows);
    const bool second = noise_list_init(&n->sum, sum);
    return noise_list_init(&n->squares, squares) && first && second;
}

static bool noises_draw(noises *n, const char *const lines[3], size_t count)
{
    const bool first = noise_list_draw(&n->rows, lines[0], count, 1);
    const bool second = noise_list_draw(&n->sum, lines[1], count, 2);
    return noise_list_draw(&n->squares, lines[2], count, 3) && first && second;
}

static void noises_clear(noises *n)
{
    noise_list_clear(&n->rows);
    noise_list_clear(&n->sum);
    noise_list_clear(&n->squares);
}

static sc_variance_setting setting_of(const noises *n, const group *g, bool is_sample)
{
    return (sc_variance_setting){
        .mean = {&n->sum.noise, &n->rows.noise, -g->reach, g->reach},
        .squares = &n->squares.noise,
        .offset = floor(g->reach * g->reach / 2),
        .is_sample = is_sample};
}

static bool covers(const sc_variance_setting *setting, const group *g, double z_rows,
                   double z_sum, double z_squares)
{
    const double squares = g->variance + g->mean * g->mean - setting->offset;
    const double truth = g->variance * (setting->is_sample ? g->rows / (g->rows - 1) : 1);
    const sc_real_interval interval =
        sc_variance_interval(setting, g->rows * g->mean + z_sum,
                             g->rows * squares + z_squares, g->rows + z_rows, BETA);
    CHECK(interval.low >= 0 && interval.low <= interval.high &&
          interval.high <= sc_variance_most(setting));
    return interval.low <= truth && truth <= interval.high;
}

/* Every noise of a short law, with its probability. */
TEST(variance_interval_has_its_level_for_every_noise)
{
    CLAIM("variance-interval.coverage");
    static const group list[] = {{40, 0.5, 1, 2}, {30, -1, 0, 2}, {8, 0, 2, 2}};
    noises n;
    if (noises_init(&n, "laplace epsilon=3", "laplace sensitivity=2 epsilon=6",
                    "laplace sensitivity=2 epsilon=6"))
        for (size_t i = 0; i < COUNT(list); i++) {
            const sc_variance_setting setting = setting_of(&n, &list[i], false);
            double missed = 0, all = 0;
            for (int64_t x = -n.rows.reach; x <= n.rows.reach; x++)
                for (int64_t y = -n.sum.reach; y <= n.sum.reach; y++)
                    for (int64_t z = -n.squares.reach; z <= n.squares.reach; z++) {
                        const double mass = noise_list_mass(&n.rows, x) *
                                            noise_list_mass(&n.sum, y) *
                                            noise_list_mass(&n.squares, z);
                        if (mass < 1e-7)
                            continue;
                        all += mass;
                        if (!covers(&setting, &list[i], (double)x, (double)y, (double)z))
                            missed += mass;
                    }
            CHECK(all > 0.999);
            if (!CHECK(missed + 1 - all <= BETA))
                CHECK_FAIL("group %zu is missed with %.5f", i, missed);
        }
    noises_clear(&n);
}

/* Adult's ages (a mean of 38.6 and a variance of 186 in 0 to 120), and other groups. The upper
 * limit says that intervals are not wider than they need to be. */
SLOW_TEST(variance_interval_of_ages_covers_as_often_as_it_says)
{
    CLAIM("variance-interval.coverage");
    static const struct {
        const char *lines[3];
        group g;
        double at_most;
    } list[] = {{{"laplace epsilon=1/30", "laplace sensitivity=60 epsilon=1/30",
                  "laplace sensitivity=1800 epsilon=1/30"},
                 {30000, -21.4, 186, 60},
                 0.965},
                {{"laplace epsilon=1/3", "laplace sensitivity=60 epsilon=1/3",
                  "laplace sensitivity=1800 epsilon=1/3"},
                 {1000, -21.4, 186, 60},
                 0.97},
                {{"laplace epsilon=2/3", "laplace sensitivity=60 epsilon=2/3",
                  "laplace sensitivity=1800 epsilon=2/3"},
                 {100, 10, 900, 60},
                 0.99},
                {{"gaussian sigma=10", "gaussian sigma=600", "gaussian sigma=18000"},
                 {10000, -21.4, 186, 60},
                 0.97}};
    const size_t count = check_count_whole(1500, 30000);
    for (size_t i = 0; i < COUNT(list); i++) {
        noises n;
        if (noises_draw(&n, list[i].lines, count))
            for (int sample = 0; sample < 2; sample++) {
                const sc_variance_setting setting = setting_of(&n, &list[i].g, sample);
                size_t covered = 0;
                for (size_t k = 0; k < count; k++)
                    covered += covers(&setting, &list[i].g, (double)n.rows.draws[k],
                                      (double)n.sum.draws[k], (double)n.squares.draws[k]);
                /* Five standard deviations: a false alarm in two million runs. */
                const double share = (double)covered / (double)count;
                const double noise = 5 * sqrt(BETA * (1 - BETA) / (double)count);
                if (!CHECK(share >= 1 - BETA - noise && share <= list[i].at_most + noise))
                    CHECK_FAIL("%s: coverage %.4f", list[i].lines[2], share);
                if (check_is_long())
                    printf("# %s: coverage %.4f\n", list[i].lines[2], share);
            }
        noises_clear(&n);
    }
}

TEST(variance_interval_is_open_where_there_may_be_no_rows)
{
    noises n;
    const group g = {40, 0.5, 1, 2};
    if (noises_init(&n, "laplace epsilon=1", "laplace sensitivity=2 epsilon=1",
                    "laplace sensitivity=2 epsilon=1"))
        for (int sample = 0; sample < 2; sample++) {
            const sc_variance_setting setting = setting_of(&n, &g, sample);
            const sc_real_interval open = sc_variance_interval(&setting, 1, 1, 1, BETA);
            CHECK(open.is_open && open.low == 0 && open.high == (sample ? 8 : 4));
            const sc_real_interval known =
                sc_variance_interval(&setting, 0, 0, 500, BETA);
            CHECK(!known.is_open && known.low > 1.9 && known.high < 2.1);
        }
    noises_clear(&n);
}
