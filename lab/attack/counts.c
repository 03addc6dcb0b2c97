/* Attacks on one count: by the difference of two counts, by averaging answers, and by the low bits of
 * floating-point noise. */
#include "lab/attack/counts.h"

#include "lab/attack/attack_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Difference: a count of all, minus a count of all but one. */

#define PEOPLE 1000 /* each of them is the target once */
#define SMALLEST 10 /* a smaller count is suppressed */
#define STEP 5      /* of rounded counts */

static int64_t rounded(int64_t count)
{
    return (count + STEP / 2) / STEP * STEP;
}

/* The attacker's guess of the target's bit, from counts of all and of all others. */
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

static void attack_defences(const lab_attack_scene *scene, const unsigned char *bits,
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
    lab_findings *found = scene->found;
    lab_findings_begin(
        found, "unprotected", "the bit of each of 1,000 people in turn",
        (const char *const[]){"answers", "queries", "right_percent", NULL});
    for (size_t i = 0; i < sizeof defences / sizeof *defences; i++) {
        int right = 0;
        for (size_t target = 0; target < PEOPLE; target++)
            right += defences[i].guess(total, total - bits[target]) == bits[target];
        lab_findings_put(found, "%s\n%d\n%.1f", defences[i].answers, defences[i].queries,
                         100.0 * right / PEOPLE);
    }
}

double lab_difference_expected(double epsilon)
{
    const double q = exp(-epsilon), p = (1 - q) / (1 + q);
    return (1 + p * p * (1 + q * q) / (1 - q * q)) / 2;
}

/* Two counts through scrim; guesses from both, and from the first alone where all others are known. */
static scrim_status ask_two_counts(double epsilon, const unsigned char *bits,
                                   int64_t total, int right[2], scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    const lab_attack_noise noise = {1, epsilon, SCRIM_ADD_REMOVE};
    scrim_status status = lab_attack_laplace(&noise, &measurement, error);
    right[0] = right[1] = 0;
    for (size_t target = 0; target < PEOPLE && status == SCRIM_OK; target++) {
        const int64_t counts[2] = {total, total - bits[target]};
        int64_t answers[2] = {0, 0};
        scrim_ledger *ledger = NULL;
        status = lab_attack_ledger(SCRIM_ADD_REMOVE, 2 * epsilon, &ledger, error);
        for (size_t i = 0; i < 2 && status == SCRIM_OK; i++)
            status = lab_attack_release(ledger, measurement, &counts[i], 1, &answers[i],
                                        error);
        scrim_ledger_free(ledger);
        right[0] += guess_exact(answers[0], answers[1]) == bits[target];
        right[1] += guess_exact(answers[0], counts[1]) == bits[target];
    }
    scrim_measurement_free(measurement);
    return status;
}

static scrim_status difference_through_scrim(const lab_attack_scene *scene,
                                             const unsigned char *bits, int64_t total,
                                             double *at_one, scrim_error *error)
{
    static const double epsilons[] = {0.1, 0.5, 1, 2};
    lab_findings *found = scene->found;
    lab_findings_begin(
        found, "scrim",
        "the same two counts through scrim (1,000 guesses, sampling error 3.1)",
        (const char *const[]){"epsilon_each", "right_percent", "expected_percent",
                              "right_if_others_known", "bound_percent", NULL});
    lab_findings_draw(
        found, &(lab_findings_chart){.x_name = "epsilon of each count",
                                     .y_name = "right guesses, %",
                                     .is_log_x = true,
                                     .curves = {"attacker knows all others", "bound"}});
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < 4 && status == SCRIM_OK; i++) {
        const double epsilon = epsilons[i];
        int right[2];
        status = ask_two_counts(epsilon, bits, total, right, error);
        const double y[] = {100.0 * right[1] / PEOPLE,
                            100 * lab_attack_guess_bound(epsilon)};
        if (epsilon == 1)
            *at_one = 100.0 * right[0] / PEOPLE;
        lab_findings_put(found, "%g\n%.1f\n%.1f\n%.1f\n%.1f", epsilon,
                         100.0 * right[0] / PEOPLE,
                         100 * lab_difference_expected(epsilon), y[0], y[1]);
        lab_findings_point(found, epsilon, y);
        lab_attack_tell(scene, i + 1, 4);
    }
    return status;
}

