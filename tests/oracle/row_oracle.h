/* Expressions of one row computed the slow way: on the tree as it was parsed, in rationals,
 * without types, ranges or grids. And random expressions to compute. */
#ifndef ROW_ORACLE_H
#define ROW_ORACLE_H

#include "data/value/schema.h"
#include "query/language/tree.h"

/* A value of a row: a number, days, 0 or 1, or text; or NULL, whatever else is in it. */
typedef struct row_value {
    bool is_null, is_text;
    sc_ratio number;
    sc_text text;
} row_value;

/* The value of node for a row with one value a column of schema; value is initialised. */
void row_evaluate(const sc_schema *schema, const sc_node *node, const row_value *row,
                  row_value *value);

/* A random expression over the columns of query_schema, as text, of a kind: 'n' a number, 'b' a
 * condition, 'd' a date, 't' a text that CASE chooses. Returns its length. */
size_t row_expression(uint64_t *seed, char kind, int depth, char *text, size_t capacity);
uint64_t row_random(uint64_t *seed, uint64_t below);

#endif
