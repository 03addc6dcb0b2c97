/* Membership: is somebody in the group whose means are published? */
#include "attack/attack_kind.h"
#include "base/memory.h"

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

static scrim_status draw_bytes(const sc_attack_scene *scene, unsigned char *out,
                               size_t count, scrim_error *error)
{
    for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        scrim_status status = sc_bits_word(scene->noise.bits, &word, error);
        if (status != SCRIM_OK)
            return status;
        memcpy(out + i, &word, count - i < sizeof word ? count - i : sizeof word);
    }
    return SCRIM_OK;
}

static scrim_status make_people(const sc_attack_scene *scene, population *p,
                                scrim_error *error)
{
    scrim_status status = draw_bytes(scene, p->frequency, ATTRIBUTES, error);
    memset(p->counts, 0, sizeof p->counts);
    for (size_t j = 0; j < ATTRIBUTES; j++)
        p->frequency[j] = (unsigned char)(26 + p->frequency[j] * 205 / 256);
    for (size_t i = 0; i < (size_t)2 * MEMBERS && status == SCRIM_OK; i++) {
        status = draw_bytes(scene, p->rows[i], ATTRIBUTES, error);
        for (size_t j = 0; j < ATTRIBUTES; j++) {
            p->rows[i][j] = p->rows[i][j] < p->frequency[j];
            p->counts[j] += i < MEMBERS ? p->rows[i][j] : 0;
        }
    }
    return status;
}

/* The correlation of a row with how the published means differ from the population's; above half of what
 * is expected of a member, the attacker says that it is one. */
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

/* A person is in all counts. */
static scrim_status release_counts(const sc_attack_scene *scene, double epsilon,
                                   population *p, scrim_error *error)
{
    return sc_attack_release_all(scene, ATTRIBUTES, epsilon, SCRIM_ADD_REMOVE, p->counts,
                                 ATTRIBUTES, p->shown, error);
}

static const double epsilons[] = {0.1, 1, 10, 30, 100, 300, 1000};
enum { EPSILONS = sizeof epsilons / sizeof *epsilons };

/* The last is without noise. */
static scrim_status attack_groups(const sc_attack_scene *scene, population *p,
                                  unsigned right[EPSILONS + 1], scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t group = 0; group < GROUPS && status == SCRIM_OK; group++) {
        status = make_people(scene, p, error);
        memcpy(p->shown, p->counts, sizeof p->shown);
        right[EPSILONS] += status == SCRIM_OK ? count_right(p) : 0;
        for (size_t i = 0; i < EPSILONS && status == SCRIM_OK; i++) {
            status = release_counts(scene, epsilons[i], p, error);
            right[i] += status == SCRIM_OK ? count_right(p) : 0;
        }
        sc_attack_tell(scene, group + 1, GROUPS);
    }
    return status;
}

static void show_power(sc_findings *found, const unsigned *right)
{
    sc_findings_begin(
        found, "power", "who is in the group, by epsilon of all counts",
        (const char *const[]){"epsilon", "right_percent", "bound_percent", NULL});
    sc_findings_draw(found, &(sc_findings_chart){.x_name = "epsilon of all counts",
                                                 .y_name = "right guesses, %",
                                                 .is_log_x = true,
                                                 .curves = {"measured", "bound"}});
    for (size_t i = 0; i < EPSILONS; i++) {
        const double epsilon = epsilons[i];
        const double y[] = {100.0 * right[i] / GUESSES,
                            100 * sc_attack_guess_bound(epsilon)};
        sc_findings_put(found, "%g\n%.1f\n%.1f", epsilon, y[0], y[1]);
        sc_findings_point(found, epsilon, y);
    }
    sc_findings_put(found, "no noise\n%.1f\n100.0", 100.0 * right[EPSILONS] / GUESSES);
}

static scrim_status run_membership(const sc_attack_scene *scene, scrim_error *error)
{
    sc_findings *found = scene->found;
    unsigned right[EPSILONS + 1] = {0};
    population *p = sc_allocate(1, sizeof *p);
    if (p == NULL)
        return sc_attack_no_memory(error);
    const scrim_status status = attack_groups(scene, p, right, error);
    sc_free(p);
    show_power(found, right);
    found->target = "the means of 5,000 attributes of a group of 100 simulated people, "
                    "such as places of the genome";
    found->learnt = sc_findings_words(
        found,
        "Who is in the group: %.1f %% of the guesses are right for 100 members and 100 "
        "others, in each of %d groups.",
        100.0 * right[EPSILONS] / GUESSES, GROUPS);
    found->cost =
        "one published table, the attributes of the person, and the frequencies "
        "of the population";
    found->stopped = sc_findings_words(
        found,
        "One epsilon for all means together. At epsilon 1, %.1f %% of the guesses are "
        "right (chance: 50 %%); the label's bound is %.1f %%. At epsilon 1000 there is "
        "no "
        "protection.",
        100.0 * right[1] / GUESSES, 100 * sc_attack_guess_bound(1));
    return status;
}

const sc_attack_kind sc_attack_membership = {
    .shown =
        {.name = "membership",
         .summary = "Tell who is in a group from its published means",
         .source =
             "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, section "
             "3.1, item 5; Homer et al. 2008; Dwork, Smith, Steinke, Ullman and Vadhan, "
             "Robust traceability from trace amounts, 2015"},
    .run = run_membership,
};
