/* The volume of a body: exact up to two columns, beyond that by walks.
 *
 * Balls grow from the largest one inside the body until they hold all of it. Walks in the part of the body that a ball
 * holds tell which share of it the ball before holds; the product of the shares leads from the volume of the first ball to
 * that of the body. The whole is done several times with fresh bits, in coordinates in which the body is round, and the
 * spread of the results is the standard error.
 *
 * Claim  body-volume.near  within a few standard errors of the volume
 */
#ifndef SC_POST_BODY_VOLUME_H
#define SC_POST_BODY_VOLUME_H

#include "random/bits.h"
#include "solve/solid.h"

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
