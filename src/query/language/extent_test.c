#include "check.h"
#include "query/language/extent.h"

static sc_extent constant(const char *text)
{
    sc_extent extent = {0, 0, {1, 1}};
    sc_ratio value;
    sc_ratio_init(&value);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), &value, NULL), SCRIM_OK);
    CHECK(sc_extent_of_ratio(&value, &extent));
    sc_ratio_clear(&value);
    return extent;
}

static void check(const sc_extent *extent, int64_t low, int64_t high, int64_t numerator,
                  int64_t denominator)
{
    CHECK_INT(extent->low, low);
    CHECK_INT(extent->high, high);
    CHECK_INT(extent->step.numerator, numerator);
    CHECK_INT(extent->step.denominator, denominator);
}

TEST(extent_of_constants)
{
    sc_extent extent = constant("-2.5");
    check(&extent, -1, -1, 5, 2);
    extent = constant("0");
    check(&extent, 0, 0, 1, 1);
    extent = constant("4611686018427387904");
    check(&extent, 1, 1, SC_EXTENT_MAX, 1);
    sc_ratio value;
    sc_ratio_init(&value);
    static const char *const beyond[] = {"4611686018427387905", "1/4611686018427387905",
                                         "1e30", "-1e-30"};
    for (size_t i = 0; i < 4; i++) {
        CHECK_STATUS(sc_ratio_parse(sc_text_of(beyond[i]), &value, NULL), SCRIM_OK);
        CHECK(!sc_extent_of_ratio(&value, &extent));
    }
    sc_extent_value((sc_value_step){5, 2}, -3, &value);
    sc_ratio_add(&value, &value, &value);
    CHECK_INT(sc_ratio_compare_int64(&value, -15), 0);
    sc_ratio_clear(&value);
}

