/* Exact enumeration of a sampler on primitives whose probabilities are known.
 *
 * A sampler is compiled a second time with its primitives renamed to the functions here. Each of
 * them is a branch of a tree: the explorer runs the sampler again and again, takes the next
 * branch each time, and multiplies the exact probabilities along the path. Leaves are outcomes
 * with their mass; a path that becomes less likely than 2^-cutoff is cut there and its mass is
 * kept as undecided. So for every outcome
 *
 *     mass(outcome) <= P(outcome) <= mass(outcome) + undecided
 *
 * with no statistics and no seed.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "base/number/ball.h"
#include "random/bits.h"

/* One run of the sampler: decided is false when the run asks to be forgotten (a turn of a
 * rejection loop that did not accept), else outcome is what it drew. */
typedef scrim_status oracle_run(void *context, bool *decided, int64_t *outcome,
                                scrim_error *error);

typedef struct oracle_tree oracle_tree;

/* Walks the whole tree. Freed by oracle_free. */
oracle_tree *oracle_explore(oracle_run *run, void *context, int cutoff);
void oracle_free(oracle_tree *tree);

/* The sums over leaves: one outcome, all outcomes, forgotten runs, cut paths. */
void oracle_mass(const oracle_tree *tree, int64_t outcome, sc_ball *out);
void oracle_decided(const oracle_tree *tree, sc_ball *out);
void oracle_forgotten(const oracle_tree *tree, sc_ball *out);
void oracle_undecided(const oracle_tree *tree, sc_ball *out);
size_t oracle_leaves(const oracle_tree *tree);

/* The primitives. bits is not looked at. */
scrim_status oracle_uniform_64(sc_bits *bits, uint64_t n, uint64_t *out,
                               scrim_error *error);
scrim_status oracle_bernoulli_64(sc_bits *bits, uint64_t n, uint64_t d, bool *out,
                                 scrim_error *error);
scrim_status oracle_bernoulli_128(sc_bits *bits, sc_uint128 n, sc_uint128 d, bool *out,
                                  scrim_error *error);
scrim_status oracle_bernoulli_integer(sc_bits *bits, const sc_integer *n,
                                      const sc_integer *d, bool *out, scrim_error *error);
/* A coin of exp(-n/d), itself enumerated on Bernoulli trials by the test below it. */
scrim_status oracle_bernoulli_exp01_64(sc_bits *bits, uint64_t n, uint64_t d, bool *out,
                                       scrim_error *error);
scrim_status oracle_bernoulli_exp01_128(sc_bits *bits, sc_uint128 n, sc_uint128 d,
                                        bool *out, scrim_error *error);
scrim_status oracle_bernoulli_exp01_integer(sc_bits *bits, const sc_integer *n,
                                            const sc_integer *d, bool *out,
                                            scrim_error *error);
scrim_status oracle_uniform_integer(sc_bits *bits, const sc_integer *n, sc_integer *out,
                                    scrim_error *error);
/* One of count branches with these probabilities. */
scrim_status oracle_choose(const sc_ball *probability, uint64_t count, uint64_t *out);
/* One fair bit; count must be 1. */
scrim_status oracle_bits_take(sc_bits *bits, unsigned count, uint64_t *out,
                              scrim_error *error);

#endif
