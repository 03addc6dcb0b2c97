/* The sparse vector family, from options structs: scrim/measurement.h says what all of these have
 * in common. Queries meet them all at once in scrim_release (scrim/ledger.h), or one by one in a
 * run (scrim/run.h).
 *
 * A member is the parameter of its name in the line, '_' for '-'; what a parameter may be is told
 * by the message that refuses another.
 */
#ifndef SCRIM_SPARSE_H
#define SCRIM_SPARSE_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Halts at the first query above the threshold. */
typedef struct scrim_above_threshold_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *sensitivity;     /* required; of each query */
    const char *threshold;       /* required; an integer */
    const char
        *monotone; /* "yes": all queries rise or all fall, under SCRIM_ADD_REMOVE */
} scrim_above_threshold_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_above_threshold_new(const scrim_above_threshold_options *options,
                          scrim_measurement **out, scrim_error *error);

/* Halts at the count-th query above it. */
typedef struct scrim_sparse_vector_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *sensitivity;     /* required; of each query */
    const char *threshold;       /* required; an integer */
    const char *count;           /* required */
    const char *form;    /* "a", one threshold, or "b", one for each answer; NULL: "a" */
    const char *numeric; /* "yes": a query that is above is shown, with noise */
    const char *delta;   /* of form "b" only; NULL: 0 */
    const char
        *monotone; /* "yes": all queries rise or all fall, under SCRIM_ADD_REMOVE */
} scrim_sparse_vector_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_sparse_vector_new(const scrim_sparse_vector_options *options,
                        scrim_measurement **out, scrim_error *error);

/* Noise of a chosen kind and size, accounted as a Renyi curve. */
typedef struct scrim_generalised_sparse_vector_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *sensitivity;     /* required; of each query */
    const char *threshold;       /* required; an integer */
    const char *threshold_scale; /* of Laplace noise; this or the variance of Gaussian */
    const char *threshold_variance;
    const char *query_scale; /* this or the variance */
    const char *query_variance;
    const char *count;       /* NULL: 1 */
    const char *length;      /* the most queries that are answered; NULL: without end */
    const char *resample;    /* "yes": a threshold for each answer */
    const char *nonnegative; /* "yes": queries are at least 0 */
    const char *delta;       /* at which an epsilon is charged; NULL: a curve alone */
} scrim_generalised_sparse_vector_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_generalised_sparse_vector_new(
    const scrim_generalised_sparse_vector_options *options, scrim_measurement **out,
    scrim_error *error);

/* The same in stages of so many answers, each with noise of its own. */
typedef struct scrim_stagewise_sparse_vector_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *sensitivity;     /* required; of each query */
    const char *threshold;       /* required; an integer */
    const char *threshold_scale; /* of Laplace noise; this or the variance of Gaussian */
    const char *threshold_variance;
    const char *query_scale; /* this or the variance */
    const char *query_variance;
    const char *count;        /* required */
    const char *stage;        /* required; answers in a stage */
    const char *stage_length; /* the most queries of a stage; NULL: without end */
    const char *resample;     /* "yes": a threshold for each answer */
    const char *nonnegative;  /* "yes": queries are at least 0 */
    const char *delta;        /* at which an epsilon is charged; NULL: a curve alone */
} scrim_stagewise_sparse_vector_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_stagewise_sparse_vector_new(const scrim_stagewise_sparse_vector_options *options,
                                  scrim_measurement **out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
