/* The shadow of a body in the plane of two columns: a polygon, exact but for rounding. A body of two columns is its own. */
#ifndef SC_SOLVE_SHADOW_H
#define SC_SOLVE_SHADOW_H

#include "solve/solid.h"

/* Corners counterclockwise, as pairs of places; for a body of one column the ends of a segment, with 0 for the other. */
typedef struct sc_shadow {
    double *corners;
    size_t count, room;
} sc_shadow;

/* SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_shadow_find(sc_solid *solid, size_t first, size_t second,
                                           sc_shadow *out, scrim_error *error);
void sc_shadow_clear(sc_shadow *shadow);

/* Takes at least one corner, in counterclockwise order. */
double sc_polygon_area(const double *corners, size_t count);
/* The Steiner point: the mean of the corners by their exterior angles. */
void sc_polygon_steiner(const double *corners, size_t count, double *point);

#endif
