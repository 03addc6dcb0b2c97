#include "check.h"
#include "exact.h"
#include "model/data_number.h"

#include <stdio.h>
#include <string.h>

static sc_grid grid_of(const char *step, const char *lower, const char *upper)
{
    sc_grid grid = {0};
    sc_ratio numbers[3];
    const char *const texts[] = {step, lower, upper};
    for (size_t i = 0; i < 3; i++) {
        sc_ratio_init(&numbers[i]);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(texts[i]), &numbers[i], NULL), SCRIM_OK);
    }
    CHECK_STATUS(sc_grid_init(&grid, &numbers[0], &numbers[1], &numbers[2], NULL, NULL),
                 SCRIM_OK);
    for (size_t i = 0; i < 3; i++)
        sc_ratio_clear(&numbers[i]);
    return grid;
}

static int64_t place(const sc_grid *grid, const char *text)
{
    return sc_data_number_place(grid, sc_text_of(text));
}

/* One number, written in many ways: neighbours of 10^7 that Java writes with and without E. */
TEST(data_number_is_what_a_text_says_however_it_is_written)
{
    CLAIM("data-number.exact");
    static const struct {
        const char *text;
        int64_t place;
    } list[] = {{"9999999.0", INT64_C(9999999000)},
                {"1.0E7", INT64_C(10000000000)},
                {"1E3", 1000000},
                {"5.", 5000},
                {".5", 500},
                {" 7\t", 7000},
                {"+7", 7000},
                {"-0", 0},
                {"0.0005", 1},
                {"-0.0005", 0},
                {"-0.0005000001", -1},
                {"1e1233", INT64_C(1000000000000)},
                {"1e1234", INT64_C(1000000000000)},
                {"-1e5000", -5000},
                {"1e-5000", 0},
                {"-1e-5000", 0},
                {"0e99999999999999999999999", 0},
                {"1e99999999999999999999999", INT64_C(1000000000000)},
                {"inf", INT64_C(1000000000000)},
                {"-Infinity", -5000},
                {"3/2", 1500},
                {"abc", -5000},
                {"", -5000},
                {".", -5000},
                {"e5", -5000},
                {"1e", -5000},
                {"1.5x", -5000},
                {"-", -5000},
                {"infinite", -5000},
                {"nan", -5000}};
    const sc_grid grid = grid_of("0.001", "-5", "1000000000");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!CHECK_INT(place(&grid, list[i].text), list[i].place))
            fprintf(stderr, "# %s\n", list[i].text);
}

/* Digits without end decide on which side of a border a value lies, and nothing else. */
/* Short whole numbers are read in a way of their own: the same with a point behind them, and at the ends. */
TEST(data_number_of_whole_numbers_is_the_same_either_way)
{
    CLAIM("data-number.exact");
    const sc_grid grid = grid_of("1", "-1000", "999999999999999999");
    const char *const digits[] = {"0",
                                  "000",
                                  "7",
                                  "-7",
                                  "+42",
                                  "-1000",
                                  "-1001",
                                  "999999999999999998",
                                  "999999999999999999",
                                  "1000000000000000000",
                                  "0000000000000000000012",
                                  "99999999999999999999"};
    for (size_t i = 0; i < COUNT(digits); i++) {
        char other[64];
        SC_OWN(sc_ratio, value);
        snprintf(other, sizeof other, "%s.0", digits[i]);
        CHECK_INT(place(&grid, digits[i]), place(&grid, other));
        CHECK(sc_data_number_value(sc_text_of(digits[i]), &value));
        CHECK_INT(place(&grid, digits[i]), sc_grid_of_ratio(&grid, &value));
    }
    CHECK_INT(place(&grid, "-999"), -999);
    CHECK_INT(place(&grid, "-5000"), -1000);
}

TEST(data_number_of_thousands_of_digits_lies_on_its_side_of_the_border)
{
    CLAIM("data-number.exact");
    static char text[6000];
    const sc_grid grid = grid_of("1", "-100", "100");
    for (size_t zeros = 0; zeros < 5900; zeros += 59) {
        memset(text, '0', sizeof text);
        memcpy(text, "-4.5", 4);
        text[4 + zeros] = '\0';
        CHECK_INT(place(&grid, text), -4);
        CHECK_INT(place(&grid, text + 1), 5);
        text[4 + zeros] = '1';
        text[5 + zeros] = '\0';
        CHECK_INT(place(&grid, text), -5);
        CHECK_INT(place(&grid, text + 1), 5);
        memcpy(text, "-4.4", 4);
        memset(text + 4, '9', zeros + 1);
        CHECK_INT(place(&grid, text), -4);
        CHECK_INT(place(&grid, text + 1), 4);
    }
    /* Leading zeros are no digits that count. */
    memset(text, '0', sizeof text);
    memcpy(text + 5000, "7.5", 4);
    CHECK_INT(place(&grid, text), 8);
}

/* The finest and the coarsest grids that there are, at their borders. */
TEST(data_number_holds_on_the_finest_and_the_coarsest_grid)
{
    const sc_grid fine = grid_of("1e-330", "0", "1e-320");
    CHECK_INT(place(&fine, "5e-331"), 1);
    CHECK_INT(place(&fine, "4.9999999e-331"), 0);
    CHECK_INT(place(&fine, "123E-330"), 123);
    CHECK_INT(place(&fine, "1"), INT64_C(10000000000));
    const sc_grid coarse = grid_of("1e330", "-1e340", "1e340");
    CHECK_INT(place(&coarse, "5e329"), 1);
    CHECK_INT(place(&coarse, "-5.1e329"), -1);
    CHECK_INT(place(&coarse, "123e330"), 123);
    CHECK_INT(place(&coarse, "9e399"), INT64_C(10000000000));
}
