#include "exact.h"
#include "mechanism/linear/counter.h"
#include "mechanism/noise/additive.h"
#include "mechanism_lines.h"
#include "noise_checks.h"
#include "tape_release.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>

/* How many of the nodes 1 to T hold a step, counted one by one. */
static size_t nodes_with(uint64_t step, uint64_t steps)
{
    size_t count = 0;
    for (uint64_t t = 1; t <= steps; t++)
        count += t - sc_counter_low(t) < step && step <= t;
    return count;
}

TEST(counter_tree_is_counted_right)
{
    CLAIM("counter.privacy");
    for (uint64_t steps = 1; steps <= 70; steps++) {
        uint64_t times[8] = {0};
        size_t most = 0;
        for (uint64_t t = 1; t <= steps; t++) {
            const size_t held = nodes_with(t, steps);
            most = held > most ? held : most;
            times[sc_counter_nodes(t)]++;
        }
        CHECK_INT((int64_t)sc_counter_levels(steps), (int64_t)most);
        for (size_t nodes = 1; nodes < 8; nodes++)
            CHECK_INT((int64_t)sc_counter_times(steps, nodes), (int64_t)times[nodes]);
    }
}

/* v:counter_sensitivity: the l1 norm of r events, and of any steps the l2 norm. */
TEST(counter_noise_follows_the_levels_of_the_vectors)
{
    CLAIM("counter.privacy");
    json_t *rows = vectors_load("synthetic", "counter_sensitivity"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 10);
    json_array_foreach(rows, index, row)
    {
        char line[160], want[32];
        const unsigned long long steps = vectors_number(row, "T");
        const unsigned long long events = vectors_number(row, "events");
        const unsigned long long levels = vectors_number(row, "levels");
        CHECK_INT((int64_t)sc_counter_levels(steps), (int64_t)levels);
        snprintf(line, sizeof line,
                 "counter steps=%llu sensitivity=%llu epsilon=1/2 neighbours=replace",
                 steps, events);
        scrim_measurement *m = noise_made(line);
        REQUIRE(m != NULL);
        snprintf(want, sizeof want, "%llu", 2 * levels * events);
        CHECK_RATIO(&sc_additive_of(m)->law.shape, want);
        scrim_measurement_free(m);
        snprintf(line, sizeof line,
                 "counter steps=%llu sensitivity=%llu rho=1/2 neighbours=replace", steps,
                 events);
        m = noise_made(line);
        REQUIRE(m != NULL);
        snprintf(want, sizeof want, "%llu", levels * events * events);
        if (json_object_get(row, "any_steps_l2_squared") != NULL)
            CHECK_INT((int64_t)vectors_number(row, "any_steps_l2_squared"),
                      (int64_t)(levels * events * events));
        CHECK_RATIO(&sc_additive_of(m)->law.shape, want);
        scrim_measurement_free(m);
    }
}

/* v:counter_variance: a count is made of as many noises as the plain variance says. */
TEST(counter_error_is_a_sum_of_as_many_noises_as_the_vectors_say)
{
    CLAIM("counter.accuracy");
    json_t *rows = vectors_load("synthetic", "counter_variance"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 5);
    json_array_foreach(rows, index, row)
    {
        CHECK_INT((int64_t)sc_counter_nodes(vectors_number(row, "t")),
                  (int64_t)vectors_number(row, "plain"));
    }
}

