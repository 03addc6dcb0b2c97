#include "check.h"
#include "exact.h"
#include "query/estimate/bar_answer.h"
#include "query/estimate/real_digits.h"

#include <math.h>

static double error_at(int64_t low, int64_t high, int64_t width, const sc_bar_guess *g)
{
    const sc_bar_grid grid = sc_bar_grid_of(low, high, width);
    sc_ratio error;
    sc_ratio_init(&error);
    sc_bar_error(&grid, g, &error);
    const double value = sc_ratio_upper(&error);
    sc_ratio_clear(&error);
    return value;
}

static void guess_init(sc_law *law, sc_ratio *rows, int64_t count)
{
    sc_ratio one;
    sc_ratio_init(&one);
    sc_ratio_init(rows);
    sc_ratio_set_int64(rows, count);
    sc_ratio_set_int64(&one, 1);
    sc_law_init(law, &sc_shifted_laplace_law, &one, 27);
    sc_ratio_clear(&one);
}

/* The law of q = 27 is symmetric about -27/2, so that P(Z >= -13) is a half. */
TEST(bar_width_predicts_an_error)
{
    sc_law law;
    sc_ratio rows;
    guess_init(&law, &rows, 1400);
    sc_bar_guess guess = {.law = &law, .rows = &rows, .k = 1};
    /* All buckets are shown when they hold more than q. */
    CHECK_NEAR(error_at(0, 99, 5, &guess), 2, 1e-12);
    /* 14 in every other bucket. */
    CHECK_NEAR(error_at(0, 99999, 1000, &guess), 1500, 1e-12);
    guess.k = 2;
    CHECK(error_at(0, 99999, 1000, &guess) > 2500);
    /* Fewer rows than k: nothing is ever shown. */
    guess.k = 15;
    CHECK_NEAR(error_at(0, 99999, 1000, &guess), 99999, 1e-12);
    sc_law_clear(&law);
    sc_ratio_clear(&rows);
}

TEST(bar_width_is_the_best_of_its_list)
{
    static const int64_t widths[] = {1,   2,    5,    10,   20,    50,    100,   200,
                                     500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};
    static const int64_t counts[] = {100, 1000, 50000, 1000000}, few[] = {50, 5, 1, 1};
    CLAIM("bar-width.best");
    CLAIM("bar-width.public");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        sc_law law;
        sc_ratio rows;
        guess_init(&law, &rows, counts[i]);
        const sc_bar_guess guess = {.law = &law, .rows = &rows, .k = 1};
        const int64_t chosen = sc_bar_width_choose(-500, 99499, 1 << 20, &guess);
        const double best = error_at(-500, 99499, chosen, &guess);
        bool is_listed = false;
        for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
            is_listed |= widths[k] == chosen;
            CHECK(error_at(-500, 99499, widths[k], &guess) >= best);
        }
        CHECK(is_listed);
        CHECK(sc_bar_width_choose(-500, 99499, 1 << 20, &guess) == chosen);
        /* More rows, narrower buckets; down to one value each, also of few. */
        CHECK(i == 0 || chosen <= 10000);
        CHECK_INT(sc_bar_width_choose(0, 255, 1 << 20, &guess), few[i]);
        CHECK(sc_bar_grid_of(0, 255, sc_bar_width_choose(0, 255, 100, &guess)).count <=
              100);
        sc_law_clear(&law);
        sc_ratio_clear(&rows);
    }
}

/* Three rows are shown at no width: the one of least buckets, but one value has one. */
TEST(bar_width_is_large_where_all_are_hopeless)
{
    sc_law law;
    sc_ratio rows;
    guess_init(&law, &rows, 3);
    const sc_bar_guess guess = {.law = &law, .rows = &rows, .k = 1};
    CHECK_INT(sc_bar_width_choose(0, 120, 1 << 20, &guess), 100);
    CHECK_INT(sc_bar_width_choose(0, 99999, 1 << 20, &guess), 50000);
    CHECK_INT(sc_bar_width_choose(7, 7, 1 << 20, &guess), 1);
    CHECK_INT(sc_bar_width_choose(0, 1, 1 << 20, &guess), 1);
    sc_law_clear(&law);
    sc_ratio_clear(&rows);
}

