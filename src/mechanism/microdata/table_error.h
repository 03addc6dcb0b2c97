/* How wrong a table of counts is at most, in the mean square of each query: upper bounds that hold for every
 * data set.
 *
 *     point-first  cell  Var z                     sum  d Var z + d (d-1) bias^2, bias = E max(0, z)
 *     sum-first    cell  2 b^2 + 4 b (b H + 1/2) + 4 (b^2 (H^2 + H2) + b H + 1/4), b the scale of the noise;
 *                        Gaussian of variance v: v (1 + 4 sqrt(2 ln 2d) + 4 (2 ln 2d + 2));
 *                        clamped to +-B: the first, or 9 B^2 where that is less
 *                  sum   Var z
 *
 * H = 1 + 1/2 + ... + 1/d and H2 = 1 + 1/4 + ... + 1/d^2. The largest of d noises has E max|z| <= b H + 1/2 and
 * E max z^2 <= b^2 (H^2 + H2) + b H + 1/4, since |z| is stochastically below 1/2 and an exponential of mean b;
 * then |w_i - a_i| <= |z_i| + |z_*| + max |z_j| (sum_first.h). Of Gaussian noise Var z <= v and
 * E|z| <= sqrt v, so that bias^2 <= v/4.
 *
 * Claim      table-error.bound  each ball is at least the largest mean squared error over all data sets
 * Reference  spec/microdata.md 4.2; lemma 9.4 of the survey (002), corrected by erratum 117
 */
#ifndef SC_MECHANISM_MICRODATA_TABLE_ERROR_H
#define SC_MECHANISM_MICRODATA_TABLE_ERROR_H

#include "base/number/ball.h"
#include "model/measurement.h"

/* H and H2 of d >= 1. */
void sc_harmonic(uint64_t d, long bits, sc_ball *out);
void sc_harmonic_square(uint64_t d, long bits, sc_ball *out);
/* E max |z| and E max z^2 of d noises of a law, at most. */
void sc_noise_max_moments(const sc_law *law, uint64_t d, long bits, sc_ball *first,
                          sc_ball *second);

typedef struct sc_table_error {
    sc_ball cell, sum; /* mean squared errors */
} sc_table_error;

void sc_table_error_init(sc_table_error *x);
void sc_table_error_clear(sc_table_error *x);
/* The errors of tables of d cells whose noise has this law. */
void sc_point_first_error(const sc_law *law, uint64_t d, long bits, sc_table_error *out);
void sc_sum_first_error(const sc_law *law, uint64_t d, long bits, sc_table_error *out);

/* A lower bound for every private table of counts: the price of adding up.
 *
 * A table of d cells, whole or not, with no cell below 0, whose root mean squared errors are at most C for every
 * cell and D for the sum on every data set, and which is (epsilon, delta)-DP under add-remove, has for every
 * whole number N >= 1
 *
 *     2C + 2D + N >= q (d-1) (N - 2C),   q = exp(-2 epsilon N)/4 - delta/epsilon
 *
 * So each N bounds C from below where D is given, and D where C is. Of rho-concentrated privacy it is used with
 * every delta and the epsilon that rho has there, rho + 2 sqrt(rho ln 1/delta).
 *
 * Claim      microdata-lower.bound  no such table has a smaller C beside this D, nor a smaller D beside this C
 * Reference  spec/microdata.md 6; theorem 9.3 of the survey (002), corrected by errata 118, 119 and 121
 * Proof      For N > 2C put k = N - 2C into the bound of the source, where 2C + k must be a whole number. For
 *            N <= 2C the right side is not positive; and the bound on C is below N/2 in any case.
 *
 * Not every N is tried where there are many: each gives a bound by itself.
 */

/* Either epsilon, with a delta or NULL, or rho; the other is NULL. */
typedef struct sc_table_privacy {
    const sc_ratio *epsilon, *delta, *rho;
} sc_table_privacy;

/* The upper end of the ball of the other query's error counts. The result's lower end is the bound; 0: nothing is
 * known. best is the N that gave it, and may be NULL. */
void sc_cell_error_lower(const sc_table_privacy *privacy, uint64_t cells,
                         const sc_ball *sum_error, long bits, sc_ball *out,
                         uint64_t *best);
void sc_sum_error_lower(const sc_table_privacy *privacy, uint64_t cells,
                        const sc_ball *cell_error, long bits, sc_ball *out,
                        uint64_t *best);

#endif
