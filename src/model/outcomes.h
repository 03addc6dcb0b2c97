/* The exact law of a mechanism's output on one input: outcomes with their probabilities.
 *
 * An outcome is a key of width integers; equal keys mean equal outcomes, whatever the input, so
 * that two laws can be held against each other. What is not listed has together the mass rest:
 * 0 for a finite law, a tail for noise.
 */
#ifndef SC_MODEL_OUTCOMES_H
#define SC_MODEL_OUTCOMES_H

#include "base/number/ball.h"
#include "base/status.h"

typedef struct sc_outcomes {
    size_t width; /* integers of a key */
    size_t count, capacity;
    int64_t *keys; /* count * width */
    sc_ball *mass;
    sc_ball rest; /* at least the mass that is not listed, at most 1 */
} sc_outcomes;

#define SC_OUTCOMES_MAX ((size_t)1 << 20) /* SCRIM_E_LIMIT above it */

/* The order of two keys: below 0, 0 or above. */
int sc_outcomes_compare(const int64_t *a, const int64_t *b, size_t width);

void sc_outcomes_init(sc_outcomes *outcomes, size_t width); /* empty; rest is 0 */
void sc_outcomes_clear(sc_outcomes *outcomes);
/* Adds an outcome; the mass of one that is there already is added to it when sorted. */
SCRIM_MUST_USE scrim_status sc_outcomes_add(sc_outcomes *outcomes, const int64_t *key,
                                            const sc_ball *mass, scrim_error *error);
/* Sorts by key and merges equal keys. */
SCRIM_MUST_USE scrim_status sc_outcomes_sort(sc_outcomes *outcomes, long bits,
                                             scrim_error *error);
/* Sum of all masses and rest: a law holds 1. */
void sc_outcomes_total(const sc_outcomes *outcomes, long bits, sc_ball *out);

#endif
