#include "base/memory.h"
#include "check.h"
#include "exact.h"
#include "faults.h"
#include "ledger/allowance.h"
#include "ledger/ledger_tape.h"
#include "ledger/release.h"
#include "mechanism_lines.h"
#include "noise_checks.h"
#include "random/bits_tape.h"

#include <string.h>

/* An allowance of rho, or of epsilon where rho is NULL; NULL, with a failed check, when it is refused. */
static sc_allowance *allowance_of(scrim_neighbours neighbours, const char *rho,
                                  const char *epsilon, const char *delta)
{
    sc_allowance *a = NULL;
    sc_ratio total, one, two;
    exact_ratio(rho == NULL ? "1" : rho, &total);
    exact_ratio(epsilon, &one);
    exact_ratio(delta, &two);
    CHECK_STATUS(
        sc_allowance_new(neighbours, rho == NULL ? NULL : &total, &one, &two, &a, NULL),
        SCRIM_OK);
    sc_ratio_clear(&two);
    sc_ratio_clear(&one);
    sc_ratio_clear(&total);
    return a;
}

static void check_refused(const char *rho, const char *epsilon, const char *delta,
                          const char *part)
{
    sc_allowance *a = NULL;
    sc_ratio total, one, two;
    scrim_error error = {.message = ""};
    exact_ratio(rho == NULL ? "1" : rho, &total);
    exact_ratio(epsilon, &one);
    exact_ratio(delta, &two);
    CHECK_STATUS(sc_allowance_new(SCRIM_ADD_REMOVE, rho == NULL ? NULL : &total, &one,
                                  &two, &a, &error),
                 SCRIM_E_PARAM);
    CHECK(a == NULL && strstr(error.message, part) != NULL);
    sc_ratio_clear(&two);
    sc_ratio_clear(&one);
    sc_ratio_clear(&total);
}

