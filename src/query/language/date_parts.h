/* Parts of a date, and the first day of its year, quarter, month or week. No branch depends on the date.
 *
 * Claim  date-parts.iso  weeks and weekdays are those of ISO 8601: Monday is 1, and a week belongs to
 *                        the year that holds its Thursday
 */
#ifndef SC_QUERY_DATE_PARTS_H
#define SC_QUERY_DATE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_date_parts {
    int64_t year, month, day;
} sc_date_parts;

typedef enum sc_date_part {
    SC_PART_NONE,
    SC_PART_YEAR, /* numbers */
    SC_PART_QUARTER,
    SC_PART_MONTH,
    SC_PART_WEEK,
    SC_PART_WEEKDAY,
    SC_PART_DAY,
    SC_PART_FIRST_OF_YEAR, /* days; sc_date_part_is_first */
    SC_PART_FIRST_OF_QUARTER,
    SC_PART_FIRST_OF_MONTH,
    SC_PART_FIRST_OF_WEEK
} sc_date_part;

static inline bool sc_date_part_is_first(sc_date_part part)
{
    return part >= SC_PART_FIRST_OF_YEAR;
}

/* Days are counted from 1970-01-01, from 0000-01-01 to 9999-12-31. */
#define SC_DAYS_OF_ERA 146097 /* 400 years */

/* The Gregorian date of a day. Years are counted from March, so that the day that comes and goes is
 * the last of its year. */
static inline sc_date_parts sc_date_parts_of(int64_t days)
{
    const int64_t shifted =
        days + 719468 + SC_DAYS_OF_ERA; /* from the 1st of March of the year -400 */
    const int64_t era = shifted / SC_DAYS_OF_ERA;
    const int64_t of_era = shifted % SC_DAYS_OF_ERA;
    const int64_t year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const int64_t month = (5 * of_year + 2) / 153; /* from March */
    return (sc_date_parts){.year = year + era * 400 - 400 + (month >= 10),
                           .month = month + (month >= 10 ? -9 : 3),
                           .day = of_year - (153 * month + 2) / 5 + 1};
}

/* The first day of a year, which is at least -1. */
static inline int64_t sc_first_of_year(int64_t year)
{
    const int64_t before = year + 399; /* years from the year -399 on */
    return 365 * before + before / 4 - before / 100 + before / 400 - 719162 -
           SC_DAYS_OF_ERA;
}

/* From 0, a Monday, to 6. */
static inline int64_t sc_day_of_week(int64_t days)
{
    return (days + 3 + 7 * (int64_t)SC_DAYS_OF_ERA) % 7; /* 1970-01-01 was a Thursday */
}

static inline int64_t sc_week_of(int64_t days)
{
    const int64_t thursday = days - sc_day_of_week(days) + 3;
    return (thursday - sc_first_of_year(sc_date_parts_of(thursday).year)) / 7 + 1;
}

static inline int64_t sc_first_of_quarter(int64_t days)
{
    const sc_date_parts parts = sc_date_parts_of(days);
    const int64_t quarter = (parts.month - 1) / 3, first = sc_first_of_year(parts.year);
    const int64_t is_leap = sc_first_of_year(parts.year + 1) - first - 365;
    return first + 91 * quarter + (quarter == 3) - (quarter > 0) +
           is_leap * (quarter > 0);
}

static inline int64_t sc_date_part_of(sc_date_part part, int64_t days)
{
    switch (part) {
    case SC_PART_YEAR:
        return sc_date_parts_of(days).year;
    case SC_PART_QUARTER:
        return (sc_date_parts_of(days).month + 2) / 3;
    case SC_PART_MONTH:
        return sc_date_parts_of(days).month;
    case SC_PART_WEEK:
        return sc_week_of(days);
    case SC_PART_WEEKDAY:
        return sc_day_of_week(days) + 1;
    case SC_PART_DAY:
        return sc_date_parts_of(days).day;
    case SC_PART_FIRST_OF_YEAR:
        return sc_first_of_year(sc_date_parts_of(days).year);
    case SC_PART_FIRST_OF_QUARTER:
        return sc_first_of_quarter(days);
    case SC_PART_FIRST_OF_MONTH:
        return days - sc_date_parts_of(days).day + 1;
    case SC_PART_FIRST_OF_WEEK:
        return days - sc_day_of_week(days);
    case SC_PART_NONE:
        break;
    }
    return days;
}

/* The first day of the next year, quarter, month or week, from the first of one. */
static inline int64_t sc_date_part_next(sc_date_part part, int64_t first)
{
    const int64_t longest = part == SC_PART_FIRST_OF_YEAR      ? 366
                            : part == SC_PART_FIRST_OF_QUARTER ? 92
                            : part == SC_PART_FIRST_OF_MONTH   ? 31
                                                               : 7;
    return sc_date_part_of(part, first + longest);
}

#endif
