#include "check.h"
#include "data/value/number_text.h"
#include "random/bits_tape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void check_text(sc_text text, const char *want)
{
    if (!CHECK(sc_text_is(text, want)))
        CHECK_FAIL("the text is \"%.*s\", not \"%s\"", (int)text.bytes, text.start, want);
}

static void check_number(bool is_negative, sc_uint128 digits, int exponent,
                         const char *want)
{
    char room[SC_NUMBER_TEXT_BYTES];
    check_text(sc_number_text(is_negative, digits, exponent, room), want);
}

TEST(A101_number_texts_do_not_show_a_type)
{
    CLAIM("number-text.one");
    check_number(false, 5, 0, "5");
    check_number(false, 50, -1, "5");
    check_number(false, 500000000000000000, -17, "5");
    check_number(true, 0, 0, "0");
    check_number(true, 0, 60, "0");
    check_number(true, 15, -1, "-1.5");
    check_number(false, 5, -3, "0.005");
    check_number(true, 5, -1, "-0.5");
    check_number(false, 1, 38, "100000000000000000000000000000000000000");
    check_number(false, 1000, 36, "1e39");
    check_number(true, 1, 39, "-1e39");
    check_number(false, 1, -38, "0.00000000000000000000000000000000000001");
    check_number(false, 10, -40, "1e-39");
    /* The longest. */
    check_number(true, (sc_uint128)SC_INT128_MAX, 38,
                 "-170141183460469231731687303715884105727"
                 "00000000000000000000000000000000000000");
    check_number(true, (sc_uint128)SC_INT128_MAX, INT32_MAX,
                 "-170141183460469231731687303715884105727e2147483647");
    char room[SC_WHOLE_TEXT_BYTES];
    check_text(sc_whole_text(INT64_MIN, room), "-9223372036854775808");
    check_text(sc_whole_text(UINT64_MAX, room), "18446744073709551615");
}

/* Whole numbers that a double has exactly are written as integers are, and all doubles are read back. */
TEST(number_texts_are_read_back)
{
    CLAIM("number-text.one");
    sc_tape *tape = NULL;
    const size_t count = check_count(5000, 500000);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < count; i++) {
        char room[SC_NUMBER_TEXT_BYTES], whole[SC_WHOLE_TEXT_BYTES], copy[128];
        uint64_t word = 0;
        sc_text text;
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
        const int64_t value = (int64_t)word >> (11 + word % 50);
        REQUIRE(sc_double_text(bits_of((double)value), room, &text));
        const sc_text same = sc_whole_text(value, whole);
        if (!sc_text_equal(text, same))
            CHECK_FAIL("%" PRId64 " is \"%.*s\"", value, (int)text.bytes, text.start);
        if (!sc_double_text(word, room, &text))
            continue; /* NaN or infinity */
        snprintf(copy, sizeof copy, "%.*s", (int)text.bytes, text.start);
        if (bits_of(strtod(copy, NULL)) != word && word << 1 != 0)
            CHECK_FAIL("%016" PRIx64 " is \"%s\"", word, copy);
    }
    sc_tape_free(tape);
    char room[SC_NUMBER_TEXT_BYTES];
    sc_text text = {"as it was", 9};
    CHECK(!sc_double_text(bits_of(strtod("inf", NULL)), room, &text));
    CHECK(!sc_double_text(bits_of(strtod("nan", NULL)), room, &text));
    check_text(text, "as it was");
}
