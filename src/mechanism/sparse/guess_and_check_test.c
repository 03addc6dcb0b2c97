#include "base/memory.h"
#include "check.h"
#include "mechanism/sparse/guess_and_check.h"
#include "mechanism_lines.h"
#include "model/measurement.h"
#include "noise_checks.h"
#include "summation.h"
#include "tape_release.h"

#include <stdlib.h>
#include <string.h>

/* With next to no noise: good guesses are said to be good, wrong ones are answered, on both sides. */
TEST(guess_and_check_answers_wrong_guesses)
{
    CLAIM("guess-and-check.accuracy");
    static const struct {
        scrim_answer_kind kind;
        const char *text;
    } want[] = {{SCRIM_ANSWER_BELOW, NULL},
                {SCRIM_ANSWER_ABOVE_VALUE, "50"},
                {SCRIM_ANSWER_BELOW, NULL},
                {SCRIM_ANSWER_ABOVE_VALUE, "-30"}};
    const int64_t answers[] = {12, 50, 13, -30, 99};
    scrim_measurement *m = tape_measurement(
        "guess-and-check epsilon=1000 sensitivity=1 threshold=5 count=2 guesses=10,20 "
        "neighbours=replace");
    scrim_answer *answer = NULL;
    sc_tape *tape = NULL;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(tape_release(m, &(scrim_input){.integers = answers, .count = 5}, tape,
                            &answer, NULL, NULL));
    CHECK_INT((int64_t)scrim_answer_count(answer), 4);
    for (size_t i = 0; i < 4 && i < scrim_answer_count(answer); i++) {
        CHECK_INT((int)scrim_answer_kind_at(answer, i), (int)want[i].kind);
        if (want[i].text != NULL)
            CHECK_STR(scrim_answer_text(answer, i), want[i].text);
    }
    CHECK(scrim_answer_has_halted(answer));
    scrim_answer_free(answer);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* Its noise and its distribution are those of the sparse vector on the distances. */
TEST(guess_and_check_is_the_sparse_vector_of_distances)
{
    CLAIM("guess-and-check.privacy");
    scrim_measurement *a = noise_modelled("guess-and-check epsilon=3 threshold=4 count=2 "
                                          "guesses=100,-7 queries=2");
    scrim_measurement *b = noise_modelled(
        "sparse-vector epsilon=3 threshold=4 count=2 numeric=yes queries=2");
    const int64_t answers[] = {105, -3, 99}, distances[] = {5, 4, 1};
    const size_t counts[] = {2, 3};
    REQUIRE(a != NULL && b != NULL);
    CHECK_INT((int64_t)a->mechanism->pair_count(a), (int64_t)b->mechanism->pair_count(b));
    for (size_t i = 0; i < COUNT(counts); i++) {
        sc_outcomes x, y;
        const size_t width = b->mechanism->width(b, counts[i]);
        CHECK_INT((int64_t)a->mechanism->width(a, counts[i]), (int64_t)width);
        sc_outcomes_init(&x, width);
        sc_outcomes_init(&y, width);
        const sc_private_input ours = {.values = answers, .count = counts[i]};
        const sc_private_input theirs = {.values = distances, .count = counts[i]};
        REQUIRE_OK(a->mechanism->law(a, &ours, 128, &x, NULL));
        REQUIRE_OK(b->mechanism->law(b, &theirs, 128, &y, NULL));
        REQUIRE(x.count == y.count && x.count > 10);
        for (size_t k = 0; k < x.count; k++) {
            CHECK(sc_outcomes_compare(&x.keys[k * width], &y.keys[k * width], width) ==
                  0);
            CHECK_NEAR(sc_ball_upper(&x.mass[k]), sc_ball_upper(&y.mass[k]), 1e-14);
        }
        sc_outcomes_clear(&y);
        sc_outcomes_clear(&x);
    }
    scrim_measurement_free(b);
    scrim_measurement_free(a);
}

/* Asked one by one from the same bits, with guesses that are repeated and others that are good. */
TEST(guess_and_check_answers_one_by_one_as_in_one_piece)
{
    CLAIM("guess-and-check.run");
    const int64_t queries[] = {12, 50, 13, -30, 99, 10, 21, 9, 20, 1 << 30};
    scrim_measurement *m =
        tape_measurement("guess-and-check epsilon=4 sensitivity=1 threshold=5 count=4 "
                         "guesses=10,20,11 neighbours=add-remove");
    const uint64_t seeds = check_count(400, 400);
    uint64_t above = 0;
    REQUIRE(m != NULL);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        sc_tape *tapes[2] = {NULL, NULL};
        scrim_answer *whole = NULL;
        REQUIRE_OK(sc_tape_seeded(check_seed() + seed, &tapes[0], NULL));
        REQUIRE_OK(sc_tape_seeded(check_seed() + seed, &tapes[1], NULL));
        REQUIRE_OK(tape_release(m, &(scrim_input){.integers = queries, .count = 10},
                                tapes[0], &whole, NULL, NULL));
        void *run = sc_allocate(1, m->mechanism->run_bytes);
        REQUIRE(run != NULL);
        sc_run_piece piece = {.has_halted = false};
        size_t i = 0;
        REQUIRE_OK(m->mechanism->open(m, sc_tape_bits_of(tapes[1]), run, NULL));
        for (; i < 10 && !piece.has_halted; i++) {
            REQUIRE_OK(m->mechanism->ask(m, sc_tape_bits_of(tapes[1]), run, queries[i],
                                         &piece, NULL));
            CHECK_INT((int)scrim_answer_kind_at(whole, i), (int)piece.mark + 1);
            if (piece.mark == SC_MARK_ABOVE_VALUE) {
                above++;
                CHECK_INT(atoll(scrim_answer_text(whole, i)), (int64_t)piece.value);
            }
        }
        CHECK_INT((int64_t)i, (int64_t)scrim_answer_count(whole));
        CHECK_INT(piece.has_halted, scrim_answer_has_halted(whole));
        sc_free(run);
        scrim_answer_free(whole);
        sc_tape_free(tapes[1]);
        sc_tape_free(tapes[0]);
    }
    CHECK(above > seeds);
    scrim_measurement_free(m);
}

TEST(guess_and_check_costs_its_epsilon_and_refuses_what_is_no_guess)
{
    CLAIM("guess-and-check.privacy");
    scrim_cost cost;
    scrim_measurement *m =
        noise_made("guess-and-check epsilon=1/2 sensitivity=2 threshold=5 count=3 "
                   "guesses=1,2,3 neighbours=add-remove");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
    CHECK_STR(cost.epsilon, "0.5");
    CHECK_STR(cost.delta, "0");
    scrim_measurement_free(m);
    mechanism_check_status("guess-and-check", "epsilon=1 count=1", SCRIM_E_PARAM);
    mechanism_check_status("guess-and-check", "epsilon=1 count=1 guesses=1/2",
                           SCRIM_E_PARAM);
    mechanism_check_status("guess-and-check", "epsilon=1 guesses=1", SCRIM_E_PARAM);
    mechanism_check_status("guess-and-check", "epsilon=1 count=1 guesses=2^62",
                           SCRIM_E_LIMIT);
    mechanism_check_status("guess-and-check", "epsilon=1 count=1 guesses=-5,0,7",
                           SCRIM_OK);
    mechanism_check_faults("guess-and-check epsilon=1 sensitivity=1 threshold=5 count=2 "
                           "guesses=1,2 neighbours=replace");
}
