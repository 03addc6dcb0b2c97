#include "check.h"
#include "query/estimate/shown.h"

static const sc_shown_way ways[] = {SC_SHOWN_DOWN, SC_SHOWN_NEAREST, SC_SHOWN_UP};

TEST(shown_numbers_have_their_digits)
{
    CLAIM("shown.outward");
    static const struct {
        const char *x;
        unsigned digits;
        const char *shown[3]; /* down, nearest, up */
    } cases[] = {
        {"0", 0, {"0", "0", "0"}},
        {"0", 2, {"0.00", "0.00", "0.00"}},
        {"5/2", 0, {"2", "3", "3"}},
        {"-5/2", 0, {"-3", "-2", "-2"}},
        {"1/3", 1, {"0.3", "0.3", "0.4"}},
        {"-1/3", 1, {"-0.4", "-0.3", "-0.3"}},
        {"-1/3", 0, {"-1", "0", "0"}},
        {"0.005", 2, {"0.00", "0.01", "0.01"}},
        {"-0.005", 2, {"-0.01", "0.00", "0.00"}},
        {"123456.789", 2, {"123456.78", "123456.79", "123456.79"}},
        {"-99.999", 2, {"-100.00", "-100.00", "-99.99"}},
        {"1e30",
         1,
         {"1000000000000000000000000000000.0", "1000000000000000000000000000000.0",
          "1000000000000000000000000000000.0"}},
        {"7", 3, {"7.000", "7.000", "7.000"}}};
    sc_arena arena;
    sc_ratio x, rounded;
    sc_ratio_init(&x);
    sc_ratio_init(&rounded);
    sc_arena_init(&arena);
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t w = 0; w < COUNT(ways); w++) {
            REQUIRE_OK(sc_ratio_parse(sc_text_of(cases[i].x), &x, NULL));
            sc_shown_round(&x, cases[i].digits, ways[w], &rounded);
            CHECK_STR(sc_shown_number(&rounded, cases[i].digits, &arena),
                      cases[i].shown[w]);
            if (w == 0)
                CHECK(sc_ratio_compare(&rounded, &x) <= 0);
            if (w == 2)
                CHECK(sc_ratio_compare(&rounded, &x) >= 0);
        }
    sc_arena_clear(&arena);
    sc_ratio_clear(&rounded);
    sc_ratio_clear(&x);
}

TEST(shown_dates_stay_in_the_calendar)
{
    static const struct {
        const char *x, *shown;
    } cases[] = {{"0", "1970-01-01"},   {"18262", "2020-01-01"}, {"-1", "1969-12-31"},
                 {"1e9", "9999-12-31"}, {"-1e60", "0000-01-01"}, {"1e60", "9999-12-31"}};
    sc_arena arena;
    sc_ratio x;
    sc_ratio_init(&x);
    sc_arena_init(&arena);
    for (size_t i = 0; i < COUNT(cases); i++) {
        REQUIRE_OK(sc_ratio_parse(sc_text_of(cases[i].x), &x, NULL));
        CHECK_STR(sc_shown_date(&x, &arena), cases[i].shown);
    }
    sc_arena_clear(&arena);
    sc_ratio_clear(&x);
}

TEST(shown_three_digits_are_rounded_up)
{
    static const char *const cases[][2] = {
        {"0", "0"},          {"1", "1"},
        {"1000", "1000"},    {"1001", "1010"},
        {"999.1", "1000"},   {"1/3", "0.334"},
        {"1/8", "0.125"},    {"0.00012345", "0.000124"},
        {"123456", "124000"}};
    char text[SC_SHOWN_THREE_BYTES];
    sc_ratio x;
    sc_ratio_init(&x);
    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK_STATUS(sc_ratio_parse(sc_text_of(cases[i][0]), &x, NULL), SCRIM_OK);
        sc_shown_three(&x, text);
        CHECK_STR(text, cases[i][1]);
    }
    sc_ratio_clear(&x);
}
