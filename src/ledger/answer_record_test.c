#include "base/memory.h"
#include "check.h"
#include "faults.h"
#include "ledger/answer_record.h"
#include "scrim.h"

#include <stdio.h>
#include <string.h>

static scrim_measurement *measurement_of(const char *line)
{
    scrim_measurement *m = NULL;
    CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), SCRIM_OK);
    return m;
}

#define WHOLE "laplace sensitivity=1 epsilon=1 neighbours=add-remove"
#define CENTS                                                                            \
    "laplace sensitivity=1 epsilon=1 neighbours=replace grid=0.01 lower=0 upper=10"
#define SCORES "permute-and-flip sensitivity=1 epsilon=1 neighbours=add-remove"
#define QUERIES                                                                          \
    "sparse-vector sensitivity=1 epsilon=1 threshold=5 count=2 numeric=yes "             \
    "neighbours=add-remove"

/* An answer is what its record says. */
static void check_round(const char *line, const int64_t *values, size_t count)
{
    scrim_measurement *m = measurement_of(line);
    scrim_ledger *ledger = NULL;
    scrim_answer *shown = NULL, *again = NULL;
    scrim_entry entry;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                              .neighbours = SCRIM_ADD_REMOVE,
                                              .epsilon = "9", .delta = "1/2"),
                                &ledger, NULL));
    REQUIRE_OK(scrim_release(
        ledger, m, &(scrim_input){.integers = values, .count = count}, &shown, NULL));
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    REQUIRE_OK(scrim_answer_parse(m, entry.answer, entry.id, &again, NULL));
    CHECK_INT(scrim_answer_count(again), scrim_answer_count(shown));
    CHECK_INT(scrim_answer_entry(again), scrim_answer_entry(shown));
    CHECK_INT(scrim_answer_has_halted(again), scrim_answer_has_halted(shown));
    CHECK_STR(scrim_answer_cost(again)->epsilon, scrim_answer_cost(shown)->epsilon);
    for (size_t i = 0; i < scrim_answer_count(shown); i++) {
        CHECK_INT(scrim_answer_kind_at(again, i), scrim_answer_kind_at(shown, i));
        CHECK_STR(scrim_answer_text(again, i), scrim_answer_text(shown, i));
    }
    char *line_again = sc_answer_line(again);
    CHECK_STR(line_again, entry.answer);
    sc_free(line_again);
    scrim_answer_free(again);
    scrim_answer_free(shown);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
}

TEST(answer_record_of_every_kind)
{
    CLAIM("answer-record.whole");
    static const int64_t values[] = {3, -1, 700, 0, 900, 4, 1000, 2};
    for (int i = 0; i < 8; i++) {
        check_round(WHOLE, values, 8);
        check_round(
            "laplace sensitivity=1/8 epsilon=1/100 neighbours=add-remove grid=2^-3 "
            "size=8",
            values, 8);
        check_round("range sensitivity=1 epsilon=1/2 width=1 neighbours=add-remove",
                    values, 8);
        check_round(SCORES, values, 8);
        check_round(QUERIES, values, 8);
        check_round(QUERIES, values, 2); /* does not halt, but for its noise */
        check_round("above-threshold sensitivity=1 epsilon=1 threshold=5 "
                    "neighbours=add-remove",
                    values, 8);
    }
}

static void check_text(const char *line, const char *record, const char *texts)
{
    scrim_measurement *m = measurement_of(line);
    scrim_answer *answer = NULL;
    scrim_error error = {.message = ""};
    char all[256] = "";
    REQUIRE(m != NULL);
    if (scrim_answer_parse(m, record, 7, &answer, &error) != SCRIM_OK)
        CHECK_FAIL("'%s': %s", record, error.message);
    for (size_t i = 0; answer != NULL && i < scrim_answer_count(answer); i++) {
        char one[64];
        snprintf(one, sizeof one, "%s%d:%s", i > 0 ? " " : "",
                 (int)scrim_answer_kind_at(answer, i), scrim_answer_text(answer, i));
        strncat(all, one, sizeof all - strlen(all) - 1);
    }
    if (answer != NULL && scrim_answer_has_halted(answer))
        strncat(all, " halted", sizeof all - strlen(all) - 1);
    CHECK_STR(all, texts);
    scrim_answer_free(answer);
    scrim_measurement_free(m);
}

