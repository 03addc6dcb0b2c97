/* Numbers and dates as people read them. */
#ifndef SC_CLI_NUMBER_VIEW_H
#define SC_CLI_NUMBER_VIEW_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arithmetic on scrim_wide for plots: exact where it moves the edges of a bar, a double
 * where it only decides how long something is drawn. */

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

/* Numbers for people and plots: exact text as a double, and doubles that are bounds as text.
 * Nothing is decided by them. */

/* "12", "0.5", "1e-9" or "1/3"; 0 for any other text. */
double sc_number_view(const char *text);

#define SC_BOUND_BYTES 32
/* A bound for people, with five digits and rounded away from the truth, a lower one down, an
 * upper one up: but for the last bits of a double, so that 1 is shown as 1. */
#define SC_BOUND_SLACK 1e-12
void sc_bound_format(double value, bool upper, char text[SC_BOUND_BYTES]);
/* An exact number for people: as it is where it is short, with a power of ten where it is small and
 * its digits are few, a fraction as a decimal with six digits, else with five digits, and never
 * above what it says, or never below. */
void sc_number_format_lower(const char *text, char shown[SC_BOUND_BYTES]);
void sc_number_format_upper(const char *text, char shown[SC_BOUND_BYTES]);
/* The delta of "epsilon=2,delta=0.000001" as 1e-6, exactly, where it is small; in its place. */
void sc_delta_shorten(char *options);
/* A line of a mechanism for people: fractions are decimals of six digits, rounded up. Of a line that
 * does not fit, the end is missing. */
void sc_line_format(const char *line, char *shown, size_t bytes);
/* "3.33 %" with three digits, "1520 %" with all up to 10^6; "> 99.9 %" for less than all that would round up to 100 %. */
void sc_percent_format(double share, char text[SC_BOUND_BYTES]);
/* All digits that the double has; "inf". */
void sc_bound_format_exact(double value, char text[SC_BOUND_BYTES]);

#define SC_AMOUNT_BYTES (2 * SC_BOUND_BYTES + 80)
/* "epsilon 0.5, delta 1e-6": an amount of a unit and a delta, of which one that is "", or a delta of
 * 0, is left out. Returns the text. */
const char *sc_amount_format(const char *unit, const char *amount, const char *delta,
                             bool upper, char text[SC_AMOUNT_BYTES]);

/* Dates for plots: where a day is on an axis, and which day a place is. */

/* The day of "2020-02-29", counted from 1970-01-01; 0 for any other text. A timestamp with its
 * offset gives the days in UTC, with their fraction. */
double sc_date_view(const char *text);

#define SC_DATE_VIEW_BYTES 32
/* The date of the day that is nearest. */
void sc_date_view_format(double day, char text[SC_DATE_VIEW_BYTES]);

#endif
