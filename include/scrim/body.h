/* Floating bodies: the region of several columns that is central from every direction, released once and then
 * studied free of charge.
 *
 * A body is an intersection of half-spaces. Each has a public direction and a private quantile of the data along it.
 * Only the quantiles cost budget: projections, depths, outliers, samples, minima and comparisons are computed from
 * the released body and need neither vault nor data. A body is kept as a JSON text with its label.
 *
 *     scrim_body *body = NULL;
 *     scrim_body_facts facts;
 *     char text[65536];
 *     const size_t bytes = fread(text, 1, sizeof text, stdin);
 *     if (scrim_body_read(text, bytes, &body, &error) == SCRIM_OK) {
 *         scrim_body_describe(body, &facts);
 *         printf("%zu columns, %zu directions\n", facts.dimension, facts.direction_count);
 *     }
 *     scrim_body_free(body);
 *
 * Points are given and shown in the units of the columns. Distances, radii and volumes are those of scaled columns,
 * u = (x - low) / scale, so that years and euros can be compared; scrim_body_column has the scale.
 */
#ifndef SCRIM_BODY_H
#define SCRIM_BODY_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCRIM_BODY_DIMENSIONS 64
#define SCRIM_BODY_DIRECTIONS 4096

typedef struct scrim_body scrim_body;

/* The body of a file that scrim wrote. Anything else is SCRIM_E_SYNTAX, SCRIM_E_PARAM or SCRIM_E_LIMIT: a file may be
 * hostile. SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_body_read(const char *text, size_t bytes,
                                                      scrim_body **out,
                                                      scrim_error *error);
/* Its text, which scrim_body_read takes. Writes at most capacity bytes with the terminator, and returns the length
 * that it needs without it. */
SCRIM_API size_t scrim_body_format(const scrim_body *body, char *text, size_t capacity);
SCRIM_API void scrim_body_free(scrim_body *body); /* NULL is allowed */

/* The body of public points, exactly: without noise, and not private. For simulated data, published tables, and to see
 * what a release of such data would lose. Never call it with rows of a dataset. */
typedef struct scrim_public_points {
    size_t size;      /* set by SCRIM_OPTIONS */
    size_t dimension; /* of columns, 1 to SCRIM_BODY_DIMENSIONS */
    /* The name and the range of each column, exact text. */
    const char *const *names, *const *low, *const *high;
    const double
        *points;   /* one after the other; numbers outside of a range are clamped */
    size_t count;  /* of points, at least 1 */
    const char *q; /* exact text between 0 and 1; NULL: "9/10" */
    /* "frames", "axes", "pairs", "equiangular" or "sequence"; NULL: equiangular for two columns, else frames. */
    const char *directions;
    size_t direction_count; /* 0: the usual number */
    uint64_t seed;          /* public, of frames and sequences; below 2^32 */
} scrim_public_points;

/* The caller frees the body.
 *
 * Claim  public-body.quantiles  each half-space ends at the ceil(q count)-th point along its direction, within two steps
 *                               of 2^-24 of the range
 *
 * SCRIM_E_PARAM, SCRIM_E_SYNTAX, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_body_of_public(
    const scrim_public_points *points, scrim_body **out, scrim_error *error);

/* Texts live as long as the body. */
typedef struct scrim_body_facts {
    size_t dimension, direction_count;
    double q;              /* each half-space holds this share of the units */
    double epsilon, delta; /* of the release */
    double epsilon_each;   /* of one direction; 0: the body is not private */
    const char *dataset, *neighbours, *composition, *directions, *label;
    uint64_t version, release; /* of the dataset, and in its ledger; 0: none */
    uint64_t max_rows;         /* of a unit */
    uint64_t units;            /* declared or expected; 0: none */
} scrim_body_facts;
SCRIM_API void scrim_body_describe(const scrim_body *body, scrim_body_facts *out);

