/* Two routes to the centre of a floating body of two columns, on simulated Gaussian rows with centre 0.
 * Both have the same budget, epsilon and delta.
 *
 * Route B, which scrim offers, releases 16 quantiles in public directions and takes the Steiner point of
 * their body. Route C, which scrim does not offer, takes the Steiner point f of the body of 32
 * directions, computes how many rows D must change before one more can move f by more than a public
 * sigma, and adds noise of that scale if D plus noise is large enough.
 *
 *     w_m(u) = h(outer body at m + 1, u) - h(inner body at m + 1, u),   sens_m = sqrt(d mean of w_m(u)^2)
 *     D = min{m : sens_m > sigma}
 *
 * Route C uses doubles: one rounding error in sens_m > sigma would break its proof, so that it must not
 * be used on protected data.
 *
 * Claim  body-routes.distance  D moves by at most 1 when a row is replaced, and f by at most sens_0
 * Claim  body-routes.noise     the flattened Laplace distribution has the spike and the flat part of its
 *                              formula
 *
 * Reference  spec/floating-body.md 9
 */
#ifndef LAB_EXPERIMENT_BODY_ROUTES_H
#define LAB_EXPERIMENT_BODY_ROUTES_H

#include "lab/lab.h"

#define LAB_BODY_ROUTES_ROWS 3

/* Errors are medians over the runs. */
typedef struct lab_body_routes_row {
    uint64_t units;
    double plain;     /* error of the centre without privacy */
    double quantiles; /* of route B */
    double noise;     /* of the answers of route C; not a number if it never answers */
    double answered;  /* share of the runs in which route C answers */
    double sigma;     /* the most that one row may move the centre, in route C */
} lab_body_routes_row;

typedef struct lab_body_routes {
    uint64_t runs;
    double epsilon, delta;
    lab_body_routes_row row[LAB_BODY_ROUTES_ROWS];
} lab_body_routes;

/* runs from 1 to 1000. SCRIM_E_PARAM, SCRIM_E_MEMORY, SCRIM_E_ENTROPY; then out is untouched. */
SCRIM_MUST_USE scrim_status lab_body_routes_run(uint64_t runs, lab_body_routes *out,
                                                scrim_error *error);

/* Parts of it, for its tests. */

/* epsilon of each of the 16 quantiles: sqrt(8 rho/16), rounded down, for the rho of epsilon 1 and
 * delta 1e-6, as quantiles of epsilon have bounded range and cost rho = epsilon^2/8. */
#define LAB_ROUTE_EACH "0.110353"
#define LAB_ROUTE_DIRECTIONS 32

typedef struct lab_route_rows {
    size_t count;
    double *places[LAB_ROUTE_DIRECTIONS]; /* along each direction, ascending */
} lab_route_rows;

/* Rows are two numbers each. False without memory. */
bool lab_route_rows_init(lab_route_rows *rows, const double *values, size_t count);
void lab_route_rows_clear(lab_route_rows *rows);

/* The Steiner point; 0 if the body is empty. */
void lab_route_steiner(const lab_route_rows *rows, double out[2]);
/* sens_m; infinite if a rank is outside of the rows or the inner body is empty. */
double lab_route_sensitivity(const lab_route_rows *rows, size_t m);
/* D. */
size_t lab_route_distance(const lab_route_rows *rows, double sigma);

/* A density proportional to exp(-slope min(|t - f|, cut)) on |t| <= reach. */
typedef struct lab_route_spike {
    double slope, cut, reach;
} lab_route_spike;

void lab_route_noise(lab_random *random, const double f[2], const lab_route_spike *noise,
                     double out[2]);

#endif
