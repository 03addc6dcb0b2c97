#include "check.h"
#include "exact.h"
#include "faults.h"
#include "ledger/ledger_tape.h"
#include "ledger/release.h"
#include "noise_checks.h"
#include "random/bits_tape.h"
#include "recorder.h"
#include "scrim/run.h"
#include "wiping.h"

#include <string.h>

#define ROOM 16

/* Draws of one part after another, without a gate: what it would tell the recorder. */
typedef struct stage {
    sc_recorder *first, *second;
    sc_int128 values[ROOM];
    sc_mark marks[ROOM];
    sc_draw draw;
} stage;

static bool stage_open(stage *s)
{
    *s = (stage){NULL, NULL, {0}, {0}, {0}};
    s->draw = (sc_draw){.values = s->values, .marks = s->marks, .capacity = ROOM};
    return CHECK_STATUS(sc_recorder_new(NULL, &s->first, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_recorder_new(s->first, &s->second, NULL), SCRIM_OK);
}

static void stage_close(stage *s)
{
    sc_recorder_free(s->second);
    sc_recorder_free(s->first);
}

/* A recorded draw that answered count ones. */
static void put(stage *s, const scrim_measurement *m, size_t part, uint64_t copies,
                const int64_t *input, size_t count)
{
    const sc_private_input in = {.values = input, .count = count};
    s->draw.count = m->mechanism->answer_count(m, count);
    for (size_t i = 0; i < s->draw.count; i++) {
        s->values[i] = 1;
        s->marks[i] = SC_MARK_VALUE;
    }
    CHECK_STATUS(sc_recorder_keep(s->first, &(sc_recorder_site){m, part, copies, &in},
                                  &s->draw, NULL),
                 SCRIM_OK);
}

static scrim_status replay(stage *s, const scrim_measurement *m, size_t part,
                           uint64_t copies, const int64_t *input, size_t count,
                           scrim_error *error)
{
    bool is_answered = false;
    const sc_private_input in = {.values = input, .count = count};
    scrim_status status =
        sc_recorder_replay(s->second, &(sc_recorder_site){m, part, copies, &in}, &s->draw,
                           &is_answered, error);
    CHECK(is_answered == (status == SCRIM_OK));
    return status;
}

static sc_recorder_verdict verdict_of(const stage *s)
{
    sc_recorder_verdict verdict;
    sc_recorder_compare(s->first, s->second, &verdict);
    return verdict;
}

/* Through the gate: the answer again, and no bit for it. */
TEST(recorder_replays_a_release)
{
    static const char *const lines[] = {
        "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove",
        "gaussian sensitivity=1 epsilon=1 delta=1e-6 size=3 neighbours=add-remove",
        "exponential sensitivity=1 epsilon=1 neighbours=add-remove",
        "quantile p=1/4,1/2 epsilon=1 lower=0 upper=9 neighbours=add-remove"};
    static const int64_t here[] = {5, 6, 7}, there[] = {5, 7, 7};
    for (size_t i = 0; i < COUNT(lines); i++) {
        sc_recorder *recorders[2] = {NULL, NULL};
        scrim_answer *answers[2] = {NULL, NULL};
        scrim_measurement *m = noise_made(lines[i]);
        REQUIRE_OK(sc_recorder_new(NULL, &recorders[0], NULL));
        REQUIRE_OK(sc_recorder_new(recorders[0], &recorders[1], NULL));
        for (size_t j = 0; j < 2; j++) {
            scrim_ledger *ledger = NULL;
            sc_tape *tape = NULL;
            REQUIRE_OK(scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                                      .neighbours = SCRIM_ADD_REMOVE,
                                                      .epsilon = "9", .delta = "1/2"),
                                        &ledger, NULL));
            REQUIRE_OK(sc_tape_seeded(7, &tape, NULL));
            sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
            sc_ledger_use_recorder(ledger, recorders[j]);
            REQUIRE_OK(scrim_release(
                ledger, m, &(scrim_input){.integers = j == 0 ? here : there, .count = 3},
                &answers[j], NULL));
            CHECK((sc_tape_used(tape) == 0) == (j == 1));
            scrim_ledger_free(ledger);
            sc_tape_free(tape);
        }
        REQUIRE(scrim_answer_count(answers[0]) == scrim_answer_count(answers[1]));
        for (size_t j = 0; j < scrim_answer_count(answers[0]); j++)
            CHECK_STR(scrim_answer_text(answers[1], j), scrim_answer_text(answers[0], j));
        CHECK_INT(sc_recorder_count(recorders[1]), 1);
        const sc_recorder_call *call = sc_recorder_at(recorders[1], 0);
        CHECK_STR(call->line, m->text);
        CHECK_INT(call->count, 3);
        CHECK_INT(call->input[1], 7);
        CHECK_INT(sc_recorder_at(recorders[0], 0)->input[1], 6);
        for (size_t j = 0; j < 2; j++) {
            scrim_answer_free(answers[j]);
            sc_recorder_free(recorders[1 - j]);
        }
        scrim_measurement_free(m);
    }
}

