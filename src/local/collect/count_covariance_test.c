#include "local/collect/estimates.h"
#include "local_fleet.h"

#include <math.h>

#define VALUES 7

static const uint64_t holders[VALUES] = {5, 0, 3, 1, 0, 7, 2};

/* Whether output y supports v. */
typedef bool supports(const scrim_local_config *config, size_t y, size_t v);

static bool response_supports(const scrim_local_config *config, size_t y, size_t v)
{
    (void)config;
    return y == v;
}

static bool hadamard_supports(const scrim_local_config *config, size_t y, size_t v)
{
    (void)config;
    return __builtin_parityll(y & (v + 1)) == 0;
}

/* Points of the plane over the field of two: numbers from 1 on, products of their bits. */
static bool projective_supports(const scrim_local_config *config, size_t y, size_t v)
{
    (void)config;
    return __builtin_parityll((y + 1) & (v + 1)) == 0;
}

/* Seven points of the plane over the field of three, in digits. */
static bool plane_supports(const scrim_local_config *config, size_t y, size_t v)
{
    static const unsigned points[13][3] = {
        {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}, {1, 0, 0}, {1, 0, 1}, {1, 0, 2},
        {1, 1, 0}, {1, 1, 1}, {1, 1, 2}, {1, 2, 0}, {1, 2, 1}, {1, 2, 2}};
    unsigned product = 0;
    (void)config;
    for (unsigned i = 0; i < 3; i++)
        product += points[y][i] * points[v][i];
    return product % 3 == 0;
}

/* Two blocks of three rows and of parities of two bits. */
static bool blocks_support(const scrim_local_config *config, size_t y, size_t v)
{
    const size_t order = config->order;
    return y / order == v / (order - 1) &&
           __builtin_parityll(y % order & (v % (order - 1) + 1)) == 0;
}

/* Seed y / 3 and cell y % 3; values and seeds are two digits to the base 3. */
static bool hashing_supports(const scrim_local_config *config, size_t y, size_t v)
{
    const size_t seed = y / 3;
    (void)config;
    return (seed / 3 * (v / 3) + seed % 3 * (v % 3)) % 3 == y % 3;
}

static bool wide_hashing_supports(const scrim_local_config *config, size_t y, size_t v)
{
    const size_t seed = y / 5;
    (void)config;
    return (seed / 5 * (v / 5) + seed % 5 * (v % 5)) % 5 == y % 5;
}

