/* Exact distances between histograms and between distributions, used by flexible accuracy.
 *
 *     scrim_place before[] = {{"1", "3"}, {"5", "2"}}, after[] = {{"1", "2"}, {"5", "2"}};
 *     scrim_distance distance;
 *     if (scrim_distance_between("drop", before, 2, after, 2, NULL, &distance, &error) == SCRIM_OK)
 *         printf("%s\n", distance.exact);
 *
 * These functions compute with the numbers that they are given. They use no ledger and no vault,
 * and add no noise: results from private numbers are private.
 */
#ifndef SCRIM_ACCURACY_H
#define SCRIM_ACCURACY_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place and the mass there, both exact text. A place is a number, several numbers
 * separated by commas, or a name of the given metric. A mass is at least 0; NULL means
 * 1. It must be whole if elements are counted. The masses of a distribution may be any
 * numbers if both sides have the same total. */
typedef struct scrim_place {
    const char *place;
    const char *mass;
} scrim_place;

/* The distance from one named place to another. The way back has the same length
 * unless it is listed with its own. A pair that is not listed is infinitely far apart;
 * a place has distance 0 from itself. */
typedef struct scrim_step {
    const char *from, *to;
    const char *length; /* exact text, at least 0 */
} scrim_step;

/* Where a list was read, so that a message can name the line. */
typedef struct scrim_list_lines {
    const char *name;    /* of the file; NULL: messages count places */
    const size_t *lines; /* line of each place, counted from 1; NULL: consecutive */
} scrim_list_lines;

typedef struct scrim_distance_options {
    size_t size;
    const char *loss;        /* wasserstein: gamma, 0 to 1; NULL: 0 */
    const char *eta;         /* drop-move: price of moving by 1; NULL: 1 */
    int is_average;          /* wasserstein: the mean distance instead of the largest */
    unsigned dimensions;     /* numbers in a place, at most 8; 0: 1 */
    const char *norm;        /* for several dimensions: "1", "2" or "max"; NULL: "1" */
    const scrim_step *steps; /* a metric of named places; NULL: numbers */
    size_t step_count;
    scrim_list_lines a_lines, b_lines, step_lines; /* for messages; may be zero */
} scrim_distance_options;

#define SCRIM_DISTANCE_BYTES 512
#define SCRIM_DECIMAL_BYTES 64

typedef struct scrim_distance {
    int is_infinite; /* both texts are then "inf" */
    /* "4", "0.2", "7/3"; with norm 2 also "sqrt(5)" or "1/3 + sqrt(5)" */
    char exact[SCRIM_DISTANCE_BYTES];
    char decimal[SCRIM_DECIMAL_BYTES]; /* 15 digits, rounded up */
} scrim_distance;

/* The kinds of distances. Constant text. */
typedef struct scrim_distance_kind {
    const char *name;    /* "wasserstein" */
    const char *summary; /* one line */
} scrim_distance_kind;

/* Index from 0; NULL past the last. */
SCRIM_API const scrim_distance_kind *scrim_distance_kind_at(size_t index);

/* The distance of this kind from a to b:
 *
 *   tv           total variation of the two distributions
 *   l1, l2       of the two lists of counts: the sum of the differences, or the root of the sum of
 *                their squares
 *   wasserstein  the largest distance that mass must move, ignoring a mass of loss on both sides
 *                together; or the mean distance
 *   w2           the root of the least mean of the squares of how far mass moves, in norm 2
 *   hausdorff    distance of the two sets of places
 *   drop         the fraction of a that b lacks; infinite unless b is contained in a
 *   move         the largest distance that an element moves; infinite unless both have the same
 *                number of elements
 *   drop-move    drop plus eta times move
 *
 * A distribution is a histogram divided by its total. Norm 2 is computed exactly and has no
 * average.
 *
 * SCRIM_E_PARAM: unknown kind, or an option that is wrong or not for this kind.
 * SCRIM_E_INPUT: a place or mass cannot be read, or a side is empty (tv, wasserstein, w2, hausdorff).
 * SCRIM_E_LIMIT: more than 2^61 common steps (norm 2: 2^28), a total above 2^62, or more than 2^20
 * pairs of places unless the places are single numbers. SCRIM_E_MEMORY.
 * out is written on success only. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_distance_between(
    const char *kind, const scrim_place *a, size_t a_count, const scrim_place *b,
    size_t b_count, const scrim_distance_options *options, scrim_distance *out,
    scrim_error *error);

/* A statement of flexible accuracy. There is an input within distance alpha of the
 * true one (in the distortion) such that the answer is within beta of its true value,
 * except with probability gamma. Numbers are exact text; long numbers that a function
 * writes are rounded up. */
