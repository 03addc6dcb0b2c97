#include "exact.h"
#include "query/estimate/real_digits.h"

#include <math.h>

static void check_ratio(const sc_ratio *x, const char *want)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(x, text, sizeof text);
    CHECK_STR(text, want);
}

TEST(real_numbers_are_exact)
{
    static const struct {
        double x;
        const char *text;
    } list[] = {{0, "0"},
                {1, "1"},
                {-0.75, "-0.75"},
                {0x1p70, "1180591620717411303424"},
                {3e9, "3000000000"},
                {0x1p-3, "0.125"}};
    sc_ratio out;
    sc_ratio_init(&out);
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_real_to_ratio(list[i].x, &out);
        check_ratio(&out, list[i].text);
        CHECK(sc_ratio_upper(&out) == list[i].x);
    }
    sc_ratio_clear(&out);
    exact_ratio("1/3", &out);
    CHECK(sc_ratio_upper(&out) >= 1.0 / 3 && sc_ratio_upper(&out) < 1.0 / 3 + 1e-15);
    sc_ratio_clear(&out);
}

TEST(real_numbers_of_three_digits_are_not_below)
{
    static const struct {
        double x;
        const char *text;
    } list[] = {{0, "0"},           {0.3923, "0.393"},  {0.5, "0.5"},
                {1000, "1000"},     {1001, "1010"},     {999.5, "1000"},
                {123456, "124000"}, {2e-7, "0.0000002"}};
    sc_ratio out;
    sc_ratio_init(&out);
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_real_three_upper(list[i].x, &out);
        check_ratio(&out, list[i].text);
    }
    sc_ratio_clear(&out);
}

TEST(digits_are_the_fewest)
{
    CHECK_INT(sc_digits_for(5), 0);
    CHECK_INT(sc_digits_for(1), 0);
    CHECK_INT(sc_digits_for(0.5), 1);
    CHECK_INT(sc_digits_for(0.0004), 4);
    CHECK_INT(sc_digits_for(0), SC_REAL_DIGITS);
    static const struct {
        const char *step;
        unsigned digits;
    } list[] = {{"1", 0}, {"20", 0}, {"0.01", 2}, {"1/8", 3}, {"1/3", SC_REAL_DIGITS}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_ratio step;
        exact_ratio(list[i].step, &step);
        CHECK_INT(sc_digits_of_step(&step), list[i].digits);
        sc_ratio_clear(&step);
    }
}
