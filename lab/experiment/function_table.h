/* The sensitivities of flexible accuracy, for a function that is given as a table.
 *
 * An input x has a true value f(x), and a mechanism M answers it with f(x) itself or by a distribution. Both
 * spaces have a distance (metric) and a measure of distortion, which need not be symmetric.
 *
 *   distortion(a)  how much an input must be distorted so that its true value is any output within distortion a of
 *                  the old one: the largest, over x and outputs y within a of f(x), of the least distortion from x
 *                  to an x' whose value is y, or within omega of y
 *   error(b)       how far the answer on x is from the best value of an input within distortion alpha of x', but
 *                  for a probability gamma: the largest over x and x' within b. At 0 this is the beta for which M is
 *                  (alpha, beta, gamma)-accurate for f. Without a mechanism, with alpha and gamma 0, it is how far
 *                  values move if inputs move by b: the metric sensitivity.
 *
 * Both are step functions. Random inputs and outputs need no rule of their own: for the first, a random output is as
 * costly as its most costly value, and where less than all mass may be lost the largest cost is that of one value.
 * For the second, a coupling of random inputs pairs inputs within b, and the lost mass of a mixture is the mean of
 * that of its pairs.
 *
 * Claim  function-table.distortion  the distortion sensitivity is the least for which the definition holds
 * Claim  function-table.error       the error sensitivity is the least for which the definition holds
 *
 * Reference  docs/spec/flexible-accuracy.md 4.3
 */
#ifndef LAB_EXPERIMENT_FUNCTION_TABLE_H
#define LAB_EXPERIMENT_FUNCTION_TABLE_H

#include "lab/lab.h"
#include "lab/quantity.h"

/* A distance that may be infinite. */
typedef struct lab_length {
    bool is_infinite;
    fmpq_t value; /* 0 if infinite */
} lab_length;

/* Distances between all pairs of points: at[from * count + to]. */
typedef struct lab_distances {
    size_t count;
    lab_length *at;
} lab_distances;

/* The points of a space. */
typedef struct lab_points {
    size_t count;
    const char *const *names;         /* numbers, or any words */
    const scrim_law_list *histograms; /* NULL: points are their names */
} lab_points;

/* How far points are apart: by "absolute", which is |a - b| of numbers, by a kind of scrim_distance_between for
 * histograms, or by a list, where pairs that are not listed are infinitely far apart. */
typedef struct lab_measure {
    const char *kind; /* NULL: by the list */
    const char *eta;  /* of drop-move; NULL: 1 */
    const scrim_step *steps;
    size_t step_count;
} lab_measure;

/* Fills out, which lab_distances_clear releases. SCRIM_E_PARAM, SCRIM_E_INPUT and SCRIM_E_LIMIT as
 * scrim_distance_between, SCRIM_E_INPUT also for a name that is not a number; SCRIM_E_MEMORY. Nothing is to be
 * released after a failure. */
SCRIM_MUST_USE scrim_status lab_distances_fill(const lab_points *points,
                                               const lab_measure *measure,
                                               lab_distances *out, scrim_error *error);
void lab_distances_clear(lab_distances *distances); /* zeroed is allowed */

/* An answer of the mechanism, with a weight relative to the others of its input. */
typedef struct lab_answer {
    size_t input, output;
    const char *mass; /* exact, at least 0 */
} lab_answer;

typedef struct lab_function_table {
    size_t inputs, outputs;
    const size_t *value;                   /* f(x), for each input */
    const lab_distances *input_distortion; /* of inputs; NULL: nothing is distorted */
    const lab_distances *input_metric;
    const lab_distances *output_distortion, *output_metric;
    const lab_answer *answers; /* NULL: the mechanism is f itself */
    size_t answer_count;
} lab_function_table;

/* The sensitivity is value from `at` on, up to the next step, because of `input` and `other`: for distortion an input
 * and an output, for error two inputs. The first step is at 0. Texts are exact, or "inf". */
typedef struct lab_step {
    char at[LAB_QUANTITY_TEXT_BYTES], value[LAB_QUANTITY_TEXT_BYTES];
    size_t input, other;
} lab_step;

/* omega is exact text; steps is to be released with free. SCRIM_E_PARAM, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status lab_distortion_sensitivity(const lab_function_table *table,
                                                       const char *omega,
                                                       lab_step **steps, size_t *count,
                                                       scrim_error *error);
/* alpha is at least 0, and gamma at least 0 and less than 1. SCRIM_E_PARAM also if the answers of an input have no
 * mass. */
SCRIM_MUST_USE scrim_status lab_error_sensitivity(const lab_function_table *table,
                                                  const char *alpha, const char *gamma,
                                                  lab_step **steps, size_t *count,
                                                  scrim_error *error);

#endif
