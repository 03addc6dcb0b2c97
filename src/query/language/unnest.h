/* Rows of the elements of a list: FROM posts, UNNEST(SPLIT(tags, ';') LIMIT 5) AS tag.
 *
 *     SELECT tag, COUNT(*) FROM posts, UNNEST(SPLIT(tags, ';') LIMIT 5) AS tag GROUP BY tag
 *
 * A row becomes one row for each of the first m different elements of its list, which have one column
 * more: the element. Elements are the texts between separators, as they stand; those without a
 * character do not count, and a row without elements becomes no row. All of that depends on the row
 * alone.
 *
 * The element is a key of the query, and no other key is computed from it: so a row is in at most m
 * groups more than one, and once in each. One unit that is in at most G groups with R rows in each,
 * before its rows are expanded, is charged for m G groups and R rows in each; its rows are bounded to
 * that after they were expanded. Where each row is a unit, it is charged for m groups.
 *
 * Claim  unnest.elements  a row becomes at most m rows, whose elements differ, by itself
 * Claim  unnest.charge    no unit is in more than m times as many groups as are declared, nor has it
 *                         more rows in a group; one is in as many (spec/thresholding.md 8)
 */
#ifndef SC_QUERY_UNNEST_H
#define SC_QUERY_UNNEST_H

#include "query/language/question.h"

/* Elements of a row: beyond it a query is SCRIM_E_LIMIT. */
#define SC_UNNEST_ELEMENTS 64
#define SC_UNNEST_SEPARATOR_BYTES 64

struct sc_unnest {
    size_t list;       /* the column of text, by its place in the table's schema */
    sc_text separator; /* at least one byte */
    uint64_t limit;    /* m, from 1 on */
    size_t column;     /* the element's, the last of the query's schema */
};

/* Reads what stands in FROM; schema is the table's, extended the same with one column more and with
 * bounds.groups of expanded rows. Both are in the arena; the table's must live as long. As
 * sc_validate. */
SCRIM_MUST_USE scrim_status sc_unnest_read(const sc_tree_list *tree, sc_typing *typing,
                                           const sc_unnest **out,
                                           const sc_schema **extended);
/* SCRIM_E_POLICY unless the element is a key, and stands in no other. */
SCRIM_MUST_USE scrim_status sc_unnest_check_keys(const sc_query *query,
                                                 const sc_tree *tree, sc_typing *typing);

#endif
