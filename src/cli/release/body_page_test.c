#include "check.h"
#include "cli/release/body_page.h"

static void check_coordinate(double value, double step, int digits, const char *expected)
{
    char text[SC_BODY_COORDINATE_BYTES];
    CHECK_STR(sc_body_coordinate_format(value, step, digits, text), expected);
}

TEST(body_coordinates_have_no_exponent)
{
    check_coordinate(9.5e-05, 0.001, 15, "0.000095");
    check_coordinate(-9.5e-05, 0.001, 15, "-0.000095");
    check_coordinate(3.4e-09, 0.001, 15, "0");
    check_coordinate(-3.4e-09, 0.001, 15, "0");
    check_coordinate(0, 0.001, 15, "0");
    check_coordinate(2.5e-07, 0, 9, "0.00000025");
    check_coordinate(123456789012.0, 1, 6, "123456789012");
}

TEST(body_coordinates_follow_the_step_of_a_column)
{
    check_coordinate(38.901123456, 1, 15, "38.9011");
    check_coordinate(1892.82939914458, 0.01, 15, "1892.829399");
    check_coordinate(1892.82939914458, 0.01, 6, "1892.83");
    check_coordinate(23.505, 0.1, 15, "23.505");
    check_coordinate(7.5, 1, 15, "7.5");
    check_coordinate(40, 1, 15, "40");
    check_coordinate(123456.789, 1000, 15, "123456.8");
    check_coordinate(0.3333333333333333, 1.0 / 1024, 15, "0.33333333");
    check_coordinate(5e300, 1, 15, "5e+300");
}
