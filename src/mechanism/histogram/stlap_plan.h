/* Planning a histogram on buckets before there are data: of epsilon, delta, the fraction alpha that
 * may be lost and the distance beta that an element may be moved, three are given and the fourth
 * follows.
 *
 * The numbers lie in an interval of a length B, cut into t equal buckets, and there are n elements,
 * which is public. No bar loses more than q of them, so that alpha = t q / n.
 *
 *     alpha is wanted     t from beta, the least q from epsilon and delta
 *     delta is wanted     t from beta, q = floor(alpha n / t), its delta at epsilon
 *     epsilon is wanted   t from beta, q = floor(alpha n / t), the least epsilon for delta
 *     beta is wanted      the least q from epsilon and delta, t = floor(alpha n / q), beta = B / (2 t)
 *
 * Claim  stlap-plan.holds  a plan has at most the epsilon, delta, alpha and beta that it tells, and
 *                          no number of it is above one that was given
 *
 * Reference  spec/flexible-accuracy.md 5.5
 */
#ifndef SC_MECHANISM_HISTOGRAM_STLAP_PLAN_H
#define SC_MECHANISM_HISTOGRAM_STLAP_PLAN_H

#include "base/ratio.h"

/* Exactly one of the first four is NULL. */
typedef struct sc_stlap_question {
    const sc_ratio *epsilon; /* above 0 */
    const sc_ratio *delta;   /* above 0, below 1 */
    const sc_ratio *alpha;   /* above 0, at most 1 */
    const sc_ratio *beta;    /* above 0 */
    const sc_ratio *length;  /* B, above 0 */
    uint64_t elements;       /* n, from 1 to 2^62 */
    unsigned sides;          /* 1: an element is there or not; 2: it is another one */
} sc_stlap_question;

typedef struct sc_stlap_plan {
    sc_ratio epsilon; /* 0 where any will do, which no noise can have */
    sc_ratio delta;   /* of this q, rounded up */
    sc_ratio alpha, beta;
    uint64_t q, buckets;
} sc_stlap_plan;

void sc_stlap_plan_init(sc_stlap_plan *plan);
void sc_stlap_plan_clear(sc_stlap_plan *plan);
/* SCRIM_E_PARAM for a question that is none, or has no answer: no element may be lost, no bucket is
 * left. SCRIM_E_LIMIT. plan, which is initialised, is then untouched. */
SCRIM_MUST_USE scrim_status sc_stlap_plan_find(const sc_stlap_question *question,
                                               sc_stlap_plan *plan, scrim_error *error);

#endif
