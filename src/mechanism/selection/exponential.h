/* The exponential mechanism: one of N candidates, the likelier the higher its score.
 *
 * Input       scores s_i of N >= 1 public candidates, whole numbers of steps, each of sensitivity D
 * Output      the index i with probability exp(-g_i) / sum_j exp(-g_j), g_i = h (max_j s_j - s_i),
 *             h = epsilon / (2 D), or epsilon / D where scores are monotone
 * Neighbours  add-remove or replace, for which D holds; monotone only under add-remove
 * Claim       exponential.privacy   pure epsilon-DP, and of epsilon-bounded range, so that it is
 *                                   epsilon^2/8 concentrated
 * Claim       exponential.exact     the law of a choice is exactly that
 * Claim       exponential.accuracy  the score is within the radius of the best with the stated
 *                                   probability; the bound is attained by N - 1 equal losers
 * Claim       exponential.time      scores change no instruction that is executed, but for a
 *                                   second turn, once in 4096 choices, and an exact comparison,
 *                                   once in 2^54
 * Time        three looks at every score, three random words
 * Reference   McSherry, Talwar 2007; Dong, Durfee, Rogers 2020; spec/mechanisms.md 5.2
 *
 * How. Each candidate has an integer weight e_i a little above 2^63 exp(-g_i): the ceiling of
 * gap_weights.h. An index is drawn with probability e_i / sum_j e_j, by a uniform integer below
 * the sum, and kept with probability 2^63 exp(-g_i) / e_i <= 1, which is decided exactly; else
 * all is drawn anew. Given that a turn ends, the index has a probability proportional to the
 * product of the two, 2^63 exp(-g_i). A turn fails with probability at most 2^-12 and what the
 * ceilings of hopeless candidates amount to, N 2^-54, as the best alone weighs 2^63.
 *
 * Accuracy. A loss of r or more has probability A / (A + B), where A sums the weights of gaps
 * from r on, at most N - 1 of exp(-h r) each, and B is at least 1, the weight of the best.
 */
#ifndef SC_MECHANISM_SELECTION_EXPONENTIAL_H
#define SC_MECHANISM_SELECTION_EXPONENTIAL_H

#include "mechanism/selection/scores.h"

extern const sc_mechanism sc_exponential;
extern const sc_choice sc_exponential_choice;

/* Members of the choice, for tests: choose reads the prepared weights, the others the rate. */
SCRIM_MUST_USE scrim_status sc_exponential_choose(const sc_scores *state, sc_bits *bits,
                                                  const int64_t *scores, size_t count,
                                                  size_t *out, scrim_error *error);

/* The plain implementation of the specification, on the exponents g_i: a uniform index is kept with
 * probability exp(-g_i). One of them must be 0. */
SCRIM_MUST_USE scrim_status sc_exponential_reference(sc_bits *bits, const sc_fraction *g,
                                                     size_t count, size_t *out,
                                                     scrim_error *error);

/* The exact law: out[i] is the probability of candidate i. out holds count balls. */
SCRIM_MUST_USE scrim_status sc_exponential_probabilities(const sc_scores *state,
                                                         const int64_t *scores,
                                                         size_t count, long bits,
                                                         sc_ball *out,
                                                         scrim_error *error);

#endif
