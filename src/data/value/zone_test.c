#include "check.h"
#include "data/value/zone.h"

#include <string.h>

/* 2026: summer from the 29th of March, 01:00 UTC, to the 25th of October, 01:00 UTC. */
static const char berlin[] =
    "Europe/Berlin 2025-12-30/2027-01-03 +01:00 2026-03-29T01:00:00Z+02:00 "
    "2026-10-25T01:00:00Z+01:00";
#define SUMMER INT64_C(1774746000)
#define WINTER INT64_C(1792890000)

TEST(zone_line_has_its_changes)
{
    sc_arena arena;
    const sc_zone *zone = NULL;
    sc_arena_init(&arena);
    REQUIRE_OK(sc_zone_parse(sc_text_of(berlin), &arena, &zone, NULL));
    CHECK_INT(zone->count, 3);
    CHECK_INT(zone->from[1], SUMMER);
    CHECK_INT(zone->from[2], WINTER);
    CHECK_INT(zone->offsets[0], 3600);
    CHECK_INT(zone->offsets[1], 7200);
    CHECK_INT(zone->last - zone->first, 369);
    CHECK(sc_text_is(zone->name, "Europe/Berlin"));
    CHECK_INT(sc_zone_local(zone, SUMMER - 1), SUMMER - 1 + 3600);
    CHECK_INT(sc_zone_local(zone, SUMMER), SUMMER + 7200);
    CHECK_INT(sc_zone_local(zone, WINTER - 1), WINTER - 1 + 7200);
    CHECK_INT(sc_zone_local(zone, WINTER), WINTER + 3600);
    sc_arena_clear(&arena);
}

/* Every second about the changes: back and forth, but in the hour that comes twice, where the later
 * one is meant, and in the gap, which is moved behind it. */
TEST(zone_every_local_time_has_an_instant)
{
    CLAIM("zone.total");
    sc_arena arena;
    const sc_zone *zone = NULL;
    sc_arena_init(&arena);
    REQUIRE_OK(sc_zone_parse(sc_text_of(berlin), &arena, &zone, NULL));
    for (int64_t t = -10000; t < 10000; t++) {
        const int64_t of_summer = SUMMER + t, of_winter = WINTER + t;
        CHECK_INT(sc_zone_instant(zone, sc_zone_local(zone, of_summer)), of_summer);
        CHECK_INT(sc_zone_instant(zone, sc_zone_local(zone, of_winter)),
                  t >= -3600 && t < 0 ? of_winter + 3600 : of_winter);
        /* 02:30 on the 29th of March is 03:30. */
        if (t >= 0 && t < 3600)
            CHECK_INT(sc_zone_instant(zone, of_summer + 3600), of_summer);
    }
    sc_arena_clear(&arena);
}

TEST(zone_lines_that_are_none)
{
    static const char *const wrong[] = {
        "",
        "Europe/Berlin",
        "CET",
        "utc",
        "+1",
        "+16:00",
        "01:00",
        "+01:00 x",
        "Europe/Berlin 2026-01-01/2025-01-01 +01:00",
        "Europe/Berlin 2025-01-01/2026-01-01",
        "Europe/Berlin 2025-01-01/2026-01-01 1",
        "Europe/Berlin 2025-01-01/2026-01-01 +01:00 2025-03-30T01:00:00+02:00",
        ("Europe/Berlin 2025-01-01/2026-01-01 +01:00 2025-03-30T01:00:00Z+02:00 "
         "2025-03-30T01:00:00Z+01:00"),
        "../Berlin 2025-01-01/2026-01-01 +01:00",
    };
    static const struct {
        const char *text;
        int64_t offset;
    } fixed[] = {
        {"UTC", 0}, {"+00:00", 0}, {"-03:30", -12600}, {"+05", 18000}, {"+0545", 20700}};
    sc_arena arena;
    const sc_zone *zone = NULL;
    sc_arena_init(&arena);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!CHECK_STATUS(sc_zone_parse(sc_text_of(wrong[i]), &arena, &zone, NULL),
                          SCRIM_E_PARAM))
            CHECK_STR(wrong[i], "");
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (CHECK_STATUS(sc_zone_parse(sc_text_of(fixed[i].text), &arena, &zone, NULL),
                         SCRIM_OK)) {
            CHECK_INT(zone->offsets[0], fixed[i].offset);
            CHECK_INT(sc_zone_instant(zone, sc_zone_local(zone, 12345)), 12345);
        }
    sc_arena_clear(&arena);
}
