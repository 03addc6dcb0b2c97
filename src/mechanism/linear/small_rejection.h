/* A table of m rows over N bins by rejection: one with equal probability for each, kept with probability
 * exp(rate score).
 *
 * A table is m chosen places among N + m - 1: what lies before the first place that is not chosen is the rows of the
 * first bin, and so on. No memory, and no look at the best score; so the turns that it takes follow from the scores,
 * and the caller bounds what is expected of them by the parameters.
 *
 * Claim  small-rejection.uniform  each table has the same probability before it is kept
 * Claim  small-rejection.exact    a table is drawn with probability proportional to exp(rate score)
 */
#ifndef SC_MECHANISM_SMALL_REJECTION_H
#define SC_MECHANISM_SMALL_REJECTION_H

#include "sampling/gap_weights.h"

#include <stddef.h>

/* More turns than this are not drawn by chance where 2^32 are expected: exp(-8192). */
#define SC_SMALL_REJECTION_TURNS ((uint64_t)1 << 45)

typedef struct sc_small_rejection {
    const sc_gap_weights *weights;                               /* of the rate */
    int64_t (*score)(const void *context, const int64_t *table); /* at most 0 */
    const void *context;
    size_t bins;
    uint64_t rows;
} sc_small_rejection;

/* Each table with the same probability. */
SCRIM_MUST_USE scrim_status sc_small_rejection_uniform(size_t bins, uint64_t rows,
                                                       sc_bits *bits, int64_t *table,
                                                       scrim_error *error);
SCRIM_MUST_USE scrim_status sc_small_rejection_draw(const sc_small_rejection *how,
                                                    sc_bits *bits, int64_t *table,
                                                    scrim_error *error);

#endif
