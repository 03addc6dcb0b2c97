/* Permute-and-flip: one of N candidates, the likelier the higher its score; the default way to
 * choose, as it is never worse than the exponential mechanism.
 *
 * Input       scores s_i of N >= 1 public candidates, whole numbers of steps, each of sensitivity D
 * Output      the index i with probability w_i E[1 / (1 + K_i)], w_i = exp(-g_i),
 *             g_i = h (max_j s_j - s_i), K_i the number of heads among coins of w_j for all j but
 *             i; h = epsilon / (2 D), or epsilon / D where scores are monotone
 * Neighbours  add-remove or replace, for which D holds; monotone only under add-remove
 * Claim       permute-and-flip.privacy   pure epsilon-DP, and not of epsilon-bounded range: the
 *                                        epsilon^2/8 of the exponential mechanism is false here
 * Claim       permute-and-flip.exact     a choice has exactly this distribution
 * Claim       permute-and-flip.accuracy  the score is within the radius of the best with the
 *                                        stated probability; N - 1 equal losers attain the bound
 * Time        reads every score once; N/4 + N/64 random words and a few more; the work depends neither on the
 *             scores nor on the choice, except for coins that 16 digits do not decide
 * Reference   McKenna, Sheldon 2020; spec/mechanisms.md 5.3; reporting the largest score
 *             with exponential noise has the same distribution, spec/mechanisms.md 5.4
 *
 * Method. The mechanism goes through the candidates in random order, tosses the coin of w_i for
 * each and returns the first that falls heads. The coins do not depend on the order, so all may
 * be tossed at once; and the first of the heads in a random order is any of them with the same
 * probability. So: toss all coins in the order of the indices, and choose uniformly among the
 * heads. The best has w = 1, so there is at least one. Coins are tossed in blocks. With c heads in this
 * block and t in those before, the choice moves to each head of this block with probability
 * 1/(t + c), and stays otherwise. By induction each of the t earlier heads had probability 1/t and
 * keeps t/(t + c) of it. Given heads at i, there are K_i other heads, which gives the distribution.
 *
 * Accuracy. The share of heads with a loss of r or more grows with their w_j and shrinks with
 * each further head. So its mean is largest with one best candidate and N - 1 at w = exp(-h r),
 * where it is 1 - E[1/(1 + K)], K binomial: 1 - (1 - (1-w)^N) / (N w).
 */
#ifndef SC_MECHANISM_SELECTION_PERMUTE_AND_FLIP_H
#define SC_MECHANISM_SELECTION_PERMUTE_AND_FLIP_H

#include "mechanism/selection/scores.h"

extern const sc_mechanism sc_permute_and_flip;
extern const sc_choice sc_permute_and_flip_choice;

/* Members of the choice, for tests: choose reads the prepared weights, the others the rate. */
SCRIM_MUST_USE scrim_status sc_permute_and_flip_choose(const sc_scores *state,
                                                       sc_bits *bits,
                                                       const int64_t *scores,
                                                       size_t count, size_t *out,
                                                       scrim_error *error);

/* The reference implementation of the specification, on the exponents g_i, of which one must be 0: goes through the
 * candidates in a random order, which it shuffles as it goes, and tosses a coin for each. order has room for count
 * entries. */
SCRIM_MUST_USE scrim_status sc_permute_and_flip_reference(sc_bits *bits,
                                                          const sc_fraction *g,
                                                          size_t count, uint64_t *order,
                                                          size_t *out,
                                                          scrim_error *error);

/* The exact distribution: out[i] is the probability of candidate i. out holds count balls; the time grows
 * with the square of count, which is at most SC_PERMUTE_AND_FLIP_LAW, else SCRIM_E_LIMIT. */
#define SC_PERMUTE_AND_FLIP_LAW 4096
SCRIM_MUST_USE scrim_status sc_permute_and_flip_probabilities(const sc_scores *state,
                                                              const int64_t *scores,
                                                              size_t count, long bits,
                                                              sc_ball *out,
                                                              scrim_error *error);

#endif
