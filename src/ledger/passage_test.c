#include "check.h"
#include "exact.h"
#include "faults.h"
#include "ledger/ledger_tape.h"
#include "ledger/release.h"
#include "noise_checks.h"
#include "passages.h"
#include "random/bits_tape.h"

#include <string.h>

/* A ledger in memory with a tape, a bundle of one laplace and one quantile, and room. */
#define ROOM 8

typedef struct counter {
    scrim_ledger *ledger;
    sc_tape *tape;
    scrim_measurement *count, *median;
    sc_bundle *bundle;
    sc_int128 values[ROOM];
    sc_mark marks[ROOM];
    sc_draw draw;
} counter;

static const char *const count_line =
    "laplace sensitivity=1 epsilon=1/4 neighbours=add-remove";
static const char *const median_line =
    "quantile p=1/2 epsilon=1/8 lower=0 upper=100 neighbours=add-remove";

/* False without memory. */
static bool counter_try(counter *c, const char *epsilon, sc_tape *tape)
{
    const scrim_ledger_options options = {.size = sizeof options,
                                          .neighbours = SCRIM_ADD_REMOVE,
                                          .epsilon = epsilon,
                                          .delta = "1/2"};
    sc_ratio none;
    size_t part = 0;
    *c = (counter){.tape = tape};
    c->draw = (sc_draw){.values = c->values, .marks = c->marks, .capacity = ROOM};
    bool made = scrim_ledger_new(&options, &c->ledger, NULL) == SCRIM_OK &&
                scrim_measurement_parse(count_line, &c->count, NULL) == SCRIM_OK &&
                scrim_measurement_parse(median_line, &c->median, NULL) == SCRIM_OK &&
                sc_bundle_new(SCRIM_ADD_REMOVE, &c->bundle, NULL) == SCRIM_OK &&
                sc_bundle_add(c->bundle, c->count, 1, &part, NULL) == SCRIM_OK &&
                sc_bundle_add(c->bundle, c->median, 2, &part, NULL) == SCRIM_OK;
    sc_ratio_init(&none);
    made = made && sc_bundle_fix(c->bundle, &none, NULL) == SCRIM_OK;
    sc_ratio_clear(&none);
    if (made)
        sc_ledger_use_bits(c->ledger, sc_tape_bits_of(tape));
    return made;
}

static void counter_free(counter *c)
{
    sc_bundle_free(c->bundle);
    scrim_measurement_free(c->median);
    scrim_measurement_free(c->count);
    scrim_ledger_free(c->ledger);
    sc_tape_free(c->tape);
}

static bool counter_open(counter *c, const char *epsilon)
{
    sc_tape *tape = NULL;
    return CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK) &&
           CHECK(counter_try(c, epsilon, tape));
}

static scrim_entry entry_of(scrim_ledger *ledger)
{
    scrim_entry entry = {.id = 0};
    CHECK_STATUS(scrim_ledger_entry(ledger, 0, &entry, NULL), SCRIM_OK);
    return entry;
}

