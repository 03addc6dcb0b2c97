#include "check.h"
#include "model/short_bound.h"

TEST(short_bounds_stay_true)
{
    static const struct {
        const char *x, *lower, *upper;
    } cases[] = {
        {"0", "0", "0"},
        {"0.1", "0.1", "0.1"},
        {"1/3", "1/3", "1/3"},
        {"1383505805528216371/9223372036854775808", "0.149999", "0.15"},
        {"1383505805528216372/9223372036854775808", "0.15", "0.150001"},
        {"1000000000000/3000000000001", "0.333333", "0.333334"},
        {"2000000000000/3000000000000000000000001", "0.000000000000666666",
         "0.000000000000666667"},
        {"123456789012345/10000000", "12345678", "12345679"},
        {"99999999999999999999/10000000000000", "9999999", "10000000"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_ratio x;
        char lower[SCRIM_NUMBER_BYTES], upper[SCRIM_NUMBER_BYTES];
        sc_ratio_init(&x);
        REQUIRE_OK(sc_ratio_parse(sc_text_of(cases[i].x), &x, NULL));
        sc_short_bound_put_lower(&x, lower);
        sc_short_bound_put_upper(&x, upper);
        CHECK_STR(lower, cases[i].lower);
        CHECK_STR(upper, cases[i].upper);
        sc_ratio_clear(&x);
    }
}
