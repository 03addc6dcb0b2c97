#include "check.h"
#include "exact.h"
#include "noise_checks.h"
#include "noise_list.h"
#include "query/estimate/noise_sum.h"

#include <math.h>
#include <stdio.h>

/* P(|w_1 Z_1 + w_2 Z_2 + w_3 Z_3| >= s), pair by pair and triple by triple. */

typedef struct exact_sum {
    const noise_list *lists[SC_NOISE_SUM_MAX];
    double weights[SC_NOISE_SUM_MAX];
    size_t count;
} exact_sum;

static double exact_tail(const exact_sum *sum, size_t from, double at, double s)
{
    /* Equal but for rounding counts as reached. */
    if (from == sum->count)
        return fabs(at) >= s * (1 - 1e-12) ? 1 : 0;
    const noise_list *list = sum->lists[from];
    double tail = 0;
    for (int64_t z = -list->reach; z <= list->reach; z++)
        tail += noise_list_mass(list, z) *
                exact_tail(sum, from + 1, at + sum->weights[from] * (double)z, s);
    return tail;
}

static double bound(const exact_sum *sum, double s)
{
    sc_noise_sum ours = {.count = sum->count};
    for (size_t i = 0; i < sum->count; i++) {
        ours.terms[i] = &sum->lists[i]->noise;
        ours.weights[i] = sum->weights[i];
    }
    return sc_noise_sum_tail_upper(&ours, s);
}

/* Half a step of each noise, and a little more. */
static double slack(const exact_sum *sum)
{
    double all = 0;
    for (size_t i = 0; i < sum->count; i++)
        all += sum->weights[i] * sum->lists[i]->noise.within;
    return all;
}

static void check_upper(const exact_sum *sum, const char *what, double s)
{
    const double true_tail = exact_tail(sum, 0, 0, s), ours = bound(sum, s);
    if (!CHECK(ours >= true_tail - 1e-9))
        CHECK_FAIL("%s: at %g the bound is %.12g, the tail %.12g", what, s, ours,
                   true_tail);
}

static const char *const laplace_lines[] = {"laplace epsilon=4", "laplace epsilon=1",
                                            "laplace epsilon=1/3"};
static const char *const gaussian_lines[] = {"gaussian sigma=0.3", "gaussian sigma=0.8",
                                             "gaussian sigma=1.5", "gaussian sigma=6"};
static const double weights[] = {0, 0.3, 1, 2.5, 7, 60};

static void check_pairs(const char *const *lines, size_t count, double width)
{
    for (size_t i = 0; i < count * count; i++) {
        noise_list a, b;
        char what[128];
        snprintf(what, sizeof what, "%s and %s", lines[i / count], lines[i % count]);
        if (noise_list_init(&a, lines[i / count]) &&
            noise_list_init(&b, lines[i % count]))
            for (size_t w = 0; w < COUNT(weights); w++) {
                const exact_sum sum = {{&a, &b}, {1, weights[w]}, 2};
                const double far =
                    width * (a.noise.scale + weights[w] * b.noise.scale) + 1;
                for (double part = 0.01; part <= 1; part += 0.11)
                    check_upper(&sum, what, part * far);
                check_upper(&sum, what, 1);
                check_upper(&sum, what, weights[w] > 0 ? 3 * weights[w] : 2);
            }
        noise_list_clear(&a);
        noise_list_clear(&b);
    }
}

TEST(noise_sum_bounds_the_tails_of_two_laplaces)
{
    CLAIM("noise-sum.upper");
    check_pairs(laplace_lines, COUNT(laplace_lines), 8);
}

TEST(noise_sum_bounds_the_tails_of_two_gaussians)
{
    CLAIM("noise-sum.upper");
    check_pairs(gaussian_lines, COUNT(gaussian_lines), 4);
}

TEST(noise_sum_bounds_the_tails_of_unlike_noises)
{
    CLAIM("noise-sum.upper");
    static const char *const lines[] = {"laplace epsilon=1", "gaussian sigma=1.5",
                                        "truncated-laplace epsilon=1 bound=3"};
    check_pairs(lines, COUNT(lines), 5);
}

