#include "base/hash.h"
#include "base/number/ratio.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

/* Reading. */

/* Holds text against numerator / denominator, and its canonical print against
 * canonical. */
static void reads(const char *text, int64_t numerator, int64_t denominator,
                  const char *canonical)
{
    char print[SC_RATIO_TEXT_BYTES];
    sc_ratio x, n, d;
    sc_ratio_init(&x);
    sc_ratio_init(&n);
    sc_ratio_init(&d);
    sc_ratio_set_int64(&n, numerator);
    sc_ratio_set_int64(&d, denominator);
    sc_ratio_div(&n, &n, &d);
    if (CHECK_STATUS(sc_ratio_parse(sc_text_of(text), &x, NULL), SCRIM_OK)) {
        CHECK(sc_ratio_compare(&x, &n) == 0);
        CHECK_INT(sc_ratio_format(&x, print, sizeof print), strlen(canonical));
        CHECK_STR(print, canonical);
    }
    sc_ratio_clear(&d);
    sc_ratio_clear(&n);
    sc_ratio_clear(&x);
}

TEST(ratio_reads_every_form)
{
    reads("1", 1, 1, "1");
    reads("-3", -3, 1, "-3");
    reads("9223372036854775807", INT64_MAX, 1, "9223372036854775807");
    reads("-9223372036854775807", -INT64_MAX, 1, "-9223372036854775807");
    reads("+2", 2, 1, "2");
    reads("007", 7, 1, "7");
    reads("0", 0, 1, "0");
    reads("-0", 0, 1, "0");
    reads("0.1", 1, 10, "0.1");
    reads(".5", 1, 2, "0.5");
    reads("-.25", -1, 4, "-0.25");
    reads("+1.50", 3, 2, "1.5");
    reads("000.0010", 1, 1000, "0.001");
    reads("1/3", 1, 3, "1/3");
    reads("-6/4", -3, 2, "-1.5");
    reads("0/7", 0, 1, "0");
    reads("010/0030", 1, 3, "1/3");
    reads("1e-9", 1, 1000000000, "0.000000001");
    reads("1e9", 1000000000, 1, "1000000000");
    reads("1e+2", 100, 1, "100");
    reads("12.5e1", 125, 1, "125");
    reads("-12.5e-1", -5, 4, "-1.25");
    reads("1e0", 1, 1, "1");
    reads("1e-0", 1, 1, "1");
    reads("2^10", 1024, 1, "1024");
    reads("2^-3", 1, 8, "0.125");
    reads("3^-2", 1, 9, "1/9");
    reads("7^0", 1, 1, "1");
    reads("0^3", 0, 1, "0");
    reads("-2^4", -16, 1, "-16");
    reads("2^-40", 1, INT64_C(1) << 40, "1/1099511627776");
    reads("9223372036854775807", INT64_MAX, 1, "9223372036854775807");
    reads("-9223372036854775808", INT64_MIN, 1, "-9223372036854775808");
}

TEST(ratio_sees_through_long_spellings_of_small_numbers)
{
    reads("0e99999999999999999999999", 0, 1, "0");
    reads("0.000e-99999999999999999999", 0, 1, "0");
    reads("1^99999999999999999999999", 1, 1, "1");
    reads("-1^-99999999999999999999999", -1, 1, "-1");
    reads("1e0000000000000000000000000000000000002", 100, 1, "100");
    reads("2^-0000000000000000000000000000000000001", 1, 2, "0.5");
    /* More zeros than a number may have digits, on either side of the point. */
    static char text[2 * SC_RATIO_DIGITS];
    memset(text, '0', sizeof text);
    text[1] = '.';
    snprintf(text + 5000, sizeof text - 5000, "25e4999"); /* 4998 zeros after the point */
    reads(text, 25, 10, "2.5");
    memset(text, '0', sizeof text);
    text[0] = '3';
    snprintf(text + 5001, sizeof text - 5001, "e-5001"); /* 5000 zeros after the 3 */
    reads(text, 3, 10, "0.3");
}

static void refuses(sc_text text, scrim_status want)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    scrim_error error = {.status = SCRIM_OK};
    sc_ratio x;
    sc_ratio_init(&x);
    sc_ratio_set_int64(&x, 42);
    const scrim_status status = sc_ratio_parse(text, &x, &error);
    if (status != want)
        CHECK_FAIL("'%s' gave %s", sc_text_quote(text, quote), scrim_status_name(status));
    CHECK_STATUS(error.status, want);
    CHECK(strstr(error.message, sc_text_quote(text, quote)) != NULL);
    CHECK(strlen(error.message) < 160);
    CHECK(sc_ratio_compare_int64(&x, 42) == 0);
    sc_ratio_clear(&x);
}

