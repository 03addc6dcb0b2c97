/* What is certain of a condition, by its meaning and not by how it is written: whether it can be true,
 * whether it always is, and which columns are present where it is.
 *
 * Its constants cut the range of each column into cells, NULL is one more, and a condition on single
 * columns is the same on each product of cells: all products are tried, with three truth values.
 * What compares several columns, or is no monotone function of one, is unknown, true or false; it is
 * NULL where an operand is. Written differently (x > y, y < x, NOT (x <= y)) it is one unknown.
 * Beyond SC_FACTS_PRODUCTS products nothing is certain.
 *
 * Claim  condition-facts.sound  whatever is said holds for every row
 * Claim  condition-facts.same   conditions that are true for the same rows have the same facts, if each
 *                               comparison is of one column, by monotone functions (A67: in bounded
 *                               time)
 */
#ifndef SC_QUERY_CONDITION_FACTS_H
#define SC_QUERY_CONDITION_FACTS_H

#include "query/language/typed_node.h"

#define SC_FACTS_PRODUCTS (1 << 16)

typedef struct sc_condition_facts {
    bool can_be_true, is_always_true;
    const bool
        *is_present; /* by place in the schema: in no row where it is true is it NULL */
} sc_condition_facts;

/* Of a condition; all in the arena. False without memory. */
bool sc_condition_facts_of(const sc_typed *condition, const sc_schema *schema,
                           sc_arena *arena, sc_condition_facts *out);

#endif
