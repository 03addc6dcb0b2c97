/* Laws with few outcomes, written down by hand. */
#ifndef FINITE_LAW_H
#define FINITE_LAW_H

#include "check.h"
#include "model/outcomes.h"

/* Initialises out with the outcomes 0 .. count-1 of these masses, exact text; those that are
 * NULL are not listed. Balls are of EXACT_BITS. */
void finite_law(sc_outcomes *out, const char *const *masses, size_t count);
/* The same from integer weights: mass weight/total; a weight below 0 is not listed. */
void finite_law_weights(sc_outcomes *out, const int64_t *weights, size_t count,
                        int64_t total);
/* Takes an outcome off the list; its mass is added to rest. */
void finite_law_hide(sc_outcomes *law, size_t index);
/* Sorts, with a failed check when it cannot. */
void finite_law_sort(sc_outcomes *law);

#endif
