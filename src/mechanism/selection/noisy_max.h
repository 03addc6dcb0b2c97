/* Report noisy max: the index of the largest score with noise of its own on each.
 *
 * Input       scores s_i of N >= 1 public candidates, whole numbers of steps, each of sensitivity D
 * Output      the lowest index among the maxima of s_i + Z_i, P(Z_i = z) ~ exp(-h |z|) on the
 *             integers, or ~ exp(-h z) on z >= 0 with noise=geometric; one h for all candidates,
 *             epsilon / (2 D), or epsilon / D where scores are monotone
 * Neighbours  add-remove or replace, for which D holds; monotone only under add-remove
 * Claim       noisy-max.privacy   pure epsilon-DP; the index alone, never the noisy score
 * Claim       noisy-max.exact     the law of a choice is exactly that
 * Claim       noisy-max.accuracy  the score is within the radius of the best with at least the
 *                                 stated probability; for two candidates the bound is attained
 * Time        noise is drawn before the scores are read, and the maximum has no branch
 * Reference   Dwork, Roth 2014; spec/mechanisms.md 5.5. permute-and-flip chooses better
 *
 * D is a whole number of steps: integer noise on finer scores would round their shift up, and
 * with D = 1/4 the loss is 1.7276 at epsilon = 1. The scale is common: with one for each
 * candidate the loss is 7.99. And it is 2 D / epsilon unless scores are monotone: else 1.59 and
 * more. All three are in the tests.
 *
 * Accuracy. To lose r or more, one of at most N - 1 candidates at a gap of r or more reaches the
 * best: Z_j - Z_best >= r. With q = exp(-h) the difference of two has this tail:
 *   laplace     q^r (r (1-q) + (1 + q^2)/(1 + q) + q) / (1+q)^2
 *   geometric   q^r / (1+q)
 */
#ifndef SC_MECHANISM_SELECTION_NOISY_MAX_H
#define SC_MECHANISM_SELECTION_NOISY_MAX_H

#include "mechanism/selection/scores.h"
#include "sampling/blocks.h"

extern const sc_mechanism sc_noisy_max;

/* The index chosen; noise is that of sc_blocks with sides of one or both and the rate h. */
SCRIM_MUST_USE scrim_status sc_noisy_max_choose(sc_bits *bits, const sc_blocks *noise,
                                                const int64_t *scores, size_t count,
                                                size_t *out, scrim_error *error);

/* The exact law: out[i] is the probability of candidate i. SCRIM_E_LIMIT when noise and scores
 * spread so far that it would be summed over more than SC_NOISY_MAX_LAW terms. */
#define SC_NOISY_MAX_LAW ((uint64_t)1 << 22)
SCRIM_MUST_USE scrim_status sc_noisy_max_probabilities(const sc_ratio *rate,
                                                       bool is_geometric,
                                                       const int64_t *scores,
                                                       size_t count, long bits,
                                                       sc_ball *out, scrim_error *error);
/* At least the probability, on any scores, of a loss of gap >= 1 steps or more. */
void sc_noisy_max_miss(const sc_ratio *rate, bool is_geometric, uint64_t gap,
                       size_t count, long bits, sc_ball *out);

#endif
