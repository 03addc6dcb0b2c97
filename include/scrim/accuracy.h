/* Distances between histograms and between laws, exactly: what flexible accuracy is stated in.
 *
 *     scrim_place before[] = {{"1", "3"}, {"5", "2"}}, after[] = {{"1", "2"}, {"5", "2"}};
 *     scrim_distance distance;
 *     if (scrim_distance_between("drop", before, 2, after, 2, NULL, &distance, &error) == SCRIM_OK)
 *         printf("%s\n", distance.exact);
 *
 * These are calculators: they compute with the numbers they are given and know neither a ledger
 * nor a vault. Nothing that they say is a release; whoever gives them private numbers gets private
 * numbers back.
 */
#ifndef SCRIM_ACCURACY_H
#define SCRIM_ACCURACY_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place and how much lies there, both exact text. A place is a number, several numbers separated
 * by commas, or a name of the metric that is given. A mass is NULL, which is 1, or a number from 0
 * on: whole where elements are counted; a law may have any, if both sides add up to the same. */
typedef struct scrim_place {
    const char *place;
    const char *mass;
} scrim_place;

/* How far it is from one named place to another. The way back is as long, unless it is listed with
 * a length of its own; a pair that is not listed is infinitely far apart, and no place from
 * itself. */
typedef struct scrim_step {
    const char *from, *to;
    const char *length; /* exact text, from 0 on */
} scrim_step;

typedef struct scrim_distance_options {
    size_t size;
    const char *loss;    /* of wasserstein: gamma, from 0 to 1; NULL: 0 */
    const char *eta;     /* of drop-move: what it costs to move by 1; NULL: 1 */
    int is_average;      /* of wasserstein: the mean distance in place of the largest */
    unsigned dimensions; /* numbers of a place, up to 8; 0: 1 */
    const char *norm;    /* "1" or "max", where there are several; NULL: "1" */
    const scrim_step *steps; /* a metric of named places; NULL: numbers */
    size_t step_count;
} scrim_distance_options;

#define SCRIM_DISTANCE_BYTES 512
#define SCRIM_DECIMAL_BYTES 64

typedef struct scrim_distance {
    int is_infinite;                   /* then both texts are "inf" */
    char exact[SCRIM_DISTANCE_BYTES];  /* "4", "0.2", "7/3" */
    char decimal[SCRIM_DECIMAL_BYTES]; /* 15 digits, rounded up */
} scrim_distance;

/* Constant text: what can be asked for. */
typedef struct scrim_distance_kind {
    const char *name;    /* "wasserstein" */
    const char *summary; /* one line */
} scrim_distance_kind;

/* From 0 on; NULL past the last. */
SCRIM_API const scrim_distance_kind *scrim_distance_kind_at(size_t index);

/* The distance of this kind from a to b:
 *
 *   tv           total variation of the two laws
 *   wasserstein  the furthest that mass must move from one law to the other, but for a mass of
 *                loss on both sides together; or the mean distance
 *   hausdorff    of the two sets of places
 *   drop         the share of a that is missing in b; infinite unless b is within a
 *   move         the furthest that an element moves; infinite unless there are equally many
 *   drop-move    both, a step of 1 at the price of eta
 *
 * A law is a histogram divided by its total. SCRIM_E_PARAM for an unknown kind and for an option
 * that is wrong or not of that kind; SCRIM_E_INPUT for a place or a mass that cannot be read, for
 * an empty side of a law or of hausdorff; SCRIM_E_LIMIT beyond 2^61 common steps, a total of 2^62,
 * or, anywhere but on the line, 2^20 pairs of places; SCRIM_E_MEMORY. out is written on success
 * only. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_distance_between(
    const char *kind, const scrim_place *a, size_t a_count, const scrim_place *b,
    size_t b_count, const scrim_distance_options *options, scrim_distance *out,
    scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
