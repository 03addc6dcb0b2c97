/* m rows divided among cells by their weights, so that each count is within 1 of its share and has it as
 * its expectation.
 *
 *     t_i = w_i m/sum w (w_i = 1 if all are 0), c_i = floor t_i, f_i = t_i - c_i
 *     cell i gets +1 for each of the points u, u + 1, u + 2, ... in [f_1+..+f_(i-1), f_1+..+f_i)
 *
 * Claim  allocation.total  the counts add up to m, whatever the rounding of doubles does
 * Claim  allocation.near   each is floor t_i or one more; a cell of weight 0 gets none unless all are 0
 *
 * Reference  spec/synthetic.md 2.3
 */
#ifndef SC_SYNTH_ALLOCATION_H
#define SC_SYNTH_ALLOCATION_H

#include <stddef.h>
#include <stdint.h>

/* Weights that are negative or not numbers count as 0. 0 <= u < 1; rows at most 2^40. */
void sc_allocate_rows(const double *weights, size_t count, uint64_t rows, double u,
                      uint64_t *out);

#endif
