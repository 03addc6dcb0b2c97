/* The Hausdorff distance of two finite sets: the furthest that a point of one lies from the
 * nearest of the other.
 *
 * Claim  hausdorff.exact  the larger of both directions; on the line after one walk
 */
#ifndef SC_ACCURACY_HAUSDORFF_H
#define SC_ACCURACY_HAUSDORFF_H

#include "distance/wasserstein.h"

/* Of the places of sorted masses, whatever lies there; ground NULL is the line. SCRIM_E_PARAM where
 * a side is empty. */
SCRIM_MUST_USE scrim_status sc_hausdorff(const sc_masses *x, const sc_masses *y,
                                         const sc_ground *ground, sc_span *out,
                                         scrim_error *error);

#endif
