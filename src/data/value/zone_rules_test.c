#include "check.h"
#include "data/value/calendar.h"
#include "data/value/zone_rules.h"

#include <stdio.h>
#include <string.h>

/* A table of RFC 8536, version 2: the block of 32 bits is empty. */
typedef struct table_bytes {
    char bytes[2000];
    size_t count;
} table_bytes;

static void put_number(table_bytes *t, int64_t value, size_t bytes)
{
    for (size_t i = bytes; i-- > 0;)
        t->bytes[t->count++] = (char)(uint8_t)((uint64_t)value >> (8 * i));
}

static void put_head(table_bytes *t, int64_t changes, int64_t types)
{
    const int64_t counts[] = {0, 0, 0, changes, types, 4};
    memcpy(t->bytes + t->count, "TZif2", 5);
    memset(t->bytes + t->count + 5, 0, 15);
    t->count += 20;
    for (size_t i = 0; i < 6; i++)
        put_number(t, counts[i], 4);
}

static void put_block(table_bytes *t, const int64_t *times, const char *kinds,
                      size_t changes, const int64_t *offsets, size_t types, size_t width)
{
    put_head(t, (int64_t)changes, (int64_t)types);
    for (size_t i = 0; i < changes; i++)
        put_number(t, times[i], width);
    for (size_t i = 0; i < changes; i++)
        t->bytes[t->count++] = kinds[i];
    for (size_t i = 0; i < types; i++) {
        put_number(t, offsets[i], 4);
        put_number(t, 0, 2);
    }
    memcpy(t->bytes + t->count, "LMT", 4);
    t->count += 4;
}

static void make_table(table_bytes *t, const int64_t *times, const char *kinds,
                       size_t changes, const int64_t *offsets, size_t types,
                       const char *rule)
{
    t->count = 0;
    put_block(t, NULL, NULL, 0, offsets, 1, 4);
    put_block(t, times, kinds, changes, offsets, types, 8);
    t->count +=
        (size_t)snprintf(t->bytes + t->count, sizeof t->bytes - t->count, "\n%s\n", rule);
}

static const char *written(const table_bytes *t, const char *from, const char *to)
{
    static char text[4000];
    int64_t first = 0, last = 0;
    CHECK(sc_calendar_parse(sc_text_of(from), &first));
    CHECK(sc_calendar_parse(sc_text_of(to), &last));
    const size_t length = sc_zone_rules_write(
        sc_text_of("Z"), (sc_text){t->bytes, t->count}, first, last, text, sizeof text);
    CHECK(length < sizeof text);
    return length == 0 ? "none" : text;
}

/* By changes that are listed, and by the rule behind the last of them; both must say the same. */
TEST(zone_rules_are_copied_from_tables)
{
    CLAIM("zone-rules.copied");
    static const char want[] = "Z 2025-12-30/2027-01-03 +01:00 "
                               "2026-03-29T01:00:00Z+02:00 2026-10-25T01:00:00Z+01:00";
    const int64_t offsets[] = {3208, 3600, 7200};
    const int64_t times[] = {-2422054408, 828234000, 1774746000, 1792890000, 1806195600};
    table_bytes t;
    make_table(&t, times, "\1\2\2\1\2", 5, offsets, 3, "CET-1CEST,M3.5.0,M10.5.0/3");
    /* 828234000 made summer of 1996 and lasts, as far as the table says. */
    CHECK_STR(written(&t, "2025-12-30", "2027-01-03"),
              "Z 2025-12-30/2027-01-03 +02:00 2026-10-25T01:00:00Z+01:00");
    make_table(&t, times, "\1", 1, offsets, 3, "CET-1CEST,M3.5.0,M10.5.0/3");
    CHECK_STR(written(&t, "2025-12-30", "2027-01-03"), want);
    CHECK_STR(written(&t, "1800-01-01", "1900-01-01"),
              "Z 1800-01-01/1900-01-01 +00:53:28 1893-03-31T23:06:32Z+01:00");
    CHECK_STR(written(&t, "2026-04-01", "2026-05-01"), "Z 2026-04-01/2026-05-01 +02:00");
    make_table(&t, NULL, NULL, 0, offsets + 1, 1, "<+0530>-5:30");
    CHECK_STR(written(&t, "2026-04-01", "2026-05-01"), "Z 2026-04-01/2026-05-01 +05:30");
    /* South of the equator summer ends first; hours beyond a day. */
    make_table(&t, NULL, NULL, 0, offsets, 1, "AEST-10AEDT,M10.1.0,M4.1.0/3");
    CHECK_STR(written(&t, "2026-03-01", "2026-11-01"),
              "Z 2026-03-01/2026-11-01 +11:00 2026-04-04T16:00:00Z+10:00 "
              "2026-10-03T16:00:00Z+11:00");
    make_table(&t, NULL, NULL, 0, offsets, 1, "EET-2EEST,M3.4.4/50,M10.4.4/50");
    CHECK_STR(written(&t, "2026-01-01", "2026-04-01"),
              "Z 2026-01-01/2026-04-01 +02:00 2026-03-28T00:00:00Z+03:00");
}

TEST(zone_rules_refuse_other_bytes)
{
    const int64_t offsets[] = {3600};
    table_bytes t;
    make_table(&t, NULL, NULL, 0, offsets, 1, "CET-1CEST,J60,M10.5.0/3");
    CHECK_STR(written(&t, "2026-01-01", "2026-04-01"), "none");
    make_table(&t, NULL, NULL, 0, offsets, 1, "CET-1");
    for (size_t i = 0; i < t.count; i++) {
        table_bytes cut = t;
        cut.count = i;
        CHECK_STR(written(&cut, "2026-01-01", "2026-04-01"), "none");
    }
    t.bytes[4] = '1';
    CHECK_STR(written(&t, "2026-01-01", "2026-04-01"), "none");
}

/* A policy that has its changes stays as it is, unless they do not cover its columns. */
TEST(zone_rules_leave_a_policy_that_has_them)
{
    CLAIM("zone-rules.copied");
    static const char *const kept[] = {
        "unit=row\ncolumn=t=timestamp[2026-01-01,2026-02-01]\nzone=UTC\n",
        "unit=row\ncolumn=t=timestamp[2026-01-01,2026-02-01]\nzone=+01:00\n",
        "unit=row\ncolumn=t=timestamp[2026-01-01,2026-02-01]\n",
        ("unit=row\nzone=No/Such 2025-12-30/2026-02-03 +01:00\n"
         "column=t=timestamp[2026-01-01,2026-02-01 12:00]\n"),
    };
    scrim_error error = {.status = SCRIM_OK};
    char *whole = NULL;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        CHECK_STATUS(sc_zone_rules_copy(sc_text_of(kept[i]), &whole, NULL), SCRIM_OK);
        CHECK(whole == NULL);
    }
    CHECK_STATUS(sc_zone_rules_copy(
                     sc_text_of("unit=row\nzone=No/Such 2025-12-30/2026-02-03 +01:00\n"
                                "column=t=timestamp[2026-01-01,2026-03-01]\n"),
                     &whole, &error),
                 SCRIM_E_PARAM);
    CHECK(strstr(error.message, "zone No/Such: this system does not know it") != NULL);
}
