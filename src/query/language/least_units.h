/* HAVING COUNT(DISTINCT unit) >= n, of a count that SELECT does not have: the threshold of the selection
 * of keys, which then keeps the groups whose noisy number of units reaches n, without showing it
 * (stabilised.h). Where each row is a unit, the count is COUNT(*).
 *
 * Claim  least-units.taken  such a condition, alone or joined to others by AND, is taken out of HAVING,
 *                           which keeps all others; of several the largest n holds
 */
#ifndef SC_QUERY_LEAST_UNITS_H
#define SC_QUERY_LEAST_UNITS_H

#include "query/language/released.h"

/* Beyond it a number is none. */
#define SC_LEAST_UNITS_MAX ((uint64_t)1 << 50)

typedef struct sc_least_units {
    uint64_t count; /* 0: HAVING has no such condition */
    sc_span span;   /* of it */
} sc_least_units;

/* having becomes what is left of it, perhaps NULL. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_least_units_take(const sc_released_scope *scope,
                                                const sc_node **having,
                                                sc_least_units *out);

#endif