TEST(ratio_refuses_what_is_no_number)
{
    static const char *const texts[] = {
        "",
        "+",
        "-",
        ".",
        "e",
        "1e",
        "1e+",
        "1e-",
        "e5",
        ".e5",
        "5.",
        "-.",
        "1.e2",
        "0x10",
        "0b1",
        "nan",
        "NaN",
        "inf",
        "-inf",
        "infinity",
        "1_000",
        "1,000",
        "0,5",
        " 7 ",
        " 7",
        "7 ",
        "7\n",
        "\t7",
        "--1",
        "+-1",
        "1+",
        "1-1",
        "1..2",
        "1.2.3",
        "1e2e3",
        "1e2.5",
        "1/0",
        "0/0",
        "1/00",
        "1/-3",
        "1/+3",
        "/3",
        "1/",
        "1//3",
        "1/3/5",
        "1.5/2",
        "1/2.5",
        "1/2e3",
        "1e2/3",
        "2^",
        "^2",
        "2^^3",
        "2^1.5",
        "2^3^2",
        "1.5^2",
        "2^1e3",
        "3/2^10",
        "0^0",
        "0^-1",
        "00^-99999999999999999999",
        "1E5",
        "1d5",
        "1f",
        "1L",
        "#1",
        "1%",
        "(1)",
        "\xd9\xa1",
        "\xef\xbc\x91",
        "1\x1b[0m",
        "one",
        ("\xe2\x88\x92"
         "1"),
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        refuses(sc_text_of(texts[i]), SCRIM_E_SYNTAX);
    refuses((sc_text){"1\0", 2}, SCRIM_E_SYNTAX);
    refuses((sc_text){"\0", 1}, SCRIM_E_SYNTAX);
    refuses((sc_text){NULL, 0}, SCRIM_E_SYNTAX);
}

TEST(ratio_refuses_what_is_too_large)
{
    static const char *const texts[] = {
        "1e999999999",
        "-1e999999999",
        "1e-999999999",
        "1e99999999999999999999999999",
        "1e-99999999999999999999999999",
        "9223372036854775807e9223372036854775807",
        "0.1e-9223372036854775808",
        "1e18446744073709551616",
        "2^4096",
        "2^-4096",
        "3^2585",
        "2^99999999999999999999",
        "10^-18446744073709551615",
        "1e1234",
        "1e-1800",
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        refuses(sc_text_of(texts[i]), SCRIM_E_LIMIT);
}

/* x = 2^exponent, the hard way. */
static void set_power2(sc_ratio *x, unsigned exponent)
{
    sc_integer one, n;
    sc_integer_init(&one);
    sc_integer_init(&n);
    sc_integer_set_uint128(&one, 1);
    sc_integer_shift_left(&n, &one, exponent);
    sc_ratio_set_fraction(x, &n, &one);
    sc_integer_clear(&n);
    sc_integer_clear(&one);
}

static void reads_ratio(const char *text, const sc_ratio *want)
{
    sc_ratio x;
    sc_ratio_init(&x);
    if (CHECK_STATUS(sc_ratio_parse(sc_text_of(text), &x, NULL), SCRIM_OK))
        CHECK(sc_ratio_compare(&x, want) == 0);
    sc_ratio_clear(&x);
}

TEST(ratio_limit_lies_exactly_at_its_bits)
{
    char text[8 * SC_RATIO_TEXT_BYTES];
    sc_ratio top, one, x;
    sc_ratio_init(&top);
    sc_ratio_init(&one);
    sc_ratio_init(&x);
    sc_ratio_set_int64(&one, 1);
    /* The largest of 4096 bits, 2^4096 - 1, written in full; the next is refused. */
    set_power2(&top, SC_RATIO_BITS);
    sc_ratio_sub(&x, &top, &one);
    CHECK(sc_ratio_format(&x, text, sizeof text) < SC_RATIO_TEXT_BYTES);
    reads_ratio(text, &x);
    sc_ratio_format(&top, text, sizeof text);
    refuses(sc_text_of(text), SCRIM_E_LIMIT);
    /* The longest text there is: -(2^4096 - 1) / (2^4096 - 3). */
    sc_ratio_set_int64(&one, -3);
    sc_ratio_add(&top, &top, &one);
    sc_ratio_div(&x, &x, &top);
    sc_ratio_set_int64(&one, -1);
    sc_ratio_mul(&x, &x, &one);
    const size_t length = sc_ratio_format(&x, text, sizeof text);
    CHECK(length < SC_RATIO_TEXT_BYTES && length > 2460);
    reads_ratio(text, &x);
    /* The same at the other forms. */
    set_power2(&x, SC_RATIO_BITS - 1);
    reads_ratio("2^4095", &x);
    sc_ratio_set_int64(&one, 2);
    sc_ratio_div(&x, &x, &one);
    reads_ratio("4^2047", &x);
    refuses(sc_text_of("4^2048"), SCRIM_E_LIMIT);
    /* 8^1365 is 2^4095: an exponent that is just as large as its base allows. */
    set_power2(&x, SC_RATIO_BITS - 1);
    reads_ratio("8^1365", &x);
    refuses(sc_text_of("8^1366"), SCRIM_E_LIMIT);
    refuses(sc_text_of("1e1234"), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1e1233"), &x, NULL), SCRIM_OK);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1e-1233"), &x, NULL), SCRIM_OK);
    refuses(sc_text_of("1e-1234"), SCRIM_E_LIMIT);
    sc_ratio_clear(&x);
    sc_ratio_clear(&one);
    sc_ratio_clear(&top);
}

