/* Integers and rationals as numbers; ratio_text_test.c has them as text. */
#include "base/number/ratio.h"
#include "check.h"

/* Integers. */

TEST(integer_goes_to_128_bits_and_back)
{
    const sc_int128 values[] = {0,
                                1,
                                -1,
                                INT64_MAX,
                                INT64_MIN,
                                (sc_int128)UINT64_MAX,
                                (sc_int128)1 << 64,
                                -((sc_int128)1 << 64),
                                SC_INT128_MAX,
                                SC_INT128_MIN,
                                SC_INT128_MIN + 1};
    sc_integer x;
    sc_integer_init(&x);
    for (size_t i = 0; i < COUNT(values); i++) {
        const sc_int128 v = values[i];
        sc_int128 back = 7;
        sc_uint128 wide = 7;
        uint64_t narrow = 7;
        sc_integer_set_int128(&x, v);
        CHECK(sc_integer_get_int128(&x, &back));
        CHECK_INT(back, v);
        CHECK_INT(sc_integer_sign(&x), (v > 0) - (v < 0));
        CHECK_INT(sc_integer_bits(&x),
                  sc_bit_length128(v < 0 ? -(sc_uint128)v : (sc_uint128)v));
        CHECK(sc_integer_get_uint128(&x, &wide) == (v >= 0));
        CHECK(wide == (v >= 0 ? (sc_uint128)v : 7));
        const bool fits = v >= 0 && v <= UINT64_MAX;
        CHECK(sc_integer_get_uint64(&x, &narrow) == fits);
        CHECK(narrow == (fits ? (uint64_t)v : 7));
    }
    sc_integer_clear(&x);
}

TEST(integer_refuses_what_does_not_fit)
{
    sc_integer x, one;
    sc_int128 out = 7;
    sc_uint128 wide = 7;
    sc_integer_init(&x);
    sc_integer_init(&one);
    sc_integer_set_uint128(&one, 1);
    sc_integer_set_int128(&x, SC_INT128_MAX);
    sc_integer_add(&x, &x, &one);
    CHECK(!sc_integer_get_int128(&x, &out));
    CHECK(sc_integer_get_uint128(&x, &wide));
    sc_integer_set_int128(&x, SC_INT128_MIN);
    sc_integer_sub(&x, &x, &one);
    CHECK(!sc_integer_get_int128(&x, &out));
    wide = 7;
    sc_integer_set_uint128(&x, ~(sc_uint128)0);
    sc_integer_add(&x, &x, &one);
    CHECK(!sc_integer_get_uint128(&x, &wide));
    CHECK(!sc_integer_get_int128(&x, &out));
    CHECK(out == 7 && wide == 7);
    CHECK_INT(sc_integer_bits(&x), 129);
    sc_integer_clear(&one);
    sc_integer_clear(&x);
}

TEST(integer_divides_towards_minus_infinity)
{
    sc_integer a, b, q, r;
    sc_integer_init(&a);
    sc_integer_init(&b);
    sc_integer_init(&q);
    sc_integer_init(&r);
    for (int n = -20; n <= 20; n++)
        for (int d = 1; d <= 7; d++) {
            sc_int128 quotient = 99, remainder = 99, alone = 99;
            sc_integer_set_int128(&a, n);
            sc_integer_set_int128(&b, d);
            sc_integer_divide(&q, &r, &a, &b);
            CHECK(sc_integer_get_int128(&q, &quotient) &&
                  sc_integer_get_int128(&r, &remainder));
            CHECK_INT(quotient * d + remainder, n);
            CHECK(remainder >= 0 && remainder < d);
            sc_integer_divide(&q, NULL, &a, &b);
            CHECK(sc_integer_get_int128(&q, &alone));
            CHECK_INT(alone, quotient);
            sc_integer_divide(NULL, &r, &a, &b);
            CHECK(sc_integer_get_int128(&r, &alone));
            CHECK_INT(alone, remainder);
        }
    sc_integer_clear(&r);
    sc_integer_clear(&q);
    sc_integer_clear(&b);
    sc_integer_clear(&a);
}

