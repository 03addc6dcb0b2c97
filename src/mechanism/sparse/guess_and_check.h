/* Guess and check: public guesses are checked against the true answers, and only wrong ones cost.
 *
 * Input       numbers q_i, each an integer of sensitivity D (rounded up to an integer) under the
 *             neighbours; the guess g_i is public: guesses=..., from the beginning again where the
 *             input is longer
 * Output      for each query "below" where the guess is good, |q_i - g_i| + V < T + Z, so that g_i serves
 *             as the answer, or "above" with the answer q_i and noise of its own, until the count-th
 *             "above", and nothing after it
 *
 *             |q_i - g_i| has the sensitivity of q_i: this is sparse-vector form=a numeric=yes on it, with
 *             the values of q_i, and the same noise and cost. Good guesses are free, however many.
 *
 * Neighbours  add-remove or replace
 * Claim       guess-and-check.privacy   epsilon-DP, no delta, for any number of queries
 * Claim       guess-and-check.accuracy  as sparse-vector.accuracy of |q_i - g_i|; values as of q_i
 * Claim       guess-and-check.run       asked one by one, the answers are those of the same queries in one piece
 * Time        depends on the noise of whole chunks and on the answers, never on a query
 * Reference   Roth, Roughgarden 2010; the survey (002), after Definition 9.10; spec/mechanisms.md 9.2
 *
 * In an interactive run a guess may depend on the answers so far: with guesses=0 the query is the answer
 * less the guess.
 *
 * The audit looks at answers that are not below their guesses. There the value less the guess has the
 * distribution of |q_i - g_i| and noise, and on the other side that of its negative.
 */
#ifndef SC_MECHANISM_GUESS_AND_CHECK_H
#define SC_MECHANISM_GUESS_AND_CHECK_H

#include "model/mechanism.h"

extern const sc_mechanism sc_guess_and_check;

#endif
