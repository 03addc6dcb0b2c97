/* Finite laws and histograms in integers: places, and the mass of each.
 *
 * A histogram is a number of elements at each place. A law is the same divided by its total, so
 * that laws of unlike totals are compared after both are counted in a common unit. A place is an
 * integer: a number of steps on the line, or the index of a point of a finite metric.
 */
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include "base/checked.h"
#include "base/number/ratio.h"
#include "base/status.h"

#define SC_PLACE_MAX ((int64_t)1 << 61)
#define SC_MASS_MAX ((uint64_t)1 << 62) /* of all places together */

typedef struct sc_mass {
    int64_t place;
    uint64_t mass;
} sc_mass;

typedef struct sc_masses {
    sc_mass *list;
    size_t count, capacity;
    uint64_t total;
    bool is_sorted; /* by place, each place once */
} sc_masses;

void sc_masses_init(sc_masses *out); /* empty */
void sc_masses_clear(sc_masses *masses);
/* Adds mass at a place; 0 adds nothing. SCRIM_E_LIMIT for a place beyond SC_PLACE_MAX or a total
 * beyond SC_MASS_MAX. */
SCRIM_MUST_USE scrim_status sc_masses_add(sc_masses *masses, int64_t place, uint64_t mass,
                                          scrim_error *error);
/* By place; what lies at one place becomes one mass. All that compares wants it sorted. */
void sc_masses_sort(sc_masses *masses);
/* The mass at a place of sorted masses; 0 where no mass lies there. */
uint64_t sc_masses_at(const sc_masses *masses, int64_t place);

/* How much of one mass is to be brought to another: the question behind every distance here.
 *
 * The lossy distances of two laws at gamma are those of the best sub-coupling of mass 1 - gamma:
 * what is left of either side may lie anywhere (spec/flexible-accuracy.md 3.2). Both laws are
 * counted in one unit, the least common multiple of their totals, so that every comparison is one
 * of integers; that 1 - gamma is seldom a whole number of units is kept as the part beyond it.
 */

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
