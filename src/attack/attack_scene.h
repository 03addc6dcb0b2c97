/* What an attack works with: bits for simulated people and for noise that nobody accounts for, scrim's
 * own releases, and the findings it fills. */
#ifndef SC_ATTACK_SCENE_H
#define SC_ATTACK_SCENE_H

#include "attack/findings.h"
#include "attack/public_table.h"
#include "random/bits.h"
#include "scrim/ledger.h"

typedef struct sc_attack_noise {
    sc_bits *bits;
    /* Test builds: lets a ledger draw from these bits. NULL: from the operating system. */
    void (*bind)(scrim_ledger *ledger, sc_bits *bits);
} sc_attack_noise;

typedef struct sc_attack_scene {
    sc_findings *found;
    sc_attack_noise noise;
    const scrim_attack_options *options;
} sc_attack_scene;

scrim_status sc_attack_no_memory(scrim_error *error);
/* Reports how much of the work is done. */
void sc_attack_tell(const sc_attack_scene *scene, uint64_t done, uint64_t total);

/* The public table that the options name; of the Adult data unless they say otherwise. */
SCRIM_MUST_USE scrim_status sc_attack_people(const sc_attack_scene *scene,
                                             sc_public_people *out, scrim_error *error);

/* So many draws of a distribution, "discrete-gaussian variance=4": noise without accounting. */
SCRIM_MUST_USE scrim_status sc_attack_draw(const sc_attack_scene *scene, const char *line,
                                           size_t count, int64_t *out,
                                           scrim_error *error);
/* So many fair coins, 0 or 1 each. */
SCRIM_MUST_USE scrim_status sc_attack_flip(const sc_attack_scene *scene, size_t count,
                                           unsigned char *out, scrim_error *error);

/* A ledger in memory with this budget. Epsilons have at most 6 digits, here and below. */
SCRIM_MUST_USE scrim_status sc_attack_ledger(const sc_attack_scene *scene,
                                             scrim_neighbours neighbours, double epsilon,
                                             scrim_ledger **out, scrim_error *error);
/* Laplace noise on integers. */
SCRIM_MUST_USE scrim_status sc_attack_laplace(size_t sensitivity, double epsilon,
                                              scrim_neighbours neighbours,
                                              scrim_measurement **out,
                                              scrim_error *error);
/* Releases integers through the gate, charged to the ledger. */
SCRIM_MUST_USE scrim_status sc_attack_release(scrim_ledger *ledger,
                                              const scrim_measurement *measurement,
                                              const int64_t *values, size_t count,
                                              int64_t *out, scrim_error *error);

/* Releases integers with Laplace noise from a ledger of their own, whose whole budget they take. */
SCRIM_MUST_USE scrim_status sc_attack_release_all(const sc_attack_scene *scene,
                                                  size_t sensitivity, double epsilon,
                                                  scrim_neighbours neighbours,
                                                  const int64_t *values, size_t count,
                                                  int64_t *out, scrim_error *error);

/* Counts of 0 or 1, each released so many times with this epsilon, and guessed from the sum of its
 * answers: how many guesses are right. */
SCRIM_MUST_USE scrim_status sc_attack_guess(const sc_attack_scene *scene, double epsilon,
                                            unsigned releases, const unsigned char *bits,
                                            size_t count, size_t *right,
                                            scrim_error *error);

/* How often a guess between two equally likely neighbours can be right if epsilon-DP holds:
 * e^epsilon / (1 + e^epsilon). */
double sc_attack_guess_bound(double epsilon);
/* P(Z <= x) of a standard normal Z. */
double sc_attack_normal(double x);

#endif
