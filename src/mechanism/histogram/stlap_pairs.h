/* The neighbouring histograms on which the audit looks at shifted truncated Laplace noise.
 *
 * A bar of n elements and one of n + group, for each n up to 2q + 2; a unit of several elements
 * also divided between two bars. Under replace one bar loses what another gets; the last pair
 * attains both ends, so that delta at epsilon is reached, unless its law is very long. Where laws
 * are long, sizes are skipped evenly, and of two bars small ones are looked at: an answer's law is
 * the product of theirs. Bars that do not change have the same law on both sides and say nothing.
 */
#ifndef SC_MECHANISM_HISTOGRAM_STLAP_PAIRS_H
#define SC_MECHANISM_HISTOGRAM_STLAP_PAIRS_H

#include "model/measurement.h"

size_t sc_stlap_pair_count(const scrim_measurement *measurement);
void sc_stlap_pair(const scrim_measurement *measurement, size_t index, sc_pair *out);

#endif
