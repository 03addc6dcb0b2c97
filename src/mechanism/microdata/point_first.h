/* A table of counts that favours its cells: noise on each, and nothing below 0.
 *
 * Input       the counts of d disjoint cells, whole numbers from 0 on; above 2^62 they count as that, and what
 *             is no whole number as 0
 * Output      max(0, a_i + z_i) for each cell; the total of the table is their sum
 * Noise       for every cell, empty ones too: P(z) ~ exp(-|z| epsilon/D), or with rho P(z) ~ exp(-z^2 rho/S),
 *             D and S the l1 norm, and the square of the l2 norm, of how far a unit moves the cells
 *             (cell_counts.h)
 * Neighbours  add-remove or replace
 * Claim       point-first.privacy   epsilon-DP, pure; with rho rho-concentrated. What is charged is what was
 *                                   given: under replace two cells move, so that the noise is as wide again
 * Claim       point-first.accuracy  |answer - a_i| <= |z_i|; the radius is that of the exact tail of z_i, and that
 *                                   of all cells at once is exact too
 * Claim       point-first.expected  E (answer - a_i)^2 <= Var z, and the sum of the table is off by at most
 *                                   d Var z + d (d-1) bias^2 in the mean square, bias = E max(0, z)
 * Time        depends on the noise and on d
 * Reference   spec/microdata.md 4 (M_eps, M_rho): theorem 9.6 of the survey (002), corrected by errata 112, 113
 *             and 123
 *
 * The sum of the table is wrong by some d in the worst case, and no table with cells as good does better:
 * table_error.h. sum_first.h is the other side.
 */
#ifndef SC_MECHANISM_MICRODATA_POINT_FIRST_H
#define SC_MECHANISM_MICRODATA_POINT_FIRST_H

#include "model/mechanism.h"

extern const sc_mechanism sc_point_first;

#endif
