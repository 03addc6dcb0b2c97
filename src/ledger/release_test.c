#include "base/reserve.h"
#include "check.h"
#include "exact.h"
#include "faults.h"
#include "ledger/ledger_tape.h"
#include "ledger/release.h"
#include "noise_checks.h"
#include "random/bits_tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const count_line =
    "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove";

static scrim_ledger *ledger_of(const char *epsilon)
{
    scrim_ledger *ledger = NULL;
    CHECK_STATUS(scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                                .neighbours = SCRIM_ADD_REMOVE,
                                                .epsilon = epsilon, .delta = "1/2"),
                                  &ledger, NULL),
                 SCRIM_OK);
    return ledger;
}

/* A ledger that draws from a seeded tape. */
typedef struct desk {
    scrim_ledger *ledger;
    sc_tape *tape;
} desk;

/* False when there is no memory for it. */
static bool desk_try(desk *d, uint64_t seed)
{
    const scrim_ledger_options options = {.size = sizeof options,
                                          .neighbours = SCRIM_ADD_REMOVE,
                                          .epsilon = "1000000",
                                          .delta = "1/2"};
    *d = (desk){NULL, NULL};
    if (scrim_ledger_new(&options, &d->ledger, NULL) != SCRIM_OK ||
        sc_tape_seeded(seed, &d->tape, NULL) != SCRIM_OK)
        return false;
    sc_ledger_use_bits(d->ledger, sc_tape_bits_of(d->tape));
    return true;
}

static bool desk_open(desk *d, uint64_t seed)
{
    return CHECK(desk_try(d, seed));
}

static void desk_close(desk *d)
{
    scrim_ledger_free(d->ledger);
    sc_tape_free(d->tape);
}

static scrim_cost spent_of(scrim_ledger *ledger)
{
    scrim_cost cost = {SCRIM_NEIGHBOURS_UNSET, "", "", ""};
    CHECK_STATUS(scrim_ledger_spent(ledger, &cost, NULL), SCRIM_OK);
    return cost;
}

/* The passage. */

/* An answer says what was charged: where a unit is replaced, a claim for add-remove counts twice. */
TEST(release_says_the_cost_as_charged)
{
    CLAIM("ledger.relation");
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    scrim_entry entry;
    const int64_t people = 1234;
    scrim_measurement *m = noise_made(count_line);
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = SCRIM_REPLACE, .epsilon = "1"),
        &ledger, NULL));
    REQUIRE_OK(scrim_release(ledger, m, &(scrim_input){.integers = &people, .count = 1},
                             &answer, NULL));
    CHECK_STR(scrim_answer_cost(answer)->epsilon, "0.2");
    CHECK_INT(scrim_answer_cost(answer)->neighbours, SCRIM_REPLACE);
    CHECK_STR(spent_of(ledger).epsilon, "0.2");
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_STR(entry.cost.epsilon, "0.2");
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
}

TEST(release_charges_draws_and_records)
{
    CLAIM("release.charged");
    desk d;
    scrim_answer *answer = NULL;
    scrim_entry entry;
    const int64_t people = 1234;
    scrim_measurement *m = noise_made(count_line);
    REQUIRE(m != NULL && desk_open(&d, check_seed()));
    REQUIRE_OK(scrim_release(d.ledger, m, &(scrim_input){.integers = &people, .count = 1},
                             &answer, NULL));
    CHECK_INT(scrim_answer_count(answer), 1);
    CHECK_INT(scrim_answer_entry(answer), 1);
    CHECK_STR(scrim_answer_cost(answer)->epsilon, "0.1");
    CHECK_STR(spent_of(d.ledger).epsilon, "0.1");
    REQUIRE_OK(scrim_ledger_entry(d.ledger, 0, &entry, NULL));
    CHECK_INT(entry.state, SCRIM_ENTRY_RELEASED);
    CHECK_STR(entry.measurement, count_line);
    CHECK_STR(entry.answer, scrim_answer_text(answer, 0));
    int64_t value = 0;
    CHECK(scrim_answer_integer(answer, 0, &value) && llabs(value - people) < 1000);
    /* An answer outlives its ledger. */
    desk_close(&d);
    CHECK_INT(scrim_answer_count(answer), 1);
    scrim_answer_free(answer);
    scrim_measurement_free(m);
}

