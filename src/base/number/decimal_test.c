#include "base/number/decimal.h"
#include "exact.h"

#include <string.h>

TEST(decimal_rounds_in_the_direction_of_its_name)
{
    CLAIM("decimal.directed");
    static const struct {
        const char *x;
        unsigned digits;
        const char *lower, *upper;
    } list[] = {
        {"0", 5, "0", "0"},
        {"1", 5, "1", "1"},
        {"1/3", 5, "0.33333", "0.33334"},
        {"4.4996000001", 5, "4.4996", "4.4997"},
        {"4.4996", 5, "4.4996", "4.4996"},
        {"99999.5", 5, "99999", "100000"},
        {"0.99999999", 3, "0.999", "1"},
        {"1e30", 5, "1e30", "1e30"},
        {"1e29", 1, "100000000000000000000000000000", "100000000000000000000000000000"},
        {"123456789", 3, "123000000", "124000000"},
        {"0.00001234567", 5, "0.000012345", "0.000012346"},
        {"0.000001234567", 5, "1.2345e-6", "1.2346e-6"},
        {"1e-300", 17, "1e-300", "1e-300"},
        {"2^-200", 5, "6.223e-61", "6.2231e-61"},
        {"7/3", 30, "2.33333333333333333333333333333", "2.33333333333333333333333333334"},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        char text[SC_DECIMAL_BYTES];
        sc_ratio x;
        exact_ratio(list[i].x, &x);
        sc_decimal_lower(&x, list[i].digits, text);
        CHECK_STR(text, list[i].lower);
        sc_decimal_upper(&x, list[i].digits, text);
        CHECK_STR(text, list[i].upper);
        sc_ratio_clear(&x);
    }
}

/* The two texts hold the number between them, and differ by one unit of the last digit at most. */
static void check_between(const sc_ratio *x, unsigned digits)
{
    char below[SC_DECIMAL_BYTES], above[SC_DECIMAL_BYTES];
    sc_ratio low, high, unit;
    SC_OWN(sc_ratio, rounded, rounded_down);
    sc_decimal_round_up(x, digits, &rounded);
    sc_decimal_round_down(x, digits, &rounded_down);
    sc_decimal_lower(x, digits, below);
    sc_decimal_upper(x, digits, above);
    exact_ratio(below, &low);
    exact_ratio(above, &high);
    CHECK(sc_ratio_compare(&rounded, &high) == 0);
    CHECK(sc_ratio_compare(&rounded_down, &low) == 0);
    sc_ratio_init(&unit);
    if (!CHECK(sc_ratio_compare(&low, x) <= 0 && sc_ratio_compare(&high, x) >= 0))
        CHECK_FAIL("%s and %s", below, above);
    /* high - low <= 10^-(digits - 1) high */
    sc_ratio_sub(&low, &high, &low);
    sc_ratio_set_int64(&unit, 10);
    for (unsigned i = 1; i < digits; i++)
        sc_ratio_mul(&low, &low, &unit);
    CHECK(sc_ratio_compare(&low, &high) <= 0);
    sc_ratio_clear(&unit);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
}

TEST(decimal_is_never_further_than_a_digit)
{
    CLAIM("decimal.directed");
    uint64_t state = check_seed();
    for (uint64_t i = 0; i < check_count(500, 100000); i++) {
        sc_integer above, below;
        sc_ratio x;
        sc_integer_init(&above);
        sc_integer_init(&below);
        sc_ratio_init(&x);
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sc_integer_set_int128(&above, (sc_int128)(state >> 20) + 1);
        sc_integer_shift_left(&above, &above, (unsigned)(state >> 8) % 1000);
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sc_integer_set_int128(&below, (sc_int128)(state >> 20) + 1);
        sc_integer_shift_left(&below, &below, (unsigned)(state >> 8) % 1000);
        sc_ratio_set_fraction(&x, &above, &below);
        check_between(&x, 1 + (unsigned)(state >> 3) % SC_DECIMAL_DIGITS);
        sc_ratio_clear(&x);
        sc_integer_clear(&below);
        sc_integer_clear(&above);
    }
}