TEST(recorder_replays_a_run)
{
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    static const int64_t queries[2][4] = {{0, 90, 100, 3000}, {1, 91, 99, 2999}};
    sc_recorder *recorders[2] = {NULL, NULL};
    scrim_run_answer got[2][4];
    scrim_measurement *m =
        noise_made("above-threshold sensitivity=1 epsilon=1/4 threshold=1000 "
                   "neighbours=add-remove");
    size_t asked[2] = {0, 0};
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_recorder_new(NULL, &recorders[0], NULL));
    REQUIRE_OK(sc_recorder_new(recorders[0], &recorders[1], NULL));
    memset(got, 0, sizeof got);
    for (size_t j = 0; j < 2; j++) {
        scrim_ledger *ledger = NULL;
        scrim_run *run = NULL;
        sc_tape *tape = NULL;
        REQUIRE_OK(scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                                  .neighbours = SCRIM_ADD_REMOVE,
                                                  .epsilon = "9", .delta = "1/2"),
                                    &ledger, NULL));
        REQUIRE_OK(sc_tape_seeded(7 + j, &tape, NULL));
        sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
        sc_ledger_use_recorder(ledger, recorders[j]);
        REQUIRE_OK(scrim_run_open(ledger, m, &run, NULL));
        while (asked[j] < 4 && !scrim_run_has_halted(run)) {
            REQUIRE_OK(scrim_run_ask(run, queries[j][asked[j]], &got[j][asked[j]], NULL));
            asked[j]++;
        }
        scrim_run_close(run);
        scrim_ledger_free(ledger);
        sc_tape_free(tape);
    }
    CHECK_INT(asked[0], asked[1]);
    CHECK_BYTES(got[1], got[0], sizeof got[0]);
    sc_recorder_verdict verdict;
    sc_recorder_compare(recorders[0], recorders[1], &verdict);
    CHECK(verdict.holds);
    sc_recorder_free(recorders[1]);
    sc_recorder_free(recorders[0]);
    scrim_measurement_free(m);
}

/* Another call than the recorded one. */
TEST(recorder_refuses_another_call)
{
    static const int64_t one[] = {1, 2};
    scrim_measurement *m = noise_made(
                          "laplace sensitivity=1 epsilon=1 neighbours=replace"),
                      *n = noise_made(
                          "laplace sensitivity=1 epsilon=2 neighbours=replace");
    static const struct {
        bool is_other;
        size_t part, count;
        const char *text;
    } list[] = {{true, 0, 2, "another measurement"},
                {false, 1, 2, "another part"},
                {false, 0, 1, "another number of values"}};
    scrim_error error = {.message = ""};
    stage s;
    for (size_t i = 0; i < COUNT(list); i++) {
        REQUIRE(stage_open(&s));
        put(&s, m, 0, 1, one, 2);
        CHECK_STATUS(replay(&s, list[i].is_other ? n : m, list[i].part, 1, one,
                            list[i].count, &error),
                     SCRIM_E_INTERNAL);
        CHECK(strstr(error.message, list[i].text) != NULL);
        stage_close(&s);
    }
    REQUIRE(stage_open(&s));
    CHECK_STATUS(replay(&s, m, 0, 1, one, 2, &error), SCRIM_E_INTERNAL);
    CHECK(strstr(error.message, "there was none") != NULL);
    put(&s, m, 0, 1, one, 2);
    CHECK(!verdict_of(&s).holds);
    CHECK_STR(verdict_of(&s).text, "1 draws and 0");
    CHECK_STATUS(replay(&s, m, 0, 1, one, 2, &error), SCRIM_OK);
    CHECK(verdict_of(&s).holds);
    stage_close(&s);
    scrim_measurement_free(m);
    scrim_measurement_free(n);
}

