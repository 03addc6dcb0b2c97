/* Weights of public bins that are multiplied towards what was released, in integers alone.
 *
 *     A(u) = N w(u)/sum w, w(u) = exp(l(u) - max l), l in 2^-32, w in 2^-40
 *     a step towards y:  l(u) += q(u) (y - q(A))/(2 N)
 *
 * Everything here is public: weights follow from releases and parameters. They are integers so that the same releases
 * give the same weights on every machine, and the law of what is released next can be listed.
 *
 * Claim  fixed-weights.update  a step is that of multiplicative weights, but for what fixed-point numbers lack
 *
 * Reference  Hardt, Ligett, McSherry 2012; spec/mechanisms.md 10.3
 */
#ifndef SC_MECHANISM_FIXED_WEIGHTS_H
#define SC_MECHANISM_FIXED_WEIGHTS_H

#include "mechanism/linear/linear_matrix.h"

typedef struct sc_fixed_weights {
    size_t bins;
    int64_t total, steps; /* N, at most 2^31; of the coefficient 1, at most 1024 */
    int64_t logs[SC_LINEAR_BINS];
    int64_t weights[SC_LINEAR_BINS];
    int64_t sum; /* of the weights */
} sc_fixed_weights;

/* All bins alike. */
void sc_fixed_weights_start(sc_fixed_weights *out, size_t bins, int64_t total,
                            int64_t steps);
/* floor(q(A) + 1/2), in steps. */
int64_t sc_fixed_weights_answer(const sc_fixed_weights *w, const sc_linear_matrix *matrix,
                                size_t query);
/* floor(A(u) + 1/2). */
int64_t sc_fixed_weights_count(const sc_fixed_weights *w, size_t bin);
/* One step towards the answer y, in steps, from 0 to N. */
void sc_fixed_weights_learn(sc_fixed_weights *w, const sc_linear_matrix *matrix,
                            size_t query, int64_t y);
/* One step of a given length: l(u) += q(u) by, by in 2^-32. */
void sc_fixed_weights_step(sc_fixed_weights *w, const sc_linear_matrix *matrix,
                           size_t query, int64_t by);

#endif
