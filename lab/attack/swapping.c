/* Swapping: some people exchange their places before a table is published. */
#include "lab/attack/attack_scene.h"

#include <stdlib.h>
#include <string.h>

#define PEOPLE 5000
#define BLOCKS 250
#define AGES 100
#define CLAIMS 1000 /* released people, at most */

typedef struct swapped {
    uint16_t block[PEOPLE],
        published[PEOPLE]; /* where a person lives, and is published */
    uint8_t age[PEOPLE];
    unsigned char bit[PEOPLE];
} swapped;

static void make_town(const lab_attack_scene *scene, swapped *town)
{
    lab_attack_flip(scene, PEOPLE, town->bit);
    for (size_t i = 0; i < PEOPLE; i++) {
        town->block[i] = (uint16_t)lab_random_below(scene->random, BLOCKS);
        town->age[i] = (uint8_t)lab_random_below(scene->random, AGES);
    }
}

/* People are paired at random, and the first pairs exchange their blocks: that keeps the size of each
 * block, and every count of the whole town. */
static void swap_places(const lab_attack_scene *scene, swapped *town, size_t people)
{
    uint16_t order[PEOPLE];
    for (size_t i = 0; i < PEOPLE; i++)
        order[i] = (uint16_t)i;
    for (size_t i = PEOPLE - 1; i > 0; i--) {
        const size_t k = (size_t)lab_random_below(scene->random, i + 1);
        const uint16_t held = order[i];
        order[i] = order[k];
        order[k] = held;
    }
    memcpy(town->published, town->block, sizeof town->block);
    for (size_t i = 0; i + 1 < people; i += 2) {
        town->published[order[i]] = town->block[order[i + 1]];
        town->published[order[i + 1]] = town->block[order[i]];
    }
}

typedef struct claims {
    size_t made, right;
} claims;

/* Counts by block, age and bit give the published rows back. The attacker knows where each person lives and
 * their age, and claims the bit if the rows of that block and age agree. */
static void claim(const swapped *town, claims *out)
{
    static uint16_t counts[2][BLOCKS][AGES];
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < PEOPLE; i++)
        counts[town->bit[i]][town->published[i]][town->age[i]]++;
    for (size_t i = 0; i < PEOPLE; i++) {
        const uint16_t zeros = counts[0][town->block[i]][town->age[i]],
                       ones = counts[1][town->block[i]][town->age[i]];
        if ((zeros == 0) == (ones == 0))
            continue;
        out->made++;
        out->right += (ones > 0) == (town->bit[i] != 0);
    }
}

static scrim_status run_swap(const lab_attack_scene *scene, scrim_error *error)
{
    static const unsigned percents[] = {0, 1, 5, 10, 25, 50, 100};
    lab_findings *found = scene->found;
    size_t right = 0;
    double at_ten = 0;
    swapped *town = lab_allocate(1, sizeof *town);
    if (town == NULL)
        return lab_attack_no_memory(error);
    make_town(scene, town);
    lab_findings_begin(
        found, "swapping",
        "5,000 people in 250 blocks: bits that the published counts tell of them",
        (const char *const[]){"swapped_percent", "claims", "right_percent", NULL});
    lab_findings_draw(found, &(lab_findings_chart){.x_name = "people swapped, %",
                                                   .y_name = "claims that are right, %",
                                                   .curves = {"right"}});
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        claims made = {0};
        swap_places(scene, town, PEOPLE * (size_t)percents[i] / 100);
        claim(town, &made);
        const double share = 100.0 * (double)made.right / (double)made.made;
        at_ten = percents[i] == 10 ? share : at_ten;
        lab_findings_put(found, "%u\n%zu\n%.1f", percents[i], made.made, share);
        lab_findings_point(found, percents[i], &share);
    }
    const scrim_status status = lab_attack_guess(1, 1, town->bit, CLAIMS, &right, error);
    free(town);
    const double through = 100.0 * (double)right / CLAIMS;
    lab_findings_begin(found, "scrim", "the same bits through scrim",
                       (const char *const[]){"epsilon", "people", "right_percent",
                                             "bound_percent", NULL});
    lab_findings_put(found, "1\n%d\n%.1f\n%.1f", CLAIMS, through,
                     100 * lab_attack_guess_bound(1));
    found->target =
        "5,000 simulated people with a block, an age and a secret bit, of whom "
        "some exchange their blocks before the counts are published";
    found->learnt = lab_findings_words(
        found,
        "With 10 %% of the people swapped, %.1f %% of the claims about a bit are right: "
        "swapping protects those who are swapped, and nobody else.",
        at_ten);
    found->cost = "the published counts, and where somebody lives";
    found->stopped = lab_findings_words(
        found,
        "Noise on every count, for everybody. A bit that is counted at epsilon 1 is "
        "guessed "
        "right for %.1f %% (chance: 50 %%), and expected at most %.1f %%.",
        through, 100 * lab_attack_guess_bound(1));
    return status;
}

const lab_attack_kind lab_attack_swap = {
    .name = "swap",
    .summary = "Read secret bits from counts of swapped people",
    .source = "Das, Differential Privacy: Ideas, Concepts and Advances, 2022, sections "
              "1.3 and 1.3.1",
    .run = run_swap,
};