TEST(passage_charges_draws_and_records)
{
    CLAIM("release.charged");
    static const int64_t people[] = {10, 20}, ages[] = {3, 14, 15, 92, 65};
    counter c;
    sc_passage *passage = NULL;
    REQUIRE(counter_open(&c, "1"));
    REQUIRE_OK(passage_open(c.ledger, "query : SELECT", c.bundle, &passage, NULL));
    CHECK_INT(sc_passage_entry(passage), 1);
    CHECK_INT(sc_tape_used(c.tape), 0);
    CHECK_STR(entry_of(c.ledger).cost.epsilon, "0.5");
    CHECK_STR(entry_of(c.ledger).measurement, "query : SELECT");
    CHECK_INT(entry_of(c.ledger).state, SCRIM_ENTRY_CHARGED);
    REQUIRE_OK(sc_passage_draw(passage, 0, c.count,
                               &(sc_private_input){.values = people, .count = 2}, &c.draw,
                               NULL));
    CHECK_INT(c.draw.count, 2);
    CHECK(c.values[0] > -200 && c.values[0] < 220 && c.values[0] != c.values[1]);
    CHECK(sc_tape_used(c.tape) > 0);
    for (int i = 0; i < 3; i++) {
        REQUIRE_OK(sc_passage_draw(passage, 1, c.median,
                                   &(sc_private_input){.values = ages, .count = 5},
                                   &c.draw, NULL));
        CHECK_INT(c.draw.count, 1);
        CHECK(c.values[0] >= 0 && c.values[0] <= 100);
    }
    CHECK_STR(entry_of(c.ledger).answer, "");
    REQUIRE_OK(sc_passage_record(passage, "10 3", NULL));
    CHECK_STR(entry_of(c.ledger).answer, "10 3");
    CHECK_INT(entry_of(c.ledger).state, SCRIM_ENTRY_RELEASED);
    /* Nothing more. */
    CHECK_STATUS(sc_passage_draw(passage, 0, c.count,
                                 &(sc_private_input){.values = people, .count = 2},
                                 &c.draw, NULL),
                 SCRIM_E_INTERNAL);
    CHECK_INT(c.draw.count, 0);
    CHECK_INT(c.values[0], 0);
    CHECK_STATUS(sc_passage_record(passage, "11 4", NULL), SCRIM_E_INTERNAL);
    CHECK_STR(entry_of(c.ledger).answer, "10 3");
    sc_passage_close(passage);
    sc_passage_close(NULL);
    counter_free(&c);
}

/* Without its charge there is no passage, and no bit is drawn. */
TEST(passage_beyond_the_budget_is_not_opened)
{
    CLAIM("release.charged");
    counter c;
    sc_passage *passage = NULL;
    scrim_error error = {.message = ""};
    REQUIRE(counter_open(&c, "0.49"));
    CHECK_STATUS(passage_open(c.ledger, "query", c.bundle, &passage, &error),
                 SCRIM_E_BUDGET);
    CHECK(strstr(error.message, "epsilon 0.5 requested, 0.49 left") != NULL);
    CHECK(passage == NULL);
    CHECK_INT(scrim_ledger_count(c.ledger), 0);
    CHECK_INT(sc_tape_used(c.tape), 0);
    counter_free(&c);
}

TEST(passage_takes_a_bundle_that_is_fixed)
{
    CLAIM("release.charged");
    counter c;
    size_t part = 0;
    sc_bundle *loose = NULL;
    sc_passage *passage = NULL;
    REQUIRE(counter_open(&c, "1"));
    REQUIRE_OK(sc_bundle_new(SCRIM_ADD_REMOVE, &loose, NULL));
    REQUIRE_OK(sc_bundle_add(loose, c.count, 1, &part, NULL));
    CHECK_STATUS(passage_open(c.ledger, "query", loose, &passage, NULL),
                 SCRIM_E_INTERNAL);
    CHECK(passage == NULL && scrim_ledger_count(c.ledger) == 0);
    sc_bundle_free(loose);
    counter_free(&c);
}

