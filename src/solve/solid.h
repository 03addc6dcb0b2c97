/* The body as a region of real numbers: what all geometry works on.
 *
 * Places are v = u - (middle of the bounds), in scaled columns, and each row of the half-spaces has length 1. A body that is
 * empty or too thin is repaired: all offsets are raised by the same inflation, so that it holds a ball of a thousandth of the
 * longest side of the bounds. The inflation is part of every answer; it tells that the budget or q was too small.
 *
 * Claim  solid.repair   the inflation is the smallest that gives the body a ball of that radius
 * Claim  solid.bounded  half-spaces that bound no region are refused
 *
 * Reference  spec/floating-body.md 7.1
 */
#ifndef SC_SOLVE_SOLID_H
#define SC_SOLVE_SOLID_H

#include "solve/body.h"
#include "solve/linear_program.h"
#include "solve/nearest_point.h"

#include <stdbool.h>

/* The radius that every body has, as a part of the longest side of the bounds. */
#define SC_SOLID_THIN 1e-3

typedef struct sc_solid {
    size_t dimension;
    sc_half_spaces spaces; /* with the inflation; rows and offsets below */
    double *rows, *offsets;
    double *low, *scale, *middle; /* x_j = low_j + scale_j (v_j + middle_j) */
    double side;                  /* the longest of the bounds */
    double radius;    /* of the largest ball, before the repair; below 0: empty */
    double inflation; /* 0: none */
    double *centre;   /* of a largest ball, after the repair: inside */
    sc_linear_program *program;
    sc_nearest_point *nearest;
} sc_solid;

/* SCRIM_E_PARAM: unbounded; SCRIM_E_LIMIT: numbers too far apart for doubles; SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_solid_new(const sc_body *body, sc_solid **out,
                                         scrim_error *error);
/* The same of half-spaces with rows of length 1, which are copied: low is 0, scale 1, middle 0. */
SCRIM_MUST_USE scrim_status sc_solid_of(const sc_half_spaces *spaces, double side,
                                        sc_solid **out, scrim_error *error);
void sc_solid_free(sc_solid *solid); /* NULL is allowed */

/* Do the directions alone bound a region, whatever their offsets are? SCRIM_E_PARAM: no. For plans, before a charge. */
SCRIM_MUST_USE scrim_status sc_body_check_bounded(const sc_body *body,
                                                  scrim_error *error);

/* Between columns and places; in and out may be the same. */
void sc_solid_place(const sc_solid *solid, const double *x, double *v);
void sc_solid_columns(const sc_solid *solid, const double *v, double *x);

/* The support function, max <direction, v> over the body, and a vertex that attains it (NULL: not wanted). */
SCRIM_MUST_USE scrim_status sc_solid_support(sc_solid *solid, const double *direction,
                                             double *value, double *vertex,
                                             scrim_error *error);
/* The nearest point of the body. */
SCRIM_MUST_USE scrim_status sc_solid_nearest(sc_solid *solid, const double *v, double *y,
                                             scrim_error *error);
/* How far v is beyond the half-space that it violates most, below 0 inside, and its number. Released offsets count, without
 * the inflation. */
double sc_solid_excess(const sc_solid *solid, const double *v, size_t *row);
/* Which rows the body would be the same without: is_redundant has a place for each. */
SCRIM_MUST_USE scrim_status sc_solid_redundant(sc_solid *solid,
                                               unsigned char *is_redundant,
                                               scrim_error *error);

#endif
