#include "local/collect/decode_condensed.h"
#include "local_fleet.h"

#include <math.h>

#define VALUES 9

static const uint64_t holders[VALUES] = {600, 0, 300, 200, 0, 50, 450, 0, 400};

/* w(|x-z|) by the device's rule. */
static double weight(uint64_t a, uint64_t b, size_t distance)
{
    uint64_t w = (uint64_t)1 << 31;
    for (size_t t = 0; t < distance; t++)
        w = (w * b + a - 1) / a;
    return (double)w;
}

/* A histogram as expected, of so many times as many devices. */
TEST(decode_condensed_finds_the_truth)
{
    CLAIM("decode-condensed.unbiased");
    const double times = 1e9;
    sc_sums sums = fleet_sums("condensed-exponential values=9 a=3 b=2 metric=0");
    sc_decoding decoding;
    REQUIRE(sums.layout != NULL);
    for (size_t x = 0; x < VALUES; x++) {
        double sum = 0;
        for (size_t z = 0; z < VALUES; z++)
            sum += weight(3, 2, x > z ? x - z : z - x);
        for (size_t z = 0; z < VALUES; z++)
            sums.counts[z] += (uint64_t)llround(
                times * (double)holders[x] * weight(3, 2, x > z ? x - z : z - x) / sum);
    }
    for (size_t z = 0; z < VALUES; z++)
        sums.reports += sums.counts[z];
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    for (size_t v = 0; v < VALUES; v++)
        CHECK(fabs(sc_decoding_estimate(&decoding, v) / times - (double)holders[v]) <
              1e-5);
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

/* Reports of the device itself: means are right, and errors are as large as they are said to be. */
SLOW_TEST(decode_condensed_errs_as_it_says)
{
    CLAIM("decode-condensed.unbiased");
    const uint64_t runs = check_count_whole(60, 1000);
    uint64_t seed = check_seed();
    double sums_of[VALUES] = {0}, squares = 0;
    for (uint64_t run = 0; run < runs; run++) {
        sc_sums sums = fleet_sums("condensed-exponential values=9 a=3 b=2 metric=0");
        sc_decoding decoding;
        REQUIRE(sums.layout != NULL);
        fleet_send_counts(&sums, holders, VALUES, &seed);
        REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
        for (size_t v = 0; v < VALUES; v++) {
            const double error =
                (sc_decoding_estimate(&decoding, v) - (double)holders[v]) /
                sqrt(sc_decoding_variance(&decoding, v, 0));
            sums_of[v] += error;
            squares += error * error;
        }
        sc_decoding_clear(&decoding);
        sc_sums_clear(&sums);
    }
    const double n = (double)runs;
    for (size_t v = 0; v < VALUES; v++)
        CHECK(fabs(sums_of[v]) <= 5 * sqrt(n));
    /* Plugged-in variances include how holders differ, so that they are somewhat large. */
    CHECK(squares / n / VALUES < 1 + 5 * sqrt(2 / n));
    CHECK(squares / n / VALUES > 0.5);
}

TEST(decode_condensed_refuses)
{
    sc_decoding decoding;
    sc_sums sums = fleet_sums("condensed-exponential values=513 a=3 b=2 metric=0");
    REQUIRE(sums.layout != NULL);
    sums.reports = sums.counts[0] = 1;
    CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_E_LIMIT);
    sc_sums_clear(&sums);
    sums =
        fleet_sums("condensed-exponential values=5 a=4294967295 b=4294967294 metric=0");
    REQUIRE(sums.layout != NULL);
    sums.reports = sums.counts[0] = 1;
    CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_E_LIMIT);
    sc_sums_clear(&sums);
}
