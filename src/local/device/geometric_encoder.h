/* condensed-geometric and laplace-mean: a number x from 0 to m = values - 1 with two-sided geometric noise.
 *
 * Report      clamp(x + z, -width, m + width) + width; width = 0 for condensed-geometric. P(z) is
 *             proportional to (b/a)^|z|
 * Claim       condensed_geometric.privacy  |x-y| ln(a/b) between x and y; m ln(a/b) between any two
 * Claim       laplace_mean.privacy         m ln(a/b)
 * Time        as many coins as could matter, whatever the noise: m + width
 */
#ifndef SL_GEOMETRIC_ENCODER_H
#define SL_GEOMETRIC_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_geometric, sl_laplace;

#endif