/* Without a tape the bits are the system's: two releases differ. */
TEST(release_draws_from_the_system)
{
    static int64_t zeros[64];
    scrim_ledger *ledger = ledger_of("1");
    scrim_measurement *m = noise_made(count_line);
    scrim_answer *first = NULL, *second = NULL;
    size_t same = 0;
    REQUIRE(ledger != NULL && m != NULL);
    const scrim_input input = {.integers = zeros, .count = 64};
    REQUIRE_OK(scrim_release(ledger, m, &input, &first, NULL));
    REQUIRE_OK(scrim_release(ledger, m, &input, &second, NULL));
    for (size_t i = 0; i < 64; i++)
        same += strcmp(scrim_answer_text(first, i), scrim_answer_text(second, i)) == 0;
    CHECK(same < 64);
    scrim_answer_free(first);
    scrim_answer_free(second);
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
}

/* Public facts are checked before anything is charged or drawn. */
TEST(release_refuses_before_it_charges)
{
    CLAIM("release.charged");
    static const int64_t integers[3];
    static const double reals[3];
    static const char *const texts[] = {"1", "2", "3"};
    static const struct {
        const char *line;
        scrim_input input;
        scrim_status status;
        const char *part;
    } list[] = {
        {"laplace sensitivity=1 epsilon=1 neighbours=add-remove",
         {.integers = integers, .reals = reals, .count = 1},
         SCRIM_E_PARAM,
         "exactly one"},
        {"laplace sensitivity=1 epsilon=1 neighbours=add-remove",
         {.count = 1},
         SCRIM_E_PARAM,
         "exactly one"},
        {"laplace sensitivity=1 epsilon=1 neighbours=add-remove",
         {.integers = integers},
         SCRIM_E_PARAM,
         "at least 1"},
        {"laplace sensitivity=1 epsilon=1 neighbours=add-remove",
         {.reals = reals, .count = 1},
         SCRIM_E_PARAM,
         "grid=STEP"},
        {"laplace sensitivity=1 epsilon=1 grid=0.1 neighbours=add-remove",
         {.reals = reals, .count = 2},
         SCRIM_E_PARAM,
         "made for 1 values"},
        {"laplace sensitivity=1 epsilon=1 size=2 neighbours=add-remove",
         {.integers = integers, .count = 3},
         SCRIM_E_PARAM,
         "made for 2 values"},
        {"gaussian sensitivity=1 epsilon=1 delta=0.1 neighbours=add-remove",
         {.texts = texts, .count = 3},
         SCRIM_E_PARAM,
         "made for 1 values"},
        {"laplace sensitivity=1 epsilon=1 neighbours=replace",
         {.integers = integers, .count = 1},
         SCRIM_E_POLICY,
         "replace"},
        {"gaussian sensitivity=1 sigma=1 neighbours=add-remove",
         {.integers = integers, .count = 1},
         SCRIM_E_POLICY,
         "only a curve"},
        {"gaussian sensitivity=1 epsilon=1 delta=0.6 neighbours=add-remove",
         {.integers = integers, .count = 1},
         SCRIM_E_BUDGET,
         "delta"},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        desk d;
        scrim_answer *answer = NULL;
        scrim_error error = {.message = ""};
        scrim_measurement *m = noise_made(list[i].line);
        REQUIRE(m != NULL && desk_open(&d, 1));
        CHECK_STATUS(scrim_release(d.ledger, m, &list[i].input, &answer, &error),
                     list[i].status);
        if (strstr(error.message, list[i].part) == NULL)
            CHECK_STR(error.message, list[i].part);
        CHECK(answer == NULL);
        CHECK_INT(scrim_ledger_count(d.ledger), 0);
        CHECK_STR(spent_of(d.ledger).epsilon, "0");
        CHECK_INT(sc_tape_used(d.tape), 0);
        scrim_measurement_free(m);
        desk_close(&d);
    }
    /* A model is not for data, whatever it was given. */
    desk d;
    scrim_answer *answer = NULL;
    scrim_measurement *model =
        noise_modelled("laplace sensitivity=1 epsilon=1 neighbours=add-remove");
    REQUIRE(model != NULL && desk_open(&d, 1));
    CHECK_STATUS(scrim_release(d.ledger, model,
                               &(scrim_input){.integers = integers, .count = 1}, &answer,
                               NULL),
                 SCRIM_E_PARAM);
    CHECK(answer == NULL && scrim_ledger_count(d.ledger) == 0);
    scrim_measurement_free(model);
    desk_close(&d);
}

