#include "check.h"
#include "query/answer/series_text.h"

#include <string.h>

static const char whole[] = "query SELECT word , COUNT ( * ) GROUP BY word\n"
                            "epsilon 0.1\n"
                            "delta 0.000000001\n"
                            "mechanism laplace\n"
                            "expect 300\n"
                            "known-keys continue\n"
                            "column speech\n"
                            "window 1 602\n"
                            "window 603 7220\n";

TEST(series_text_is_read_as_it_was_written)
{
    CLAIM("series-text.whole");
    static const char *const texts[] = {
        whole,
        "query SELECT 1\nepsilon 1\ndelta 0\nknown-keys rethreshold\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys continue\ndates day\n"
        "window 2020-01-01 2020-02-01\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys continue\nkey-ranges public\n",
        "query q\nepsilon 1\ndelta 0\nmax-groups 3\nmax-rows 2\nmax-total-rows 60\n"
        "known-keys continue\n",
        "query q\nepsilon 1\ndelta 0\nmax-total-rows 60\nmax-total amount=500\n"
        "max-total hours=-3,8\nknown-keys continue\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys continue\nanswers running\n"
        "column day\nwindow 1 2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sc_series_text text;
        sc_arena arena;
        sc_arena_init(&arena);
        CHECK_STATUS(sc_series_text_read(sc_text_of(texts[i]), &arena, &text, NULL),
                     SCRIM_OK);
        CHECK_STR(sc_series_text_write(&text, &arena), texts[i]);
        sc_arena_clear(&arena);
    }
}

TEST(series_text_has_its_parts)
{
    sc_series_text text;
    sc_arena arena;
    sc_arena_init(&arena);
    REQUIRE_OK(sc_series_text_read(sc_text_of(whole), &arena, &text, NULL));
    CHECK(text.is_continued && !text.is_date);
    CHECK(sc_text_is(text.column, "speech") && sc_text_is(text.expect, "300"));
    CHECK_INT(text.window_count, 2);
    CHECK(sc_text_is(text.windows[1].low, "603") &&
          sc_text_is(text.windows[1].high, "7220"));
    sc_arena_clear(&arena);
}

TEST(series_text_refuses_all_others)
{
    CLAIM("series-text.whole");
    static const char *const texts[] = {
        "",
        "query q\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys maybe\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys continue\nanswers running\n",
        ("query q\nepsilon 1\ndelta 0\nknown-keys continue\nanswers walking\n"
         "column day\nwindow 1 2\n"),
        "query q\nepsilon 1\ndelta 0\nknown-keys continue",
        "query q\nepsilon 1\nknown-keys continue\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys continue\nwindow 1 2\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys continue\ncolumn day\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys continue\ncolumn day\nwindow 1\n",
        "query q\nepsilon 1\ndelta 0\nexpect 3\nmechanism laplace\nknown-keys continue\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys continue\nmore\n",
        "query q\nepsilon 1\ndelta 0\nmax-total a=1\nmax-rows 2\nknown-keys continue\n",
        "query q\nepsilon 1\ndelta 0\nknown-keys continue\nkey-ranges discovered\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sc_series_text text;
        sc_arena arena;
        sc_arena_init(&arena);
        if (!CHECK_STATUS(sc_series_text_read(sc_text_of(texts[i]), &arena, &text, NULL),
                          SCRIM_E_LEDGER))
            CHECK_FAIL("%s", texts[i]);
        sc_arena_clear(&arena);
    }
}
