/* From the tokens of a query to its tree. The grammar, in which [ ] is optional, { } repeats:
 *
 *     query      select [;]
 *     select     SELECT [TOP number] item {, item}
 *                [FROM (name [, unnest] | (select) [[AS] name])]
 *                [WHERE condition]
 *                [GROUP BY condition {, condition}]
 *                [HAVING condition] [ORDER BY order {, order}] [LIMIT number]
 *     unnest     UNNEST ( condition LIMIT number ) [AS] name
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
 *     factor     {+ | -} (number | text | DATE text | TRUE | FALSE | name | call | case |
 *                (condition))
 *     call       name ([* | [DISTINCT] condition {, condition}]) [WITH RANGE]
 *     case       CASE [joined] WHEN condition THEN condition {WHEN ...} [ELSE condition] END
 *
 * Claim  parse.bounded   no text makes the parser recurse deeper than SC_QUERY_DEPTH, or take
 *                        more than time and memory proportional to its length (A67)
 * Claim  parse.refusals  what SQL has and this grammar has not is SCRIM_E_POLICY, with what to
 *                        write instead; whatever else is not in the grammar is SCRIM_E_SYNTAX
 */
#ifndef SC_QUERY_PARSE_H
#define SC_QUERY_PARSE_H

#include "query/language/lex.h"
#include "query/language/tree.h"

/* The tree is in the arena; it points into the text that the tokens were read from. */
SCRIM_MUST_USE scrim_status sc_parse(const sc_tokens *tokens, sc_arena *arena,
                                     const sc_tree **out, sc_refusal *refusal);

#endif