TEST(extent_common_step_is_the_coarsest)
{
    static const struct {
        sc_value_step a, b, common;
        int64_t times_a, times_b;
    } cases[] = {{{1, 1}, {1, 100}, {1, 100}, 100, 1},
                 {{1, 8}, {1, 100}, {1, 200}, 25, 2},
                 {{6, 1}, {4, 1}, {2, 1}, 3, 2},
                 {{1, 3}, {1, 2}, {1, 6}, 2, 3},
                 {{1000, 1}, {1, 7}, {1, 7}, 7000, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sc_extent a = {0, 1, cases[i].a}, b = {0, 1, cases[i].b};
        sc_value_step step;
        int64_t times_a, times_b;
        CHECK(sc_extent_common(&a, &b, &step, &times_a, &times_b));
        CHECK(sc_step_equal(step, cases[i].common));
        CHECK_INT(times_a, cases[i].times_a);
        CHECK_INT(times_b, cases[i].times_b);
    }
    /* Zero lies on every grid. */
    const sc_extent zero = constant("0"), coarse = {1, 5, {1000, 1}};
    sc_value_step step;
    int64_t times_a, times_b;
    CHECK(sc_extent_common(&zero, &coarse, &step, &times_a, &times_b));
    CHECK(sc_step_equal(step, coarse.step));
    /* Two primes near 2^31 below the line fit, two near 2^62 do not. */
    const sc_extent p = {0, 1, {1, 2147483647}}, q = {0, 1, {1, 2147483629}};
    CHECK(sc_extent_common(&p, &q, &step, &times_a, &times_b));
    const sc_extent r = {0, 1, {1, SC_EXTENT_MAX - 1}}, s = {0, 1, {1, SC_EXTENT_MAX}};
    CHECK(!sc_extent_common(&r, &s, &step, &times_a, &times_b));
}

/* All small ranges, all values in them: the result is inside, and the ends are reached. */
TEST(extent_ranges_by_enumeration)
{
    CLAIM("extent.sound");
    for (int64_t code = 0; code < 2401; /* 7^4 */ code++) {
        const int64_t ends[] = {code % 7 - 3, code / 7 % 7 - 3, code / 49 % 7 - 3,
                                code / 343 - 3};
        const sc_extent a = {ends[0], ends[1], {1, 1}}, b = {ends[2], ends[3], {1, 1}};
        if (a.low > a.high || b.low > b.high)
            continue;
        sc_extent sum, difference, product, square, absolute;
        CHECK(sc_extent_add(&a, &b, &sum) && sc_extent_subtract(&a, &b, &difference));
        CHECK(sc_extent_multiply(&a, &b, false, &product));
        CHECK(sc_extent_multiply(&a, &a, true, &square));
        sc_extent_absolute(&a, &absolute);
        int64_t seen[5][2] = {{99, -99}, {99, -99}, {99, -99}, {99, -99}, {99, -99}};
        for (int64_t x = a.low; x <= a.high; x++)
            for (int64_t y = b.low; y <= b.high; y++) {
                const int64_t values[] = {x + y, x - y, x * y, x * x, x < 0 ? -x : x};
                for (size_t i = 0; i < 5; i++) {
                    seen[i][0] = values[i] < seen[i][0] ? values[i] : seen[i][0];
                    seen[i][1] = values[i] > seen[i][1] ? values[i] : seen[i][1];
                }
            }
        check(&sum, seen[0][0], seen[0][1], 1, 1);
        check(&difference, seen[1][0], seen[1][1], 1, 1);
        check(&product, seen[2][0], seen[2][1], 1, 1);
        check(&absolute, seen[4][0], seen[4][1], 1, 1);
        CHECK(square.low <= seen[3][0] && square.high == seen[3][1] && square.low >= 0);
    }
}

TEST(extent_quotients_by_enumeration)
{
    CLAIM("extent.sound");
    sc_ratio x, width, half;
    sc_integer floor;
    sc_ratio_init(&x);
    sc_ratio_init(&width);
    sc_ratio_init(&half);
    sc_integer_init(&floor);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1/2"), &half, NULL), SCRIM_OK);
    for (int64_t p = 1; p <= 4; p++)
        for (int64_t q = 1; q <= 4; q++)
            for (int rounds = 0; rounds < 2; rounds++) {
                const sc_extent a = {-20, 20, {3, 7}};
                const sc_extent one = {p, p, {1, q}};
                sc_value_step step;
                sc_quotient quotient;
                sc_extent out;
                CHECK(sc_extent_constant_step(&one, &step));
                CHECK(sc_extent_quotient(&a, step, rounds == 1, &quotient, &out));
                sc_extent_value(step, 1, &width);
                for (int64_t n = a.low; n <= a.high; n++) {
                    sc_int128 want;
                    sc_extent_value(a.step, n, &x);
                    sc_ratio_div(&x, &x, &width);
                    if (rounds == 1)
                        sc_ratio_add(&x, &x, &half);
                    sc_ratio_floor(&x, &floor);
                    CHECK(sc_integer_get_int128(&floor, &want));
                    const int64_t got =
                        sc_floor_divide(n * quotient.times + quotient.plus, quotient.by);
                    CHECK_INT(got, want);
                    CHECK(got >= out.low && got <= out.high);
                }
            }
    sc_integer_clear(&floor);
    sc_ratio_clear(&half);
    sc_ratio_clear(&width);
    sc_ratio_clear(&x);
}

TEST(extent_a14_limits)
{
    const sc_extent full = {-SC_EXTENT_MAX, SC_EXTENT_MAX, {1, 1}}, one = {0, 1, {1, 1}};
    sc_extent out = one;
    sc_quotient quotient;
    int64_t times;
    CHECK(!sc_extent_add(&full, &one, &out));
    CHECK(!sc_extent_subtract(&full, &one, &out));
    CHECK(!sc_extent_multiply(&full, &(sc_extent){0, 2, {1, 1}}, false, &out));
    CHECK(sc_extent_multiply(&full, &one, false, &out));
    CHECK(!sc_extent_scale(&full, 2, full.step, &out));
    CHECK(sc_extent_scale(&full, -1, full.step, &out));
    CHECK(!sc_extent_quotient(&full, (sc_value_step){1, 2}, false, &quotient, &out));
    CHECK(!sc_extent_quotient(&full, (sc_value_step){1, 1}, true, &quotient, &out));
    CHECK(sc_extent_quotient(&full, (sc_value_step){2, 1}, false, &quotient, &out));
    check(&out, -SC_EXTENT_MAX / 2, SC_EXTENT_MAX / 2, 2, 1);
    const sc_extent large = {1, 1, {SC_EXTENT_MAX, 1}};
    CHECK(!sc_extent_multiply_constant(&(sc_extent){0, 1, {2, 1}}, &large, &times, &out));
    CHECK(sc_extent_divide_constant(&(sc_extent){0, 1, {2, 1}}, &large, &times, &out));
    check(&out, 0, 1, 1, SC_EXTENT_MAX / 2);
    CHECK_INT(times, 1);
}

TEST(extent_counts_of_constants)
{
    int64_t count = 0;
    sc_extent c = constant("-2.5");
    CHECK(sc_extent_count_of(&c, (sc_value_step){1, 2}, &count));
    CHECK_INT(count, -5);
    CHECK(!sc_extent_count_of(&c, (sc_value_step){1, 1}, &count));
    CHECK(!sc_extent_count_of(&c, (sc_value_step){5, 1}, &count));
    c = constant("0");
    CHECK(sc_extent_count_of(&c, (sc_value_step){7, 1}, &count));
    CHECK_INT(count, 0);
    c = constant("1000000000000");
    CHECK(!sc_extent_count_of(&c, (sc_value_step){1, 1000000000}, &count));
}

TEST(extent_floor_division)
{
    for (int64_t a = -20; a <= 20; a++)
        for (int64_t b = 1; b <= 7; b++) {
            const int64_t q = sc_floor_divide(a, b);
            CHECK(q * b <= a && (q + 1) * b > a);
        }
    CHECK_INT(sc_floor_divide(INT64_MIN, 1), INT64_MIN);
}

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
