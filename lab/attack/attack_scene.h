/* Shared by the attacks: simulated coins, noise without accounting, scrim's releases, and bounds. */
#ifndef LAB_ATTACK_SCENE_H
#define LAB_ATTACK_SCENE_H

#include "lab/attack/attack.h"

/* SCRIM_E_MEMORY, with its message. */
scrim_status lab_attack_no_memory(scrim_error *error);
/* Reports how much of the work is done. */
void lab_attack_tell(const lab_attack_scene *scene, uint64_t done, uint64_t total);

/* Fair coins, 0 or 1 each. */
void lab_attack_flip(const lab_attack_scene *scene, size_t count, unsigned char *out);
/* Draws of a distribution, "discrete-gaussian variance=4": noise without accounting. */
SCRIM_MUST_USE scrim_status lab_attack_draw(const lab_attack_scene *scene,
                                            const char *line, size_t count, int64_t *out,
                                            scrim_error *error);

/* Laplace noise on integers. An epsilon has at most 6 digits, here and below. */
typedef struct lab_attack_noise {
    size_t sensitivity;
    double epsilon;
    scrim_neighbours neighbours;
} lab_attack_noise;

SCRIM_MUST_USE scrim_status lab_attack_laplace(const lab_attack_noise *noise,
                                               scrim_measurement **out,
                                               scrim_error *error);
/* A ledger in memory with this budget. */
SCRIM_MUST_USE scrim_status lab_attack_ledger(scrim_neighbours neighbours, double epsilon,
                                              scrim_ledger **out, scrim_error *error);
/* Releases integers, charged to the ledger. out may be values. */
SCRIM_MUST_USE scrim_status lab_attack_release(scrim_ledger *ledger,
                                               const scrim_measurement *measurement,
                                               const int64_t *values, size_t count,
                                               int64_t *out, scrim_error *error);
/* Releases integers with Laplace noise, charged to a ledger of their own that has just this budget. */
SCRIM_MUST_USE scrim_status lab_attack_release_all(const lab_attack_noise *noise,
                                                   const int64_t *values, size_t count,
                                                   int64_t *out, scrim_error *error);

/* Counts of 0 or 1, each released `releases` times with this epsilon and guessed from the sum of its
 * answers: how many guesses are right. */
SCRIM_MUST_USE scrim_status lab_attack_guess(double epsilon, unsigned releases,
                                             const unsigned char *bits, size_t count,
                                             size_t *right, scrim_error *error);

/* reconstruct with a published table of one's own (own_table.c). */
SCRIM_MUST_USE scrim_status lab_attack_own_table(const lab_attack_scene *scene,
                                                 scrim_error *error);

/* How often a guess between two equally likely neighbours can be right if epsilon-DP holds:
 * e^epsilon / (1 + e^epsilon). */
double lab_attack_guess_bound(double epsilon);
/* P(Z <= x) of a standard normal Z. */
double lab_attack_normal(double x);

#endif
