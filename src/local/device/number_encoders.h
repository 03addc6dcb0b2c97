/* Encoders of a number, for its mean or its distribution, and of a value in a metric. */
#ifndef SL_NUMBER_ENCODERS_H
#define SL_NUMBER_ENCODERS_H

#include "local/device/kind.h"

/* one-bit-mean and rounded-bit-mean: one bit about a number x from 0 to m = values - 1.
 *
 * one-bit-mean      1 with probability (b m + x (a-b)) / ((a+b) m), afresh each time: loss ln(a/b)
 * rounded-bit-mean  once a device: an offset alpha uniform below m, and two answers, 1 with probability
 *                   b/(a+b) and a/(a+b). The second answers for x + alpha >= m, which has probability x/m,
 *                   the first otherwise. Each report is flipped with probability flip/2^32, afresh.
 * Claim             one_bit_mean.privacy      ln(a/b)
 * Claim             rounded_bit_mean.privacy  flip = 0: ln(a/b) for all reports of a constant number.
 *                                             flip > 0: ln((2^32-flip)/flip) for each report, whatever the
 *                                             numbers; with a fresh offset each period (epoch = 1),
 *                                             ln(u/(1-u)), u = (a (2^32-flip) + b flip) / ((a+b) 2^32)
 *
 * A finer grid of offsets, with an answer for each of its s + 1 points, is not offered. A report is 1 with
 * the same probability whatever s, since that is linear in x: no estimate of a period gets better, and a
 * number that changes is seen to cross s places in place of one.
 */

extern const sl_kind sl_one_bit, sl_rounded_bit;

/* Square wave on an integer grid (Li and others 2020): outputs 0 to m+2w-1 of a value below m; those from
 * x to x+2w have weight a, all others weight b.
 *
 *     u = uniform((2w+1) a + (m-1) b);  u < (2w+1) a: x + u div a
 *     else r = (u - (2w+1) a) div b, and 2w+1 more from x on
 */

extern const sl_kind sl_square_wave;

/* condensed-geometric and laplace-mean: a number x from 0 to m = values - 1 with two-sided geometric noise.
 *
 * Report      clamp(x + z, -width, m + width) + width; width = 0 for condensed-geometric. P(z) is
 *             proportional to (b/a)^|z|
 * Claim       condensed_geometric.privacy  |x-y| ln(a/b) between x and y; m ln(a/b) between any two
 * Claim       laplace_mean.privacy         m ln(a/b)
 * Time        as many coins as could matter, whatever the noise: m + width
 */

extern const sl_kind sl_geometric, sl_laplace;

/* The table of distances of condensed-exponential. */

#define SL_METRIC_VALUES 256

/* The distance of two values by the table; both are public. */
uint32_t sl_metric_distance(const scrim_local_config *config, uint32_t x, uint32_t y);
/* The largest. */
uint32_t sl_metric_diameter(const scrim_local_config *config);

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

extern const sl_kind sl_condensed;

/* Uniform below size, which is secret, from 1 to 2^48: from 8 words always. */
uint64_t sl_uniform_secret(sl_bits *bits, uint64_t size);

#endif
