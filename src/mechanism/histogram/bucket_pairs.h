/* The neighbouring tables on which the audit looks at a histogram in buckets: rows of one bucket
 * and group more of them; under replace rows that leave one bucket for another. The laws of buckets
 * that do not change say nothing.
 *
 * What is reached at epsilon, of P(Z > -group) = d:
 *
 *     add-remove              d, which is claimed: the empty bucket is the worst already
 *     replace, two buckets    1 - (1 - d)^2, which is claimed, by q + 1 rows: of them q + 1 - group
 *                             stay in the bucket that gets the others, whose lowest answers go, and
 *                             the bucket that they leave is empty then. A table of a pair has room
 *                             for 64 values; where q + 1 rows are more, d is reached, one side of
 *                             the two
 *     replace, one bucket     d: rows can only become such as are left out (-1), so that there is one
 *                             side, and no pair has more than the half of what is claimed, about
 */
#ifndef SC_MECHANISM_HISTOGRAM_BUCKET_PAIRS_H
#define SC_MECHANISM_HISTOGRAM_BUCKET_PAIRS_H

#include "mechanism/histogram/buckets.h"
#include "model/mechanism.h"

typedef struct sc_bucket_family {
    const sc_buckets *buckets;
    uint64_t q, group;
    bool is_replace;
} sc_bucket_family;

/* 0 where a unit's rows do not fit a pair. */
size_t sc_bucket_pair_count(const sc_bucket_family *family);
void sc_bucket_pair(const sc_bucket_family *family, size_t index, sc_pair *out);

#endif
