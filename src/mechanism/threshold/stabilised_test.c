#include "base/memory.h"
#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "laws.h"
#include "mechanism/threshold/stabilise.h"
#include "mechanism_lines.h"
#include "scrim/threshold.h"
#include "tape_release.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIRST                                                                            \
    "stabilise sensitivity=1 epsilon=1 threshold=6 whole=yes neighbours=add-remove"

/* One charge. */

TEST(stabilised_costs_what_is_printed)
{
    CLAIM("stabilised.privacy");
    json_t *rows = vectors_load("papers-additions", "stabilise_then"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        char line[256];
        const char *epsilon = vectors_text(row, "epsilon");
        snprintf(line, sizeof line,
                 "stabilise sensitivity=%s epsilon=%s threshold=%s max-groups=%s "
                 "largest=%s neighbours=add-remove then laplace sensitivity=%s "
                 "epsilon=1/2 whole=yes",
                 vectors_text(row, "sensitivity"), epsilon,
                 vectors_text(row, "threshold"), vectors_text(row, "max_groups"),
                 vectors_text(row, "largest"), vectors_text(row, "sensitivity"));
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        SC_OWN(sc_ball, delta);
        SC_OWN(sc_ratio, half, both);
        sc_ball_set_ratio(&delta, &m->cost.delta, 512);
        CHECK_PRINTED(&delta, vectors_text(row, "mass"));
        CHECK_STATUS(sc_ratio_parse(sc_text_of("1/2"), &half, NULL), SCRIM_OK);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(epsilon), &both, NULL), SCRIM_OK);
        sc_ratio_add(&both, &both, &half);
        CHECK(sc_ratio_compare(&both, &m->cost.epsilon) == 0);
        scrim_measurement_free(m);
    }
    CHECK_INT(r, 2);
}

