/* Answers from a released histogram: the values of MIN, MAX, RANGE, MODE, MAX_K and HISTOGRAM, each with
 * its interval and certificate. They depend on the bars and on public numbers, so they cost nothing.
 *
 * The intervals hold with certainty, for the rows kept after bounding and clamping, since a histogram
 * only ever loses elements: the largest value is not below the bucket of the last bar, and only the
 * range bounds it from above. The certificate says how far that may be: the bars above hold at most q
 * each.
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
 * Without a delta each bucket has Laplace noise, which goes both ways. All of B noises are at most a, the smallest number with
 * P(|Z| > a) <= (1 - confidence)/B, with the probability of the confidence. Then each count less a is what is left
 * of a bucket that has lost 2a elements at most and gained none, and all of the above follows, with q = 2a. Counts of
 * buckets are shown as they were drawn, each with the interval of one noise.
 *
 * Claim  bar-answer.interval  the interval holds the true value of what was kept, always; of buckets
 *                             wider than a step, MAX_K is that of the buckets
 * Claim  bar-answer.noise     of buckets with Laplace noise it does so with the probability of the confidence at least
 * Claim  bar-answer.flexible  the value is within beta of the true one when at most alpha elements
 *                             are left out, and alpha and beta do not depend on the data; where no beta can be
 *                             promised, it says so. SUPPORT and HISTOGRAM name buckets by their
 *                             start, from which beta is the way to the furthest value
 *
 * Reference  spec/flexible-accuracy.md 10
 */
#ifndef SC_QUERY_BAR_ANSWER_H
#define SC_QUERY_BAR_ANSWER_H

#include "base/number/ratio.h"
#include "distance/flexible.h"
#include "mechanism/histogram/bar_statistics.h"
#include "model/measurement.h"
#include "query/estimate/estimate.h"
#include "query/language/extent.h"
#include "query/rows/statistic.h"
#include "sampling/law.h"

/* A bucket and what was released of it: below 0 only with Laplace noise. */
typedef struct sc_drawn_bar {
    uint64_t place;
    int64_t count;
} sc_drawn_bar;

/* The public facts of a histogram: where its buckets lie, and how many elements a bar may lose. */
typedef struct sc_bar_view {
    sc_bar_grid grid;
    uint64_t most; /* elements that a bar may lose: q */
    bool is_noisy; /* noise goes both ways: what follows holds at a confidence */
    uint64_t
        shift; /* then: what a count is lowered by, so that it is not above the true one */
    sc_int128 within;           /* and the half-width of the interval of a count */
    const sc_ratio *confidence; /* and that */
    bool
        is_people; /* each element is another person: of one there is one row in a group */
    bool is_grouped; /* there is one in each group */
} sc_bar_view;

/* How a histogram was drawn. */
typedef struct sc_bar_source {
    int64_t width; /* of buckets */
    const scrim_measurement *measurement;
    const sc_ratio *confidence; /* lives as long as the view */
    uint64_t max_rows;          /* of a unit in a group */
    bool is_grouped;
} sc_bar_source;

/* The view of a statistic that is a histogram. False for another mechanism, or more than SC_BAR_GRID_COUNT buckets. */
bool sc_bar_view_set(const sc_statistics *statistics, size_t statistic,
                     const sc_bar_source *source, sc_bar_view *out);
/* Does it add noise to each bucket, both ways? */
bool sc_bar_is_noisy(const scrim_measurement *measurement);

sc_bar_grid sc_bar_view_grid(const sc_statistics *statistics, size_t statistic,
                             int64_t width);
/* The distribution of Z, where -Z is the number of elements that a bar loses; or that of the noise of each bucket.
 * Initialises law; the caller clears it. */
void sc_bar_view_law(const scrim_measurement *measurement, sc_law *law);

/* The smallest a with P(|Z| > a) <= (1 - confidence)/buckets, by which counts with noise are lowered. False where no such a
 * exists. */
bool sc_bar_noise_radius(const sc_law *law, const sc_ratio *confidence, uint64_t buckets,
                         sc_int128 *out);

/* The default width of buckets, and the predicted error of the last bucket that is shown: both from public
 * numbers alone.
 *
 * The guess is a group whose rows are spread evenly over the range: n of them are in each bucket, and a
 * bucket of n is shown with k or more elements with probability p = P(Z >= k - n), where -Z is the number
 * left out. The last bucket shown is then 1/p - 1 buckets away from the last one, on
 * average, and the value at most radius from what is in it: the error is width (1/p - 1) + radius, and
 * never more than the range.
 *
 * The width is the one of 1, 2, 5, 10, 20, ... steps that has the smallest error for k = 1, the
 * narrowest of equals; where every one is as bad as the whole range, the widest, whose buckets hold
 * most; and where all of these make too many buckets, the least that does not.
 *
 * Every bucket of such a group is shown with that p, so no bucket is shown with probability
 * (1 - p)^buckets.
 *
 * Claim  bar-width.public  a width and an error are the same whenever range, epsilon, q and rows are
 * Claim  bar-width.fits    there are never more buckets than were asked for, and only where each may
 *                          be too narrow for them is there no width
 * Claim  bar-width.best    no other width of that list has a smaller error
 * Claim  bar-width.least-q  of two neighbouring q, the smaller one never has the larger error
 * Claim  bar-width.shown   nothing is said to be shown only where that has a probability of 1/2 or
 *                          more
 */

