/* The sensitivities of flexible accuracy, computed over families that are listed whole.
 *
 * A map takes each of a list of inputs to one of a list of outputs. Inputs have a distance (how far
 * elements move) or a distortion; outputs have a distance. Where the lists are all there is, what
 * is computed is the sensitivity itself; otherwise it is that of the family.
 *
 *   metric      the largest distance of the outputs of two inputs within b
 *   distortion  the least s such that each output within a of f(x) is the output of an input within
 *               s of x; infinite where one is of none
 *   error       of laws X and X' of inputs: the least b such that M(X) and f(Y) are within b but for
 *               gamma2, for some Y whose values are within alpha2 of those of X'
 *
 * Reference  spec/flexible-accuracy.md 4.3
 */
#ifndef SENSITIVITIES_H
#define SENSITIVITIES_H

#include "distance/wasserstein.h"

/* Places of the grounds are indices of the lists. */
typedef struct finite_map {
    size_t input_count, output_count;
    const size_t *image;     /* the output of each input */
    const sc_ground *input;  /* distance or distortion from one input to another */
    const sc_ground *output; /* distance from one output to another */
} finite_map;

sc_distance metric_sensitivity(const finite_map *map, int64_t b);
sc_distance distortion_sensitivity(const finite_map *map, int64_t a);

/* The question of error sensitivity about one pair of laws. */
typedef struct error_question {
    const finite_map *f; /* its input is the distortion that alpha2 bounds */
    const sc_masses
        *mechanism; /* the law of M on each input, over outputs; all of one total */
    const sc_masses *x, *x_prime; /* laws of inputs, sorted */
    int64_t alpha2;
    const sc_ratio *gamma2;
} error_question;

/* SCRIM_E_LIMIT above 2^20 pairs or a total of 2^62, SCRIM_E_PARAM for unlike totals,
 * SCRIM_E_MEMORY. The sensitivity is the largest over all pairs of laws within beta1 but for
 * gamma1. */
SCRIM_MUST_USE scrim_status error_span(const error_question *question, sc_distance *out,
                                       scrim_error *error);

#endif
