/* How far mass must move in any finite metric: the lossy infinity-Wasserstein distance and the
 * mean one. The distance need not be symmetric, and may be infinite: such pairs are never matched.
 *
 * Claim  wasserstein.radius  the least b such that the mass asked for can be brought from p to q
 *                            over distances of at most b; exact, by flows of integers
 * Claim  wasserstein.mean    the least mean distance of the mass asked for, the rest at no cost;
 *                            exact
 *
 * Reference  spec/flexible-accuracy.md 3.2, 3.3
 */
#ifndef SC_DISTANCE_WASSERSTEIN_H
#define SC_DISTANCE_WASSERSTEIN_H

#include "distance/transport.h"

/* The distance of two places: from 0 to 2^62, or SC_GROUND_NONE for an infinite one. */
#define SC_GROUND_NONE INT64_MAX
typedef struct sc_ground {
    int64_t (*between)(const void *context, int64_t a, int64_t b);
    const void *context;
} sc_ground;

/* A distance that may be infinite; value is a number of steps, and 0 then. */
typedef struct sc_distance {
    bool is_infinite;
    uint64_t value;
} sc_distance;

/* Pairs of places that are looked at one by one. */
#define SC_GROUND_PAIRS ((size_t)1 << 20)

/* ground NULL is the line, with its own faster algorithm. SCRIM_E_LIMIT above SC_GROUND_PAIRS pairs,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_wasserstein_radius(const sc_transport *transport,
                                                  const sc_ground *ground,
                                                  sc_distance *out, scrim_error *error);
/* The cost of moving one law to another: distance times mass, divided by the total, in steps. out is untouched where it is
 * infinite. Errors as before. */
SCRIM_MUST_USE scrim_status sc_wasserstein_mean(const sc_transport *transport,
                                                const sc_ground *ground, sc_ratio *out,
                                                bool *is_infinite, scrim_error *error);

#endif
