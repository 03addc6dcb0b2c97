#include "check.h"
#include "mass_lists.h"
#include "query/rows/quantile_rings.h"

#include <stdlib.h>

static void check_rings(int64_t low, int64_t high, const sc_int128 *quantiles,
                        size_t count)
{
    int64_t ends[SC_RINGS_MOST + 1];
    const size_t most = sc_rings_most(low, high, count);
    const size_t rings = sc_rings_of(low, high, quantiles, count, ends);
    CHECK(most <= SC_RINGS_MOST && rings >= 1 && rings <= most);
    CHECK(ends[0] == low && ends[rings] == high + 1);
    for (size_t i = 0; i < rings; i++)
        CHECK(ends[i] < ends[i + 1]);
    /* Each quantile has a ring of its own. */
    for (size_t k = 0; k < count; k++) {
        size_t at = 0;
        while (at < rings && ends[at + 1] <= quantiles[k])
            at++;
        CHECK(at < rings && ends[at] == quantiles[k] && ends[at + 1] == quantiles[k] + 1);
    }
}

TEST(quantile_rings_make_up_the_range)
{
    CLAIM("quantile-rings.whole");
    static const int64_t ranges[][2] = {
        {0, 0},       {5, 6},           {-3, 70},
        {0, 1000000}, {-1000000, -999}, {-((int64_t)1 << 62), (int64_t)1 << 62},
    };
    uint64_t state = check_seed();
    for (size_t r = 0; r < COUNT(ranges); r++) {
        const int64_t low = ranges[r][0], high = ranges[r][1];
        for (size_t count = 1; count <= SC_RINGS_QUANTILES;
             count += count < 12 ? 1 : 26) {
            sc_int128 quantiles[SC_RINGS_QUANTILES];
            for (int turn = 0; turn < 20; turn++) {
                /* Anywhere, near to each other, or at an end. */
                const sc_int128 width = turn % 3 == 0   ? (sc_int128)high - low
                                        : turn % 3 == 1 ? 9
                                                        : 0;
                for (size_t k = 0; k < count; k++) {
                    const sc_int128 at =
                        low + (sc_int128)mass_random(&state, UINT64_MAX) % (width + 1);
                    quantiles[k] = at > high ? high : at;
                }
                check_rings(low, high, quantiles, count);
            }
        }
    }
}

/* Two rings whose ends are as far again, on both sides of one step. */
TEST(quantile_rings_of_one_are_as_wide_as_they_are_far)
{
    CLAIM("quantile-rings.public");
    static const int64_t expected[] = {0,  4,  12, 16, 18, 19, 20,
                                       21, 22, 23, 25, 29, 37, 41};
    int64_t ends[SC_RINGS_MOST + 1];
    const sc_int128 quantile = 20;
    const size_t rings = sc_rings_of(0, 40, &quantile, 1, ends);
    CHECK_INT(rings, COUNT(expected) - 1);
    for (size_t i = 0; i < COUNT(expected) && i <= rings; i++)
        CHECK_INT(ends[i], expected[i]);
}

TEST(quantile_rings_beyond_the_range_are_those_at_its_ends)
{
    int64_t ends[SC_RINGS_MOST + 1], others[SC_RINGS_MOST + 1];
    const sc_int128 beyond[] = {(sc_int128)1 << 100, -5}, within[] = {0, 73};
    const size_t rings = sc_rings_of(0, 73, beyond, 2, ends);
    CHECK_INT(rings, sc_rings_of(0, 73, within, 2, others));
    for (size_t i = 0; i <= rings; i++)
        CHECK_INT(ends[i], others[i]);
}

/* As far apart as they may be. */
TEST(quantile_rings_of_the_largest_range_have_both_ends)
{
    const int64_t end = (int64_t)1 << 62;
    const sc_int128 ends[] = {-end, end};
    check_rings(-end, end, ends, 2);
    int64_t rings[SC_RINGS_MOST + 1], others[SC_RINGS_MOST + 1];
    const sc_int128 nearly[] = {-end, end - 1};
    CHECK(sc_rings_of(-end, end, ends, 2, rings) + 1 >=
          sc_rings_of(-end, end, nearly, 2, others));
}

TEST(quantile_rings_count_each_value_once)
{
    int64_t values[500], ends[SC_RINGS_MOST + 1];
    sc_int128 counts[SC_RINGS_MOST];
    const sc_int128 quantiles[] = {300, 310, 700};
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = (int64_t)(i * i / 250);
    const size_t rings = sc_rings_of(0, 1000, quantiles, COUNT(quantiles), ends);
    sc_rings_count(ends, rings, values, COUNT(values), counts);
    for (size_t i = 0; i < rings; i++) {
        int64_t within = 0;
        for (size_t k = 0; k < COUNT(values); k++)
            within += values[k] >= ends[i] && values[k] < ends[i + 1];
        CHECK_INT((int64_t)counts[i], within);
    }
    sc_rings_count(ends, rings, NULL, 0, counts);
    for (size_t i = 0; i < rings; i++)
        CHECK(counts[i] == 0);
}
