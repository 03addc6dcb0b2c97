/* Points in time as text: read in a zone, whatever they look like, and written with their offset.
 *
 *     2026-03-29   2026-03-29 02:30   2026-03-29T02:30:00.25Z   2026-03-29 02:30:00 +0200
 *
 * A date alone is its midnight. Without an offset it is local time of the zone. Second 60 is the next
 * minute's first, and 24:00 the next day's.
 *
 * Claim  moment.total  every text is one point in time, or none
 */
#ifndef SC_DATA_MOMENT_H
#define SC_DATA_MOMENT_H

#include "data/value/date_form.h"
#include "data/value/zone.h"

typedef struct sc_moment {
    int64_t seconds;   /* from 1970 UTC, rounded down */
    bool has_fraction; /* there is more, */
    bool is_half;      /* half a second or more */
} sc_moment;

/* form: how the date is written; NULL or empty: YYYY-MM-DD. False, with out untouched, for a text
 * that is none. */
bool sc_moment_read(const sc_zone *zone, const sc_date_form *form, sc_text text,
                    sc_moment *out);
/* The nearest multiple of step seconds, half up, in steps. */
int64_t sc_moment_place(const sc_moment *moment, int64_t step);

/* "2026-03-29 03:30:00+02:00". What is beyond the years 0 to 9999 is written as their end. */
#define SC_MOMENT_TEXT_BYTES 40
void sc_moment_format(const sc_zone *zone, int64_t seconds,
                      char text[SC_MOMENT_TEXT_BYTES]);

#endif
