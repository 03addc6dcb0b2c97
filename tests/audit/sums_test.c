/* THREATS A14, A16, A17, A20: sums of what is on the grid. One unit moves them by what it may, in
 * any order and however they are divided. */
#include "base/checked.h"
#include "check.h"
#include "model/grid.h"
#include "random/bits_tape.h"

#include <math.h>

static sc_int128 value_of(const sc_sum *sum)
{
    sc_int128 value = 0;
    CHECK(sc_sum_value(sum, &value));
    return value;
}

static sc_int128 sum_of(const int64_t *values, size_t count)
{
    sc_sum sum;
    sc_sum_init(&sum);
    for (size_t i = 0; i < count; i++)
        sc_sum_add(&sum, values[i]);
    return value_of(&sum);
}

/* A14: [INT64_MAX, 1] is 2^63, not -2^63; removing one row moves it by that row. */
TEST(A14_sums_do_not_wrap)
{
    const int64_t rows[] = {INT64_MAX, 1, INT64_MAX, INT64_MIN, INT64_MIN, INT64_MIN, -1};
    const size_t count = sizeof rows / sizeof *rows;
    CHECK(sum_of(rows, 2) == (sc_int128)INT64_MAX + 1);
    for (size_t k = 1; k <= count; k++)
        CHECK(sum_of(rows, k) - sum_of(rows, k - 1) == rows[k - 1]);
    /* Leaves [2^31 - 1, 0] and [2^31 - 1, 1] of a tree: its root moves by 1. */
    const int64_t left[] = {INT32_MAX, 0}, right[] = {INT32_MAX, 1};
    CHECK(sum_of(right, 2) - sum_of(left, 2) == 1);
    /* A count beyond 32 bits, by doubling. */
    sc_sum sum, twice;
    sc_sum_init(&sum);
    sc_sum_add(&sum, 1);
    for (int i = 0; i < 40; i++) {
        twice = sum;
        sc_sum_merge(&sum, &twice);
    }
    CHECK(value_of(&sum) == (sc_int128)1 << 40);
}

/* A16: large rows first or last. In doubles the two orders differ by twice the sensitivity; the
 * counts are those of the threat in the long tier. */
TEST(A16_sums_do_not_depend_on_the_order)
{
    const uint64_t copies = check_count_whole(UINT64_C(1) << 14, UINT64_C(1) << 27);
    sc_grid grid = {.low = 0, .high = (int64_t)1 << 53};
    const double large = ldexp(1, copies == UINT64_C(1) << 14 ? 39 : 26);
    sc_sum up, down;
    double float_up = 0, float_down = 0;
    sc_sum_init(&up);
    sc_sum_init(&down);
    for (uint64_t i = 0; i < 2 * copies; i++) {
        const double first = i < copies ? 1 : large, last = i < copies ? large : 1;
        sc_sum_add(&up, sc_grid_of_double(&grid, first));
        sc_sum_add(&down, sc_grid_of_double(&grid, last));
        float_up += first;
        float_down += last;
    }
    CHECK(value_of(&up) == value_of(&down));
    CHECK(float_up - float_down > 1); /* the control: doubles tell the orders apart */
    CHECK(value_of(&up) == (sc_int128)copies * ((sc_int128)large + 1));
}

/* A17: permutations, and any division among threads. */
TEST(sums_do_not_depend_on_how_they_are_divided)
{
    enum { ROWS = 257 };
    int64_t rows[ROWS];
    sc_tape *tape;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    sc_bits *bits = sc_tape_bits_of(tape);
    for (size_t i = 0; i < ROWS; i++) {
        uint64_t word = 0;
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
        rows[i] = (int64_t)word;
    }
    const sc_int128 want = sum_of(rows, ROWS);
    for (uint64_t turn = 0; turn < check_count(100, 1000); turn++) {
        sc_sum parts[64], whole;
        uint64_t word = 0;
        for (size_t i = ROWS; i-- > 1;) {
            REQUIRE_OK(sc_bits_take(bits, 32, &word, NULL));
            const size_t other = (size_t)(word % (i + 1));
            const int64_t swap = rows[i];
            rows[i] = rows[other];
            rows[other] = swap;
        }
        REQUIRE_OK(sc_bits_take(bits, 6, &word, NULL));
        const size_t threads = (size_t)word + 1;
        for (size_t i = 0; i < threads; i++)
            sc_sum_init(&parts[i]);
        for (size_t i = 0; i < ROWS; i++)
            sc_sum_add(&parts[(i * 31 + turn) % threads], rows[i]);
        sc_sum_init(&whole);
        for (size_t i = threads; i-- > 0;)
            sc_sum_merge(&whole, &parts[i]);
        CHECK(value_of(&whole) == want && sum_of(rows, ROWS) == want);
    }
    sc_tape_free(tape);
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
        sc_sum sum, square;
        sc_sum_init(&sum);
        sc_sum_init(&square);
        for (int i = 0; i < 1024; i++) {
            const double x = i == 0 ? values[v] : 0x1p50 + 25;
            const sc_int128 d = (sc_int128)sc_grid_of_double(&grid, x) - centre;
            sc_sum_add(&sum, d);
            sc_sum_add(&square, d * d);
        }
        sums[v] = value_of(&sum);
        squares[v] = value_of(&square);
    }
    for (size_t a = 0; a < 6; a++)
        for (size_t b = 0; b < 6; b++) {
            CHECK(sums[a] - sums[b] <= reach + reach);
            CHECK(squares[a] - squares[b] <= most);
        }
    CHECK(squares[1] - squares[0] == most); /* attained */
}
