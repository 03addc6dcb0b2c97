/* The neighbouring tables on which the audit looks at a histogram in buckets: rows of one bucket and
 * group more of them; under replace rows that leave one bucket for another, where there are two. The
 * laws of buckets that do not change say nothing. A pair holds so many values, so that buckets are
 * looked at up to a size of 63 rows at most: at epsilon the empty bucket is the worst already.
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
