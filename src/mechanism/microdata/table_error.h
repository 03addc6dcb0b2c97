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
/* Of tables of d cells whose noise has this law. */
void sc_point_first_error(const sc_law *law, uint64_t d, long bits, sc_table_error *out);
void sc_sum_first_error(const sc_law *law, uint64_t d, long bits, sc_table_error *out);

#endif
