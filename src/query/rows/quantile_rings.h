/* Rings about the quantiles that were released: runs of steps, next to each other, that make up the
 * range. How many rows lie in each is drawn with the noise of a count, and says between which rings
 * the true quantile is (quantile_estimate.h).
 *
 * About a quantile q the ends are q and q + 1, and from there as far again each time: 1, 2, 4, 8
 * steps on either side. So a ring is about as wide as it is far away: whatever the spread of the
 * rows is, which nobody has said, some ring has it, and there are few, whose noises add up. Between
 * two quantiles each has the half that is nearer to it. Where there are many quantiles rings grow
 * by a larger factor, so that there are never more than SC_RINGS_MOST.
 *
 * Claim  quantile-rings.whole   rings are not empty, increase, and hold each step of the range once;
 *                               there are never more than was said before anything was drawn
 * Claim  quantile-rings.public  they follow from the range and the released quantiles alone
 */
#ifndef SC_QUERY_QUANTILE_RINGS_H
#define SC_QUERY_QUANTILE_RINGS_H

#include "base/checked.h"

#include <stdbool.h>
#include <stddef.h>

#define SC_RINGS_MOST 1024
/* As many as one measurement has. */
#define SC_RINGS_QUANTILES 64

/* How many there may be: a public number. */
size_t sc_rings_most(int64_t low, int64_t high, size_t quantiles);

/* Returns how many there are; ring i goes from ends[i] to the step before ends[i + 1]. ends has room
 * for one more than there may be. quantiles, at most SC_RINGS_QUANTILES, are in any order. */
size_t sc_rings_of(int64_t low, int64_t high, const sc_int128 *quantiles, size_t count,
                   int64_t *ends);

/* How many of the values, which are in ascending order, lie in each. */
void sc_rings_count(const int64_t *ends, size_t rings, const int64_t *values,
                    uint64_t value_count, sc_int128 *out);

#endif
