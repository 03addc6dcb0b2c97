/* THREATS A15, A16, A20: sums of what is on the grid. One unit moves them by what it may, in any
 * order. */
#include "base/checked.h"
#include "check.h"
#include "model/grid.h"

#include <math.h>

/* A16: large rows first or last. In doubles the two orders differ by twice the sensitivity; the
 * counts are those of the threat in the long tier. */
TEST(A16_sums_do_not_depend_on_the_order)
{
    const uint64_t copies = check_count_whole(UINT64_C(1) << 14, UINT64_C(1) << 27);
    sc_grid grid = {.low = 0, .high = (int64_t)1 << 53};
    const double large = ldexp(1, copies == UINT64_C(1) << 14 ? 39 : 26);
    sc_int128 up = 0, down = 0;
    double float_up = 0, float_down = 0;
    for (uint64_t i = 0; i < 2 * copies; i++) {
        const double first = i < copies ? 1 : large, last = i < copies ? large : 1;
        up += sc_grid_of_double(&grid, first);
        down += sc_grid_of_double(&grid, last);
        float_up += first;
        float_down += last;
    }
    CHECK(up == down);
    CHECK(float_up - float_down > 1); /* the control: doubles tell the orders apart */
    CHECK(up == (sc_int128)copies * ((sc_int128)large + 1));
}

/* A15, A20: around 2^50, the sum of deviations from a public centre and that of their squares,
 * each moved by one row by at most its own bound. Doubles lose the row. */
TEST(A15_A20_sums_of_squares_move_by_their_bound)
{
    const int64_t base = (int64_t)1 << 50, centre = base, reach = 50;
    const sc_int128 most = (sc_int128)reach * reach;
    sc_grid grid = {.low = base - reach, .high = base + reach, .missing = centre};
    const double values[] = {0x1p50, 0x1p50 + 50, 0x1p50 - 50, 1e300, (double)NAN, -1};
    sc_int128 sums[6], squares[6];
    for (size_t v = 0; v < 6; v++) {
        sc_int128 sum = 0, square = 0;
        for (int i = 0; i < 1024; i++) {
            const double x = i == 0 ? values[v] : 0x1p50 + 25;
            const sc_int128 d = (sc_int128)sc_grid_of_double(&grid, x) - centre;
            sum += d;
            square += d * d;
        }
        sums[v] = sum;
        squares[v] = square;
    }
    for (size_t a = 0; a < 6; a++)
        for (size_t b = 0; b < 6; b++) {
            CHECK(sums[a] - sums[b] <= reach + reach);
            CHECK(squares[a] - squares[b] <= most);
        }
    CHECK(squares[1] - squares[0] == most); /* attained */
}
