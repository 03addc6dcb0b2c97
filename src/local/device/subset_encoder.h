/* Subset selection: a set of exactly d of k values, as a bitmap. Sets that hold the value have weight a,
 * all others weight b.
 *
 *     c = 1 with probability d a / (d a + (k-d) b): the value is in the set
 *     a uniform (d - c)-subset of the k-1 other values: place j of them is taken with probability
 *     (how many are needed) / (how many are left)
 */
#ifndef SL_SUBSET_ENCODER_H
#define SL_SUBSET_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_subset;

#endif