/* An insufficient budget draws nothing: no bit is taken. */
TEST(release_beyond_the_budget_draws_nothing)
{
    CLAIM("release.charged");
    scrim_ledger *ledger = ledger_of("0.15");
    sc_tape *tape = NULL;
    scrim_answer *answer = NULL;
    scrim_error error = {.message = ""};
    const int64_t people = 1;
    const scrim_input input = {.integers = &people, .count = 1};
    scrim_measurement *m = noise_made(count_line);
    REQUIRE(ledger != NULL && m != NULL);
    REQUIRE_OK(sc_tape_seeded(1, &tape, NULL));
    sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
    REQUIRE_OK(scrim_release(ledger, m, &input, &answer, NULL));
    scrim_answer_free(answer);
    answer = NULL;
    uint64_t used = sc_tape_used(tape);
    CHECK_STATUS(scrim_release(ledger, m, &input, &answer, &error), SCRIM_E_BUDGET);
    CHECK(strstr(error.message, "0.05 left") != NULL);
    CHECK(answer == NULL && sc_tape_used(tape) == used);
    CHECK_STR(spent_of(ledger).epsilon, "0.1");
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
    sc_tape_free(tape);
}

/* Faults. */

/* Each allocation fails in turn: an answer has its charge and its record, and a failure after the
 * charge leaves it standing. */
TEST(release_survives_a_lack_of_memory)
{
    CLAIM("release.charged");
    static const char *const texts[] = {"12.5", "abc"};
    static const int64_t integers[] = {3, 4};
    static const double reals[] = {0.5, 2};
    static const char *const lines[] = {
        "laplace sensitivity=1 scale=100 grid=1/4 size=2 neighbours=add-remove",
        "gaussian sensitivity=1 epsilon=9 delta=1/4 size=2 grid=1/2 "
        "neighbours=add-remove",
        "truncated-laplace sensitivity=1 scale=2 bound=30 grid=1 size=2 "
        "neighbours=add-remove"};
    for (size_t kind = 0; kind < 9; kind++) {
        const scrim_input input = {.integers = kind % 3 == 0 ? integers : NULL,
                                   .reals = kind % 3 == 1 ? reals : NULL,
                                   .texts = kind % 3 == 2 ? texts : NULL,
                                   .count = 2};
        scrim_measurement *m = noise_made(lines[kind / 3]);
        int before = 0, after = 0, shown = 0;
        REQUIRE(m != NULL);
        FAULT_LOOP(fault)
        {
            desk d;
            scrim_answer *answer = NULL;
            if (!desk_try(&d, 5)) {
                CHECK(fault_hit());
                desk_close(&d);
                continue;
            }
            scrim_status status = scrim_release(d.ledger, m, &input, &answer, NULL);
            CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
            CHECK((answer != NULL) == (status == SCRIM_OK));
            size_t entries = scrim_ledger_count(d.ledger);
            CHECK(entries <= 1);
            if (entries == 1) {
                scrim_entry entry;
                REQUIRE_OK(scrim_ledger_entry(d.ledger, 0, &entry, NULL));
                CHECK_INT(entry.state,
                          answer != NULL ? SCRIM_ENTRY_RELEASED : SCRIM_ENTRY_CHARGED);
                CHECK((entry.answer[0] == '\0') == (answer == NULL));
                CHECK(strcmp(spent_of(d.ledger).epsilon, "0") != 0);
            } else {
                CHECK(answer == NULL);
                CHECK_STR(spent_of(d.ledger).epsilon, "0");
                CHECK_INT(sc_tape_used(d.tape), 0);
            }
            before += status != SCRIM_OK && entries == 0;
            after += status != SCRIM_OK && entries == 1;
            shown += status == SCRIM_OK;
            scrim_answer_free(answer);
            desk_close(&d);
        }
        CHECK(before >= 3 && after >= 3 && shown == 1);
        scrim_measurement_free(m);
    }
}