/* A release, and the noise of each node in it. */
static void check_release(const char *line, uint64_t seed, goodness *fit)
{
    enum { STEPS = 37 };
    int64_t events[STEPS], truth[STEPS + 1] = {0}, got[STEPS + 1] = {0};
    scrim_measurement *m = tape_measurement(line);
    scrim_answer *answer = NULL;
    sc_tape *tape = NULL;
    for (int i = 0; i < STEPS; i++) {
        events[i] = (int64_t)((seed + 5 * (uint64_t)i) % 7) - 1;
        truth[i + 1] = truth[i] + events[i];
    }
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
    REQUIRE_OK(tape_release(m, &(scrim_input){.integers = events, .count = STEPS}, tape,
                            &answer, NULL, NULL));
    REQUIRE(scrim_answer_count(answer) == STEPS);
    for (uint64_t t = 1; t <= STEPS; t++) {
        const uint64_t before = t - sc_counter_low(t);
        CHECK(scrim_answer_integer(answer, t - 1, &got[t]));
        const sc_int128 noise = (got[t] - truth[t]) - (got[before] - truth[before]);
        goodness_count(fit, &noise, 1);
    }
    scrim_answer_free(answer);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

static void check_noise(const char *line, const sc_law_functions *functions,
                        const char *shape)
{
    sc_law law;
    goodness fit;
    exact_law(functions, shape, 0, &law);
    REQUIRE(goodness_init(&fit, &law, GOODNESS_COARSE));
    for (uint64_t i = 0; i < check_count(100, 10000); i++)
        check_release(line, check_seed() + i, &fit);
    CHECK(goodness_holds(&fit));
    goodness_clear(&fit);
    sc_law_clear(&law);
}

TEST(counter_draws_one_noise_for_each_node)
{
    CLAIM("counter.privacy");
    check_noise("counter steps=37 sensitivity=1 epsilon=2 neighbours=add-remove",
                &sc_discrete_laplace_law, "3");
    check_noise("counter steps=37 sensitivity=1 rho=1/6 neighbours=add-remove",
                &sc_discrete_gaussian_law, "18");
}

TEST(counter_shows_the_error_of_every_step)
{
    CLAIM("counter.accuracy");
    scrim_measurement *m =
        tape_measurement("counter steps=7 sensitivity=1 epsilon=3 neighbours=replace");
    const int64_t events[7] = {0};
    scrim_certificate all;
    scrim_answer *answer = NULL;
    sc_tape *tape = NULL;
    char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
    int64_t widths[7];
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 7, &all, NULL));
    REQUIRE_OK(tape_release(m, &(scrim_input){.integers = events, .count = 7}, tape,
                            &answer, NULL, NULL));
    for (size_t i = 0; i < 7; i++) {
        REQUIRE_OK(scrim_answer_interval(answer, i, &all, low, high, NULL));
        widths[i] = (atoll(high) - atoll(low)) / 2;
    }
    /* Scale 1: one noise is within 3 (spec/papers-additions.md 6), and 7 = 4 + 2 + 1 has three. */
    CHECK_INT(widths[0], 3);
    CHECK_INT(widths[1], 3);
    CHECK_INT(widths[3], 3);
    CHECK(widths[2] > 3 && widths[2] == widths[4] && widths[6] > widths[2]);
    CHECK_INT(atoll(all.radius), widths[6]);
    CHECK(atoll(all.radius_all) > widths[6]);
    scrim_answer_free(answer);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(counter_refuses_what_is_no_stream)
{
    CLAIM("counter.privacy");
    mechanism_check_status("counter", "steps=0 epsilon=1", SCRIM_E_PARAM);
    mechanism_check_status("counter", "epsilon=1", SCRIM_E_PARAM);
    mechanism_check_status("counter", "steps=1048577 epsilon=1", SCRIM_E_LIMIT);
    mechanism_check_status("counter", "steps=8", SCRIM_E_PARAM);
    mechanism_check_status("counter", "steps=8 delta=1e-6", SCRIM_E_PARAM);
    mechanism_check_status("counter", "steps=8 epsilon=1 rho=1", SCRIM_E_PARAM);
    mechanism_check_status("counter", "steps=1 epsilon=1", SCRIM_OK);
    mechanism_check_status("counter", "steps=1048576 rho=1", SCRIM_OK);
    mechanism_check_faults("counter steps=9 sensitivity=1 rho=1 neighbours=replace");
}
