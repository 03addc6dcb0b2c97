/* Several answers at once: how sure each must be so that all of them hold together. Independent answers
 * that fail with probability b each fail together with 1 - (1 - b)^k. Answers that depend on each other
 * fail together with at most their sum. */
#ifndef SC_MODEL_AT_ONCE_H
#define SC_MODEL_AT_ONCE_H

#include "base/number/ratio.h"

/* The beta that each of count >= 1 independent answers may have: 1 - (1 - beta)^(1/count) for a beta above 0 and below 1, rounded
 * down by less than 2^-200 of itself; beta itself for one answer. */
void sc_at_once_each(const sc_ratio *beta, uint64_t count, sc_ratio *out);

#endif