/* Behind the charge nothing may be missing. */
TEST(A103_nothing_is_charged_without_memory_for_numbers)
{
    CLAIM("reserve.memory");
    desk d;
    scrim_answer *answer = NULL;
    const int64_t people = 1234;
    const scrim_input input = {.integers = &people, .count = 1};
    scrim_measurement *m = noise_made(count_line);
    REQUIRE(m != NULL && desk_open(&d, check_seed()));
    void *half = sc_reserve_take(SC_RESERVE_BYTES / 2);
    REQUIRE(half != NULL && !sc_reserve_is_low());
    CHECK_STATUS(scrim_release(d.ledger, m, &input, &answer, NULL), SCRIM_E_MEMORY);
    CHECK_STR(spent_of(d.ledger).epsilon, "0");
    CHECK(sc_reserve_give(half));
    REQUIRE_OK(scrim_release(d.ledger, m, &input, &answer, NULL));
    CHECK_STR(spent_of(d.ledger).epsilon, "0.1");
    desk_close(&d);
    scrim_answer_free(answer);
    scrim_measurement_free(m);
}

/* Bits that run out: nothing is shown, the charge stays, and it is charged again next time. */
TEST(release_without_bits_stays_charged)
{
    CLAIM("release.charged");
    static const uint64_t words[64] = {0x123456789abcdef0, 0x0fedcba987654321, 42, 7};
    static const int64_t values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    scrim_measurement *m = noise_made(count_line);
    bool succeeded = false;
    REQUIRE(m != NULL);
    for (size_t have = 0; !succeeded && have <= COUNT(words); have++) {
        scrim_ledger *ledger = ledger_of("1");
        sc_tape *tape = NULL;
        scrim_answer *answer = NULL;
        scrim_entry entry;
        scrim_error error = {.message = ""};
        REQUIRE(ledger != NULL);
        REQUIRE_OK(sc_tape_words(words, have, &tape, NULL));
        sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
        scrim_status status = scrim_release(
            ledger, m, &(scrim_input){.integers = values, .count = 8}, &answer, &error);
        CHECK(status == SCRIM_OK || status == SCRIM_E_ENTROPY);
        succeeded = status == SCRIM_OK;
        CHECK((answer != NULL) == succeeded);
        CHECK_INT(scrim_ledger_count(ledger), 1);
        CHECK_STR(spent_of(ledger).epsilon, "0.1");
        REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
        CHECK_INT(entry.state, succeeded ? SCRIM_ENTRY_RELEASED : SCRIM_ENTRY_CHARGED);
        scrim_answer_free(answer);
        scrim_ledger_free(ledger);
        sc_tape_free(tape);
    }
    CHECK(succeeded);
    scrim_measurement_free(m);
}

/* A05: sources that are stuck end, with an answer or without, and no sum wraps. */
TEST(release_from_a_stuck_source_ends)
{
    CLAIM("release.charged");
    static const char *const lines[] = {
        "laplace sensitivity=1 scale=2^60 neighbours=add-remove",
        "laplace sensitivity=1 scale=2^40 neighbours=add-remove",
        "laplace sensitivity=1 scale=1/3 neighbours=add-remove",
        "gaussian sensitivity=1 epsilon=1/1000000 delta=1e-9 neighbours=add-remove",
        "truncated-laplace sensitivity=1 scale=2^59 bound=2^60 neighbours=add-remove"};
    static const uint64_t stuck[] = {0, UINT64_MAX, UINT64_C(0x5555555555555555)};
    static const int64_t values[] = {INT64_MAX - 1, INT64_MIN + 1, 0};
    for (size_t i = 0; i < COUNT(lines) * COUNT(stuck); i++) {
        scrim_ledger *ledger = ledger_of("1000000000000000000000000");
        scrim_measurement *m = noise_made(lines[i / COUNT(stuck)]);
        REQUIRE(ledger != NULL && m != NULL);
        for (size_t j = 0; j < COUNT(values); j++) {
            sc_tape *tape = NULL;
            scrim_answer *answer = NULL;
            REQUIRE_OK(sc_tape_constant(stuck[i % COUNT(stuck)], &tape, NULL));
            sc_ledger_use_bits(ledger, sc_tape_bits_of(tape));
            scrim_status status = scrim_release(
                ledger, m, &(scrim_input){.integers = &values[j], .count = 1}, &answer,
                NULL);
            CHECK(status == SCRIM_OK || status == SCRIM_E_ENTROPY);
            CHECK((answer != NULL) == (status == SCRIM_OK));
            scrim_answer_free(answer);
            sc_tape_free(tape);
        }
        scrim_measurement_free(m);
        scrim_ledger_free(ledger);
    }
}

