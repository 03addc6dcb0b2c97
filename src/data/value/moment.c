#include "data/value/moment.h"

#include "data/value/calendar.h"

#include <stdio.h>

static sc_text behind(sc_text text, size_t bytes)
{
    return (sc_text){text.start + bytes, text.bytes - bytes};
}

/* A number of at least so many digits, and at most two. */
static bool take_number(sc_text *text, size_t least, int64_t most, int64_t *out)
{
    size_t digits = 0;
    *out = 0;
    while (digits < 2 && digits < text->bytes && sc_ascii_is_digit(text->start[digits]))
        *out = 10 * *out + (text->start[digits++] - '0');
    *text = behind(*text, digits);
    return digits >= least && *out <= most;
}

static bool take_date(const sc_date_form *form, sc_text *text, int64_t *day)
{
    if (form != NULL && form->bytes > 0)
        return sc_date_form_take(form, text, day);
    if (text->bytes < SC_CALENDAR_TEXT_BYTES ||
        !sc_calendar_parse((sc_text){text->start, SC_CALENDAR_TEXT_BYTES}, day))
        return false;
    *text = behind(*text, SC_CALENDAR_TEXT_BYTES);
    return true;
}

static bool take_blanks(sc_text *text)
{
    bool any = false;
    while (sc_text_take(text, ' '))
        any = true;
    return any;
}

/* ".25" behind seconds. */
static bool take_fraction(sc_text *text, sc_moment *out)
{
    if (!sc_text_take(text, '.'))
        return true;
    const sc_text digits = sc_text_take_digits(text);
    for (size_t i = 0; i < digits.bytes; i++)
        out->has_fraction |= digits.start[i] != '0';
    out->is_half = digits.bytes > 0 && digits.start[0] >= '5';
    return digits.bytes > 0;
}

/* The time of a day. */
static bool take_time(sc_text *text, sc_moment *out)
{
    int64_t hour, minute, second = 0;
    if (!take_number(text, 1, 24, &hour) || !sc_text_take(text, ':') ||
        !take_number(text, 2, 59, &minute))
        return false;
    if (sc_text_take(text, ':') &&
        (!take_number(text, 2, 60, &second) || !take_fraction(text, out)))
        return false;
    out->seconds += hour * 3600 + minute * 60 + second;
    return hour < 24 || (minute == 0 && second == 0 && !out->has_fraction);
}

/* Z, UTC or an offset at the end. */
static bool take_offset(sc_text *text, bool *has_offset, int64_t *offset)
{
    *has_offset = true;
    *offset = 0;
    take_blanks(text);
    if (text->bytes == 0)
        *has_offset = false;
    else if (sc_text_is(*text, "Z") || sc_text_is(*text, "z") || sc_text_is(*text, "UTC"))
        *text = behind(*text, text->bytes);
    else
        return sc_zone_offset_take(text, offset);
    return true;
}

bool sc_moment_read(const sc_zone *zone, const sc_date_form *form, sc_text text,
                    sc_moment *out)
{
    sc_moment moment = {.has_fraction = false};
    int64_t day, offset = 0;
    bool has_offset = false;
    text = sc_text_trim(text);
    if (!take_date(form, &text, &day))
        return false;
    moment.seconds = day * SC_DAY_SECONDS;
    if (text.bytes > 0) {
        const bool has_mark =
            sc_text_take(&text, 'T') || sc_text_take(&text, 't') || take_blanks(&text);
        if (!has_mark || !take_time(&text, &moment) ||
            !take_offset(&text, &has_offset, &offset) || text.bytes > 0)
            return false;
    }
    moment.seconds =
        has_offset ? moment.seconds - offset : sc_zone_instant(zone, moment.seconds);
    *out = moment;
    return true;
}

int64_t sc_moment_place(const sc_moment *moment, int64_t step)
{
    const int64_t halves = 2 * moment->seconds + moment->is_half + step;
    const int64_t place = halves / (2 * step);
    return place - (place * 2 * step > halves);
}

void sc_moment_format(const sc_zone *zone, int64_t seconds,
                      char text[SC_MOMENT_TEXT_BYTES])
{
    char date[SC_CALENDAR_TEXT_BYTES + 1], offset[SC_ZONE_OFFSET_BYTES];
    int64_t local = sc_zone_local(zone, seconds);
    const int64_t first = (int64_t)SC_CALENDAR_FIRST * SC_DAY_SECONDS,
                  last = ((int64_t)SC_CALENDAR_LAST + 1) * SC_DAY_SECONDS - 1;
    sc_zone_offset_format(local - seconds, offset);
    local = local < first ? first : local > last ? last : local;
    const int64_t of_day = (local - first) % SC_DAY_SECONDS;
    sc_calendar_format((local - of_day) / SC_DAY_SECONDS, date);
    snprintf(text, SC_MOMENT_TEXT_BYTES, "%s %02d:%02d:%02d%s", date,
             (int)(of_day / 3600), (int)(of_day / 60 % 60), (int)(of_day % 60), offset);
}
