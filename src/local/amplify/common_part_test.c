#include "check.h"
#include "local/amplify/blanket_sums.h"

#include <math.h>

static void law_init(sc_common_law *law, int64_t p, int64_t w11, int64_t w10, int64_t of)
{
    sc_ball_init(&law->p);
    sc_ball_init(&law->w11);
    sc_ball_init(&law->w10);
    sc_ball_set_int64(&law->p, p);
    sc_ball_set_int64(&law->w11, w11);
    sc_ball_div_int64(&law->w11, &law->w11, of, 128);
    sc_ball_set_int64(&law->w10, w10);
    sc_ball_div_int64(&law->w10, &law->w10, of, 128);
}

static void law_clear(sc_common_law *law)
{
    sc_ball_clear(&law->w10);
    sc_ball_clear(&law->w11);
    sc_ball_clear(&law->p);
}

/* E max(0, v - p c - d) for trinomial c and d, in doubles, by its definition. */
static double truth(uint64_t n, double p, double w11, double w10, double v)
{
    double sum = 0;
    const double outside = log(1 - w11 - w10);
    for (uint64_t c = 0; c <= n && p * (double)c < v; c++)
        for (uint64_t d = 0; c + d <= n && p * (double)c + (double)d < v; d++) {
            const double rest = (double)(n - c - d);
            sum += exp(lgamma((double)n + 1) - lgamma((double)c + 1) -
                       lgamma((double)d + 1) - lgamma(rest + 1) + (double)c * log(w11) +
                       (double)d * log(w10) + rest * outside) *
                   (v - p * (double)c - (double)d);
        }
    return sum;
}

/* At most `slack` above the truth in these places, in deviations from the mean, and never below it. */
static void check_part(uint64_t n, int64_t p, int64_t w11, int64_t w10, int64_t of,
                       double step, double slack)
{
    sc_common_law law;
    sc_common_part part;
    scrim_error error;
    const double a = (double)w11 / (double)of, b = (double)w10 / (double)of,
                 mean = (double)p * a + b;
    const double deviation = sqrt((double)n * ((double)(p * p) * a + b - mean * mean));
    law_init(&law, p, w11, w10, of);
    sc_common_part_init(&part);
    REQUIRE_OK(sc_common_part_set(&part, n, &law, step, 60, &error));
    const double h = sc_ball_upper(&part.step), start = sc_ball_upper(&part.start);
    for (double z = -3; z <= 3; z += 0.37) {
        const double v = (double)n * mean + z * deviation;
        if (v <= 0)
            continue;
        const double want = truth(n, (double)p, a, b, v),
                     got = sc_common_part_call(&part, (v - start) / h) * h;
        CHECK(got >= want * (1 - 1e-9));
        CHECK_NEAR(got, want, slack);
    }
    CHECK(sc_ball_upper(&part.lost) < 1e-20);
    sc_common_part_clear(&part);
    law_clear(&law);
}

TEST(common_part_is_an_upper_bound)
{
    CLAIM("common-part.upper");
    check_part(6, 3, 1, 2, 8, 1, 1e-8); /* the grid has all atoms */
    check_part(6, 3, 1, 2, 8, 0.01, 1e-8);
    check_part(40, 7, 1, 3, 10, 0.3, 1e-3);     /* d given c, atoms between points */
    check_part(600, 7, 1, 30, 100, 0.25, 2e-2); /* d apart from c */
    check_part(600, 7, 1, 30, 100, 4, 0.2);
}

/* Where tails are cut off, what is below counts as lost, and nothing above is. */
static void check_cut(uint64_t n, int64_t p, int64_t w11, int64_t w10, int64_t of)
{
    sc_common_law law;
    sc_common_part part;
    scrim_error error;
    const double a = (double)w11 / (double)of, b = (double)w10 / (double)of;
    law_init(&law, p, w11, w10, of);
    sc_common_part_init(&part);
    REQUIRE_OK(sc_common_part_set(&part, n, &law, 1, 1, &error));
    const double h = sc_ball_upper(&part.step), start = sc_ball_upper(&part.start),
                 lost = sc_ball_upper(&part.lost);
    const double mean = (double)n * ((double)p * a + b);
    for (double v = mean / 2; v < 3 * mean; v *= 1.3)
        CHECK(sc_common_part_call(&part, (v - start) / h) * h + lost * v >=
              truth(n, (double)p, a, b, v) * (1 - 1e-9));
    sc_common_part_clear(&part);
    law_clear(&law);
}

TEST(common_part_counts_what_it_cuts_off)
{
    CLAIM("common-part.upper");
    check_cut(40, 2, 1, 3, 100);
    check_cut(40, 2, 30, 60, 100);
    check_cut(600, 2, 1, 3, 1000);
    check_cut(600, 1, 1, 9990, 10000);
}
