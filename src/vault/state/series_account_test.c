#include "check.h"
#include "faults.h"
#include "vault/state/book.h"

#include <stdio.h>
#include <string.h>

#define HASH "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define ROWS "unit=row\nneighbours=add-remove\ncolumn=day=int[1,100]"
#define FILED ROWS "\ncontents=x"
#define PEOPLE "unit=person\nneighbours=add-remove\ncolumn=day=int[1,100]"

typedef struct desk {
    sc_book book;
    sc_event event;
    uint64_t entries;
    scrim_error error;
} desk;

static scrim_status say(desk *d, const char *text)
{
    scrim_status status = sc_event_parse(sc_text_of(text), &d->event, &d->error);
    if (status == SCRIM_OK)
        status = sc_book_apply(&d->book, d->entries + 1, &d->event, &d->error);
    d->entries += status == SCRIM_OK;
    return status;
}

/* A dataset of this policy, 1, under a budget of 1. */
static void open_desk(desk *d, const char *policy)
{
    char line[300];
    *d = (desk){0};
    sc_book_init(&d->book);
    sc_event_init(&d->event);
    CHECK_STATUS(say(d, "init 1 " HASH), SCRIM_OK);
    CHECK_STATUS(say(d, "analyst 1000 alice"), SCRIM_OK);
    CHECK_STATUS(say(d, "analyst 1001 bob"), SCRIM_OK);
    CHECK_STATUS(say(d, "population people add-remove sum 1 0.1 1"), SCRIM_OK);
    snprintf(line, sizeof line, "dataset table 1\n%s", policy);
    CHECK_STATUS(say(d, line), SCRIM_OK);
}

static void close_desk(desk *d)
{
    sc_event_clear(&d->event);
    sc_book_clear(&d->book);
}

static void check_spent(const desk *d, uint64_t analyst, const char *amount)
{
    char text[SCRIM_NUMBER_BYTES];
    sc_book_format_upper(&sc_book_tally(&d->book, 1, analyst)->amount, text);
    CHECK_STR(text, amount);
}

/* The amount that a window of price 1 would add in that version. */
static void check_adds(const desk *d, uint64_t version, const char *want)
{
    char text[SCRIM_NUMBER_BYTES];
    sc_ratio amount, delta;
    sc_ratio_init(&amount);
    sc_ratio_init(&delta);
    sc_ratio_set_int64(&amount, 1);
    sc_series_account_price(sc_book_series(&d->book, 1), version, &amount, &delta);
    sc_book_format_upper(&amount, text);
    CHECK_STR(text, want);
    CHECK_INT(sc_ratio_sign(&delta), 0);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&amount);
}