typedef struct scrim_flexible {
    char alpha[SCRIM_NUMBER_BYTES];
    char beta[SCRIM_NUMBER_BYTES]; /* "": unbounded */
    char gamma[SCRIM_NUMBER_BYTES];
    char eta[SCRIM_NUMBER_BYTES]; /* of drop-move; else "" */
    const char *distortion;       /* "drop", "move" or "drop-move" */
    const char *metric;           /* of beta: a word such as "absolute" or "move" */
    int is_average;               /* beta is a mean distance, else the largest */
    int is_count;                 /* alpha is a number of elements, else a fraction */
} scrim_flexible;

/* Applies an exact statistic to the output of a first stage: (alpha, growth of beta,
 * gamma). growth says how far the statistic's values are apart if elements move by at
 * most beta: "same" (maximum, minimum, support, quantiles), "unbounded" (mode, max_k:
 * 0 at 0, else no bound) or a factor ("2": the range). input_metric is the metric that
 * growth was proved for, and must be that of the statement. SCRIM_E_PARAM if they do
 * not fit. out may be first. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_flexible_apply(
    const scrim_flexible *first, const char *input_metric, const char *growth,
    const char *output_metric, scrim_flexible *out, scrim_error *error);
/* Reads a statement about histograms, whose elements move by at most beta, with the distortion drop-move: any
 * statistic of the histogram is (alpha + eta beta, 0, gamma)-accurate, whatever its values are. eta, the price of
 * moving by 1, is above 0. SCRIM_E_PARAM unless the statement is the worst case, of drop (or of drop-move with this
 * eta), alpha is a fraction, and beta is bounded and in a metric "move...". out may be first. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_flexible_distort(const scrim_flexible *first,
                                                             const char *eta,
                                                             const char *output_metric,
                                                             scrim_flexible *out,
                                                             scrim_error *error);
/* Adds a second stage that has its own statement about the first stage's output, where
 * a distortion of that output is the same distortion of the input. Alphas are added
 * (two drops: 1 - (1 - a)(1 - b)). beta is the second's plus the growth of the
 * first's. Gammas are added, up to 1. SCRIM_E_PARAM if distortions, metrics, worst
 * case and average, or counts and fractions do not fit. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_flexible_then(
    const scrim_flexible *first, const scrim_flexible *second, const char *input_metric,
    const char *growth, scrim_flexible *out, scrim_error *error);

/* The best beta of a mechanism on one input, from its exact distribution: the smallest
 * b such that the answer is farther than b from every value that a distorted input can
 * have with probability at most gamma. Inputs and beta are in steps of the mechanism's
 * grid. beta is "inf" if more than gamma of the distribution cannot be listed, as at
 * gamma 0 for noise without a bound. Nothing is drawn.
 * SCRIM_E_PARAM: the mechanism's answer is not one number. SCRIM_E_LIMIT: too many
 * outcomes. SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_flexible_evaluate(
    const scrim_measurement *measurement, const int64_t *input, size_t input_count,
    const int64_t *reachable, size_t reachable_count, const char *gamma,
    char beta[SCRIM_NUMBER_BYTES], scrim_error *error);
/* The same in the average form: the mean distance, where the largest distances, which have
 * together the probability gamma, count as 0. Rounded up to nine decimals. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_flexible_evaluate_average(
    const scrim_measurement *measurement, const int64_t *input, size_t input_count,
    const int64_t *reachable, size_t reachable_count, const char *gamma,
    char beta[SCRIM_NUMBER_BYTES], scrim_error *error);
/* An input, and what it is evaluated against: numbers as text, "12.5", in the unit of the
 * mechanism's input. */
