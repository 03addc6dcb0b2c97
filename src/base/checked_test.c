#include "base/checked.h"
#include "base/hash.h"
#include "check.h"

#include <gmp.h>
#include <string.h>

static const sc_hash_key stream = {1, 2};

/* Numbers that tests of arithmetic want: of all sizes, many at the edges. */
static sc_int128 draw(uint64_t *counter)
{
    uint64_t words[3];
    for (size_t i = 0; i < COUNT(words); i++) {
        const uint64_t at[2] = {check_seed(), (*counter)++};
        words[i] = sc_hash(&stream, at, sizeof at);
    }
    const sc_uint128 value = (sc_uint128)words[0] << 64 | words[1];
    const sc_int128 small = (sc_int128)(words[1] % 5) - 2;
    switch (words[2] % 8) {
    case 0:
        return SC_INT128_MAX - (small + 2);
    case 1:
        return SC_INT128_MIN + (small + 2);
    case 2: /* around a power of two */
        return (sc_int128)((sc_uint128)1 << (words[2] >> 8) % 127) + small;
    case 3:
        return -(sc_int128)((sc_uint128)1 << (words[2] >> 8) % 127) + small;
    default:
        return (sc_int128)(value >> (words[2] >> 8) % 128);
    }
}

/* The exact value, by another road. */
static void set_exact(mpz_t out, sc_int128 value)
{
    mpz_set_si(out, (long)(value >> 64)); /* floor(value / 2^64) */
    mpz_mul_2exp(out, out, 64);
    mpz_add_ui(out, out, (unsigned long)(uint64_t)value);
}

static bool fits(const mpz_t exact)
{
    mpz_t low, high;
    mpz_init(low);
    mpz_init(high);
    set_exact(low, SC_INT128_MIN);
    set_exact(high, SC_INT128_MAX);
    const bool inside = mpz_cmp(exact, low) >= 0 && mpz_cmp(exact, high) <= 0;
    mpz_clear(high);
    mpz_clear(low);
    return inside;
}

typedef bool operation128(sc_int128 a, sc_int128 b, sc_int128 *out);

static void agrees(operation128 *ours, void (*exact)(mpz_t, const mpz_t, const mpz_t),
                   sc_int128 a, sc_int128 b)
{
    const sc_int128 untouched = 12345;
    sc_int128 got = untouched;
    mpz_t x, y, z;
    mpz_inits(x, y, z, NULL);
    set_exact(x, a);
    set_exact(y, b);
    exact(z, x, y);
    const bool held = ours(a, b, &got);
    CHECK(held == fits(z));
    if (held) {
        set_exact(x, got);
        CHECK(mpz_cmp(x, z) == 0);
    } else {
        CHECK_INT(got, untouched);
    }
    mpz_clears(x, y, z, NULL);
}

static void exact_add(mpz_t out, const mpz_t a, const mpz_t b)
{
    mpz_add(out, a, b);
}

static void exact_sub(mpz_t out, const mpz_t a, const mpz_t b)
{
    mpz_sub(out, a, b);
}

static void exact_mul(mpz_t out, const mpz_t a, const mpz_t b)
{
    mpz_mul(out, a, b);
}

TEST(checked_128_agrees_with_exact_integers)
{
    uint64_t counter = 0;
    for (uint64_t i = 0; i < check_count(50000, 5000000); i++) {
        const sc_int128 a = draw(&counter), b = draw(&counter);
        agrees(sc_int128_add, exact_add, a, b);
        agrees(sc_int128_sub, exact_sub, a, b);
        agrees(sc_int128_mul, exact_mul, a, b);
    }
}

TEST(checked_128_multiplies_up_to_the_last_value)
{
    sc_int128 out;
    REQUIRE(sc_int128_mul(SC_INT128_MIN, 1, &out));
    CHECK_INT(out, SC_INT128_MIN);
    REQUIRE(sc_int128_mul((sc_int128)1 << 126, -2, &out));
    CHECK_INT(out, SC_INT128_MIN);
    CHECK(!sc_int128_mul(SC_INT128_MIN, -1, &out));
    CHECK(!sc_int128_mul((sc_int128)1 << 126, 2, &out));
    CHECK(!sc_int128_mul((sc_int128)1 << 64, (sc_int128)1 << 64, &out));
    REQUIRE(sc_int128_mul(SC_INT128_MIN, 0, &out));
    CHECK_INT(out, 0);
    CHECK(!sc_int128_sub(0, SC_INT128_MIN, &out));
    CHECK(!sc_int128_add(SC_INT128_MAX, 1, &out));
}

static const int64_t edges[] = {INT64_MIN,
                                INT64_MIN + 1,
                                INT64_MIN / 2 - 1,
                                INT64_MIN / 2,
                                -INT64_C(3037000500),
                                -3,
                                -2,
                                -1,
                                0,
                                1,
                                2,
                                3,
                                INT64_C(3037000499),
                                INT64_C(3037000500),
                                INT64_MAX / 2,
                                INT64_MAX / 2 + 1,
                                INT64_MAX - 1,
                                INT64_MAX};