TEST(integer_words_products_shifts_and_roots)
{
    sc_integer x, y, z;
    sc_int128 value = 0;
    sc_integer_init(&x);
    sc_integer_init(&y);
    sc_integer_init(&z);
    const uint64_t words[3] = {5, 0, 1}; /* 2^128 + 5 */
    sc_integer_set_words(&x, words, 3);
    CHECK_INT(sc_integer_bits(&x), 129);
    sc_integer_set_words(&y, words, 1);
    sc_integer_sub(&z, &x, &y);
    sc_integer_set_uint128(&y, 1);
    sc_integer_shift_left(&y, &y, 128);
    CHECK_INT(sc_integer_compare(&z, &y), 0);
    CHECK_INT(sc_integer_compare(&x, &y), 1);
    CHECK_INT(sc_integer_compare(&y, &x), -1);
    sc_integer_set(&z, &x);
    CHECK_INT(sc_integer_compare(&z, &x), 0);
    sc_integer_set_words(&x, words, 0);
    CHECK_INT(sc_integer_sign(&x), 0);
    sc_integer_set_int128(&x, -3);
    sc_integer_mul_uint64(&x, &x, UINT64_MAX);
    CHECK(sc_integer_get_int128(&x, &value));
    CHECK_INT(value, -3 * (sc_int128)UINT64_MAX);
    sc_integer_mul(&y, &x, &x); /* (3 (2^64 - 1))^2 */
    sc_integer_sqrt(&z, &y);
    CHECK(sc_integer_get_int128(&z, &value));
    CHECK_INT(value, 3 * (sc_int128)UINT64_MAX);
    sc_integer_set_uint128(&x, 1);
    sc_integer_sub(&y, &y, &x);
    sc_integer_sqrt(&z, &y);
    CHECK(sc_integer_get_int128(&z, &value));
    CHECK_INT(value, 3 * (sc_int128)UINT64_MAX - 1);
    sc_integer_clear(&z);
    sc_integer_clear(&y);
    sc_integer_clear(&x);
}

/* Rationals. */

TEST(ratio_rounds_to_integers_both_ways)
{
    static const struct {
        const char *text;
        int64_t floor, ceil;
    } cases[] = {{"0", 0, 0},        {"7", 7, 7},
                 {"-7", -7, -7},     {"7/2", 3, 4},
                 {"-7/2", -4, -3},   {"1/3", 0, 1},
                 {"-1/1000", -1, 0}, {"2^62", INT64_C(1) << 62, INT64_C(1) << 62}};
    sc_ratio x;
    sc_integer n;
    sc_ratio_init(&x);
    sc_integer_init(&n);
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_int128 value = 0;
        CHECK_STATUS(sc_ratio_parse(sc_text_of(cases[i].text), &x, NULL), SCRIM_OK);
        sc_ratio_floor(&x, &n);
        CHECK(sc_integer_get_int128(&n, &value));
        CHECK_INT(value, cases[i].floor);
        sc_ratio_ceil(&x, &n);
        CHECK(sc_integer_get_int128(&n, &value));
        CHECK_INT(value, cases[i].ceil);
        CHECK(sc_ratio_is_integer(&x) == (cases[i].floor == cases[i].ceil));
    }
    sc_integer_clear(&n);
    sc_ratio_clear(&x);
}

/* By the definition: enough, a multiple of 2^-places, and one less would not be enough. */
TEST(ratio_rounds_up_to_binary_places)
{
    static const char *const texts[] = {"0",    "1/3",    "-1/3",       "5/8",
                                        "-7/2", "2^-300", "1000001/17", "12345"};
    sc_ratio x, out, unit, less;
    sc_integer whole;
    sc_ratio_init(&x);
    sc_ratio_init(&out);
    sc_ratio_init(&unit);
    sc_ratio_init(&less);
    sc_integer_init(&whole);
    for (size_t i = 0; i < COUNT(texts); i++)
        for (unsigned places = 0; places < 70; places += 23) {
            REQUIRE_OK(sc_ratio_parse(sc_text_of(texts[i]), &x, NULL));
            sc_integer_set_int128(&whole, 1);
            sc_ratio_set_dyadic(&unit, &whole, places);
            sc_ratio_round_up(&x, places, &out);
            sc_ratio_sub(&less, &out, &unit);
            CHECK(sc_ratio_compare(&out, &x) >= 0 && sc_ratio_compare(&less, &x) < 0);
            sc_ratio_div(&less, &out, &unit);
            CHECK(sc_ratio_is_integer(&less));
            sc_ratio_round_up(&x, places, &x);
            CHECK_INT(sc_ratio_compare(&x, &out), 0);
        }
    sc_integer_clear(&whole);
    sc_ratio_clear(&less);
    sc_ratio_clear(&unit);
    sc_ratio_clear(&out);
    sc_ratio_clear(&x);
}

