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
#ifndef SC_MECHANISM_SMALL_PROGRAMME_H
#define SC_MECHANISM_SMALL_PROGRAMME_H

#include "base/number/ball.h"
#include "mechanism/linear/linear_matrix.h"
#include "random/bits.h"

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

#endif
