/* The divergences of two listed laws, outcome by outcome: the plain road to the numbers of a
 * privacy curve.
 *
 *     summation sum;
 *     if (summation_open(&sum, &sc_laplace, "sensitivity=1 epsilon=1", &pair)) {
 *         summation_delta(&sum, &epsilon, &delta);
 *         summation_close(&sum);
 *     }
 */
#ifndef SUMMATION_H
#define SUMMATION_H

#include "check.h"
#include "model/measurement.h"

#define SUMMATION_BITS 256

typedef struct summation {
    scrim_measurement *measurement;
    sc_outcomes p, q;
} summation;

/* A model by its line, of this mechanism, and the laws on both inputs of a pair. False, with a
 * failed check, when there is no such model or law. */
bool summation_open(summation *sum, const sc_mechanism *mechanism, const char *parameters,
                    const sc_pair *pair);
/* Two laws of outcomes 0, 1, ... with these probabilities, without a measurement. */
void summation_open_list(summation *sum, const sc_ball *p, const sc_ball *q,
                         size_t count);
void summation_close(summation *sum);

/* sum max(0, p - exp(epsilon) q), and the same with p and q exchanged. */
void summation_delta(const summation *sum, const sc_ratio *epsilon, sc_ball *out);
void summation_delta_back(const summation *sum, const sc_ratio *epsilon, sc_ball *out);
/* ln(sum p^order q^(1-order)) / (order - 1), over what both list. */
void summation_renyi(const summation *sum, const sc_ratio *order, sc_ball *out);

#endif
