/* A composition made of costs, for callers inside the library: nothing becomes text and is read
 * again. */
#ifndef SC_COMPOSITION_COMPOSITION_H
#define SC_COMPOSITION_COMPOSITION_H

#include "model/cost.h"
#include "scrim/composition.h"

typedef struct sc_composed_cost {
    const sc_exact_cost
        *cost;      /* whose curve's context lives as long as the composition */
    uint64_t count; /* releases of it, at least 1 */
} sc_composed_cost;

/* Freed by scrim_composition_free. SCRIM_E_PARAM for costs of unlike neighbours, and a count of 0;
 * SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_composition_of(const sc_composed_cost *costs, size_t count,
                                              scrim_composition **out,
                                              scrim_error *error);

/* The smallest upper bound of epsilon at a delta from 0 to below 1, rounded up to 6 digits; is_infinite where
 * no accountant proves one. is_quick: without the slow accountants. SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_composition_epsilon_upper(
    const scrim_composition *composition, const sc_ratio *delta, bool is_quick,
    sc_ratio *out, bool *is_infinite, scrim_error *error);

#endif