static void check_narrow(bool held, int64_t got, sc_int128 want)
{
    const bool inside = want >= INT64_MIN && want <= INT64_MAX;
    CHECK(held == inside);
    CHECK_INT(got, inside ? want : 77);
}

TEST(checked_64_agrees_with_128_bits)
{
    for (size_t i = 0; i < COUNT(edges); i++)
        for (size_t j = 0; j < COUNT(edges); j++) {
            const int64_t a = edges[i], b = edges[j];
            int64_t got = 77;
            bool held = sc_int64_add(a, b, &got);
            check_narrow(held, got, (sc_int128)a + b);
            got = 77;
            held = sc_int64_mul(a, b, &got);
            check_narrow(held, got, (sc_int128)a * b);
        }
}

static void check_unsigned(bool held, uint64_t got, sc_uint128 want)
{
    CHECK(held == (want <= UINT64_MAX));
    CHECK(got == (want <= UINT64_MAX ? (uint64_t)want : 77));
}

TEST(checked_unsigned_agrees_with_128_bits)
{
    for (size_t i = 0; i < COUNT(edges); i++)
        for (size_t j = 0; j < COUNT(edges); j++) {
            const uint64_t a = (uint64_t)edges[i], b = (uint64_t)edges[j];
            uint64_t got = 77;
            bool held = sc_uint64_add(a, b, &got);
            check_unsigned(held, got, (sc_uint128)a + b);
            got = 77;
            held = sc_uint64_mul(a, b, &got);
            check_unsigned(held, got, (sc_uint128)a * b);
            size_t size = 77;
            held = sc_size_add(a, b, &size);
            check_unsigned(held, size, (sc_uint128)a + b);
            size = 77;
            held = sc_size_mul(a, b, &size);
            check_unsigned(held, size, (sc_uint128)a * b);
        }
}

TEST(checked_power_is_exact_or_the_largest)
{
    static const struct {
        size_t base, exponent, want;
    } list[] = {{0, 0, 1},
                {0, 9, 0},
                {1, SIZE_MAX, 1},
                {7, 0, 1},
                {7, 1, 7},
                {7, 3, 343},
                {2, 63, (size_t)1 << 63},
                {2, 64, SIZE_MAX},
                {3, 40, 12157665459056928801u},
                {3, 41, SIZE_MAX},
                {SIZE_MAX, SIZE_MAX, SIZE_MAX}};
    for (size_t i = 0; i < COUNT(list); i++)
        CHECK_INT(sc_size_power(list[i].base, list[i].exponent), list[i].want);
}

TEST(checked_narrows_what_fits)
{
    int64_t out = 77;
    CHECK(!sc_int128_to_int64((sc_int128)INT64_MAX + 1, &out));
    CHECK(!sc_int128_to_int64((sc_int128)INT64_MIN - 1, &out));
    CHECK(!sc_int128_to_int64((sc_int128)1 << 64, &out));
    CHECK_INT(out, 77);
    for (size_t i = 0; i < COUNT(edges); i++) {
        CHECK(sc_int128_to_int64(edges[i], &out));
        CHECK_INT(out, edges[i]);
    }
}

TEST(checked_counts_bits)
{
    CHECK_INT(sc_bit_length64(0), 0);
    CHECK_INT(sc_bit_length128(0), 0);
    for (unsigned bits = 1; bits <= 128; bits++) {
        const sc_uint128 top = (sc_uint128)1 << (bits - 1);
        CHECK_INT(sc_bit_length128(top), bits);
        CHECK_INT(sc_bit_length128(top | (top - 1)), bits);
        if (bits <= 64)
            CHECK_INT(sc_bit_length64((uint64_t)top), bits);
    }
}

TEST(checked_formats_128_bits)
{
    static const struct {
        sc_int128 value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {7, "7"},
        {-7, "-7"},
        {10, "10"},
        {INT64_MIN, "-9223372036854775808"},
        {(sc_int128)UINT64_MAX + 1, "18446744073709551616"},
        {SC_INT128_MAX, "170141183460469231731687303715884105727"},
        {SC_INT128_MIN, "-170141183460469231731687303715884105728"},
    };
    char text[SC_INT128_BYTES];
    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK_INT(sc_int128_format(cases[i].value, text), strlen(cases[i].text));
        CHECK_STR(text, cases[i].text);
    }
    uint64_t counter = 0;
    mpz_t exact;
    mpz_init(exact);
    for (uint64_t i = 0; i < check_count(10000, 1000000); i++) {
        char want[SC_INT128_BYTES + 4];
        const sc_int128 value = draw(&counter);
        set_exact(exact, value);
        mpz_get_str(want, 10, exact);
        CHECK_INT(sc_int128_format(value, text), strlen(want));
        CHECK_STR(text, want);
    }
    mpz_clear(exact);
}
