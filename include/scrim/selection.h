/* The mechanisms that choose, from options structs: scrim/measurement.h says what all of these
 * have in common. Their scores, rows or values meet them in scrim_release (scrim/ledger.h).
 *
 *     scrim_measurement *winner;
 *     scrim_error error;
 *     if (scrim_permute_and_flip_new(
 *             SCRIM_OPTIONS(scrim_permute_and_flip_options, .neighbours = SCRIM_ADD_REMOVE,
 *                           .sensitivity = "1", .epsilon = "1/2", .monotone = "yes"),
 *             &winner, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *
 * A member is the parameter of its name in the line, '_' for '-'; what a parameter may be is told
 * by the message that refuses another.
 */
#ifndef SCRIM_SELECTION_H
#define SCRIM_SELECTION_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of several candidates by their scores: that of the largest score, nearly. */

typedef struct scrim_exponential_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *sensitivity;     /* required; of each score */
    const char *monotone; /* "yes": all scores rise or all fall, under SCRIM_ADD_REMOVE */
    const char *grid;     /* NULL: the integers */
    const char *lower, *upper; /* scores are clamped to them; NULL: they are not */
} scrim_exponential_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_exponential_new(const scrim_exponential_options *options, scrim_measurement **out,
                      scrim_error *error);

typedef struct scrim_permute_and_flip_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *sensitivity;     /* required; of each score */
    const char *monotone; /* "yes": all scores rise or all fall, under SCRIM_ADD_REMOVE */
    const char *grid;     /* NULL: the integers */
    const char *lower, *upper;
} scrim_permute_and_flip_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_permute_and_flip_new(const scrim_permute_and_flip_options *options,
                           scrim_measurement **out, scrim_error *error);

typedef struct scrim_one_sided_noisy_max_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *sensitivity;     /* required; of each score */
    const char *monotone; /* "yes": all scores rise or all fall, under SCRIM_ADD_REMOVE */
    const char *grid;     /* NULL: the integers */
    const char *lower, *upper;
} scrim_one_sided_noisy_max_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_one_sided_noisy_max_new(const scrim_one_sided_noisy_max_options *options,
                              scrim_measurement **out, scrim_error *error);

typedef struct scrim_noisy_max_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *sensitivity;     /* required; of each score */
    const char *monotone; /* "yes": all scores rise or all fall, under SCRIM_ADD_REMOVE */
    const char *grid;     /* NULL: the integers */
    const char *lower, *upper;
    const char *noise; /* "laplace" or "geometric"; NULL: "laplace" */
} scrim_noisy_max_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_noisy_max_new(
    const scrim_noisy_max_options *options, scrim_measurement **out, scrim_error *error);

typedef struct scrim_base2_exponential_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required */
    const char *sensitivity;     /* required; of each score */
    const char *monotone; /* "yes": all scores rise or all fall, under SCRIM_ADD_REMOVE */
    const char *grid;     /* NULL: the integers */
    const char *lower, *upper; /* required */
} scrim_base2_exponential_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_base2_exponential_new(const scrim_base2_exponential_options *options,
                            scrim_measurement **out, scrim_error *error);

/* Several candidates, the best first. */
typedef struct scrim_top_k_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* required; of all of them together */
    const char *sensitivity;     /* required; of each score */
    const char *monotone; /* "yes": all scores rise or all fall, under SCRIM_ADD_REMOVE */
    const char *grid;     /* NULL: the integers */
    const char *lower, *upper;
    const char *k;      /* required; how many */
    const char *method; /* "permute-and-flip" or "exponential"; NULL: the first */
} scrim_top_k_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_top_k_new(const scrim_top_k_options *options,
                                                      scrim_measurement **out,
                                                      scrim_error *error);

/* Quantiles of rows. */
typedef struct scrim_quantile_options {
    size_t size;
    scrim_neighbours neighbours; /* required */
    const char *p; /* required; in (0, 1), or several in increasing order: "1/4,1/2" */
    const char *epsilon;       /* required; of all of them together */
    const char *lower, *upper; /* required */
    const char *grid;          /* NULL: the integers */
    const char *max_rows;      /* that one unit may own; NULL: 1 */
    const char *form; /* "split" or "recursive"; NULL: what has the smaller error */
} scrim_quantile_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_quantile_new(
    const scrim_quantile_options *options, scrim_measurement **out, scrim_error *error);

/* Each person's own value, kept with a probability. */
typedef struct scrim_randomised_response_options {
    size_t size;
    scrim_neighbours neighbours; /* required: SCRIM_LOCAL or SCRIM_REPLACE */
    const char *epsilon;         /* this or keep */
    const char *keep;
    const char *values; /* how many different ones there are, from 0 on; NULL: 2 */
} scrim_randomised_response_options;

SCRIM_API SCRIM_MUST_USE scrim_status
scrim_randomised_response_new(const scrim_randomised_response_options *options,
                              scrim_measurement **out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
