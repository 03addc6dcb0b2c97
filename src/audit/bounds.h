/* A number between two proved bounds: for what is unknown by nature, such as the tail of a law,
 * and not only by rounding. */
#ifndef SC_AUDIT_BOUNDS_H
#define SC_AUDIT_BOUNDS_H

#include "base/number/ball.h"

/* The true value is at least the lower end of lower and at most the upper end of upper. */
typedef struct sc_enclosure {
    sc_ball lower, upper;
    bool is_infinite; /* the true value is: then neither ball counts */
    bool is_bounded;  /* upper counts: something finite is proved */
} sc_enclosure;

void sc_bounds_init(sc_enclosure *bounds); /* 0 */
void sc_bounds_clear(sc_enclosure *bounds);
void sc_bounds_set_zero(sc_enclosure *out);
void sc_bounds_set(sc_enclosure *out, const sc_enclosure *bounds);
/* For what is at least 0 by nature. */
void sc_bounds_cut_below(sc_enclosure *out);

/* Doubles on the safe side; infinite where there is nothing better. */
double sc_bounds_lower(const sc_enclosure *bounds);
double sc_bounds_upper(const sc_enclosure *bounds);

/* Certain comparisons. */
bool sc_bounds_is_above(const sc_enclosure *bounds, const sc_ball *limit);
bool sc_bounds_is_at_most(const sc_enclosure *bounds, const sc_ball *limit);

#endif
