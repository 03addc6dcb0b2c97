#include "check.h"
#include "data/value/decimal_place.h"
#include "data/value/field.h"
#include "random/bits_tape.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

TEST(decimal_places_are_those_of_texts)
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