TEST(ratio_reads_the_longest_decimal_there_is)
{
    /* 2^-4095 written out has 4095 digits after the point; 5^4095 * 10^-4095. */
    char text[4200] = "0.";
    sc_ratio want, power;
    sc_ratio_init(&want);
    sc_ratio_init(&power);
    set_power2(&power, SC_RATIO_BITS - 1);
    sc_ratio_set_int64(&want, 1);
    sc_ratio_div(&want, &want, &power);
    mpz_t digits;
    mpz_init(digits);
    mpz_ui_pow_ui(digits, 5, SC_RATIO_BITS - 1);
    const size_t count = mpz_sizeinbase(digits, 10);
    memset(text + 2, '0', 4095);
    mpz_get_str(text + 2 + 4095 - count, 10, digits);
    if (strlen(text) != 2 + 4095) /* mpz_sizeinbase may be one too large */
        mpz_get_str(text + 3 + 4095 - count, 10, digits);
    CHECK_INT(strlen(text), 2 + 4095);
    reads_ratio(text, &want);
    mpz_clear(digits);
    sc_ratio_clear(&power);
    sc_ratio_clear(&want);
}

TEST(ratio_is_cheap_to_refuse_a_megabyte)
{
    enum { BYTES = 1 << 20 };
    char *text = malloc(BYTES);
    REQUIRE(text != NULL);
    memset(text, '7', BYTES);
    refuses((sc_text){text, BYTES}, SCRIM_E_LIMIT);
    text[1] = '.';
    refuses((sc_text){text, BYTES}, SCRIM_E_LIMIT);
    text[1] = '/';
    refuses((sc_text){text, BYTES}, SCRIM_E_LIMIT);
    text[1] = '^';
    refuses((sc_text){text, BYTES}, SCRIM_E_LIMIT);
    text[1] = 'e';
    refuses((sc_text){text, BYTES}, SCRIM_E_LIMIT);
    text[BYTES - 1] = 'x';
    refuses((sc_text){text, BYTES}, SCRIM_E_SYNTAX);
    /* A megabyte of zeros in front of a 7 is a 7. */
    memset(text, '0', BYTES);
    text[BYTES - 1] = '7';
    sc_ratio x;
    sc_ratio_init(&x);
    CHECK_STATUS(sc_ratio_parse((sc_text){text, BYTES}, &x, NULL), SCRIM_OK);
    CHECK(sc_ratio_compare_int64(&x, 7) == 0);
    sc_ratio_clear(&x);
    free(text);
}

/* Writing. */

TEST(ratio_prints_decimals_to_twenty_places)
{
    static const struct {
        const char *text, *print;
    } cases[] = {
        {"1e-20", "0.00000000000000000001"},
        {"1e-21", "1/1000000000000000000000"},
        {"2^-20", "0.00000095367431640625"},
        {"2^-21", "1/2097152"},
        {"-7e-20", "-0.00000000000000000007"},
        {"123456789.00000000000000000001", "123456789.00000000000000000001"},
        {"1e30", "1000000000000000000000000000000"},
        {"5^-20", "0.00000000000001048576"},
        {"1/7", "1/7"},
        {"3/40", "0.075"},
        {"1/30", "1/30"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char print[SC_RATIO_TEXT_BYTES];
        sc_ratio x;
        sc_ratio_init(&x);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(cases[i].text), &x, NULL), SCRIM_OK);
        CHECK_INT(sc_ratio_format(&x, print, sizeof print), strlen(cases[i].print));
        CHECK_STR(print, cases[i].print);
        sc_ratio_clear(&x);
    }
}

