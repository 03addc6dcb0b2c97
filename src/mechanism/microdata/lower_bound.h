/* What no private table of counts can do: the price of adding up.
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
#ifndef SC_MECHANISM_MICRODATA_LOWER_BOUND_H
#define SC_MECHANISM_MICRODATA_LOWER_BOUND_H

#include "base/number/ball.h"

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
