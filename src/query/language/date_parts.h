/* The year, month and day of a day, without a branch: as fast for a column as for one. */
#ifndef SC_QUERY_DATE_PARTS_H
#define SC_QUERY_DATE_PARTS_H

#include <stdint.h>

typedef struct sc_date_parts {
    int64_t year, month, day;
} sc_date_parts;

/* The Gregorian date of a day counted from 1970-01-01, from 0000-01-01 to 9999-12-31. Years are
 * counted from March, so that the day that comes and goes is the last of its year; 146097 days
 * are 400 years. */
static inline sc_date_parts sc_date_parts_of(int64_t days)
{
    const int64_t shifted =
        days + 719468 + 146097; /* from the 1st of March of the year -400 */
    const int64_t era = shifted / 146097;
    const int64_t of_era = shifted % 146097;
    const int64_t year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const int64_t month = (5 * of_year + 2) / 153; /* from March */
    return (sc_date_parts){.year = year + era * 400 - 400 + (month >= 10),
                           .month = month + (month >= 10 ? -9 : 3),
                           .day = of_year - (153 * month + 2) / 5 + 1};
}

#endif
