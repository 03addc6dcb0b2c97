/* The depth of a public point among rows, with noise: in the direction that has fewest, how many rows lie as far out.
 *
 * Input       rows of `dimensions` numbers, each clamped to [lower, upper] and put on the grid; a unit owns one row, or at most max-rows=N
 * Output      min over directions of #{rows x : <x, a_i> >= <z, a_i>} + discrete Laplace noise of scale max-rows/epsilon. It bounds
 *             the depth over all directions from above
 * Neighbours  add-remove, replace: a unit moves the depth by at most max-rows (depth_levels.h)
 * Claim       body-depth.privacy   epsilon-DP for every input, no delta
 * Claim       body-depth.accuracy  the noise is within the radius, with the confidence
 * Reference   spec/floating-body.md 8
 */
#ifndef SC_MECHANISM_BODY_DEPTH_H
#define SC_MECHANISM_BODY_DEPTH_H

#include "model/mechanism.h"

extern const sc_mechanism sc_body_depth_mechanism;

#endif
