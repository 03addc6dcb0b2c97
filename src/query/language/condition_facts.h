/* Public facts about a condition, by its meaning and not by how it is written: whether it can be true,
 * whether it always is, and which columns are present where it is.
 *
 * Its constants cut the range of each column into cells; NULL is one more. A condition on single
 * columns has one truth value on each product of cells, so all products are tried, in three-valued logic.
 * A comparison of several columns, or of a function that is not monotone, is an unknown that is true or
 * false, and NULL where an operand is. Its spellings (x > y, y < x, NOT (x <= y)) are the same unknown.
 * Beyond SC_FACTS_PRODUCTS products nothing is certain.
 *
 * Claim  condition-facts.sound  whatever is said holds for every row
 * Claim  condition-facts.same   conditions that are true for the same rows have the same facts, if each
 *                               comparison is of one column, by monotone functions (A67: in bounded
 *                               time)
 * Claim  condition-facts.cells  two conditions have the same text of cells exactly if they are true for the same rows
 */
#ifndef SC_QUERY_CONDITION_FACTS_H
#define SC_QUERY_CONDITION_FACTS_H

#include "query/language/typed_node.h"

#define SC_FACTS_PRODUCTS (1 << 16)

typedef struct sc_condition_facts {
    bool can_be_true, is_always_true;
    const bool *
        is_present; /* by column: it is not NULL in any row for which the condition is true */
} sc_condition_facts;

/* The facts live in the arena. False without memory. */
bool sc_condition_facts_of(const sc_typed *condition, const sc_schema *schema,
                           sc_arena *arena, sc_condition_facts *out);

/* The rows where it is true, in one spelling: the cells that differ and the truth on their products. Conditions that are
 * true for the same rows have the same text. Empty: it compares several columns, or has too many cells. False without
 * memory. */
bool sc_condition_cells(const sc_typed *condition, sc_arena *arena, sc_text *out);

#endif
