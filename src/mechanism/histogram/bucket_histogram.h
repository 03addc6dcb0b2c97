/* BucketHist: a histogram of rows in public buckets that only ever loses elements.
 *
 * Input       rows of numbers, each dimensions long and with labelled=yes a label behind them
 *             (above 0 is +1, else -1). A number is put into its bucket exactly (buckets.h), by up
 *             to 1,300 of its digits; outside of [lower, upper) it is clamped to the end bucket, or
 *             with outside=discard the row is left out, as it is with what is no number. Integers
 *             are indices of buckets. A unit owns one row, or at most group=N of them
 * Output      the bars that are shown, in the order of their places: of each bucket that is not
 *             empty max(0, x + Z), Z the noise of stlap.h with a public q
 * Neighbours  as of stlap.h: add-remove, or replace
 * Claim       bucket-histogram.privacy   what stlap.h claims of the counts: which bucket a row is
 *                             in depends on that row alone, so that neighbours have neighbouring
 *                             counts
 * Claim       bucket-histogram.accuracy  nobody is invented: x - q <= y <= x in each bucket, and no
 *                             number is further than beta from the centre of its bucket. As
 *                             flexible accuracy, of the identity: q t elements left out at most,
 *                             within beta, always; their share of the data is private, as is the
 *                             size
 * Claim       bucket-histogram.alpha     with alpha and elements in place of q, q is the largest such
 *                             that no more than alpha of this number of elements is left out
 * Claim       bucket-histogram.order     the answer does not depend on the order of the rows
 * Claim       bucket-histogram.total     nothing fails by what the rows are
 * Time        mode=sparse (unless given) sorts the rows and draws for buckets that are not empty:
 *             time and random bits tell how many there are, and only what is emitted is protected.
 *             mode=dense draws for each of up to 2^24 buckets
 * Reference   spec/flexible-accuracy.md 9
 */
#ifndef SC_MECHANISM_HISTOGRAM_BUCKET_HISTOGRAM_H
#define SC_MECHANISM_HISTOGRAM_BUCKET_HISTOGRAM_H

#include "mechanism/histogram/buckets.h"
#include "model/measurement.h"
#include "model/mechanism.h"

extern const sc_mechanism sc_bucket_histogram;

/* How many buckets mode=dense may have. */
#define SC_BUCKET_HISTOGRAM_DENSE ((uint64_t)1 << 24)

/* Is it a measurement of this mechanism? */
bool sc_is_bucket_histogram(const scrim_measurement *measurement);
const sc_buckets *sc_bucket_histogram_buckets(const scrim_measurement *measurement);
/* No bucket loses more. */
uint64_t sc_bucket_histogram_q(const scrim_measurement *measurement);

#endif
