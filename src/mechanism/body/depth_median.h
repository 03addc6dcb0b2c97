/* A deep point: the exponential mechanism on the depth of candidates, with one epsilon for all directions together.
 *
 * Input       rows of one or two numbers, each clamped to [lower, upper] and put on the grid; a unit owns one row, or at most
 *             max-rows=N
 * Output      a point of a public lattice with probability proportional to w[s(z)], s(z) = min(R, floor(max(0, depth(z) - L0)/g)),
 *             w a ladder of integers of ratio exp(h)
 * Neighbours  add-remove: h = epsilon/ceil(r/g), as all scores move the same way; replace: half of it
 * Claim       depth-median.privacy   epsilon-DP and of epsilon-bounded range for every input, no delta
 * Claim       depth-median.accuracy  the depth that is drawn is at least min(best of all candidates, L0 + R g) less the radius, with
 *                                    probability at least the confidence, for every input with a candidate of depth
 *                                    L0 + radius; for every input if L0 = 0
 * Claim       depth-median.levels    levels reach from below n0/3 to n0/2: a table of n0 rows has no candidates of equal score in
 *                                    between whose depths are g or more apart
 * Claim       depth-median.total     nothing fails by what the rows are
 * Reference   spec/papers-additions.md 4.2; which levels there are is ours (depth_median.md)
 *
 * Levels follow from the expected number of rows n0, which steers accuracy and never privacy. depth_median.md has the proofs.
 */
#ifndef SC_MECHANISM_BODY_DEPTH_MEDIAN_H
#define SC_MECHANISM_BODY_DEPTH_MEDIAN_H

#include "model/mechanism.h"

extern const sc_mechanism sc_depth_median;

#endif