typedef struct scrim_body_column {
    const char *name;
    double low, high; /* public bounds */
    double step;      /* of its values */
    double scale;     /* one unit of distance */
} scrim_body_column;
/* 0 past the last. */
SCRIM_API int scrim_body_column_at(const scrim_body *body, size_t index,
                                   scrim_body_column *out);

/* The half-space that direction index cuts, in units of the columns: the sum of normal[j] x[j] is at most offset.
 * normal has room for each column. 0 past the last. */
SCRIM_API int scrim_body_half_space_at(const scrim_body *body, size_t index,
                                       double *normal, double *offset);

/* How many ranks a quantile is from the true one at most, for all quantiles at once, with
 * probability at least 1 - beta. INFINITY: the body is not private, so that nothing is known. */
SCRIM_API double scrim_body_rank_error(const scrim_body *body, double beta);

/* The body as a region, for geometry. */
typedef struct scrim_solid scrim_solid;

/* The body must outlive it. SCRIM_E_PARAM: its directions do not bound a region; SCRIM_E_LIMIT: its numbers are too far
 * apart; SCRIM_E_MEMORY. One thread at a time uses a solid. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_solid_new(const scrim_body *body,
                                                      scrim_solid **out,
                                                      scrim_error *error);
SCRIM_API void scrim_solid_free(scrim_solid *solid); /* NULL is allowed */

/* In scaled columns. */
typedef struct scrim_solid_facts {
    double side; /* the longest of the public bounds */
    double
        radius; /* of the largest ball inside the released half-spaces; below 0: they hold no point */
    double
        inflation; /* by which each half-space was moved outwards, so that a ball of side/1000 is inside; 0: none */
} scrim_solid_facts;
SCRIM_API void scrim_solid_describe(const scrim_solid *solid, scrim_solid_facts *out);
/* Sets is_redundant[i] to 1 for each direction without which the body would be the same. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_solid_redundant(scrim_solid *solid,
                                                            unsigned char *is_redundant,
                                                            scrim_error *error);

typedef struct scrim_center {
    double standard_error; /* in scaled columns; 0: exact */
    size_t frames;         /* that a Steiner point was averaged over; 0: none */
    /* By how much it moves at most, for a unit of Hausdorff distance of the body; 0: not known */
    double lipschitz;
} scrim_center;
/* method is "frame" (least squares of the half-spaces; defined for an empty body too), "steiner" or "chebyshev" (of the
 * largest ball). x has room for each column, here and below. SCRIM_E_PARAM, SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_solid_center(scrim_solid *solid,
                                                         const char *method, double *x,
                                                         scrim_center *out,
                                                         scrim_error *error);

/* Lists live until the next call. */
typedef struct scrim_projection {
    double distance;           /* in scaled columns */
    size_t active_count;       /* of half-spaces that hold the point back */
    const size_t *active;      /* their numbers, from 0 on */
    const double *multipliers; /* of each: the proof that no point is nearer */
} scrim_projection;
/* The nearest point of the body, in scaled columns. SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_solid_project(scrim_solid *solid,
                                                          const double *x, double *y,
                                                          scrim_projection *out,
                                                          scrim_error *error);

/* How far x is beyond the half-space that it violates most, in scaled columns, and the number of that direction; at
 * most 0: x is in the body. If x is a row of the data, the answer is about that row: show it to its owner alone. */
SCRIM_API double scrim_solid_excess(const scrim_solid *solid, const double *x,
                                    size_t *direction);
