/* How far a cell of a table that adds up may be from its count: upper bounds of the probability, for every data set.
 *
 * Let a table of d cells with the counts a_j and the sum S be the nearest one of total S + e to a_j + z_j
 * (projection.h), z_j independent and of one symmetric law. With
 *
 *     E(t):  sum over j other than i of max(0, z_j - z_i - t)  >  t + e
 *
 * cell i falls short of a_i by more than t only where E(t) holds, and exceeds it by more than t only where E(t) holds for
 * noise and e of the other sign. So a bound of the tails of e on either side gives one of the tails of each cell, and, level by
 * level, one of the leaves of a tree.
 *
 * Claim  table-tail.bound  no cell of a table, or leaf of a tree, is beyond a distance more often than twice the bound
 * Proof  The weights are w_j = max(0, a_j + z_j - g) where they add up to S + e > 0. If w_i < a_i - t then a_i > t and
 *        g > z_i + t, so that sum of max(0, a_j + z_j - z_i - t) > S + e. Of these the i-th is a_i - t, and the others are at
 *        most a_j + max(0, z_j - z_i - t), as a_j >= 0. If the total is 0, then a_i > t means S > t, and e = -S < -t.
 *        If w_i > a_i + t, then g < z_i - t, and since sum of (a_j + z_j - g) is at most the total, d g >= sum of z_j - e. So
 *        sum over j of (z_i - z_j - t) > t - e: E(t) of the other signs, without the maxima. Whole answers are less than 1
 *        from w_i, so that they are beyond a whole distance where w_i is. The noise of a level is independent of e.
 *
 * Probabilities are integers in units of 2^-62, sums of distances are counted in cells of a common width, and all is rounded to
 * the larger bound.
 */
#ifndef SC_MECHANISM_MICRODATA_TABLE_TAIL_H
#define SC_MECHANISM_MICRODATA_TABLE_TAIL_H

#include "sampling/law.h"

#define SC_TAIL_CELLS 64
#define SC_TAIL_REACH (2 * SC_TAIL_CELLS) /* distances that are looked at, in cells */

typedef struct sc_table_tail sc_table_tail;

/* A width of cells in which the tails of that noise reach as far as probabilities of beta in a table of d cells need. */
SCRIM_MUST_USE scrim_status sc_table_tail_width(const sc_law *law, uint64_t d,
                                                const sc_ratio *beta, sc_int128 *out,
                                                scrim_error *error);
/* The tails of a total whose noise has this law, in cells of `width` steps. NULL: no memory. */
sc_table_tail *sc_table_tail_new(const sc_law *law, sc_int128 width);
void sc_table_tail_free(sc_table_tail *tail);
/* From the tails of a total to those of its d >= 1 parts, whose noise has this law. False: no memory. */
bool sc_table_tail_descend(sc_table_tail *tail, const sc_law *law, uint64_t d);
/* Lowers a radius, in steps, to the least one known here that a cell is beyond with probability beta at most, both sides
 * together. */
void sc_table_tail_lower(const sc_table_tail *tail, const sc_ratio *beta,
                         sc_int128 *radius);

#endif
