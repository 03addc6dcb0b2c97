/* Buckets: a public box cut into equal half-open cells, exactly.
 *
 * Each of d axes goes from lower to upper and has T cells of width w = (upper - lower)/T, where T
 * is the least number for which no point of a cell is further than beta from its centre in the
 * norm that was asked for. Cells tile the box, the last one as well; all of it is rational
 * arithmetic, so that a number on an edge belongs to the cell that begins there and never to its
 * neighbour. The place of a cell is i_1 T^(d-1) + ... + i_d, from 0 to T^d - 1: for one axis, the
 * order of the numbers. Points with a label, -1 or +1, are never near points of the other: the
 * places of +1 follow those of -1.
 *
 * Which cell a record falls in depends on that record and on public parameters alone, so
 * neighbouring data have neighbouring histograms.
 *
 * Claim  buckets.tile     centres lie inside the box, cells are disjoint and cover it, and any
 *                         point of the box is at most beta from the centre of its cell
 * Claim  buckets.exact    the cell of a number is floor((v - lower) T / (upper - lower)), brought
 *                         into 0..T-1, whatever the number
 *
 * Reference  spec/flexible-accuracy.md 9
 */
#ifndef SC_MECHANISM_HISTOGRAM_BUCKETS_H
#define SC_MECHANISM_HISTOGRAM_BUCKETS_H

#include "base/number/ratio.h"
#include "distance/flexible.h"

#define SC_BUCKETS_DIMENSIONS 64
#define SC_BUCKETS_BITS 62 /* there are at most 2^62 cells */

typedef enum sc_bucket_norm {
    SC_BUCKET_NORM_L1,
    SC_BUCKET_NORM_L2,
    SC_BUCKET_NORM_MAX /* the largest coordinate */
} sc_bucket_norm;

typedef struct sc_buckets {
    sc_ratio lower, upper; /* of every axis */
    sc_ratio width;        /* of a cell; between points, their distance */
    sc_ratio error; /* how far a number is from its centre, at most: 0 for points */
    size_t dimensions;
    sc_bucket_norm norm;
    uint64_t per_axis; /* T */
    uint64_t count;    /* T^d; of labelled points, 2 T^d */
    bool is_points;    /* places are single numbers, not cells */
    bool is_labelled;  /* each point has a label, -1 or +1, and its label's own cells */
} sc_buckets;

/* The parameters of sc_buckets_init. */
typedef struct sc_buckets_question {
    const sc_ratio *lower; /* NULL: 0 */
    const sc_ratio *upper;
    const sc_ratio *beta;
    size_t dimensions;
    sc_bucket_norm norm;
    bool is_labelled;
} sc_buckets_question;

/* SCRIM_E_PARAM when upper is not above lower, beta not above 0, or there is no axis;
 * SCRIM_E_LIMIT above SC_BUCKETS_DIMENSIONS axes, 2^62 cells, or SC_RATIO_BITS of a number. Then
 * buckets are untouched; else the caller clears them. */
SCRIM_MUST_USE scrim_status sc_buckets_init(sc_buckets *buckets,
                                            const sc_buckets_question *question,
                                            scrim_error *error);
/* Numbers that need no bucket: lower, lower + step, ..., `count` of them, each a place of its own. The
 * cell of a number between two of them is the lower one. */
SCRIM_MUST_USE scrim_status sc_buckets_init_points(sc_buckets *buckets,
                                                   const sc_ratio *lower,
                                                   const sc_ratio *step, uint64_t count,
                                                   scrim_error *error);
void sc_buckets_clear(sc_buckets *buckets);

/* The index on one axis of a number; what lies outside belongs to the cell at that end. */
uint64_t sc_buckets_index(const sc_buckets *buckets, const sc_ratio *value);
/* lower <= value < upper? For callers that discard values outside; with points, the last one is inside. */
bool sc_buckets_is_inside(const sc_buckets *buckets, const sc_ratio *value);
/* The place of a point from its index on each axis; has_plus: the label is +1. */
uint64_t sc_buckets_place(const sc_buckets *buckets, const uint64_t *indices,
                          bool has_plus);
/* Is the label of a place +1? */
bool sc_buckets_has_plus(const sc_buckets *buckets, uint64_t place);
/* The index on an axis, from 0 on, of a place. */
uint64_t sc_buckets_axis(const sc_buckets *buckets, uint64_t place, size_t axis);
/* The centre of a cell on one axis, and where the cell begins. */
void sc_buckets_centre(const sc_buckets *buckets, uint64_t index, sc_ratio *out);
void sc_buckets_edge(const sc_buckets *buckets, uint64_t index, sc_ratio *out);

/* A released histogram: which places are shown, and how many elements each is shown to hold.
 *
 * It came from a histogram x of data by leaving out: 0 <= x(g) - y(g) <= q for each place g, for a
 * public q, on every run. So nobody in y is invented, and what is missing is bounded. That is all
 * that the statistics of bar_statistics.h, bar_statistics.h, bar_statistics.h and separator.h use; they are functions
 * of y and of public numbers, and cost nothing.
 *
 * Claim  bars.order  the bars are those of the counts above 0, in the order of their places,
 *                    whatever the order that they were given in
 *
 * Reference  spec/flexible-accuracy.md 1, 5.4, 10
 */

/* Counts and sums of counts end here: a fixed rule, and no error that depends on data. */
#define SC_BARS_COUNT_MAX ((uint64_t)1 << 62)
/* The largest q. */
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

/* bars may be in any order and hold zeros. SCRIM_E_PARAM for a place that does not exist or occurs
 * twice, SCRIM_E_LIMIT for a q beyond its bound, SCRIM_E_MEMORY; then out is untouched, else the
 * caller clears it. */
SCRIM_MUST_USE scrim_status sc_bars_init(sc_bars *out, const sc_bars_facts *facts,
                                         const sc_bar *bars, size_t count,
                                         scrim_error *error);
void sc_bars_clear(sc_bars *bars);

/* The bar that is shown at a place; 0 if none is. */
uint64_t sc_bars_at(const sc_bars *bars, uint64_t place);
/* q times the number of places, or times the number of those that can hold anything beside shown ones
 * that are known to lie elsewhere, if that is less. */
sc_uint128 sc_bars_left_out_upper(const sc_bars *bars, uint64_t places, size_t elsewhere);

/* The certificate of the histogram itself: what was left out, as a share where the size is public,
 * else as a number of elements, and how far each element moved. out is initialised. */
void sc_bars_flexible(const sc_bars *bars, sc_flexible_claim *out);
/* Elements of x that were left out, at most. */
sc_uint128 sc_bars_dropped_upper(const sc_bars *bars);

/* Adds a count to a sum; both end at SC_BARS_COUNT_MAX. */
uint64_t sc_bars_add(uint64_t sum, uint64_t count);

/* The de-biased view of a released histogram: y + q/2 on the bars that are shown.
 *
 * Released bars lie q/2 below the truth on average. This view does not, where bars are high;
 * but it may show more than there is, so that neither the one-sided statements above nor the
 * statistics that use them hold for it. It is asked for by this name, and nothing else uses
 * it.
 *
 * Claim  debias.mean  the mean of the view of a bar of x elements is x where x > q, and else within
 *                     q/2 times the probability that the bar is not shown
 *
 * Reference  spec/flexible-accuracy.md 10
 */

/* The view of a place; 0 if no bar is shown. */
void sc_bars_debiased(const sc_bars *bars, uint64_t place, sc_ratio *out);

#endif
