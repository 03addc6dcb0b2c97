#include "local/collect/refinement.h"
#include "local_fleet.h"

#include <math.h>
#include <string.h>

#define VALUES 15

/* Sets negative counts to 0 and shifts the others, until nothing changes. */
static void norm_sub(double *counts, size_t count, double total)
{
    for (int i = 0; i < 1000; i++) {
        double sum = 0, positive = 0;
        for (size_t v = 0; v < count; v++) {
            counts[v] = fmax(counts[v], 0);
            sum += counts[v];
            positive += counts[v] > 0;
        }
        for (size_t v = 0; v < count; v++)
            counts[v] += counts[v] > 0 ? (total - sum) / positive : 0;
    }
}

TEST(simplex_counts_are_those_of_norm_sub)
{
    double counts[] = {50, -3, 2, 17.5, -40, 0.25, 33, 1}, other[COUNT(counts)];
    memcpy(other, counts, sizeof counts);
    norm_sub(other, COUNT(other), 100);
    REQUIRE_OK(sc_simplex_counts(counts, COUNT(counts), 100, NULL));
    double sum = 0;
    for (size_t v = 0; v < COUNT(counts); v++) {
        CHECK(fabs(counts[v] - other[v]) < 1e-9);
        sum += counts[v];
    }
    CHECK_NEAR(sum, 100, 1e-12);
}

static const char *const with_em[] = {
    "randomised-response values=15 a=5 b=1",
    "projective-geometry values=15 a=5 b=2 field=3 digits=4",
    "hadamard values=15 a=5 b=2 blocks=1 order=16",
    "hadamard values=14 a=5 b=2 blocks=2 order=8",
    "square-wave values=15 a=5 b=2 width=3",
    "local-hashing values=9 a=5 b=2 field=3 digits=2",
    "condensed-exponential values=15 a=5 b=2 metric=0",
};

static double likelihood(sc_likely *likely, const double *histogram, const double *counts)
{
    double expected[64], sum = 0;
    if (sc_likely_expect(likely, counts, expected, NULL) != SCRIM_OK)
        return (double)-INFINITY;
    for (size_t y = 0; y < sc_likely_cells(likely); y++)
        sum += histogram[y] == 0 ? 0 : histogram[y] * log(expected[y]);
    return sum;
}

TEST(likely_counts_become_more_likely)
{
    CLAIM("likely-counts.rises");
    const uint64_t holders[VALUES] = {500, 250, 100, 60, 40, 25, 15, 8, 2};
    for (size_t p = 0; p < COUNT(with_em); p++) {
        uint64_t seed = check_seed();
        sc_sums sums = fleet_sums(with_em[p]);
        sc_likely *likely = NULL;
        double histogram[64] = {0}, counts[VALUES], before = (double)-INFINITY;
        REQUIRE(sums.layout != NULL && sums.cells <= COUNT(histogram));
        fleet_send_counts(&sums, holders, sums.config.values, &seed);
        const uint64_t *seen = sc_sums_counts(&sums);
        for (size_t y = 0; y < sums.cells; y++)
            histogram[y] = (double)seen[y];
        REQUIRE_OK(sc_likely_new(&sums.config, &likely, NULL));
        for (unsigned updates = 0; updates < 30; updates++) {
            REQUIRE_OK(sc_likely_update(likely, histogram, updates, 0, counts, NULL));
            const double now = likelihood(likely, histogram, counts);
            if (!CHECK(now >= before - 1e-9 * fabs(before)))
                CHECK_FAIL("%s", with_em[p]);
            before = now;
        }
        double sum = 0;
        for (size_t v = 0; v < sums.config.values; v++)
            sum += counts[v];
        CHECK_NEAR(sum, (double)sums.reports, 1e-9);
        sc_likely_free(likely);
        sc_sums_clear(&sums);
    }
}

/* A histogram as expected: counts without noise are found again. */
SLOW_TEST(likely_counts_find_the_truth)
{
    const double truth[VALUES] = {500, 250, 100, 60, 40, 25, 15, 8, 2};
    for (size_t p = 0; p < COUNT(with_em); p++) {
        sc_sums sums = fleet_sums(with_em[p]);
        sc_likely *likely = NULL;
        double histogram[64], counts[VALUES], all = 0;
        REQUIRE(sums.layout != NULL);
        REQUIRE_OK(sc_likely_new(&sums.config, &likely, NULL));
        REQUIRE_OK(sc_likely_expect(likely, truth, histogram, NULL));
        for (size_t y = 0; y < sums.cells; y++)
            all += histogram[y];
        CHECK_NEAR(all, 1000, 1e-12);
        REQUIRE_OK(sc_likely_update(likely, histogram, 20000, 0, counts, NULL));
        for (size_t v = 0; v < sums.config.values; v++)
            if (!CHECK(fabs(counts[v] - truth[v]) < 3))
                CHECK_FAIL("%s: value %zu is %g", with_em[p], v, counts[v]);
        sc_likely_free(likely);
        sc_sums_clear(&sums);
    }
}

