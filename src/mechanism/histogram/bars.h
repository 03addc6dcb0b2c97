/* A released histogram: which places are shown, and how many elements each is shown to hold.
 *
 * It came from a histogram x of data by leaving out: 0 <= x(g) - y(g) <= q for each place g, for a
 * public q, on every run. So nobody in y is invented, and what is missing is bounded. That is all
 * that the statistics of extremes.h, bar_quantile.h, mode.h and separator.h use; they are functions
 * of y and of public numbers, and cost nothing.
 *
 * Claim  bars.order  the bars are those of the counts above 0, in the order of their places,
 *                    whatever the order that they were given in
 *
 * Reference  spec/flexible-accuracy.md 1, 5.4, 10
 */
#ifndef SC_MECHANISM_HISTOGRAM_BARS_H
#define SC_MECHANISM_HISTOGRAM_BARS_H

#include "distance/flexible.h"
#include "mechanism/histogram/buckets.h"

/* Counts and sums of counts end here: a fixed rule, and no error that depends on data. */
#define SC_BARS_COUNT_MAX ((uint64_t)1 << 62)
/* q is at most so much. */
#define SC_BARS_Q_MAX ((uint64_t)INT32_MAX)

typedef struct sc_bar {
    uint64_t place, count;
} sc_bar;

/* Public facts. */
typedef struct sc_bars_facts {
    const sc_buckets *buckets; /* outlive the bars */
    uint64_t q;                /* left out of a bar, at most; 0 for an exact histogram */
    uint64_t bars_max; /* places of x that are not empty, at most; 0: that is not known */
    bool has_size;     /* the size of x is public */
    uint64_t size;
} sc_bars_facts;

typedef struct sc_bars {
    const sc_buckets *buckets;
    uint64_t q, bars_max;
    bool has_size;
    uint64_t size;
    sc_bar *bars; /* by place, counts above 0 */
    size_t count;
    uint64_t total; /* of the counts */
} sc_bars;

/* bars may be in any order and hold zeros. SCRIM_E_PARAM for a place that is none or that occurs
 * twice, SCRIM_E_LIMIT for a q beyond its bound, SCRIM_E_MEMORY; then out is untouched, else the
 * caller clears it. */
SCRIM_MUST_USE scrim_status sc_bars_init(sc_bars *out, const sc_bars_facts *facts,
                                         const sc_bar *bars, size_t count,
                                         scrim_error *error);
void sc_bars_clear(sc_bars *bars);

/* What is shown of a place; 0 where nothing is. */
uint64_t sc_bars_at(const sc_bars *bars, uint64_t place);
/* q times so many places, or times the number of those that can hold anything beside shown ones
 * that are known to lie elsewhere, if that is less. */
sc_uint128 sc_bars_left_out_upper(const sc_bars *bars, uint64_t places, size_t elsewhere);

/* The certificate of the histogram itself: what was left out, as a share where the size is public,
 * else as a number of elements, and how far each element moved. out is initialised. */
void sc_bars_flexible(const sc_bars *bars, sc_flexible_claim *out);
/* Elements of x that were left out, at most. */
sc_uint128 sc_bars_dropped_upper(const sc_bars *bars);

/* Adds a count to a sum; both end at SC_BARS_COUNT_MAX. */
uint64_t sc_bars_add(uint64_t sum, uint64_t count);

#endif
