#include "check.h"
#include "faults.h"
#include "scrim.h"
#include "tape_release.h"

#include <stdio.h>
#include <string.h>

/* Ten buckets of width 1/5 from 0 to 2, of which at most 3 elements are lost each. */
#define LINE "bucket-histogram epsilon=1 q=3 upper=2 beta=0.1 neighbours=add-remove"
/* A possible release: places 2, 3 and 5. */
#define BARS "#2 7 #3 1 #5 5"

static scrim_histogram *histogram_of(const char *line, const char *recorded)
{
    scrim_measurement *m = tape_measurement(line);
    scrim_answer *answer = NULL;
    scrim_histogram *h = NULL;
    if (m != NULL &&
        CHECK_STATUS(scrim_answer_parse(m, recorded, 7, &answer, NULL), SCRIM_OK))
        CHECK_STATUS(scrim_histogram_new(m, answer, &h, NULL), SCRIM_OK);
    scrim_answer_free(answer);
    scrim_measurement_free(m);
    return h;
}

/* Values and numbers of each statistic. */
TEST(released_histogram_statistics)
{
    static const struct {
        const char *which, *value, *here, *bar, *beyond, *low, *high, *alpha, *beta;
    } cases[] = {
        {"max", "1.1", "5", "3", "12", "", "", "30", "0.1"},
        {"min", "0.5", "7", "3", "6", "", "", "30", "0.1"},
        {"range", "0.6", "5", "3", "18", "", "", "30", "0.2"},
        {"interval", "0.5;1.1", "5", "3", "18", "", "", "30", "0.1"},
        {"support", "3", "1", "3", "21", "", "", "30", "0.1"},
        {"median", "0.5", "7", "", "", "7", "13", "30", "0.1"},
        {"quantile=8/13", "0.7", "1", "", "", "8", "17", "30", "0.1"},
        {"quantile=1", "1.1", "5", "", "", "13", "28", "30", "0.1"},
        {"mode", "0.5", "7", "10", "", "", "", "30", ""},
        {"max-k=1", "1.1", "5", "3", "", "", "", "30", "0.1"},
        {"max-k=6", "0.5", "7", "8", "", "", "", "30", ""},
        {"total", "13", "", "", "", "13", "43", "", ""},
    };
    scrim_histogram *h = histogram_of(LINE, BARS);
    REQUIRE(h != NULL);
    CHECK_INT(scrim_histogram_q(h), 3);
    CHECK_INT(scrim_histogram_buckets(h), 10);
    CHECK_INT(scrim_histogram_count(h), 3);
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_statistic s;
        REQUIRE_OK(scrim_histogram_statistic(h, cases[i].which, &s, NULL));
        CHECK_INT(s.outcome, SCRIM_OUTCOME_VALUE);
        CHECK_STR(s.value, cases[i].value);
        CHECK_STR(s.here_least, cases[i].here);
        CHECK_STR(s.bar_most, cases[i].bar);
        CHECK_STR(s.beyond_most, cases[i].beyond);
        CHECK_STR(s.rank_low, cases[i].low);
        CHECK_STR(s.rank_high, cases[i].high);
        CHECK_STR(s.certificate.alpha, cases[i].alpha);
        CHECK_STR(s.certificate.beta, cases[i].beta);
        CHECK_INT(s.certificate.form, strcmp(cases[i].which, "total") == 0
                                          ? SCRIM_CERTIFICATE_NONE
                                          : SCRIM_CERTIFICATE_FLEXIBLE);
        CHECK_INT(s.alpha_is_count, strcmp(cases[i].which, "total") != 0);
        CHECK_STR(s.dropped_most, "30");
        CHECK_STR(s.moved_most, "0.1");
        CHECK(strlen(s.statement) > 20);
    }
    scrim_histogram_free(h);
}

TEST(released_histogram_of_a_public_size)
{
    scrim_histogram *h = histogram_of(LINE, BARS);
    scrim_statistic s;
    REQUIRE(h != NULL);
    scrim_histogram_declare_size(h, 100);
    REQUIRE_OK(scrim_histogram_statistic(h, "max", &s, NULL));
    CHECK_STR(s.certificate.alpha, "0.3");
    CHECK_INT(s.alpha_is_count, 0);
    REQUIRE_OK(scrim_histogram_statistic(h, "total", &s, NULL));
    CHECK_STR(s.rank_low, "100");
    scrim_histogram_declare_size(h, 5); /* no more places than elements */
    REQUIRE_OK(scrim_histogram_statistic(h, "max", &s, NULL));
    CHECK_STR(s.certificate.alpha, "1");
    CHECK_STR(s.beyond_most, "6");
    scrim_histogram_free(h);
}

