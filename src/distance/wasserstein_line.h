/* How far mass must move on the line: the lossy infinity-Wasserstein distance and the mean one.
 *
 * Claim  wasserstein-line.radius  the least b such that the mass asked for can be brought from p
 *                                 to q over distances of at most b; exact
 * Claim  wasserstein-line.mean    the least mean distance of the mass asked for, the rest at no
 *                                 cost; exact
 * Claim  wasserstein-line.steps   the radius as a function of the mass that may be ignored, all of its
 *                                 steps, and the largest of several pairs (scrim_theta_steps); exact
 * Time   the sorted masses are walked once for each bit of the answer, at most 63 times, so that it
 *        grows as m + n does and not as the m n distances that the answer is one of; the mean takes
 *        one walk without a loss, and with one O((m + n) log(m + n)) for each bit
 *
 * The walk: the leftmost mass of p that is left is matched with the leftmost of q in its reach.
 * All reaches are equally long, so that whoever comes later reaches no less far to the right, and
 * what the first could have kept for them they can do without.
 *
 * The mean: losing a pair at a price of l each, the least cost h(l) is that of a flow along the
 * line in which mass may vanish at l/2 a unit. It is concave in l, with breaks at whole numbers,
 * and the answer is the largest h(l) - l (total - mass asked for). For one l the flow over each
 * gap is found from left to right: what it costs as a function of the flow is convex, with slopes
 * cut to -l/2 and l/2 at each place, and only the ends of the cut are kept.
 *
 * Reference  spec/flexible-accuracy.md 3.2, 3.3
 */
#ifndef SC_DISTANCE_WASSERSTEIN_LINE_H
#define SC_DISTANCE_WASSERSTEIN_LINE_H

#include "distance/transport.h"

/* In steps. Whatever a transport asks for can be brought on the line. */
uint64_t sc_line_radius(const sc_transport *transport);
/* The largest mass that can be brought over distances of at most b steps, of all that there is and in
 * the unit of transport->total. */
sc_uint128 sc_line_matched(const sc_transport *transport, int64_t b);
/* The cost of moving one law to another: distance times mass, divided by the total, in steps. SCRIM_E_LIMIT above 2^31 places,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_line_mean(const sc_transport *transport, sc_ratio *out,
                                         scrim_error *error);

#endif
