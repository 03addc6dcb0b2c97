/* A deep point: the exponential mechanism on the depth of candidates, with one epsilon for all directions together.
 *
 * Input       rows of one or two numbers, each clamped to [lower, upper] and put on the grid; a unit owns one row, or at most
 *             max-rows=N
 * Output      a point of a public lattice with probability proportional to w[s(z)], s(z) = min(R, max(0, depth(z) - L0)), w a
 *             ladder of integers of ratio exp(h)
 * Neighbours  add-remove: h = epsilon/r, as all scores move the same way; replace: h = epsilon/(2 r)
 * Claim       depth-median.privacy   epsilon-DP and of epsilon-bounded range for every input, no delta
 * Claim       depth-median.accuracy  the depth that is drawn is at most radius below the best of all candidates, or at least
 *                                    L0 + R, with probability at least the confidence, for every input
 * Claim       depth-median.total     nothing fails by what the rows are
 * Reference   spec/papers-additions.md 4.2
 *
 * L0 and R follow from the expected number of rows n0, which steers accuracy and never privacy: R = ceil((1/h) ln(|Z| 10^4)) + 1
 * and L0 = floor(n0/3) - R, n0/2 in one dimension, not below 0.
 *
 * Proof. The score moves by at most r between neighbours (depth_levels.h; cutting off moves it no more), so that weights
 * change by a factor of at most e^{h r}. Under add-remove all scores rise, or all fall: then the weights and their sum move
 * the same way, and the ratio of two probabilities lies between e^{-h r} and e^{h r}. Under replace the sum may move against
 * them, hence the 2. The loss of a point is h (s_x - s_y) less a constant: its range is h r, or 2 h r.
 */
#ifndef SC_MECHANISM_BODY_DEPTH_MEDIAN_H
#define SC_MECHANISM_BODY_DEPTH_MEDIAN_H

#include "model/mechanism.h"

extern const sc_mechanism sc_depth_median;

#endif
