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
#ifndef SC_DATA_ZONE_H
#define SC_DATA_ZONE_H

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#define SC_ZONE_CHANGES 4096
#define SC_ZONE_NAME_BYTES 64
#define SC_DAY_SECONDS 86400
/* No offset is as far from 0, in seconds. */
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

/* "+01:00"; false for what is none. */
bool sc_zone_offset_take(sc_text *text, int64_t *offset);
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

#endif
