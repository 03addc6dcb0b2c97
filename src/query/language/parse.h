/* Parses the tokens of a query into a tree. The grammar, in which [ ] is optional, { } repeats:
 *
 *     query      select [;]
 *     select     SELECT [TOP number] item {, item}
 *                [FROM (name [[[AS] name] join {join}] [, unnest] | (select) [[AS] name])]
 *                [WHERE condition]
 *                [GROUP BY group {, group} [WITH CONSISTENT TOTALS]]
 *                [HAVING condition] [ORDER BY order {, order}] [LIMIT number]
 *     join       [INNER | LEFT [OUTER]] JOIN name [[AS] name]
 *                (USING ( name ) | ON column = column)
 *     unnest     UNNEST ( condition LIMIT number ) [AS] name
 *     group      condition | (ROLLUP | CUBE) ( keys {, keys} ) | GROUPING SETS ( set {, set} )
 *     keys       condition | ( [condition {, condition}] )
 *     set        keys | (ROLLUP | CUBE) ( keys {, keys} )
 *     item       condition [[AS] name]
 *     order      condition [ASC | DESC]
 *     condition  and {OR and}
 *     and        not {AND not}
 *     not        {NOT} comparison
 *     comparison joined [(= | <> | != | < | <= | > | >=) joined | [NOT] BETWEEN joined AND
 *                joined | [NOT] IN (joined {, joined}) | [NOT] LIKE joined [ESCAPE text] |
 *                IS [NOT] (NULL | TRUE | FALSE | DISTINCT FROM joined)]
 *     joined     sum {|| sum}
 *     sum        term {(+ | -) term}
 *     term       factor {(* | /) factor}
 *     factor     {+ | -} (number | text | DATE text | TRUE | FALSE | column | call | case |
 *                (condition))
 *     column     name [. name]
 *     call       name ([* | [DISTINCT] condition {, condition}]) [WITH RANGE]
 *     case       CASE [joined] WHEN condition THEN condition {WHEN ...} [ELSE condition] END
 *
 * Claim  parse.bounded   no text makes the parser recurse deeper than SC_QUERY_DEPTH, or take
 *                        more than time and memory proportional to its length (A67)
 * Claim  parse.refusals  SQL that this grammar lacks is refused with SCRIM_E_POLICY, and the message says what
 *                        to write instead; any other text outside of the grammar is SCRIM_E_SYNTAX
 */
#ifndef SC_QUERY_PARSE_H
#define SC_QUERY_PARSE_H

#include "query/language/lex.h"
#include "query/language/tree.h"

/* The tree is in the arena; it points into the text that the tokens were read from. */
SCRIM_MUST_USE scrim_status sc_parse(const sc_tokens *tokens, sc_arena *arena,
                                     const sc_tree **out, sc_refusal *refusal);

/* For parse.c (statements) and parse_expression.c (expressions) only: the parser's place in the tokens,
 * and the functions that both use. */

/* A column with its table in front, "regions.region"; what it means is known when FROM is read. */
typedef struct sc_qualified {
    sc_node *node;
    sc_span point;
    struct sc_qualified *next;
} sc_qualified;

/* WITH name AS (SELECT ...), before the first SELECT: FROM name is FROM (SELECT ...). */
typedef struct sc_named_select {
    struct sc_named_select *before; /* NULL: the first one */
    sc_text name;
    sc_span span; /* of its name */
    const sc_tree *tree;
    unsigned levels; /* of SELECT in it */
    bool is_used;
} sc_named_select;

typedef struct sc_parser {
    const sc_token *first; /* of the text */
    const sc_token *token; /* the next one; never beyond the end */
    sc_arena *arena;
    sc_refusal *refusal;
    unsigned depth;   /* of nested conditions, signs and NOT; at most SC_QUERY_DEPTH */
    unsigned level;   /* of nested SELECT in FROM; at most SC_QUERY_LEVELS */
    unsigned deepest; /* level in what was read since it was set */
    sc_named_select *named;  /* the last one */
    sc_qualified *qualified; /* of this SELECT, the last one first */
} sc_parser;

/* Takes the next token when it is of this kind. */
bool sc_parser_take(sc_parser *parser, sc_token_kind kind);
/* As above, and refuses any other token; the message names the purpose. */
SCRIM_MUST_USE scrim_status sc_parser_expect(sc_parser *parser, sc_token_kind kind,
                                             const char *purpose);
/* Refuses the next token. The message says why SQL's form is forbidden, which reserved word was perhaps meant, or what was
 * expected. */
SCRIM_MUST_USE scrim_status sc_parser_unexpected(const sc_parser *parser,
                                                 const char *expected);

SCRIM_MUST_USE scrim_status sc_parse_condition(sc_parser *parser, const sc_node **out);
/* [AS] name, where no clause or join begins; name is empty without one (parse.c). */
SCRIM_MUST_USE scrim_status sc_parse_alias(sc_parser *parser, sc_text *name);
/* The joins behind the dataset of FROM (parse_join.c). */
SCRIM_MUST_USE scrim_status sc_parse_joins(sc_parser *parser, sc_tree *tree);
/* GROUP BY with its sets of keys (parse_groups.c). */
SCRIM_MUST_USE scrim_status sc_parse_groups(sc_parser *parser, sc_tree *tree);
/* At the end of a SELECT: columns of the dataset lose its name, those of joined tables keep theirs. */
SCRIM_MUST_USE scrim_status sc_parse_qualified(sc_parser *parser, const sc_tree *tree);

/* FROM (SELECT ...) or FROM name in its place, behind FROM (parse_named.c). is_there: it was one of them. */
SCRIM_MUST_USE scrim_status sc_parse_inner(sc_parser *parser, sc_tree *tree,
                                           bool *is_there);
/* WITH and all its names, if the text begins with it; at the end all must be used. */
SCRIM_MUST_USE scrim_status sc_parse_named(sc_parser *parser);
SCRIM_MUST_USE scrim_status sc_parse_check_named(const sc_parser *parser);
/* A SELECT with all its clauses (parse.c). */
SCRIM_MUST_USE scrim_status sc_parse_select(sc_parser *parser, const sc_tree **out);

/* A growing array in an arena. */
typedef struct sc_gathering {
    void *items;
    size_t count, capacity, bytes; /* bytes of one */
} sc_gathering;

/* Room for one more, zeroed; NULL when there is no memory. */
void *sc_gathering_more(sc_gathering *gathering, sc_arena *arena);

#endif