/* The specification's: rho 0.014973 at epsilon 1, delta 1e-9; and a millionth more is never within. */
TEST(allowance_converts_a_budget_once)
{
    CLAIM("allowance.rho");
    CLAIM("allowance.converted");
    static const struct {
        const char *epsilon, *delta, *rho;
    } list[] = {{"1", "1e-9", "0.014973"},
                {"1/2", "1e-6", NULL},
                {"10", "1e-5", NULL},
                {"1/100", "1e-12", NULL}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char more[SC_RATIO_TEXT_BYTES], text[SC_RATIO_TEXT_BYTES];
        sc_ratio epsilon, delta, rho, step;
        exact_ratio(list[i].epsilon, &epsilon);
        exact_ratio(list[i].delta, &delta);
        exact_ratio("1e-6", &step);
        sc_ratio_init(&rho);
        CHECK_STATUS(sc_allowance_rho(&epsilon, &delta, &rho, NULL), SCRIM_OK);
        if (list[i].rho != NULL)
            CHECK_RATIO(&rho, list[i].rho);
        sc_ratio_format(&rho, text, sizeof text);
        sc_ratio_add(&rho, &rho, &step);
        sc_ratio_format(&rho, more, sizeof more);
        sc_allowance_free(
            allowance_of(SCRIM_ADD_REMOVE, text, list[i].epsilon, list[i].delta));
        check_refused(more, list[i].epsilon, list[i].delta, "too large");
        sc_ratio_clear(&rho);
        sc_ratio_clear(&step);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
}

TEST(allowance_refuses_what_is_no_budget)
{
    CLAIM("allowance.converted");
    check_refused("0", "1", "1e-9", "rho");
    check_refused("-1", "1", "1e-9", "rho");
    check_refused("0.01", "0", "1e-9", "epsilon");
    check_refused("0.01", "1", "0", "delta");
    check_refused("0.01", "1", "1", "delta");
    check_refused(NULL, "1", "1", "delta");
    check_refused(NULL, "1", "-1e-9", "delta");
    check_refused(NULL, "-1", "0", "epsilon");
    sc_ratio epsilon, delta, rho;
    exact_ratio("1e-6", &epsilon);
    exact_ratio("1e-9", &delta);
    sc_ratio_init(&rho);
    CHECK_STATUS(sc_allowance_rho(&epsilon, &delta, &rho, NULL), SCRIM_E_PARAM);
    sc_ratio_clear(&rho);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}

/* Ten tenths fit 1, and nothing more does. */
TEST(allowance_adds_up_exactly)
{
    CLAIM("allowance.within");
    sc_allowance *a = allowance_of(SCRIM_ADD_REMOVE, NULL, "1", "0");
    scrim_measurement *tenth =
        noise_made("laplace sensitivity=1 epsilon=0.1 neighbours=add-remove");
    scrim_measurement *tiny =
        noise_made("laplace sensitivity=1 epsilon=2^-60 neighbours=add-remove");
    REQUIRE(a != NULL && tenth != NULL && tiny != NULL);
    for (int i = 0; i < 10; i++)
        CHECK_STATUS(sc_allowance_take(a, tenth, NULL), SCRIM_OK);
    CHECK_RATIO(sc_allowance_used(a), "1");
    CHECK_STATUS(sc_allowance_take(a, tiny, NULL), SCRIM_E_INTERNAL);
    CHECK_RATIO(sc_allowance_used(a), "1");
    scrim_measurement_free(tiny);
    scrim_measurement_free(tenth);
    sc_allowance_free(a);
}

/* The charge of a measurement: rho where rhos are summed, a pure epsilon else; a claim for add-remove is one of a
 * group of two where a unit is replaced. */
TEST(allowance_takes_the_cost_of_its_relation)
{
    CLAIM("allowance.within");
    static const struct {
        scrim_neighbours neighbours;
        const char *rho, *line, *used; /* used NULL: refused */
    } list[] = {
        {SCRIM_ADD_REMOVE, "0.01",
         "gaussian sensitivity=1 variance=100 neighbours=add-remove", "1/200"},
        {SCRIM_REPLACE, "0.02",
         "gaussian sensitivity=1 variance=100 neighbours=add-remove", "1/50"},
        {SCRIM_REPLACE, "0.01", "gaussian sensitivity=1 variance=100 neighbours=replace",
         "1/200"},
        {SCRIM_ADD_REMOVE, "0.01",
         "gaussian sensitivity=1 variance=100 neighbours=replace", NULL},
        {SCRIM_ADD_REMOVE, "0.01",
         "exponential sensitivity=2 epsilon=0.2 neighbours=add-remove", "1/200"},
        {SCRIM_ADD_REMOVE, "0.02",
         "permute-and-flip sensitivity=2 epsilon=0.2 neighbours=add-remove", "1/50"},
        {SCRIM_ADD_REMOVE, "0.01",
         "partition-selection epsilon=1 delta=1e-6 neighbours=add-remove", NULL},
        {SCRIM_ADD_REMOVE, NULL,
         "gaussian sensitivity=1 epsilon=1 delta=1e-6 "
         "neighbours=add-remove",
         NULL},
        {SCRIM_ADD_REMOVE, NULL, "gaussian sensitivity=1 rho=1/100 neighbours=add-remove",
         NULL},
        {SCRIM_ADD_REMOVE, NULL,
         "exponential sensitivity=2 epsilon=0.2 neighbours=add-remove", "1/5"},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_allowance *a = allowance_of(list[i].neighbours, list[i].rho, "1",
                                       list[i].rho == NULL ? "0" : "1e-5");
        scrim_measurement *m = noise_made(list[i].line);
        REQUIRE(a != NULL && m != NULL);
        CHECK_STATUS(sc_allowance_take(a, m, NULL),
                     list[i].used == NULL ? SCRIM_E_INTERNAL : SCRIM_OK);
        CHECK_RATIO(sc_allowance_used(a), list[i].used == NULL ? "0" : list[i].used);
        scrim_measurement_free(m);
        sc_allowance_free(a);
    }
}

/* Sets aside; false, with a failed check, where that is refused. */
static bool reserve(sc_allowance *a, const char *epsilon, const char *delta)
{
    sc_ratio one, two;
    exact_ratio(epsilon, &one);
    exact_ratio(delta, &two);
    const bool is_set = CHECK_STATUS(sc_allowance_reserve(a, &one, &two, NULL), SCRIM_OK);
    sc_ratio_clear(&two);
    sc_ratio_clear(&one);
    return is_set;
}

static void check_reserve_used(const sc_allowance *a, const char *epsilon,
                               const char *delta)
{
    sc_ratio one, two;
    sc_ratio_init(&one);
    sc_ratio_init(&two);
    sc_allowance_reserve_used(a, &one, &two);
    CHECK_RATIO(&one, epsilon);
    CHECK_RATIO(&two, delta);
    sc_ratio_clear(&two);
    sc_ratio_clear(&one);
}

/* Three thirds of a reserve fit, and nothing more of it; what has a rho is summed apart. The charge is both. */
TEST(allowance_adds_up_its_reserve_exactly)
{
    CLAIM("allowance.reserve");
    sc_allowance *a = allowance_of(SCRIM_ADD_REMOVE, "0.01", "1", "1e-5");
    scrim_measurement *keys = noise_made("partition-selection epsilon=1/15 "
                                         "delta=1/30000000 neighbours=add-remove");
    scrim_measurement *count =
        noise_made("gaussian sensitivity=1 variance=100 neighbours=add-remove");
    char *parts = NULL;
    REQUIRE(a != NULL && keys != NULL && count != NULL);
    REQUIRE(reserve(a, "1/5", "1e-7"));
    CHECK_RATIO(&sc_allowance_cost(a)->epsilon, "6/5");
    CHECK_RATIO(&sc_allowance_cost(a)->delta, "101/10000000");
    CHECK(!sc_allowance_cost(a)->has_rho);
    CHECK(sc_allowance_cost(a)->neighbours == SCRIM_ADD_REMOVE);
    CHECK_RATIO(sc_allowance_total(a), "0.01");
    REQUIRE_OK(sc_allowance_parts(a, &parts, NULL));
    CHECK(strstr(parts, "\nreserve 0.2 0.0000001\n") != NULL);
    CHECK(strstr(parts, "\nrho 0.01\n") != NULL);
    sc_free(parts);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(sc_allowance_take(a, keys, NULL), SCRIM_OK);
    check_reserve_used(a, "1/5", "1e-7");
    CHECK_STATUS(sc_allowance_take(a, keys, NULL), SCRIM_E_INTERNAL);
    check_reserve_used(a, "1/5", "1e-7");
    CHECK_RATIO(sc_allowance_used(a), "0");
    CHECK_STATUS(sc_allowance_take(a, count, NULL), SCRIM_OK);
    CHECK_STATUS(sc_allowance_take(a, count, NULL), SCRIM_OK);
    CHECK_STATUS(sc_allowance_take(a, count, NULL), SCRIM_E_INTERNAL);
    CHECK_RATIO(sc_allowance_used(a), "0.01");
    scrim_measurement_free(count);
    scrim_measurement_free(keys);
    sc_allowance_free(a);
}

/* Either sum ends it; a reserve comes first, once, and is not touched by what needs none. */
TEST(allowance_refuses_what_its_reserve_does_not_hold)
{
    CLAIM("allowance.reserve");
    static const char *const lines[] = {
        "partition-selection epsilon=1/4 delta=1e-8 neighbours=add-remove",
        "partition-selection epsilon=1/6 delta=2e-7 neighbours=add-remove",
        "partition-selection epsilon=1/6 delta=1e-8 neighbours=replace"};
    sc_ratio some, none;
    exact_ratio("1/5", &some);
    exact_ratio("0", &none);
    for (size_t i = 0; i < COUNT(lines); i++) {
        sc_allowance *a = allowance_of(SCRIM_ADD_REMOVE, NULL, "1", "0");
        scrim_measurement *m = noise_made(lines[i]);
        REQUIRE(a != NULL && m != NULL);
        CHECK_STATUS(sc_allowance_reserve(a, &some, &none, NULL), SCRIM_E_PARAM);
        CHECK_STATUS(sc_allowance_reserve(a, &none, &some, NULL), SCRIM_E_PARAM);
        CHECK_STATUS(sc_allowance_take(a, m, NULL), SCRIM_E_INTERNAL);
        REQUIRE(reserve(a, "1/5", "1e-7"));
        CHECK_STATUS(sc_allowance_reserve(a, &some, &some, NULL), SCRIM_E_INTERNAL);
        CHECK_STATUS(sc_allowance_take(a, m, NULL), SCRIM_E_INTERNAL);
        check_reserve_used(a, "0", "0");
        CHECK(sc_allowance_is_fresh(a));
        scrim_measurement_free(m);
        sc_allowance_free(a);
    }
    sc_allowance *a = allowance_of(SCRIM_ADD_REMOVE, NULL, "1", "0");
    scrim_measurement *keys =
        noise_made("partition-selection epsilon=1/5 delta=1e-7 neighbours=add-remove");
    scrim_measurement *pure =
        noise_made("laplace sensitivity=1 epsilon=1/2 neighbours=add-remove");
    REQUIRE(a != NULL && keys != NULL && pure != NULL && reserve(a, "1/5", "1e-7"));
    CHECK_STATUS(sc_allowance_take(a, pure, NULL), SCRIM_OK);
    check_reserve_used(a, "0", "0");
    CHECK_STATUS(sc_allowance_take(a, keys, NULL), SCRIM_E_INTERNAL);
    check_reserve_used(a, "0", "0");
    CHECK(!sc_allowance_is_fresh(a));
    scrim_measurement_free(pure);
    scrim_measurement_free(keys);
    sc_allowance_free(a);
    sc_ratio_clear(&none);
    sc_ratio_clear(&some);
}

/* The passage. */

#define ROOM 4

typedef struct desk {
    scrim_ledger *ledger;
    sc_tape *tape;
    sc_allowance *allowance;
    scrim_measurement *count, *choice;
    sc_int128 values[ROOM];
    sc_mark marks[ROOM];
    sc_draw draw;
} desk;

/* rho 0.014973: a count costs 1/200, a choice 1/800. */
static bool desk_try(desk *d, const char *epsilon)
{
    const scrim_ledger_options options = {.size = sizeof options,
                                          .neighbours = SCRIM_ADD_REMOVE,
                                          .epsilon = epsilon,
                                          .delta = "1e-9"};
    *d = (desk){.ledger = NULL};
    d->draw = (sc_draw){.values = d->values, .marks = d->marks, .capacity = ROOM};
    sc_ratio rho, one, delta;
    exact_ratio("0.014973", &rho);
    exact_ratio("1", &one);
    exact_ratio("1e-9", &delta);
    const bool is_made =
        scrim_ledger_new(&options, &d->ledger, NULL) == SCRIM_OK &&
        sc_tape_seeded(7, &d->tape, NULL) == SCRIM_OK &&
        sc_allowance_new(SCRIM_ADD_REMOVE, &rho, &one, &delta, &d->allowance, NULL) ==
            SCRIM_OK &&
        scrim_measurement_parse("marginals tables=3 rho=1/200 neighbours=add-remove",
                                &d->count, NULL) == SCRIM_OK &&
        scrim_measurement_parse(
            "exponential sensitivity=1 epsilon=1/10 neighbours=add-remove", &d->choice,
            NULL) == SCRIM_OK;
    if (is_made)
        sc_ledger_use_bits(d->ledger, sc_tape_bits_of(d->tape));
    sc_ratio_clear(&delta);
    sc_ratio_clear(&one);
    sc_ratio_clear(&rho);
    return is_made;
}

static void desk_clear(desk *d)
{
    scrim_measurement_free(d->choice);
    scrim_measurement_free(d->count);
    sc_allowance_free(d->allowance);
    scrim_ledger_free(d->ledger);
    sc_tape_free(d->tape);
}

static scrim_status open_within(desk *d, sc_passage **out)
{
    sc_bits_key key = {{0}};
    return sc_passage_open_within(d->ledger, "synth", d->allowance, &key, false, out,
                                  NULL);
}

static scrim_entry entry_of(scrim_ledger *ledger)
{
    scrim_entry entry = {.id = 0};
    CHECK_STATUS(scrim_ledger_entry(ledger, 0, &entry, NULL), SCRIM_OK);
    return entry;
}

static const int64_t people[] = {10, 20, 30};

static scrim_status draw(desk *d, sc_passage *passage, const scrim_measurement *m)
{
    return sc_passage_draw_within(
        passage, m, &(sc_private_input){.values = people, .count = 3}, &d->draw, NULL);
}

TEST(allowance_is_charged_before_the_first_bit)
{
    CLAIM("allowance.within");
    CLAIM("release.charged");
    desk d;
    sc_passage *passage = NULL;
    REQUIRE(CHECK(desk_try(&d, "1")));
    REQUIRE_OK(open_within(&d, &passage));
    CHECK_INT(sc_tape_used(d.tape), 0);
    CHECK_STR(entry_of(d.ledger).cost.epsilon, "1");
    CHECK_STR(entry_of(d.ledger).cost.delta, "0.000000001");
    CHECK_INT(entry_of(d.ledger).state, SCRIM_ENTRY_CHARGED);
    /* 2 counts and 3 choices are 0.01375, a fourth choice 0.015. */
    REQUIRE_OK(draw(&d, passage, d.count));
    CHECK_INT(d.draw.count, 3);
    for (int i = 0; i < 3; i++) {
        REQUIRE_OK(draw(&d, passage, d.choice));
        CHECK(d.values[0] >= 0 && d.values[0] < 3);
    }
    REQUIRE_OK(draw(&d, passage, d.count));
    const uint64_t used = sc_tape_used(d.tape);
    CHECK_STATUS(draw(&d, passage, d.choice), SCRIM_E_INTERNAL);
    CHECK_INT(d.draw.count, 0);
    CHECK_INT(d.values[0], 0);
    CHECK_INT(sc_tape_used(d.tape), used);
    CHECK_RATIO(sc_allowance_used(d.allowance), "0.01375");
    REQUIRE_OK(sc_passage_record(passage, "what was released", NULL));
    CHECK_STR(entry_of(d.ledger).answer, "what was released");
    CHECK_STATUS(draw(&d, passage, d.choice), SCRIM_E_INTERNAL);
    sc_passage_close(passage);
    /* It is used up: a second charge needs an allowance of its own. */
    passage = NULL;
    CHECK_STATUS(open_within(&d, &passage), SCRIM_E_INTERNAL);
    CHECK(passage == NULL && scrim_ledger_count(d.ledger) == 1);
    desk_clear(&d);
}

TEST(allowance_beyond_the_budget_is_not_opened)
{
    CLAIM("release.charged");
    desk d;
    sc_passage *passage = NULL;
    REQUIRE(CHECK(desk_try(&d, "0.999")));
    CHECK_STATUS(open_within(&d, &passage), SCRIM_E_BUDGET);
    CHECK(passage == NULL && scrim_ledger_count(d.ledger) == 0);
    CHECK_INT(sc_tape_used(d.tape), 0);
    desk_clear(&d);
}

/* A passage of parts draws nothing within, and one within no parts. */
TEST(allowance_and_bundle_are_apart)
{
    CLAIM("allowance.within");
    desk d;
    sc_passage *passage = NULL;
    sc_bundle *bundle = NULL;
    size_t part = 0;
    sc_bits_key key = {{0}};
    REQUIRE(CHECK(desk_try(&d, "2")));
    REQUIRE_OK(open_within(&d, &passage));
    CHECK_STATUS(sc_passage_draw(passage, 0, d.count,
                                 &(sc_private_input){.values = people, .count = 3},
                                 &d.draw, NULL),
                 SCRIM_E_INTERNAL);
    sc_passage_close(passage);
    sc_ratio none;
    sc_ratio_init(&none);
    REQUIRE_OK(sc_bundle_new(SCRIM_ADD_REMOVE, &bundle, NULL));
    REQUIRE_OK(sc_bundle_add(bundle, d.choice, 1, &part, NULL));
    REQUIRE_OK(sc_bundle_fix(bundle, &none, NULL));
    REQUIRE_OK(sc_passage_open(d.ledger, "query", bundle, &key, false, &passage, NULL));
    CHECK_STATUS(draw(&d, passage, d.choice), SCRIM_E_INTERNAL);
    CHECK_INT(sc_tape_used(d.tape), 0);
    sc_passage_close(passage);
    sc_bundle_free(bundle);
    sc_ratio_clear(&none);
    desk_clear(&d);
}

/* A bundle of one measurement, fixed without a delta of its own. */
static sc_bundle *bundle_of(const scrim_measurement *m, uint64_t copies)
{
    sc_bundle *bundle = NULL;
    size_t part = 0;
    SC_OWN(sc_ratio, none);
    CHECK_STATUS(sc_bundle_new(SCRIM_ADD_REMOVE, &bundle, NULL), SCRIM_OK);
    CHECK_STATUS(sc_bundle_add(bundle, m, copies, &part, NULL), SCRIM_OK);
    CHECK_STATUS(sc_bundle_fix(bundle, &none, NULL), SCRIM_OK);
    return bundle;
}

/* A first bundle, and then another that follows from it: together they have the epsilon and the delta that were charged. */
TEST(allowance_takes_bundles_whole)
{
    CLAIM("allowance.parts");
    CLAIM("release.charged");
    desk d;
    sc_passage *passage = NULL;
    REQUIRE(CHECK(desk_try(&d, "2")));
    sc_allowance_free(d.allowance);
    d.allowance = allowance_of(SCRIM_ADD_REMOVE, NULL, "1", "1e-9");
    scrim_measurement *fifth =
        noise_made("laplace sensitivity=1 epsilon=0.2 neighbours=add-remove");
    scrim_measurement *keys = noise_made(
        "partition-selection epsilon=0.8 delta=1e-9 max-groups=1 neighbours=add-remove");
    sc_bundle *first = bundle_of(fifth, 1), *twice = bundle_of(fifth, 5),
              *second = bundle_of(keys, 1);
    const sc_private_input input = {.values = people, .count = 3};
    REQUIRE_OK(open_within(&d, &passage));
    CHECK_STR(entry_of(d.ledger).cost.epsilon, "1");
    CHECK_STR(entry_of(d.ledger).cost.delta, "0.000000001");
    CHECK_STATUS(sc_passage_draw(passage, 0, fifth, &input, &d.draw, NULL),
                 SCRIM_E_INTERNAL);
    REQUIRE_OK(sc_passage_take_parts(passage, first, NULL));
    REQUIRE_OK(sc_passage_draw(passage, 0, fifth, &input, &d.draw, NULL));
    CHECK_RATIO(sc_allowance_used(d.allowance), "0.2");
    /* Five draws of a fifth are too many now, and what was not taken is not drawn. */
    CHECK_STATUS(sc_passage_take_parts(passage, twice, NULL), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_passage_draw(passage, 0, keys, &input, &d.draw, NULL),
                 SCRIM_E_INTERNAL);
    REQUIRE_OK(sc_passage_take_parts(passage, second, NULL));
    CHECK_RATIO(sc_allowance_used(d.allowance), "1");
    REQUIRE_OK(sc_passage_draw(passage, 0, keys, &input, &d.draw, NULL));
    CHECK_STATUS(sc_passage_draw(passage, 0, fifth, &input, &d.draw, NULL),
                 SCRIM_E_INTERNAL);
    CHECK_STATUS(draw(&d, passage, fifth), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_passage_take_parts(passage, first, NULL), SCRIM_E_INTERNAL);
    sc_passage_close(passage);
    /* Delta is summed like epsilon. */
    sc_allowance_free(d.allowance);
    d.allowance = allowance_of(SCRIM_ADD_REMOVE, NULL, "10", "1.5e-9");
    CHECK_STATUS(sc_allowance_take_parts(d.allowance, second, NULL), SCRIM_OK);
    CHECK_STATUS(sc_allowance_take_parts(d.allowance, second, NULL), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_allowance_take_parts(d.allowance, first, NULL), SCRIM_OK);
    CHECK_RATIO(sc_allowance_used(d.allowance), "1");
    sc_bundle_free(second);
    sc_bundle_free(twice);
    sc_bundle_free(first);
    scrim_measurement_free(keys);
    scrim_measurement_free(fifth);
    desk_clear(&d);
}

/* Back to epsilon: the smallest multiple of 10^-6 at which rho keeps delta. */
TEST(allowance_finds_the_epsilon_of_rho)
{
    CLAIM("allowance.epsilon");
    static const char *const rhos[] = {"0.014973", "1/2", "0.000001", "3"};
    sc_ratio rho, delta, epsilon, step, none;
    sc_allowance *allowance = NULL;
    exact_ratio("1e-9", &delta);
    exact_ratio("0.000001", &step);
    exact_ratio("0", &none);
    sc_ratio_init(&epsilon);
    for (size_t i = 0; i < COUNT(rhos); i++) {
        exact_ratio(rhos[i], &rho);
        REQUIRE_OK(sc_allowance_epsilon(&rho, &delta, &epsilon, NULL));
        CHECK_STATUS(
            sc_allowance_new(SCRIM_REPLACE, &rho, &epsilon, &delta, &allowance, NULL),
            SCRIM_OK);
        sc_allowance_free(allowance);
        sc_ratio_sub(&epsilon, &epsilon, &step);
        CHECK_STATUS(
            sc_allowance_new(SCRIM_REPLACE, &rho, &epsilon, &delta, &allowance, NULL),
            SCRIM_E_PARAM);
        CHECK_STATUS(sc_allowance_epsilon(&rho, &none, &epsilon, NULL), SCRIM_E_PARAM);
        sc_ratio_clear(&rho);
    }
    CHECK_STATUS(sc_allowance_epsilon(&none, &delta, &epsilon, NULL), SCRIM_E_PARAM);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&none);
    sc_ratio_clear(&step);
    sc_ratio_clear(&delta);
}

/* Each allocation fails in turn: what was charged stays so, and a draw without memory has taken nothing. */
TEST(allowance_survives_a_lack_of_memory)
{
    CLAIM("release.charged");
    int before = 0, after = 0, shown = 0;
    FAULT_LOOP(fault)
    {
        desk d;
        sc_passage *passage = NULL;
        if (!desk_try(&d, "1")) {
            CHECK(fault_hit());
            desk_clear(&d);
            continue;
        }
        scrim_status status = open_within(&d, &passage);
        const bool is_open = status == SCRIM_OK;
        CHECK(is_open == (passage != NULL));
        CHECK_INT(scrim_ledger_count(d.ledger), is_open);
        if (is_open)
            status = draw(&d, passage, d.count);
        if (is_open && status != SCRIM_OK)
            CHECK_RATIO(sc_allowance_used(d.allowance),
                        sc_tape_used(d.tape) > 0 ? "1/200" : "0");
        if (status == SCRIM_OK)
            status = sc_passage_record(passage, "x", NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        before += !is_open;
        after += is_open && status != SCRIM_OK;
        shown += status == SCRIM_OK;
        sc_passage_close(passage);
        desk_clear(&d);
    }
    CHECK(before >= 1 && after >= 1 && shown == 1);
}