typedef struct scrim_flexible_question {
    const char *const *input;
    size_t input_count;
    const char *const *reachable; /* the values that a distorted input can have */
    size_t reachable_count;
    const char *gamma;
    int is_average; /* 1: the mean distance; 0: the largest one */
} scrim_flexible_question;
/* Either of them, with beta in the same unit. SCRIM_E_PARAM also for a number that is not
 * a whole number of steps of the mechanism's grid. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_flexible_evaluate_numbers(
    const scrim_measurement *measurement, const scrim_flexible_question *question,
    char beta[SCRIM_NUMBER_BYTES], scrim_error *error);

/* Bounds for "robust-laplace", which adds Laplace noise of scale rho / epsilon to a
 * number that was itself drawn, such as the answer of a randomised query. Rounded up. */
typedef struct scrim_robust_bounds {
    char average[SCRIM_NUMBER_BYTES]; /* beta at gamma, as a mean */
    /* beta at gamma, as the largest distance; "inf" at 0 */
    char worst[SCRIM_NUMBER_BYTES];
    /* Privacy loss between outputs that are within rho of each other. It may exceed
     * epsilon, which is guaranteed for inputs only. */
    char output_epsilon[SCRIM_NUMBER_BYTES];
} scrim_robust_bounds;

/* SCRIM_E_PARAM unless rho and epsilon are above 0 and gamma is in [0, 1]. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_robust_bounds_of(const char *rho,
                                                             const char *epsilon,
                                                             const char *gamma,
                                                             scrim_robust_bounds *out,
                                                             scrim_error *error);

/* The distributions of a randomised query on its inputs, and which inputs are
 * neighbours. */
typedef struct scrim_law_list {
    const scrim_place *places;
    size_t count;
} scrim_law_list;
typedef struct scrim_law_pair {
    size_t first, second;
} scrim_law_pair;

/* The rho for robust-laplace: the largest distance between the distributions of two
 * neighbours, ignoring a mass of theta. If it is 0, a drawn value may be shown as it
 * is, with delta theta. Errors as scrim_distance_between; SCRIM_E_PARAM for an unknown
 * distribution. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_theta_sensitivity(
    const scrim_law_list *laws, size_t law_count, const scrim_law_pair *pairs,
    size_t pair_count, const char *theta, scrim_distance *out, scrim_error *error);

/* All of its steps: from theta on, up to the theta of the next step, the largest distance is
 * sensitivity, between the distributions of this pair. The first theta is 0, and the last
 * sensitivity is 0 unless there are no pairs. */
typedef struct scrim_theta_step {
    char theta[SCRIM_NUMBER_BYTES]; /* exact */
    char sensitivity[SCRIM_NUMBER_BYTES];
    size_t pair; /* index into pairs */
} scrim_theta_step;

/* Writes at most capacity steps, and their number to count. With a theta, 0 to 1, only the
 * step that holds there; NULL: all. Errors as scrim_theta_sensitivity; SCRIM_E_LIMIT also if
 * there are more steps than capacity, or a number is too long. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_theta_steps(
    const scrim_law_list *laws, size_t law_count, const scrim_law_pair *pairs,
    size_t pair_count, const char *theta, scrim_theta_step *steps, size_t capacity,
    size_t *count, scrim_error *error);

/* The statement that "robust-laplace", and a mechanism wrapped by "robust", make beside their privacy. If the
 * distributions of two inputs of the noise are within rho, ignoring a mass of theta, its outputs
 * are (epsilon, theta)-indistinguishable. Outputs that are themselves within rho, with theta 0,
 * are so at output_epsilon only, rounded up. Others are exact. */
typedef struct scrim_robustness {
    char rho[SCRIM_NUMBER_BYTES];
    char epsilon[SCRIM_NUMBER_BYTES];
    char theta[SCRIM_NUMBER_BYTES];
    char output_epsilon[SCRIM_NUMBER_BYTES];
} scrim_robustness;

/* SCRIM_E_PARAM for a measurement that states none; out is untouched then. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_measurement_robustness(
    const scrim_measurement *measurement, scrim_robustness *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