/* Inputs and what they may differ by. */
TEST(recorder_holds_inputs_to_the_claim)
{
    static const struct {
        const char *line;
        bool holds;
        size_t x_count, y_count;
        int64_t x[4], y[4];
    } list[] = {
        {"laplace sensitivity=3 epsilon=1 neighbours=replace",
         true,
         3,
         3,
         {1, 2, 3},
         {3, 2, 2}},
        {"laplace sensitivity=3 epsilon=1 neighbours=replace",
         false,
         3,
         3,
         {1, 2, 3},
         {3, 2, 1}},
        {"truncated-laplace sensitivity=3 epsilon=1 delta=0.1 neighbours=replace",
         false,
         1,
         1,
         {9},
         {5}},
        {"gaussian sensitivity=5 rho=1 size=2 neighbours=replace",
         true,
         2,
         2,
         {0, 0},
         {3, 4}},
        {"gaussian sensitivity=5 rho=1 size=2 neighbours=replace",
         false,
         2,
         2,
         {0, 0},
         {4, 4}},
        {"exponential sensitivity=2 epsilon=1 neighbours=replace",
         true,
         3,
         3,
         {1, 2, 3},
         {3, 0, 1}},
        {"exponential sensitivity=2 epsilon=1 neighbours=replace",
         false,
         3,
         3,
         {1, 2, 3},
         {4, 0, 1}},
        {"partition-selection epsilon=1 delta=0.1 max-groups=2 neighbours=add-remove",
         true,
         3,
         3,
         {1, 2, 3},
         {2, 1, 3}},
        {"partition-selection epsilon=1 delta=0.1 max-groups=2 neighbours=add-remove",
         false,
         3,
         3,
         {1, 2, 3},
         {2, 1, 4}},
        {"partition-selection epsilon=1 delta=0.1 max-groups=2 neighbours=add-remove",
         false,
         3,
         3,
         {1, 2, 3},
         {3, 2, 3}},
        {"threshold-laplace epsilon=1 delta=0.1 neighbours=replace",
         true,
         3,
         3,
         {1, 2, 3},
         {2, 1, 3}},
        {"threshold-laplace epsilon=1 delta=0.1 neighbours=replace",
         false,
         3,
         3,
         {1, 2, 3},
         {2, 1, 2}},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 neighbours=add-remove",
         true,
         3,
         4,
         {3, 1, 2},
         {1, 2, 3, 3}},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 neighbours=add-remove",
         false,
         2,
         4,
         {3, 1},
         {1, 2, 3, 3}},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 max-rows=2 neighbours=add-remove",
         true,
         2,
         4,
         {3, 1},
         {1, 2, 3, 3}},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 max-rows=2 neighbours=add-remove",
         false,
         4,
         1,
         {3, 1, 3, 3},
         {1}},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 neighbours=replace",
         true,
         3,
         3,
         {3, 1, 2},
         {9, 2, 1}},
        {"quantile p=1/2 epsilon=1 lower=0 upper=9 neighbours=replace",
         false,
         3,
         3,
         {3, 1, 2},
         {9, 2, 2}},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        stage s;
        scrim_measurement *m = noise_made(list[i].line);
        REQUIRE(m != NULL && stage_open(&s));
        put(&s, m, SIZE_MAX, 1, list[i].x, list[i].x_count);
        REQUIRE_OK(replay(&s, m, SIZE_MAX, 1, list[i].y, list[i].y_count, NULL));
        if (verdict_of(&s).holds != list[i].holds)
            CHECK_FAIL("%zu: %s", i, verdict_of(&s).text);
        CHECK_INT(s.values[0], 1);
        stage_close(&s);
        scrim_measurement_free(m);
    }
}

/* A39: draws for each group by itself are as many as one unit reaches. */
TEST(recorder_A39_counts_the_draws_that_change)
{
    static const struct {
        uint64_t copies;
        bool holds;
        int64_t x[3], y[3];
    } list[] = {{2, true, {1, 2, 3}, {1, 7, 3}}, /* one left, one entered: two changes */
                {1, false, {1, 2, 3}, {1, 7, 3}},
                {2, false, {1, 2, 3}, {2, 7, 3}},
                {4, true, {1, 2, 3}, {2, 7, 3}}};
    scrim_measurement *m =
        noise_made("quantile p=1/2 epsilon=1 lower=0 upper=9 neighbours=add-remove");
    for (size_t i = 0; i < COUNT(list); i++) {
        stage s;
        REQUIRE(m != NULL && stage_open(&s));
        for (size_t j = 0; j < 3; j++)
            put(&s, m, 4, list[i].copies, &list[i].x[j], 1);
        for (size_t j = 0; j < 3; j++)
            REQUIRE_OK(replay(&s, m, 4, list[i].copies, &list[i].y[j], 1, NULL));
        if (verdict_of(&s).holds != list[i].holds)
            CHECK_FAIL("%zu: %s", i, verdict_of(&s).text);
        stage_close(&s);
    }
    scrim_measurement_free(m);
}

