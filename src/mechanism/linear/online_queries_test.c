#include "mechanism/linear/online_queries.h"
#include "noise_checks.h"
#include "tape_release.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void law_of(const scrim_measurement *m, const int64_t *x, sc_outcomes *out)
{
    const sc_private_input input = {.values = x, .count = m->domain.count_max};
    sc_outcomes_init(out, m->mechanism->width(m, input.count));
    CHECK_STATUS(m->mechanism->law(m, &input, 128, out, NULL), SCRIM_OK);
}

#define TINY                                                                             \
    "online-weights epsilon=2 bins=2 coefficients=1,0,0,1 total=1 threshold=1 "          \
    "updates=1 neighbours="

/* All tables of up to two rows a bin and their neighbours keep epsilon. */
SLOW_TEST(online_weights_keep_epsilon_on_small_tables)
{
    CLAIM("online-weights.privacy");
    for (int relation = 0; relation < 2; relation++) {
        double worst = 0;
        scrim_measurement *m =
            noise_made(relation == 0 ? TINY "add-remove" : TINY "replace");
        REQUIRE(m != NULL);
        for (int64_t i = 0; i < 9; i++) {
            const int64_t x[] = {i / 3, i % 3};
            const int64_t y[] = {i / 3 + 1, relation == 0 ? i % 3 : i % 3 - 1};
            sc_outcomes a, b;
            if (y[1] < 0)
                continue;
            law_of(m, x, &a);
            law_of(m, y, &b);
            CHECK_INT(a.count, 5); /* none above, or one of two, with one of two values */
            REQUIRE(b.count == a.count);
            for (size_t k = 0; k < a.count; k++)
                worst = fmax(worst, fabs(log(sc_ball_upper(&a.mass[k]) /
                                             sc_ball_upper(&b.mass[k]))));
            sc_outcomes_clear(&b);
            sc_outcomes_clear(&a);
        }
        CHECK(worst > 0.3 && worst < 2 + 1e-9);
        scrim_measurement_free(m);
    }
}

/* The answer that a release shows, as the place of its key among the five of TINY. */
static size_t shown(const scrim_answer *answer)
{
    int64_t value = 0, kind = 0;
    for (size_t i = 0; i < 2; i++) {
        CHECK(scrim_answer_integer(answer, 2 * i, &value));
        CHECK(scrim_answer_integer(answer, 2 * i + 1, &kind));
        if (kind == SC_ONLINE_MEASURED)
            return i == 0 ? 3 + (size_t)value : 1 + (size_t)value;
    }
    return 0;
}

/* By the whole road. Of 4 degrees of freedom 33.4 has probability 1e-6. */
TEST(online_weights_draw_from_their_law)
{
    CLAIM("online-weights.exact");
    const uint64_t runs = check_count(2000, 100000);
    const int64_t x[] = {2, 1};
    double chi = 0, all = 0;
    uint64_t seen[5] = {0};
    sc_tape *tape = NULL;
    sc_outcomes law;
    scrim_measurement *m = noise_made(TINY "add-remove");
    REQUIRE(m != NULL);
    law_of(m, x, &law);
    REQUIRE(law.count == 5);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = 0; i < runs; i++) {
        scrim_answer *answer = NULL;
        REQUIRE_OK(tape_release(m, &(scrim_input){.integers = x, .count = 2}, tape,
                                &answer, NULL, NULL));
        const size_t place = shown(answer);
        REQUIRE(place < 5);
        seen[place]++;
        scrim_answer_free(answer);
    }
    for (size_t i = 0; i < 5; i++) {
        const double mean = (double)runs * sc_ball_upper(&law.mass[i]);
        chi += ((double)seen[i] - mean) * ((double)seen[i] - mean) / mean;
        all += sc_ball_upper(&law.mass[i]);
    }
    CHECK(fabs(all - 1) < 1e-12);
    CHECK(chi < 33.4);
    sc_tape_free(tape);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

/* The same query ten times, of 900 of 1000 rows, with hardly any noise: it is measured until the model knows it, or
 * until the updates are used up. */
