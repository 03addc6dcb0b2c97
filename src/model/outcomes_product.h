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

/* Values that are answered one by one, each independent of the others. */
typedef struct sc_outcomes_each {
    const int64_t *values;
    size_t count;
    /* Lists the outcomes of one value into out, which is empty and of width 1. */
    scrim_status (*list)(const void *context, int64_t value, long bits, sc_outcomes *out,
                         scrim_error *error);
    const void *context;
    const int64_t *first; /* as in sc_outcomes_product */
    size_t lead;
    const sc_ball *factor;
} sc_outcomes_each;

SCRIM_MUST_USE scrim_status sc_outcomes_of_each(const sc_outcomes_each *each, long bits,
                                                sc_outcomes *out, scrim_error *error);

#endif
