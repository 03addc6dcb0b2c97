/* Positive numbers of six significant decimal digits, in order: what calibration chooses from.
 *
 * Each has a place, an integer, so that the next number is the next place: m 10^(e-5) with m from
 * 100000 to 999999 stands at 900000 e + (m - 100000). Two neighbours differ by a part of 10^-5 at
 * most, and by one of 10^-6 at least.
 *
 * Claim  decimal-grid.order  a place that is one more is the next number of six digits
 */
#ifndef SC_COMPOSITION_DECIMAL_GRID_H
#define SC_COMPOSITION_DECIMAL_GRID_H

#include "base/number/ratio.h"

/* Places from one power of ten to the next. */
#define SC_PLACE_DECADE 900000
/* Numbers from 10^-FAR on and below 10^FAR have places. */
#define SC_PLACE_FAR 60

/* The place of the largest one that is not above x > 0; of the nearest where x has none. */
int64_t sc_place_floor(const sc_ratio *x);
/* Of the smallest one that is not below x. */
int64_t sc_place_ceil(const sc_ratio *x);
void sc_place_value(int64_t place, sc_ratio *out);

#endif
