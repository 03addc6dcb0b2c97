/* The words of a query. Reserved words and functions may be written in any case, names are
 * compared byte by byte; a name that is not letters, digits and underscores stands in double
 * quotes, text in single ones, each with its own quote doubled inside. "--" begins a comment.
 *
 * Claim  lex.canonical  two texts have the same canonical text only if their tokens are the same
 *                       but for the case of reserved words and of functions; the canonical text
 *                       is the canonical text of itself
 * Claim  lex.bounded    a text above a limit is refused before its tokens are read
 */
#ifndef SC_QUERY_LEX_H
#define SC_QUERY_LEX_H

#include "base/memory.h"
#include "query/language/refusal.h"

#define SC_QUERY_BYTES 65536
#define SC_QUERY_TOKENS 16384

typedef enum sc_token_kind {
    SC_TOKEN_END,
    SC_TOKEN_NAME,   /* a word that is not reserved, or in double quotes */
    SC_TOKEN_NUMBER, /* without a sign */
    SC_TOKEN_TEXT,   /* in single quotes */
    /* symbols */
    SC_TOKEN_OPEN,
    SC_TOKEN_CLOSE,
    SC_TOKEN_COMMA,
    SC_TOKEN_SEMICOLON,
    SC_TOKEN_STAR,
    SC_TOKEN_PLUS,
    SC_TOKEN_MINUS,
    SC_TOKEN_SLASH,
    SC_TOKEN_JOINED, /* two bars */
    SC_TOKEN_POINT,  /* this and the next are in no query that is allowed */
    SC_TOKEN_CAST,
    SC_TOKEN_PARAMETER, /* ?, in place of a value that a program gives */
    SC_TOKEN_EQUAL,
    SC_TOKEN_NOT_EQUAL, /* <> and != */
    SC_TOKEN_LESS,
    SC_TOKEN_LESS_EQUAL,
    SC_TOKEN_GREATER,
    SC_TOKEN_GREATER_EQUAL,
    /* reserved words */
    SC_TOKEN_AND,
    SC_TOKEN_AS,
    SC_TOKEN_ASC,
    SC_TOKEN_BETWEEN,
    SC_TOKEN_BY,
    SC_TOKEN_CASE,
    SC_TOKEN_DESC,
    SC_TOKEN_DISTINCT,
    SC_TOKEN_ELSE,
    SC_TOKEN_END_CASE, /* the word END */
    SC_TOKEN_FALSE,
    SC_TOKEN_FROM,
    SC_TOKEN_GROUP,
    SC_TOKEN_HAVING,
    SC_TOKEN_IN,
    SC_TOKEN_IS,
    SC_TOKEN_LIKE,
    SC_TOKEN_LIMIT,
    SC_TOKEN_NOT,
    SC_TOKEN_NULL,
    SC_TOKEN_OR,
    SC_TOKEN_ORDER,
    SC_TOKEN_SELECT,
    SC_TOKEN_THEN,
    SC_TOKEN_TRUE,
    SC_TOKEN_WHEN,
    SC_TOKEN_WHERE,
    SC_TOKEN_WITH
} sc_token_kind;

typedef struct sc_token {
    sc_token_kind kind;
    bool quoted; /* of a name: in double quotes */
    sc_text
        value; /* of a name or text: without quotes, and none doubled; else as written */
    sc_span span;
} sc_token;

/* The tokens of a text, the last of them SC_TOKEN_END. All is in the arena, or points into text,
 * which must live as long. */
typedef struct sc_tokens {
    const sc_token *list;
    size_t count; /* with the end */
    sc_text
        canonical; /* tokens with a space between them; without a semicolon at the end */
} sc_tokens;

/* SCRIM_E_LIMIT for a text or a number of tokens above the limits, SCRIM_E_SYNTAX for what is no
 * token; quotes that do not end, control characters and bytes that are not UTF-8 among them. */
SCRIM_MUST_USE scrim_status sc_lex(sc_text text, sc_arena *arena, sc_tokens *out,
                                   sc_refusal *refusal);

/* A symbol or reserved word as it is written; what kind of thing it is for the others. */
const char *sc_token_text(sc_token_kind kind);
/* The reserved words, for did-you-mean. */
#define SC_RESERVED_WORDS (SC_TOKEN_WITH - SC_TOKEN_AND + 1)
const char *sc_reserved_word(size_t index);

/* The words TOP before a number and ESCAPE before a text, which are reserved there alone; token is not
 * the last. */
bool sc_token_is_top(const sc_token *token);
bool sc_token_is_escape(const sc_token *token);

#endif
