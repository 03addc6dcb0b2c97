/* Stabilising a universe that changes: which keys have utility enough to be used at all.
 *
 * Input       the utility of each key, integers from 0 on; 0 is that of a key that is not there
 * Output      of each key 1, it is kept, or 0: u + Z >= K decides, P(Z = z) proportional to
 *             exp(-|z| epsilon / D); a key without utility is never kept
 * Neighbours  add-remove or replace, for which the sensitivity D was declared: the most by which
 *             the utilities change, all keys together. A unit adds at most D in sum over its own
 *             keys; or, where max-groups is given, it has at most that many keys of at most largest
 *             each (D unless given)
 * Claim       stabilise.privacy   (epsilon, delta)-DP; K is the smallest integer from 1 on for
 *                                 which the mass of noisy_threshold.h is at most delta, or delta is
 *                                 that mass for the threshold K
 * Claim       stabilise.exact     each key is kept independently of the others, with exactly that
 *                                 probability
 * Claim       stabilise.accuracy  a key of the stated utility or more is kept with the stated
 *                                 probability, and no smaller utility will do
 * Time        depends on the noise, never on the utilities
 * Reference   spec/thresholding.md 7, F10 to F13
 *
 * It is the sum over keys that must be bounded: where each key's utility moves by 1 and all of them
 * do, the set of kept keys alone tells them apart. The exact data of the kept keys may not be seen
 * by anybody; the keys themselves may (below). Where the utility is the number of units,
 * partition_selection.h keeps more.
 */
#ifndef SC_MECHANISM_THRESHOLD_STABILISE_H
#define SC_MECHANISM_THRESHOLD_STABILISE_H

#include "model/measurement.h"

extern const sc_mechanism sc_stabilise;

/* Stabilise, then use: the keys that stabilise keeps, and another mechanism on their data, under one
 * charge.
 *
 * Line        stabilise sensitivity=D epsilon=R threshold=K|delta=R ... then MECHANISM ...; the
 *             neighbours of the first step are those of both
 * Input       the utility of each key, which is also its value in the second step: integers from 0
 *             on; 0 is a key that is not there
 * Output      the answer of the mechanism on the values of the kept keys alone: of a choice the place
 *             of its key, else one value per key and none for a key that was not kept
 * Claim       stabilised.privacy  with a mechanism that is (e, d)-DP on every fixed set of keys, the
 *                                 kept keys and its answer together are (epsilon + e, delta + d)-DP,
 *                                 where delta is at least 1 - (1 - t)^k, the probability that any
 *                                 key of one unit alone is kept
 * Claim       stabilised.exact    each set of keys is kept with the product of the probabilities of
 *                                 stabilise, and given that set the answer has the law of the
 *                                 mechanism on its values
 * Time        depends on the noise and on the number of kept keys
 * Reference   spec/thresholding.md 7, spec/papers-additions.md 5.4
 *
 * Proof. Let N be the keys that only one of two neighbours has, at most k of them. Off the event that
 * one of them is kept, of probability at most delta, the kept set Z lies in the keys of both. There
 * P(Z) changes by a factor of exp(epsilon) at most, and given Z the values are neighbours or equal, so
 * that the answer changes by (e, d). Add up over Z: d is not multiplied, since the P(Z) add up to at
 * most 1. The kept keys are covered; their exact values are not.
 *
 * The mechanism must take one value per key, in integers, and have a claim for values that change by D
 * together, of max-groups keys by largest each where these are given. Rows, grids of its own and values
 * that belong to a place (steps, bins, guesses) are refused; size=N is the most keys there may be.
 */

#endif
