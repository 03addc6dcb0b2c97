/* The number of rows, estimated from noisy one-way marginals of equal variance.
 *
 *     T = ( sum_i (sum of y_i)/d_i ) / ( sum_i 1/d_i ),   N = max(1, floor(T + 1/2))
 *
 * Reference  spec/synthetic.md 2, step 2
 */
#ifndef SC_SYNTH_NOISY_TOTAL_H
#define SC_SYNTH_NOISY_TOTAL_H

#include "base/number/ratio.h"
#include "synth/model/clique.h"

/* counts[i] has the cells of column i. exact gets T and may be NULL. The result is at most 2^40. */
int64_t sc_noisy_total(const sc_synth_columns *columns, const int64_t *const *counts,
                       sc_ratio *exact);
/* The variance of T as a multiple of that of one cell: 1/sum_i 1/d_i. For intervals alone. */
double sc_noisy_total_variance(const sc_synth_columns *columns);

#endif