/* 1/3 + 1/5 has 4 bits below the line. */
TEST(ratio_sums_stay_short)
{
    sc_ratio a, b, sum, want;
    sc_ratio_init(&a);
    sc_ratio_init(&b);
    sc_ratio_init(&sum);
    sc_ratio_init(&want);
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1/3"), &a, NULL));
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1/5"), &b, NULL));
    REQUIRE_OK(sc_ratio_parse(sc_text_of("8/15"), &want, NULL));
    sc_ratio_add_up(&sum, &a, &b, 4, 2);
    CHECK_INT(sc_ratio_compare(&sum, &want), 0);
    REQUIRE_OK(sc_ratio_parse(sc_text_of("3/4"), &want, NULL));
    sc_ratio_add_up(&sum, &a, &b, 3, 2);
    CHECK_INT(sc_ratio_compare(&sum, &want), 0);
    sc_ratio_clear(&want);
    sc_ratio_clear(&sum);
    sc_ratio_clear(&b);
    sc_ratio_clear(&a);
}

TEST(ratio_has_a_size)
{
    static const struct {
        const char *text;
        size_t bits;
        long exponent;
    } cases[] = {{"0", 1, -1},   {"1", 1, 0},           {"-1", 1, 0},
                 {"1/2", 2, -1}, {"7/8", 4, -1},        {"-8/7", 4, 1},
                 {"255", 8, 7},  {"2^-300", 301, -300}, {"2^300", 301, 300}};
    sc_ratio x;
    sc_ratio_init(&x);
    for (size_t i = 0; i < COUNT(cases); i++) {
        REQUIRE_OK(sc_ratio_parse(sc_text_of(cases[i].text), &x, NULL));
        CHECK_INT(sc_ratio_bits(&x), cases[i].bits);
        CHECK_INT(sc_ratio_exponent(&x), cases[i].exponent);
    }
    sc_ratio_clear(&x);
}

typedef struct fraction {
    int n, d;
} fraction;

static void set_fraction(sc_ratio *out, fraction value)
{
    sc_ratio_set_quotient(out, value.n, value.d);
}

/* x is n/d, in lowest terms and with its sign above the line. */
static void check_fraction(const sc_ratio *x, int n, int d)
{
    sc_int128 top = 0, bottom = 0;
    sc_integer part, other;
    sc_integer_init(&part);
    sc_integer_init(&other);
    sc_ratio_numerator(x, &part);
    sc_ratio_denominator(x, &other);
    CHECK(sc_integer_get_int128(&part, &top));
    CHECK(sc_integer_get_int128(&other, &bottom));
    CHECK_INT(top * d, bottom * n);
    CHECK(bottom > 0);
    mpz_gcd(part.z, part.z, other.z);
    CHECK(mpz_cmp_ui(part.z, 1) == 0);
    sc_integer_clear(&other);
    sc_integer_clear(&part);
}

/* Against the rules of the schoolroom. */
static void check_arithmetic(fraction left, fraction right)
{
    const int n = left.n, d = left.d, m = right.n, e = right.d;
    sc_ratio a, b, out;
    sc_ratio_init(&a);
    sc_ratio_init(&b);
    sc_ratio_init(&out);
    set_fraction(&a, left);
    set_fraction(&b, right);
    sc_ratio_add(&out, &a, &b);
    check_fraction(&out, n * e + m * d, d * e);
    sc_ratio_sub(&out, &a, &b);
    check_fraction(&out, n * e - m * d, d * e);
    sc_ratio_mul(&out, &a, &b);
    check_fraction(&out, n * m, d * e);
    if (m != 0) {
        sc_ratio_div(&out, &a, &b);
        check_fraction(&out, n * e, d * m);
    }
    sc_ratio_set(&out, &a);
    CHECK_INT(sc_ratio_compare(&out, &a), 0);
    CHECK_INT(sc_ratio_compare(&a, &b), (n * e > m * d) - (n * e < m * d));
    CHECK_INT(sc_ratio_compare_int64(&a, m), (n > m * d) - (n < m * d));
    CHECK_INT(sc_ratio_sign(&a), (n > 0) - (n < 0));
    sc_ratio_clear(&out);
    sc_ratio_clear(&b);
    sc_ratio_clear(&a);
}

TEST(ratio_arithmetic_is_exact_and_reduced)
{
    for (int n = -6; n <= 6; n++)
        for (int m = -6; m <= 6; m++)
            for (int d = 1; d <= 5; d++)
                check_arithmetic((fraction){n, d}, (fraction){m, 7 - d});
}
