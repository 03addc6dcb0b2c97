/* The law of several independent answers, from the laws of each.
 *
 * Claim  outcomes-product.exact  each answer has the product of the masses of its parts; what is not
 *                                listed of the whole is what is not listed of any part
 */
#ifndef SC_MODEL_OUTCOMES_PRODUCT_H
#define SC_MODEL_OUTCOMES_PRODUCT_H

#include "model/outcomes.h"

/* Adds every combination of the outcomes of parts, each of width 1 and with at least one outcome, to
 * out, whose width is lead + count: the first lead integers of a key are those given, and all masses
 * are multiplied by a factor (NULL: 1). The rest of out grows by the factor times what is not listed.
 * SCRIM_E_LIMIT above SC_OUTCOMES_MAX, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_outcomes_product(const sc_outcomes *parts, size_t count,
                                                const int64_t *first, size_t lead,
                                                const sc_ball *factor, long bits,
                                                sc_outcomes *out, scrim_error *error);

#endif
