/* THREATS A15, A16, A20: sums of what is on the grid. One unit moves them by what it may, in any
 * order. */
#include "base/checked.h"
#include "check.h"
#include "model/grid.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

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

/* A sum of floats, and the sum of the same records on a grid of 2^-23. */
typedef struct float_sums {
    float rounded;
    sc_int128 exact;
} float_sums;

static void add_copies(const sc_grid *grid, float record, int copies, float_sums *sums)
{
    for (int i = 0; i < copies; i++) {
        sums->rounded += record;
        sums->exact += sc_grid_of_double(grid, (double)record);
    }
}

/* A15: of 8,190 records of at most 4,096, one moves a sum of floats by twice that, ours by that. */
TEST(A15_sums_of_floats_move_by_twice_their_bound)
{
    const json_t *row = vectors_load("mechanisms", "float_sum_counterexample");
    const int bits = 23, most = (int)vectors_number(row, "claimed_sensitivity");
    const sc_grid grid = {.exponent = -bits, .high = (int64_t)most << bits};
    float_sums with = {0}, without = {0};
    add_copies(&grid, (float)most, 4096, &with);
    add_copies(&grid, (float)most, 4095, &without);
    add_copies(&grid, 1 + 0x1p-23F, 4094, &with);
    add_copies(&grid, 1 + 0x1p-23F, 4094, &without);
    CHECK((double)with.rounded == strtod(vectors_text(row, "sum_D"), NULL));
    CHECK((double)without.rounded == strtod(vectors_text(row, "sum_Dprime"), NULL));
    CHECK((double)(with.rounded - without.rounded) ==
          strtod(vectors_text(row, "difference"), NULL));
    CHECK(with.exact - without.exact == (sc_int128)most << bits);
}
