#include "data/value/zone_rules.h"

#include "base/descriptor.h"
#include "data/value/calendar.h"
#include "data/value/schema.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/usr/share/zoneinfo/"
#define TABLE_BYTES (1 << 16)
#define HEAD_BYTES 44
/* Days beyond the ranges of columns, so that local times near their ends are read right too. */
#define MARGIN 2

/* Tables: numbers have their highest byte first. */

static int64_t number_at(const char *at, size_t bytes)
{
    uint64_t value = bytes == 4 && (at[0] & 0x80) != 0 ? ~UINT64_C(0) : 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | (unsigned char)at[i];
    return (int64_t)value;
}

typedef struct table {
    const char *times, *kinds, *types;
    size_t change_count, type_count;
    sc_text rule; /* of what comes behind the last change */
} table;

typedef struct counts {
    size_t utc, standard, leaps, changes, types, letters;
} counts;

static bool take_head(sc_text *rest, counts *c)
{
    size_t *const all[] = {&c->utc,     &c->standard, &c->leaps,
                           &c->changes, &c->types,    &c->letters};
    if (rest->bytes < HEAD_BYTES || memcmp(rest->start, "TZif", 4) != 0 ||
        rest->start[4] < '2')
        return false;
    for (size_t i = 0; i < 6; i++) {
        const int64_t count = number_at(rest->start + 20 + 4 * i, 4);
        if (count < 0 || count > TABLE_BYTES)
            return false;
        *all[i] = (size_t)count;
    }
    *rest = (sc_text){rest->start + HEAD_BYTES, rest->bytes - HEAD_BYTES};
    return true;
}

static bool skip_block(sc_text *rest, const counts *c, size_t width)
{
    const size_t bytes = c->changes * (width + 1) + c->types * 6 + c->letters +
                         c->leaps * (width + 4) + c->standard + c->utc;
    if (bytes > rest->bytes)
        return false;
    *rest = (sc_text){rest->start + bytes, rest->bytes - bytes};
    return true;
}

static bool read_table(sc_text bytes, table *out)
{
    counts c;
    sc_text rest = bytes, behind;
    if (!take_head(&rest, &c) || !skip_block(&rest, &c, 4) || !take_head(&rest, &c))
        return false;
    behind = rest;
    if (!skip_block(&behind, &c, 8) || c.types == 0 || !sc_text_take(&behind, '\n'))
        return false;
    *out = (table){.times = rest.start,
                   .kinds = rest.start + 8 * c.changes,
                   .types = rest.start + 9 * c.changes,
                   .change_count = c.changes,
                   .type_count = c.types};
    if (!sc_text_split(behind, '\n', &out->rule, &rest))
        return false;
    for (size_t i = 0; i < c.changes; i++)
        if ((unsigned char)out->kinds[i] >= c.types)
            return false;
    return true;
}

static int64_t offset_of(const table *t, size_t type)
{
    return number_at(t->types + 6 * type, 4);
}

/* Rules for all years to come: "CET-1CEST,M3.5.0,M10.5.0/3". */

typedef struct yearly {
    int64_t month, week, weekday, seconds;
} yearly;

typedef struct rule {
    int64_t standard, summer; /* offsets */
    yearly begin, end;        /* of summer, in local time */
    bool has_summer;
} rule;

static bool take_small(sc_text *text, int64_t most, int64_t *out)
{
    const sc_text digits = sc_text_take_digits(text);
    uint64_t value;
    if (digits.bytes > 3 || !sc_text_uint64(digits, &value) || (int64_t)value > most)
        return false;
    *out = (int64_t)value;
    return true;
}

/* "-1", "5:30": hours, minutes, seconds with a sign. */
static bool take_clock(sc_text *text, int64_t *seconds)
{
    const bool is_negative = sc_text_take(text, '-');
    int64_t part[3] = {0, 0, 0};
    if (!is_negative)
        (void)sc_text_take(text, '+');
    if (!take_small(text, 167, &part[0]))
        return false;
    for (size_t i = 1; i < 3 && sc_text_take(text, ':'); i++)
        if (!take_small(text, 59, &part[i]))
            return false;
    *seconds = (part[0] * 3600 + part[1] * 60 + part[2]) * (is_negative ? -1 : 1);
    return true;
}