/* Noise on values: several draws of one part are one vector. */
TEST(recorder_adds_up_the_noise_of_a_part)
{
    static const struct {
        const char *line;
        bool holds;
        int64_t x[4], y[4];
    } list[] = {
        {"laplace sensitivity=3 epsilon=1 neighbours=replace",
         true,
         {1, 2, 3, 4},
         {2, 2, 4, 5}},
        {"laplace sensitivity=3 epsilon=1 neighbours=replace",
         false,
         {1, 2, 3, 4},
         {2, 3, 4, 5}},
        {"gaussian sensitivity=2 rho=1 size=2 neighbours=replace",
         true,
         {1, 2, 3, 4},
         {2, 3, 4, 5}},
        {"gaussian sensitivity=2 rho=1 size=2 neighbours=replace",
         false,
         {1, 2, 3, 4},
         {3, 2, 3, 5}},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        stage s;
        scrim_measurement *m = noise_made(list[i].line);
        REQUIRE(m != NULL && stage_open(&s));
        for (size_t j = 0; j < 4; j += 2) {
            put(&s, m, 1, 1, &list[i].x[j], 2);
            put(&s, m, 2, 1, &list[i].x[j], 2);
        }
        for (size_t j = 0; j < 4; j += 2) {
            REQUIRE_OK(replay(&s, m, 1, 1, &list[i].y[j], 2, NULL));
            REQUIRE_OK(replay(&s, m, 2, 1, &list[i].x[j], 2, NULL));
        }
        if (verdict_of(&s).holds != list[i].holds)
            CHECK_FAIL("%zu: %s", i, verdict_of(&s).text);
        stage_close(&s);
        scrim_measurement_free(m);
    }
}

/* Selections of keys that come from data. */
TEST(recorder_matches_keys)
{
    static const char *const lines[] = {
        "partition-selection epsilon=1 delta=0.1 neighbours=add-remove",
        "threshold-laplace epsilon=1 delta=0.1 neighbours=add-remove"};
    const sc_text here[] = {{"a", 1}, {"b", 1}, {"c", 1}},
                  there[] = {{"a", 1}, {"c", 1}, {"d", 1}};
    static const int64_t x[] = {5, 1, 9}, y[] = {5, 9, 1};
    const sc_private_input in = {.values = x, .keys = here, .count = 3},
                           other = {.values = y, .keys = there, .count = 3};
    for (size_t i = 0; i < COUNT(lines); i++) {
        stage s;
        bool is_answered = false;
        scrim_measurement *m = noise_made(lines[i]);
        REQUIRE(m != NULL && stage_open(&s));
        sc_recorder_keep_from(s.first, 2);
        for (size_t j = 0; j < 3; j++) {
            s.values[j] = 0;
            s.marks[j] = i == 0 ? SC_MARK_VALUE : SC_MARK_BELOW;
        }
        s.values[1] = 1; /* drawn, and not kept: it has one unit alone */
        s.draw.count = 3;
        REQUIRE_OK(
            sc_recorder_keep(s.first, &(sc_recorder_site){m, 0, 1, &in}, &s.draw, NULL));
        CHECK(s.values[0] >= 1 && s.values[1] == 0 && s.values[2] >= 1);
        CHECK_INT(s.marks[0], i == 0 ? SC_MARK_VALUE : SC_MARK_ABOVE_VALUE);
        CHECK_INT(s.marks[1], i == 0 ? SC_MARK_VALUE : SC_MARK_BELOW);
        REQUIRE_OK(sc_recorder_replay(s.second, &(sc_recorder_site){m, 0, 1, &other},
                                      &s.draw, &is_answered, NULL));
        CHECK_INT(s.draw.count, 3);
        CHECK(s.values[0] >= 1 && s.values[1] >= 1 && s.values[2] == 0);
        CHECK_INT(s.marks[1], i == 0 ? SC_MARK_VALUE : SC_MARK_ABOVE_VALUE);
        CHECK_INT(s.marks[2], i == 0 ? SC_MARK_VALUE : SC_MARK_BELOW);
        /* b has lost its unit and d has got one: two groups, where one is claimed. */
        CHECK(!verdict_of(&s).holds);
        stage_close(&s);
        scrim_measurement_free(m);
    }
}

