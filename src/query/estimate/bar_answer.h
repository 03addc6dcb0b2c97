/* What is shown of a released histogram: the values of MIN, MAX, RANGE, MODE, MAX_K and HISTOGRAM
 * with the interval and the certificate that each has. A function of the bars and of public numbers,
 * so that it costs nothing.
 *
 * The intervals hold with certainty, for what was kept after bounding and clamping, since a histogram
 * only ever loses elements: the largest value is not below the bucket of the last bar, and nothing
 * but the range bounds it from above. How far that may be is what the certificate says: the bars
 * above hold q each at most.
 *
 *     MIN      [lower end of the range, last value of the first bucket]
 *     MAX      [first value of the last bucket, upper end of the range]
 *     RANGE    [what is between the two, the whole range]
 *     MAX_K    as MAX, of the last bucket with k; of a bucket that holds k
 *     MODE     the whole range
 *     counts   [count, count + q]
 *
 * Where no bar is shown, or none with k, there is no value, and the interval is the range.
 *
 * Claim  bar-answer.interval  the interval holds the true value of what was kept, always; of buckets
 *                             wider than a step, MAX_K is that of the buckets
 * Claim  bar-answer.flexible  the value is within beta of the true one when at most alpha elements
 *                             are left out, none of which depends on the data; where no beta can be
 *                             promised, it says so. SUPPORT and HISTOGRAM name buckets by their
 *                             start, from which beta is the way to the furthest value
 *
 * Reference  spec/flexible-accuracy.md 10
 */
#ifndef SC_QUERY_BAR_ANSWER_H
#define SC_QUERY_BAR_ANSWER_H

#include "distance/flexible.h"
#include "mechanism/histogram/finding.h"
#include "query/estimate/bar_view.h"
#include "query/estimate/estimate.h"

/* Which end of the values the place that is found is. The interval reaches from its bucket to the other
 * end of the range. */
typedef enum sc_bar_side {
    SC_BAR_NEITHER = 1, /* any: the interval is the range */
    SC_BAR_LOWER,
    SC_BAR_UPPER,
    SC_BAR_EACH, /* it gives a row a bucket */
    SC_BAR_BOTH /* the value is from the one to the other; the place is the upper one's */
} sc_bar_side;

/* What an aggregate is of a histogram. */
typedef struct sc_bar_rule {
    sc_bar_side side;
    const char *metric; /* of the certificate */
    /* Finds the place; NULL for what gives a row a bucket. */
    scrim_status (*find)(const sc_query_aggregate *aggregate, const sc_bars *bars,
                         sc_exact_finding *out, scrim_error *error);
    /* Says what the certificate promises beyond what all promise. */
    void (*promise)(const sc_query_aggregate *aggregate, const sc_bar_view *view,
                    sc_text_sink *sink);
} sc_bar_rule;

/* For promises. "27 people"; of one, "1 person". */
void sc_bar_put_elements(sc_text_sink *sink, const sc_bar_view *view, uint64_t count);
/* "the value is the true maximum of the rest", or how far from it. */
void sc_bar_put_near(sc_text_sink *sink, const sc_query_aggregate *aggregate,
                     const sc_bar_view *view, const char *what);

/* Of an aggregate that gives one value, from the bars that are shown, in increasing order. is_empty: there is none; out->value is then 0.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_bar_estimate(const sc_query_aggregate *aggregate,
                                            const sc_bar_view *view, const sc_bar *bars,
                                            size_t bar_count, sc_estimate *out,
                                            bool *is_empty, scrim_error *error);
/* Of one bar of a HISTOGRAM. */
void sc_bar_count_estimate(const sc_bar_view *view, const sc_bar *bar, sc_estimate *out);
/* The bucket of a bar, by the multiple of the width that it begins at, in the unit of the column. */
void sc_bar_bucket(const sc_query_aggregate *aggregate, const sc_bar_view *view,
                   const sc_bar *bar, sc_ratio *out);

/* Digits behind the point of its values. */
unsigned sc_bar_digits(const sc_query_aggregate *aggregate);

/* out is initialised. */
void sc_bar_flexible(const sc_query_aggregate *aggregate, const sc_bar_view *view,
                     sc_flexible_claim *out);
/* The same, and the line of sc_bar_flexible, in the arena; NULL without memory. */
const char *sc_bar_certificate(const sc_query_aggregate *aggregate,
                               const sc_bar_view *view, sc_arena *arena);
const char *sc_bar_flexible_text(const sc_query_aggregate *aggregate,
                                 const sc_bar_view *view, sc_arena *arena);

#endif