/* Quiet. */

typedef struct outcome {
    scrim_status status;
    size_t values;
    uint64_t allocations, bits;
} outcome;

static outcome released(const char *line, const scrim_input *input, scrim_answer **out)
{
    outcome result = {SCRIM_E_INTERNAL, 0, 0, 0};
    scrim_answer *answer = NULL;
    desk d;
    scrim_measurement *m = noise_made(line);
    if (m == NULL || !desk_open(&d, 11))
        return result;
    uint64_t before = fault_allocations();
    result.status = scrim_release(d.ledger, m, input, &answer, NULL);
    result.allocations = fault_allocations() - before;
    result.bits = sc_tape_used(d.tape);
    if (answer != NULL)
        result.values = scrim_answer_count(answer);
    if (out != NULL)
        *out = answer;
    else
        scrim_answer_free(answer);
    scrim_measurement_free(m);
    desk_close(&d);
    return result;
}

static void check_same(const char *line, const scrim_input *input, const outcome *want)
{
    outcome got = released(line, input, NULL);
    CHECK_STATUS(got.status, SCRIM_OK);
    CHECK_INT(got.values, want->values);
    CHECK_INT(got.allocations, want->allocations);
    CHECK_INT(got.bits, want->bits);
}

/* A19: whatever a value is, the release looks the same from outside. */
SLOW_TEST(release_is_the_same_for_every_value)
{
    CLAIM("release.quiet");
    static const char *const lines[] = {
        "laplace sensitivity=1 epsilon=1 grid=0.01 neighbours=add-remove",
        "laplace sensitivity=1 epsilon=1 grid=2^-10 lower=-5 upper=9 "
        "neighbours=add-remove",
        "gaussian sensitivity=1 epsilon=1 delta=1e-6 grid=0.25 neighbours=add-remove",
        "truncated-laplace sensitivity=1 epsilon=1 delta=1e-6 grid=1 "
        "neighbours=add-remove"};
    static const int64_t integers[] = {0, 1, -1, INT64_MAX, INT64_MIN, 1000000007};
    static const double reals[] = {0.0,       -0.0,        1.0,    5e-324,
                                   -5e-324,   1e308,       -1e308, HUGE_VAL,
                                   -HUGE_VAL, (double)NAN, 0x1p62, 0.005};
    static const char *const texts[] = {"0",     "",
                                        "NULL",  "NaN",
                                        "abc",   "-inf",
                                        "1e400", "1_000",
                                        "1,5",   " 7 ",
                                        "+3",    "1e999999999",
                                        "0.005", "9999999999999999999999999999999999999"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        outcome want =
            released(lines[i], &(scrim_input){.integers = integers, .count = 1}, NULL);
        CHECK_STATUS(want.status, SCRIM_OK);
        CHECK(want.values == 1 && want.allocations > 3 && want.bits > 0);
        for (size_t j = 0; j < COUNT(integers); j++)
            check_same(lines[i], &(scrim_input){.integers = &integers[j], .count = 1},
                       &want);
        for (size_t j = 0; j < COUNT(reals); j++)
            check_same(lines[i], &(scrim_input){.reals = &reals[j], .count = 1}, &want);
        for (size_t j = 0; j < COUNT(texts); j++)
            check_same(lines[i], &(scrim_input){.texts = &texts[j], .count = 1}, &want);
    }
}

