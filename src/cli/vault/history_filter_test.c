#include "check.h"
#include "cli/vault/history_filter.h"

TEST(history_date_is_a_day_or_a_time_in_utc)
{
    static const struct {
        const char *text;
        uint64_t seconds;
    } dates[] = {{"2026-11-01", 1793491200},
                 {"2026-11-01T12:30:05Z", 1793536205},
                 {"2024-02-29", 1709164800},
                 {"1970-01-02", 86400}};
    static const char *const wrong[] = {"",
                                        "2026",
                                        "2026-11",
                                        "2026-11-1",
                                        "2026-02-29",
                                        "2026-13-01",
                                        "01.11.2026",
                                        "2026-11-0x",
                                        "yesterday!",
                                        "1969-12-31",
                                        "2026-11-01T12:30",
                                        "2026-11-01T12:30:05",
                                        "2026-11-01T24:00:00Z",
                                        "2026-11-01T12:30:61Z",
                                        "2026-11-01T12:30:05Zx",
                                        " 2026-11-1"};
    uint64_t seconds = 0;
    for (size_t i = 0; i < COUNT(dates); i++) {
        CHECK(sc_history_date(dates[i].text, &seconds));
        CHECK_INT(seconds, dates[i].seconds);
    }
    for (size_t i = 0; i < COUNT(wrong); i++)
        CHECK(!sc_history_date(wrong[i], &seconds));
}

TEST(history_filter_keeps_what_has_no_time)
{
    const sc_history_filter all = {.analyst = NULL},
                            some = {.analyst = "alice", .since = 100};
    CHECK(sc_history_filter_keeps(&all, "bob", 1));
    CHECK(sc_history_filter_keeps(&some, "alice", 100));
    CHECK(!sc_history_filter_keeps(&some, "alice", 99));
    CHECK(!sc_history_filter_keeps(&some, "bob", 100));
    CHECK(sc_history_filter_keeps(&some, "alice", 0));
}
