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
 * Time        finite (hull_distance.h); each step is linear in the bars shown
 * Reference   spec/flexible-accuracy.md 10
 */
#ifndef SC_MECHANISM_HISTOGRAM_SEPARATOR_H
#define SC_MECHANISM_HISTOGRAM_SEPARATOR_H

#include "mechanism/histogram/bars.h"

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
 * SCRIM_E_LIMIT and SCRIM_E_MEMORY as hull_distance.h; else the caller clears out. */
SCRIM_MUST_USE scrim_status sc_bars_separator(const sc_bars *bars,
                                              sc_exact_separator *out,
                                              scrim_error *error);
void sc_separator_clear(sc_exact_separator *separator);

/* The statement as a sentence, as sc_finding_statement. */
size_t sc_separator_statement(const sc_exact_separator *separator, const sc_bars *bars,
                              char *text, size_t capacity);

#endif
