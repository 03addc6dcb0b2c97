/* The numbers below n, prepared to be read from strings of bits.
 *
 * The reference (spec/mechanisms.md 1.2) cuts its bits into chunks as wide as n - 1 and
 * takes the first that is below n. Where many are not, that is a coin flip to the
 * processor too; so there all chunks of a string are compared at once: n - 1 and a bit
 * above it, the guard, less the chunk leaves the guard if the chunk is below n. The bit
 * above a chunk is the first of the next, and so every other chunk is done in one
 * subtraction, and the rest in a second.
 *
 * Claim  range.same  the ends of the chunks that are below n, and no other bits, are set
 */
#ifndef SC_SAMPLING_RANGE_H
#define SC_SAMPLING_RANGE_H

#include "random/bits_ahead.h"

typedef struct sc_range {
    uint64_t n;           /* 1 to 2^55 */
    uint64_t mask;        /* of a chunk */
    unsigned width, span; /* bits of a chunk, and of the whole chunks of a string */
    bool is_sparse;       /* many chunks are refused, and a string has several */
    uint64_t chunks[2], tops[2],
        guards[2]; /* of chunks 0, 2, .. and of chunks 1, 3, .. */
} sc_range;

void sc_range_init(sc_range *range, uint64_t n);

/* Bit e is set where a whole chunk that is below n ends before it. Not for n = 1. */
static inline uint64_t sc_range_ends(const sc_range *range, uint64_t string)
{
    return ((range->tops[0] - (string & range->chunks[0])) & range->guards[0]) |
           ((range->tops[1] - (string & range->chunks[1])) & range->guards[1]);
}

/* The chunk that ends before bit end. */
static inline uint64_t sc_range_chunk(const sc_range *range, uint64_t string,
                                      unsigned end)
{
    return string >> (end - range->width) & range->mask;
}

#endif