/* A refusal speaks of the budget, and says the same of every value. */
TEST(release_messages_do_not_depend_on_values)
{
    CLAIM("release.quiet");
    static const int64_t integers[] = {0, INT64_MIN, 77777777};
    scrim_measurement *m = noise_made(count_line);
    char first[SCRIM_MESSAGE_BYTES] = "";
    REQUIRE(m != NULL);
    for (size_t i = 0; i < COUNT(integers); i++) {
        scrim_ledger *ledger = ledger_of("1/20");
        scrim_answer *answer = NULL;
        scrim_error error = {.message = ""};
        REQUIRE(ledger != NULL);
        CHECK_STATUS(scrim_release(ledger, m,
                                   &(scrim_input){.integers = &integers[i], .count = 1},
                                   &answer, &error),
                     SCRIM_E_BUDGET);
        if (i == 0)
            snprintf(first, sizeof first, "%s", error.message);
        CHECK_STR(error.message, first);
        scrim_ledger_free(ledger);
    }
    scrim_measurement_free(m);
}

/* Record and replay: the same bits on neighbours. What comes out differs by what went in, and
 * that by no more than the sensitivity. */

/* The answer in steps, less the noise: with one tape the noise is the same. */
static bool step_of(const char *line, const scrim_input *input, const char *step,
                    sc_ratio *out)
{
    scrim_answer *answer = NULL;
    outcome result = released(line, input, &answer);
    sc_ratio size;
    if (!CHECK(result.status == SCRIM_OK && answer != NULL))
        return false;
    sc_ratio_clear(out);
    exact_ratio(scrim_answer_text(answer, 0), out);
    exact_ratio(step, &size);
    sc_ratio_div(out, out, &size);
    CHECK(sc_ratio_is_integer(out));
    sc_ratio_clear(&size);
    scrim_answer_free(answer);
    return true;
}

static void check_distance(const char *line, const char *step, double x, double y,
                           int64_t steps)
{
    sc_ratio a, b, limit;
    sc_ratio_init(&a);
    sc_ratio_init(&b);
    sc_ratio_init(&limit);
    if (step_of(line, &(scrim_input){.reals = &x, .count = 1}, step, &a) &&
        step_of(line, &(scrim_input){.reals = &y, .count = 1}, step, &b)) {
        sc_ratio_sub(&a, &a, &b);
        if (!CHECK(sc_ratio_compare_int64(&a, steps) <= 0 &&
                   sc_ratio_compare_int64(&a, -steps) >= 0))
            CHECK_FAIL("%a and %a lie more than %lld steps apart", x, y,
                       (long long)steps);
    }
    sc_ratio_clear(&limit);
    sc_ratio_clear(&b);
    sc_ratio_clear(&a);
}

/* A15: one rounding at a large offset; A18: odd ranges, grids that do not divide, halves. */
TEST(release_of_neighbours_stays_within_the_sensitivity)
{
    CLAIM("release.quiet");
    static const struct {
        const char *line, *step;
        double x, y;
        int64_t steps;
    } list[] = {
        {"laplace sensitivity=1 epsilon=1 grid=2^-2 lower=1125899906842624 "
         "upper=1125899906842625 neighbours=add-remove",
         "1/4", 0x1p50 + 0.25, 0x1p50, 4},
        {"laplace sensitivity=1 epsilon=1 grid=1 neighbours=add-remove", "1", 0.5, 1.5,
         1},
        {"laplace sensitivity=1 epsilon=1 grid=1 neighbours=add-remove", "1", -0.5, 0.5,
         1},
        {"laplace sensitivity=0.3 epsilon=1 grid=0.1 neighbours=add-remove", "0.1", 0.05,
         0.35, 3},
        {"laplace sensitivity=0.25 epsilon=1 grid=0.1 neighbours=add-remove", "0.1", 0.05,
         0.3, 3},
        {"laplace sensitivity=3 epsilon=1 grid=2 neighbours=add-remove", "2", -1.0, 2.0,
         2},
        {"gaussian sensitivity=3 epsilon=1 delta=0.1 grid=2 neighbours=add-remove", "2",
         1.0, -2.0, 2},
        {"truncated-laplace sensitivity=1 epsilon=1 delta=0.1 grid=0.5 "
         "neighbours=add-remove",
         "0.5", 0.75, 1.75, 2}};
    for (size_t i = 0; i < COUNT(list); i++)
        check_distance(list[i].line, list[i].step, list[i].x, list[i].y, list[i].steps);
}