/* Integers: the tail itself. */
TEST(noise_sum_of_two_laplaces_is_exact_at_integers)
{
    CLAIM("noise-sum.tight");
    for (size_t i = 0; i < COUNT(laplace_lines) * COUNT(laplace_lines); i++) {
        noise_list a, b;
        if (noise_list_init(&a, laplace_lines[i / COUNT(laplace_lines)]) &&
            noise_list_init(&b, laplace_lines[i % COUNT(laplace_lines)]))
            for (double weight = 0; weight <= 8; weight++)
                for (double s = 1; s <= 25; s += 3) {
                    const exact_sum sum = {{&a, &b}, {1, weight}, 2};
                    const double true_tail = exact_tail(&sum, 0, 0, s);
                    if (true_tail > 1e-2)
                        CHECK_NEAR(bound(&sum, s), true_tail, 1e-7);
                }
        noise_list_clear(&a);
        noise_list_clear(&b);
    }
}

/* Anything else: not above the tail at an s that is smaller by twice the slack. */
TEST(noise_sum_is_not_padded_by_more_than_a_step)
{
    CLAIM("noise-sum.tight");
    noise_list a, b;
    if (noise_list_init(&a, "gaussian sigma=6") &&
        noise_list_init(&b, "gaussian sigma=3"))
        for (double weight = 0.3; weight < 5; weight += 0.7)
            for (double s = 5; s < 40; s += 2.3) {
                const exact_sum sum = {{&a, &b}, {1, weight}, 2};
                CHECK(bound(&sum, s) <= exact_tail(&sum, 0, 0, s - 2 * slack(&sum)));
            }
    noise_list_clear(&a);
    noise_list_clear(&b);
}

TEST(noise_sum_bounds_the_tails_of_three)
{
    CLAIM("noise-sum.upper");
    CLAIM("noise-sum.tight");
    static const char *const lines[] = {"laplace epsilon=2", "laplace epsilon=1",
                                        "gaussian sigma=2"};
    for (size_t k = 0; k < COUNT(lines); k++) {
        noise_list a, b;
        if (noise_list_init(&a, lines[k]) && noise_list_init(&b, "laplace epsilon=2"))
            for (size_t w = 0; w < 4; w++) {
                static const double list[][2] = {{1, 1}, {2.5, 0.4}, {1e-9, 1}, {3, 3}};
                const exact_sum sum = {{&a, &b, &b}, {1, list[w][0], list[w][1]}, 3};
                for (double s = 2; s < 20; s += 5.5) {
                    check_upper(&sum, lines[k], s);
                    if (k < 2 && s > 2 * slack(&sum))
                        CHECK(bound(&sum, s) <=
                              exact_tail(&sum, 0, 0, s - 2 * slack(&sum)) * 1.01);
                }
            }
        noise_list_clear(&a);
        noise_list_clear(&b);
    }
}

/* A large scale is nearly continuous: the vector of spec/mechanisms.md 4.4, written out. */
TEST(noise_sum_of_long_noises_is_the_continuous_formula)
{
    CLAIM("noise-sum.tight");
    sc_law law;
    sc_noise a, b;
    exact_law(&sc_discrete_laplace_law, "50000", 0, &law);
    sc_noise_init(&a, &law);
    sc_law_clear(&law);
    exact_law(&sc_discrete_laplace_law, "1000", 0, &law);
    sc_noise_init(&b, &law);
    sc_law_clear(&law);
    for (double mean = 1; mean < 200; mean *= 3) {
        const sc_noise_sum sum = {{&a, &b}, {1, mean}, 2, {0}};
        const double x = 50000, y = 1000 * mean, t = 3 * x;
        CHECK_NEAR(sc_noise_sum_tail_upper(&sum, t),
                   (x * x * exp(-t / x) - y * y * exp(-t / y)) / (x * x - y * y), 1e-3);
    }
}

