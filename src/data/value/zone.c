#include "data/value/zone.h"

#include "data/value/calendar.h"

#include <stdio.h>
#include <string.h>

/* No local time is as small. */
#define ALWAYS (INT64_MIN / 4)

static bool take_two(sc_text *text, int64_t most, int64_t *out)
{
    if (text->bytes < 2 || !sc_ascii_is_digit(text->start[0]) ||
        !sc_ascii_is_digit(text->start[1]))
        return false;
    *out = 10 * (text->start[0] - '0') + (text->start[1] - '0');
    *text = (sc_text){text->start + 2, text->bytes - 2};
    return *out <= most;
}

bool sc_zone_offset_take(sc_text *text, int64_t *offset)
{
    int64_t hours, minutes = 0, seconds = 0;
    sc_text rest = *text;
    const bool is_behind = sc_text_take(&rest, '-');
    if ((!is_behind && !sc_text_take(&rest, '+')) || !take_two(&rest, 15, &hours))
        return false;
    const bool has_colon = sc_text_take(&rest, ':');
    const bool has_minutes =
        has_colon || (rest.bytes > 0 && sc_ascii_is_digit(rest.start[0]));
    if (has_minutes && !take_two(&rest, 59, &minutes))
        return false;
    if (has_colon && sc_text_take(&rest, ':') && !take_two(&rest, 59, &seconds))
        return false;
    *offset = (hours * 3600 + minutes * 60 + seconds) * (is_behind ? -1 : 1);
    *text = rest;
    return true;
}

void sc_zone_offset_format(int64_t offset, char text[SC_ZONE_OFFSET_BYTES])
{
    const int ahead = (int)(offset < 0 ? -offset : offset);
    const int length = snprintf(text, SC_ZONE_OFFSET_BYTES, "%c%02d:%02d",
                                offset < 0 ? '-' : '+', ahead / 3600, ahead / 60 % 60);
    if (ahead % 60 != 0)
        snprintf(text + length, SC_ZONE_OFFSET_BYTES - (size_t)length, ":%02d",
                 ahead % 60);
}

bool sc_zone_is_name(sc_text value)
{
    if (value.bytes == 0 || value.bytes > SC_ZONE_NAME_BYTES ||
        sc_text_is(value, "UTC") ||
        !((value.start[0] >= 'A' && value.start[0] <= 'Z') ||
          (value.start[0] >= 'a' && value.start[0] <= 'z')))
        return false;
    for (size_t i = 0; i < value.bytes; i++) {
        const char c = value.start[i];
        if (!(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && !sc_ascii_is_digit(c) &&
            strchr("_+-/", c) == NULL)
            return false;
    }
    return true;
}

/* Reading a line. */

typedef struct reading {
    sc_zone zone;
    int64_t *from, *offsets, *starts;
} reading;

static bool add(reading *r, int64_t from, int64_t offset)
{
    const size_t at = r->zone.count;
    if (at > SC_ZONE_CHANGES ||
        (at > 0 && (from <= r->from[at - 1] || from + offset <= r->starts[at - 1])))
        return false;
    r->from[at] = from;
    r->offsets[at] = offset;
    r->starts[at] = from + offset;
    r->zone.count++;
    return true;
}

/* "2020-03-29T01:00:00Z+02:00" */
static bool add_change(reading *r, sc_text word)
{
    int64_t day, hour, minute, second, offset;
    sc_text date = {word.start, SC_CALENDAR_TEXT_BYTES};
    if (word.bytes <= SC_CALENDAR_TEXT_BYTES || !sc_calendar_parse(date, &day))
        return false;
    word = (sc_text){word.start + SC_CALENDAR_TEXT_BYTES,
                     word.bytes - SC_CALENDAR_TEXT_BYTES};
    return sc_text_take(&word, 'T') && take_two(&word, 23, &hour) &&
           sc_text_take(&word, ':') && take_two(&word, 59, &minute) &&
           sc_text_take(&word, ':') && take_two(&word, 59, &second) &&
           sc_text_take(&word, 'Z') && sc_zone_offset_take(&word, &offset) &&
           word.bytes == 0 &&
           add(r, day * SC_DAY_SECONDS + hour * 3600 + minute * 60 + second, offset);
}

static bool read_fixed(reading *r, sc_text word)
{
    int64_t offset = 0;
    r->zone.first = SC_CALENDAR_FIRST;
    r->zone.last = SC_CALENDAR_LAST;
    return (sc_text_is(word, "UTC") ||
            (sc_zone_offset_take(&word, &offset) && word.bytes == 0)) &&
           add(r, ALWAYS, offset);
}

static bool read_named(reading *r, sc_text rest)
{
    sc_text word, first, last;
    int64_t offset;
    if (!sc_zone_is_name(r->zone.name) || !sc_text_word(&rest, &word) ||
        !sc_text_split(word, '/', &first, &last) ||
        !sc_calendar_parse(first, &r->zone.first) ||
        !sc_calendar_parse(last, &r->zone.last) || r->zone.first > r->zone.last ||
        !sc_text_word(&rest, &word) || !sc_zone_offset_take(&word, &offset) ||
        word.bytes > 0 || !add(r, ALWAYS, offset))
        return false;
    while (sc_text_word(&rest, &word))
        if (!add_change(r, word))
            return false;
    return rest.bytes == 0;
}

scrim_status sc_zone_parse(sc_text value, sc_arena *arena, const sc_zone **out,
                           scrim_error *error)
{
    size_t words = 1;
    for (size_t i = 0; i < value.bytes; i++)
        words += value.start[i] == ' ';
    reading r = {.from = sc_arena_allocate(arena, words, sizeof *r.from),
                 .offsets = sc_arena_allocate(arena, words, sizeof *r.offsets),
                 .starts = sc_arena_allocate(arena, words, sizeof *r.starts)};
    sc_zone *zone = sc_arena_allocate(arena, 1, sizeof *zone);
    const char *copy = sc_arena_copy(arena, value.start, value.bytes);
    if (r.from == NULL || r.offsets == NULL || r.starts == NULL || zone == NULL ||
        copy == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    r.zone.text = (sc_text){copy, value.bytes};
    sc_text rest = r.zone.text;
    if (!sc_text_word(&rest, &r.zone.name) ||
        (rest.bytes == 0 ? !read_fixed(&r, r.zone.name) : !read_named(&r, rest)))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "zone",
                           "a zone must be UTC, an offset such as +01:00, or a name such "
                           "as Europe/Berlin");
    *zone = r.zone;
    zone->from = r.from;
    zone->offsets = r.offsets;
    zone->starts = r.starts;
    *out = zone;
    return SCRIM_OK;
}
