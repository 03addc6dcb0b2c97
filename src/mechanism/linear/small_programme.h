/* Small tables: all of them in order, their number by the answers that they give, and a draw among
 * them. First, all tables of m rows over N bins, one after the other: multisets, as counts of the
 * bins.
 *
 * In colexicographic order, from (m, 0, ..., 0) to (0, ..., 0, m): C(N + m - 1, m) of them.
 *
 * Claim  small-tables.all  each table comes exactly once
 */
#ifndef SC_MECHANISM_LINEAR_SMALL_PROGRAMME_H
#define SC_MECHANISM_LINEAR_SMALL_PROGRAMME_H

#include "base/number/ball.h"
#include "base/number/ratio.h"
#include "mechanism/linear/linear_matrix.h"
#include "random/bits.h"
#include "sampling/gap_weights.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* C(bins + rows - 1, rows); bins >= 1. */
void sc_small_tables_count(uint64_t bins, uint64_t rows, sc_integer *out);
/* The first table, and the next one; false, with the table untouched, behind the last. */
void sc_small_tables_first(int64_t *table, size_t bins, int64_t rows);
bool sc_small_tables_next(int64_t *table, size_t bins);

/* How many tables of m rows over N bins answer the queries alike: a dynamic programme, one bin after the other.
 *
 * A state is the rows that are used and the sum of each query, in steps. With the counts of all states a class of
 * tables, those of the same sums, is chosen by its weight, and one table of it with equal probability for each, by
 * walking from the last bin to the first. Counts are whole numbers of any size. All of it is public; only scores are not.
 *
 * Claim  small-programme.counts  a final state counts the tables with its sums
 * Claim  small-programme.exact   a table is drawn with probability proportional to exp(rate score)
 *
 * How a class is chosen. Let U be a uniform real of which more and more binary digits are drawn, and W the sum of all
 * weights count exp(-rate gap) as balls: the class is the one whose part of [0, W) holds U W, as soon as the balls
 * leave no doubt. Nothing is rounded, and a class that is much lighter than all of them together costs no more turns.
 */

/* States times bins, and the words of all counts. */
#define SC_SMALL_PROGRAMME_STATES ((uint64_t)1 << 24)
#define SC_SMALL_PROGRAMME_WORDS ((uint64_t)1 << 26)

typedef struct sc_small_programme {
    const sc_linear_matrix *matrix;
    size_t rows;
    size_t classes; /* sums of the queries, reached or not; states = (rows + 1) classes */
    size_t words;   /* of a count */
    uint64_t *counts; /* of bin, rows used, class */
    size_t *shifts;   /* what a row of a bin adds to the class */
    size_t *sizes;    /* how many sums a query may have */
} sc_small_programme;

/* Whether it keeps the limits: a function of the parameters. */
bool sc_small_programme_fits(const sc_linear_matrix *matrix, uint64_t rows);

/* matrix stays the caller's, and is kept. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_small_programme_new(const sc_linear_matrix *matrix,
                                                   uint64_t rows, sc_small_programme *out,
                                                   scrim_error *error);
void sc_small_programme_free(sc_small_programme *programme);

/* How many tables of a class there are, and the sum of a query in it. */
void sc_small_programme_count(const sc_small_programme *programme, size_t class,
                              sc_integer *out);
int64_t sc_small_programme_sum(const sc_small_programme *programme, size_t query,
                               size_t class);

/* scores: one of each class, above -2^62 and at most 0; of one without tables it is not read. */
SCRIM_MUST_USE scrim_status sc_small_programme_draw(const sc_small_programme *programme,
                                                    const sc_ratio *rate,
                                                    const int64_t *scores, sc_bits *bits,
                                                    int64_t *table, scrim_error *error);

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
