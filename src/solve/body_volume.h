/* Centres of a body.
 *
 *     frame      the least-squares point of <a_i, v> = b_i: linear in the released numbers, defined for an empty body too
 *     chebyshev  the centre of a largest ball inside
 *     steiner    d times the mean of theta h(theta) over all directions: exact up to two columns; beyond that a mean over public
 *                random frames with both signs, with its standard error
 *
 * Claim  body-centre.frame    it moves with the body exactly, and by at most sqrt(d/M) times the length of the errors of the offsets
 * Claim  body-centre.steiner  exact for one and two columns; beyond that within a few standard errors, and 0 for a symmetric body
 *
 * Reference  spec/floating-body.md 7.4; spec/papers-additions.md 4.1
 */
#ifndef BODY_VOLUME_H
#define BODY_VOLUME_H

#include "random/bits.h"
#include "solve/solid.h"

typedef struct sc_body_centre {
    double *v;             /* its place: room for each column, of the caller */
    double standard_error; /* of the place; 0: exact */
    size_t frames;         /* that were averaged; 0: none */
} sc_body_centre;

/* SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_centre_frame(const sc_solid *solid, double *v,
                                            scrim_error *error);
/* Frames are added until the standard error is at most tolerance times the longest side, 200 at most. */
SCRIM_MUST_USE scrim_status sc_centre_steiner(sc_solid *solid, double tolerance,
                                              sc_body_centre *out, scrim_error *error);

/* The most that the Steiner point moves for each unit of Hausdorff distance that the offsets are off. */
double sc_steiner_lipschitz(size_t dimension);

/* The volume of a body: exact up to two columns, beyond that by walks.
 *
 * Balls grow from the largest one inside the body until they hold all of it. Walks in the part of the body that a ball
 * holds tell which share of it the ball before holds; the product of the shares leads from the volume of the first ball to
 * that of the body. The whole is done several times with fresh bits, in coordinates in which the body is round, and the
 * spread of the results is the standard error.
 *
 * Claim  body-volume.near  within a few standard errors of the volume
 */

typedef struct sc_body_volume {
    double share;          /* of the volume of the bounds */
    double volume;         /* in scaled columns */
    double standard_error; /* relative; 0: exact */
} sc_body_volume;

/* points walks' points for each ball; 0: 400. bounds is the volume of the bounds. SCRIM_E_ENTROPY, SCRIM_E_MEMORY,
 * SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_body_volume_find(sc_solid *solid, sc_bits *bits,
                                                uint64_t points, sc_body_volume *out,
                                                scrim_error *error);

#endif
