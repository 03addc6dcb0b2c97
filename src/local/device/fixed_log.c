#include "local/device/fixed_log.h"

#include "local/device/integers.h"

#define LOG_DIGITS 56

/* ln 2 in parts of 2^64, rounded down. */
#define LN_2 UINT64_C(0xB17217F7D1CF79AB)

/* The square of m/2^63, 1 <= m/2^63 < 2, halved where it is 2 or more: that is the digit. With up = 1 it
 * is rounded up. */
static uint32_t square(uint64_t *m, uint32_t up)
{
    const sl_wide product = sl_multiply(*m, *m);
    if (product.high >> 63 != 0) {
        *m = product.high + (product.low != 0 ? up : 0);
        return 1;
    }
    *m = (product.high << 1 | product.low >> 63) + (product.low << 1 != 0 ? up : 0);
    if (*m != 0)
        return 0;
    *m = (uint64_t)1 << 63;
    return 1;
}

/* log2(n) in parts of 2^LOG_DIGITS, n >= 1: at most, or, with up = 1, at least. The error of a squaring
 * counts for less with each digit, so that all of them together are below 2^-61. */
static uint64_t log2_bound(uint64_t n, uint32_t up)
{
    uint32_t whole = 63;
    for (; n >> 63 == 0; n <<= 1)
        whole--;
    uint64_t result = whole;
    const uint32_t exact = n << 1 == 0;
    for (uint32_t i = 0; i < LOG_DIGITS; i++)
        result = result << 1 | square(&n, up);
    return result + (exact ? 0 : up);
}

/* digits * ln 2 / 2^(LOG_DIGITS - 32), rounded as said. */
static uint64_t nats(uint64_t digits, uint32_t up)
{
    const sl_wide product = sl_multiply(digits, LN_2 + up);
    const uint64_t kept = product.high + (product.low != 0 ? up : 0);
    const uint32_t cut = LOG_DIGITS - 32;
    return (kept >> cut) + ((kept & (((uint64_t)1 << cut) - 1)) != 0 ? up : 0);
}

uint64_t sl_log_upper(uint64_t over, uint64_t under)
{
    return over == under ? 0 : nats(log2_bound(over, 1) - log2_bound(under, 0), 1);
}

uint64_t sl_log_lower(uint64_t over, uint64_t under)
{
    const uint64_t least = log2_bound(over, 0), most = log2_bound(under, 1);
    return least > most ? nats(least - most, 0) : 0;
}