/* Room is for a few, and the widest range has five of the widest buckets: one has less by a value. */
TEST(bar_width_keeps_to_the_room_there_is)
{
    CLAIM("bar-width.fits");
    const int64_t end = (int64_t)1 << 62;
    sc_law law;
    sc_ratio rows;
    guess_init(&law, &rows, 1000000000);
    const sc_bar_guess guess = {.law = &law, .rows = &rows, .k = 1};
    for (uint64_t most = 16; most < (uint64_t)1 << 21; most *= 7) {
        const int64_t width = sc_bar_width_choose(-end, end, most, &guess);
        CHECK(width > 0 && sc_bar_grid_of(-end, end, width).count <= most);
    }
    for (uint64_t most = 0; most <= 16; most++) {
        const int64_t ends[][2] = {{-end, end}, {-end, end - 1}, {1 - end, end - 1},
                                   {0, end},    {-1, 1},         {3, 900}};
        const uint64_t least[] = {5, 4, 4, 3, 2, 1};
        for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
            const int64_t low = ends[i][0], high = ends[i][1],
                          width = sc_bar_width_choose(low, high, most, &guess);
            CHECK_INT(width > 0, most >= least[i]);
            CHECK(width >= 0 && width <= SC_BAR_GRID_WIDTH);
            CHECK(width == 0 || sc_bar_grid_of(low, high, width).count <= most);
        }
    }
    sc_law_clear(&law);
    sc_ratio_clear(&rows);
}

/* (1 - p)^buckets with p summed up in doubles: of n rows, those of noise above -n are shown. */
TEST(bar_width_says_where_nothing_is_shown)
{
    CLAIM("bar-width.shown");
    static const int64_t counts[] = {1, 2, 50, 1000, 100000};
    const double edge = expm1(1) / (2 * expm1(14));
    size_t seen[2] = {0, 0};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const int64_t buckets = counts[i];
        const sc_bar_grid grid = sc_bar_grid_of(0, 10 * buckets - 1, 10);
        double p = 0;
        CHECK_INT(grid.count, buckets);
        for (int64_t n = 0; n < 30; n++) {
            sc_law law;
            sc_ratio rows;
            guess_init(&law, &rows, n * buckets + buckets / 2);
            const sc_bar_guess guess = {.law = &law, .rows = &rows, .k = 1},
                               more = {.law = &law, .rows = &rows, .k = (uint64_t)n + 1};
            const bool want = pow(1 - p, (double)buckets) >= 0.5;
            CHECK_INT(sc_bar_rows(&grid, &rows), n);
            if (n != 14 || buckets > 1) /* a half exactly, which is either */
                CHECK_INT(sc_bar_shows_nothing(&grid, &guess), want);
            CHECK(sc_bar_shows_nothing(&grid, &more));
            seen[want]++;
            p += n < 28 ? edge * exp((double)(n < 27 - n ? n : 27 - n)) : 0;
            sc_law_clear(&law);
            sc_ratio_clear(&rows);
        }
    }
    CHECK(seen[0] > 50 && seen[1] > 20);
}

/* Noise of the least q shows a bucket at least as often as that of the next, so that the error is never
 * larger: a plan has nothing to gain from another. Of an even q a bar's noise varies less, but it
 * loses more. */
TEST(bar_width_error_is_least_for_the_least_q)
{
    CLAIM("bar-width.least-q");
    static const char *const epsilons[] = {"1/10", "1/2", "1", "3"};
    static const int64_t bounds[] = {1, 2, 7, 8, 27, 28, 217};
    size_t is_better = 0;
    for (size_t i = 0; i < COUNT(epsilons) * COUNT(bounds); i++) {
        const int64_t q = bounds[i / COUNT(epsilons)];
        const sc_bar_grid grid = sc_bar_grid_of(0, 9999, 10);
        sc_law least, next;
        sc_ratio epsilon, rows;
        exact_ratio(epsilons[i % COUNT(epsilons)], &epsilon);
        sc_ratio_init(&rows);
        sc_law_init(&least, &sc_shifted_laplace_law, &epsilon, q);
        sc_law_init(&next, &sc_shifted_laplace_law, &epsilon, q + 1);
        for (int64_t n = 1; n <= q + 2; n += 1 + q / 20)
            for (uint64_t k = 1; k <= 3; k++) {
                sc_ratio_set_int64(&rows, 1000 * n);
                const sc_bar_guess a = {.law = &least, .rows = &rows, .k = k},
                                   b = {.law = &next, .rows = &rows, .k = k};
                const double with = error_at(0, 9999, 10, &a),
                             without = error_at(0, 9999, 10, &b);
                CHECK(with <= without);
                is_better += with < without;
            }
        CHECK_INT(grid.count, 1000);
        sc_law_clear(&next);
        sc_law_clear(&least);
        sc_ratio_clear(&rows);
        sc_ratio_clear(&epsilon);
    }
    CHECK(is_better > 100);
}
