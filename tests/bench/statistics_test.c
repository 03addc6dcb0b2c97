#include "check.h"
#include "statistics.h"

TEST(statistics_median_of_odd_and_even)
{
    double odd[] = {5, -1, 3}, even[] = {8, 1, 4, 2}, one[] = {7};
    CHECK_NEAR(statistics_median(odd, 3), 3, 0);
    CHECK_NEAR(statistics_median(even, 4), 3, 0);
    CHECK_NEAR(statistics_median(one, 1), 7, 0);
}

TEST(statistics_ignore_what_was_spoilt)
{
    double calm[] = {10, 11, 9, 10, 12}, spoilt[] = {10, 11, 9, 10, 1200};
    double again[] = {10, 11, 9, 10, 1200};
    CHECK_NEAR(statistics_median(calm, 5), 10, 0);
    CHECK_NEAR(statistics_median(spoilt, 5), 10, 0);
    CHECK_NEAR(statistics_spread(again, 5, 10), 1, 0);
}

TEST(statistics_spread_counts_both_sides)
{
    double values[] = {1, 2, 4, 9, 100};
    CHECK_NEAR(statistics_spread(values, 5, 4), 3, 0);
}
