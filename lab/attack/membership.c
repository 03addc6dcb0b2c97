/* Membership: is a person in the group whose means are published? */
#include "lab/attack/attack_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTRIBUTES 5000
#define MEMBERS 100 /* in the group, and as many outside */
#define GROUPS 4
#define GUESSES (2 * MEMBERS * GROUPS)

/* A population: each attribute is 1 with a public frequency. */
typedef struct population {
    unsigned char frequency[ATTRIBUTES]; /* in 256ths: 26 to 230 */
    unsigned char rows[2 * MEMBERS][ATTRIBUTES];
    int64_t counts[ATTRIBUTES]; /* of the members, who come first */
    int64_t shown[ATTRIBUTES];
} population;

static void draw_bytes(lab_random *random, unsigned char *out, size_t count)
{
    for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
        const uint64_t word = lab_random_word(random);
        memcpy(out + i, &word, count - i < sizeof word ? count - i : sizeof word);
    }
}

static void make_people(lab_random *random, population *p)
{
    draw_bytes(random, p->frequency, ATTRIBUTES);
    memset(p->counts, 0, sizeof p->counts);
    for (size_t j = 0; j < ATTRIBUTES; j++)
        p->frequency[j] = (unsigned char)(26 + p->frequency[j] * 205 / 256);
    for (size_t i = 0; i < (size_t)2 * MEMBERS; i++) {
        draw_bytes(random, p->rows[i], ATTRIBUTES);
        for (size_t j = 0; j < ATTRIBUTES; j++) {
            p->rows[i][j] = p->rows[i][j] < p->frequency[j];
            p->counts[j] += i < MEMBERS ? p->rows[i][j] : 0;
        }
    }
}

/* The attacker takes a row for a member if its correlation with the difference between published means
 * and population exceeds half of what is expected of a member. */
static unsigned count_right(const population *p)
{
    double expected = 0;
    unsigned right = 0;
    for (size_t j = 0; j < ATTRIBUTES; j++) {
        const double f = p->frequency[j] / 256.0;
        expected += f * (1 - f) / MEMBERS;
    }
    for (size_t i = 0; i < (size_t)2 * MEMBERS; i++) {
        double score = 0;
        for (size_t j = 0; j < ATTRIBUTES; j++) {
            const double f = p->frequency[j] / 256.0;
            score += (p->rows[i][j] - f) * ((double)p->shown[j] / MEMBERS - f);
        }
        right += (score > expected / 2) == (i < MEMBERS);
    }
    return right;
}

static const double epsilons[] = {0.1, 1, 10, 30, 100, 300, 1000};
enum { EPSILONS = sizeof epsilons / sizeof *epsilons };

/* right[EPSILONS] is without noise. */
static scrim_status attack_groups(const lab_attack_scene *scene, population *p,
                                  unsigned right[EPSILONS + 1], scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t group = 0; group < GROUPS && status == SCRIM_OK; group++) {
        make_people(scene->random, p);
        memcpy(p->shown, p->counts, sizeof p->shown);
        right[EPSILONS] += count_right(p);
        for (size_t i = 0; i < EPSILONS && status == SCRIM_OK; i++) {
            /* A person is in all counts. */
            const lab_attack_noise noise = {ATTRIBUTES, epsilons[i], SCRIM_ADD_REMOVE};
            status =
                lab_attack_release_all(&noise, p->counts, ATTRIBUTES, p->shown, error);
            right[i] += status == SCRIM_OK ? count_right(p) : 0;
        }
        lab_attack_tell(scene, group + 1, GROUPS);
    }
    return status;
}

static void show_power(lab_findings *found, const unsigned *right)
{
    lab_findings_begin(
        found, "power", "who is in the group, by epsilon of all counts",
        (const char *const[]){"epsilon", "right_percent", "bound_percent", NULL});
    lab_findings_draw(found, &(lab_findings_chart){.x_name = "epsilon of all counts",
                                                   .y_name = "right guesses, %",
                                                   .is_log_x = true,
                                                   .curves = {"measured", "bound"}});
    for (size_t i = 0; i < EPSILONS; i++) {
        const double epsilon = epsilons[i];
        const double y[] = {100.0 * right[i] / GUESSES,
                            100 * lab_attack_guess_bound(epsilon)};
        lab_findings_put(found, "%g\n%.1f\n%.1f", epsilon, y[0], y[1]);
        lab_findings_point(found, epsilon, y);
    }
    lab_findings_put(found, "no noise\n%.1f\n100.0", 100.0 * right[EPSILONS] / GUESSES);
}

static scrim_status run_membership(const lab_attack_scene *scene, scrim_error *error)
{
    lab_findings *found = scene->found;
    unsigned right[EPSILONS + 1] = {0};
    population *p = lab_allocate(1, sizeof *p);
    if (p == NULL)
        return lab_attack_no_memory(error);
    const scrim_status status = attack_groups(scene, p, right, error);
    free(p);
    show_power(found, right);
    found->target = "the means of 5,000 attributes of a group of 100 simulated people, "
                    "such as places of the genome";
    found->learnt = lab_findings_words(
        found,
        "Who is in the group: %.1f %% of the guesses are right for 100 members and 100 "
        "others, in each of %d groups.",
        100.0 * right[EPSILONS] / GUESSES, GROUPS);
    found->cost =
        "one published table, the attributes of the person, and the frequencies "
        "of the population";
    found->stopped = lab_findings_words(
        found,
        "One epsilon for all means together. At epsilon 1, %.1f %% of the guesses are "
        "right (chance: 50 %%); the label's bound is %.1f %%. At epsilon 1000 there is "
        "no "
        "protection.",
        100.0 * right[1] / GUESSES, 100 * lab_attack_guess_bound(1));
    return status;
}

const lab_attack_kind lab_attack_membership = {
    .name = "membership",
    .summary = "Tell who is in a group from its published means",
    .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, section "
              "3.1, item 5; Homer et al. 2008; Dwork, Smith, Steinke, Ullman and Vadhan, "
              "Robust traceability from trace amounts, 2015",
    .run = run_membership,
};
