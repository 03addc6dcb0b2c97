#include "check.h"
#include "query/estimate/noise_series.h"

#include <math.h>

/* Of n noises of scale 1: the density of the sum is exp(-x) times a polynomial. */
static double tail_of_equal(size_t n, double s)
{
    static const double shapes[][4] = {{1, 0, 0, 0},
                                       {1, 0.5, 0, 0},
                                       {1, 0.625, 0.125, 0},
                                       {1, 0.6875, 0.1875, 1.0 / 48}};
    const double *c = shapes[n - 1];
    return exp(-s) * (c[0] + s * (c[1] + s * (c[2] + s * c[3])));
}

/* Of two of different scales. */
static double tail_of_two(double x, double y, double s)
{
    return (x * x * exp(-s / x) - y * y * exp(-s / y)) / (x * x - y * y);
}

TEST(noise_series_is_the_tail_of_a_sum)
{
    CLAIM("noise-series.upper");
    CLAIM("noise-series.tight");
    static const double scales[] = {7, 7, 7, 7};
    for (size_t n = 1; n <= 4; n++)
        for (double s = 0.01; s < 60; s *= 1.3) {
            const double got = sc_noise_series_tail_upper(scales, n, 7 * s),
                         want = tail_of_equal(n, s);
            CHECK(got > 0 && got <= 1);
            /* Nearer than 1e-8 where one noise alone makes the series slow. */
            if (got < want * (1 - 1e-10) || got > want + (n == 1 ? 2e-8 : 1e-9))
                CHECK_FAIL("%zu noises, %g: %.15g in place of %.15g", n, s, got, want);
        }
    for (double y = 0.11; y < 1; y += 0.09)
        for (double s = 0.1; s < 40; s *= 1.5) {
            const double pair[] = {3, 3 * y};
            const double got = sc_noise_series_tail_upper(pair, 2, s),
                         want = tail_of_two(pair[0], pair[1], s);
            if (got < want * (1 - 1e-10) || got > want + 1e-9)
                CHECK_FAIL("scales 3 and %g, %g: %.15g in place of %.15g", pair[1], s,
                           got, want);
        }
}

/* A small noise counts as a tenth of the largest; far out the bound falls on. */
TEST(noise_series_is_not_below_with_small_and_many_noises)
{
    const double small[] = {10, 1e-6};
    double many[64];
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = 1 + (double)i / 64;
    for (double s = 1; s < 300; s *= 1.7) {
        const double got = sc_noise_series_tail_upper(small, 2, s);
        CHECK(got >= exp(-s / 10) && got <= exp(-s / 10) * 1.03 + 1e-9);
    }
    double last = 1;
    for (double s = 1; s < 3000; s *= 1.7) {
        const double got = sc_noise_series_tail_upper(many, COUNT(many), s);
        CHECK(got > 0 && got <= last + 1e-9);
        last = got;
    }
    CHECK(last < 1e-100);
}
