/* How far one histogram is from another that was made of it: by leaving elements out, by moving
 * them, by both.
 *
 * Claim  distortion.drop       1 - |y|/|x| where y is within x, else infinite; of nothing from
 *                              nothing 0
 * Claim  distortion.move       the furthest that an element moves where both have equally many, else
 *                              infinite
 * Claim  distortion.drop-move  the least, over all z within x, of drop(x, z) + eta move(z, y): the
 *                              share that is missing is fixed, so that it is 1 - |y|/|x| + eta b for
 *                              the least b at which each of y has an element of x of its own
 *
 * Reference  spec/flexible-accuracy.md 3.4; errata E15, E16
 */
#ifndef SC_DISTANCE_DISTORTION_H
#define SC_DISTANCE_DISTORTION_H

#include "base/number/ratio.h"
#include "distance/transport.h"
#include "distance/wasserstein.h"

/* Masses are sorted; ground NULL is the line; out is untouched where it is infinite. Errors as
 * sc_wasserstein_radius. */
void sc_distortion_drop(const sc_masses *x, const sc_masses *y, sc_ratio *out,
                        bool *is_infinite);
SCRIM_MUST_USE scrim_status sc_distortion_move(const sc_masses *x, const sc_masses *y,
                                               const sc_ground *ground, sc_ratio *out,
                                               bool *is_infinite, scrim_error *error);
/* step is the length of a step, in which eta counts: eta times b steps. SCRIM_E_PARAM for an eta
 * below 0; with 0 it is not a quasi-metric. */
SCRIM_MUST_USE scrim_status sc_distortion_drop_move(
    const sc_masses *x, const sc_masses *y, const sc_ground *ground, const sc_ratio *eta,
    const sc_ratio *step, sc_ratio *out, bool *is_infinite, scrim_error *error);

/* The Hausdorff distance of two finite sets: the furthest that a point of one lies from the
 * nearest of the other.
 *
 * Claim  hausdorff.exact  the larger of both directions; on the line after one walk
 */

/* The distance between the places of sorted masses, whatever mass they have; ground NULL is the line. SCRIM_E_PARAM where
 * a side is empty. */
SCRIM_MUST_USE scrim_status sc_hausdorff(const sc_masses *x, const sc_masses *y,
                                         const sc_ground *ground, sc_distance *out,
                                         scrim_error *error);

/* The total variation distance of two finite laws: half of what their masses differ by.
 *
 * Claim  total-variation.exact  sum |p - q| / 2 of the two laws, as a fraction
 */

/* Compares sorted masses, each divided by its total. SCRIM_E_PARAM where a total is 0. */
SCRIM_MUST_USE scrim_status sc_total_variation(const sc_masses *p, const sc_masses *q,
                                               sc_ratio *out, scrim_error *error);

/* How far apart the counts of two histograms are, in units of mass.
 *
 * Claim  counts.apart  the sum of |x - y| over all places, or of its squares
 */
void sc_counts_apart(const sc_masses *x, const sc_masses *y, bool is_squared,
                     sc_ratio *out);

#endif
