/* What is known beforehand about the error of a body, from public numbers alone.
 *
 *     rank error   e = (2/eps_i) ln((G+1) M / beta): all M quantiles are within e ranks of the true ones, with probability
 *                  1 - beta
 *     admissible   for a symmetric log-concave isotropic law: radii of balls inside and outside of the body, r and L such that
 *                  the density along each direction is at least L within r of the quantile, and the least n for which the body
 *                  is within a given distance of the truth. Accuracy only: no guarantee of privacy depends on it.
 *
 * Claim  admissible.table  the numbers of the specification's tables
 *
 * Reference  spec/papers-additions.md 4.4, Proposition 33 of the source as corrected there
 */
#ifndef SC_POST_BODY_ACCURACY_H
#define SC_POST_BODY_ACCURACY_H

#include "base/status.h"

#include <stddef.h>

/* beta above 0 and below 1. cells is G. */
double sc_body_rank_error(double epsilon_each, double cells, size_t directions,
                          double beta);

typedef struct sc_admissible {
    double inner, outer; /* radii, in deviations of the law */
    double reach;        /* r */
    double density;      /* L */
} sc_admissible;
/* q above 1/2 and below 1, else SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_admissible_find(double q, sc_admissible *out,
                                               scrim_error *error);

typedef struct sc_admissible_plan {
    double epsilon_each, cells, beta;
    size_t directions;
    double cell; /* the size of a grid's cell, in deviations */
} sc_admissible_plan;
/* The least n for which all quantiles are within r; with error above 0, for which the body is within this distance of the one
 * that the directions cut out of the truth. INFINITY: none. */
double sc_admissible_units(const sc_admissible *law, const sc_admissible_plan *plan,
                           double error);

#endif
