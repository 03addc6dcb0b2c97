/* Averaging: the same question again and again, with fresh noise each time. */
#include "attack/attack_kind.h"
#include "attack/expected.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SCALE 10 /* of the noise: epsilon 0.1 for each answer */
#define TRUTH 1234
#define TRIALS 400
#define MOST 2000 /* answers to one question */
#define SCRIM_TRIALS 500
#define REPLAYS 1000

/* The law of a sum of discrete Laplace draws: the difference of two negative binomials. */

/* log P(G = k), G the sum of r geometric numbers of ratio q. */
static double log_mass(double r, double q, double k)
{
    return lgamma(k + r) - lgamma(r) - lgamma(k + 1) + r * log1p(-q) + k * log(q);
}

/* P(|G - H| <= reach) for independent G and H, given P(G <= k - 1) at places 0 to end. */
static double mass_within(const double *below, size_t end, size_t reach)
{
    double sum = 0;
    for (size_t k = 0; k < end; k++) {
        const size_t low = k > reach ? k - reach : 0;
        const size_t high = k + reach + 1 < end ? k + reach + 1 : end;
        sum += (below[k + 1] - below[k]) * (below[high] - below[low]);
    }
    return sum;
}

bool sc_average_expected(double scale, unsigned repeats, double *out)
{
    const double r = repeats, q = exp(-1 / scale), mean = r * q / (1 - q);
    const size_t end = (size_t)(mean + 40 * (sqrt(mean / (1 - q)) + scale)) + 40;
    double *below = sc_allocate(end + 1, sizeof *below);
    if (below == NULL)
        return false;
    for (size_t k = 0; k < end; k++)
        below[k + 1] = below[k] + exp(log_mass(r, q, (double)k));
    *out = mass_within(below, end, (repeats - 1) / 2); /* below r/2 in size */
    sc_free(below);
    return true;
}

/* Without a ledger. */

static bool is_truth(int64_t sum, int64_t repeats)
{
    return 2 * llabs(sum - TRUTH * repeats) < repeats;
}

static scrim_status attack_fresh(const sc_attack_scene *scene, double *last,
                                 scrim_error *error)
{
    static const unsigned repeats[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, MOST};
    sc_findings *found = scene->found;
    int64_t noise[MOST];
    unsigned right[sizeof repeats / sizeof *repeats] = {0};
    for (size_t trial = 0; trial < TRIALS; trial++) {
        int64_t sum = 0;
        scrim_status status =
            sc_attack_draw(scene, "discrete-laplace scale=10", MOST, noise, error);
        if (status != SCRIM_OK)
            return status;
        for (size_t i = 0, at = 0; i < sizeof repeats / sizeof *repeats; i++) {
            for (; at < repeats[i]; at++)
                sum += TRUTH + noise[at];
            right[i] += is_truth(sum, repeats[i]);
        }
    }
    sc_findings_begin(
        found, "fresh",
        "a count with fresh noise of scale 10 for each answer, and no ledger",
        (const char *const[]){"answers", "epsilon_together", "truth_percent",
                              "expected_percent", NULL});
    sc_findings_draw(found, &(sc_findings_chart){.x_name = "answers to one question",
                                                 .y_name = "truth found, %",
                                                 .is_log_x = true,
                                                 .curves = {"measured", "expected"}});
    for (size_t i = 0; i < sizeof repeats / sizeof *repeats; i++) {
        double y[] = {100.0 * right[i] / TRIALS, 0};
        if (!sc_average_expected(SCALE, repeats[i], &y[1]))
            return sc_attack_no_memory(error);
        y[1] *= 100;
        sc_findings_put(found, "%u\n%g\n%.1f\n%.1f", repeats[i],
                        (double)repeats[i] / SCALE, y[0], y[1]);
        sc_findings_point(found, repeats[i], y);
        *last = y[0];
    }
    return SCRIM_OK;
}

/* Through scrim. */

typedef struct asked {
    uint64_t answers;         /* in all trials */
    unsigned truths, persons; /* trials: the truth was found; the bit of one person was */
} asked;

