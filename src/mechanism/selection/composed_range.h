/* The cost of releases of bounded range, fixed in number, of one epsilon each: the sum of epsilons, and as many times
 * epsilon^2/8 concentrated.
 */
#ifndef SC_MECHANISM_SELECTION_COMPOSED_RANGE_H
#define SC_MECHANISM_SELECTION_COMPOSED_RANGE_H

#include "model/cost.h"

/* epsilon is what they are together, releases times each. */
void sc_composed_range_cost(sc_exact_cost *out, const sc_ratio *epsilon,
                            const sc_ratio *each, uint64_t releases);

#endif
