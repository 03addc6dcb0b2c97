#include "check.h"
#include "composition/calibration/decimal_grid.h"
#include "exact.h"

static void check_value(int64_t place, const char *text)
{
    sc_ratio value, wanted;
    sc_ratio_init(&value);
    exact_ratio(text, &wanted);
    sc_place_value(place, &value);
    CHECK_INT(sc_ratio_compare(&value, &wanted), 0);
    CHECK_INT(sc_place_floor(&wanted), place);
    CHECK_INT(sc_place_ceil(&wanted), place);
    sc_ratio_clear(&wanted);
    sc_ratio_clear(&value);
}

TEST(decimal_grid_numbers_are_of_six_digits)
{
    CLAIM("decimal-grid.order");
    check_value(0, "1");
    check_value(1, "1.00001");
    check_value(-1, "0.999999");
    check_value(SC_PLACE_DECADE - 1, "9.99999");
    check_value(SC_PLACE_DECADE, "10");
    check_value(-18 * SC_PLACE_DECADE + 23456, "1.23456e-18");
    check_value(18 * SC_PLACE_DECADE + 899999, "9.99999e18");
}

/* Of any rational: floor and ceil are neighbours about it, and no number lies between. */
TEST(decimal_grid_holds_what_lies_between)
{
    CLAIM("decimal-grid.order");
    static const char *const texts[] = {"1/3",   "2^-60",  "2^60", "999999999/1000",
                                        "7e-30", "1234567"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        sc_ratio x, below, above;
        exact_ratio(texts[i], &x);
        sc_ratio_init(&below);
        sc_ratio_init(&above);
        int64_t place = sc_place_floor(&x);
        sc_place_value(place, &below);
        sc_place_value(place + 1, &above);
        CHECK(sc_ratio_compare(&below, &x) <= 0);
        CHECK(sc_ratio_compare(&x, &above) < 0);
        CHECK_INT(sc_place_ceil(&x),
                  sc_ratio_compare(&below, &x) == 0 ? place : place + 1);
        sc_ratio_clear(&above);
        sc_ratio_clear(&below);
        sc_ratio_clear(&x);
    }
}

/* What is too far has the nearest place. */
TEST(decimal_grid_ends_somewhere)
{
    sc_ratio x;
    exact_ratio("1e-300", &x);
    CHECK_INT(sc_place_floor(&x), -(sc_int128)SC_PLACE_FAR * SC_PLACE_DECADE);
    sc_ratio_clear(&x);
    exact_ratio("1e300", &x);
    CHECK_INT(sc_place_floor(&x), SC_PLACE_FAR * SC_PLACE_DECADE - 1);
    sc_ratio_clear(&x);
}
