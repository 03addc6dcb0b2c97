/* The k best candidates, in order, by peeling: k choices, each among those that are left.
 *
 * Input       scores s_i of N >= k public candidates, whole numbers of steps, each of sensitivity D
 * Output      k indices: the first by one choice at epsilon / k, the next by another among the
 *             rest, and so on; method=permute-and-flip (the default) or exponential
 * Neighbours  add-remove or replace, for which D holds; monotone only under add-remove
 * Claim       top-k.privacy   epsilon-DP, pure, and the optimal curve of k parts of epsilon / k;
 *                             epsilon^2/(2k) concentrated, epsilon^2/(8k) by method=exponential
 * Claim       top-k.exact     the law of the list is exactly that
 * Claim       top-k.accuracy  with the stated probability every entry of the list is within the
 *                             radius of the best that was left, hence of the score of its rank
 * Time        k times that of one choice, whatever the scores
 * Reference   McSherry, Talwar 2007; Kairouz, Oh, Viswanath 2015; spec/mechanisms.md 5.7
 *
 * The k largest of one set of noisy scores are another mechanism and are not offered. Neither
 * are the scores of the winners: they cost a further mechanism.
 */
#ifndef SC_MECHANISM_SELECTION_TOP_K_H
#define SC_MECHANISM_SELECTION_TOP_K_H

#include "model/mechanism.h"

extern const sc_mechanism sc_top_k;

#define SC_TOP_K_MAX ((size_t)1 << 20) /* k */

#endif
