/* Per person first: FROM (SELECT ... GROUP BY unit) makes one row of all rows of a unit.
 *
 *     SELECT AVG(n) FROM (SELECT CLAMP(COUNT(*), 0, 50) AS n GROUP BY customer_id)
 *     SELECT MEDIAN(most) FROM (SELECT CLAMP(MAX(n), 1, 99) AS most
 *                               FROM (SELECT COUNT(*) AS n GROUP BY customer_id, shop)
 *                               GROUP BY customer_id)
 *
 * Inside stand COUNT(*), SUM, MIN, MAX and ANY_VALUE, a row that is chosen by keyed hash among those where
 * the value is present. The innermost SELECT may group by the unit and keys; the one around it then
 * aggregates over the groups of a unit. COUNT and SUM have no public range, and stand in CLAMP. The
 * question outside sees a table whose columns have these names and ranges and in which every unit has at
 * most one row. What SQL says of NULL holds: a sum of no present value is NULL.
 *
 * Claim  person.one-row  a unit has at most one row, which depends on its own rows, as a multiset, and on
 *                        the keys of hashing: whatever is asked of these rows, one unit is one row
 *                        (spec/query-semantics.md 6)
 * Claim  person.range    a column lies within its public range, whatever the rows are
 */
#ifndef SC_QUERY_PERSON_H
#define SC_QUERY_PERSON_H

#include "query/language/question.h"

/* Beyond these a query is SCRIM_E_LIMIT. */
#define SC_PERSON_COLUMNS 64

typedef enum sc_person_fold {
    SC_PERSON_COUNT = 1, /* of rows, or of groups */
    SC_PERSON_SUM,
    SC_PERSON_LEAST,
    SC_PERSON_MOST,
    SC_PERSON_ANY /* of rows */
} sc_person_fold;

/* A column of the rows that are made: what the rows of each group of a unit become, and then what the
 * groups become. */
typedef struct sc_person_column {
    sc_person_fold rows, groups; /* without keys all rows are one group */
    size_t value;                /* of the rows; none for a count */
    int64_t low, high;           /* in steps: it is clamped to them */
} sc_person_column;

struct sc_person {
    const sc_query *rows; /* of the table: which rows count, and their keys */
    const sc_typed *const *values;
    size_t value_count;
    const sc_schema *schema; /* of the rows that are made */
    const sc_person_column *columns;
};

/* Reads the SELECT that stands in FROM. All of it in the arena; the schema must live as long. As
 * sc_validate. */
SCRIM_MUST_USE scrim_status sc_person_read(const sc_tree *tree, sc_text dataset,
                                           const sc_schema *schema, sc_arena *arena,
                                           const sc_person **out, sc_refusal *refusal);

/* The joins of a question, or of the SELECT in its FROM; returns how many. */
size_t sc_query_joins(const sc_query *query, const sc_joined **joins);

#endif
