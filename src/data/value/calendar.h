/* Dates and points in time: days of the calendar, time zones, the ways to write a date, and
 * moments. */
#ifndef SC_DATA_CALENDAR_H
#define SC_DATA_CALENDAR_H

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

/* Dates as days: the Gregorian calendar, carried back to the year 0, without time zones. */

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

/* A time zone as the owner has fixed it: how far local time is ahead of UTC, and since when. It is a
 * line of the policy, and nothing else is looked at when rows are read or questions are answered.
 *
 *     zone=UTC    zone=+05:30
 *     zone=Europe/Berlin 2020-01-01/2021-01-01 +01:00 2020-03-29T01:00:00Z+02:00 2020-10-25T01:00:00Z+01:00
 *
 * The second form has the days that it covers, the offset before the first change, and every change: an
 * instant and the offset from then on. zone_rules.h makes it from a name alone.
 *
 * Claim  zone.total  every local time has an instant: one that occurs twice is the later one, and one
 *                    that is skipped is as far behind the change as it is behind the gap's begin
 */

#define SC_ZONE_CHANGES 4096
#define SC_ZONE_NAME_BYTES 64
#define SC_DAY_SECONDS 86400
/* All offsets are less than this, in seconds. */
#define SC_ZONE_OFFSET_MAX (26 * 3600)

typedef struct sc_zone {
    sc_text text;        /* the value of the line */
    sc_text name;        /* its first word */
    int64_t first, last; /* the days that it covers */
    size_t count;        /* of offsets, at least 1 */
    const int64_t
        *from; /* instants in seconds from 1970 UTC, increasing; the first is the least */
    const int64_t *offsets; /* seconds */
    const int64_t
        *starts; /* from + offset: the local times from which on they hold; increasing */
} sc_zone;

/* Reads the value of the line; all of it lives in arena. SCRIM_E_PARAM, SCRIM_E_MEMORY. A name without
 * its changes is refused. */
SCRIM_MUST_USE scrim_status sc_zone_parse(sc_text value, sc_arena *arena,
                                          const sc_zone **out, scrim_error *error);
/* Is it the name of a zone, whose rules are yet to be copied? */
bool sc_zone_is_name(sc_text value);

#define SC_ZONE_OFFSET_BYTES 16
/* "+01:00", with seconds where there are any. */
void sc_zone_offset_format(int64_t offset, char text[SC_ZONE_OFFSET_BYTES]);

/* The last of the list that is not above x; as many steps for every x. */
static inline size_t sc_zone_place(const int64_t *list, size_t count, int64_t x)
{
    size_t at = 0;
    while (count > 1) {
        const size_t half = count / 2;
        at += half * (list[at + half] <= x);
        count -= half;
    }
    return at;
}

/* Local time of an instant, in seconds from 1970 local. */
static inline int64_t sc_zone_local(const sc_zone *zone, int64_t instant)
{
    return instant + zone->offsets[sc_zone_place(zone->from, zone->count, instant)];
}

/* The instant of a local time. */
static inline int64_t sc_zone_instant(const sc_zone *zone, int64_t local)
{
    return local - zone->offsets[sc_zone_place(zone->starts, zone->count, local)];
}

/* How a date is written in the cells of a source, by what the owner declares:
 *
 *     DD.MM.YYYY   MM/DD/YYYY   D.M.YYYY   YYYYMMDD
 *
 * YYYY has four digits, MM and DD have two, M and D have one or two. Each of the three occurs once.
 * Points, slashes, hyphens and blanks between them stand for themselves. M and D are not in front
 * of another number, since nobody could tell where they end. A year of two digits has no form. Small letters, as in
 * dd.mm.yyyy, are read as capital ones.
 *
 * Claim  date-form.total  a form reads a text exactly when the text is a date that exists, written so
 */

#define SC_DATE_FORM_BYTES 16

typedef struct sc_date_form {
    char text[SC_DATE_FORM_BYTES];
    unsigned char bytes;
} sc_date_form;

/* False, with form untouched, for a text that is not a form. */
bool sc_date_form_parse(sc_text text, sc_date_form *form);
/* Takes a date off the front of text, as days from 1970-01-01; false when none is there. */
bool sc_date_form_take(const sc_date_form *form, sc_text *text, int64_t *day);
/* Writes a day so, M and D as short as they are, and a terminator: at most SC_DATE_FORM_TEXT bytes. */
#define SC_DATE_FORM_TEXT (2 * SC_DATE_FORM_BYTES + 1)
void sc_date_form_put(const sc_date_form *form, int64_t day, char *text);

/* Points in time as text: read in a zone, whatever they look like, and written with their offset.
 *
 *     2026-03-29   2026-03-29 02:30   2026-03-29T02:30:00.25Z   2026-03-29 02:30:00 +0200
 *
 * A date alone is its midnight. Without an offset it is local time of the zone. Second 60 is the next
 * minute's first, and 24:00 the next day's.
 *
 * Claim  moment.total  every text is one point in time, or none
 */

typedef struct sc_moment {
    int64_t seconds;   /* from 1970 UTC, rounded down */
    bool has_fraction; /* there is more, */
    bool is_half;      /* half a second or more */
} sc_moment;

/* form: how the date is written; NULL or empty: YYYY-MM-DD. False, with out untouched, for any
 * other text. */
bool sc_moment_read(const sc_zone *zone, const sc_date_form *form, sc_text text,
                    sc_moment *out);
/* The nearest multiple of step seconds, half up, in steps. */
int64_t sc_moment_place(const sc_moment *moment, int64_t step);

/* "2026-03-29 03:30:00+02:00". What is beyond the years 0 to 9999 is written as their end. */
#define SC_MOMENT_TEXT_BYTES 40
void sc_moment_format(const sc_zone *zone, int64_t seconds,
                      char text[SC_MOMENT_TEXT_BYTES]);

#endif
