/* A bound in a sentence: a number that is long when it is exact, with few decimal digits, and rounded so
 * that what is said of it stays true. */
#ifndef SC_MODEL_SHORT_BOUND_H
#define SC_MODEL_SHORT_BOUND_H

#include "base/number/ratio.h"
#include "scrim/measurement.h"

/* x >= 0 as text that parses back: exact where it has at most 12 characters, else with 6 significant
 * digits or all of its whole ones, no smaller than x (upper) or no larger (lower). */
void sc_short_bound_put_upper(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES]);
void sc_short_bound_put_lower(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES]);

#endif
