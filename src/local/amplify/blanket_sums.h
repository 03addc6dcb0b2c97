/* Sums of binomial probabilities, from which the bounds of amplification by shuffling (the privacy blanket) are computed. */
#ifndef SC_LOCAL_BLANKET_SUMS_H
#define SC_LOCAL_BLANKET_SUMS_H

#include "base/number/ball.h"
#include "base/status.h"

/* The probabilities of a binomial distribution around its mean, as balls, with bounds on the rest. */

#define SC_AMPLIFY_BITS 128 /* precision of all balls of this room */

typedef struct sc_binomial_window {
    uint64_t first;
    size_t count;
    sc_ball *mass; /* of first, first + 1, ... */
    sc_ball below,
        above; /* upper bounds of the probability before and after the window */
} sc_binomial_window;

void sc_binomial_window_init(sc_binomial_window *window);
void sc_binomial_window_clear(sc_binomial_window *window);
/* The successes of `trials` trials with probability w, 0 <= w < 1; about exp(-depth) is left out on
 * each side. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_binomial_window_set(sc_binomial_window *window,
                                                   uint64_t trials, const sc_ball *w,
                                                   double depth, scrim_error *error);

/* The tail of a fair binomial distribution: for s fair coins, the probability of j heads, and of j or more. It is updated
 * incrementally: to move s or j by one takes a few operations. */

typedef struct sc_half_tail {
    uint64_t s, j; /* 1 <= j <= s; s = 0: not set yet */
    sc_ball mass;  /* of j heads */
    sc_ball tail;  /* of j heads or more */
} sc_half_tail;

void sc_half_tail_init(sc_half_tail *tail);
void sc_half_tail_clear(sc_half_tail *tail);
/* Moves to 1 <= j <= s; a larger j counts as s. s must not decrease from call to call. */
void sc_half_tail_move(sc_half_tail *tail, uint64_t s, uint64_t j);
/* More than j heads: the probability, and the sum of heads times their probability. */
void sc_half_tail_above(const sc_half_tail *tail, sc_ball *mass, sc_ball *mean);
/* Turns the probability of j heads into that of j - 1, j >= 1. */
void sc_half_tail_mass_below(sc_ball *mass, uint64_t s, uint64_t j);

/* The sum of what reports outside the two distinguishing parts take away: V = p c + d, where of
 * `trials` reports c fall with probability w11 into the part that both values share, and d with
 * probability w10 into the part that neither has.
 *
 * V is approximated by a distribution on a grid for which E max(0, v - V) is never too small. Each atom is split
 * between two neighbouring points so that the mean stays; rounding moves mass down; the lowest atoms count
 * as lost. d depends on c; for many trials it is replaced by a distribution with the same mean and the
 * deviation of the widest one, which is larger in convex order.
 *
 * The masses are doubles, computed from upper ends of balls by additions and multiplications of numbers
 * that are not negative: fewer than 2^22 roundings with a relative error of 2^-53 each, which a factor of
 * 1 + 2^-30 covers.
 *
 * Claim  common-part.upper  sc_common_part_call returns at least E max(0, v - V) / step, less
 *                           lost max(0, v) / step
 */

typedef struct sc_common_law {
    sc_ball p, w11, w10;
} sc_common_law;

typedef struct sc_common_part {
    sc_ball start; /* the value of point 0 */
    sc_ball step;  /* from point to point */
    size_t count;  /* points */
    double *below; /* the mass up to each point */
    double *call;  /* E max(0, v - V) / step at each point */
    sc_ball lost;
} sc_common_part;

void sc_common_part_init(sc_common_part *part);
void sc_common_part_clear(sc_common_part *part);
/* Rounds step > 0 to a whole number, or to one over a whole number, nearby. SCRIM_E_MEMORY,
 * SCRIM_E_LIMIT for a grid of too many points. */
SCRIM_MUST_USE scrim_status sc_common_part_set(sc_common_part *part, uint64_t trials,
                                               const sc_common_law *law, double step,
                                               double depth, scrim_error *error);
/* The value of call at v = start + t step, between points by a line, which goes on after the last point. */
double sc_common_part_call(const sc_common_part *part, double t);

#endif