TEST(ratio_format_cuts_as_snprintf_does)
{
    sc_ratio x;
    sc_ratio_init(&x);
    REQUIRE_OK(sc_ratio_parse(sc_text_of("-1234.5"), &x, NULL));
    for (size_t capacity = 0; capacity < 12; capacity++) {
        char text[16];
        memset(text, '#', sizeof text);
        CHECK_INT(sc_ratio_format(&x, capacity > 0 ? text : NULL, capacity), 7);
        const size_t kept = capacity == 0 ? 0 : capacity - 1 < 7 ? capacity - 1 : 7;
        CHECK_BYTES(text, "-1234.5", kept);
        if (capacity > 0)
            CHECK_INT(text[kept], '\0');
        CHECK_INT(text[capacity], '#');
    }
    sc_ratio_clear(&x);
}

/* Round trip. */

static uint64_t draw(uint64_t *counter)
{
    static const sc_hash_key stream = {3, 4};
    const uint64_t at[2] = {check_seed(), (*counter)++};
    return sc_hash(&stream, at, sizeof at);
}

/* An integer of 1 to bits bits. */
static void draw_integer(sc_integer *out, unsigned bits, uint64_t *counter)
{
    uint64_t words[SC_RATIO_BITS / 64];
    const size_t size = 1 + draw(counter) % bits;
    for (size_t i = 0; i < COUNT(words); i++)
        words[i] = draw(counter);
    sc_integer_set_words(out, words, (size + 63) / 64);
    mpz_tdiv_r_2exp(out->z, out->z, size);
    mpz_setbit(out->z, size - 1);
}

static void round_trips(const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio back;
    sc_ratio_init(&back);
    const size_t length = sc_ratio_format(x, text, sizeof text);
    CHECK(length < sizeof text);
    CHECK_INT(strlen(text), length);
    if (CHECK_STATUS(sc_ratio_parse(sc_text_of(text), &back, NULL), SCRIM_OK))
        CHECK(sc_ratio_compare(x, &back) == 0);
    sc_ratio_clear(&back);
}

TEST(ratio_parses_what_it_prints)
{
    uint64_t counter = 0;
    sc_integer n, d;
    sc_ratio x;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_ratio_init(&x);
    for (uint64_t i = 0; i < check_count(6000, 600000); i++) {
        const unsigned bits = i % 100 == 0 ? SC_RATIO_BITS : i % 2 == 0 ? 64 : 300;
        draw_integer(&n, bits, &counter);
        draw_integer(&d, bits, &counter);
        if (draw(&counter) % 2 == 0)
            mpz_neg(n.z, n.z);
        if (i % 3 == 0) { /* a denominator of twos and fives */
            mpz_ui_pow_ui(d.z, 5, draw(&counter) % 24);
            mpz_mul_2exp(d.z, d.z, draw(&counter) % 24);
        }
        sc_ratio_set_fraction(&x, &n, &d);
        round_trips(&x);
    }
    sc_ratio_clear(&x);
    sc_integer_clear(&d);
    sc_integer_clear(&n);
}

/* Random text over the alphabet of numbers, against a second reader that GMP does the
 * work of. */
TEST(ratio_agrees_with_gmp_on_fractions)
{
    uint64_t counter = 0;
    sc_ratio x;
    mpq_t want;
    sc_ratio_init(&x);
    mpq_init(want);
    for (uint64_t i = 0; i < check_count(20000, 2000000); i++) {
        static const char alphabet[] = "0123456789012345678901234567890/-";
        char text[12];
        const size_t length = 1 + draw(&counter) % (sizeof text - 1);
        for (size_t at = 0; at < length; at++)
            text[at] = alphabet[draw(&counter) % (sizeof alphabet - 1)];
        text[length] = '\0';
        const char *line = strchr(text, '/');
        /* GMP takes a sign below the line, and does not mind a zero there; we do. */
        const bool good = mpq_set_str(want, text, 10) == 0 &&
                          strrchr(text, '-') <= text && mpz_sgn(mpq_denref(want)) != 0 &&
                          (line == NULL || line[1] != '-');
        CHECK((sc_ratio_parse(sc_text_of(text), &x, NULL) == SCRIM_OK) == good);
        if (good) {
            mpq_canonicalize(want);
            CHECK(mpq_equal(x.q, want) != 0);
        }
    }
    mpq_clear(want);
    sc_ratio_clear(&x);
}