TEST(stabilised_adds_the_deltas_of_both)
{
    CLAIM("stabilised.privacy");
    scrim_cost cost;
    scrim_measurement *keys = choices_new(
        "stabilise sensitivity=2 epsilon=1/2 delta=1e-6 neighbours=add-remove");
    scrim_measurement *sum =
        choices_new("gaussian sensitivity=1 epsilon=1 delta=1e-7 neighbours=add-remove");
    scrim_measurement *other =
        choices_new("laplace sensitivity=1 epsilon=1 neighbours=replace");
    scrim_measurement *bare =
        choices_new("gaussian sensitivity=1 sigma=3 neighbours=add-remove");
    scrim_measurement *both = choices_new(
        "stabilise sensitivity=2 epsilon=1/2 delta=1e-6 neighbours=add-remove then "
        "threshold-gaussian epsilon=1 delta=1e-7 max-groups=2");
    REQUIRE(keys != NULL && sum != NULL && other != NULL && bare != NULL && both != NULL);
    REQUIRE_OK(scrim_stabilised_cost(keys, sum, &cost, NULL));
    CHECK_STR(cost.epsilon, "1.5");
    CHECK_STR(cost.delta, "0.0000011");
    CHECK_INT(cost.neighbours, SCRIM_ADD_REMOVE);
    REQUIRE_OK(scrim_measurement_cost(both, &cost, NULL));
    CHECK_STR(cost.epsilon, "1.5");
    CHECK_STR(cost.delta, "0.0000011");
    CHECK_STATUS(scrim_stabilised_cost(sum, keys, &cost, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_stabilised_cost(keys, other, &cost, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_stabilised_cost(keys, bare, &cost, NULL), SCRIM_E_PARAM);
    scrim_measurement_free(both);
    scrim_measurement_free(bare);
    scrim_measurement_free(other);
    scrim_measurement_free(sum);
    scrim_measurement_free(keys);
}

TEST(stabilised_is_one_line)
{
    static const char *const line = FIRST " then laplace sensitivity=1 epsilon=1/2 "
                                          "whole=yes";
    scrim_measurement *m = choices_new(line);
    REQUIRE(m != NULL);
    const char *text = scrim_measurement_text(m);
    CHECK(strstr(text, " then laplace ") != NULL);
    scrim_measurement *again = choices_new(text);
    REQUIRE(again != NULL);
    CHECK_STR(scrim_measurement_text(again), text);
    CHECK_INT(again->then->cost.neighbours, SCRIM_ADD_REMOVE);
    scrim_measurement_free(again);
    scrim_measurement_free(m);
}

/* The law, against an enumeration of its own in doubles. */

static double tail(double w, int64_t a, int64_t t)
{
    return a < t ? exp(-w * (double)(t - a)) / (1 + exp(-w))
                 : 1 - exp(-w * (double)(a - t + 1)) / (1 + exp(-w));
}

TEST(stabilised_has_the_law_of_the_pair)
{
    CLAIM("stabilised.exact");
    static const int64_t input[] = {6, 3, 0};
    scrim_measurement *m =
        choices_model("stabilise sensitivity=1 epsilon=1 threshold=6 then laplace "
                      "sensitivity=1 epsilon=2");
    sc_outcomes law;
    double listed = 0;
    REQUIRE(m != NULL);
    REQUIRE(choices_law(m, input, 3, 64, &law));
    CHECK_INT(law.width, 4);
    for (size_t i = 0; i < law.count; i++) {
        const int64_t *key = law.keys + 4 * i;
        size_t at = 1;
        double p = 1;
        for (size_t k = 0; k < 3; k++) {
            const double keep = input[k] > 0 ? tail(1, input[k], 6) : 0;
            const bool is_kept = key[0] >> k & 1;
            p *= is_kept ? keep : 1 - keep;
            if (is_kept)
                p *= tanh(1) * exp(-2 * fabs((double)(key[at++] - input[k])));
        }
        for (; at < 4; at++)
            CHECK_INT(key[at], 0);
        CHECK_NEAR(goodness_middle(&law.mass[i]), p, 1e-12);
        listed += p;
    }
    CHECK_NEAR(listed, 1, 1e-6);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

/* sum of max(0, P - e^epsilon Q) over what is listed, and all that is not listed of P. */
static double excess(const sc_outcomes *p, const sc_outcomes *q, double epsilon)
{
    double total = goodness_middle(&p->rest);
    for (size_t i = 0; i < p->count; i++)
        total += fmax(0, goodness_middle(&p->mass[i]) -
                             exp(epsilon) * choices_mass(q, p->keys + i * p->width));
    return total;
}

/* All tables of two keys with these counts, and one unit more in one key or in both. */
static double worst_of(const scrim_measurement *m, int64_t groups, double epsilon)
{
    static const int64_t counts[] = {0, 1, 5, 6, 8};
    enum { COUNTS = sizeof counts / sizeof *counts };
    double worst = 0;
    for (size_t i = 0; i < (size_t)COUNTS * COUNTS; i++)
        for (int64_t move = 1; move <= 3; move++) {
            const int64_t x[2] = {counts[i % COUNTS], counts[i / COUNTS]};
            const int64_t y[2] = {x[0] + (move & 1), x[1] + (move >> 1)};
            sc_outcomes p, q;
            if (move == 3 && groups < 2)
                continue;
            if (!choices_law(m, x, 2, 48, &p))
                return 2;
            if (!choices_law(m, y, 2, 48, &q)) {
                sc_outcomes_clear(&p);
                return 2;
            }
            worst = fmax(worst, fmax(excess(&p, &q, epsilon), excess(&q, &p, epsilon)));
            sc_outcomes_clear(&q);
            sc_outcomes_clear(&p);
        }
    return worst;
}

SLOW_TEST(stabilised_is_private_on_small_tables)
{
    CLAIM("stabilised.privacy");
    static const struct {
        const char *line;
        int64_t groups;
        bool is_attained, is_long;
    } list[] = {
        {"stabilise sensitivity=1 epsilon=1 threshold=6 then permute-and-flip "
         "sensitivity=1 epsilon=1",
         1, true, false},
        {"stabilise sensitivity=2 epsilon=2 threshold=6 max-groups=2 largest=1 then "
         "exponential sensitivity=1 epsilon=1",
         2, true, false},
        {"stabilise sensitivity=1 epsilon=1 threshold=6 then stabilise sensitivity=1 "
         "epsilon=1 threshold=4",
         1, false, false},
        {"stabilise sensitivity=1 epsilon=2 threshold=6 then above-threshold "
         "sensitivity=1 epsilon=4 threshold=6 queries=2",
         1, false, true},
        {"stabilise sensitivity=1 epsilon=1 threshold=6 then laplace sensitivity=1 "
         "epsilon=4",
         1, true, false},
        {"stabilise sensitivity=2 epsilon=2 threshold=6 max-groups=2 largest=1 then "
         "truncated-laplace sensitivity=2 epsilon=2 bound=4",
         2, false, true},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i].is_long && !check_is_long())
            continue;
        scrim_measurement *m = choices_model(list[i].line);
        REQUIRE(m != NULL);
        SC_OWN(sc_ball, epsilon, delta);
        sc_ball_set_ratio(&epsilon, &m->cost.epsilon, 64);
        sc_ball_set_ratio(&delta, &m->cost.delta, 64);
        const double claimed = goodness_middle(&delta);
        const double worst = worst_of(m, list[i].groups, goodness_middle(&epsilon));
        if (!CHECK(worst <= claimed + 1e-6) ||
            !CHECK(!list[i].is_attained || worst >= claimed * 0.999))
            CHECK_FAIL("%s: %.10g of %.10g", list[i].line, worst, claimed);
        scrim_measurement_free(m);
    }
}

/* Draws, through the gate. */

/* Which of the cells an answer of two keys is in: the kept set, and the first value's noise. */
static size_t cell_of(const scrim_answer *answer, const int64_t *input)
{
    size_t set = 0;
    int64_t noise = 0;
    bool is_first = true;
    for (size_t i = 0; i < 2; i++) {
        if (scrim_answer_kind_at(answer, i) == SCRIM_ANSWER_NONE)
            continue;
        set |= (size_t)1 << i;
        if (is_first)
            noise = (int64_t)scrim_answer_double(answer, i) - input[i];
        is_first = false;
    }
    const int64_t cut = noise < -2 ? -2 : noise > 2 ? 2 : noise;
    return set * 5 + (size_t)(cut + 2);
}

TEST(stabilised_draws_by_its_law)
{
    CLAIM("stabilised.exact");
    static const int64_t input[] = {6, 4};
    scrim_measurement *m = choices_new(FIRST " then laplace sensitivity=1 epsilon=2");
    uint64_t seen[20] = {0};
    double expected[20] = {0};
    sc_outcomes law;
    sc_tape *tape = NULL;
    REQUIRE(m != NULL);
    REQUIRE(choices_law(m, input, 2, 64, &law));
    for (size_t i = 0; i < law.count; i++) {
        const int64_t *key = law.keys + 3 * i;
        const int64_t noise = key[0] == 0 ? 0 : key[1] - input[key[0] == 2];
        const int64_t cut = noise < -2 ? -2 : noise > 2 ? 2 : noise;
        expected[key[0] * 5 + cut + 2] += goodness_middle(&law.mass[i]);
    }
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const scrim_input given = {.integers = input, .count = 2};
    for (uint64_t i = 0; i < check_count(4000, 400000); i++) {
        scrim_answer *answer = NULL;
        REQUIRE_OK(tape_release(m, &given, tape, &answer, NULL, NULL));
        seen[cell_of(answer, input)]++;
        scrim_answer_free(answer);
    }
    CHECK(laws_chi_square(seen, expected, 20) > LAWS_FALSE_ALARM);
    sc_tape_free(tape);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

/* Conclusions. */

TEST(stabilised_takes_as_many_keys_as_its_mechanism)
{
    static const int64_t input[] = {30, 0, 40};
    scrim_measurement *m = choices_new(FIRST " then gaussian sensitivity=1 epsilon=1 "
                                             "delta=1e-3 size=2 whole=yes");
    scrim_answer *answer = NULL;
    sc_tape *tape = NULL;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    scrim_input given = {.integers = input, .count = 3};
    CHECK_STATUS(tape_release(m, &given, tape, &answer, NULL, NULL), SCRIM_E_PARAM);
    given.count = 2; /* of which one can be kept */
    REQUIRE_OK(tape_release(m, &given, tape, &answer, NULL, NULL));
    CHECK_INT(scrim_answer_count(answer), 2);
    CHECK_INT(scrim_answer_kind_at(answer, 0), SCRIM_ANSWER_VALUE);
    CHECK_INT(scrim_answer_kind_at(answer, 1), SCRIM_ANSWER_NONE);
    scrim_answer_free(answer);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

#define SUM(sensitivity)                                                                 \
    "stabilise sensitivity=" sensitivity " epsilon=1 threshold=9 neighbours=add-remove "

TEST(stabilised_refuses_what_cannot_follow)
{
    CLAIM("stabilised.privacy");
    static const char *const smaller[] = {
        SUM("5") "then gaussian sensitivity=2 epsilon=1 delta=1e-3",
        SUM("2 max-groups=1 largest=2") "then exponential sensitivity=1 epsilon=1",
        SUM("2 max-groups=1 largest=2") "then above-threshold sensitivity=1 epsilon=1 "
                                        "threshold=6",
        SUM("2 max-groups=2 largest=1") "then threshold-laplace epsilon=1 delta=1e-3 "
                                        "max-groups=1 max-rows=2",
    };
    static const char *const placed[] = {
        SUM("1") "then counter steps=3 sensitivity=1 epsilon=1",
        SUM("1") "then guess-and-check sensitivity=1 epsilon=1 threshold=6 count=1 "
                 "guesses=3,4",
    };
    choices_refused("laplace sensitivity=1 epsilon=1 neighbours=replace then laplace "
                    "sensitivity=1 epsilon=1",
                    SCRIM_E_PARAM, "no mechanism can follow laplace");
    choices_refused(FIRST " then", SCRIM_E_SYNTAX, "name a mechanism");
    choices_refused(FIRST " then unknown", SCRIM_E_PARAM, "unknown mechanism");
    choices_refused(FIRST " then quantile p=1/2 epsilon=1 lower=0 upper=9", SCRIM_E_PARAM,
                    "one value per key");
    choices_refused(FIRST " then private-size-stlap size-epsilon=1 size-delta=1e-3 "
                          "bar-epsilon=1 bar-delta=1e-3 tau=1/2",
                    SCRIM_E_PARAM, "one value per key");
    choices_refused(FIRST " then randomised-response keep=3/4 neighbours=local",
                    SCRIM_E_PARAM, "one value per key");
    choices_refused(FIRST " then exponential sensitivity=1 epsilon=1 grid=1/4",
                    SCRIM_E_PARAM, "integers");
    choices_refused("stabilise sensitivity=3 epsilon=1 threshold=9 neighbours=replace "
                    "then laplace sensitivity=2 epsilon=1",
                    SCRIM_E_PARAM, "smaller sensitivity");
    for (size_t i = 0; i < sizeof smaller / sizeof *smaller; i++)
        choices_refused(smaller[i], SCRIM_E_PARAM, "smaller sensitivity");
    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++)
        choices_refused(placed[i], SCRIM_E_PARAM, "fixed places");
    choices_refused(FIRST " then linear-queries bins=1 coefficients=1,1,1 epsilon=1",
                    SCRIM_E_PARAM, "one value per key");
    choices_refused(FIRST " then gaussian sensitivity=1 sigma=3 whole=yes", SCRIM_E_PARAM,
                    "no epsilon");
    choices_refused(FIRST " then laplace sensitivity=1 epsilon=1 neighbours=replace",
                    SCRIM_E_PARAM, "same neighbours");
    choices_refused(FIRST " then stabilise sensitivity=1 epsilon=1 threshold=6 then "
                          "laplace sensitivity=1 epsilon=1",
                    SCRIM_E_SYNTAX, "then");
    choices_refused("stabilise sensitivity=1 epsilon=1 neighbours=replace", SCRIM_E_PARAM,
                    "exactly one");
    choices_refused("stabilise sensitivity=1 epsilon=1 threshold=6 delta=1e-3 "
                    "neighbours=replace",
                    SCRIM_E_PARAM, "exactly one");
    mechanism_check_faults(FIRST " then laplace sensitivity=1 epsilon=1 whole=yes");
}
