#include "sampling/uniform.h"

#define WORDS_MAX (4 * SC_RATIO_BITS / 64)

scrim_status sc_uniform_128(sc_bits *bits, sc_uint128 n, sc_uint128 *out,
                            scrim_error *error)
{
    unsigned width = sc_bit_length128(n - 1);
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        uint64_t low = 0, high = 0;
        scrim_status status = sc_bits_take(bits, width < 64 ? width : 64, &low, error);
        if (status == SCRIM_OK && width > 64)
            status = sc_bits_take(bits, width - 64, &high, error);
        if (status != SCRIM_OK)
            return status;
        sc_uint128 value = (sc_uint128)high << 64 | low;
        if (value < n) {
            *out = value;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

/* width random bits as an integer. */
static scrim_status take_integer(sc_bits *bits, size_t width, sc_integer *out,
                                 scrim_error *error)
{
    uint64_t words[WORDS_MAX];
    size_t count = 0;
    for (size_t left = width; left > 0; count++) {
        unsigned part = left < 64 ? (unsigned)left : 64;
        scrim_status status = sc_bits_take(bits, part, &words[count], error);
        if (status != SCRIM_OK)
            return status;
        left -= part;
    }
    sc_integer_set_words(out, words, count);
    return SCRIM_OK;
}

scrim_status sc_uniform_integer(sc_bits *bits, const sc_integer *n, sc_integer *out,
                                scrim_error *error)
{
    SC_OWN(sc_integer, last, value);
    sc_integer_set_int128(&last, 1);
    sc_integer_sub(&last, n, &last);
    size_t width = sc_integer_bits(&last);
    scrim_status status = SCRIM_OK;
    if (width > (size_t)WORDS_MAX * 64)
        status = sc_fail(error, SCRIM_E_INTERNAL, "a uniform draw is too wide");
    unsigned turn = 0;
    for (; status == SCRIM_OK && turn < SC_BITS_PATIENCE; turn++) {
        status = take_integer(bits, width, &value, error);
        if (status == SCRIM_OK && sc_integer_compare(&value, n) < 0) {
            sc_integer_set(out, &value);
            break;
        }
    }
    if (turn == SC_BITS_PATIENCE)
        status = sc_bits_broken(error);
    return status;
}

scrim_status sc_uniform_fast(sc_bits *bits, uint64_t n, uint64_t *out, scrim_error *error)
{
    uint64_t uneven = 0; /* 2^64 mod n, computed only when a product falls below n */
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        uint64_t word = 0;
        scrim_status status = sc_bits_word(bits, &word, error);
        if (status != SCRIM_OK)
            return status;
        sc_uint128 product = (sc_uint128)word * n;
        uint64_t low = (uint64_t)product;
        if (low < n && uneven == 0)
            uneven = (0 - n) % n;
        if (low >= uneven) {
            *out = (uint64_t)(product >> 64);
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

/* The product of two integers, in two halves. */
typedef struct product {
    sc_uint128 high, low;
} product;

static product multiply(sc_uint128 a, sc_uint128 b)
{
    const uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64);
    const uint64_t b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    const sc_uint128 low = (sc_uint128)a0 * b0, high = (sc_uint128)a1 * b1;
    const sc_uint128 left = (sc_uint128)a0 * b1, right = (sc_uint128)a1 * b0;
    const sc_uint128 middle = (low >> 64) + (uint64_t)left + (uint64_t)right;
    return (product){.high = high + (left >> 64) + (right >> 64) + (middle >> 64),
                     .low = middle << 64 | (uint64_t)low};
}

scrim_status sc_uniform_wide(sc_bits *bits, sc_uint128 n, sc_uint128 *out,
                             scrim_error *error)
{
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        uint64_t low = 0, high = 0;
        scrim_status status = sc_bits_word(bits, &low, error);
        if (status == SCRIM_OK)
            status = sc_bits_word(bits, &high, error);
        if (status != SCRIM_OK)
            return status;
        const product p = multiply((sc_uint128)high << 64 | low, n);
        /* 2^128 mod n is below n: the division is for the few that are. */
        if (p.low >= n || p.low >= (0 - n) % n) {
            *out = p.high;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}