typedef struct sc_bar_guess {
    const sc_law *law; /* of what is left out: sc_shifted_laplace_law; or of noise */
    const sc_ratio *rows;
    uint64_t k; /* a bucket counts if it holds k; 1 but for MAX_K */
    const sc_ratio *
        confidence; /* of noise, by which counts are lowered as above; NULL: some are left out */
} sc_bar_guess;

/* In steps, rounded up to three digits. */
void sc_bar_error(const sc_bar_grid *grid, const sc_bar_guess *guess, sc_ratio *out);
/* How many rows a bucket holds, rounded down. */
sc_int128 sc_bar_rows(const sc_bar_grid *grid, const sc_ratio *rows);
/* Is the probability that no bucket is shown with k at least 1/2? */
bool sc_bar_shows_nothing(const sc_bar_grid *grid, const sc_bar_guess *guess);
/* The width for at most `most` buckets; 0 if they had to be wider than SC_BAR_GRID_WIDTH, which cannot
 * happen for 5 or more. */
int64_t sc_bar_width_choose(int64_t low, int64_t high, uint64_t most,
                            const sc_bar_guess *guess);

/* Answers. */

/* Which end of the values is found. */
typedef enum sc_bar_side {
    SC_BAR_NEITHER = 1, /* any: the interval is the range */
    SC_BAR_LOWER,
    SC_BAR_UPPER,
    SC_BAR_EACH, /* it gives a row a bucket */
    SC_BAR_BOTH /* the value is from the one to the other; the place is the upper one's */
} sc_bar_side;

/* How an aggregate is read from a histogram. */
typedef struct sc_bar_rule {
    sc_bar_side side;
    const char *metric; /* of the certificate */
    /* Finds the place; NULL for an aggregate that gives a row a bucket. */
    scrim_status (*find)(const sc_query_aggregate *aggregate, const sc_bars *bars,
                         sc_exact_finding *out, scrim_error *error);
    /* Appends the promise that only this aggregate's certificate makes. */
    void (*promise)(const sc_query_aggregate *aggregate, const sc_bar_view *view,
                    sc_text_sink *sink);
} sc_bar_rule;

/* For promises. "27 people", "1 person". */
void sc_bar_put_elements(sc_text_sink *sink, const sc_bar_view *view, uint64_t count);
/* "the value is the true maximum of the rest", or how far from it. */
void sc_bar_put_near(sc_text_sink *sink, const sc_query_aggregate *aggregate,
                     const sc_bar_view *view, const char *what);

/* The estimate of an aggregate that gives one value, from the drawn bars in increasing order. is_empty:
 * there is no value, and out->value is 0. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_bar_estimate(const sc_query_aggregate *aggregate,
                                            const sc_bar_view *view,
                                            const sc_drawn_bar *bars, size_t bar_count,
                                            sc_estimate *out, bool *is_empty,
                                            scrim_error *error);
/* Has it a row in an answer that gives a row a bucket? Counts with noise are all shown; a bucket is said to hold something only
 * where noise is no excuse. */
bool sc_bar_is_shown(const sc_query_aggregate *aggregate, const sc_bar_view *view,
                     const sc_drawn_bar *bar);
/* Can they have been drawn so? Counts are above 0; with noise all buckets are there. */
bool sc_bar_is_possible(const sc_bar_view *view, const sc_drawn_bar *bars,
                        size_t bar_count);
/* The count of one bar of a HISTOGRAM. */
void sc_bar_count_estimate(const sc_bar_view *view, const sc_drawn_bar *bar,
                           sc_estimate *out);
/* The bucket of a place, by the multiple of the width that it begins at, in the unit of the column. */
void sc_bar_bucket(const sc_query_aggregate *aggregate, const sc_bar_view *view,
                   uint64_t place, sc_ratio *out);

/* Digits behind the point of its values. */
unsigned sc_bar_digits(const sc_query_aggregate *aggregate);

/* out is initialised. */
void sc_bar_flexible(const sc_query_aggregate *aggregate, const sc_bar_view *view,
                     sc_flexible_claim *out);
/* The same, and the line of sc_bar_flexible, in the arena; NULL without memory. Counts with noise have no such line: "". */
const char *sc_bar_certificate(const sc_query_aggregate *aggregate,
                               const sc_bar_view *view, sc_arena *arena);
const char *sc_bar_flexible_text(const sc_query_aggregate *aggregate,
                                 const sc_bar_view *view, sc_arena *arena);
/* The certificate in short: "may ignore up to 31 people of each bucket, 775 in all", and how a row is named; "": nothing.
 * NULL without memory. */
const char *sc_bar_short_text(const sc_query_aggregate *aggregate,
                              const sc_bar_view *view, sc_arena *arena);

#endif