static scrim_status run_difference(const lab_attack_scene *scene, scrim_error *error)
{
    unsigned char bits[PEOPLE];
    lab_findings *found = scene->found;
    int64_t total = 0;
    double at_one = 0;
    lab_attack_flip(scene, PEOPLE, bits);
    for (size_t i = 0; i < PEOPLE; i++)
        total += bits[i];
    attack_defences(scene, bits, total);
    const scrim_status status =
        difference_through_scrim(scene, bits, total, &at_one, error);
    found->target = "counts of people with a secret bit, among 1,000 simulated people";
    found->learnt = "The bit of each person, with certainty: the count of all less the "
                    "count of all others. Suppression of small counts does not help, and "
                    "rounding only until the attacker adds known people.";
    found->cost = "two counts for each person; ten if they are rounded to 5";
    found->stopped = lab_findings_words(
        found,
        "Noise on each count. At epsilon 1 each, the attack is right for %.1f %% of the "
        "people (chance: 50 %%); even if all others are known, it is right at most "
        "%.1f %% of the time. Percentages of 1,000 guesses have a sampling error of 3.1 "
        "(95 %%): they may exceed the bound by that much.",
        at_one, 100 * lab_attack_guess_bound(1));
    return status;
}

const lab_attack_kind lab_attack_difference = {
    .name = "difference",
    .summary = "Learn one person's bit from two counts",
    .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, section "
              "3.1, item 3",
    .run = run_difference,
};

/* Average: the same question again and again, with fresh noise each time. */

#define SCALE 10 /* of the noise: epsilon 0.1 for each answer */
#define TRUTH 1234
#define AVERAGE_TRIALS 400
#define MOST 2000 /* answers to one question */
#define SCRIM_TRIALS 500
#define REPLAYS 1000

/* A sum of discrete Laplace draws is the difference of two negative binomials. */

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

bool lab_average_expected(double scale, unsigned repeats, double *out)
{
    const double r = repeats, q = exp(-1 / scale), mean = r * q / (1 - q);
    const size_t end = (size_t)(mean + 40 * (sqrt(mean / (1 - q)) + scale)) + 40;
    double *below = lab_allocate(end + 1, sizeof *below);
    if (below == NULL)
        return false;
    for (size_t k = 0; k < end; k++)
        below[k + 1] = below[k] + exp(log_mass(r, q, (double)k));
    *out = mass_within(below, end, (repeats - 1) / 2); /* |S| < r/2 */
    free(below);
    return true;
}

/* Without a ledger. */

static bool is_truth(int64_t sum, int64_t repeats)
{
    return 2 * llabs(sum - TRUTH * repeats) < repeats;
}

static scrim_status attack_fresh(const lab_attack_scene *scene, double *last,
                                 scrim_error *error)
{
    static const unsigned repeats[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, MOST};
    lab_findings *found = scene->found;
    int64_t noise[MOST];
    unsigned right[sizeof repeats / sizeof *repeats] = {0};
    for (size_t trial = 0; trial < AVERAGE_TRIALS; trial++) {
        int64_t sum = 0;
        scrim_status status =
            lab_attack_draw(scene, "discrete-laplace scale=10", MOST, noise, error);
        if (status != SCRIM_OK)
            return status;
        for (size_t i = 0, at = 0; i < sizeof repeats / sizeof *repeats; i++) {
            for (; at < repeats[i]; at++)
                sum += TRUTH + noise[at];
            right[i] += is_truth(sum, repeats[i]);
        }
    }
    lab_findings_begin(
        found, "fresh",
        "a count with fresh noise of scale 10 for each answer, and no ledger",
        (const char *const[]){"answers", "epsilon_together", "truth_percent",
                              "expected_percent", NULL});
    lab_findings_draw(found, &(lab_findings_chart){.x_name = "answers to one question",
                                                   .y_name = "truth found, %",
                                                   .is_log_x = true,
                                                   .curves = {"measured", "expected"}});
    for (size_t i = 0; i < sizeof repeats / sizeof *repeats; i++) {
        double y[] = {100.0 * right[i] / AVERAGE_TRIALS, 0};
        if (!lab_average_expected(SCALE, repeats[i], &y[1]))
            return lab_attack_no_memory(error);
        y[1] *= 100;
        lab_findings_put(found, "%u\n%g\n%.1f\n%.1f", repeats[i],
                         (double)repeats[i] / SCALE, y[0], y[1]);
        lab_findings_point(found, repeats[i], y);
        *last = y[0];
    }
    return SCRIM_OK;
}

/* Through scrim. */

typedef struct asked {
    uint64_t answers; /* in all trials */
    unsigned truths,
        persons; /* trials in which the count, or one person's bit, was found */
} asked;

