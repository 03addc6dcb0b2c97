#include "check.h"
#include "data/value/decimal_value.h"
#include "data/value/field.h"
#include "random/bits_tape.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void write_shortest(const sc_shortest *x, char text[64])
{
    snprintf(text, 64, "%s%" PRIu64 "e%d", x->is_negative ? "-" : "", x->digits,
             x->exponent);
}

/* By the C library: the fewest digits that are read back as the same number, and of those the
 * nearest. */
static unsigned write_library(double x, char text[64])
{
    unsigned digits = 1;
    do
        snprintf(text, 64, "%.*e", (int)digits - 1, x);
    while (bits_of(strtod(text, NULL)) != bits_of(x) && digits++ < 17);
    return digits;
}

/* Without zeros at the end. */
static void strip(sc_shortest *x)
{
    for (; x->digits > 0 && x->digits % 10 == 0; x->exponent++)
        x->digits /= 10;
}

static unsigned count_digits(uint64_t digits)
{
    unsigned count = 1;
    for (; digits >= 10; digits /= 10)
        count++;
    return count;
}

static void check_double(uint64_t bits)
{
    const double x = double_of(bits);
    char ours[64], theirs[64];
    sc_shortest found, plain;
    if (!CHECK(sc_shortest_of_double(bits, &found)) ||
        !CHECK(sc_shortest_of_double_plain(bits, &plain)))
        return;
    const unsigned digits = write_library(x, theirs);
    strip(&found);
    strip(&plain);
    write_shortest(&found, ours);
    sc_shortest nearest = {.digits = 0};
    for (const char *at = theirs; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9')
            nearest.digits = 10 * nearest.digits + (uint64_t)(*at - '0');
    strip(&nearest);
    /* Next to a power of 2 one digit less may do that is not the nearest. */
    const unsigned own = count_digits(found.digits);
    if (bits_of(strtod(ours, NULL)) != bits || own > digits ||
        (own == count_digits(nearest.digits) && found.digits != nearest.digits))
        CHECK_FAIL("%a is %s, not %s", x, ours, theirs);
    if (found.digits != plain.digits || found.is_negative != plain.is_negative ||
        (x != 0 && found.exponent != plain.exponent))
        CHECK_FAIL("%a is %s, by the plain way %" PRIu64 "e%d", x, ours, plain.digits,
                   plain.exponent);
}

TEST(shortest_finds_known_decimals)
{
    CLAIM("shortest.exact");
    static const struct {
        double x;
        uint64_t digits;
        int exponent;
    } known[] = {{0.1, 1, -1},
                 {0.3, 3, -1},
                 {0.015, 15, -3},
                 {5e-324, 5, -324},
                 {9007199254740993.0, 9007199254740992, 0},
                 {1e23, 1, 23},
                 {2.5, 25, -1},
                 {123456789, 123456789, 0},
                 {1.7976931348623157e308, 17976931348623157, 292}};
    for (size_t i = 0; i < COUNT(known); i++) {
        sc_shortest x;
        REQUIRE(sc_shortest_of_double(bits_of(known[i].x), &x));
        CHECK_INT(x.digits, known[i].digits);
        CHECK_INT(x.exponent, known[i].exponent);
    }
    sc_shortest x;
    CHECK(!sc_shortest_of_double(bits_of((double)NAN), &x));
    CHECK(!sc_shortest_of_double(bits_of((double)INFINITY), &x));
    CHECK(!sc_shortest_of_single(0x7f800000, &x) && !sc_shortest_of_half(0xfc00, &x));
    CHECK(sc_shortest_of_double(bits_of(-0.0), &x) && x.digits == 0);
    /* 0.1 in its own width. */
    CHECK(sc_shortest_of_single(0x3dcccccd, &x) && x.digits == 1 && x.exponent == -1);
    CHECK(sc_shortest_of_half(0x2e66, &x) && x.digits == 1 && x.exponent == -1);
}

TEST(shortest_agrees_with_the_library)
{
    CLAIM("shortest.exact");
    CLAIM("shortest.twins");
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t count = check_count(2000, 200000);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = 0;
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
        const double decimal = (double)(int64_t)(word >> 40) / 1000;
        const uint64_t bits = i % 4 == 0   ? word & ~(UINT64_C(1) << 62) /* any */
                              : i % 4 == 1 ? bits_of(decimal)
                              : i % 4 == 2 ? bits_of(ldexp((double)(word >> 12), -60))
                                           : word >> 52 << 52; /* powers of 2 */
        if (isfinite(double_of(bits)))
            check_double(bits);
    }
    for (uint32_t half = 0; half < 0x7c00; half += check_every(7)) {
        sc_shortest x;
        char text[64];
        REQUIRE(sc_shortest_of_half((uint16_t)half, &x));
        write_shortest(&x, text);
        /* The nearest half of the decimal is the one it was made of. */
        const double exact = half < 0x400
                                 ? ldexp(half, -24)
                                 : ldexp((half & 0x3ff) | 0x400, (int)(half >> 10) - 25),
                     ulp =
                         half < 0x800 ? ldexp(1, -24) : ldexp(1, (int)(half >> 10) - 25);
        const double away = strtod(text, NULL) - exact;
        CHECK(away <= ulp / 2 && away >= -ulp / 2);
    }
    sc_tape_free(tape);
}

