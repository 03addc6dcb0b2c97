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
#include "sampling/law.h"

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

/* The law of several independent answers, from the laws of each.
 *
 * Claim  outcomes-product.exact  each answer has the product of the masses of its parts; what is not
 *                                listed of the whole is what is not listed of any part
 */

/* The beginning of all keys, and the factor of all masses. */
typedef struct sc_outcomes_prefix {
    const int64_t *keys;
    size_t count;
    const sc_ball *factor; /* NULL: 1 */
} sc_outcomes_prefix;

/* Adds every combination of the outcomes of parts, each of width 1 and with at least one outcome, to
 * out, whose width is that of the prefix (NULL: none) and count. The rest of out grows by the factor times
 * what is not listed. SCRIM_E_LIMIT above SC_OUTCOMES_MAX, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_outcomes_product(const sc_outcomes *parts, size_t count,
                                                const sc_outcomes_prefix *prefix,
                                                long bits, sc_outcomes *out,
                                                scrim_error *error);

/* Values that are answered one by one, each independent of the others. */
typedef struct sc_outcomes_each {
    const int64_t *values;
    size_t count;
    /* Lists the outcomes of one value into out, which is empty and of width 1. */
    scrim_status (*list)(const void *context, int64_t value, long bits, sc_outcomes *out,
                         scrim_error *error);
    const void *context;
    sc_outcomes_prefix prefix;
} sc_outcomes_each;

SCRIM_MUST_USE scrim_status sc_outcomes_of_each(const sc_outcomes_each *each, long bits,
                                                sc_outcomes *out, scrim_error *error);

/* The law of numbers and of independent discrete Laplace noise that is added to each of them.
 *
 * Claim  outcomes-noise.exact  each listed sum has the mass of the convolution: the balls hold what the
 *                              part of the numbers' law that is not listed can add
 */

/* in is sorted, of width 1 and with at least one outcome; noise is discrete Laplace. out is empty, of
 * width 1, and becomes sorted; its rest is about 2^-(bits/2). Masses are precise where the rest of in
 * is far below that. SCRIM_E_LIMIT for too many outcomes, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_outcomes_add_laplace(const sc_outcomes *in,
                                                    const sc_law *noise, long bits,
                                                    sc_outcomes *out, scrim_error *error);

/* A key that is no number: what was not shown. It has no noise. */
#define SC_OUTCOMES_NO_NUMBER INT64_MIN
/* The same for each number of keys of any width. in need not be sorted. Each slice of outcomes that
 * differ in one number has its share of the rest. */
SCRIM_MUST_USE scrim_status sc_outcomes_add_laplace_each(const sc_outcomes *in,
                                                         const sc_law *noise, long bits,
                                                         sc_outcomes *out,
                                                         scrim_error *error);

#endif
