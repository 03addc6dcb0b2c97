/* The nearest points of the convex hulls of two finite sets of integer points, exactly: Wolfe's
 * method for the point of least norm, on the differences of the two, in rationals.
 *
 * A step either ends or takes a difference that lies below the current point into a corral of
 * affinely independent ones, and goes to the least point of their affine hull, dropping those that
 * would get a negative weight on the way. The norm falls strictly, a corral is never met twice, and
 * there are finitely many: without rounding it ends, and the answer is exact.
 *
 * Claim  hull-distance.exact  u and v lie in the hulls, and no two points of them are nearer:
 *                             <u - v, p> >= <u - v, u> for each p of the first set and
 *                             <u - v, n> <= <u - v, v> for each n of the second
 *
 * Reference  Wolfe 1976; spec/flexible-accuracy.md 10
 */
#ifndef SC_MECHANISM_HISTOGRAM_HULL_DISTANCE_H
#define SC_MECHANISM_HISTOGRAM_HULL_DISTANCE_H

#include "base/number/ratio.h"

/* Steps before it gives up; a step takes in one point. */
#define SC_HULL_STEPS 100000

/* count points of so many coordinates each, one behind the other. */
typedef struct sc_point_set {
    const int64_t *coordinates;
    size_t count;
} sc_point_set;

typedef struct sc_hull_distance {
    size_t dimensions;
    sc_ratio *u, *v;  /* the nearest points, of the first hull and of the second */
    sc_ratio squared; /* their distance, squared; 0: the hulls meet */
    size_t steps;
} sc_hull_distance;

/* Both sets have points; from 1 to 64 coordinates, of at most 2^62 in size. SCRIM_E_LIMIT after
 * SC_HULL_STEPS, SCRIM_E_MEMORY; then out is untouched, else the caller clears it. */
SCRIM_MUST_USE scrim_status sc_hull_distance_init(sc_hull_distance *out,
                                                  const sc_point_set *first,
                                                  const sc_point_set *second,
                                                  size_t dimensions, scrim_error *error);
void sc_hull_distance_clear(sc_hull_distance *distance);

#endif