/* Pairs at a distance of at most D, found at random, with ends next to where rounding turns. */
SLOW_TEST(release_of_random_neighbours_stays_within_the_sensitivity)
{
    CLAIM("release.quiet");
    static const struct {
        const char *line, *step;
        double unit, distance;
        int64_t steps;
    } list[] = {{"laplace sensitivity=0.7 epsilon=1 grid=0.1 neighbours=add-remove",
                 "0.1", 0.1, 0.7, 7},
                {"laplace sensitivity=1/3 epsilon=1 grid=2^-3 neighbours=add-remove",
                 "2^-3", 0.125, 1.0 / 3, 3},
                {"gaussian sensitivity=5 epsilon=1 delta=1e-3 grid=4 "
                 "neighbours=add-remove",
                 "4", 4, 5, 2}};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < COUNT(list); i++)
        for (uint64_t n = check_count(60, 5000); n > 0; n--) {
            uint64_t word = 0;
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
            /* Near a half step, at all sizes; then as far as the sensitivity goes. */
            double x = ((double)(word % 2001) - 1000.5) * list[i].unit;
            x = ldexp(x, (int)(word >> 11 & 15));
            if (word >> 20 & 1)
                x = nextafter(x, HUGE_VAL);
            double y = x + (word >> 21 & 1 ? -1 : 1) * list[i].distance;
            /* A value that is further away than D, by the rounding of that sum, is no neighbour. */
            while (fabs(y - x) > list[i].distance)
                y = nextafter(y, x);
            check_distance(list[i].line, list[i].step, x, y, list[i].steps);
        }
    sc_tape_free(tape);
}

/* A16, A17: values of a vector do not meet; each has its own noise, in its own place. */
TEST(release_of_a_vector_is_value_by_value)
{
    CLAIM("release.quiet");
    static const int64_t x[4] = {10, 20, 30, 40}, y[4] = {10, 20, 31, 40};
    scrim_answer *a = NULL, *b = NULL;
    outcome first = released(count_line, &(scrim_input){.integers = x, .count = 4}, &a);
    outcome second = released(count_line, &(scrim_input){.integers = y, .count = 4}, &b);
    REQUIRE(first.status == SCRIM_OK && second.status == SCRIM_OK);
    for (size_t i = 0; i < 4; i++) {
        int64_t left = 0, right = 0;
        CHECK(scrim_answer_integer(a, i, &left) && scrim_answer_integer(b, i, &right));
        CHECK_INT(right - left, y[i] - x[i]);
    }
    scrim_answer_free(a);
    scrim_answer_free(b);
}

