/* A system that refuses answers which would disclose a person: its refusals disclose them. */
#include "lab/attack/attack_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PEOPLE 1001 /* odd: a count of all decides between two solutions */
#define PAIRS (PEOPLE - 1)
#define TRIPLES 1000

/* Counts of secret bits. */

typedef struct auditor {
    const char *name;
    /* Is a count of a pair refused? */
    bool (*refuses)(int count);
} auditor;

/* A count of 0 or 2 discloses the bits of both. */
static bool refuses_if_disclosed(int count)
{
    return count != 1;
}

/* Some count of a pair discloses it, so that no pair is answered, whatever its count. */
static bool refuses_by_question(int count)
{
    (void)count;
    return true;
}

static bool refuses_none(int count)
{
    (void)count;
    return false;
}

/* Neighbours are equal where a pair is refused; the count of all says which of the two solutions it is.
 * If nothing is ever answered, refusals mean nothing, and the attacker guesses. */
static int recover_bits(const unsigned char *bits, const auditor *rule, int *answered)
{
    unsigned char guess[PEOPLE] = {0};
    int total = 0, ones = 0, right = 0;
    *answered = 1; /* the count of all */
    for (size_t i = 0; i < PEOPLE; i++)
        total += bits[i];
    for (size_t i = 0; i < PAIRS; i++) {
        const int count = bits[i] + bits[i + 1];
        const bool is_refused = rule->refuses(count);
        *answered += !is_refused;
        guess[i + 1] = guess[i] ^ (is_refused || count != 1 ? 0 : 1);
    }
    for (size_t i = 0; i < PEOPLE; i++)
        ones += guess[i];
    const bool is_flipped = ones != total;
    for (size_t i = 0; i < PEOPLE; i++)
        right += (guess[i] ^ is_flipped) == bits[i];
    return right;
}

static void attack_counts(const lab_attack_scene *scene, const unsigned char *bits)
{
    static const auditor rules[] = {
        {"no refusals", refuses_none},
        {"refuses if the answer discloses", refuses_if_disclosed},
        {"refuses by the question alone", refuses_by_question}};
    lab_findings *found = scene->found;
    lab_findings_begin(found, "counts",
                       "the bits of 1,001 people from counts of 1,000 pairs and of all",
                       (const char *const[]){"system", "answered", "refused",
                                             "recovered_percent", NULL});
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        int answered = 0;
        const int right = recover_bits(bits, &rules[i], &answered);
        lab_findings_put(found, "%s\n%d\n%d\n%.1f", rules[i].name, answered,
                         PAIRS + 1 - answered, 100.0 * right / PEOPLE);
    }
}

/* The maximum of three people, then of two of them. The second is refused exactly if the third person has
 * the maximum, as the answer would disclose that. */
static void attack_maxima(const lab_attack_scene *scene, double *learnt)
{
    lab_findings *found = scene->found;
    int refused = 0, right = 0;
    for (size_t i = 0; i < TRIPLES; i++) {
        uint64_t values[3];
        for (size_t k = 0; k < 3; k++)
            values[k] = lab_random_word(scene->random);
        const uint64_t two = values[0] > values[1] ? values[0] : values[1];
        const uint64_t three = two > values[2] ? two : values[2];
        const bool is_refused = two < three;
        refused += is_refused;
        right += is_refused && values[2] == three;
    }
    *learnt = 100.0 * right / TRIPLES;
    lab_findings_begin(
        found, "maxima",
        "exact values from the maximum of three people, then of two of them",
        (const char *const[]){"triples", "refused", "values_learnt", NULL});
    lab_findings_put(found, "%d\n%d\n%d", TRIPLES, refused, right);
}

/* Through scrim: all counts in one release; a person is in two pairs and in the count of all. */

static int guess_from_sums(const int64_t *sums, const unsigned char *bits)
{
    int right = 0;
    for (size_t i = 1; i + 1 < PEOPLE; i++)
        right += (sums[i - 1] + sums[i] > 2) == (bits[i] != 0);
    return right;
}

static scrim_status attack_scrim(const lab_attack_scene *scene, const unsigned char *bits,
                                 double *at_one, scrim_error *error)
{
    static const double epsilons[] = {0.1, 0.5, 1, 2, 5, 10};
    lab_findings *found = scene->found;
    int64_t sums[PEOPLE] = {0}, shown[PEOPLE];
    for (size_t i = 0; i < PEOPLE; i++)
        sums[PEOPLE - 1] += bits[i];
    for (size_t i = 0; i < PAIRS; i++)
        sums[i] = bits[i] + bits[i + 1];
    lab_findings_begin(found, "scrim", "the same counts through scrim, all are answered",
                       (const char *const[]){"epsilon", "answered", "recovered_percent",
                                             "bound_percent", NULL});
    lab_findings_draw(found, &(lab_findings_chart){.x_name = "epsilon of all counts",
                                                   .y_name = "bits recovered, %",
                                                   .is_log_x = true,
                                                   .curves = {"measured", "bound"}});
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        const double epsilon = epsilons[i];
        const lab_attack_noise noise = {3, epsilon, SCRIM_REPLACE};
        const scrim_status status =
            lab_attack_release_all(&noise, sums, PEOPLE, shown, error);
        if (status != SCRIM_OK)
            return status;
        const double y[] = {100.0 * guess_from_sums(shown, bits) / (PEOPLE - 2),
                            100 * lab_attack_guess_bound(epsilon)};
        lab_findings_put(found, "%g\n%d\n%.1f\n%.1f", epsilon, PEOPLE, y[0], y[1]);
        lab_findings_point(found, epsilon, y);
        if (epsilon == 1)
            *at_one = y[0];
    }
    return SCRIM_OK;
}

static scrim_status run_audit(const lab_attack_scene *scene, scrim_error *error)
{
    unsigned char bits[PEOPLE];
    lab_findings *found = scene->found;
    double maxima = 0, at_one = 0;
    lab_attack_flip(scene, PEOPLE, bits);
    attack_counts(scene, bits);
    attack_maxima(scene, &maxima);
    const scrim_status status = attack_scrim(scene, bits, &at_one, error);
    found->target = "exact counts of the secret bits of 1,001 simulated people, by a "
                    "system that refuses each count that would disclose a person";
    found->learnt = lab_findings_words(
        found,
        "All bits: a pair is refused where both bits are equal, and one count of all "
        "decides the rest. Of maxima of two out of three people, a refusal tells the "
        "exact "
        "value of the third, in %.1f %% of the cases.",
        maxima);
    found->cost = "1,000 counts of pairs and one count of all; two maxima for each value";
    found->stopped = lab_findings_words(found,
                                        "Refusals that do not depend on the data. A "
                                        "ledger refuses by the budget alone; at "
                                        "epsilon 1 for all counts the attack recovers "
                                        "%.1f %% of the bits (chance: 50 %%), "
                                        "at most %.1f %%.",
                                        at_one, 100 * lab_attack_guess_bound(1));
    return status;
}

const lab_attack_kind lab_attack_audit = {
    .name = "audit",
    .summary = "Learn from what a system refuses to answer",
    .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, section "
              "3.1, item 4; Kenthapadi, Mishra and Nissim, Simulatable auditing, 2005",
    .run = run_audit,
};
