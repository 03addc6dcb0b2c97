/* exp(-k/scale) and sums of it: what the laws of the Laplace family are made of. */
#ifndef SC_SAMPLING_DECAY_H
#define SC_SAMPLING_DECAY_H

#include "base/number/ball.h"

/* exp(-k/scale), any k. */
void sc_decay(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out);
/* 1 - exp(-k/scale), k >= 0, without cancellation. */
void sc_decay_rest(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out);
/* sum over i = 0..last of i^order exp(-i/scale), order 0, 1 or 2, last >= 0. */
void sc_decay_sum(const sc_ratio *scale, sc_int128 last, int order, long bits,
                  sc_ball *out);
/* 1/(2 sinh(1/(2 scale)))^2 = p/(1-p)^2: the variance of the geometric law. */
void sc_decay_spread(const sc_ratio *scale, long bits, sc_ball *out);

#endif