/* Every draw was charged: the part's own measurement, and no other. */
TEST(passage_draws_what_was_charged)
{
    CLAIM("release.charged");
    static const int64_t rows[] = {3, 14, 15, 92, 65};
    static const struct {
        size_t part;
        const char *line;
        scrim_status status;
    } list[] = {
        {0, "laplace sensitivity=1 epsilon=1/4 neighbours=add-remove", SCRIM_OK},
        {0, "laplace sensitivity=1/2 epsilon=1/4 neighbours=add-remove",
         SCRIM_E_INTERNAL},
        {0, "laplace sensitivity=1 epsilon=1/8 neighbours=add-remove", SCRIM_E_INTERNAL},
        {0,
         "truncated-laplace sensitivity=1 epsilon=1/4 delta=1e-6 "
         "neighbours=add-remove",
         SCRIM_E_INTERNAL},
        {0, "quantile p=1/2 epsilon=1/8 lower=0 upper=100 neighbours=add-remove",
         SCRIM_E_INTERNAL},
        {1, "quantile p=1/2 epsilon=1/8 lower=0 upper=100 neighbours=add-remove",
         SCRIM_OK},
        {1, "quantile p=1/3 epsilon=1/8 lower=0 upper=100 neighbours=add-remove",
         SCRIM_E_INTERNAL},
        {1, "quantile p=1/3,2/3 epsilon=1/8 lower=0 upper=100 neighbours=add-remove",
         SCRIM_E_INTERNAL},
        {1, "quantile p=1/2 epsilon=1/4 lower=0 upper=100 neighbours=add-remove",
         SCRIM_E_INTERNAL},
        {1, "quantile p=1/2 epsilon=1/8 lower=0 upper=99 neighbours=add-remove",
         SCRIM_E_INTERNAL},
        {1, "quantile p=1/2 epsilon=1/8 lower=0 upper=100 neighbours=replace",
         SCRIM_E_INTERNAL},
        {2, "laplace sensitivity=1 epsilon=1/4 neighbours=add-remove", SCRIM_E_INTERNAL},
    };
    counter c;
    sc_passage *passage = NULL;
    REQUIRE(counter_open(&c, "1"));
    REQUIRE_OK(passage_open(c.ledger, "query", c.bundle, &passage, NULL));
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = noise_made(list[i].line);
        REQUIRE(m != NULL);
        uint64_t used = sc_tape_used(c.tape);
        CHECK_STATUS(sc_passage_draw(passage, list[i].part, m,
                                     &(sc_private_input){.values = rows, .count = 5},
                                     &c.draw, NULL),
                     list[i].status);
        CHECK((sc_tape_used(c.tape) > used) == (list[i].status == SCRIM_OK));
        scrim_measurement_free(m);
    }
    scrim_measurement *model = noise_modelled(count_line);
    CHECK_STATUS(sc_passage_draw(passage, 0, model,
                                 &(sc_private_input){.values = rows, .count = 1}, &c.draw,
                                 NULL),
                 SCRIM_E_INTERNAL);
    c.draw.capacity = 4;
    CHECK_STATUS(sc_passage_draw(passage, 0, c.count,
                                 &(sc_private_input){.values = rows, .count = 5}, &c.draw,
                                 NULL),
                 SCRIM_E_INTERNAL);
    scrim_measurement_free(model);
    sc_passage_close(passage);
    counter_free(&c);
}

