#include "check.h"
#include "query/language/bar_grid.h"

/* Every value of a small range, by hand. */
static void check_tiles(int64_t low, int64_t high, int64_t width)
{
    const sc_bar_grid grid = sc_bar_grid_of(low, high, width);
    uint64_t last = 0;
    int64_t reach = 0;
    for (int64_t x = low; x <= high; x++) {
        const uint64_t place = sc_bar_grid_place(&grid, x);
        const int64_t first = sc_bar_grid_low(&grid, place),
                      end = sc_bar_grid_high(&grid, place),
                      middle = sc_bar_grid_middle(&grid, place),
                      start = sc_bar_grid_start(&grid, place);
        const int64_t away = middle > x ? middle - x : x - middle;
        CHECK(place < grid.count && (x == low ? place == 0 : place - last <= 1));
        CHECK(first <= x && x <= end && low <= first && end <= high);
        CHECK(start <= x && x < start + width && start % width == 0);
        CHECK(first <= middle && middle <= end && away <= sc_bar_grid_radius(&grid));
        reach = x - start > reach ? x - start : reach;
        last = place;
    }
    CHECK_INT(sc_bar_grid_reach(&grid), reach);
    CHECK(last == grid.count - 1);
}

TEST(bar_grid_tiles_a_range)
{
    CLAIM("bar-grid.tiles");
    CLAIM("bar-grid.middle");
    CLAIM("bar-grid.reach");
    for (int64_t low = -7; low <= 7; low++)
        for (int64_t high = low; high <= low + 15; high++)
            for (int64_t width = 1; width <= 20; width++)
                check_tiles(low, high, width);
}

TEST(bar_grid_names_buckets_as_bucket_does)
{
    const sc_bar_grid ages = sc_bar_grid_of(17, 90, 10);
    CHECK_INT(ages.count, 9);
    CHECK_INT(sc_bar_grid_start(&ages, 0), 10);
    CHECK_INT(sc_bar_grid_low(&ages, 0), 17);
    CHECK_INT(sc_bar_grid_middle(&ages, 0), 18);
    CHECK_INT(sc_bar_grid_place(&ages, 90), 8);
    CHECK_INT(sc_bar_grid_middle(&ages, 8), 90);
    CHECK_INT(sc_bar_grid_radius(&ages), 5);
}

TEST(bar_grid_takes_the_widest_ranges)
{
    const int64_t end = (int64_t)1 << 62;
    const sc_bar_grid all = sc_bar_grid_of(-end, end, SC_BAR_GRID_WIDTH);
    CHECK_INT(all.count, 5);
    CHECK_INT(sc_bar_grid_start(&all, 0), -end);
    CHECK_INT(sc_bar_grid_high(&all, 4), end);
    CHECK_INT(sc_bar_grid_place(&all, end), 4);
    const sc_bar_grid odd = sc_bar_grid_of(1 - end, end - 1, SC_BAR_GRID_WIDTH);
    CHECK_INT(sc_bar_grid_low(&odd, 0), 1 - end);
}

TEST(bar_grid_finds_the_least_width)
{
    for (int64_t high = 0; high < 60; high++)
        for (uint64_t most = 2; most < 12; most++) {
            const int64_t width = sc_bar_grid_least_width(0, high, most);
            bool fits = true, could = width > 1;
            /* Wherever the range begins. */
            for (int64_t low = -20; low < 20; low++) {
                fits &= sc_bar_grid_of(low, low + high, width).count <= most;
                if (width > 1)
                    could &= sc_bar_grid_of(low, low + high, width - 1).count <= most;
            }
            CHECK(fits && !could);
        }
}