/* Other answers that are possible: some groups are kept, noise is moved. */
TEST(recorder_disturbs_within_what_is_possible)
{
    scrim_measurement *keys =
        noise_made("partition-selection epsilon=1 delta=0.1 neighbours=add-remove");
    scrim_measurement *count = noise_made("laplace sensitivity=1 epsilon=1 "
                                          "neighbours=add-remove");
    scrim_measurement *range = noise_made("truncated-laplace sensitivity=1 epsilon=1 "
                                          "delta=0.1 neighbours=add-remove");
    const sc_text key = {"a", 1};
    static const int64_t units = 2, one = 1;
    const sc_private_input two = {.values = &units, .keys = &key, .count = 1},
                           single = {.values = &one, .keys = &key, .count = 1},
                           number = {.values = &units, .count = 1};
    int kept = 0, moved = 0;
    REQUIRE(keys != NULL && count != NULL && range != NULL);
    for (uint64_t salt = 1; salt <= 200; salt++) {
        stage s;
        REQUIRE(stage_open(&s));
        sc_recorder_keep_from(s.first, 2);
        sc_recorder_disturb(s.first, salt);
        s.draw.count = 1;
        s.marks[0] = SC_MARK_VALUE;
        CHECK_STATUS(sc_recorder_keep(s.first, &(sc_recorder_site){keys, 0, 1, &two},
                                      &s.draw, NULL),
                     SCRIM_OK);
        kept += s.values[0] == 1;
        CHECK_STATUS(sc_recorder_keep(s.first, &(sc_recorder_site){keys, 0, 1, &single},
                                      &s.draw, NULL),
                     SCRIM_OK);
        CHECK_INT(s.values[0], 0);
        CHECK_STATUS(sc_recorder_keep(s.first, &(sc_recorder_site){count, 0, 1, &number},
                                      &s.draw, NULL),
                     SCRIM_OK);
        moved += s.values[0] != 0;
        CHECK(s.values[0] >= -1000 && s.values[0] <= 1000);
        s.values[0] = 7;
        CHECK_STATUS(sc_recorder_keep(s.first, &(sc_recorder_site){range, 0, 1, &number},
                                      &s.draw, NULL),
                     SCRIM_OK);
        CHECK_INT(s.values[0], 7);
        stage_close(&s);
    }
    CHECK(kept > 100 && kept < 200);
    CHECK(moved > 20 && moved < 180);
    scrim_measurement_free(range);
    scrim_measurement_free(count);
    scrim_measurement_free(keys);
}

TEST(recorder_compares_by_key)
{
    const sc_text here[] = {{"a", 1}, {"c", 1}}, there[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    static const int64_t x[] = {5, 9}, y[] = {5, 1, 9};
    const sc_private_input in = {.values = x, .keys = here, .count = 2},
                           other = {.values = y, .keys = there, .count = 3};
    stage s;
    bool is_answered = false;
    scrim_measurement *m =
        noise_made("partition-selection epsilon=1 delta=0.1 neighbours=add-remove");
    REQUIRE(m != NULL && stage_open(&s));
    s.draw.count = 2;
    REQUIRE_OK(
        sc_recorder_keep(s.first, &(sc_recorder_site){m, 0, 1, &in}, &s.draw, NULL));
    REQUIRE_OK(sc_recorder_replay(s.second, &(sc_recorder_site){m, 0, 1, &other}, &s.draw,
                                  &is_answered, NULL));
    CHECK(verdict_of(&s).holds);
    stage_close(&s);
    scrim_measurement_free(m);
}

TEST(recorder_survives_a_lack_of_memory)
{
    static const int64_t x[] = {5, 9};
    const sc_text keys[] = {{"a", 1}, {"c", 1}};
    const sc_private_input in = {.values = x, .keys = keys, .count = 2};
    scrim_measurement *m =
        noise_made("partition-selection epsilon=1 delta=0.1 neighbours=add-remove");
    REQUIRE(m != NULL);
    FAULT_LOOP(fault)
    {
        sc_int128 values[2] = {0, 0};
        sc_mark marks[2] = {SC_MARK_VALUE, SC_MARK_VALUE};
        sc_draw draw = {.values = values, .marks = marks, .capacity = 2, .count = 2};
        sc_recorder *recorder = NULL;
        scrim_status status = sc_recorder_new(NULL, &recorder, NULL);
        for (size_t i = 0; status == SCRIM_OK && i < 20; i++)
            status = sc_recorder_keep(recorder, &(sc_recorder_site){m, 0, 1, &in}, &draw,
                                      NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_recorder_free(recorder);
    }
    scrim_measurement_free(m);
}
