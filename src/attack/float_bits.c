/* Low bits of floating-point Laplace noise: most doubles can come from one of two neighbours only. */
#include "attack/float_bits.h"

#include "attack/attack_kind.h"
#include "scrim/distribution.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TRIALS 2000
/* Uniform numbers tried to either side of the one that an answer suggests: rounding of answer and
 * exponential moves it by less. */
#define REACH 16
#define STEPS 0x1p53

double sc_float_answer(int x, double scale, uint64_t word)
{
    const double u = (double)(word >> 11) / STEPS + 0x1p-53;
    const double noise = -scale * log(u);
    return (double)x + ((word & 1) != 0 ? -noise : noise);
}

bool sc_float_is_possible(int x, double scale, double answer)
{
    const double noise = answer - x;
    const double middle = exp(-fabs(noise) / scale) * STEPS;
    for (int step = -REACH; step <= REACH; step++) {
        const double k = floor(middle) + step;
        if (k < 1 || k > STEPS)
            continue;
        const uint64_t word = (uint64_t)(k - 1) << 11;
        if (sc_float_answer(x, scale, word) == answer ||
            sc_float_answer(x, scale, word | 1) == answer)
            return true;
    }
    return false;
}

typedef struct tally {
    unsigned certain, right;
} tally;

/* The one that is possible; where both are, the nearer one. */
static void judge(tally *t, int x, const bool possible[2], bool is_nearer_one)
{
    const bool is_certain = possible[0] != possible[1];
    const int guess = is_certain ? possible[1] : is_nearer_one;
    t->certain += is_certain;
    t->right += guess == x;
}

static scrim_status attack_naive(const sc_attack_scene *scene, double scale, tally *t,
                                 scrim_error *error)
{
    for (size_t i = 0; i < TRIALS; i++) {
        uint64_t word = 0, bit = 0;
        scrim_status status = sc_bits_word(scene->noise.bits, &word, error);
        if (status == SCRIM_OK)
            status = sc_bits_take(scene->noise.bits, 1, &bit, error);
        if (status != SCRIM_OK)
            return status;
        const double answer = sc_float_answer((int)bit, scale, word);
        const bool possible[] = {sc_float_is_possible(0, scale, answer),
                                 sc_float_is_possible(1, scale, answer)};
        judge(t, (int)bit, possible, answer > 0.5);
    }
    return SCRIM_OK;
}

/* Has the exact law of the answer a mass there? */
static scrim_status look_up(const scrim_distribution *noise, int64_t value, bool *out,
                            scrim_error *error)
{
    const scrim_wide at = {(uint64_t)value, value < 0 ? -1 : 0};
    double lower = 0, upper = 0;
    scrim_status status =
        scrim_distribution_probability(noise, at, at, &lower, &upper, error);
    *out = lower > 0;
    return status;
}

static scrim_status ask_scrim(const sc_attack_scene *scene, double epsilon,
                              const scrim_measurement *measurement,
                              const scrim_distribution *noise, tally *t,
                              scrim_error *error)
{
    unsigned char bit = 0;
    scrim_ledger *ledger = NULL;
    int64_t answer = 0;
    bool possible[] = {false, false};
    scrim_status status = sc_attack_flip(scene, 1, &bit, error);
    const int64_t value = bit;
    if (status == SCRIM_OK)
        status = sc_attack_ledger(scene, SCRIM_ADD_REMOVE, epsilon, &ledger, error);
    if (status == SCRIM_OK)
        status = sc_attack_release(ledger, measurement, &value, 1, &answer, error);
    scrim_ledger_free(ledger);
    for (int x = 0; x < 2 && status == SCRIM_OK; x++)
        status = look_up(noise, answer - x, &possible[x], error);
    if (status == SCRIM_OK)
        judge(t, bit, possible, answer > 0);
    return status;
}

static scrim_status attack_scrim(const sc_attack_scene *scene, double epsilon, tally *t,
                                 scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_distribution *noise = NULL;
    char law[80];
    snprintf(law, sizeof law, "discrete-laplace scale=%g", 1 / epsilon);
    scrim_status status =
        sc_attack_laplace(1, epsilon, SCRIM_ADD_REMOVE, &measurement, error);
    if (status == SCRIM_OK)
        status = scrim_distribution_parse(law, &noise, error);
    for (size_t i = 0; i < TRIALS && status == SCRIM_OK; i++)
        status = ask_scrim(scene, epsilon, measurement, noise, t, error);
    scrim_distribution_free(noise);
    scrim_measurement_free(measurement);
    return status;
}

static void begin_table(sc_findings *found)
{
    sc_findings_begin(
        found, "answers",
        "a count of 0 or 1 from one answer: double-precision noise, then scrim's",
        (const char *const[]){"epsilon", "noise", "certain_percent", "right_percent",
                              "bound_percent", NULL});
    sc_findings_draw(found, &(sc_findings_chart){.x_name = "epsilon",
                                                 .y_name = "right guesses, %",
                                                 .is_log_x = true,
                                                 .curves = {"double-precision noise",
                                                            "the bound of epsilon"}});
}

static void put_row(sc_findings *found, double epsilon, const char *noise, const tally *t)
{
    sc_findings_put(found, "%g\n%s\n%.1f\n%.1f\n%.1f", epsilon, noise,
                    100.0 * t->certain / TRIALS, 100.0 * t->right / TRIALS,
                    100 * sc_attack_guess_bound(epsilon));
}

static scrim_status run_float(const sc_attack_scene *scene, scrim_error *error)
{
    static const double epsilons[] = {0.01, 0.1, 0.5, 1, 2};
    sc_findings *found = scene->found;
    tally first = {0}, ours = {0};
    scrim_status status = SCRIM_OK;
    begin_table(found);
    for (size_t i = 0; i < 5 && status == SCRIM_OK; i++) {
        const double epsilon = epsilons[i];
        tally naive = {0}, exact = {0};
        status = attack_naive(scene, 1 / epsilon, &naive, error);
        if (status == SCRIM_OK)
            status = attack_scrim(scene, epsilon, &exact, error);
        put_row(found, epsilon, "double", &naive);
        put_row(found, epsilon, "scrim", &exact);
        const double y[] = {100.0 * naive.right / TRIALS,
                            100 * sc_attack_guess_bound(epsilon)};
        sc_findings_point(found, epsilon, y);
        if (i == 1) {
            first = naive;
            ours = exact;
        }
        sc_attack_tell(scene, i + 1, 5);
    }
    found->target = "one count, 0 or 1, with Laplace noise made from a logarithm in "
                    "double precision";
    found->learnt = sc_findings_words(
        found,
        "At epsilon 0.1, %.1f %% of the answers can come from one of the two counts "
        "only, "
        "and %.1f %% of the guesses are right; epsilon 0.1 promises at most %.1f %%.",
        100.0 * first.certain / TRIALS, 100.0 * first.right / TRIALS,
        100 * sc_attack_guess_bound(0.1));
    found->cost = "one answer, and 33 logarithms for each of the two counts";
    found->stopped = sc_findings_words(
        found,
        "Exact noise on the integers: each integer is possible for both counts. "
        "At "
        "epsilon 0.1 no answer is certain, and %.1f %% of the guesses are right (at most "
        "%.1f %%, beyond the error of sampling).",
        100.0 * ours.right / TRIALS, 100 * sc_attack_guess_bound(0.1));
    return status;
}

const sc_attack_kind sc_attack_float = {
    .shown =
        {.name = "float",
         .summary = "Read the low bits of floating-point noise",
         .source =
             "Mironov, On significance of the least significant bits for differential "
             "privacy, 2012"},
    .run = run_float,
};