TEST(released_histogram_of_nothing)
{
    static const char *const all[] = {"max",     "min",          "range", "interval",
                                      "support", "quantile=1/3", "mode",  "max-k=4"};
    scrim_histogram *h = histogram_of(LINE, "");
    scrim_statistic s;
    REQUIRE(h != NULL);
    for (size_t i = 0; i < COUNT(all); i++) {
        REQUIRE_OK(scrim_histogram_statistic(h, all[i], &s, NULL));
        CHECK_INT(s.outcome, SCRIM_OUTCOME_EMPTY);
        CHECK_STR(s.value, "");
        CHECK_STR(s.bar_most, "3");
        CHECK_STR(s.certificate.alpha, "1");
        CHECK_INT(s.alpha_is_count, 0);
    }
    REQUIRE_OK(scrim_histogram_statistic(h, "total", &s, NULL));
    CHECK_INT(s.outcome, SCRIM_OUTCOME_VALUE);
    CHECK_STR(s.value, "0");
    scrim_histogram_free(h);
}

TEST(released_histogram_refuses_other_questions)
{
    static const char *const wrong[] = {
        "",        "maximum", "quantile", "quantile=0", "quantile=x",
        "max-k=0", "max-k",   "max-k=-1", "Max",        "quantile=2"};
    scrim_histogram *h = histogram_of(LINE, BARS), *none = NULL;
    scrim_statistic s;
    scrim_error error;
    REQUIRE(h != NULL);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        scrim_status status = scrim_histogram_statistic(h, wrong[i], &s, &error);
        CHECK(status == SCRIM_E_PARAM || status == SCRIM_E_SYNTAX);
    }
    scrim_separator plane;
    CHECK_STATUS(scrim_histogram_separator(h, &plane, &error), SCRIM_E_PARAM);
    scrim_histogram_free(h);
    scrim_measurement *m = tape_measurement("laplace sensitivity=1 epsilon=1 "
                                            "neighbours=add-remove");
    scrim_answer *answer = NULL;
    REQUIRE_OK(scrim_answer_parse(m, "3", 1, &answer, NULL));
    uint64_t place = 0;
    CHECK_INT(scrim_answer_place(answer, 0, &place), 0);
    CHECK_STATUS(scrim_histogram_new(m, answer, &none, &error), SCRIM_E_PARAM);
    scrim_answer_free(answer);
    scrim_measurement_free(m);
}

TEST(released_histogram_separators)
{
    static const char line[] =
        "bucket-histogram epsilon=1 q=2 upper=6 beta=1/2 labelled=yes "
        "neighbours=add-remove";
    scrim_histogram *h = histogram_of(line, "#0 3 #1 2 #11 9");
    scrim_separator s;
    scrim_statistic mode;
    REQUIRE(h != NULL);
    REQUIRE_OK(scrim_histogram_separator(h, &s, NULL));
    CHECK_INT(s.outcome, SCRIM_OUTCOME_VALUE);
    CHECK_STR(s.normal, "4");
    CHECK_STR(s.offset, "14");
    CHECK_STR(s.margin, "2");
    CHECK_STR(s.kept, "1.5");
    CHECK_STR(s.beyond_most, "18");
    CHECK_STR(s.dropped_most, "24");
    CHECK_STR(s.moved_most, "0.5");
    REQUIRE_OK(scrim_histogram_statistic(h, "mode", &mode, NULL));
    CHECK_STR(mode.value, "5.5;+1");
    CHECK_STATUS(scrim_histogram_statistic(h, "max", &mode, NULL), SCRIM_E_PARAM);
    scrim_histogram_free(h);
    /* The same three units further down: the plane goes along. */
    h = histogram_of("bucket-histogram epsilon=1 q=2 lower=-3 upper=3 beta=1/2 "
                     "labelled=yes neighbours=add-remove",
                     "#0 3 #1 2 #11 9");
    REQUIRE(h != NULL);
    REQUIRE_OK(scrim_histogram_separator(h, &s, NULL));
    CHECK_STR(s.normal, "4");
    CHECK_STR(s.offset, "2");
    CHECK_STR(s.margin, "2");
    scrim_histogram_free(h);
    h = histogram_of(line, "#3 1 #9 1");
    REQUIRE(h != NULL);
    REQUIRE_OK(scrim_histogram_separator(h, &s, NULL));
    CHECK_INT(s.outcome, SCRIM_OUTCOME_NOT_SEPARABLE);
    CHECK_STR(s.normal, "");
    scrim_histogram_free(h);
    h = histogram_of(line, "#3 1");
    REQUIRE(h != NULL);
    REQUIRE_OK(scrim_histogram_separator(h, &s, NULL));
    CHECK_INT(s.outcome, SCRIM_OUTCOME_EMPTY);
    scrim_histogram_free(h);
}

