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

#include "model/mechanism.h"

/* The public facts that decide the pairs. */
typedef struct sc_stlap_sizes {
    bool is_replace;
    uint64_t q, group;
} sc_stlap_sizes;

size_t sc_stlap_pair_count(sc_stlap_sizes sizes);
void sc_stlap_pair(sc_stlap_sizes sizes, size_t index, sc_pair *out);

#endif
