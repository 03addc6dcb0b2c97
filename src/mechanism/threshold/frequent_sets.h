/* Frequent item sets, size by size: only sets of which every part was released are counted.
 *
 * Input       as item_sets.h: transactions of `length` cells, of which at most l (items) items are
 *             used; with s (size) above 3 items have 60/s bits, so that they end at
 *             2^floor(60/s) - 1
 * Output      of each frequent set of 1 to s items, by size and then by its items, the number of
 *             transactions plus noise. An item is frequent where that reaches F (frequent) and the T of
 *             threshold-laplace. A candidate of k items is a set of which all subsets of k - 1 items
 *             are frequent, and is frequent where that reaches F
 * Neighbours  one unit is one transaction, or at most r of them (max-rows), added, removed or replaced
 * Claim       frequent-sets.privacy   (epsilon, delta)-DP, with one charge. Sizes have shares of epsilon
 *                                     in proportion to C(l,k), and delta is for the items alone. Where t
 *                                     is the mass of noisy_threshold.h for the items, at any e the delta is
 *                                     at most t + (1 - t) d(e), d that of a pure epsilon
 * Claim       frequent-sets.exact     the law is exactly that; counts of k items have noise of scale
 *                                     D_k / epsilon_k, D_k = r M_k with the largest number M_k of
 *                                     candidates that l items hold (item_family.h); under replace D_k is
 *                                     twice that, or r for each candidate where these are fewer
 * Claim       frequent-sets.accuracy  a set that this many transactions hold after truncation, as
 *                                     item_sets.h truncates, is shown with all its subsets with the
 *                                     stated probability; a count is within the radius of values
 * Time        depends on the transactions, the number of candidates and the noise
 * Reference   Zeng, Naughton, Cai 2012; spec/synthetic.md 8; spec/thresholding.md 3, 8
 *
 * Proof. Candidates are made of what was released, and of a transaction only items of candidates are
 * used, at most l: a map of that transaction alone. So one unit changes the counts of candidates by
 * D_k together, and sizes from 2 on are epsilon_k-DP given what was released before. The items are
 * threshold-laplace with max-groups = l. Off the event that an item of one unit alone is shown, the loss
 * of all sizes together is at most their sum, epsilon.
 *
 * Items that are used of a transaction for a size are used for the next one as well, wherever they are
 * in a candidate: so a set that n truncated transactions hold has at least n in all of its subsets, at
 * each size. Where more than SC_FREQUENT_ITEMS items are frequent, pairs are made of those with the
 * largest counts.
 */
#ifndef SC_MECHANISM_ITEMS_FREQUENT_SETS_H
#define SC_MECHANISM_ITEMS_FREQUENT_SETS_H

#include "model/measurement.h"

#define SC_FREQUENT_ITEMS ((size_t)256)

extern const sc_mechanism sc_frequent_sets;

/* Makes the state for items of which one transaction changes `charged`: .check passes what is true. Every size has all
 * of epsilon where is_whole, which .check never says. */
SCRIM_MUST_USE scrim_status sc_frequent_sets_make(scrim_measurement *measurement,
                                                  bool is_whole, size_t charged,
                                                  scrim_error *error);

#endif
