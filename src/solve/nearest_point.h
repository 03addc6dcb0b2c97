/* The point of a body that is nearest to a given one: the dual method of Goldfarb and Idnani with the unit matrix.
 *
 * It starts at the given point, takes the most violated row, moves to it while the active rows stay, and drops rows
 * whose multiplier reaches 0. Its end tests the multipliers, not the point alone:
 *
 * Claim  nearest-point.multipliers  y is in the body, x - y is the sum of the multipliers times their rows, and all of them are
 *                                   at least 0: y is the nearest point, within 1e-9
 *
 * Reference  Goldfarb, Idnani 1983; spec/floating-body.md 7.3
 */
#ifndef SC_SOLVE_NEAREST_POINT_H
#define SC_SOLVE_NEAREST_POINT_H

#include "base/status.h"
#include "solve/half_spaces.h"

typedef struct sc_nearest_point sc_nearest_point;

/* For bodies of this dimension with at most this many rows. NULL: no memory. */
sc_nearest_point *sc_nearest_point_new(size_t dimension, size_t rows_max);
void sc_nearest_point_free(sc_nearest_point *nearest); /* NULL is allowed */

/* y may be x. SCRIM_E_PARAM: the body is empty; SCRIM_E_INTERNAL: it did not end within its bound on steps. */
SCRIM_MUST_USE scrim_status sc_nearest_point_find(sc_nearest_point *nearest,
                                                  const sc_half_spaces *spaces,
                                                  const double *x, double *y,
                                                  scrim_error *error);

/* After that: the active rows and their multipliers. */
size_t sc_nearest_point_active_count(const sc_nearest_point *nearest);
const size_t *sc_nearest_point_active(const sc_nearest_point *nearest);
const double *sc_nearest_point_multipliers(const sc_nearest_point *nearest);

#endif
