#include "account/ledger_tape.h"
#include "check.h"
#include "random/bits_tape.h"
#include "recorder.h"
#include "synth/rounds/online_weights.h"
#include "synth_scene.h"

#include <string.h>

static const sc_synth_columns columns = {.count = 2, .sizes = {2, 2}};
static const uint32_t first[] = {4, 4, 0, 0}, second[] = {0, 4, 0, 4},
                      corner[] = {0, 0, 0, 4};

typedef struct online_scene {
    scrim_ledger *ledger;
    sc_tape *tape;
    sc_records *records;
    sc_online_plan plan;
} online_scene;

/* 1000 rows, 900 of them in the first cell: uniform weights are far off. */
static bool online_begin(online_scene *s, const char *epsilon)
{
    const scrim_ledger_options options = {
        .size = sizeof options, .neighbours = SCRIM_ADD_REMOVE, .epsilon = epsilon};
    *s = (online_scene){.plan = {.unit = {SCRIM_ADD_REMOVE, 1},
                                 .total = 1000,
                                 .den = 4,
                                 .threshold = 400,
                                 .updates = 6,
                                 .checking = "1",
                                 .values = "1/2",
                                 .step = 1,
                                 .steps = 2}};
    return CHECK_STATUS(scrim_ledger_new(&options, &s->ledger, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_tape_seeded(3, &s->tape, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_records_new(&columns, 4, &s->records, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_records_add(s->records, (const uint32_t[]){0, 0}, 900, NULL),
                        SCRIM_OK) &&
           CHECK_STATUS(sc_records_add(s->records, (const uint32_t[]){1, 1}, 100, NULL),
                        SCRIM_OK) &&
           (sc_ledger_use_bits(s->ledger, sc_tape_bits_of(s->tape)), true);
}

static void online_end(online_scene *s)
{
    sc_records_free(s->records);
    scrim_ledger_free(s->ledger);
    sc_tape_free(s->tape);
}

/* Both charges are there before a bit; the model learns until nothing is above, and then answers free of charge. */
TEST(online_weights_learn_and_then_know)
{
    CLAIM("online-weights.charged");
    CLAIM("online-weights.learns");
    online_scene s;
    sc_online_weights *w = NULL;
    sc_online_answer answer;
    scrim_cost spent;
    int above = 0;
    REQUIRE(online_begin(&s, "1.5"));
    REQUIRE_OK(sc_online_weights_open(s.ledger, &s.plan, s.records, &w, NULL));
    REQUIRE_OK(scrim_ledger_spent(s.ledger, &spent, NULL));
    CHECK_STR(spent.epsilon, "1.5");
    for (int i = 0; i < 40; i++) {
        REQUIRE_OK(sc_online_weights_ask(w, i % 2 == 0 ? first : second, &answer, NULL));
        above += answer.is_above;
        CHECK(above <= 6);
    }
    CHECK(above >= 2);
    CHECK(llabs(answer.value - 400) < 800); /* second: 100 rows, in quarters */
    REQUIRE_OK(sc_online_weights_ask(w, first, &answer, NULL));
    CHECK(llabs(answer.value - 3600) < 800);
    CHECK(!answer.is_checked || !answer.is_above);
    REQUIRE_OK(scrim_ledger_spent(s.ledger, &spent, NULL));
    CHECK_STR(spent.epsilon, "1.5");
    CHECK_STATUS(sc_online_weights_ask(w, (const uint32_t[]){5, 0, 0, 0}, &answer, NULL),
                 SCRIM_E_PARAM);
    sc_online_weights_close(w);
    online_end(&s);
}

/* A threshold that all queries pass: after the last update no answer is checked, and none is drawn. */
TEST(online_weights_halt_after_their_updates)
{
    CLAIM("online-weights.checked");
    CLAIM("online-weights.charged");
    online_scene s;
    sc_online_weights *w = NULL;
    sc_online_answer answer;
    REQUIRE(online_begin(&s, "2"));
    s.plan.threshold = -1000000;
    s.plan.updates = 3;
    REQUIRE_OK(sc_online_weights_open(s.ledger, &s.plan, s.records, &w, NULL));
    for (int i = 0; i < 6; i++) {
        const uint64_t used = sc_tape_used(s.tape);
        REQUIRE_OK(sc_online_weights_ask(w, corner, &answer, NULL));
        CHECK(answer.is_above == (i < 3));
        CHECK(answer.is_checked == (i < 3));
        CHECK((sc_tape_used(s.tape) > used) == (i < 3) || i < 3);
    }
    sc_online_weights_close(w);
    sc_online_weights_close(NULL);
    online_end(&s);
}

TEST(online_weights_refuse_what_is_no_plan)
{
    online_scene s;
    sc_online_weights *w = NULL;
    REQUIRE(online_begin(&s, "2"));
    sc_online_plan plan = s.plan;
    plan.den = 0;
    CHECK_STATUS(sc_online_weights_open(s.ledger, &plan, s.records, &w, NULL),
                 SCRIM_E_PARAM);
    plan = s.plan;
    plan.updates = 0;
    CHECK_STATUS(sc_online_weights_open(s.ledger, &plan, s.records, &w, NULL),
                 SCRIM_E_PARAM);
    plan = s.plan;
    plan.unit.rows = 0;
    CHECK_STATUS(sc_online_weights_open(s.ledger, &plan, s.records, &w, NULL),
                 SCRIM_E_PARAM);
    plan = s.plan;
    plan.values = "3";
    CHECK_STATUS(sc_online_weights_open(s.ledger, &plan, s.records, &w, NULL),
                 SCRIM_E_BUDGET);
    CHECK(w == NULL && scrim_ledger_count(s.ledger) == 0);
    online_end(&s);
}

/* A unit of three rows moves a query in quarters by twelve, in what is compared and in what is told. */
TEST(online_weights_are_for_all_rows_of_a_unit)
{
    online_scene s;
    sc_online_weights *w = NULL;
    sc_online_answer answer;
    sc_recorder *recorder = NULL;
    size_t compared = 0, told = 0;
    REQUIRE(online_begin(&s, "100"));
    s.plan.unit.rows = 3;
    s.plan.checking = "60";
    s.plan.values = "40";
    REQUIRE_OK(sc_recorder_new(NULL, &recorder, NULL));
    sc_ledger_use_recorder(s.ledger, recorder);
    REQUIRE_OK(sc_online_weights_open(s.ledger, &s.plan, s.records, &w, NULL));
    for (int i = 0; i < 4; i++)
        REQUIRE_OK(sc_online_weights_ask(w, first, &answer, NULL));
    for (size_t i = 0; i < sc_recorder_count(recorder); i++) {
        const char *line = sc_recorder_at(recorder, i)->line;
        CHECK(strstr(line, "sensitivity=12 ") != NULL);
        compared += strncmp(line, "sparse-vector ", 14) == 0;
        told += strncmp(line, "laplace ", 8) == 0;
    }
    CHECK(compared > 0 && told > 0);
    sc_online_weights_close(w);
    sc_ledger_use_recorder(s.ledger, NULL);
    sc_recorder_free(recorder);
    online_end(&s);
}
