/* Integers that report overflow, and the one spelling of 128-bit integers.
 *
 * Each sc_..._add/_sub/_mul returns true when the exact result fits and has been stored, and
 * false, with the output untouched, when it does not.
 */
#ifndef SC_BASE_CHECKED_H
#define SC_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 sc_int128;
__extension__ typedef unsigned __int128 sc_uint128;

#define SC_INT128_MAX ((sc_int128)(~(sc_uint128)0 >> 1))
#define SC_INT128_MIN (-SC_INT128_MAX - 1)

bool sc_size_add(size_t a, size_t b, size_t *out);
bool sc_size_mul(size_t a, size_t b, size_t *out);
/* base^exponent, or SIZE_MAX where that does not fit. */
size_t sc_size_power(size_t base, size_t exponent);
bool sc_int64_add(int64_t a, int64_t b, int64_t *out);
bool sc_int64_mul(int64_t a, int64_t b, int64_t *out);
bool sc_uint64_add(uint64_t a, uint64_t b, uint64_t *out);
bool sc_uint64_mul(uint64_t a, uint64_t b, uint64_t *out);
bool sc_int128_add(sc_int128 a, sc_int128 b, sc_int128 *out);
bool sc_int128_sub(sc_int128 a, sc_int128 b, sc_int128 *out);
bool sc_int128_mul(sc_int128 a, sc_int128 b, sc_int128 *out);
/* True, with the narrow value stored, when the wide one fits. */
bool sc_int128_to_int64(sc_int128 wide, int64_t *out);

/* The number of bits of value: 0 for 0, 1 for 1, 64 for 2^64 - 1. */
static inline unsigned sc_bit_length64(uint64_t value)
{
    return value == 0 ? 0 : 64u - (unsigned)__builtin_clzll(value);
}
static inline unsigned sc_bit_length128(sc_uint128 value)
{
    const uint64_t high = (uint64_t)(value >> 64);
    return high != 0 ? 64u + sc_bit_length64(high) : sc_bit_length64((uint64_t)value);
}

/* Room for a 128-bit integer as decimal text with its terminator. */
#define SC_INT128_BYTES 41
/* Writes decimal text; returns the number of characters before the terminator. */
size_t sc_int128_format(sc_int128 value, char text[SC_INT128_BYTES]);

/* The order of 64-bit integers, for qsort and bsearch. */

static inline int sc_int64_order(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static inline int sc_uint64_order(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

#endif
