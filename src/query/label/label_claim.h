/* Conclusions from the parts of a release, computed anew: what they cost together, what that
 * is for groups of 2 and 4 units, and what it means. A label is made with it and checked by it.
 *
 * A question that finds its bounds is charged a total before it knows its parts (allowance.h). Its claim is that total, which the parts
 * must not pass. What the parts of one answer add up to is no guarantee: other counts of the ladder would have led to others.
 *
 * Claim  claim.recomputed  a claim is that of its parts: epsilon, delta and rho are those that
 *                          were charged for them, whatever a label says
 */
#ifndef SC_QUERY_LABEL_CLAIM_H
#define SC_QUERY_LABEL_CLAIM_H

#include "scrim/measurement.h"

typedef struct sc_claim_part {
    const char *line; /* of a measurement */
    uint64_t copies;  /* how many of its draws one unit can change */
} sc_claim_part;

typedef struct sc_label_claim {
    scrim_cost cost;
    scrim_cost of_two, of_four;     /* "" where nothing is left to promise */
    char guess[SCRIM_NUMBER_BYTES]; /* model/guess.h */
    char
        joint[SCRIM_NUMBER_BYTES]; /* the epsilon of all parts at joint_delta; "": none */
} sc_label_claim;

/* The cost that a label claims. A claim of a rho alone, of one part, has neither epsilon nor delta: "". */
typedef struct sc_claimed_cost {
    const char *epsilon, *delta;
    const char
        *joint_delta; /* at which the parts were charged jointly; "": they were not */
} sc_claimed_cost;

/* Parts priced in rho have the part of epsilon and delta that the others leave. SCRIM_E_CHECK when the parts do
 * not keep the cost; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_claim_of(scrim_neighbours neighbours,
                                        const sc_claim_part *parts, size_t count,
                                        const sc_claimed_cost *cost, sc_label_claim *out,
                                        scrim_error *error);
/* The claim of a total, within which the parts were drawn. rho is "" for one of epsilon and delta. As sc_claim_of. */
SCRIM_MUST_USE scrim_status sc_claim_of_total(scrim_neighbours neighbours,
                                              const sc_claim_part *parts, size_t count,
                                              const scrim_cost *total,
                                              sc_label_claim *out, scrim_error *error);

#endif