static bool take_name(sc_text *text)
{
    size_t count = 0;
    const bool is_quoted = sc_text_take(text, '<');
    while (count < text->bytes && (is_quoted ? text->start[count] != '>'
                                             : (text->start[count] | 32) >= 'a' &&
                                                   (text->start[count] | 32) <= 'z'))
        count++;
    *text = (sc_text){text->start + count, text->bytes - count};
    return count > 0 && (!is_quoted || sc_text_take(text, '>'));
}

static bool take_yearly(sc_text *text, yearly *out)
{
    out->seconds = INT64_C(2) * 3600;
    return sc_text_take(text, ',') && sc_text_take(text, 'M') &&
           take_small(text, 12, &out->month) && out->month > 0 &&
           sc_text_take(text, '.') && take_small(text, 5, &out->week) && out->week > 0 &&
           sc_text_take(text, '.') && take_small(text, 6, &out->weekday) &&
           (!sc_text_take(text, '/') || take_clock(text, &out->seconds));
}

static bool read_rule(sc_text text, rule *out)
{
    *out = (rule){.has_summer = false};
    if (!take_name(&text) || !take_clock(&text, &out->standard))
        return false;
    out->standard = -out->standard; /* west of Greenwich is positive there */
    if (text.bytes == 0)
        return true;
    out->has_summer = true;
    out->summer = out->standard + 3600;
    if (!take_name(&text))
        return false;
    if (text.bytes > 0 && text.start[0] != ',') {
        if (!take_clock(&text, &out->summer))
            return false;
        out->summer = -out->summer;
    }
    return take_yearly(&text, &out->begin) && take_yearly(&text, &out->end) &&
           text.bytes == 0;
}

/* The local second of a year; week 5 is the last one. */
static bool local_of(const yearly *y, int64_t year, int64_t *out)
{
    int64_t first, next, day;
    if (!sc_calendar_day(year, y->month, 1, &first) ||
        !sc_calendar_day(year + (y->month == 12), y->month % 12 + 1, 1, &next))
        return false;
    /* 1970-01-01 was a Thursday, day 4 of a week that begins on Sunday. */
    const int64_t of_first = ((first + 4) % 7 + 7) % 7;
    day = first + (y->weekday - of_first + 7) % 7 + 7 * (y->week - 1);
    while (day >= next)
        day -= 7;
    *out = day * SC_DAY_SECONDS + y->seconds;
    return true;
}

/* Writing. */

typedef struct writing {
    sc_text_sink sink;
    int64_t low, high; /* instants */
    int64_t offset;    /* that holds so far */
    bool has_begun;    /* the first offset is written */
} writing;

static void put(writing *w, const char *text)
{
    sc_text_put(&w->sink, sc_text_of(text));
}

static void put_offset(writing *w)
{
    char text[SC_ZONE_OFFSET_BYTES];
    sc_zone_offset_format(w->offset, text);
    put(w, text);
}

static void begin(writing *w)
{
    if (!w->has_begun)
        put_offset(w);
    w->has_begun = true;
}

/* A change, in increasing order of time. */
static void add(writing *w, int64_t at, int64_t offset)
{
    char date[SC_CALENDAR_TEXT_BYTES + 1], text[40];
    if (offset == w->offset || at > w->high)
        return;
    if (at <= w->low) {
        w->offset = offset;
        return;
    }
    begin(w);
    w->offset = offset;
    const int64_t of_day = (at % SC_DAY_SECONDS + SC_DAY_SECONDS) % SC_DAY_SECONDS;
    sc_calendar_format((at - of_day) / SC_DAY_SECONDS, date);
    snprintf(text, sizeof text, " %sT%02d:%02d:%02dZ", date, (int)(of_day / 3600),
             (int)(of_day / 60 % 60), (int)(of_day % 60));
    put(w, text);
    put_offset(w);
}

