/* Intervals for all values together, of every protocol that counts values; those of few reports too. */
#include "local/collect/count_limits.h"
#include "local/collect/estimates.h"
#include "local_fleet.h"
#include "query/estimate/noise_sum.h"

#include <math.h>

#define VALUES_MAX 200
#define CONFIDENCE 0.95

typedef struct fleet_case {
    const char *words;
    size_t values;
    uint64_t devices;
} fleet_case;

static const fleet_case cases[] = {
    {"randomised-response values=9 a=5 b=1", 9, 60},
    {"randomised-response values=100 a=9 b=1", 100, 300},
    {"projective-geometry values=13 a=5 b=2 field=3 digits=3", 13, 300},
    {"subset-selection values=10 a=7 b=1 chosen=2", 10, 300},
    {"symmetric-unary values=10 a=7 b=1", 10, 300},
    {"optimised-unary values=10 a=7 b=1", 10, 300},
    {"local-hashing values=9 a=7 b=1 field=3 digits=2", 9, 300},
    {"hadamard values=7 a=7 b=1 blocks=1 order=8", 7, 300},
    {"hadamard values=14 a=7 b=1 blocks=2 order=8", 14, 300},
    {"bit-flip values=10 a=7 b=1 chosen=3 epoch=1", 10, 300},
    {"rappor values=8 text=0 bits=8 hashes=0 cohorts=1 f=1073741824 p=1073741824 "
     "q=3221225472 epoch=1",
     8, 300},
    {"condensed-exponential values=7 a=3 b=2 metric=0", 7, 30},
    {"condensed-exponential values=7 a=3 b=2 metric=0", 7, 300},
    {"square-wave values=10 a=7 b=1 width=0", 10, 60},
    {"square-wave values=10 a=7 b=1 width=2", 10, 10},
    {"square-wave values=20 a=7 b=1 width=4", 20, 400},
    {"square-wave values=200 a=3 b=1 width=50", 200, 200},
};

/* Half of the devices hold one value of the middle, the others are spread over the first third. */
static void spread(const fleet_case *c, uint64_t *holders)
{
    const size_t third = c->values / 3 + 1;
    for (size_t v = 0; v < c->values; v++)
        holders[v] = v < third ? c->devices / 2 / third : 0;
    uint64_t given = 0;
    for (size_t v = 0; v < c->values; v++)
        given += holders[v];
    holders[c->values / 2] += c->devices - given;
}

/* Does each interval hold the truth? None is a single point, and no error is 0. */
static bool all_hold(const fleet_case *c, const uint64_t *holders, uint64_t *seed)
{
    const double tail = (1 - CONFIDENCE) / 2 / (double)c->values;
    const double z = -sc_normal_quantile(tail);
    sc_sums sums = fleet_sums(c->words);
    sc_decoding decoding;
    bool hold = true;
    fleet_send_counts(&sums, holders, c->values, seed);
    if (!CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_OK))
        return false;
    for (size_t v = 0; v < c->values; v++) {
        const sc_count_interval found = sc_count_interval_of(&decoding, v, z);
        const double truth = (double)holders[v];
        hold = hold && found.low <= truth && truth <= found.high;
        if (!CHECK(found.low < found.high) ||
            !CHECK(sc_decoding_variance(&decoding, v, 0) > 0))
            CHECK_FAIL("%s: value %zu from %g to %g", c->words, v, found.low, found.high);
    }
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
    return hold;
}

SLOW_TEST(joint_intervals_cover_all_values_together)
{
    CLAIM("count-interval.joint");
    const uint64_t runs = check_count_whole(80, 2000);
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t seed = check_seed() + i, covered = 0, holders[VALUES_MAX];
        spread(&cases[i], holders);
        for (uint64_t r = 0; r < runs; r++)
            covered += all_hold(&cases[i], holders, &seed);
        const double rate = (double)covered / (double)runs;
        if (!CHECK(rate >=
                   CONFIDENCE - 4 * sqrt(CONFIDENCE * (1 - CONFIDENCE) / (double)runs)))
            CHECK_FAIL("%s, %llu devices: %g cover", cases[i].words,
                       (unsigned long long)cases[i].devices, rate);
    }
}

/* One report says little: nothing is certain about any value, nor about the mean. */
TEST(one_report_makes_nothing_certain)
{
    static const uint64_t holders[VALUES_MAX] = {1};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fleet_case one = {cases[i].words, cases[i].values, 1};
        uint64_t seed = check_seed();
        CHECK(all_hold(&one, holders, &seed));
    }
    static const char *const means[] = {"one-bit-mean values=11 a=3 b=1",
                                        "square-wave values=11 a=3 b=1 width=2",
                                        "laplace-mean values=11 a=3 b=2 width=3",
                                        "condensed-geometric values=11 a=3 b=2"};
    for (size_t i = 0; i < COUNT(means); i++) {
        uint64_t seed = check_seed();
        sc_sums sums = fleet_sums(means[i]);
        sc_decoding decoding;
        fleet_send_counts(&sums, holders, 11, &seed);
        REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
        const sc_count_interval found = sc_mean_interval_of(&decoding, 10, 0.025);
        if (!CHECK(found.low < found.high))
            CHECK_FAIL("%s: %g", means[i], found.low);
        sc_decoding_clear(&decoding);
        sc_sums_clear(&sums);
    }
}

static double poisson(double mean, double k)
{
    return mean == 0 ? k == 0 : exp(k * log(mean) - mean - lgamma(k + 1));
}

/* How often the upper limit of the difference of two Poisson counts is too low. */
static double missed(double raising, double lowering, double z)
{
    sc_decoding decoding = {.reports = 1000000000, .values = 1, .half_a_hit = 0.5};
    const double x_end = raising + 12 * sqrt(raising) + 40,
                 y_end = lowering + 12 * sqrt(lowering) + 40;
    double sum = 0;
    for (double x = 0; x < x_end; x++) {
        const double of_x = poisson(raising, x);
        for (double y = 0; of_x > 1e-14 && y < y_end; y++) {
            int64_t hits = (int64_t)(x - y);
            uint64_t up = (uint64_t)x;
            decoding.hits = &hits;
            decoding.raising = &up;
            const sc_count_margin margin = sc_count_margin_of(&decoding, 0, z);
            sum += x - y + margin.above < raising - lowering ? of_x * poisson(lowering, y)
                                                             : 0;
        }
    }
    return sum;
}

SLOW_TEST(differences_of_poisson_counts_miss_by_the_exact_law)
{
    CLAIM("count-limits.covers");
    static const double means[] = {0, 0.2, 1, 3, 8, 20, 40, 100, 300},
                        tails[] = {0.025, 0.00125, 0.000005, 0.25, 0.00000001};
    for (size_t t = 0; t < (check_is_long() ? COUNT(tails) : 3); t++)
        for (size_t i = 0; i < COUNT(means); i++)
            for (size_t k = 0; k < COUNT(means); k += check_every(2)) {
                const double got =
                    missed(means[i], means[k], -sc_normal_quantile(tails[t]));
                if (!CHECK(got <= 1.1 * tails[t]))
                    CHECK_FAIL("%g less %g: %g of %g", means[i], means[k], got, tails[t]);
            }
}
