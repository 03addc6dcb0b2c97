/* condensed-exponential: another value in place of x, the less likely the farther away.
 *
 * Report   z below `values` with probability w(d(x,z)) / sum over y of w(d(x,y)); d(x,y) = |x-y|, or that of
 *          a table (metric = 1). w(0) = 2^31, w(t) = ceil(w(t-1) b/a): neighbouring weights differ by a
 *          factor of at most a/b
 * Claim    condensed_exponential.privacy  2 d(x,y) ln(a/b) between x and y; between any two the logarithm of
 *                                         w(0)/w(largest distance) times largest sum / smallest sum
 * Time     all weights are made and all places compared; a sum, which depends on x, is drawn below by 8 words,
 *          of which the first that is not rejected counts. With probability below 2^-128 all are, and the
 *          last one counts: the loss, which is rounded up to 2^-32, covers it
 */
#ifndef SL_CONDENSED_ENCODER_H
#define SL_CONDENSED_ENCODER_H

#include "local/encoder/kind.h"

extern const sl_kind sl_condensed;

/* Uniform below size, which is secret, from 1 to 2^48: from 8 words always. */
uint64_t sl_uniform_secret(sl_bits *bits, uint64_t size);

#endif
