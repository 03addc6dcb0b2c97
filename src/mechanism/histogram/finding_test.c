#include "check.h"
#include "dropped.h"
#include "mechanism/histogram/bar_statistics.h"

#include <string.h>

TEST(finding_names)
{
    static const char *const names[] = {"max",      "min",     "range",
                                        "interval", "support", "quantile",
                                        "mode",     "max-k",   "total"};
    for (size_t i = 0; i < COUNT(names); i++)
        CHECK_STR(sc_finding_name((sc_finding_kind)i), names[i]);
}

/* A sentence says how long it is, and is cut where there is no room. */
TEST(finding_sentences_are_cut_as_snprintf_does)
{
    static const uint64_t x[] = {0, 3}, y[] = {0, 1};
    dropped_case c;
    sc_exact_finding f;
    char text[SC_FINDING_TEXT_BYTES], few[12];
    dropped_set(&c, x, y, 2, 2, "0");
    REQUIRE_OK(sc_bars_min(&c.bars, &f, NULL));
    const size_t length = sc_finding_statement(&f, &c.bars, text, sizeof text);
    CHECK_STR(text, "at least 1 element lies at it; no number below it holds more than "
                    "2, and at most 2 elements lie below it");
    CHECK_INT(length, strlen(text));
    CHECK_INT(sc_finding_statement(&f, &c.bars, NULL, 0), length);
    CHECK_INT(sc_finding_statement(&f, &c.bars, few, sizeof few), length);
    CHECK_STR(few, "at least 1 ");
    sc_finding_clear(&f);
    dropped_clear(&c);
}

/* The longest numbers fit. */
TEST(finding_sentences_have_room)
{
    sc_buckets b;
    sc_bars y;
    sc_exact_finding f;
    sc_ratio lower, step;
    char text[SC_FINDING_TEXT_BYTES];
    sc_ratio_init(&lower);
    sc_ratio_init(&step);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("-2^4000"), &lower, NULL), SCRIM_OK);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("2^3000"), &step, NULL), SCRIM_OK);
    const sc_buckets_question question = {
        .lower = &lower, .upper = &step, .beta = &step, .dimensions = 1};
    scrim_error error;
    CHECK_STATUS(sc_buckets_init(&b, &question, &error), SCRIM_E_LIMIT);
    REQUIRE_OK(sc_buckets_init_points(&b, &lower, &step, SC_BARS_COUNT_MAX, NULL));
    REQUIRE_OK(sc_bars_init(&y, &(sc_bars_facts){.buckets = &b, .q = SC_BARS_Q_MAX},
                            (sc_bar[]){{1, SC_BARS_COUNT_MAX}}, 1, NULL));
    REQUIRE_OK(sc_bars_max(&y, &f, NULL));
    CHECK(sc_finding_statement(&f, &y, text, sizeof text) < sizeof text);
    CHECK(f.beyond_most == (sc_uint128)SC_BARS_Q_MAX * (SC_BARS_COUNT_MAX - 2));
    sc_finding_clear(&f);
    sc_bars_clear(&y);
    sc_buckets_clear(&b);
    sc_ratio_clear(&step);
    sc_ratio_clear(&lower);
}