static const char *const types[] = {"int[-1000,1000]",
                                    "int[-4611686018427387904,4611686018427387904]",
                                    "decimal[-100,100]",
                                    "decimal[0,1]/1e-9",
                                    "decimal[-1,1]/2^-10",
                                    "decimal[-1e12,1e12]/1000",
                                    "decimal[-1e-18,1e-18]/1e-20",
                                    "decimal[-1024,1024]/8"};

/* The text, read by the plain way, has the same place. */
static void check_text(const sc_column *column, const char *text, int64_t place)
{
    int64_t want;
    if (!CHECK(sc_field_read_plain(column, sc_text_of(text), &want)) || place != want)
        CHECK_FAIL("%s: %" PRId64 ", as a text %" PRId64, text, place, want);
}

static void check_decimal(const sc_column *column, bool is_negative, uint64_t digits,
                          int exponent)
{
    char text[64];
    snprintf(text, sizeof text, "%s%" PRIu64 "e%d", is_negative ? "-" : "", digits,
             exponent);
    check_text(column, text,
               sc_decimal_place(&column->grid, is_negative, digits, exponent));
}

/* Texts of the fewest digits, by the C library. */
static void check_floats(const sc_column *column, double x)
{
    char text[64];
    uint64_t bits;
    uint32_t single;
    int64_t place = 7;
    const float narrow = (float)x;
    memcpy(&bits, &x, sizeof bits);
    memcpy(&single, &narrow, sizeof single);
    for (int digits = 0; digits < 18; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    if (CHECK(sc_decimal_place_of_double(&column->grid, bits, &place)))
        check_text(column, text, place);
    for (int digits = 0; digits < 10; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, (double)narrow);
        if (strtof(text, NULL) == narrow)
            break;
    }
    if (isfinite(narrow) &&
        CHECK(sc_decimal_place_of_single(&column->grid, single, &place)))
        check_text(column, text, place);
}

SLOW_TEST(decimal_places_are_those_of_texts)
{
    CLAIM("decimal-place.exact");
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t count = check_count(1000, 100000);
    for (size_t t = 0; t < COUNT(types); t++) {
        sc_column column = {.type = SC_COLUMN_TEXT};
        REQUIRE_OK(sc_column_set_type(&column, sc_text_of(types[t]), NULL));
        for (uint64_t i = 0; i < count; i++) {
            uint64_t word = 0, more = 0;
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &more, NULL));
            const uint64_t digits = word >> (more % 64);
            check_decimal(&column, more >> 63 != 0, digits / 5 * 5,
                          (int)(more >> 8 & 63) - 32);
            check_decimal(&column, more >> 63 != 0, digits, (int)(more >> 8 & 7) - 7);
            const double sign = more >> 63 != 0 ? -1 : 1;
            check_floats(&column, sign * (double)(digits % 1000003) / 1000);
            check_floats(&column, sign * (double)digits);
            check_floats(&column, ldexp(sign * (double)(word >> 11),
                                        (int)(more >> 8 & 127) - 100));
        }
        for (int e = -330; e < 300; e += 11)
            check_floats(&column, pow(10, e) * 1.25);
        check_floats(&column, 0.015);
        check_floats(&column, -0.005);
        int64_t place = 7;
        uint64_t nan = UINT64_C(0x7ff8000000000000), infinity = UINT64_C(0x7ff) << 52;
        CHECK(!sc_decimal_place_of_double(&column.grid, nan, &place));
        CHECK(!sc_decimal_place_of_double(&column.grid, infinity, &place));
        CHECK(!sc_decimal_place_of_half(&column.grid, 0x7c00, &place));
        CHECK_INT(place, 7);
        CHECK(sc_decimal_place_of_half(&column.grid, 0x3c00, &place));
        check_text(&column, "1", place);
    }
    sc_tape_free(tape);
}
