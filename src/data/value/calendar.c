#include "data/value/calendar.h"

/* Years are counted from 1 March, so that the day that comes and goes is the last of a year, and
 * in eras of 400 years, after which the calendar repeats. */
#define ERA_YEARS INT64_C(400)
#define ERA_DAYS INT64_C(146097)
/* From 0000-03-01 to 1970-01-01. */
#define EPOCH_DAYS 719468
/* A year before the year 0 keeps all divisions free of signs. */
#define SHIFT_ERAS 1

/* Days of a year before the month, March being 0: months of 31, 30, 31, 30, 31 days, again and
 * again, which is what the rounded line says. */
static int64_t days_before_month(int64_t month)
{
    return (153 * month + 2) / 5;
}

static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    const int64_t from_march = month > 2 ? month - 3 : month + 9;
    const int64_t shifted = year + ERA_YEARS * SHIFT_ERAS - (month <= 2);
    const int64_t era = shifted / ERA_YEARS, of_era = shifted % ERA_YEARS;
    return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 +
           days_before_month(from_march) + day - 1 - SHIFT_ERAS * ERA_DAYS - EPOCH_DAYS;
}

static void parts_of(int64_t days, int64_t *year, int64_t *month, int64_t *day)
{
    const int64_t shifted = days + EPOCH_DAYS + SHIFT_ERAS * ERA_DAYS;
    const int64_t era = shifted / ERA_DAYS, of_era = shifted % ERA_DAYS;
    /* Without the leap days passed so far every year has 365 days. */
    const int64_t year_of_era =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year =
        of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t from_march = (5 * of_year + 2) / 153;
    *day = of_year - days_before_month(from_march) + 1;
    *month = from_march < 10 ? from_march + 3 : from_march - 9;
    *year = year_of_era + ERA_YEARS * (era - SHIFT_ERAS) + (*month <= 2);
}

static bool take_number(const char *start, size_t digits, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!sc_ascii_is_digit(start[i]))
            return false;
        *out = 10 * *out + (start[i] - '0');
    }
    return true;
}

bool sc_calendar_day(int64_t year, int64_t month, int64_t of_month, int64_t *day)
{
    int64_t again[3];
    if (year < 0 || year > 9999 || month < 1 || month > 12 || of_month < 1 ||
        of_month > 31)
        return false;
    /* 30 February is some day too, but not one with that name. */
    const int64_t days = days_of(year, month, of_month);
    parts_of(days, &again[0], &again[1], &again[2]);
    if (again[1] != month)
        return false;
    *day = days;
    return true;
}

bool sc_calendar_parse(sc_text text, int64_t *day)
{
    int64_t parts[3];
    if (text.bytes != SC_CALENDAR_TEXT_BYTES || text.start[4] != '-' ||
        text.start[7] != '-' || !take_number(text.start, 4, &parts[0]) ||
        !take_number(text.start + 5, 2, &parts[1]) ||
        !take_number(text.start + 8, 2, &parts[2]))
        return false;
    return sc_calendar_day(parts[0], parts[1], parts[2], day);
}

static void put_number(char *start, size_t digits, int64_t value)
{
    while (digits-- > 0) {
        start[digits] = (char)('0' + value % 10);
        value /= 10;
    }
}

void sc_calendar_format(int64_t day, char text[SC_CALENDAR_TEXT_BYTES + 1])
{
    int64_t year, month, of_month;
    parts_of(day, &year, &month, &of_month);
    put_number(text, 4, year);
    text[4] = '-';
    put_number(text + 5, 2, month);
    text[7] = '-';
    put_number(text + 8, 2, of_month);
    text[SC_CALENDAR_TEXT_BYTES] = '\0';
}
