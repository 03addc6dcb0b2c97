/* The law of numbers and of independent discrete Laplace noise that is added to each of them.
 *
 * Claim  outcomes-noise.exact  each listed sum has the mass of the convolution: the balls hold what the
 *                              part of the numbers' law that is not listed can add
 */
#ifndef SC_MODEL_OUTCOMES_NOISE_H
#define SC_MODEL_OUTCOMES_NOISE_H

#include "model/outcomes.h"
#include "sampling/law.h"

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
