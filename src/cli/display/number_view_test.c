#include "check.h"
#include "cli/display/number_view.h"
#include "query/language/date_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TEST(numbers_that_are_bounds_are_rounded_away_from_the_truth)
{
    static const double values[] = {
        0,    1,         0.1,       1.0 / 3, 2.0 / 3, 0.4621171572600098,
        1e-9, 7.78e-300, 123456.7,  1234567, 1e300,   0.9999999,
        -0.5, -1.0 / 3,  1.0000004, 5e-324};
    char text[SC_BOUND_BYTES];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const double slack = fabs(values[i]) * SC_BOUND_SLACK;
        sc_bound_format(values[i], false, text);
        CHECK(strtod(text, NULL) <= values[i] + slack);
        CHECK(strlen(text) <= 13);
        sc_bound_format(values[i], true, text);
        CHECK(strtod(text, NULL) >= values[i] - slack);
        CHECK(fabs(strtod(text, NULL) - values[i]) <= 1.1e-4 * fabs(values[i]) + 1e-320);
        sc_bound_format_exact(values[i], text);
        CHECK(strtod(text, NULL) == values[i]);
    }
    sc_bound_format(1.0000000000000002, true, text);
    CHECK_STR(text, "1");
    sc_bound_format(1.0000001, true, text);
    CHECK_STR(text, "1.0001");
    sc_bound_format(0.9999999, false, text);
    CHECK_STR(text, "0.99999");
    sc_bound_format(HUGE_VAL, true, text);
    CHECK_STR(text, "inf");
    sc_bound_format_exact(0.1, text);
    CHECK_STR(text, "0.1");
}

TEST(numbers_of_any_form_are_viewed)
{
    CHECK_NEAR(sc_number_view("12"), 12, 0);
    CHECK_NEAR(sc_number_view("-0.5"), -0.5, 0);
    CHECK_NEAR(sc_number_view("1e-9"), 1e-9, 0);
    CHECK_NEAR(sc_number_view("1/3"), 1.0 / 3, 0);
    CHECK_NEAR(sc_number_view(""), 0, 0);
}

/* A remainder is never shown larger than it is, an amount spent never smaller. */
TEST(numbers_are_shown_on_the_safe_side)
{
    static const char *const numbers[] = {
        "0",
        "0.1",
        "1/3",
        "12345678.901",
        "0.12345678901234567890",
        "2.99999999999999999999",
        "0.00000000000000000001",
        "99999.99999999999",
        "1234567890123456789/9876543210987654321",
        "1000000000000000000001/1000000000000000000000"};
    char shown[SC_BOUND_BYTES];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double exact = sc_number_view(numbers[i]);
        sc_number_format_lower(numbers[i], shown);
        CHECK(sc_number_view(shown) <= exact);
        CHECK(sc_number_view(shown) >= exact * (1 - 2e-4));
        sc_number_format_upper(numbers[i], shown);
        CHECK(sc_number_view(shown) >= exact);
        CHECK(sc_number_view(shown) <= exact * (1 + 2e-4));
    }
    sc_number_format_lower("2.99999999999999999999", shown);
    CHECK_STR(shown, "2.9999");
    sc_number_format_upper("2.00000000000000000001", shown);
    CHECK_STR(shown, "2.0001");
    sc_number_format_lower("1/3", shown);
    CHECK_STR(shown, "0.333333");
    sc_number_format_upper("1/3", shown);
    CHECK_STR(shown, "0.333334");
    sc_number_format_upper("20000/136983", shown);
    CHECK_STR(shown, "0.146004");
    sc_number_format_upper("1/4", shown);
    CHECK_STR(shown, "0.25");
}