/* Behind the last change of the table. */
static bool add_years(writing *w, const rule *r, int64_t behind)
{
    int64_t begin_at, end_at, year = 1970;
    if (!r->has_summer) {
        add(w, behind + 1, r->standard);
        return true;
    }
    if (behind > 0)
        year += behind / (INT64_C(366) * SC_DAY_SECONDS);
    for (; year < 9999; year++) {
        if (!local_of(&r->begin, year, &begin_at) || !local_of(&r->end, year, &end_at))
            return false;
        begin_at -= r->standard;
        end_at -= r->summer;
        const bool is_north = begin_at < end_at;
        const int64_t at[2] = {is_north ? begin_at : end_at,
                               is_north ? end_at : begin_at};
        if (at[0] > w->high)
            break;
        for (size_t i = 0; i < 2; i++)
            if (at[i] > behind)
                add(w, at[i], (i == 0) == is_north ? r->summer : r->standard);
    }
    return true;
}

static void put_date(writing *w, int64_t day)
{
    char date[SC_CALENDAR_TEXT_BYTES + 1];
    sc_calendar_format(day, date);
    put(w, date);
}

size_t sc_zone_rules_write(sc_text name, sc_text bytes, int64_t first, int64_t last,
                           char *text, size_t capacity)
{
    table t;
    rule r = {.has_summer = false};
    if (!read_table(bytes, &t) || (t.rule.bytes > 0 && !read_rule(t.rule, &r)))
        return 0;
    writing w = {.low = first * SC_DAY_SECONDS,
                 .high = (last + 1) * SC_DAY_SECONDS,
                 .offset = offset_of(&t, 0)};
    sc_text_sink_init(&w.sink, text, capacity);
    sc_text_put(&w.sink, name);
    put(&w, " ");
    put_date(&w, first);
    put(&w, "/");
    put_date(&w, last);
    put(&w, " ");
    int64_t behind = INT64_MIN / 2;
    for (size_t i = 0; i < t.change_count; i++) {
        behind = number_at(t.times + 8 * i, 8);
        add(&w, behind, offset_of(&t, (unsigned char)t.kinds[i]));
    }
    if (t.rule.bytes > 0 && !add_years(&w, &r, behind))
        return 0;
    begin(&w);
    return w.sink.length;
}

/* Policies. */

/* A day that stands at the front of text, as both ends of a range begin with one. */
static bool day_of(sc_text text, int64_t *day)
{
    text = sc_text_trim(text);
    return text.bytes >= SC_CALENDAR_TEXT_BYTES &&
           sc_calendar_parse((sc_text){text.start, SC_CALENDAR_TEXT_BYTES}, day);
}

/* The first and last day of all columns of timestamps; false without such a column. */
static bool find_days(sc_text policy, int64_t *first, int64_t *last)
{
    sc_text line, key, value, name, type, low, high;
    int64_t from, to;
    bool any = false;
    while (sc_schema_line(&policy, &line, &key, &value)) {
        if (!sc_text_is(key, "column") || !sc_text_split(value, '=', &name, &type) ||
            !sc_text_split(type, '[', &name, &type) ||
            !sc_text_is(sc_text_trim(name), "timestamp") ||
            !sc_text_split(type, ',', &low, &high) || !day_of(low, &from) ||
            !day_of(high, &to))
            continue;
        *first = any && *first < from ? *first : from;
        *last = any && *last > to ? *last : to;
        any = true;
    }
    return any;
}

static bool find_zone(sc_text policy, sc_text *value)
{
    sc_text line, key;
    while (sc_schema_line(&policy, &line, &key, value))
        if (sc_text_is(key, "zone"))
            return true;
    return false;
}

