#include "data/value/calendar.h"

#include <stdio.h>
#include <string.h>

/* Years are counted from 1 March, so that a leap day is the last of its year, and in eras of 400 years, after which
 * the calendar repeats. */
#define ERA_YEARS INT64_C(400)
#define ERA_DAYS INT64_C(146097)
/* From 0000-03-01 to 1970-01-01. */
#define EPOCH_DAYS 719468
/* A year before the year 0 keeps all divisions free of signs. */
#define SHIFT_ERAS 1

/* Days of a year before the month, March being 0. From March on, months have 31, 30, 31, 30, 31 days again and again:
 * the rounded line adds that up. */
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

static bool read_digits(const char *start, size_t digits, int64_t *out)
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
    /* The arithmetic takes 30 February for a day in March; refuse a date that comes back as another month. */
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
        text.start[7] != '-' || !read_digits(text.start, 4, &parts[0]) ||
        !read_digits(text.start + 5, 2, &parts[1]) ||
        !read_digits(text.start + 8, 2, &parts[2]))
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

/* Below every local time. */
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

/* "+01:00"; false for anything else. */
static bool zone_offset_take(sc_text *text, int64_t *offset)
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
           sc_text_take(&word, 'Z') && zone_offset_take(&word, &offset) &&
           word.bytes == 0 &&
           add(r, day * SC_DAY_SECONDS + hour * 3600 + minute * 60 + second, offset);
}

static bool read_fixed(reading *r, sc_text word)
{
    int64_t offset = 0;
    r->zone.first = SC_CALENDAR_FIRST;
    r->zone.last = SC_CALENDAR_LAST;
    return (sc_text_is(word, "UTC") ||
            (zone_offset_take(&word, &offset) && word.bytes == 0)) &&
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
        !sc_text_word(&rest, &word) || !zone_offset_take(&word, &offset) ||
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

static char capital(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c);
}

static bool is_letter(char c)
{
    return c == 'Y' || c == 'M' || c == 'D';
}

/* Takes a number, or one byte between numbers, off the front of a form that is not empty: its
 * letter, or that byte, and how often the letter stands there. */
static char take_part(sc_text *form, size_t *count)
{
    const char c = form->start[0];
    *count = 1;
    while (is_letter(c) && *count < form->bytes && form->start[*count] == c)
        ++*count;
    *form = (sc_text){form->start + *count, form->bytes - *count};
    return c;
}

static bool is_number_next(sc_text form)
{
    return form.bytes > 0 && is_letter(form.start[0]);
}

bool sc_date_form_parse(sc_text text, sc_date_form *form)
{
    size_t years = 0, months = 0, days = 0, count;
    bool is_number = false;
    char upper[SC_DATE_FORM_BYTES];
    if (text.bytes == 0 || text.bytes > sizeof upper)
        return false;
    for (size_t i = 0; i < text.bytes; i++)
        upper[i] = capital(text.start[i]);
    sc_text rest = {upper, text.bytes};
    for (bool is_first = true; rest.bytes > 0; is_first = false) {
        const char c = take_part(&rest, &count);
        size_t *seen = c == 'Y' ? &years : c == 'M' ? &months : c == 'D' ? &days : NULL;
        is_number = seen != NULL;
        if (seen == NULL && (is_first || (c != '.' && c != '/' && c != '-' && c != ' ')))
            return false;
        if (seen != NULL && (*seen != 0 || (count == 1 && is_number_next(rest))))
            return false;
        if (seen != NULL)
            *seen = count;
    }
    if (!is_number || years != 4 || months < 1 || months > 2 || days < 1 || days > 2)
        return false;
    memcpy(form->text, upper, text.bytes);
    form->bytes = (unsigned char)text.bytes;
    return true;
}

/* Takes a number of `count` digits; of one or two where count is 1. */
static bool take_digits(sc_text *text, size_t count, int64_t *out)
{
    const size_t most = count == 1 ? 2 : count;
    size_t digits = 0;
    *out = 0;
    while (digits < most && digits < text->bytes &&
           sc_ascii_is_digit(text->start[digits]))
        *out = 10 * *out + (text->start[digits++] - '0');
    *text = (sc_text){text->start + digits, text->bytes - digits};
    return digits >= count;
}

bool sc_date_form_take(const sc_date_form *form, sc_text *text, int64_t *day)
{
    sc_text rest = {form->text, form->bytes}, left = *text;
    int64_t year = 0, month = 0, of_month = 0;
    size_t count;
    while (rest.bytes > 0) {
        const char c = take_part(&rest, &count);
        int64_t *part = c == 'Y'   ? &year
                        : c == 'M' ? &month
                        : c == 'D' ? &of_month
                                   : NULL;
        if (part == NULL ? !sc_text_take(&left, c) : !take_digits(&left, count, part))
            return false;
    }
    if (!sc_calendar_day(year, month, of_month, day))
        return false;
    *text = left;
    return true;
}

void sc_date_form_put(const sc_date_form *form, int64_t day, char *text)
{
    char plain[SC_CALENDAR_TEXT_BYTES + 1];
    sc_text rest = {form->text, form->bytes};
    size_t count;
    sc_calendar_format(day, plain);
    while (rest.bytes > 0) {
        const char c = take_part(&rest, &count);
        const char *from = c == 'Y'   ? plain
                           : c == 'M' ? plain + 5
                           : c == 'D' ? plain + 8
                                      : &c;
        size_t bytes = c == 'Y' ? 4 : from == &c ? 1 : 2;
        if (count == 1 && bytes == 2 && from[0] == '0') {
            from++;
            bytes--;
        }
        memcpy(text, from, bytes);
        text += bytes;
    }
    *text = '\0';
}

static sc_text behind(sc_text text, size_t bytes)
{
    return (sc_text){text.start + bytes, text.bytes - bytes};
}

/* A number of at least `least` digits, and at most two. */
static bool take_clock_part(sc_text *text, size_t least, int64_t most, int64_t *out)
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
    if (!take_clock_part(text, 1, 24, &hour) || !sc_text_take(text, ':') ||
        !take_clock_part(text, 2, 59, &minute))
        return false;
    if (sc_text_take(text, ':') &&
        (!take_clock_part(text, 2, 60, &second) || !take_fraction(text, out)))
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
        return zone_offset_take(text, offset);
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