TEST(released_histogram_debiased)
{
    scrim_histogram *h = histogram_of(LINE, BARS);
    char text[SCRIM_NUMBER_BYTES];
    REQUIRE(h != NULL);
    REQUIRE_OK(scrim_histogram_debiased(h, 2, text, NULL));
    CHECK_STR(text, "8.5");
    REQUIRE_OK(scrim_histogram_debiased(h, 4, text, NULL));
    CHECK_STR(text, "0");
    CHECK_STATUS(scrim_histogram_debiased(h, 10, text, NULL), SCRIM_E_PARAM);
    scrim_histogram_free(h);
}

/* A record that no release can have made is refused. */
TEST(released_histogram_records)
{
    static const char *const wrong[] = {
        "#2",    "3",    "#2 3 #1 4", "#2 3 #2 4",   "#2 0",   "#2 -1",   "#10 3",
        "#-1 3", "3 #2", "#2 3 4",    "#2 3 halted", "#2 1/2", "#2 above"};
    scrim_measurement *m = tape_measurement(LINE);
    scrim_answer *answer = NULL;
    uint64_t place = 0;
    REQUIRE(m != NULL);
    for (size_t i = 0; i < COUNT(wrong); i++)
        CHECK_STATUS(scrim_answer_parse(m, wrong[i], 1, &answer, NULL), SCRIM_E_SYNTAX);
    REQUIRE_OK(scrim_answer_parse(m, BARS, 1, &answer, NULL));
    CHECK_INT(scrim_answer_count(answer), 3);
    CHECK_INT(scrim_answer_place(answer, 2, &place), 1);
    CHECK_INT(place, 5);
    CHECK_STR(scrim_answer_label(answer, 2), "1.1");
    CHECK_STR(scrim_answer_text(answer, 2), "5");
    FAULT_LOOP(fault)
    {
        scrim_histogram *h = NULL;
        scrim_status status = scrim_histogram_new(m, answer, &h, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        scrim_histogram_free(h);
    }
    scrim_answer_free(answer);
    FAULT_LOOP(fault)
    {
        answer = NULL;
        scrim_status status = scrim_answer_parse(m, BARS, 1, &answer, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        scrim_answer_free(answer);
    }
    scrim_measurement_free(m);
}

/* The ledger keeps the answer: released, recorded, parsed again. */
TEST(released_histogram_is_kept_by_the_ledger)
{
    scrim_measurement *m = tape_measurement(LINE);
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL, *again = NULL;
    scrim_entry entry;
    const char *rows[60];
    REQUIRE(m != NULL);
    for (size_t i = 0; i < COUNT(rows); i++)
        rows[i] = i % 3 == 0 ? "0.31" : i % 3 == 1 ? "1.99" : "1";
    REQUIRE_OK(scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                              .neighbours = SCRIM_ADD_REMOVE,
                                              .epsilon = "2", .delta = "1/2"),
                                &ledger, NULL));
    const scrim_input input = {.texts = rows, .count = COUNT(rows)};
    REQUIRE_OK(scrim_release(ledger, m, &input, &answer, NULL));
    CHECK_INT(scrim_answer_count(answer), 3); /* each has 20, and loses at most 3 */
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_INT(entry.state, SCRIM_ENTRY_RELEASED);
    REQUIRE_OK(scrim_answer_parse(m, entry.answer, 1, &again, NULL));
    REQUIRE(scrim_answer_count(again) == 3);
    for (size_t i = 0; i < 3; i++) {
        uint64_t a = 0, b = 1;
        CHECK(scrim_answer_place(answer, i, &a) && scrim_answer_place(again, i, &b));
        CHECK_INT(a, b);
        CHECK_STR(scrim_answer_text(answer, i), scrim_answer_text(again, i));
    }
    scrim_answer_free(again);
    scrim_answer_free(answer);
    /* Nobody there: an answer without bars is an answer. */
    REQUIRE_OK(scrim_release(ledger, m, &(scrim_input){.count = 0}, &answer, NULL));
    CHECK_INT(scrim_answer_count(answer), 0);
    REQUIRE_OK(scrim_ledger_entry(ledger, 1, &entry, NULL));
    CHECK_INT(entry.state, SCRIM_ENTRY_RELEASED);
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
}
