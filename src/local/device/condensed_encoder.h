/* condensed-exponential: another value in place of x, the less likely the farther away.
 *
 * Report   z below `values` with probability w(d(x,z)) / sum over y of w(d(x,y)); d(x,y) = |x-y|, or that of
 *          a table (metric = 1). w(0) = 2^31, w(t) = ceil(w(t-1) b/a): neighbouring weights differ by a
 *          factor of at most a/b
 * Claim    condensed_exponential.privacy  2 d(x,y) ln(a/b) between x and y; between any two the logarithm of
 *                                         w(0)/w(largest distance) times (largest sum + 1) / smallest sum
 * Time     all weights are made and all places compared. A sum S, which depends on x, is drawn below by 8
 *          words, of which the first that is not rejected counts; if all are, the last one counts.
 * Proof    a word is rejected with probability r < S/2^64 <= 2^-16, and of the rejected ones at most one
 *          leads to each number below S. So each has a probability between (1 - r^8)/S and
 *          (1 - r^8 + r^7 S/2^64)/S: of two values' reports the ratio is that of the weights and sums times at
 *          most (1 + 2^-128)/(1 - 2^-128). The 1 in the sum, of at most 2^47, is a factor of 1 + 2^-47. In 2 d(x,y)
 *          ln(a/b) there is as much room: x itself weighs more for x than for y.
 */
#ifndef SL_CONDENSED_ENCODER_H
#define SL_CONDENSED_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_condensed;

/* Uniform below size, which is secret, from 1 to 2^48: from 8 words always. */
uint64_t sl_uniform_secret(sl_bits *bits, uint64_t size);

#endif