TEST(answer_record_reads)
{
    CLAIM("answer-record.whole");
    check_text(WHOLE, "", "");
    check_text(WHOLE, "12 -7 18446744073709551616", "1:12 1:-7 1:18446744073709551616");
    check_text(CENTS, "0.01 10 -3.5", "1:0.01 1:10 1:-3.5");
    check_text(WHOLE, "12 none -7", "1:12 6: 1:-7");
    check_text(SCORES, "#2", "2:2");
    check_text(QUERIES, "below above=-3 halted", "3:0 5:-3 halted");
    check_text(QUERIES, "below above below", "3:0 4:1 3:0");
    /* what scrim_run_close tells */
    check_text(QUERIES, "asked=0 above=", "");
    check_text(QUERIES, "asked=4 above=2=-7,4=5 halted", "3:0 5:-7 3:0 5:5 halted");
    check_text(QUERIES, "asked=3 above=1", "4:1 3:0 3:0");
}

TEST(answer_record_refuses)
{
    CLAIM("answer-record.whole");
    static const char *const records[] = {"x",
                                          "1 2 three",
                                          "0.5",
                                          "#",
                                          "#-",
                                          "halted 1",
                                          "halted halted",
                                          "above=",
                                          "above=x",
                                          "asked=",
                                          "asked=3",
                                          "asked=3 above",
                                          "asked=3 above=4",
                                          "asked=3 above=0",
                                          "asked=3 above=2,1",
                                          "asked=3 above=2,2",
                                          "asked=3 above=1,",
                                          "asked=3 above=1=x",
                                          "asked=-1 above=",
                                          "asked=3 above=1 stopped",
                                          "asked=3 above=1 halted halted",
                                          "340282366920938463463374607431768211456"};
    scrim_measurement *m = measurement_of(WHOLE);
    scrim_error error;
    REQUIRE(m != NULL);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        scrim_answer *answer = NULL;
        scrim_status status = scrim_answer_parse(m, records[i], 1, &answer, &error);
        if (status != SCRIM_E_SYNTAX || answer != NULL)
            CHECK_FAIL("'%s' is taken for an answer: %d", records[i], (int)status);
        scrim_answer_free(answer);
    }
    scrim_answer *answer = NULL;
    CHECK_STATUS(scrim_answer_parse(m, "asked=16777217 above=", 1, &answer, &error),
                 SCRIM_E_LIMIT);
    CHECK(answer == NULL);
    scrim_measurement_free(m);
}

TEST(answer_record_without_memory)
{
    scrim_measurement *m = measurement_of(QUERIES);
    int made = 0;
    REQUIRE(m != NULL);
    FAULT_LOOP(fault)
    {
        scrim_answer *answer = NULL;
        scrim_status status =
            scrim_answer_parse(m, "below above=4 halted", 1, &answer, NULL);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
        CHECK((answer != NULL) == (status == SCRIM_OK));
        made += answer != NULL;
        scrim_answer_free(answer);
    }
    CHECK_INT(made, 1);
    scrim_measurement_free(m);
}

TEST(measured_line_gives_its_measurement_back)
{
    static const char laplace[] = "laplace sensitivity=6 epsilon=1 neighbours=add-remove";
    char *line = sc_measured_line_write(UINT64_MAX, UINT64_MAX, laplace);
    REQUIRE(line != NULL);
    CHECK_STR(line, "compare release=18446744073709551615 rows=18446744073709551615 : "
                    "laplace sensitivity=6 epsilon=1 neighbours=add-remove");
    CHECK_STR(sc_measured_line(line), laplace);
    sc_free(line);
}

TEST(measured_line_leaves_other_lines_alone)
{
    static const char *const lines[] = {
        "", "laplace sensitivity=1 epsilon=1", "compare release=1 rows=2",
        "synth method=mst : \"a\"", "query : compare release=1 : laplace"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        CHECK(sc_measured_line(lines[i]) == lines[i]);
}