/* A histogram that is as expected has the truth as its estimate; then all sums over outputs are exact. */
static void compare(const char *words, supports *is_in)
{
    sc_sums sums = fleet_sums(words);
    sc_decoding decoding;
    REQUIRE(sums.layout != NULL);
    const uint64_t a = sums.config.a, b = sums.config.b;
    uint64_t total = 0;
    for (size_t y = 0; y < sums.cells; y++)
        total += is_in(&sums.config, y, 0) ? a : b;
    for (size_t y = 0; y < sums.cells; y++)
        for (size_t x = 0; x < VALUES; x++)
            sums.counts[y] += holders[x] * (is_in(&sums.config, y, x) ? a : b);
    for (size_t x = 0; x < VALUES; x++)
        sums.reports += holders[x] * total;
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    const double slope = 2 * decoding.half_a_hit;
    for (size_t v = 0; v < VALUES; v++)
        for (size_t w = 0; w < VALUES; w++) {
            double want = 0, got = 0;
            if (v == w)
                continue;
            for (size_t x = 0; x < VALUES; x++) {
                double one = 0, other = 0, both = 0;
                for (size_t y = 0; y < sums.cells; y++) {
                    const double share =
                        (double)(is_in(&sums.config, y, x) ? a : b) / (double)total;
                    const bool is_v = is_in(&sums.config, y, v),
                               is_w = is_in(&sums.config, y, w);
                    one += is_v ? share : 0;
                    other += is_w ? share : 0;
                    both += is_v && is_w ? share : 0;
                }
                want += (double)(holders[x] * total) * (both - one * other);
            }
            CHECK(sc_count_covariance(&sums.config, &decoding, v, w, &got));
            if (!CHECK(fabs(got - want * slope * slope) <= 1e-6 + 1e-9 * fabs(got)))
                CHECK_FAIL("%s: %zu and %zu: %g, not %g", words, v, w, got,
                           want * slope * slope);
        }
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

TEST(count_covariance_is_that_of_the_law)
{
    CLAIM("count-covariance.exact");
    compare("randomised-response values=7 a=5 b=2", response_supports);
    compare("hadamard values=7 a=5 b=2 blocks=1 order=8", hadamard_supports);
    compare("projective-geometry values=7 a=5 b=2 field=2 digits=3", projective_supports);
    compare("projective-geometry values=7 a=5 b=2 field=3 digits=3", plane_supports);
    compare("local-hashing values=7 a=5 b=2 field=3 digits=2", hashing_supports);
    compare("local-hashing values=7 a=5 b=2 field=5 digits=2", wide_hashing_supports);
}

/* est = F Z, Z the sum of signs; a sign is 0 in another block. */
TEST(count_covariance_of_blocks_is_that_of_signs)
{
    CLAIM("count-covariance.exact");
    sc_sums sums = fleet_sums("hadamard values=7 a=5 b=2 blocks=3 order=4");
    sc_decoding decoding;
    REQUIRE(sums.layout != NULL);
    const double a = 5, b = 2, total = 2 * (a + 5 * b), factor = (a + 5 * b) / (a - b);
    for (size_t y = 0; y < sums.cells; y++)
        for (size_t x = 0; x < VALUES; x++)
            sums.counts[y] += holders[x] * (blocks_support(&sums.config, y, x) ? 5 : 2);
    for (size_t x = 0; x < VALUES; x++)
        sums.reports += holders[x] * 30;
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    for (size_t v = 0; v < VALUES; v++)
        for (size_t w = 0; w < VALUES; w++) {
            double want = 0, got = 0;
            for (size_t x = 0; x < VALUES && w != v; x++) {
                double one = 0, other = 0, both = 0;
                for (size_t y = 0; y < sums.cells; y++) {
                    const double share =
                        (blocks_support(&sums.config, y, x) ? a : b) / total;
                    const double in_v = y / 4 == v / 3, in_w = y / 4 == w / 3;
                    const double sign_v =
                        in_v * (blocks_support(&sums.config, y, v) ? 1 : -1);
                    const double sign_w =
                        in_w * (blocks_support(&sums.config, y, w) ? 1 : -1);
                    one += share * sign_v;
                    other += share * sign_w;
                    both += share * sign_v * sign_w;
                }
                want += (double)holders[x] * 30 * (both - one * other) * factor * factor;
            }
            if (w != v) {
                CHECK(sc_count_covariance(&sums.config, &decoding, v, w, &got));
                CHECK(fabs(got - want) <= 1e-6 + 1e-9 * fabs(got));
            }
        }
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

/* The sum of all estimates of square-wave is F of the last value, whose variance is that of one set of
 * reports: variances and covariances add up to it. */
TEST(count_covariance_of_square_waves_adds_up)
{
    CLAIM("count-covariance.exact");
    sc_sums sums = fleet_sums("square-wave values=7 a=5 b=2 width=1");
    sc_decoding decoding;
    REQUIRE(sums.layout != NULL);
    for (size_t z = 0; z < sums.cells; z++) {
        sums.counts[z] = 100 + 13 * z * z % 31;
        sums.reports += sums.counts[z];
    }
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    const double n = (double)sums.reports, slope = 2 * decoding.half_a_hit;
    for (size_t last = 1; last < VALUES; last++) {
        double sum = 0, in = 0;
        for (size_t v = 0; v <= last; v++)
            for (size_t w = 0; w <= last; w++) {
                double covariance = sc_decoding_variance(&decoding, v, 0);
                if (v != w)
                    CHECK(
                        sc_count_covariance(&sums.config, &decoding, v, w, &covariance));
                sum += covariance;
            }
        for (size_t z = last % 3; z <= last; z += 3)
            in += (double)sums.counts[z];
        CHECK_NEAR(sum, in * (1 - in / n) * slope * slope, 1e-9);
    }
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}

/* Estimates of subsets add up to the number of reports, so that a row of covariances adds up to 0. */
TEST(count_covariance_of_subsets_adds_up)
{
    sc_sums sums = fleet_sums("subset-selection values=7 a=7 b=3 chosen=3");
    sc_decoding decoding;
    REQUIRE(sums.layout != NULL);
    /* P = 7/11 and Q = 13/33: 33 times the expected counts of 1, 2, …, 7 devices. */
    for (size_t v = 0; v < VALUES; v++) {
        sums.counts[v] = 21 * (v + 1) + 13 * (28 - (v + 1));
        sums.reports += 33 * (v + 1);
    }
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    for (size_t v = 0; v < VALUES; v++) {
        double sum = sc_decoding_variance(&decoding, v, 33 * (double)(v + 1));
        CHECK_NEAR(sc_decoding_estimate(&decoding, v), 33 * (double)(v + 1), 1e-12);
        for (size_t w = 0; w < VALUES; w++) {
            double covariance = 0;
            if (w == v)
                continue;
            CHECK(sc_count_covariance(&sums.config, &decoding, v, w, &covariance));
            sum += covariance;
        }
        CHECK(fabs(sum) < 1e-6);
    }
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}
