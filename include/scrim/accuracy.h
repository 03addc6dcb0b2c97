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

/* Where a list was read, so that a message can say which line is wrong. */
typedef struct scrim_list_lines {
    const char *name;    /* of the file; NULL: a message counts places */
    const size_t *lines; /* of each of them, from 1 on; NULL: they follow one another */
} scrim_list_lines;

typedef struct scrim_distance_options {
    size_t size;
    const char *loss;    /* of wasserstein: gamma, from 0 to 1; NULL: 0 */
    const char *eta;     /* of drop-move: what it costs to move by 1; NULL: 1 */
    int is_average;      /* of wasserstein: the mean distance in place of the largest */
    unsigned dimensions; /* numbers of a place, up to 8; 0: 1 */
    const char *norm;    /* "1", "2" or "max", where there are several; NULL: "1" */
    const scrim_step *steps; /* a metric of named places; NULL: numbers */
    size_t step_count;
    scrim_list_lines a_lines, b_lines, step_lines; /* for messages; may stay zero */
} scrim_distance_options;

#define SCRIM_DISTANCE_BYTES 512
#define SCRIM_DECIMAL_BYTES 64

typedef struct scrim_distance {
    int is_infinite; /* then both texts are "inf" */
    /* "4", "0.2", "7/3"; where norm 2 makes it no fraction, "sqrt(5)" or "1/3 + sqrt(5)" */
    char exact[SCRIM_DISTANCE_BYTES];
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
 * A law is a histogram divided by its total. With norm 2 squares of distances are compared,
 * exactly; a mean of roots has no such form, so that there is no average. SCRIM_E_PARAM for an
 * unknown kind and for an option that is wrong or not of that kind; SCRIM_E_INPUT for a place or a
 * mass that cannot be read, for an empty side of a law or of hausdorff; SCRIM_E_LIMIT beyond 2^61
 * common steps (of norm 2, 2^28), a total of 2^62, or, anywhere but on the line, 2^20 pairs of
 * places; SCRIM_E_MEMORY. out is written on success only. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_distance_between(
    const char *kind, const scrim_place *a, size_t a_count, const scrim_place *b,
    size_t b_count, const scrim_distance_options *options, scrim_distance *out,
    scrim_error *error);

/* A statement of flexible accuracy: on some input that is at most alpha from the true one in the
 * distortion, the answer is within beta but for a probability of gamma. Numbers are exact text;
 * those that a function writes are rounded up where they are long. */
typedef struct scrim_flexible {
    char alpha[SCRIM_NUMBER_BYTES];
    char beta[SCRIM_NUMBER_BYTES]; /* "": without a bound */
    char gamma[SCRIM_NUMBER_BYTES];
    char eta[SCRIM_NUMBER_BYTES]; /* of drop-move; else "" */
    const char *distortion;       /* "drop", "move" or "drop-move" */
    const char *metric;           /* of beta: one word, such as "absolute" or "move" */
    int is_average;               /* beta is a mean distance; else the largest */
    int is_count;                 /* alpha is a number of elements; else their share */
} scrim_flexible;

/* An exact statistic of what a first stage gives: (alpha, growth of beta, gamma). growth says how
 * far its values are apart on histograms of equal size whose elements are within beta: "same"
 * (maximum, minimum, support, quantiles), "unbounded" (mode, max_k: 0 at 0 and no bound beyond) or
 * a number that beta is multiplied with ("2": the range). input_metric is what growth was proved
 * for, and must be that of the statement. SCRIM_E_PARAM for what does not fit. out may be first. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_flexible_apply(
    const scrim_flexible *first, const char *input_metric, const char *growth,
    const char *output_metric, scrim_flexible *out, scrim_error *error);
/* A second stage with a statement of its own about what the first gives, where a distortion of that
 * is the same distortion of the input: alphas add up, of two drops as 1 - (1 - a)(1 - b); beta is
 * the second's and the growth of the first's; gammas add up to 1 at most. SCRIM_E_PARAM where
 * distortions, metrics, worst case and average, or counts and shares do not fit. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_flexible_then(
    const scrim_flexible *first, const scrim_flexible *second, const char *input_metric,
    const char *growth, scrim_flexible *out, scrim_error *error);

/* The best beta of a mechanism on one input, from its exact law: the least b such that its answer
 * is further than b from each of the values that can be reached by distorting the input, with a
 * probability of at most gamma. In the integers that the mechanism is asked about. beta is "inf"
 * where more than gamma of the law is beyond what can be listed. It computes with a law and draws
 * nothing. SCRIM_E_PARAM for a mechanism whose answer is not one number, SCRIM_E_LIMIT for a law
 * that is too long, SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_flexible_evaluate(
    const scrim_measurement *measurement, const int64_t *input, size_t input_count,
    const int64_t *reachable, size_t reachable_count, const char *gamma,
    char beta[SCRIM_NUMBER_BYTES], scrim_error *error);

/* "robust-laplace" releases a number that is itself drawn, as the answer of a randomised query is.
 * What Laplace noise of scale rho / epsilon does to it, rounded up. */
typedef struct scrim_robust_bounds {
    char average[SCRIM_NUMBER_BYTES]; /* beta at gamma as a mean */
    char worst[SCRIM_NUMBER_BYTES]; /* beta at gamma as a largest distance; "inf" at 0 */
    /* Outputs that are within rho of each other are within exp of this: the guarantee of inputs,
     * which is epsilon itself, does not hold of outputs. */
    char output_epsilon[SCRIM_NUMBER_BYTES];
} scrim_robust_bounds;

/* SCRIM_E_PARAM unless rho and epsilon are above 0 and gamma is in [0, 1]. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_robust_bounds_of(const char *rho,
                                                             const char *epsilon,
                                                             const char *gamma,
                                                             scrim_robust_bounds *out,
                                                             scrim_error *error);

/* The laws of a randomised query on its inputs, and which inputs are neighbours. */
typedef struct scrim_law_list {
    const scrim_place *places;
    size_t count;
} scrim_law_list;
typedef struct scrim_law_pair {
    size_t first, second;
} scrim_law_pair;

/* The rho to give to robust-laplace: the largest distance of the laws of two neighbours, but for a
 * mass of theta. Where it is 0, a drawn value may be shown as it is, for a delta of theta. Errors
 * of scrim_distance_between; SCRIM_E_PARAM for a pair of laws that there are not. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_theta_sensitivity(
    const scrim_law_list *laws, size_t law_count, const scrim_law_pair *pairs,
    size_t pair_count, const char *theta, scrim_distance *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
