/* How far two bodies in the same columns are apart.
 *
 * Hausdorff's distance is the largest difference of the support functions. Up to two columns it is exact: corners against
 * bodies. Beyond that it stands between two bounds. From below: corners of one body that are far from the other, found by
 * climbing from many directions. From above: if c has at least the distance rho of each half-space of L, and the other
 * body K reaches at most delta beyond L's half-spaces, K is in L stretched about c by 1 + delta/rho.
 *
 * Claim  body-distance.bounds  the distance is between lower and upper
 *
 * Reference  spec/floating-body.md 2.1
 */
#ifndef SC_SOLVE_BODY_DISTANCE_H
#define SC_SOLVE_BODY_DISTANCE_H

#include "solve/solid.h"

typedef struct sc_body_distance {
    double lower, upper;
    double *
        direction; /* in which the lower bound was found: room for each column, of the caller */
} sc_body_distance;

/* Places of the second are those of the first: the same bounds and scales. SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_body_distance_find(sc_solid *first, sc_solid *second,
                                                  sc_body_distance *out,
                                                  scrim_error *error);

#endif
