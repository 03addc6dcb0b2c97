/* A symmetric law written out: its probabilities and tails at consecutive integers, each from
 * its neighbour, which takes a multiplication where a law asked number by number takes
 * exponentials and theta sums. */
#ifndef SC_MECHANISM_SPARSE_SPARSE_LAW_H
#define SC_MECHANISM_SPARSE_SPARSE_LAW_H

#include "mechanism/sparse/sparse_run.h"
#include "sampling/law.h"

/* Precision that the recurrences may lose over 2^20 steps. */
#define SC_SEQUENCE_GUARD 64

/* sum + [0, x]: a rest that is known to be at most x joins a sum. */
void sc_ball_add_rest(sc_ball *sum, const sc_ball *x, long bits);

/* out[k] = P(X = k), k = 0 .. count - 1. */
void sc_law_pmf_sequence(const sc_law *law, size_t count, long bits, sc_ball *out);
/* out[m - 1] = P(X >= m), m = 1 .. count, each accurate relative to itself. False without
 * memory. */
bool sc_law_tail_sequence(const sc_law *law, size_t count, long bits, sc_ball *out);

/* A threshold with noise against queries with noise, as tables of balls: how likely each value of
 * the threshold's noise is, and how likely the query's noise is to reach a number. */

/* Both laws are symmetric about 0. */
typedef struct sc_crossing {
    const sc_law *query;
    long bits;
    int64_t reach;      /* Z: the threshold's noise is summed from -Z to Z */
    sc_ball *threshold; /* P(noise = z), z = 0 .. Z */
    sc_ball outside;    /* P(noise > Z) */
    uint64_t tail_count;
    sc_ball *tail; /* P(query noise >= m), m = 1 .. tail_count */
} sc_crossing;

/* Z is the least for which what lies outside weighs some 2^-bits. The tail is tabulated up to
 * farthest, or as far as is reasonable. SCRIM_E_LIMIT when Z is too large for a sum. */
SCRIM_MUST_USE scrim_status sc_crossing_init(sc_crossing *crossing,
                                             const sc_law *threshold, const sc_law *query,
                                             uint64_t farthest, long bits,
                                             scrim_error *error);
void sc_crossing_clear(sc_crossing *crossing);

/* P(query noise >= k) and P(query noise < k), each accurate relative to itself. */
void sc_crossing_above(const sc_crossing *crossing, sc_int128 k, sc_ball *out);
void sc_crossing_below(const sc_crossing *crossing, sc_int128 k, sc_ball *out);

/* The exact law of a sparse vector run on given queries: a probability for each pattern of
 * answers.
 *
 * Given the threshold the queries are independent, so a pattern's probability is a sum over
 * thresholds of a product over queries. The sum is taken over |noise| <= Z, Z so large that what
 * is left out weighs less than 2^-bits, and the rest is enclosed: where the threshold is far
 * below, no query is less likely to be below than at -Z; where it is far above, none is less
 * likely to be above than at Z.
 *
 * An outcome's key is two integers, the number of answers and the pattern (bit i is 1 where
 * query i was above). A numeric run has one more for each answer above, in their order: the value,
 * clamped to [lower, upper], or 0 without one. Clamping loses nothing for the audit when the
 * queries of both neighbours lie inside, since a discrete Laplace law
 * and a shifted one have a constant ratio on either side of both centres.
 *
 * Claim  sparse-law.encloses  every mass is a ball that holds the true probability, and
 *                             together they hold 1
 *
 * Reference  spec/mechanisms.md 9; spec/local-and-accounting.md 7.2
 */

/* A pattern is one integer. */
#define SC_SPARSE_LAW_QUERIES 63
/* Values of numeric answers that a key may hold. */
#define SC_SPARSE_LAW_VALUES 8

typedef struct sc_sparse_range {
    int64_t lower, upper; /* of the values of a numeric run */
} sc_sparse_range;

/* Integers of a key. */
size_t sc_sparse_width(const sc_sparse_plan *plan, size_t count);

/* Reads the laws of the plan, not its samplers. SCRIM_E_LIMIT for more than
 * SC_SPARSE_LAW_QUERIES queries, for noise too wide to be summed, for too many outcomes. */
SCRIM_MUST_USE scrim_status sc_sparse_law(const sc_sparse_plan *plan,
                                          const sc_sparse_range *range,
                                          const sc_private_input *input, long bits,
                                          sc_outcomes *out, scrim_error *error);

#endif
