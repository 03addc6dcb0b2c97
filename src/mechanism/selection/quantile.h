/* Quantiles of rows on a declared range, by the exponential mechanism over ranks.
 *
 * Input       rows, each clamped to [lower, upper] and put on the grid; a unit owns one row, or
 *             at most max-rows=N of them
 * Output      a point t of the grid with probability proportional to w[s(t)]: s(t) says by how
 *             many rows t misses rank p n, w is an integer ladder of ratio exp(epsilon/2) a
 *             unit of sensitivity. Several quantiles: in increasing order, each by itself with
 *             a share of epsilon or recursively, whichever has the smaller predicted error
 * Neighbours  replace: s counts rows around the k-th, k = ceil(p n), and n is public
 *             add-remove: s = max(0, c_<(t) - p n, p n - c_<=(t)), and n is private
 * Claim       quantile.privacy   epsilon-DP for every input, no delta, with integers alone; one
 *                                quantile, and each of the releases that several are composed
 *                                of, is of bounded range too
 * Claim       quantile.accuracy  all rank errors are at most the radius, a whole number of rows,
 *                                with probability at least the confidence, for every input
 * Claim       quantile.total     nothing fails, and nothing is allocated, by what the rows are
 * Time        one or two passes over the rows; depends on them, which spec 4.3 leaves outside
 * Reference   spec/floating-body.md 4; Kaplan, Schnapp, Stemmer 2022 for the recursive form
 * Proof       quantile.md
 */
#ifndef SC_MECHANISM_SELECTION_QUANTILE_H
#define SC_MECHANISM_SELECTION_QUANTILE_H

#include "model/mechanism.h"

extern const sc_mechanism sc_quantile;

#endif
