#include "sampling/uniform_wide.h"

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
