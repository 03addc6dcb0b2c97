/* Dates as days: the Gregorian calendar, carried back to the year 0, without time zones. */
#ifndef SC_DATA_CALENDAR_H
#define SC_DATA_CALENDAR_H

#include "base/text.h"

/* 0000-01-01 and 9999-12-31, in days from 1970-01-01. */
#define SC_CALENDAR_FIRST (-719528)
#define SC_CALENDAR_LAST 2932896
#define SC_CALENDAR_TEXT_BYTES 10

/* A day of a year from 0 to 9999, as days from 1970-01-01; false, with day untouched, when there is
 * no such day. */
bool sc_calendar_day(int64_t year, int64_t month, int64_t of_month, int64_t *day);
/* Reads "YYYY-MM-DD", exactly that, as days from 1970-01-01; false, with day untouched, when it
 * is not a date that exists. */
bool sc_calendar_parse(sc_text text, int64_t *day);
/* Writes the ten characters of a day from SC_CALENDAR_FIRST to SC_CALENDAR_LAST, and a
 * terminator. */
void sc_calendar_format(int64_t day, char text[SC_CALENDAR_TEXT_BYTES + 1]);

#endif
