/* One step of hit-and-run in one pass over the rows: the slacks after the last step, and how far the next direction goes
 * both ways.
 *
 * Claim  walk-chord.same  the implementation with vectors gives the bits of the plain one
 */
#ifndef BODY_WALK_H
#define BODY_WALK_H

#include "random/bits.h"
#include "solve/convex_program.h"
#include "solve/solid.h"

#include <stdbool.h>
#include <stddef.h>

/* Rows are padded to a multiple of this, with growth 0, an inverse of SC_CHORD_FAR and slack 1. */
#define SC_CHORD_LANES 4
#define SC_CHORD_FAR 1e300

typedef struct sc_chord {
    double low, high; /* low <= 0 <= high */
} sc_chord;

/* slack_i becomes max(0, slack_i - length growth_i), where growth is that of the last direction; inverse_i is 1 over the
 * growth of the next one. count is a multiple of SC_CHORD_LANES. */
sc_chord sc_chord_next(double *slack, const double *growth, double length,
                       const double *inverse, size_t count);
/* The plain implementation, for tests and other machines. */
sc_chord sc_chord_plain(double *slack, const double *growth, double length,
                        const double *inverse, size_t count);

/* Points of a body at random, by a walk inside it.
 *
 *     hit-and-run  a random direction, and a point of the chord through the last point: uniform in the body, or by the
 *                  density exp(-phi) for a convex phi (slice sampling on the chord)
 *     langevin     X <- nearest point of X - (step^2 / 2) grad phi + step g: biased, and it puts points on the boundary; for
 *                  comparison
 *
 * Directions are drawn once, from frames that are stretched like the body by a few rounds of trial walks, and then chosen
 * at random for each step. So a step costs one pass over the rows, and long thin bodies are walked as quickly as round
 * ones. Whatever directions were drawn, the uniform distribution is that of the walk. How many steps make a point
 * independent of the last one is a rule of thumb: nothing here proves how near the walk is to its distribution.
 *
 * Claim  body-walk.uniform  points are in the body, and their distribution has the moments of the uniform one
 * Claim  body-walk.density  with phi the moments are those of exp(-phi)
 *
 * Reference  spec/floating-body.md 7.5
 */

/* Steps from one point to the next, by default. Measured on random bodies of 2 to 50 columns: neighbouring points are
 * correlated by a tenth at most. */
#define SC_WALK_THINNING(d) (((d) * ((d) + 2) + 1) / 2)

typedef struct sc_walk_options {
    const sc_convex_function *phi; /* of places; NULL: uniform */
    uint64_t thinning; /* steps from one point to the next; 0: SC_WALK_THINNING */
    double langevin;   /* its step, in places; 0: hit-and-run */
    double within;     /* of the centre, at first; 0: anywhere in the body */
} sc_walk_options;

/* The part that walks of one body share: directions and how the rows grow along them. */
typedef struct sc_walk_ways sc_walk_ways;
/* Takes trial walks. The solid must outlive it. SCRIM_E_ENTROPY, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_walk_ways_new(const sc_solid *solid, sc_bits *bits,
                                             sc_walk_ways **out, scrim_error *error);
void sc_walk_ways_free(sc_walk_ways *ways); /* NULL is allowed */
/* The square root of the covariance that the trial walks saw, a lower triangle of d x d. */
const double *sc_walk_ways_spread(const sc_walk_ways *ways);

typedef struct sc_body_walk sc_body_walk;

/* Starts at the centre and walks 10 d^2 steps before its first point. bits, ways, solid and options must outlive it.
 * Walks of one solid may go on in several threads, but for Langevin's. */
SCRIM_MUST_USE scrim_status sc_body_walk_new(sc_solid *solid, const sc_walk_ways *ways,
                                             const sc_walk_options *options,
                                             sc_bits *bits, sc_body_walk **out,
                                             scrim_error *error);
void sc_body_walk_free(sc_body_walk *walk); /* NULL is allowed */

/* From now on only points within this distance of the centre, which must not be below the last one. */
void sc_body_walk_within(sc_body_walk *walk, double radius);
/* The next point. SCRIM_E_ENTROPY; SCRIM_E_PARAM: phi is not finite there. */
SCRIM_MUST_USE scrim_status sc_body_walk_next(sc_body_walk *walk, double *v,
                                              scrim_error *error);

#endif
