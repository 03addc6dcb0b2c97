#include "local/collect/estimates.h"
#include "local_fleet.h"
#include "query/estimate/noise_sum.h"

#include <math.h>

#define REPORTS_MAX 2000

static double choose(unsigned n, unsigned k, double p)
{
    return exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * log(p) +
               (n - k) * log1p(-p));
}

/* The law of the hits if x of n devices hold the value: a sum of two binomials. */
static void law_of(unsigned n, unsigned x, double p, double q, double *law)
{
    for (unsigned c = 0; c <= n; c++)
        law[c] = 0;
    for (unsigned i = 0; i <= x; i++) {
        const double first = choose(x, i, p);
        for (unsigned j = 0; first > 1e-14 && j <= n - x; j++)
            law[i + j] += first * choose(n - x, j, q);
    }
}

/* The exact chance that the interval of a value that x devices hold covers x. */
static double coverage(const char *words, unsigned n, unsigned x, double p, double q,
                       double tail)
{
    static double law[REPORTS_MAX + 1];
    const double z = -sc_normal_quantile(tail);
    double covered = 0;
    law_of(n, x, p, q, law);
    for (unsigned c = 0; c <= n; c++) {
        if (law[c] < 1e-12)
            continue;
        sc_sums sums = fleet_sums(words);
        sc_decoding decoding;
        sums.reports = n;
        sums.counts[0] = c;
        sums.counts[1] = n - c;
        if (!CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_OK))
            return 0;
        const sc_count_interval found = sc_count_interval_of(&decoding, 0, z);
        covered += found.low <= x && x <= found.high ? law[c] : 0;
        sc_decoding_clear(&decoding);
        sc_sums_clear(&sums);
    }
    return covered;
}

SLOW_TEST(count_interval_covers_by_the_exact_law)
{
    CLAIM("count-interval.covers");
    static const struct {
        const char *words;
        double p, q;
    } protocols[] = {
        {"randomised-response values=2 a=3 b=1", 0.75, 0.25},
        {"randomised-response values=100 a=101 b=1", 0.505, 0.005},
        {"optimised-unary values=8 a=9 b=1", 0.5, 0.1},
    };
    static const unsigned sizes[] = {30, 100, 400, REPORTS_MAX};
    static const double tails[] = {0.05, 0.025, 0.0005, 0.00001};
    for (size_t i = 0; i < COUNT(protocols); i++)
        for (size_t s = 0; s < COUNT(sizes) - (check_is_long() ? 0 : 1); s++)
            for (size_t t = 0; t < COUNT(tails); t += check_every(3))
                for (unsigned x = 0; x <= sizes[s]; x += sizes[s] / 5) {
                    const double got = coverage(protocols[i].words, sizes[s], x,
                                                protocols[i].p, protocols[i].q, tails[t]);
                    if (!CHECK(1 - got <= 2 * tails[t] * 1.1))
                        CHECK_FAIL("%s, %u of %u: misses %g of %g", protocols[i].words, x,
                                   sizes[s], 1 - got, 2 * tails[t]);
                }
}

/* 200 devices: the interval of the mean covers in enough runs, and the mean is unbiased. */
static void check_mean(const char *words, const uint64_t *holders, size_t values)
{
    uint64_t seed = check_seed(), covered = 0;
    const uint64_t runs = check_count_whole(100, 1000);
    double truth = 0, error = 0, variance = 0;
    for (size_t v = 0; v < values; v++)
        truth += (double)(holders[v] * v) / 200;
    for (uint64_t r = 0; r < runs; r++) {
        sc_sums sums = fleet_sums(words);
        sc_decoding decoding;
        REQUIRE(sums.layout != NULL);
        fleet_send_counts(&sums, holders, values, &seed);
        REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
        const sc_count_interval found =
            sc_mean_interval_of(&decoding, (double)values - 1, 0.025);
        covered += found.low <= truth && truth <= found.high;
        error += mpq_get_d(decoding.mean.q) - truth;
        variance += decoding.mean_error * decoding.mean_error;
        sc_decoding_clear(&decoding);
        sc_sums_clear(&sums);
    }
    const double rate = (double)covered / (double)runs;
    if (!CHECK(rate >= 0.95 - 4 * sqrt(0.05 * 0.95 / (double)runs)) ||
        !CHECK(fabs(error) <= 4.5 * sqrt(variance)))
        CHECK_FAIL("%s: %g cover, off by %g", words, rate, error / (double)runs);
}

TEST(mean_intervals_cover)
{
    static const uint64_t holders[11] = {10, 0, 0, 20, 0, 100, 0, 0, 30, 0, 40},
                          yes[2] = {150, 50};
    static const char *const words[] = {
        "one-bit-mean values=11 a=3 b=1", "square-wave values=11 a=3 b=1 width=2",
        "rounded-bit-mean values=11 a=3 b=1 flip=429496730 epoch=1",
        "laplace-mean values=11 a=3 b=2 width=3",
        "condensed-geometric values=11 a=3 b=2"};
    for (size_t i = 0; i < COUNT(words); i++)
        check_mean(words[i], holders, COUNT(holders));
    check_mean(
        "rappor values=2 text=0 bits=1 hashes=0 cohorts=1 f=1073741824 p=1073741824 "
        "q=3221225472 epoch=1",
        yes, COUNT(yes));
}