TEST(series_windows_of_a_version_cost_what_the_most_expensive_costs)
{
    CLAIM("series.parallel");
    desk d;
    open_desk(&d, FILED);
    CHECK_STATUS(say(&d, "series s 1 5 parallel"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.2 0.01 0.2 0.01\nq"), SCRIM_OK);
    check_spent(&d, 0, "0.2");
    check_adds(&d, 1, "0.8"); /* above the 0.2 that are paid */
    check_adds(&d, 2, "1");
    CHECK_STATUS(say(&d, "window2 1 3 1 1 1 0 0 0.1 0.01\nq"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 4 1 1 1 0.1 0 0.3 0.01\nq"), SCRIM_OK);
    check_spent(&d, 0, "0.3");
    CHECK_INT(sc_book_tally(&d.book, 1, 0)->charges, 3);
    /* what adds too much for the budget is refused as any charge is, and leaves no trace */
    CHECK_STATUS(say(&d, "window2 1 5 1 1 1 0.71 0 1.01 0.01\nq"), SCRIM_E_BUDGET);
    CHECK_INT(sc_book_series(&d.book, 1)->last, 4);
    CHECK_STATUS(say(&d, "window2 1 5 1 1 1 0.7 0 1 0.01\nq"), SCRIM_OK);
    close_desk(&d);
}

/* A window that adds less, or more, than its price asks for is no entry of any ledger. */
TEST(series_windows_add_what_their_price_asks_for)
{
    CLAIM("series.parallel");
    static const char *const wrong[] = {
        "window2 1 2 1 1 1 0 0 0.3 0.01\nq", "window2 1 2 1 1 1 0.3 0 0.3 0.01\nq",
        "window2 1 2 1 1 1 0.1 0 0.1 0.01\nq", "window2 1 2 1 1 1 0 0 0.2 0.02\nq",
        "window2 1 2 1 1 1 0 0.02 0.2 0.02\nq"};
    desk d;
    open_desk(&d, FILED);
    CHECK_STATUS(say(&d, "series s 1 5 parallel"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.2 0.01 0.2 0.01\nq"), SCRIM_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_STATUS(say(&d, wrong[i]), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "window2 1 2 1 1 1 0.1 0.01 0.3 0.02\nq"), SCRIM_OK);
    check_spent(&d, 0, "0.3");
    close_desk(&d);
}

/* An edited row may be in another window of the next version: each version pays. */
TEST(A77_each_version_adds_its_most_expensive_window)
{
    CLAIM("series.history");
    desk d;
    open_desk(&d, FILED);
    CHECK_STATUS(say(&d, "series s 1 9 parallel"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.1 0 0.1 0\nq"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 2 1 1 1 0.1 0 0.2 0\nq"), SCRIM_OK);
    CHECK_STATUS(say(&d, "update 1 2\n" FILED), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 3 1 2 1 0 0 0.2 0\nq"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "window2 1 3 1 2 1 0.2 0 0.2 0\nq"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 4 1 2 1 0 0 0.1 0\nq"), SCRIM_OK);
    /* a policy is a version, too */
    CHECK_STATUS(say(&d, "policy 1 3\n" FILED), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 5 1 3 1 0.1 0 0.1 0\nq"), SCRIM_OK);
    check_spent(&d, 0, "0.5");
    CHECK(!sc_book_series(&d.book, 1)->is_underpaid);
    close_desk(&d);
}

/* Contents that nobody can hold against anything may be others at every release. */
TEST(A77_a_stream_has_no_windows)
{
    CLAIM("series.parallel");
    desk d;
    open_desk(&d, ROWS);
    CHECK_STATUS(say(&d, "series s 1 5 parallel"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.2 0 0.2 0\nq"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "update 1 2\n" FILED), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 1 1 2 1 0.2 0 0.2 0\nq"), SCRIM_OK);
    CHECK_STATUS(say(&d, "update 1 3\n" ROWS), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 2 1 3 1 0.2 0 0.2 0\nq"), SCRIM_E_POLICY);
    close_desk(&d);
}

/* A window of another dataset is no part of a series, whatever was charged for its own. */
TEST(A77_a_window_is_of_the_dataset_of_its_series)
{
    CLAIM("series.history");
    static const char *const windows[] = {"window 1 2 2 1 1 0 0\nq",
                                          "window2 1 2 2 1 1 0 0 0.2 0\nq",
                                          "window2 2 2 1 1 1 0 0 0.2 0\nq"};
    desk d;
    open_desk(&d, FILED);
    CHECK_STATUS(say(&d, "dataset other 1\n" FILED), SCRIM_OK);
    CHECK_STATUS(say(&d, "series s 1 9 parallel"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.2 0 0.2 0\nq"), SCRIM_OK);
    for (size_t i = 0; i < COUNT(windows); i++)
        CHECK_STATUS(say(&d, windows[i]), SCRIM_E_PARAM);
    CHECK_STATUS(say(&d, "window2 1 2 1 1 1 0 0 0.2 0\nq"), SCRIM_OK);
    close_desk(&d);
}

/* Entries of the earlier rule are what they were, and what comes after them is right. */
TEST(A77_windows_of_the_earlier_rule_are_read_for_ever)
{
    CLAIM("series.history");
    desk d;
    open_desk(&d, FILED);
    CHECK_STATUS(say(&d, "series s 1 9 parallel"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window 1 1 1 1 1 0.2 0\nq"), SCRIM_OK);
    check_adds(&d, 1, "0.8");
    CHECK(!sc_book_series(&d.book, 1)->is_underpaid);
    CHECK_STATUS(say(&d, "update 1 2\n" FILED), SCRIM_OK);
    check_adds(&d, 2, "1"); /* nothing was paid for version 2 */
    CHECK_STATUS(say(&d, "window 1 2 1 2 1 0 0\nq"), SCRIM_OK);
    CHECK(sc_book_series(&d.book, 1)->is_underpaid);
    check_adds(&d, 2, "1"); /* nor is its price known */
    CHECK_STATUS(say(&d, "window 1 3 1 2 1 0.1 0\nq"), SCRIM_OK);
    check_adds(&d, 2, "0.7"); /* its price was 0.3 */
    CHECK_STATUS(say(&d, "window2 1 4 1 2 1 0.1 0 0.4 0\nq"), SCRIM_OK);
    check_spent(&d, 0, "0.4");
    CHECK_STATUS(say(&d, "window 1 5 1 2 1 0 0\nq"), SCRIM_E_POLICY); /* it is over */
    CHECK_STATUS(say(&d, "update 1 3\n" FILED), SCRIM_OK);
    CHECK_STATUS(say(&d, "window 1 5 1 3 1 0 0\nq"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "window2 1 5 1 3 1 0.4 0 0.4 0\nq"), SCRIM_OK);
    check_spent(&d, 0, "0.8");
    close_desk(&d);
}

/* A window that would be charged too little is no entry of any ledger. */
TEST(series_windows_are_refused_where_a_unit_can_be_in_two)
{
    CLAIM("series.parallel");
    static const char *const policies[] = {
        PEOPLE "\ncontents=x",
        "unit=row\nneighbours=replace\ncolumn=day=int[1,100]\ncontents=x",
        "neighbours=add-remove\ncontents=x", "unit=row\ncontents=x"};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        desk d;
        open_desk(&d, policies[i]);
        CHECK_STATUS(say(&d, "series s 1 5 parallel"), SCRIM_E_POLICY);
        CHECK_INT(d.book.series_count, 0);
        CHECK_STATUS(say(&d, "series s 1 5 sequential"), SCRIM_OK);
        CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.2 0 0.2 0\nq"), SCRIM_E_POLICY);
        CHECK_STATUS(say(&d, "charge 1 1 1 0.1 0\nq"), SCRIM_OK);
        close_desk(&d);
    }
}

TEST(series_windows_come_once_and_from_one_analyst)
{
    CLAIM("series.parallel");
    desk d;
    open_desk(&d, FILED);
    CHECK_STATUS(say(&d, "dataset other 1\n" FILED), SCRIM_OK);
    CHECK_STATUS(say(&d, "series s 1 5 parallel"), SCRIM_OK);
    CHECK_STATUS(say(&d, "series s 1 5 parallel"), SCRIM_E_PARAM);
    CHECK_STATUS(say(&d, "window2 2 1 1 1 1 0.2 0 0.2 0\nq"), SCRIM_E_PARAM);
    /* other's rows */
    CHECK_STATUS(say(&d, "window2 1 1 2 1 1 0.2 0 0.2 0\nq"), SCRIM_E_PARAM);
    CHECK_STATUS(say(&d, "window2 1 6 1 1 1 0.2 0 0.2 0\nq"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "window2 1 2 1 1 1 0.2 0 0.2 0\nq"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 2 1 1 1 0 0 0.2 0\nq"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.2 0 0.2 0\nq"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "window2 1 3 1 1 2 0 0 0.2 0\nq"), SCRIM_E_POLICY);
    /* another version */
    CHECK_STATUS(say(&d, "window2 1 3 1 2 1 0.2 0 0.2 0\nq"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "window2 1 3 1 1 1 0 0 0.2 0\nq"), SCRIM_OK);
    CHECK_STATUS(say(&d, "remove 1"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 4 1 1 1 0 0 0.2 0\nq"), SCRIM_E_POLICY);
    close_desk(&d);
}

/* A row of 60 is in another window once the range ends at 50. */
TEST(series_windows_end_when_a_row_becomes_something_else)
{
    CLAIM("series.parallel");
    static const char *const changes[] = {
        "policy 1 2\nunit=row\nneighbours=add-remove\ncolumn=day=int[1,50]\ncontents=x",
        "policy 1 2\n" PEOPLE "\ncontents=x",
        "update 1 2\n" PEOPLE "\ncontents=x",
        "policy 1 2\n" FILED "\nmissing=day=5",
        "policy 1 2\n" FILED "\ncsv=other.csv",
        "policy 1 2\n" FILED "\ntable=other",
        "policy 1 2\n" FILED "\nseparator=;",
        "policy 1 2\n" FILED "\ndecimal=,",
        "policy 1 2\n" FILED "\ndate-format=DD.MM.YYYY",
        "policy 1 2\n" FILED "\nnull=NA",
        ("policy 1 2\nunit=row\nneighbours=add-remove\n"
         "column=day=date[2020-01-01,2021-01-01]\ncontents=x")};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        desk d;
        open_desk(&d, FILED);
        CHECK_STATUS(say(&d, "series s 1 5 parallel"), SCRIM_OK);
        CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.2 0 0.2 0\nq"), SCRIM_OK);
        CHECK_STATUS(say(&d, changes[i]), SCRIM_OK);
        CHECK_STATUS(say(&d, "window2 1 2 1 2 1 0.2 0 0.2 0\nq"), SCRIM_E_POLICY);
        /* and are not back when it is what it was: nobody knows what was released between */
        CHECK_STATUS(say(&d, "policy 1 3\n" FILED), SCRIM_OK);
        CHECK_STATUS(say(&d, "window2 1 2 1 3 1 0.2 0 0.2 0\nq"), SCRIM_E_POLICY);
        close_desk(&d);
    }
    desk d;
    open_desk(&d, FILED);
    CHECK_STATUS(say(&d, "series s 1 5 parallel"), SCRIM_OK);
    CHECK_STATUS(say(&d, "update 1 2\n# new rows\n" FILED), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 1 1 2 1 0.2 0 0.2 0\nq"), SCRIM_OK);
    close_desk(&d);
}

TEST(series_windows_are_within_the_cap_together)
{
    desk d;
    open_desk(&d, FILED);
    CHECK_STATUS(say(&d, "cap 1 0.25 - 0.1"), SCRIM_OK);
    CHECK_STATUS(say(&d, "series s 1 5 parallel"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.05 0 0.05 0\nq"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "window2 1 1 1 1 1 0.2 0 0.2 0\nq"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 2 1 1 1 0 0 0.2 0\nq"), SCRIM_OK);
    CHECK_STATUS(say(&d, "window2 1 3 1 1 1 0.06 0 0.26 0\nq"), SCRIM_E_POLICY);
    close_desk(&d);
}

TEST(series_account_survives_without_memory)
{
    FAULT_LOOP(fault)
    {
        desk d = {.entries = 0};
        sc_book_init(&d.book);
        sc_event_init(&d.event);
        static const char *const lines[] = {"init 1 " HASH,
                                            "analyst 1000 alice",
                                            "population people add-remove sum 1 0.1 1",
                                            "dataset table 1\n" FILED,
                                            "series s 1 5 parallel",
                                            "update 1 2\n" FILED,
                                            "window2 1 1 1 2 1 0.2 0 0.2 0\nq"};
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            scrim_status status = say(&d, lines[i]);
            if (status == SCRIM_E_MEMORY)
                status =
                    say(&d, lines[i]); /* nothing has changed: it can be said again */
            CHECK_STATUS(status, SCRIM_OK);
        }
        check_spent(&d, 0, "0.2");
        close_desk(&d);
    }
}