TEST(noise_sum_radius_is_where_the_tail_is_beta)
{
    noise_list a, b;
    if (noise_list_init(&a, "laplace epsilon=1/3") &&
        noise_list_init(&b, "laplace epsilon=1")) {
        const sc_noise_sum sum = {{&a.noise, &b.noise}, {1, 2.5}, 2, {0}};
        const double radius = sc_noise_sum_radius_upper(&sum, 0.05);
        CHECK(sc_noise_sum_tail_upper(&sum, radius) <= 0.05);
        CHECK(sc_noise_sum_tail_upper(&sum, radius * (1 - 1e-5)) > 0.05);
        CHECK(sc_noise_sum_tail_upper(&sum, 0) >= 1);
    }
    noise_list_clear(&a);
    noise_list_clear(&b);
}

TEST(noise_law_radius_is_that_of_the_law)
{
    static const char *const lines[] = {"laplace epsilon=4",
                                        "laplace epsilon=1/700",
                                        "gaussian sigma=0.3",
                                        "gaussian sigma=0.9",
                                        "gaussian variance=1234.5",
                                        "gaussian sigma=70000",
                                        "gaussian sigma=3",
                                        "truncated-laplace epsilon=1 bound=2",
                                        "truncated-laplace epsilon=1 bound=30"};
    static const char *const betas[] = {"0.9", "0.05", "0.001", "1e-12"};
    for (size_t i = 0; i < COUNT(lines) * COUNT(betas); i++) {
        sc_ratio beta;
        sc_int128 ours = -1, theirs = -2;
        scrim_measurement *m = noise_modelled(lines[i / COUNT(betas)]);
        REQUIRE(m != NULL);
        exact_ratio(betas[i % COUNT(betas)], &beta);
        CHECK_STATUS(sc_noise_law_radius(sc_noise_law(m), &beta, &ours, NULL), SCRIM_OK);
        CHECK_STATUS(sc_law_radius(sc_noise_law(m), &beta, &theirs, NULL), SCRIM_OK);
        CHECK_INT(ours, theirs);
        sc_ratio_clear(&beta);
        scrim_measurement_free(m);
    }
}

/* The tail of n noises of scale 1: the density of the sum is exp(-x) times a polynomial. */
static double tail_of_equal(size_t n, double s)
{
    static const double shapes[][4] = {{1, 0, 0, 0},
                                       {1, 0.5, 0, 0},
                                       {1, 0.625, 0.125, 0},
                                       {1, 0.6875, 0.1875, 1.0 / 48}};
    const double *c = shapes[n - 1];
    return exp(-s) * (c[0] + s * (c[1] + s * (c[2] + s * c[3])));
}

/* The tail of two noises of different scales. */
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
            const double got = sc_noise_series_tail_upper(scales, NULL, n, 7 * s),
                         want = tail_of_equal(n, s);
            CHECK(got > 0 && got <= 1);
            /* Nearer than 1e-8 where one noise alone makes the series slow. */
            if (got < want * (1 - 1e-10) || got > want + (n == 1 ? 2e-8 : 1e-9))
                CHECK_FAIL("%zu noises, %g: %.15g in place of %.15g", n, s, got, want);
        }
    for (double y = 0.11; y < 1; y += 0.09)
        for (double s = 0.1; s < 40; s *= 1.5) {
            const double pair[] = {3, 3 * y};
            const double got = sc_noise_series_tail_upper(pair, NULL, 2, s),
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
        const double got = sc_noise_series_tail_upper(small, NULL, 2, s);
        CHECK(got >= exp(-s / 10) && got <= exp(-s / 10) * 1.03 + 1e-9);
    }
    double last = 1;
    for (double s = 1; s < 3000; s *= 1.7) {
        const double got = sc_noise_series_tail_upper(many, NULL, COUNT(many), s);
        CHECK(got > 0 && got <= last + 1e-9);
        last = got;
    }
    CHECK(last < 1e-100);
}

/* Tables of the normal law have these. */
TEST(normal_quantile_is_that_of_the_tables)
{
    CHECK_NEAR(sc_normal_quantile(0.975), 1.959963985, 1e-9);
    CHECK_NEAR(sc_normal_quantile(0.995), 2.575829304, 1e-9);
    CHECK_NEAR(sc_normal_quantile(0.25), -0.6744897502, 1e-9);
    CHECK(fabs(sc_normal_quantile(0.5)) < 1e-9);
    CHECK(fabs(sc_normal_quantile(1e-9) + 5.997807015) < 1e-8);
}
