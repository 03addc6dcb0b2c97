/* Arithmetic on scrim_wide for plots: exact where it moves the edges of a bar, a double
 * where it only decides how long something is drawn. */
#ifndef SC_CLI_WIDE_VIEW_H
#define SC_CLI_WIDE_VIEW_H

#include "scrim.h"

#include <stdbool.h>
#include <stdint.h>

#define SC_WIDE_MIN ((scrim_wide){0, INT64_MIN})
#define SC_WIDE_MAX ((scrim_wide){UINT64_MAX, INT64_MAX})

static inline scrim_wide sc_wide_of(int64_t value)
{
    return (scrim_wide){(uint64_t)value, value < 0 ? -1 : 0};
}

/* Wraps where the sum does not fit; the edges of bars stay far from there. */
static inline scrim_wide sc_wide_add(scrim_wide a, scrim_wide b)
{
    uint64_t low = a.low + b.low;
    uint64_t high = (uint64_t)a.high + (uint64_t)b.high + (low < a.low);
    return (scrim_wide){low, (int64_t)high};
}

static inline scrim_wide sc_wide_negate(scrim_wide value)
{
    return sc_wide_add((scrim_wide){~value.low, (int64_t) ~(uint64_t)value.high},
                       (scrim_wide){1, 0});
}

static inline bool sc_wide_is_less(scrim_wide a, scrim_wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static inline bool sc_wide_is_narrow(scrim_wide value)
{
    return value.high == ((int64_t)value.low < 0 ? -1 : 0);
}

/* The nearest double of a small magnitude, and some nearby one of a large. */
static inline double sc_wide_double(scrim_wide value)
{
    if (value.high < 0) {
        scrim_wide magnitude = sc_wide_negate(value);
        return -((double)(uint64_t)magnitude.high * 0x1p64 + (double)magnitude.low);
    }
    return (double)value.high * 0x1p64 + (double)value.low;
}

/* The integer that a double of at least 0 and below 2^126 is, its fraction cut off. */
static inline scrim_wide sc_wide_from_double(double value)
{
    int64_t high = (int64_t)(value / 0x1p64);
    return (scrim_wide){(uint64_t)(value - (double)high * 0x1p64), high};
}

#endif
