#include "check.h"
#include "lab/experiment/function_table.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 4
#define FAR INT_MAX

/* A random table with whole distances; FAR is infinite. */
typedef struct random_table {
    int distortion[POINTS][POINTS], metric[POINTS][POINTS];
    int output_distortion[POINTS][POINTS], output_metric[POINTS][POINTS];
    size_t value[POINTS];
    int mass[POINTS][POINTS]; /* of answers; each row has one that is not 0 */
} random_table;

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static void fill_random(uint64_t *state, int distances[POINTS][POINTS])
{
    for (size_t i = 0; i < POINTS; i++)
        for (size_t j = 0; j < POINTS; j++) {
            const int length = (int)(next_random(state) % 7);
            distances[i][j] = i == j ? 0 : length == 6 ? FAR : length + 1;
        }
}

static void fill_table(uint64_t *state, random_table *t)
{
    fill_random(state, t->distortion);
    fill_random(state, t->metric);
    fill_random(state, t->output_distortion);
    fill_random(state, t->output_metric);
    for (size_t i = 0; i < POINTS; i++) {
        t->value[i] = next_random(state) % POINTS;
        for (size_t j = 0; j < POINTS; j++)
            t->mass[i][j] = (int)(next_random(state) % 4);
        t->mass[i][next_random(state) % POINTS] += 1;
    }
}

static void fill_lengths(int distances[POINTS][POINTS], lab_distances *out)
{
    out->count = POINTS;
    out->at = lab_allocate((size_t)POINTS * POINTS, sizeof *out->at);
    REQUIRE(out->at != NULL);
    for (size_t i = 0; i < (size_t)POINTS * POINTS; i++) {
        const int length = distances[i / POINTS][i % POINTS];
        fmpq_init(out->at[i].value);
        out->at[i].is_infinite = length == FAR;
        if (length != FAR)
            fmpq_set_si(out->at[i].value, length, 1);
    }
}

/* The value of a step function; FAR is infinite. */
static int value_at(const lab_step *steps, size_t count, int at)
{
    int value = -1;
    for (size_t i = 0; i < count; i++)
        if (atoi(steps[i].at) <= at)
            value = strcmp(steps[i].value, "inf") == 0 ? FAR : atoi(steps[i].value);
    return value;
}

/* By the definition: is every output within `at` of f(x) the value of an input within s of x? */
static bool distorts_within(const random_table *t, int at, int omega, int s)
{
    for (size_t x = 0; x < POINTS; x++)
        for (size_t y = 0; y < POINTS; y++) {
            bool is_reached = false;
            if (t->output_distortion[t->value[x]][y] > at ||
                t->output_distortion[t->value[x]][y] == FAR)
                continue;
            for (size_t other = 0; other < POINTS; other++)
                is_reached |= t->output_metric[t->value[other]][y] <= omega &&
                              t->distortion[x][other] != FAR &&
                              t->distortion[x][other] <= s;
            if (!is_reached)
                return false;
        }
    return true;
}

/* By the definition, for pairs of inputs: does the answer on x hit an input within alpha of x2, up to b, but for the
 * share gamma / 10? Answers of f itself if is_exact. */
static bool errs_within(const random_table *t, int at, int alpha, int gamma,
                        bool is_exact, int b)
{
    for (size_t x = 0; x < POINTS; x++)
        for (size_t x2 = 0; x2 < POINTS; x2++) {
            int total = 0, lost = 0;
            if (t->metric[x][x2] > at || t->metric[x][x2] == FAR)
                continue;
            for (size_t answer = 0; answer < POINTS; answer++) {
                const int mass = is_exact ? answer == t->value[x] : t->mass[x][answer];
                bool is_near = false;
                for (size_t other = 0; other < POINTS; other++)
                    is_near |= t->distortion[x2][other] <= alpha &&
                               t->output_metric[answer][t->value[other]] <= b &&
                               t->output_metric[answer][t->value[other]] != FAR;
                total += mass;
                lost += is_near ? 0 : mass;
            }
            if (10 * lost > gamma * total)
                return false;
        }
    return true;
}