/* A number that loses no digit is what it is, on either side. */
TEST(small_numbers_are_shown_exactly)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {{"0.000000000001", "1e-12"},
                 {"0.0000001", "1e-7"},
                 {"0.000001", "1e-6"},
                 {"0.00001", "1e-5"},
                 {"0.000015", "1.5e-5"},
                 {"0.0001", "0.0001"},
                 {"0.00000000000025", "2.5e-13"},
                 {"0.0000001234567", "1.234567e-7"},
                 {"0.0000000000000000000001", "1e-22"},
                 {"1e-12", "1e-12"},
                 {"0", "0"},
                 {"3", "3"}};
    char shown[SC_BOUND_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sc_number_format_lower(cases[i].text, shown);
        CHECK_STR(shown, cases[i].shown);
        sc_number_format_upper(cases[i].text, shown);
        CHECK_STR(shown, cases[i].shown);
    }
    sc_number_format_lower("0.00000123456789", shown);
    CHECK_STR(shown, "1.2345e-6");
    sc_number_format_upper("0.0000000000012345678901", shown);
    CHECK_STR(shown, "1.2346e-12");
    sc_number_format_lower("0.0000001/3", shown);
    CHECK_STR(shown, "3.33333e-8");
}

TEST(percent_is_never_rounded_up_to_all)
{
    static const struct {
        double share;
        const char *text;
    } cases[] = {{0, "0 %"},           {1.0 / 30, "3.33 %"}, {7.49 / 7.5, "99.9 %"},
                 {0.9996, "> 99.9 %"}, {3.0 / 3, "100 %"},   {2, "200 %"},
                 {15.2, "1520 %"},     {1e7, "1e+09 %"}};
    char shown[SC_BOUND_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sc_percent_format(cases[i].share, shown);
        CHECK_STR(shown, cases[i].text);
    }
}

TEST(lines_of_mechanisms_have_decimals)
{
    char shown[128];
    sc_line_format("laplace sensitivity=1 epsilon=333/7000 points=1/3,2/3 whole=yes",
                   shown, sizeof shown);
    CHECK_STR(shown, "laplace sensitivity=1 epsilon=0.0475715 points=0.333334,0.666667 "
                     "whole=yes");
    sc_line_format("histogram keys=a/b epsilon=0.5", shown, sizeof shown);
    CHECK_STR(shown, "histogram keys=a/b epsilon=0.5");
    sc_line_format("laplace epsilon=1/3", shown, 40);
    CHECK(strlen(shown) < 40 && strncmp(shown, "laplace", 7) == 0);
}

TEST(amount_leaves_out_what_is_not_there)
{
    char text[SC_AMOUNT_BYTES];
    CHECK_STR(sc_amount_format("epsilon", "0.5", "0.000001", true, text),
              "epsilon 0.5, delta 1e-6");
    CHECK_STR(sc_amount_format("rho", "1/3", "0", true, text), "rho 0.333334");
    CHECK_STR(sc_amount_format("rho", "", "0.001", false, text), "delta 0.001");
    CHECK_STR(sc_amount_format("rho", "", "", false, text), "");
}

TEST(number_view_shortens_a_delta)
{
    char text[] = "epsilon=0.00001,delta=0.0000015", usual[] = "epsilon=2,delta=0.001",
         none[] = "epsilon=2";
    sc_delta_shorten(text);
    CHECK_STR(text, "epsilon=0.00001,delta=1.5e-6");
    sc_delta_shorten(usual);
    CHECK_STR(usual, "epsilon=2,delta=0.001");
    sc_delta_shorten(none);
    CHECK_STR(none, "epsilon=2");
}

/* There and back, as the engine counts: every day of four hundred years, and the ends. */
SLOW_TEST(date_view_is_the_day_of_the_engine)
{
    char text[SC_DATE_VIEW_BYTES], want[64];
    for (int64_t day = -719162; day <= 2932896;
         day += day < 146097 && day > -40000 ? 1 : 97) {
        const sc_date_parts parts = sc_date_parts_of(day);
        snprintf(want, sizeof want, "%04lld-%02lld-%02lld", (long long)parts.year,
                 (long long)parts.month, (long long)parts.day);
        sc_date_view_format((double)day, text);
        if (!CHECK_STR(text, want) || !CHECK(sc_date_view(want) == (double)day))
            break;
    }
    CHECK(sc_date_view("1970-01-01") == 0);
    CHECK(sc_date_view("no date") == 0);
}
