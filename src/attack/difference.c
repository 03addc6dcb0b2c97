/* Differencing: a count of all, less a count of all but one. */
#include "attack/attack_kind.h"
#include "attack/expected.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PEOPLE 1000 /* each of them is the target once */
#define SMALLEST 10 /* a smaller count is suppressed */
#define STEP 5      /* of rounded counts */

static int64_t rounded(int64_t count)
{
    return (count + STEP / 2) / STEP * STEP;
}

/* What the attacker takes the target's bit for, from counts of all and of all others. */
typedef int bit_guess(int64_t all, int64_t others);

static int guess_exact(int64_t all, int64_t others)
{
    return all - others > 0;
}

static int guess_suppressed(int64_t all, int64_t others)
{
    return all >= SMALLEST && others >= SMALLEST && all - others > 0;
}

static int guess_rounded(int64_t all, int64_t others)
{
    return rounded(all) - rounded(others) > 0;
}

/* The attacker asks again with 0 to 4 people more whose bit is known to be 1. */
static int guess_padded(int64_t all, int64_t others)
{
    for (int64_t more = 0; more < STEP; more++)
        if (rounded(all + more) != rounded(others + more))
            return 1;
    return 0;
}

static void attack_defences(const sc_attack_scene *scene, const unsigned char *bits,
                            int64_t total)
{
    static const struct {
        const char *answers;
        bit_guess *guess;
        int queries;
    } defences[] = {{"exact", guess_exact, 2},
                    {"suppressed below 10", guess_suppressed, 2},
                    {"rounded to 5", guess_rounded, 2},
                    {"rounded to 5 and padded", guess_padded, 2 * STEP}};
    sc_findings *found = scene->found;
    sc_findings_begin(found, "unprotected", "the bit of each of 1,000 people in turn",
                      (const char *const[]){"answers", "queries", "right_percent", NULL});
    for (size_t i = 0; i < sizeof defences / sizeof *defences; i++) {
        int right = 0;
        for (size_t target = 0; target < PEOPLE; target++)
            right += defences[i].guess(total, total - bits[target]) == bits[target];
        sc_findings_put(found, "%s\n%d\n%.1f", defences[i].answers, defences[i].queries,
                        100.0 * right / PEOPLE);
    }
}

double sc_difference_expected(double epsilon)
{
    const double q = exp(-epsilon), p = (1 - q) / (1 + q);
    return (1 + p * p * (1 + q * q) / (1 - q * q)) / 2;
}

/* Two counts through scrim; guesses from both, and from the first alone where all others are known. */
static scrim_status ask_scrim(const sc_attack_scene *scene, double epsilon,
                              const unsigned char *bits, int64_t total, int right[2],
                              scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_status status =
        sc_attack_laplace(1, epsilon, SCRIM_ADD_REMOVE, &measurement, error);
    right[0] = right[1] = 0;
    for (size_t target = 0; target < PEOPLE && status == SCRIM_OK; target++) {
        const int64_t counts[2] = {total, total - bits[target]};
        int64_t answers[2] = {0, 0};
        scrim_ledger *ledger = NULL;
        status = sc_attack_ledger(scene, SCRIM_ADD_REMOVE, 2 * epsilon, &ledger, error);
        for (size_t i = 0; i < 2 && status == SCRIM_OK; i++)
            status =
                sc_attack_release(ledger, measurement, &counts[i], 1, &answers[i], error);
        scrim_ledger_free(ledger);
        right[0] += guess_exact(answers[0], answers[1]) == bits[target];
        right[1] += guess_exact(answers[0], counts[1]) == bits[target];
    }
    scrim_measurement_free(measurement);
    return status;
}

static scrim_status attack_scrim(const sc_attack_scene *scene, const unsigned char *bits,
                                 int64_t total, double *at_one, scrim_error *error)
{
    static const double epsilons[] = {0.1, 0.5, 1, 2};
    sc_findings *found = scene->found;
    sc_findings_begin(
        found, "scrim",
        "the same two counts through scrim (1,000 guesses, sampling error 3.1)",
        (const char *const[]){"epsilon_each", "right_percent", "expected_percent",
                              "right_if_others_known", "bound_percent", NULL});
    sc_findings_draw(
        found, &(sc_findings_chart){.x_name = "epsilon of each count",
                                    .y_name = "right guesses, %",
                                    .is_log_x = true,
                                    .curves = {"attacker knows all others", "bound"}});
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < 4 && status == SCRIM_OK; i++) {
        const double epsilon = epsilons[i];
        int right[2];
        status = ask_scrim(scene, epsilon, bits, total, right, error);
        const double y[] = {100.0 * right[1] / PEOPLE,
                            100 * sc_attack_guess_bound(epsilon)};
        if (epsilon == 1)
            *at_one = 100.0 * right[0] / PEOPLE;
        sc_findings_put(found, "%g\n%.1f\n%.1f\n%.1f\n%.1f", epsilon,
                        100.0 * right[0] / PEOPLE, 100 * sc_difference_expected(epsilon),
                        y[0], y[1]);
        sc_findings_point(found, epsilon, y);
        sc_attack_tell(scene, i + 1, 4);
    }
    return status;
}

static scrim_status run_difference(const sc_attack_scene *scene, scrim_error *error)
{
    unsigned char bits[PEOPLE];
    sc_findings *found = scene->found;
    int64_t total = 0;
    double at_one = 0;
    scrim_status status = sc_attack_flip(scene, PEOPLE, bits, error);
    for (size_t i = 0; i < PEOPLE && status == SCRIM_OK; i++)
        total += bits[i];
    attack_defences(scene, bits, total);
    if (status == SCRIM_OK)
        status = attack_scrim(scene, bits, total, &at_one, error);
    found->target = "counts of people with a secret bit, among 1,000 simulated people";
    found->learnt = "The bit of each person, with certainty: the count of all less the "
                    "count of all others. Suppression of small counts does not help, and "
                    "rounding only until the attacker adds known people.";
    found->cost = "two counts for each person; ten if they are rounded to 5";
    found->stopped = sc_findings_words(
        found,
        "Noise on each count. At epsilon 1 each, the attack is right for %.1f %% of the "
        "people (chance: 50 %%); even if all others are known, it is right at most "
        "%.1f %% of the time. Percentages of 1,000 guesses have a sampling error of 3.1 "
        "(95 %%): they may exceed the bound by that much.",
        at_one, 100 * sc_attack_guess_bound(1));
    return status;
}

const sc_attack_kind sc_attack_difference = {
    .shown =
        {.name = "difference",
         .summary = "Learn one person's bit from two counts",
         .source =
             "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, section "
             "3.1, item 3"},
    .run = run_difference,
};
