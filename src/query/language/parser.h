/* The parser's place in the tokens, and what its two halves (statements in parse.c, expressions
 * in parse_expression.c) use of each other. */
#ifndef SC_QUERY_PARSER_H
#define SC_QUERY_PARSER_H

#include "query/language/lex.h"
#include "query/language/tree.h"

typedef struct sc_parser {
    const sc_token *token; /* the next one; never beyond the end */
    sc_arena *arena;
    sc_refusal *refusal;
    unsigned depth; /* calls of sc_parse_condition and of signs and NOT that are open */
    unsigned level; /* of SELECT in FROM */
} sc_parser;

/* Takes the next token when it is of this kind. */
bool sc_parser_take(sc_parser *parser, sc_token_kind kind);
/* As above, and refuses the token when it is another; purpose is said in the message. */
SCRIM_MUST_USE scrim_status sc_parser_expect(sc_parser *parser, sc_token_kind kind,
                                             const char *purpose);
/* Refuses the next token: by the list of what is forbidden, with the reserved word that was
 * perhaps meant, or with what was expected. */
SCRIM_MUST_USE scrim_status sc_parser_unexpected(const sc_parser *parser,
                                                 const char *expected);

SCRIM_MUST_USE scrim_status sc_parse_condition(sc_parser *parser, const sc_node **out);

/* Things of one size, collected in an arena. */
typedef struct sc_gathering {
    void *items;
    size_t count, capacity, bytes; /* bytes of one */
} sc_gathering;

/* Room for one more, zeroed; NULL when there is no memory. */
void *sc_gathering_more(sc_gathering *gathering, sc_arena *arena);

#endif
