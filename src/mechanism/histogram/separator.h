/* The plane between two labels, and first the nearest points of the convex hulls of two finite sets
 * of integer points, exactly: Wolfe's
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
#ifndef SC_MECHANISM_HISTOGRAM_SEPARATOR_H
#define SC_MECHANISM_HISTOGRAM_SEPARATOR_H

#include "base/number/ratio.h"
#include "mechanism/histogram/buckets.h"

/* Steps before it gives up; a step takes in one point. */
#define SC_HULL_STEPS 100000

/* count points, the coordinates of each one behind the other; the caller knows their dimension. */
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

/* The plane of the largest margin between the two labels of a released histogram.
 *
 * Input       a released histogram y of labelled points x in buckets whose error is Euclidean: one
 *             axis, or the norm 1 or 2
 * Output      normal and offset: <normal, z> = offset half-way between the nearest points of the
 *             hulls of the two labels' centres, the label +1 above it; how many elements a bar has
 *             does not matter. EMPTY where a label is not shown, NOT_SEPARABLE where the hulls
 *             meet
 * Claim       separator.margin  the margin M, the distance of the nearest centre shown, is exact as
 *                            a square, and no other plane has a larger one
 * Claim       separator.run  on every run: of the data all but at most q elements of each place
 *                            that is not shown lie on their side, at least M - beta from the plane,
 *                            where M > beta; data that a plane parts
 *                            with a margin m give M >= m - beta, so that m > beta is never
 *                            NOT_SEPARABLE. Of the angle to any other plane no guarantee
 * Time        finite (above); each step is linear in the bars shown
 * Reference   spec/flexible-accuracy.md 10
 */

typedef enum sc_separator_outcome {
    SC_SEPARATOR_PLANE = 1,
    SC_SEPARATOR_EMPTY,
    SC_SEPARATOR_NOT_SEPARABLE
} sc_separator_outcome;

typedef struct sc_exact_separator {
    sc_separator_outcome outcome;
    size_t dimensions;
    sc_ratio *normal; /* from the nearest point of -1 to that of +1 */
    sc_ratio offset;
    sc_ratio margin_squared;
    sc_ratio margin_lower; /* of M, within 2^-64 */
    sc_ratio kept_lower;   /* of M - beta; not above 0 where nothing is said */
    /* Data that can be parted at all have no larger margin, where the outcome is NOT_SEPARABLE:
     * beta. */
    sc_ratio margin_most;
    sc_uint128 beyond_most;     /* elements of x at places that are not shown, at most */
    sc_uint128 dropped_most;    /* elements that were left out, of all places */
    sc_flexible_claim flexible; /* for drop no beta */
} sc_exact_separator;

/* SCRIM_E_PARAM where points have no labels or the norm is the largest of several coordinates,
 * SCRIM_E_LIMIT and SCRIM_E_MEMORY as above; else the caller clears out. */
SCRIM_MUST_USE scrim_status sc_bars_separator(const sc_bars *bars,
                                              sc_exact_separator *out,
                                              scrim_error *error);
void sc_separator_clear(sc_exact_separator *separator);

/* The statement as a sentence, as sc_finding_statement. */
size_t sc_separator_statement(const sc_exact_separator *separator, const sc_bars *bars,
                              char *text, size_t capacity);

#endif