/* Is it a name, and does it lack changes for these days? */
static bool needs_rules(sc_text value, int64_t first, int64_t last, sc_text *name)
{
    sc_text rest = value, days, low, high;
    int64_t from, to;
    if (!sc_text_word(&rest, name) || !sc_zone_is_name(*name))
        return false;
    return !sc_text_word(&rest, &days) || !sc_text_split(days, '/', &low, &high) ||
           !sc_calendar_parse(low, &from) || !sc_calendar_parse(high, &to) ||
           from > first || to < last;
}

static scrim_status read_file(sc_text name, char *bytes, size_t *count,
                              scrim_error *error)
{
    char path[sizeof FOLDER + SC_ZONE_NAME_BYTES], quote[SC_TEXT_QUOTE_BYTES];
    snprintf(path, sizeof path, FOLDER "%.*s", (int)name.bytes, name.start);
    const int file = sc_descriptor_open(path, O_RDONLY);
    ssize_t got = 0;
    *count = 0;
    while (file >= 0 && *count < TABLE_BYTES &&
           (got = read(file, bytes + *count, TABLE_BYTES - *count)) > 0)
        *count += (size_t)got;
    if (file >= 0)
        close(file);
    if (file < 0 || got < 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "zone",
                           "zone %s: this system does not know it; use an offset such as "
                           "+01:00, or a name such as Europe/Berlin",
                           sc_text_quote(name, quote));
    return SCRIM_OK;
}

/* The policy with another value of its zone. */
static char *replace_zone(sc_text policy, const char *zone)
{
    const size_t bytes = policy.bytes + strlen(zone) + 16;
    char *text = sc_allocate(bytes, 1);
    sc_text line, key, value;
    sc_text_sink sink;
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    while (policy.bytes > 0) {
        sc_text one, rest = {NULL, 0};
        if (!sc_text_split(policy, '\n', &one, &rest))
            one = policy;
        sc_text seen = one;
        if (sc_schema_line(&seen, &line, &key, &value) && sc_text_is(key, "zone")) {
            sc_text_put(&sink, sc_text_of("zone="));
            sc_text_put(&sink, sc_text_of(zone));
        } else {
            sc_text_put(&sink, one);
        }
        sc_text_put(&sink, sc_text_of("\n"));
        policy = rest;
    }
    return text;
}

static scrim_status copy_rules(sc_text policy, sc_text name, int64_t first, int64_t last,
                               char **out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    char *bytes = sc_allocate(TABLE_BYTES, 1), *line = NULL;
    size_t count = 0, length = 0;
    scrim_status status = bytes == NULL ? sc_no_memory(error, "a policy")
                                        : read_file(name, bytes, &count, error);
    if (status == SCRIM_OK) {
        length = sc_zone_rules_write(name, (sc_text){bytes, count}, first, last, NULL, 0);
        if (length == 0)
            status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "zone",
                                 "zone %s: the system's table of it cannot be read; use "
                                 "an offset such as +01:00",
                                 sc_text_quote(name, quote));
    }
    if (status == SCRIM_OK) {
        line = sc_allocate(length + 1, 1);
        status = line == NULL ? sc_no_memory(error, "a policy") : SCRIM_OK;
    }
    if (status == SCRIM_OK) {
        (void)sc_zone_rules_write(name, (sc_text){bytes, count}, first, last, line,
                                  length + 1);
        *out = replace_zone(policy, line);
        status = *out == NULL ? sc_no_memory(error, "a policy") : SCRIM_OK;
    }
    sc_free(line);
    sc_free(bytes);
    return status;
}

scrim_status sc_zone_rules_copy(sc_text policy, char **out, scrim_error *error)
{
    sc_text value, name;
    int64_t first = 0, last = 0;
    *out = NULL;
    if (!find_zone(policy, &value))
        return SCRIM_OK;
    (void)find_days(policy, &first, &last);
    if (!needs_rules(value, first, last, &name))
        return SCRIM_OK;
    first = first < SC_CALENDAR_FIRST + MARGIN ? SC_CALENDAR_FIRST : first - MARGIN;
    last = last > SC_CALENDAR_LAST - MARGIN ? SC_CALENDAR_LAST : last + MARGIN;
    return copy_rules(policy, name, first, last, out, error);
}
