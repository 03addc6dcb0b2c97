/* How accurate a mechanism is on one input, from its exact law: the best beta for a gamma.
 *
 * With R the values f(x') over all x' within distortion alpha of x, and err(y) the distance of an
 * outcome y from the nearest of R, the best beta at gamma is the (1 - gamma)-quantile of err: the
 * least b with P(err > b) <= gamma. The mean of err is the average form at gamma 0.
 *
 * Claim  flexible-evaluation.quantile  no outcome that is beyond beta has its probability left out:
 *                                      P(err > beta) <= gamma, and below beta_lower it is not
 *
 * Reference  spec/flexible-accuracy.md 4.1
 */
#ifndef SC_ACCURACY_FLEXIBLE_EVALUATION_H
#define SC_ACCURACY_FLEXIBLE_EVALUATION_H

#include "distance/wasserstein.h"
#include "model/outcomes.h"

typedef struct sc_evaluation {
    sc_span beta; /* P(err > beta) <= gamma; infinite where too much is not listed */
    sc_span beta_lower; /* no smaller b has that; the same but where masses are vague */
    sc_ball mean;       /* of err; not finite where there is a tail that is not listed */
} sc_evaluation;

void sc_evaluation_init(sc_evaluation *out);
void sc_evaluation_clear(sc_evaluation *evaluation);
/* law has outcomes of one number each; reachable, sorted and not empty, are the values of R.
 * SCRIM_E_PARAM otherwise, and for a gamma outside of [0, 1]; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_evaluate(const sc_outcomes *law,
                                        const sc_masses *reachable, const sc_ratio *gamma,
                                        long bits, sc_evaluation *out,
                                        scrim_error *error);

#endif
