/* How much of one mass is to be brought to another: the question behind every distance here.
 *
 * The lossy distances of two laws at gamma are those of the best sub-coupling of mass 1 - gamma:
 * what is left of either side may lie anywhere (spec/flexible-accuracy.md 3.2). Both laws are
 * counted in one unit, the least common multiple of their totals, so that every comparison is one
 * of integers; that 1 - gamma is seldom a whole number of units is kept as the part beyond it.
 */
#ifndef SC_ACCURACY_TRANSPORT_H
#define SC_ACCURACY_TRANSPORT_H

#include "base/number/ratio.h"
#include "distance/masses.h"

typedef struct sc_transport {
    const sc_masses *p, *q;  /* sorted; borrowed */
    uint64_t p_unit, q_unit; /* what one of p, and one of q, weighs */
    sc_uint128 total;        /* what all of p weighs; of counts, all of p */
    sc_uint128 whole;        /* so much is brought, */
    sc_ratio part;           /* and this part of one more, below 1 */
} sc_transport;

/* Two laws, and a loss. SCRIM_E_PARAM for a gamma below 0 and for an empty side, of which there is
 * no law; a gamma above 1 is 1. */
SCRIM_MUST_USE scrim_status sc_transport_init_laws(sc_transport *out, const sc_masses *p,
                                                   const sc_masses *q,
                                                   const sc_ratio *gamma,
                                                   scrim_error *error);
/* Two histograms, element by element: all of y is taken out of x. y has at most as many elements
 * as x. */
void sc_transport_init_counts(sc_transport *out, const sc_masses *x, const sc_masses *y);
void sc_transport_clear(sc_transport *transport);
/* whole, or one more where there is a part of one. */
sc_uint128 sc_transport_need(const sc_transport *transport);

#endif