static void ask_ten(const char *updates, int *measured, int *unchecked, int64_t *last)
{
    const int64_t x[] = {900, 100};
    char line[300];
    sc_tape *tape = NULL;
    scrim_answer *answer = NULL;
    snprintf(line, sizeof line,
             "online-weights epsilon=1000 bins=2 total=1000 threshold=200 updates=%s "
             "coefficients=1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0 "
             "neighbours=replace",
             updates);
    scrim_measurement *m = noise_made(line);
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(tape_release(m, &(scrim_input){.integers = x, .count = 2}, tape, &answer,
                            NULL, NULL));
    *measured = *unchecked = 0;
    for (size_t i = 0; i < 10; i++) {
        int64_t kind = 0;
        CHECK(scrim_answer_integer(answer, 2 * i + 1, &kind));
        *measured += kind == SC_ONLINE_MEASURED;
        *unchecked += kind == SC_ONLINE_UNCHECKED;
    }
    CHECK(scrim_answer_integer(answer, 18, last));
    scrim_answer_free(answer);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(online_weights_learn_and_then_know)
{
    CLAIM("online-weights.learns");
    CLAIM("online-weights.checked");
    int measured = 0, unchecked = 0;
    int64_t last = 0;
    ask_ten("20", &measured, &unchecked, &last);
    CHECK(measured >= 2 && measured < 10);
    CHECK_INT(unchecked, 0);
    CHECK(llabs(last - 900) <= 220);
    ask_ten("2", &measured, &unchecked, &last);
    CHECK_INT(measured, 2);
    CHECK_INT(unchecked, 8);
    CHECK(last > 500 && last < 700); /* two steps of 1/10 */
}

typedef struct both {
    const scrim_measurement *m;
    sc_tape *tape;
    void *run;
    scrim_answer *answer; /* in one piece */
    bool has_halted;
    uint64_t measured;
} both;

/* One query of a run, and its answer in one piece. */
static void ask_both(both *b, const char *text, size_t index)
{
    const sc_mechanism *mechanism = b->m->mechanism;
    int64_t query = 0, value = 0, source = 0;
    sc_run_piece piece = {.mark = SC_MARK_VALUE};
    REQUIRE_OK(mechanism->pose(b->m, sc_text_of(text), b->run, &query, NULL));
    REQUIRE_OK(
        mechanism->ask(b->m, sc_tape_bits_of(b->tape), b->run, query, &piece, NULL));
    CHECK(scrim_answer_integer(b->answer, 2 * index, &value));
    CHECK(scrim_answer_integer(b->answer, 2 * index + 1, &source));
    b->has_halted = piece.has_halted;
    CHECK(piece.value == value);
    CHECK_INT(source,
              piece.mark == SC_MARK_ABOVE_VALUE ? SC_ONLINE_MEASURED : SC_ONLINE_MODEL);
    b->measured += piece.mark == SC_MARK_ABOVE_VALUE;
}

#define RUN                                                                              \
    "online-weights epsilon=1 bins=2 total=100 threshold=15 updates=2 "                  \
    "neighbours=add-remove "

TEST(online_weights_asked_one_by_one_answer_as_in_one_piece)
{
    CLAIM("online-weights.run");
    static const char *const queries[] = {"1,0", "0,1", "1,1", "0,1", "1,0"};
    const int64_t x[] = {90, 10};
    scrim_measurement *whole = noise_made(RUN "coefficients=1,0,0,1,1,1,0,1,1,0");
    scrim_measurement *one = noise_made(RUN);
    REQUIRE(whole != NULL && one != NULL);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        both b = {.m = one, .run = calloc(1, one->mechanism->run_bytes)};
        sc_tape *tape = NULL;
        REQUIRE(b.run != NULL);
        REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
        REQUIRE_OK(sc_tape_seeded(seed, &b.tape, NULL));
        REQUIRE_OK(tape_release(whole, &(scrim_input){.integers = x, .count = 2}, tape,
                                &b.answer, NULL, NULL));
        REQUIRE_OK(one->mechanism->open(one, sc_tape_bits_of(b.tape), b.run, NULL));
        one->mechanism->hold(one, &(sc_private_input){.values = x, .count = 2}, b.run);
        for (size_t i = 0; i < 5 && !b.has_halted; i++)
            ask_both(&b, queries[i], i);
        CHECK(b.has_halted == (b.measured == 2));
        scrim_answer_free(b.answer);
        sc_tape_free(tape);
        sc_tape_free(b.tape);
        free(b.run);
    }
    scrim_measurement_free(one);
    scrim_measurement_free(whole);
}

TEST(online_weights_refuse_what_they_cannot_do)
{
    noise_refused("online-weights epsilon=1 bins=2 workload=each total=9 updates=1 "
                  "neighbours=replace",
                  SCRIM_E_PARAM, "threshold");
    noise_refused("online-weights epsilon=1 bins=2 workload=each total=9 threshold=1 "
                  "updates=65 neighbours=replace",
                  SCRIM_E_LIMIT, "updates");
}