/* Asks until the ledger refuses, or so many times; repeats counts each answer again, as a replay does. */
static scrim_status ask_once(const sc_attack_scene *scene,
                             const scrim_measurement *measurement, double budget,
                             int64_t repeats, asked *out, scrim_error *error)
{
    scrim_ledger *ledger = NULL;
    unsigned char bit = 0;
    int64_t sum = 0, answers = 0;
    scrim_status status = sc_attack_flip(scene, 1, &bit, error);
    if (status == SCRIM_OK)
        status = sc_attack_ledger(scene, SCRIM_ADD_REMOVE, budget, &ledger, error);
    const int64_t truth = TRUTH - 1 + bit;
    while (status == SCRIM_OK) {
        int64_t answer = 0;
        status = sc_attack_release(ledger, measurement, &truth, 1, &answer, error);
        if (status == SCRIM_OK) {
            sum += answer * repeats;
            answers += repeats;
        }
    }
    scrim_ledger_free(ledger);
    out->answers += (uint64_t)answers;
    out->truths += 2 * llabs(sum - truth * answers) < answers;
    out->persons += (2 * (sum - (TRUTH - 1) * answers) > answers) == (bit != 0);
    return status == SCRIM_E_BUDGET ? SCRIM_OK : status;
}

static scrim_status attack_scrim(const sc_attack_scene *scene, asked *replayed,
                                 scrim_error *error)
{
    static const struct {
        const char *how;
        double budget;
        int64_t repeats;
    } ways[] = {{"replayed", 0.1, REPLAYS}, {"fresh", 0.5, 1}, {"fresh", 1, 1}};
    sc_findings *found = scene->found;
    scrim_measurement *measurement = NULL;
    scrim_status status =
        sc_attack_laplace(1, 1.0 / SCALE, SCRIM_ADD_REMOVE, &measurement, error);
    sc_findings_begin(
        found, "scrim",
        "through scrim: one answer replayed; fresh ones until the budget is spent",
        (const char *const[]){"epsilon", "how", "answers", "truth_percent",
                              "one_person_percent", "bound_percent", NULL});
    for (size_t i = 0; i < 3 && status == SCRIM_OK; i++) {
        asked total = {0};
        for (size_t trial = 0; trial < SCRIM_TRIALS && status == SCRIM_OK; trial++)
            status = ask_once(scene, measurement, ways[i].budget, ways[i].repeats, &total,
                              error);
        if (i == 0)
            *replayed = total;
        sc_findings_put(found, "%g\n%s\n%" PRIu64 "\n%.1f\n%.1f\n%.1f", ways[i].budget,
                        ways[i].how, total.answers / SCRIM_TRIALS,
                        100.0 * total.truths / SCRIM_TRIALS,
                        100.0 * total.persons / SCRIM_TRIALS,
                        100 * sc_attack_guess_bound(ways[i].budget));
        sc_attack_tell(scene, i + 1, 3);
    }
    scrim_measurement_free(measurement);
    return status;
}

static scrim_status run_average(const sc_attack_scene *scene, scrim_error *error)
{
    sc_findings *found = scene->found;
    asked replayed = {0};
    double last = 0;
    scrim_status status = attack_fresh(scene, &last, error);
    if (status == SCRIM_OK)
        status = attack_scrim(scene, &replayed, error);
    found->target = "a count of simulated people, with noise of scale 10 on each answer";
    found->learnt = sc_findings_words(
        found,
        "The exact count in %.1f %% of the trials, from the mean of %d answers; one "
        "answer gives it in 5.0 %%.",
        last, MOST);
    found->cost = "the same question, asked again; epsilon 0.1 for each answer, which "
                  "nobody counts";
    found->stopped = sc_findings_words(
        found,
        "A ledger. A question that was answered is replayed: free of charge, and 1,000 "
        "replays find the count in %.1f %% of the trials, as one answer does. A fresh "
        "answer is charged, and refused when the budget is spent.",
        100.0 * replayed.truths / SCRIM_TRIALS);
    return status;
}

const sc_attack_kind sc_attack_average = {
    .shown = {.name = "average",
              .summary = "Average the noise away by asking again",
              .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, "
                        "section 3; Dwork and Roth, The Algorithmic Foundations of "
                        "Differential Privacy, 2014, section 1"},
    .run = run_average,
};