/* Asks until the ledger refuses. Each answer counts `repeats` times, as if it were replayed. */
static scrim_status ask_once(const lab_attack_scene *scene,
                             const scrim_measurement *measurement, double budget,
                             int64_t repeats, asked *out, scrim_error *error)
{
    scrim_ledger *ledger = NULL;
    unsigned char bit = 0;
    int64_t sum = 0, answers = 0;
    lab_attack_flip(scene, 1, &bit);
    scrim_status status = lab_attack_ledger(SCRIM_ADD_REMOVE, budget, &ledger, error);
    const int64_t truth = TRUTH - 1 + bit;
    while (status == SCRIM_OK) {
        int64_t answer = 0;
        status = lab_attack_release(ledger, measurement, &truth, 1, &answer, error);
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

static scrim_status average_through_scrim(const lab_attack_scene *scene, asked *replayed,
                                          scrim_error *error)
{
    static const struct {
        const char *how;
        double budget;
        int64_t repeats;
    } ways[] = {{"replayed", 0.1, REPLAYS}, {"fresh", 0.5, 1}, {"fresh", 1, 1}};
    lab_findings *found = scene->found;
    scrim_measurement *measurement = NULL;
    const lab_attack_noise noise = {1, 1.0 / SCALE, SCRIM_ADD_REMOVE};
    scrim_status status = lab_attack_laplace(&noise, &measurement, error);
    lab_findings_begin(
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
        lab_findings_put(found, "%g\n%s\n%" PRIu64 "\n%.1f\n%.1f\n%.1f", ways[i].budget,
                         ways[i].how, total.answers / SCRIM_TRIALS,
                         100.0 * total.truths / SCRIM_TRIALS,
                         100.0 * total.persons / SCRIM_TRIALS,
                         100 * lab_attack_guess_bound(ways[i].budget));
        lab_attack_tell(scene, i + 1, 3);
    }
    scrim_measurement_free(measurement);
    return status;
}

static scrim_status run_average(const lab_attack_scene *scene, scrim_error *error)
{
    lab_findings *found = scene->found;
    asked replayed = {0};
    double last = 0;
    scrim_status status = attack_fresh(scene, &last, error);
    if (status == SCRIM_OK)
        status = average_through_scrim(scene, &replayed, error);
    found->target = "a count of simulated people, with noise of scale 10 on each answer";
    found->learnt = lab_findings_words(
        found,
        "The exact count in %.1f %% of the trials, from the mean of %d answers; one "
        "answer gives it in 5.0 %%.",
        last, MOST);
    found->cost = "the same question, asked again; epsilon 0.1 for each answer, which "
                  "nobody counts";
    found->stopped = lab_findings_words(
        found,
        "A ledger. A question that was answered is replayed: free of charge, and 1,000 "
        "replays find the count in %.1f %% of the trials, as one answer does. A fresh "
        "answer is charged, and refused when the budget is spent.",
        100.0 * replayed.truths / SCRIM_TRIALS);
    return status;
}

const lab_attack_kind lab_attack_average = {
    .name = "average",
    .summary = "Average the noise away by asking again",
    .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, "
              "section 3; Dwork and Roth, The Algorithmic Foundations of "
              "Differential Privacy, 2014, section 1",
    .run = run_average,
};

/* Float: most doubles can come from one of two neighbours only. */

#define FLOAT_TRIALS 2000
/* Uniform numbers tried to either side of the one that an answer suggests: rounding of answer and
 * exponential moves it by less. */
#define REACH 16
#define STEPS 0x1p53

double lab_float_answer(int x, double scale, uint64_t word)
{
    const double u = (double)(word >> 11) / STEPS + 0x1p-53;
    const double noise = -scale * log(u);
    return (double)x + ((word & 1) != 0 ? -noise : noise);
}

bool lab_float_is_possible(int x, double scale, double answer)
{
    const double noise = answer - x;
    const double middle = exp(-fabs(noise) / scale) * STEPS;
    for (int step = -REACH; step <= REACH; step++) {
        const double k = floor(middle) + step;
        if (k < 1 || k > STEPS)
            continue;
        const uint64_t word = (uint64_t)(k - 1) << 11;
        if (lab_float_answer(x, scale, word) == answer ||
            lab_float_answer(x, scale, word | 1) == answer)
            return true;
    }
    return false;
}

typedef struct tally {
    unsigned certain, right;
} tally;

/* The attacker guesses the count that is possible; if both are, the nearer one. */
static void judge(tally *t, int x, const bool possible[2], bool is_nearer_one)
{
    const bool is_certain = possible[0] != possible[1];
    const int guess = is_certain ? possible[1] : is_nearer_one;
    t->certain += is_certain;
    t->right += guess == x;
}

static void attack_naive(const lab_attack_scene *scene, double scale, tally *t)
{
    for (size_t i = 0; i < FLOAT_TRIALS; i++) {
        const uint64_t word = lab_random_word(scene->random);
        const uint64_t bit = lab_random_below(scene->random, 2);
        const double answer = lab_float_answer((int)bit, scale, word);
        const bool possible[] = {lab_float_is_possible(0, scale, answer),
                                 lab_float_is_possible(1, scale, answer)};
        judge(t, (int)bit, possible, answer > 0.5);
    }
}

/* Has this noise a positive probability? */
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

static scrim_status ask_one_count(const lab_attack_scene *scene, double epsilon,
                                  const scrim_measurement *measurement,
                                  const scrim_distribution *noise, tally *t,
                                  scrim_error *error)
{
    unsigned char bit = 0;
    scrim_ledger *ledger = NULL;
    int64_t answer = 0;
    bool possible[] = {false, false};
    lab_attack_flip(scene, 1, &bit);
    const int64_t value = bit;
    scrim_status status = lab_attack_ledger(SCRIM_ADD_REMOVE, epsilon, &ledger, error);
    if (status == SCRIM_OK)
        status = lab_attack_release(ledger, measurement, &value, 1, &answer, error);
    scrim_ledger_free(ledger);
    for (int x = 0; x < 2 && status == SCRIM_OK; x++)
        status = look_up(noise, answer - x, &possible[x], error);
    if (status == SCRIM_OK)
        judge(t, bit, possible, answer > 0);
    return status;
}

static scrim_status float_through_scrim(const lab_attack_scene *scene, double epsilon,
                                        tally *t, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_distribution *noise = NULL;
    char law[80];
    snprintf(law, sizeof law, "discrete-laplace scale=%g", 1 / epsilon);
    const lab_attack_noise laplace = {1, epsilon, SCRIM_ADD_REMOVE};
    scrim_status status = lab_attack_laplace(&laplace, &measurement, error);
    if (status == SCRIM_OK)
        status = scrim_distribution_parse(law, &noise, error);
    for (size_t i = 0; i < FLOAT_TRIALS && status == SCRIM_OK; i++)
        status = ask_one_count(scene, epsilon, measurement, noise, t, error);
    scrim_distribution_free(noise);
    scrim_measurement_free(measurement);
    return status;
}

static void begin_answers(lab_findings *found)
{
    lab_findings_begin(
        found, "answers",
        "a count of 0 or 1 from one answer: double-precision noise, then scrim's",
        (const char *const[]){"epsilon", "noise", "certain_percent", "right_percent",
                              "bound_percent", NULL});
    lab_findings_draw(found, &(lab_findings_chart){.x_name = "epsilon",
                                                   .y_name = "right guesses, %",
                                                   .is_log_x = true,
                                                   .curves = {"double-precision noise",
                                                              "the bound of epsilon"}});
}

static void put_row(lab_findings *found, double epsilon, const char *noise,
                    const tally *t)
{
    lab_findings_put(found, "%g\n%s\n%.1f\n%.1f\n%.1f", epsilon, noise,
                     100.0 * t->certain / FLOAT_TRIALS, 100.0 * t->right / FLOAT_TRIALS,
                     100 * lab_attack_guess_bound(epsilon));
}

static scrim_status run_float(const lab_attack_scene *scene, scrim_error *error)
{
    static const double epsilons[] = {0.01, 0.1, 0.5, 1, 2};
    lab_findings *found = scene->found;
    tally first = {0}, ours = {0};
    scrim_status status = SCRIM_OK;
    begin_answers(found);
    for (size_t i = 0; i < 5 && status == SCRIM_OK; i++) {
        const double epsilon = epsilons[i];
        tally naive = {0}, exact = {0};
        attack_naive(scene, 1 / epsilon, &naive);
        status = float_through_scrim(scene, epsilon, &exact, error);
        put_row(found, epsilon, "double", &naive);
        put_row(found, epsilon, "scrim", &exact);
        const double y[] = {100.0 * naive.right / FLOAT_TRIALS,
                            100 * lab_attack_guess_bound(epsilon)};
        lab_findings_point(found, epsilon, y);
        if (i == 1) {
            first = naive;
            ours = exact;
        }
        lab_attack_tell(scene, i + 1, 5);
    }
    found->target = "one count, 0 or 1, with Laplace noise made from a logarithm in "
                    "double precision";
    found->learnt = lab_findings_words(
        found,
        "At epsilon 0.1, %.1f %% of the answers can come from one of the two counts "
        "only, "
        "and %.1f %% of the guesses are right; epsilon 0.1 promises at most %.1f %%.",
        100.0 * first.certain / FLOAT_TRIALS, 100.0 * first.right / FLOAT_TRIALS,
        100 * lab_attack_guess_bound(0.1));
    found->cost = "one answer, and 33 logarithms for each of the two counts";
    found->stopped = lab_findings_words(
        found,
        "Exact noise on the integers: each integer is possible for both counts. "
        "At "
        "epsilon 0.1 no answer is certain, and %.1f %% of the guesses are right (at most "
        "%.1f %%, beyond the error of sampling).",
        100.0 * ours.right / FLOAT_TRIALS, 100 * lab_attack_guess_bound(0.1));
    return status;
}

const lab_attack_kind lab_attack_float = {
    .name = "float",
    .summary = "Read the low bits of floating-point noise",
    .source = "Mironov, On significance of the least significant bits for differential "
              "privacy, 2012",
    .run = run_float,
};
