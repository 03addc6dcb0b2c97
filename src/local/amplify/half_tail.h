/* The tail of a fair binomial distribution, moved from place to place: for s coins, the probability of
 * j heads and of more. A move by one in s or j is a few operations. */
#ifndef SC_LOCAL_HALF_TAIL_H
#define SC_LOCAL_HALF_TAIL_H

#include "base/number/ball.h"

typedef struct sc_half_tail {
    uint64_t s, j; /* 1 <= j <= s; s = 0: nowhere yet */
    sc_ball mass;  /* of j heads */
    sc_ball tail;  /* of j heads or more */
} sc_half_tail;

void sc_half_tail_init(sc_half_tail *tail);
void sc_half_tail_clear(sc_half_tail *tail);
/* To 1 <= j <= s; a larger j is taken as s. s must not fall. */
void sc_half_tail_move(sc_half_tail *tail, uint64_t s, uint64_t j);
/* Of more than j heads: the probability, and the sum of heads times their probability. */
void sc_half_tail_above(const sc_half_tail *tail, sc_ball *mass, sc_ball *mean);
/* From the probability of j heads to that of j - 1, j >= 1. */
void sc_half_tail_mass_below(sc_ball *mass, uint64_t s, uint64_t j);

#endif
