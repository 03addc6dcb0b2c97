#include "query/language/bar_grid.h"

#include "query/language/extent.h"

sc_bar_grid sc_bar_grid_of(int64_t low, int64_t high, int64_t width)
{
    const int64_t first = sc_floor_divide(low, width);
    return (sc_bar_grid){.low = low,
                         .high = high,
                         .width = width,
                         .first = first,
                         .count = (uint64_t)sc_floor_divide(high, width) -
                                  (uint64_t)first + 1};
}

uint64_t sc_bar_grid_place(const sc_bar_grid *grid, int64_t value)
{
    return (uint64_t)sc_floor_divide(value, grid->width) - (uint64_t)grid->first;
}

int64_t sc_bar_grid_start(const sc_bar_grid *grid, uint64_t place)
{
    return (grid->first + (int64_t)place) * grid->width;
}

int64_t sc_bar_grid_low(const sc_bar_grid *grid, uint64_t place)
{
    const int64_t start = sc_bar_grid_start(grid, place);
    return start < grid->low ? grid->low : start;
}

int64_t sc_bar_grid_high(const sc_bar_grid *grid, uint64_t place)
{
    const sc_int128 last = (sc_int128)sc_bar_grid_start(grid, place) + (grid->width - 1);
    return last > grid->high ? grid->high : (int64_t)last;
}

int64_t sc_bar_grid_middle(const sc_bar_grid *grid, uint64_t place)
{
    const int64_t low = sc_bar_grid_low(grid, place);
    return low + (sc_bar_grid_high(grid, place) - low) / 2;
}

int64_t sc_bar_grid_radius(const sc_bar_grid *grid)
{
    const sc_int128 values = (sc_int128)grid->high - grid->low + 1;
    return (int64_t)((grid->width < values ? grid->width : values) / 2);
}

int64_t sc_bar_grid_reach(const sc_bar_grid *grid)
{
    /* Of several, the first has all values up to its end. */
    return sc_bar_grid_high(grid, 0) - sc_bar_grid_start(grid, 0);
}

int64_t sc_bar_grid_least_width(int64_t low, int64_t high, uint64_t most)
{
    /* n values meet at most (n - 2) / width + 2 buckets, for n >= 2. */
    const sc_int128 values = (sc_int128)high - low + 1;
    const sc_int128 between = (sc_int128)most - 1;
    if (values <= (sc_int128)most)
        return 1;
    const sc_int128 width = (values - 2) / between + 1;
    return width < INT64_MAX ? (int64_t)width : INT64_MAX;
}
