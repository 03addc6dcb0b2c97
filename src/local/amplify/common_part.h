/* The sum of what reports outside the two distinguishing parts take away: V = p c + d, where of
 * `trials` reports c fall with probability w11 into the part that both values share, and d with
 * probability w10 into the part that neither has.
 *
 * Kept is a distribution on a grid for which E max(0, v - V) is never too small: atoms are split
 * between two neighbours of the grid, mean kept; rounding moves them down; the lowest are counted
 * as lost. d depends on c; for many trials it is replaced by one with the mean of its own and the
 * deviation of the largest, which is larger in convex order.
 *
 * The masses are doubles, made from upper ends of balls by additions and multiplications of numbers
 * that are not negative: fewer than 2^22 roundings of one part in 2^53 each, which a factor of
 * 1 + 2^-30 pays for.
 *
 * Claim  common-part.upper  what sc_common_part_call gives is at least E max(0, v - V) / step, less
 *                           lost max(0, v) / step
 */
#ifndef SC_LOCAL_COMMON_PART_H
#define SC_LOCAL_COMMON_PART_H

#include "local/amplify/binomial_window.h"

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
/* step > 0 is a wish: a whole number or one over a whole number near it is taken. SCRIM_E_MEMORY,
 * SCRIM_E_LIMIT for a grid of too many points. */
SCRIM_MUST_USE scrim_status sc_common_part_set(sc_common_part *part, uint64_t trials,
                                               const sc_common_law *law, double step,
                                               double depth, scrim_error *error);
/* At v = start + t step; rises along a line from the last point on. */
double sc_common_part_call(const sc_common_part *part, double t);

#endif