/* Each allocation fails in turn: what was charged stays so, and nothing is there without. */
TEST(passage_survives_a_lack_of_memory)
{
    CLAIM("release.charged");
    static const int64_t people[] = {10, 20};
    int before = 0, after = 0, shown = 0;
    FAULT_LOOP(fault)
    {
        counter c = {.ledger = NULL};
        sc_tape *tape = NULL;
        sc_passage *passage = NULL;
        if (sc_tape_seeded(7, &tape, NULL) != SCRIM_OK || !counter_try(&c, "1", tape)) {
            CHECK(fault_hit());
            if (tape != NULL)
                counter_free(&c);
            continue;
        }
        scrim_status status = passage_open(c.ledger, "query", c.bundle, &passage, NULL);
        const bool is_open = status == SCRIM_OK;
        CHECK(is_open == (passage != NULL));
        CHECK_INT(scrim_ledger_count(c.ledger), is_open);
        if (is_open)
            status = sc_passage_draw(passage, 0, c.count,
                                     &(sc_private_input){.values = people, .count = 2},
                                     &c.draw, NULL);
        if (is_open && status == SCRIM_OK)
            status = sc_passage_record(passage, "x", NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        if (!is_open)
            CHECK_INT(sc_tape_used(c.tape), 0);
        else
            CHECK_INT(entry_of(c.ledger).state,
                      status == SCRIM_OK ? SCRIM_ENTRY_RELEASED : SCRIM_ENTRY_CHARGED);
        before += !is_open;
        after += is_open && status != SCRIM_OK;
        shown += status == SCRIM_OK;
        sc_passage_close(passage);
        counter_free(&c);
    }
    CHECK(before >= 1 && after >= 1 && shown == 1);
}

/* Bits that run out: the charge stays, and what was half drawn is wiped. */
TEST(passage_without_bits_stays_charged)
{
    CLAIM("release.charged");
    static const uint64_t words[4] = {0x123456789abcdef0, 0x0fedcba987654321, 42, 7};
    static const int64_t people[ROOM];
    counter c;
    sc_tape *tape = NULL;
    sc_passage *passage = NULL;
    REQUIRE_OK(sc_tape_words(words, 1, &tape, NULL));
    REQUIRE(counter_try(&c, "1", tape));
    REQUIRE_OK(passage_open(c.ledger, "query", c.bundle, &passage, NULL));
    CHECK_STATUS(sc_passage_draw(passage, 0, c.count,
                                 &(sc_private_input){.values = people, .count = ROOM},
                                 &c.draw, NULL),
                 SCRIM_E_ENTROPY);
    for (size_t i = 0; i < ROOM; i++)
        CHECK_INT(c.values[i], 0);
    CHECK_INT(c.draw.count, 0);
    CHECK_STR(entry_of(c.ledger).cost.epsilon, "0.5");
    CHECK_INT(entry_of(c.ledger).state, SCRIM_ENTRY_CHARGED);
    sc_passage_close(passage);
    counter_free(&c);
}

/* Inputs. */

/* Fewer values than there might be are drawn, none among them; more are not. */
TEST(passage_draws_as_many_values_as_there_are)
{
    static const int64_t people[5];
    static const struct {
        const char *line;
        size_t most;
    } list[] = {{"gaussian sensitivity=1 rho=1/8 size=4 neighbours=add-remove", 4},
                {"laplace sensitivity=1 epsilon=1/8 size=4 neighbours=add-remove", 4},
                {"truncated-laplace sensitivity=1 epsilon=1/8 delta=1e-6 size=4 "
                 "neighbours=add-remove",
                 4},
                {"partition-selection epsilon=1 delta=1e-6 neighbours=add-remove", 5},
                {"threshold-laplace epsilon=1 delta=1e-6 neighbours=add-remove", 5}};
    for (size_t i = 0; i < COUNT(list); i++) {
        counter c;
        sc_bundle *bundle = NULL;
        sc_passage *passage = NULL;
        sc_ratio delta;
        size_t part = 0;
        scrim_measurement *m = noise_made(list[i].line);
        exact_ratio("1e-6", &delta);
        REQUIRE(counter_open(&c, "10"));
        REQUIRE_OK(sc_bundle_new(SCRIM_ADD_REMOVE, &bundle, NULL));
        REQUIRE_OK(sc_bundle_add(bundle, m, 1, &part, NULL));
        REQUIRE_OK(sc_bundle_fix(bundle, &delta, NULL));
        REQUIRE_OK(passage_open(c.ledger, "query", bundle, &passage, NULL));
        for (size_t count = 0; count <= 5; count++) {
            CHECK_STATUS(
                sc_passage_draw(passage, 0, m,
                                &(sc_private_input){.values = people, .count = count},
                                &c.draw, NULL),
                count <= list[i].most ? SCRIM_OK : SCRIM_E_INTERNAL);
            CHECK_INT(c.draw.count, count <= list[i].most ? count : 0);
        }
        sc_passage_close(passage);
        sc_bundle_free(bundle);
        sc_ratio_clear(&delta);
        scrim_measurement_free(m);
        counter_free(&c);
    }
}

/* The number that a line draws from the counter's tape for one value, wide or not. */
static scrim_status draw_one(const char *line, const int64_t *narrow,
                             const sc_int128 *wide, sc_int128 *out)
{
    counter c;
    sc_bundle *bundle = NULL;
    sc_passage *passage = NULL;
    sc_ratio delta;
    size_t part = 0;
    scrim_measurement *m = noise_made(line);
    exact_ratio("1e-6", &delta);
    if (m == NULL || !counter_open(&c, "10"))
        return SCRIM_E_INTERNAL;
    CHECK_STATUS(sc_bundle_new(SCRIM_ADD_REMOVE, &bundle, NULL), SCRIM_OK);
    CHECK_STATUS(sc_bundle_add(bundle, m, 1, &part, NULL), SCRIM_OK);
    CHECK_STATUS(sc_bundle_fix(bundle, &delta, NULL), SCRIM_OK);
    CHECK_STATUS(passage_open(c.ledger, "query", bundle, &passage, NULL), SCRIM_OK);
    scrim_status status = sc_passage_draw(
        passage, 0, m, &(sc_private_input){.values = narrow, .wide = wide, .count = 1},
        &c.draw, NULL);
    *out = c.values[0];
    sc_passage_close(passage);
    sc_bundle_free(bundle);
    sc_ratio_clear(&delta);
    scrim_measurement_free(m);
    counter_free(&c);
    return status;
}

/* A14: sums of more than 64 bits take the same noise, to the last bit, and are not cut but to a
 * range that was declared. */
SLOW_TEST(passage_A14_adds_noise_to_wide_sums)
{
    static const char *const lines[] = {
        "laplace sensitivity=1 epsilon=1/8 neighbours=add-remove",
        "gaussian sensitivity=1 rho=1/100 neighbours=add-remove",
        "truncated-laplace sensitivity=1 epsilon=1/8 delta=1e-6 neighbours=add-remove"};
    const sc_int128 far = ((sc_int128)1 << SC_INPUT_WIDE_BITS) - 1;
    const sc_int128 wide[] = {far,
                              -far,
                              (sc_int128)INT64_MAX + 1,
                              (sc_int128)INT64_MIN - 1,
                              ((sc_int128)1 << 62) + 1,
                              12345};
    for (size_t i = 0; i < COUNT(lines); i++) {
        const int64_t zero = 0;
        sc_int128 noise = 0, sum = 0;
        REQUIRE_OK(draw_one(lines[i], &zero, NULL, &noise));
        CHECK(noise != 0);
        for (size_t j = 0; j < COUNT(wide); j++) {
            REQUIRE_OK(draw_one(lines[i], NULL, &wide[j], &sum));
            CHECK(sum - wide[j] == noise);
        }
    }
    /* A declared range cuts the sum, and the answer. */
    sc_int128 cut = 0, inside = 0;
    const sc_int128 hundred = 100;
    static const char *const ends =
        "laplace sensitivity=1 epsilon=1/8 lower=-100 upper=100 neighbours=add-remove";
    REQUIRE_OK(draw_one(ends, NULL, &wide[0], &cut));
    REQUIRE_OK(draw_one(ends, NULL, &hundred, &inside));
    CHECK(cut == inside && cut <= 100);
    /* The others take none. */
    static const char *const narrow[] = {
        "partition-selection epsilon=1 delta=1e-6 neighbours=add-remove",
        "quantile p=1/2 epsilon=1/8 lower=0 upper=100 neighbours=add-remove",
        "exponential sensitivity=1 epsilon=1/8 neighbours=add-remove"};
    for (size_t i = 0; i < COUNT(narrow); i++)
        CHECK_STATUS(draw_one(narrow[i], NULL, &hundred, &cut), SCRIM_E_INTERNAL);
}

/* Narrow values are cut to the domain too, whatever they are. */
TEST(passage_cuts_values_to_the_domain)
{
    CLAIM("release.quiet");
    static const char *const line =
        "laplace sensitivity=1 epsilon=1/8 lower=-100 upper=100 neighbours=add-remove";
    const int64_t far = INT64_MAX, near = 100;
    sc_int128 a = 0, b = 0;
    REQUIRE_OK(draw_one(line, &far, NULL, &a));
    REQUIRE_OK(draw_one(line, &near, NULL, &b));
    CHECK(a == b);
}
