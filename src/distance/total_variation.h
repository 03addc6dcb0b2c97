/* The total variation distance of two finite laws: half of what their masses differ by.
 *
 * Claim  total-variation.exact  sum |p - q| / 2 of the two laws, as a fraction
 */
#ifndef SC_ACCURACY_TOTAL_VARIATION_H
#define SC_ACCURACY_TOTAL_VARIATION_H

#include "base/number/ratio.h"
#include "distance/masses.h"

/* Of sorted masses, each divided by its total. SCRIM_E_PARAM where one has none. */
SCRIM_MUST_USE scrim_status sc_total_variation(const sc_masses *p, const sc_masses *q,
                                               sc_ratio *out, scrim_error *error);

#endif
