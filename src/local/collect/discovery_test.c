#include "local/collect/estimates.h"
#include "local_fleet.h"

#include <math.h>

#define VALUES 200
#define WORDS "projective-geometry values=200 a=15 b=2 field=7 digits=4"

/* Holders of the first values only; the share of listed values that nobody holds, and how many are
 * listed. */
static double false_share(const uint64_t *holders, uint64_t *seed, size_t *right)
{
    sc_sums sums = fleet_sums(WORDS);
    sc_decoding decoding;
    double p[VALUES], listed = 0;
    size_t wrong = 0;
    fleet_send_counts(&sums, holders, VALUES, seed);
    if (!CHECK_STATUS(sc_decoding_init(&decoding, &sums, NULL), SCRIM_OK))
        return 1;
    CHECK_STATUS(sc_discovery(&decoding, 0.1, p, &listed, NULL), SCRIM_OK);
    for (size_t v = 0; v < VALUES; v++) {
        wrong += p[v] <= listed && holders[v] == 0;
        *right += p[v] <= listed && holders[v] > 0;
    }
    size_t all = wrong;
    for (size_t v = 0; v < VALUES; v++)
        all += p[v] <= listed && holders[v] > 0;
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
    return all == 0 ? 0 : (double)wrong / (double)all;
}

SLOW_TEST(discovery_keeps_the_rate_of_false_values)
{
    CLAIM("discovery.rate");
    uint64_t holders[VALUES] = {1000, 600, 400, 300, 250, 200}, seed = check_seed();
    const uint64_t runs = check_count_whole(100, 1000);
    double share = 0;
    size_t right = 0;
    for (uint64_t i = 0; i < runs; i++)
        share += false_share(holders, &seed, &right);
    CHECK(share / (double)runs <= 0.1 + 4 * sqrt(0.09 / (double)runs) / 2);
    CHECK(right >= 4 * runs);
}

TEST(discovery_has_the_tails_of_the_binomial_law)
{
    sc_sums sums = fleet_sums("randomised-response values=4 a=3 b=1");
    sc_decoding decoding;
    double p[4], listed = 0;
    /* Each value has probability 1/6 if nobody holds it. */
    sums.counts[0] = 9;
    sums.counts[1] = 1;
    sums.reports = 10;
    REQUIRE_OK(sc_decoding_init(&decoding, &sums, NULL));
    REQUIRE_OK(sc_discovery(&decoding, 0.05, p, &listed, NULL));
    CHECK_NEAR(p[0], (10 * 5 + 1) / pow(6, 10), 2e-6);
    CHECK_NEAR(p[1], 1, 0);
    CHECK_NEAR(listed, p[0], 0);
    sc_decoding_clear(&decoding);
    sc_sums_clear(&sums);
}
