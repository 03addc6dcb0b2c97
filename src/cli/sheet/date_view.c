#include "cli/sheet/date_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Years begin in March, so that the odd day is the last of one: so many days from that of the year 0 to
 * 1970-01-01. */
#define DAYS_TO_1970 719468.0

static double days_before(double year)
{
    return 365 * year + floor(year / 4) - floor(year / 100) + floor(year / 400);
}

/* The seconds behind a date, less the offset: "2020-02-29 12:00:00+01:00". */
static double time_view(const char *text)
{
    int hour = 0, minute = 0, second = 0, ahead = 0, more = 0;
    char sign = '+';
    const char *time = strchr(text, ' ');
    if (time == NULL || sscanf(time, " %d:%d:%d%c%d:%d", &hour, &minute, &second, &sign,
                               &ahead, &more) != 6)
        return 0;
    return hour * 3600.0 + minute * 60 + second -
           (sign == '-' ? -1 : 1) * (ahead * 3600.0 + more * 60);
}

double sc_date_view(const char *text)
{
    int year = 0, month = 0, day = 0;
    if (sscanf(text, "%d-%d-%d", &year, &month, &day) != 3)
        return 0;
    const int shifted = (month + 9) % 12, of_year = (153 * shifted + 2) / 5 + day - 1;
    return days_before(month <= 2 ? year - 1 : year) + of_year - DAYS_TO_1970 +
           time_view(text) / 86400;
}

void sc_date_view_format(double day, char text[SC_DATE_VIEW_BYTES])
{
    const double shifted = round(day) + DAYS_TO_1970;
    double year = floor(shifted / 365.2425);
    while (days_before(year + 1) <= shifted)
        year++;
    while (days_before(year) > shifted)
        year--;
    const int left = (int)(shifted - days_before(year));
    const int month = (5 * left + 2) / 153; /* from March */
    snprintf(text, SC_DATE_VIEW_BYTES, "%04d-%02d-%02d",
             (int)year + (month >= 10 ? 1 : 0), month >= 10 ? month - 9 : month + 3,
             left - (153 * month + 2) / 5 + 1);
}
