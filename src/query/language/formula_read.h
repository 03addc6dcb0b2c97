/* From the tree of an item of SELECT to arithmetic on aggregates (formula.h).
 *
 * Claim  formula-read.allow-list  a formula has aggregates that give one number, constants, + - * / and the
 *                                 functions of sc_formula_kind; all else is refused by its name
 */
#ifndef SC_QUERY_FORMULA_READ_H
#define SC_QUERY_FORMULA_READ_H

#include "query/language/formula.h"
#include "query/language/tree.h"
#include "query/language/typed_node.h"

/* How a question takes up the aggregates of a formula: the place of a call among its aggregates. */
typedef struct sc_formula_reading {
    sc_typing *typing;
    void *context;
    scrim_status (*take)(void *context, const sc_node *call, size_t *aggregate);
} sc_formula_reading;

/* SCRIM_E_POLICY, SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_formula_read(const sc_formula_reading *reading,
                                            const sc_node *node, const sc_formula **out);

#endif