TEST(sensitivities_of_random_tables_are_the_least_by_definition)
{
    CLAIM("function-table.distortion");
    CLAIM("function-table.error");
    uint64_t state = check_seed();
    for (uint64_t n = 0; n < check_count(200, 20000); n++) {
        random_table t;
        lab_distances distances[4];
        lab_answer answers[POINTS * POINTS];
        char masses[POINTS * POINTS][8], alpha_text[8], omega_text[8], gamma_text[16];
        const int alpha = (int)(next_random(&state) % 4),
                  omega = (int)(next_random(&state) % 3),
                  gamma = (int)(next_random(&state) % 6);
        const bool is_exact = next_random(&state) % 2 == 0;
        fill_table(&state, &t);
        fill_lengths(t.distortion, &distances[0]);
        fill_lengths(t.metric, &distances[1]);
        fill_lengths(t.output_distortion, &distances[2]);
        fill_lengths(t.output_metric, &distances[3]);
        for (size_t i = 0; i < COUNT(answers); i++) {
            snprintf(masses[i], sizeof masses[i], "%d", t.mass[i / POINTS][i % POINTS]);
            answers[i] = (lab_answer){i / POINTS, i % POINTS, masses[i]};
        }
        const lab_function_table table = {.inputs = POINTS,
                                          .outputs = POINTS,
                                          .value = t.value,
                                          .input_distortion = &distances[0],
                                          .input_metric = &distances[1],
                                          .output_distortion = &distances[2],
                                          .output_metric = &distances[3],
                                          .answers = is_exact ? NULL : answers,
                                          .answer_count = is_exact ? 0 : COUNT(answers)};
        lab_step *steps = NULL;
        size_t count = 0;
        snprintf(alpha_text, sizeof alpha_text, "%d", alpha);
        snprintf(omega_text, sizeof omega_text, "%d", omega);
        snprintf(gamma_text, sizeof gamma_text, "%d/10", gamma);
        REQUIRE_OK(lab_distortion_sensitivity(&table, omega_text, &steps, &count, NULL));
        for (int at = 0; at <= 8; at++) {
            const int found = value_at(steps, count, at);
            if (found != FAR)
                CHECK(distorts_within(&t, at, omega, found));
            if (found > 0)
                CHECK(!distorts_within(&t, at, omega, found == FAR ? 100 : found - 1));
        }
        free(steps);
        REQUIRE_OK(
            lab_error_sensitivity(&table, alpha_text, gamma_text, &steps, &count, NULL));
        for (int at = 0; at <= 8; at++) {
            const int found = value_at(steps, count, at);
            if (found != FAR)
                CHECK(errs_within(&t, at, alpha, gamma, is_exact, found));
            if (found > 0)
                CHECK(!errs_within(&t, at, alpha, gamma, is_exact,
                                   found == FAR ? 100 : found - 1));
        }
        free(steps);
        for (size_t i = 0; i < COUNT(distances); i++)
            lab_distances_clear(&distances[i]);
    }
}

/* spec/flexible-accuracy.md 10: ranges of {0, 4} and {1, 3} differ by 2 at distance 1, and modes by 10 at 1/10. */
TEST(sensitivities_of_statistics_are_those_of_the_counterexamples)
{
    CLAIM("function-table.error");
    static const scrim_place places[][3] = {{{"0", "1"}, {"4", "1"}},
                                            {{"1", "1"}, {"3", "1"}},
                                            {{"0", "3"}, {"10", "2"}, {"10.1", "2"}},
                                            {{"0", "3"}, {"10", "4"}}};
    static const char *const names[] = {"range", "narrower", "mode", "other"};
    const scrim_law_list histograms[] = {
        {places[0], 2}, {places[1], 2}, {places[2], 3}, {places[3], 2}};
    static const char *const values[] = {"4", "2", "0", "10"};
    static const size_t value[] = {0, 1, 2, 3};
    lab_distances inputs, outputs;
    lab_step *steps = NULL;
    size_t count = 0;
    scrim_error error;
    REQUIRE_OK(lab_distances_fill(&(lab_points){4, names, histograms},
                                  &(lab_measure){.kind = "move"}, &inputs, NULL));
    REQUIRE_OK(lab_distances_fill(&(lab_points){4, values, NULL},
                                  &(lab_measure){.kind = "absolute"}, &outputs, NULL));
    const lab_function_table table = {.inputs = 4,
                                      .outputs = 4,
                                      .value = value,
                                      .input_metric = &inputs,
                                      .output_metric = &outputs};
    REQUIRE_OK(lab_error_sensitivity(&table, "0", "0", &steps, &count, NULL));
    CHECK_INT(count, 2);
    CHECK_STR(steps[0].at, "0");
    CHECK_STR(steps[0].value, "0");
    CHECK_STR(steps[1].at, "0.1");
    CHECK_STR(steps[1].value, "10");
    free(steps);
    lab_distances pair;
    REQUIRE_OK(lab_distances_fill(&(lab_points){2, names, histograms},
                                  &(lab_measure){.kind = "move"}, &pair, NULL));
    lab_function_table two = table;
    two.inputs = 2;
    two.input_metric = &pair;
    REQUIRE_OK(lab_error_sensitivity(&two, "0", "0", &steps, &count, NULL));
    CHECK_STR(steps[count - 1].at, "1");
    CHECK_STR(steps[count - 1].value, "2");
    free(steps);
    CHECK_STATUS(lab_error_sensitivity(&two, "0", "1", &steps, &count, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(lab_error_sensitivity(&two, "-1", "0", &steps, &count, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(lab_distances_fill(&(lab_points){4, names, NULL},
                                    &(lab_measure){.kind = "absolute"}, &pair, &error),
                 SCRIM_E_INPUT);
    lab_distances_clear(&pair);
    lab_distances_clear(&outputs);
    lab_distances_clear(&inputs);
}
