/* Joins with public tables: FROM orders JOIN regions USING (city).
 *
 *     SELECT region, COUNT(*) FROM orders JOIN regions ON orders.city = regions.town GROUP BY region
 *     SELECT country, SUM(amount) FROM orders LEFT JOIN regions USING (city)
 *         JOIN countries ON regions.region = countries.region GROUP BY country
 *
 * The key of a public table is unique as it is compared (data/value/join_table.h), so a row meets at most
 * one row of it, and a joined column is a value of that row alone: an operation on the column that it is
 * joined by (SC_OP_LOOKUP). A join is then a condition of the row, "it meets a row of the table", which
 * stands in WHERE; of a LEFT JOIN no condition, but its columns are NULL where the row meets none.
 *
 * The values that a table brings are numbered behind the columns of the schema: first whether the row meets one of its
 * rows, then its columns. Facts of conditions speak of these numbers as of columns.
 *
 * Claim  joined.stability  rows that are joined are at most as many as those of the dataset, each made of
 *                          one of them: every bound and sensitivity stays (spec/query-semantics.md 7)
 * Claim  joined.null       of a LEFT JOIN, NULL is a key where a joined column is one (X19)
 */
#ifndef SC_QUERY_LOOKUP_H
#define SC_QUERY_LOOKUP_H

#include "query/language/typed_node.h"

/* A joined column: the cells of its table, by key. */
struct sc_lookup {
    const sc_public_index *index;
    const sc_public_column *column; /* NULL: whether the row meets one, SC_OP_MATCHED */
    /* By place of the key: NULL as in data/value/value.h. Of text texts. */
    const int64_t *values;
    const sc_text *texts;
    /* Where the row meets none: NULL; of a join that drops such rows any value. */
    int64_t otherwise;
    sc_text otherwise_text;
};

struct sc_joined {
    sc_text name; /* in the question */
    const sc_public_table *table;
    bool is_left;
    bool is_using; /* the key has one name on both sides, which means the dataset's */
    const sc_public_column *key;
    const sc_typed *on;  /* that the key is compared with */
    const sc_column *as; /* how it is read */
    sc_public_index index;
    size_t first;            /* the number of "it meets one" */
    const sc_typed *matched; /* that, as a condition */
};

/* The values of SC_OP_LOOKUP and SC_OP_MATCHED, from that which the key is compared with. */
int64_t sc_lookup_number(const sc_lookup *lookup, int64_t key);
int64_t sc_lookup_number_by_text(const sc_lookup *lookup, sc_text key);
sc_text sc_lookup_text(const sc_lookup *lookup, int64_t key);
sc_text sc_lookup_text_by_text(const sc_lookup *lookup, sc_text key);
/* The texts that a joined column of text can have, in no order and perhaps repeated; 0: a record, which keeps
 * none. */
size_t sc_lookup_image(const sc_lookup *lookup, const sc_text **texts);

#endif