TEST(refinement_tells_its_bias)
{
    const uint64_t holders[VALUES] = {600, 300, 100};
    static const char *const names[] = {"simplex", "norm-sub", "em", "em-smooth"};
    uint64_t seed = check_seed();
    sc_sums sums = fleet_sums(with_em[4]);
    sc_decoding decoding;
    fleet_send_counts(&sums, holders, VALUES, &seed);
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    for (size_t i = 0; i < COUNT(names); i++) {
        sc_refinement refined;
        double sum = 0;
        REQUIRE_OK(sc_refine(names[i], 0, &sums, &decoding, &refined, NULL));
        for (size_t v = 0; v < VALUES; v++) {
            CHECK(refined.counts[v] >= 0);
            sum += refined.counts[v];
        }
        CHECK_NEAR(sum, 1000, 1e-9);
        CHECK_INT(refined.updates, i < 2 ? 0 : 200);
        /* Values that nobody holds are raised, and others pay for it. */
        CHECK(refined.simulated > 0);
        CHECK(refined.zeros == 0 || refined.bias_of_zeros > 0);
        CHECK(refined.zeros == 0 || refined.bias_of_others < 0);
        /* Counts add up to the reports before and after, so all errors together are 0. */
        CHECK(fabs(refined.bias_of_zeros * (double)refined.zeros +
                   refined.bias_of_others * (double)(VALUES - refined.zeros)) < 1e-6);
        sc_refinement_clear(&refined);
    }
    sc_refinement refined;
    CHECK_STATUS(sc_refine("best", 0, &sums, &decoding, &refined, NULL), SCRIM_E_PARAM);
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

/* Few values: smoothing does not flatten a distribution that the reports show, and what it takes is said. */
/* With close weights unbiased counts are lost in noise; the most likely ones are nearer, and smooth ones more so. */
TEST(likely_counts_of_condensed_privacy_have_smaller_errors)
{
    uint64_t seed = check_seed(), holders[40];
    sc_sums sums = fleet_sums("condensed-exponential values=40 a=20 b=17 metric=0");
    sc_decoding decoding;
    sc_refinement plain, smooth;
    double errors[3] = {0, 0, 0};
    REQUIRE(sums.layout != NULL);
    for (size_t v = 0; v < COUNT(holders); v++)
        holders[v] = 20 + (uint64_t)(200 * exp(-pow(((double)v - 15) / 6, 2)));
    fleet_send_counts(&sums, holders, COUNT(holders), &seed);
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    REQUIRE_OK(sc_refine("em", 0, &sums, &decoding, &plain, NULL));
    REQUIRE_OK(sc_refine("em-smooth", 0, &sums, &decoding, &smooth, NULL));
    for (size_t v = 0; v < COUNT(holders); v++) {
        errors[0] += fabs(sc_decoding_estimate(&decoding, v) - (double)holders[v]);
        errors[1] += fabs(plain.counts[v] - (double)holders[v]);
        errors[2] += fabs(smooth.counts[v] - (double)holders[v]);
    }
    if (!CHECK(errors[1] < errors[0] / 3) || !CHECK(errors[2] < errors[0] / 5))
        CHECK_FAIL("%g, %g, %g", errors[0], errors[1], errors[2]);
    sc_refinement_clear(&smooth);
    sc_refinement_clear(&plain);
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

TEST(smoothing_keeps_what_the_reports_show)
{
    CLAIM("refinement.fits");
    static const uint64_t holders[20] = {283, 3950, 5663, 4107, 2500, 1500, 900,
                                         500, 300,  150,  80,   40,   20};
    uint64_t seed = check_seed();
    sc_sums sums = fleet_sums("square-wave values=20 a=7747986 b=1048576 width=3");
    sc_decoding decoding;
    sc_refinement plain, smooth;
    fleet_send_counts(&sums, holders, COUNT(holders), &seed);
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    REQUIRE_OK(sc_refine("em", 0, &sums, &decoding, &plain, NULL));
    REQUIRE_OK(sc_refine("em-smooth", 0, &sums, &decoding, &smooth, NULL));
    CHECK(plain.smoothing == 0 && smooth.smoothing > 0 && smooth.smoothing < 0.125);
    double squares = 0, largest = 0;
    for (size_t v = 0; v < COUNT(holders); v++) {
        const double off = smooth.counts[v] - (double)holders[v];
        squares += off * off;
        largest = fmax(largest, fabs(off));
    }
    /* With 1/4 at every update the error was 840 a value. */
    CHECK(sqrt(squares / COUNT(holders)) < 400);
    CHECK(smooth.typical > 0 && smooth.largest >= smooth.typical);
    CHECK(smooth.largest > largest / 4);
    CHECK(smooth.largest_value < 8);
    sc_refinement_clear(&smooth);
    sc_refinement_clear(&plain);
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}
