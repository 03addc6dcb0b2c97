/* Floating bodies: the region of several columns that is central from every direction, released once and then
 * studied free of charge.
 *
 * A body is an intersection of half-spaces. Each has a public direction and a private quantile of the data along it.
 * Only the quantiles cost budget: projections, depths, outliers, samples, minima and comparisons are computed from
 * the released body and need neither vault nor data. A body is kept as a JSON text with its label.
 *
 *     scrim_body *body = NULL;
 *     if (scrim_body_read(text, strlen(text), &body, &error) == SCRIM_OK)
 *         ...
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

#ifdef __cplusplus
}
#endif

#endif