/* The largest value of the sum of normal[j] x[j] in the body, and where it is. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_solid_support(scrim_solid *solid,
                                                          const double *normal,
                                                          double *value, double *x,
                                                          scrim_error *error);

typedef struct scrim_minimum {
    double value, gap; /* no point of the body has a value below value - gap */
    size_t steps;
} scrim_minimum;
/* The least value of a convex function of the columns, as text: "(age - 40)^2 + 3 * abs(hours - 38)". Terms are numbers,
 * columns, + - * / ^, brackets, abs, max, min, exp, log, sqrt and norm. tolerance is a part of the range of its values; 0:
 * 1e-6. SCRIM_E_SYNTAX; SCRIM_E_PARAM: an unknown column, not convex, or not finite in the body; SCRIM_E_LIMIT,
 * SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_solid_minimise(scrim_solid *solid,
                                                           const char *objective,
                                                           double tolerance, double *x,
                                                           scrim_minimum *out,
                                                           scrim_error *error);

typedef struct scrim_sample_options {
    size_t size;        /* set by SCRIM_OPTIONS */
    uint64_t count;     /* of points, at least 1 */
    const char *method; /* "hit-and-run" or "langevin"; NULL: "hit-and-run" */
    const char *
        weight; /* a convex function phi as above: the density is exp(-phi); NULL: uniform */
    uint64_t thinning; /* steps from one point to the next; 0: about d^2 / 2 */
    double step;       /* of langevin, in scaled columns; 0: side / 20 */
    unsigned workers;  /* 0: one per processor */
    /* Called now and then by the calling thread: `done` of `total` points are drawn. May be
     * NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_sample_options;

typedef struct scrim_sample_facts {
    uint64_t thinning;
    double correlation; /* of neighbouring points, the largest of all columns */
} scrim_sample_facts;
/* Random points of the body, one after the other: points has room for count times the columns. They are points of the
 * region and tell nothing about how data lie in it. Nothing proves how near their distribution is to the uniform one.
 * SCRIM_E_PARAM, SCRIM_E_SYNTAX, SCRIM_E_LIMIT, SCRIM_E_ENTROPY, SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_solid_sample(scrim_solid *solid, const scrim_sample_options *options,
                   double *points, scrim_sample_facts *out, scrim_error *error);

typedef struct scrim_volume {
    double share;          /* of the volume of the public bounds */
    double volume;         /* in scaled columns */
    double standard_error; /* relative; 0: exact */
} scrim_volume;
/* Exact up to two columns, by random walks beyond that. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_solid_volume(scrim_solid *solid,
                                                         scrim_volume *out,
                                                         scrim_error *error);

/* Hausdorff's distance, in scaled columns: exact up to two columns, else between two bounds. */
typedef struct scrim_solid_gap {
    double lower, upper;
} scrim_solid_gap;
/* direction, with room for each column, is that in which the lower bound was found. SCRIM_E_PARAM: other columns, bounds
 * or scales. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_solid_compare(scrim_solid *first,
                                                          scrim_solid *second,
                                                          double *direction,
                                                          scrim_solid_gap *out,
                                                          scrim_error *error);

/* The corners of the shadow in the plane of two columns, counterclockwise, as pairs in units of the columns. They live
 * until the next call. A body of one column has second = 1: its ends, with 0 beside them. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_solid_shadow(scrim_solid *solid, size_t first,
                                                         size_t second,
                                                         const double **corners,
                                                         size_t *count,
                                                         scrim_error *error);

/* How many units a body needs, before anything is released: for a symmetric log-concave law of deviation 1 in each
 * direction, or for a stable one. About accuracy only. */
typedef struct scrim_admissible_options {
    size_t size;         /* set by SCRIM_OPTIONS */
    double q;            /* above 0.5 and below 1 */
    double epsilon_each; /* of one direction */
    size_t directions;   /* how many */
    double cells;        /* of a direction's grid; 0: 2^20 */
    double beta;         /* how likely the bound may fail; 0: 0.05 */
    double error;        /* Hausdorff distance that is wanted, in deviations; 0: none */
    /* 0: any symmetric log-concave law. 0.5 to 2: the spherical stable law of this index, with characteristic
     * function exp(-|t|^stable) in each direction; lengths are then in its units. */
    double stable;
} scrim_admissible_options;

typedef struct scrim_admissible {
    double inner, outer;   /* radii of balls inside and around the body, in deviations */
    double reach, density; /* the density is at least this within this of each quantile */
    double units;          /* for which these hold, whatever the noise */
    double units_error;    /* for which the error is as wanted; INFINITY: none suffices */
} scrim_admissible;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_admissible_find(
    const scrim_admissible_options *options, scrim_admissible *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
