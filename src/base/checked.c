#include "base/checked.h"

#include <string.h>

/* The builtins store the wrapped result even when it does not fit; ours leave the output
 * alone, hence the detour through a local. */

bool sc_size_add(size_t a, size_t b, size_t *out)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

bool sc_size_mul(size_t a, size_t b, size_t *out)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *out = product;
    return true;
}

size_t sc_size_power(size_t base, size_t exponent)
{
    size_t power = 1;
    for (size_t i = 0; base > 1 && i < exponent; i++)
        if (!sc_size_mul(power, base, &power))
            return SIZE_MAX;
    return base == 0 && exponent > 0 ? 0 : power;
}

bool sc_int64_add(int64_t a, int64_t b, int64_t *out)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

bool sc_int64_mul(int64_t a, int64_t b, int64_t *out)
{
    int64_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *out = product;
    return true;
}

bool sc_uint64_add(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

bool sc_uint64_mul(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *out = product;
    return true;
}

bool sc_int128_add(sc_int128 a, sc_int128 b, sc_int128 *out)
{
    sc_int128 sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

bool sc_int128_sub(sc_int128 a, sc_int128 b, sc_int128 *out)
{
    sc_int128 difference;
    if (__builtin_sub_overflow(a, b, &difference))
        return false;
    *out = difference;
    return true;
}

static sc_uint128 magnitude(sc_int128 value)
{
    return value < 0 ? -(sc_uint128)value : (sc_uint128)value;
}

/* By hand: clang turns the builtin for 128 bits into a call that libgcc does not have. */
bool sc_int128_mul(sc_int128 a, sc_int128 b, sc_int128 *out)
{
    const sc_uint128 x = magnitude(a), y = magnitude(b);
    const uint64_t x_high = (uint64_t)(x >> 64), y_high = (uint64_t)(y >> 64);
    if (x_high != 0 && y_high != 0)
        return false;
    /* At most one of the two terms is not 0, so their sum cannot overflow. */
    const sc_uint128 cross =
        (sc_uint128)x_high * (uint64_t)y + (sc_uint128)(uint64_t)x * y_high;
    if (cross >> 64 != 0)
        return false;
    const sc_uint128 low = (sc_uint128)(uint64_t)x * (uint64_t)y;
    const sc_uint128 product = low + (cross << 64);
    const bool negative = (a < 0) != (b < 0);
    const sc_uint128 most = (sc_uint128)SC_INT128_MAX + (negative ? 1u : 0u);
    if (product < low || product > most)
        return false;
    *out = (sc_int128)(negative ? -product : product);
    return true;
}

bool sc_int128_to_int64(sc_int128 wide, int64_t *out)
{
    if (wide < INT64_MIN || wide > INT64_MAX)
        return false;
    *out = (int64_t)wide;
    return true;
}

size_t sc_int128_format(sc_int128 value, char text[SC_INT128_BYTES])
{
    char digits[SC_INT128_BYTES];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    sc_uint128 rest = magnitude(value);
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest != 0);
    if (value < 0)
        digits[--at] = '-';
    memcpy(text, digits + at, sizeof digits - at);
    return sizeof digits - at - 1;
}