/* Clamped output stays in its range, and both ends are reached. */
TEST(release_within_a_range_stays_there)
{
    static int64_t values[2000];
    scrim_answer *answer = NULL;
    int64_t least = 99, most = -99;
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = i % 2 == 0 ? INT64_MIN : INT64_MAX;
    outcome result =
        released("laplace sensitivity=1 epsilon=1/10 lower=-3 upper=5 "
                 "neighbours=add-remove",
                 &(scrim_input){.integers = values, .count = COUNT(values)}, &answer);
    REQUIRE(result.status == SCRIM_OK && answer != NULL);
    for (size_t i = 0; i < COUNT(values); i++) {
        int64_t value = 0;
        CHECK(scrim_answer_integer(answer, i, &value));
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    CHECK_INT(least, -3);
    CHECK_INT(most, 5);
    scrim_answer_free(answer);
}

TEST(A86_a_failure_after_the_charge_is_told)
{
    CLAIM("unanswered.told");
    scrim_error error;
    (void)sc_fail(&error, SCRIM_E_LEDGER, "the disk is full");
    CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_E_LEDGER, 8, true), SCRIM_E_LEDGER);
    CHECK_INT(error.status, SCRIM_E_LEDGER);
    CHECK_STR(error.message,
              "release 8 is charged and has no answer: the disk is full; ask the same "
              "question again: it is finished at no further charge");
    (void)sc_fail(&error, SCRIM_E_ENTROPY, "no bits");
    CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_E_ENTROPY, 9, false), SCRIM_E_ENTROPY);
    CHECK_STR(error.message, "release 9 is charged and has no answer: no bits; nothing "
                             "was shown, and the charge stays");
    CHECK_STATUS(sc_answered_fail(&error, SCRIM_E_MEMORY, 7), SCRIM_E_MEMORY);
    CHECK_STR(error.message,
              "release 7 is charged and its answer is recorded: no memory; "
              "replay it: it is shown at no further charge");
    (void)sc_fail(&error, SCRIM_E_LEDGER, "a disk");
    CHECK_STATUS(sc_uncertain_fail(&error, SCRIM_E_LEDGER, 6, true), SCRIM_E_LEDGER);
    CHECK_STR(error.message,
              "release 6 is perhaps charged and has no answer: a disk; ask "
              "the same question again: it is charged once");
    (void)sc_fail(&error, SCRIM_E_LEDGER, "a disk");
    CHECK_STATUS(sc_unanswered_query_fail(&error, SCRIM_E_LEDGER, 7, 3), SCRIM_E_LEDGER);
    CHECK_STR(error.message,
              "release 7 is charged and query 3 of it has no answer: a disk; "
              "nothing of it was shown, and earlier answers are recorded");
    CHECK_STATUS(sc_unanswered_fail(NULL, SCRIM_E_BUSY, 9, false), SCRIM_E_BUSY);
    CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_OK, 10, true), SCRIM_OK);
    CHECK(strstr(error.message, "release 7 ") != NULL);
}

/* Asking for the answer of a past charge gives the same words. */
TEST(A86_a_charge_of_the_past_is_told_alike)
{
    CLAIM("unanswered.told");
    scrim_error error;
    CHECK_STATUS(sc_unrecorded_fail(&error, 8, true, "epsilon", "0.1"), SCRIM_E_LEDGER);
    CHECK_STR(error.message, "release 8 is charged and has no answer yet; ask the same "
                             "question again: it is finished at no further charge");
    CHECK_STATUS(sc_unrecorded_fail(&error, 8, false, "epsilon", "0.1"), SCRIM_E_LEDGER);
    CHECK_STR(error.message,
              "release 8 is charged and has no answer: it ended before one was recorded; "
              "nothing was shown, and the charge of epsilon 0.1 stays");
}

/* However long a reason is, and wherever it is cut, the advice is there. */
TEST(A86_a_long_reason_leaves_room_for_the_advice)
{
    CLAIM("unanswered.told");
    for (size_t bytes = 100; bytes < SCRIM_MESSAGE_BYTES; bytes++) {
        scrim_error error = {.status = SCRIM_E_INPUT};
        for (size_t i = 0; i + 2 < bytes; i += 2)
            memcpy(error.message + i, "\xc3\xa9", 3);
        CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_E_INPUT, UINT64_MAX, true),
                     SCRIM_E_INPUT);
        CHECK(strncmp(error.message, "release 18446744073709551615 is charged and has ",
                      40) == 0);
        CHECK(strstr(error.message, "at no further charge") != NULL);
    }
}

TEST(A86_memory_after_the_charge_has_one_message)
{
    CLAIM("unanswered.memory");
    static const char *const reasons[] = {"out of memory for a release",
                                          "out of memory for keys", ""};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        scrim_error error;
        (void)sc_fail(&error, SCRIM_E_MEMORY, "%s", reasons[i]);
        CHECK_STATUS(sc_unanswered_fail(&error, SCRIM_E_MEMORY, 3, true), SCRIM_E_MEMORY);
        CHECK_STR(error.message,
                  "release 3 is charged and has no answer: no memory; ask the same "
                  "question again: it is finished at no further charge");
    }
}
