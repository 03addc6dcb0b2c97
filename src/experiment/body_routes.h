/* Route C beside route B: a centre of two columns by a private test of typicality and noise, and by quantiles (scrim/worked.h).
 *
 * Both are of one budget. Route B releases 16 quantiles by the exact integer mechanism, and the Steiner point of their body follows.
 * Route C takes the Steiner point f of the body of 32 directions, computes how many rows D must change before one more can move
 * f by more than a public sigma, and adds noise of that scale if D, with noise, is large enough.
 *
 *     w_m(u) = h(outer body at m + 1, u) - h(inner body at m + 1, u),   sens_m = sqrt(d mean of w_m(u)^2)
 *     D = min{m : sens_m > sigma}
 *
 * Everything of route C is in doubles: one rounding error in sens_m > sigma would break its proof, so that it is a comparison on
 * simulated rows, and never used on a dataset.
 *
 * Claim  body-routes.distance  D moves by at most 1 when a row is replaced, and f by at most sens_0
 * Claim  body-routes.noise     the flattened Laplace distribution has the spike and the flat part of its formula
 *
 * Reference  spec/floating-body.md 9
 */
#ifndef SC_EXPERIMENT_BODY_ROUTES_H
#define SC_EXPERIMENT_BODY_ROUTES_H

#include "base/status.h"
#include "random/bits.h"
#include "scrim/worked.h"

#include <stdbool.h>
#include <stddef.h>

#define SC_ROUTE_DIRECTIONS 32

typedef struct sc_route_rows {
    size_t count;
    double *places[SC_ROUTE_DIRECTIONS]; /* along each direction, in rising order */
} sc_route_rows;

/* Rows are two numbers each. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_route_rows_init(sc_route_rows *rows, const double *values,
                                               size_t count, scrim_error *error);
void sc_route_rows_clear(sc_route_rows *rows); /* also of zeros */

/* The Steiner point, a fixed one where the body is empty; the sensitivity at m, infinite where a rank leaves the rows or the inner
 * body is empty; and D. */
void sc_route_steiner(const sc_route_rows *rows, double out[2]);
double sc_route_sensitivity(const sc_route_rows *rows, size_t m);
size_t sc_route_distance(const sc_route_rows *rows, double sigma);

/* Density proportional to exp(-slope min(|t - f|, cut)) on |t| <= reach. */
SCRIM_MUST_USE scrim_status sc_route_noise(sc_bits *bits, const double f[2], double slope,
                                           double cut, double reach, double out[2],
                                           scrim_error *error);

/* scrim_body_routes_of with these bits. */
SCRIM_MUST_USE scrim_status sc_body_routes_run(sc_bits *bits, uint64_t runs,
                                               scrim_body_routes *out,
                                               scrim_error *error);

#endif
