#include "query/language/lex.h"

#include <string.h>

/* Words. */

static const char *const spelling[] = {
    [SC_TOKEN_END] = "the end of the query",
    [SC_TOKEN_NAME] = "a name",
    [SC_TOKEN_NUMBER] = "a number",
    [SC_TOKEN_TEXT] = "text in single quotes",
    [SC_TOKEN_OPEN] = "(",
    [SC_TOKEN_CLOSE] = ")",
    [SC_TOKEN_COMMA] = ",",
    [SC_TOKEN_SEMICOLON] = ";",
    [SC_TOKEN_STAR] = "*",
    [SC_TOKEN_PLUS] = "+",
    [SC_TOKEN_MINUS] = "-",
    [SC_TOKEN_SLASH] = "/",
    [SC_TOKEN_JOINED] = "||",
    [SC_TOKEN_POINT] = ".",
    [SC_TOKEN_CAST] = "::",
    [SC_TOKEN_PARAMETER] = "?",
    [SC_TOKEN_EQUAL] = "=",
    [SC_TOKEN_NOT_EQUAL] = "<>",
    [SC_TOKEN_LESS] = "<",
    [SC_TOKEN_LESS_EQUAL] = "<=",
    [SC_TOKEN_GREATER] = ">",
    [SC_TOKEN_GREATER_EQUAL] = ">=",
    [SC_TOKEN_AND] = "AND",
    [SC_TOKEN_AS] = "AS",
    [SC_TOKEN_ASC] = "ASC",
    [SC_TOKEN_BETWEEN] = "BETWEEN",
    [SC_TOKEN_BY] = "BY",
    [SC_TOKEN_CASE] = "CASE",
    [SC_TOKEN_DESC] = "DESC",
    [SC_TOKEN_DISTINCT] = "DISTINCT",
    [SC_TOKEN_ELSE] = "ELSE",
    [SC_TOKEN_END_CASE] = "END",
    [SC_TOKEN_FALSE] = "FALSE",
    [SC_TOKEN_FROM] = "FROM",
    [SC_TOKEN_GROUP] = "GROUP",
    [SC_TOKEN_HAVING] = "HAVING",
    [SC_TOKEN_IN] = "IN",
    [SC_TOKEN_IS] = "IS",
    [SC_TOKEN_LIKE] = "LIKE",
    [SC_TOKEN_LIMIT] = "LIMIT",
    [SC_TOKEN_NOT] = "NOT",
    [SC_TOKEN_NULL] = "NULL",
    [SC_TOKEN_OR] = "OR",
    [SC_TOKEN_ORDER] = "ORDER",
    [SC_TOKEN_SELECT] = "SELECT",
    [SC_TOKEN_THEN] = "THEN",
    [SC_TOKEN_TRUE] = "TRUE",
    [SC_TOKEN_WHEN] = "WHEN",
    [SC_TOKEN_WHERE] = "WHERE",
    [SC_TOKEN_WITH] = "WITH",
};

const char *sc_token_text(sc_token_kind kind)
{
    return spelling[kind];
}

const char *sc_reserved_word(size_t index)
{
    return spelling[SC_TOKEN_AND + index];
}

static sc_token_kind reserved(sc_text word)
{
    const char first = sc_capital(word.start[0]);
    for (sc_token_kind kind = SC_TOKEN_AND; kind <= SC_TOKEN_WITH; kind++)
        if (spelling[kind][0] == first && sc_word_is(word, spelling[kind]))
            return kind;
    return SC_TOKEN_NAME;
}

static bool is_word_before(const sc_token *token, const char *word, sc_token_kind next)
{
    return token[0].kind == SC_TOKEN_NAME && !token[0].quoted &&
           sc_word_is(token[0].value, word) && token[1].kind == next;
}

bool sc_token_is_top(const sc_token *token)
{
    return is_word_before(token, "TOP", SC_TOKEN_NUMBER);
}

bool sc_token_is_escape(const sc_token *token)
{
    return is_word_before(token, "ESCAPE", SC_TOKEN_TEXT);
}

/* Characters. */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Spaces and comments. */
static size_t skip_blank(sc_text text, size_t at)
{
    while (at < text.bytes) {
        if (is_space(text.start[at])) {
            at++;
        } else if (text.start[at] == '-' && at + 1 < text.bytes &&
                   text.start[at + 1] == '-') {
            while (at < text.bytes && text.start[at] != '\n')
                at++;
        } else {
            break;
        }
    }
    return at;
}

/* The end of what begins with a quote at this place, behind the closing one; 0 when it is not
 * closed. Doubled quotes are counted. */
static size_t quote_end(sc_text text, size_t at, size_t *doubled)
{
    const char quote = text.start[at];
    *doubled = 0;
    for (size_t i = at + 1; i < text.bytes; i++) {
        if (text.start[i] != quote)
            continue;
        if (i + 1 == text.bytes || text.start[i + 1] != quote)
            return i + 1;
        ++*doubled;
        i++;
    }
    return 0;
}

static size_t digits_end(sc_text text, size_t at)
{
    while (at < text.bytes && sc_ascii_is_digit(text.start[at]))
        at++;
    return at;
}

static size_t word_end(sc_text text, size_t at)
{
    while (at < text.bytes &&
           (is_letter(text.start[at]) || sc_ascii_is_digit(text.start[at])))
        at++;
    return at;
}

/* Digits with a point among them or before them, and an exponent. */
static size_t number_end(sc_text text, size_t at)
{
    at = digits_end(text, at);
    if (at < text.bytes && text.start[at] == '.')
        at = digits_end(text, at + 1);
    if (at < text.bytes && sc_capital(text.start[at]) == 'E') {
        size_t exponent = at + 1;
        if (exponent < text.bytes &&
            (text.start[exponent] == '-' || text.start[exponent] == '+'))
            exponent++;
        if (digits_end(text, exponent) > exponent)
            at = digits_end(text, exponent);
    }
    return at;
}

/* Tokens. */

typedef struct scanner {
    sc_text text;
    size_t at;
    sc_arena *arena;
    sc_refusal *refusal;
} scanner;

static scrim_status refuse_character(scanner *lexer)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_text rest = {lexer->text.start + lexer->at, lexer->text.bytes - lexer->at};
    const size_t bytes = sc_text_character(rest);
    const sc_span span = {lexer->at, bytes > 0 ? bytes : 1};
    if (bytes == 0)
        return sc_refuse(lexer->refusal, span, SCRIM_E_SYNTAX,
                         "invisible or invalid character");
    if (bytes > 1 || strchr("`[]{}$#@", rest.start[0]) != NULL)
        return sc_refuse(lexer->refusal, span, SCRIM_E_SYNTAX,
                         "%s: write names with special characters in double quotes, and "
                         "text in single quotes",
                         sc_text_quote((sc_text){rest.start, bytes}, quote));
    return sc_refuse(lexer->refusal, span, SCRIM_E_SYNTAX,
                     "unknown operator %s; use + - * / || = <> < <= > >=",
                     sc_text_quote((sc_text){rest.start, bytes}, quote));
}

/* Text or a name in quotes: every character must be one that can be shown. */
static scrim_status lex_quoted(scanner *lexer, sc_token *token)
{
    const sc_text text = lexer->text;
    const size_t at = lexer->at;
    size_t doubled;
    const size_t end = quote_end(text, at, &doubled);
    const bool is_text = text.start[at] == '\'';
    if (end == 0)
        return sc_refuse(lexer->refusal, sc_span_at(at, 1), SCRIM_E_SYNTAX,
                         "missing closing quote");
    for (size_t i = at; i < end;) {
        const size_t bytes = sc_text_character((sc_text){text.start + i, end - i});
        lexer->at = i;
        if (bytes == 0)
            return refuse_character(lexer);
        i += bytes;
    }
    if (!is_text && end - at == 2)
        return sc_refuse(lexer->refusal, sc_span_at(at, 2), SCRIM_E_SYNTAX,
                         "empty name; write text in single quotes");
    token->kind = is_text ? SC_TOKEN_TEXT : SC_TOKEN_NAME;
    token->quoted = !is_text;
    token->value = (sc_text){text.start + at + 1, end - at - 2};
    lexer->at = end;
    if (doubled == 0)
        return SCRIM_OK;
    char *single = sc_arena_allocate(lexer->arena, token->value.bytes, 1);
    if (single == NULL)
        return sc_refuse_memory(lexer->refusal);
    size_t kept = 0;
    for (size_t i = 0; i < token->value.bytes; i++) {
        single[kept++] = token->value.start[i];
        if (token->value.start[i] == text.start[at])
            i++; /* its double */
    }
    token->value = (sc_text){single, kept};
    return SCRIM_OK;
}

static scrim_status lex_number(scanner *lexer, sc_token *token)
{
    const size_t end = number_end(lexer->text, lexer->at);
    if (word_end(lexer->text, end) > end)
        return sc_refuse(lexer->refusal,
                         sc_span_at(lexer->at, word_end(lexer->text, end) - lexer->at),
                         SCRIM_E_SYNTAX,
                         "not a number or a name; write a name that begins with a digit "
                         "in double quotes");
    token->kind = SC_TOKEN_NUMBER;
    token->value = (sc_text){lexer->text.start + lexer->at, end - lexer->at};
    lexer->at = end;
    return SCRIM_OK;
}

static scrim_status lex_symbol(scanner *lexer, sc_token *token)
{
    const sc_text text = lexer->text;
    const sc_text rest = {text.start + lexer->at, text.bytes - lexer->at};
    size_t bytes = 0;
    for (sc_token_kind kind = SC_TOKEN_OPEN; kind <= SC_TOKEN_GREATER_EQUAL; kind++) {
        const sc_text symbol = sc_text_of(spelling[kind]);
        if (symbol.bytes > bytes && symbol.bytes <= rest.bytes &&
            memcmp(rest.start, symbol.start, symbol.bytes) == 0) {
            token->kind = kind;
            bytes = symbol.bytes;
        }
    }
    if (rest.bytes > 1 && memcmp(rest.start, "!=", 2) == 0) {
        token->kind = SC_TOKEN_NOT_EQUAL;
        bytes = 2;
    }
    if (bytes == 0)
        return refuse_character(lexer);
    token->value = (sc_text){rest.start, bytes};
    lexer->at += bytes;
    return SCRIM_OK;
}

static scrim_status lex_token(scanner *lexer, sc_token *token)
{
    const sc_text text = lexer->text;
    const size_t begin = lexer->at;
    scrim_status status = SCRIM_OK;
    *token = (sc_token){.kind = SC_TOKEN_END, .span = {begin, 0}};
    if (begin == text.bytes)
        return SCRIM_OK;
    const char c = text.start[begin];
    char next = '\0';
    if (begin + 1 < text.bytes)
        next = text.start[begin + 1];
    if (c == '\'' || c == '"') {
        status = lex_quoted(lexer, token);
    } else if (sc_ascii_is_digit(c) || (c == '.' && sc_ascii_is_digit(next))) {
        status = lex_number(lexer, token);
    } else if (is_letter(c)) {
        lexer->at = word_end(text, begin);
        token->value = (sc_text){text.start + begin, lexer->at - begin};
        token->kind = reserved(token->value);
    } else {
        status = lex_symbol(lexer, token);
    }
    token->span.bytes = lexer->at - begin;
    return status;
}

/* Canonical text. */

static bool is_function(const sc_token *token)
{
    return token[0].kind == SC_TOKEN_NAME && !token[0].quoted &&
           token[1].kind == SC_TOKEN_OPEN;
}

/* The tokens of a statement without its semicolon. */
static size_t statement_tokens(const sc_token *list, size_t count)
{
    count--; /* the end */
    return count > 0 && list[count - 1].kind == SC_TOKEN_SEMICOLON ? count - 1 : count;
}

/* Does a table stand before this point, and a column behind it? token is not the first. */
static bool is_point(const sc_token *token)
{
    return token[0].kind == SC_TOKEN_POINT && token[-1].kind == SC_TOKEN_NAME &&
           token[1].kind == SC_TOKEN_NAME;
}

/* Is a token set off from the one before it? As people write them; any rule would do. */
static bool is_set_off(const sc_token *list, size_t index)
{
    const sc_token *token = list + index;
    if (is_point(token) || (index > 1 && is_point(token - 1)))
        return false;
    return token[0].kind != SC_TOKEN_COMMA && token[0].kind != SC_TOKEN_CLOSE &&
           token[0].kind != SC_TOKEN_SEMICOLON && token[-1].kind != SC_TOKEN_OPEN &&
           !is_function(token - 1);
}

static scrim_status canonical(sc_text text, sc_arena *arena, sc_tokens *tokens,
                              sc_refusal *refusal)
{
    const size_t count = statement_tokens(tokens->list, tokens->count);
    size_t bytes = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        bytes += tokens->list[i].span.bytes + 1;
    char *out = sc_arena_allocate(arena, bytes, 1);
    if (out == NULL)
        return sc_refuse_memory(refusal);
    for (size_t i = 0; i < count; i++) {
        const sc_token *token = &tokens->list[i];
        const bool raise = token->kind >= SC_TOKEN_AND || is_function(token) ||
                           sc_token_is_top(token) || sc_token_is_escape(token);
        if (i > 0 && is_set_off(tokens->list, i))
            out[at++] = ' ';
        for (size_t j = 0; j < token->span.bytes; j++) {
            char c = text.start[token->span.offset + j];
            if (raise)
                c = sc_capital(c);
            out[at++] = c;
        }
    }
    tokens->canonical = (sc_text){out, at};
    return SCRIM_OK;
}

scrim_status sc_lex(sc_text text, sc_arena *arena, sc_tokens *out, sc_refusal *refusal)
{
    scanner lexer = {.text = text, .arena = arena, .refusal = refusal};
    scrim_status status = SCRIM_OK;
    size_t count = 0, capacity = 64;
    if (text.bytes > SC_QUERY_BYTES)
        return sc_refuse(refusal, sc_span_at(0, 0), SCRIM_E_LIMIT,
                         "a query may have at most %d bytes; this one has %zu",
                         SC_QUERY_BYTES, text.bytes);
    sc_token *list = sc_arena_allocate(arena, capacity, sizeof *list);
    if (list == NULL)
        return sc_refuse_memory(refusal);
    do {
        if (count == SC_QUERY_TOKENS)
            return sc_refuse(refusal, sc_span_at(lexer.at, 0), SCRIM_E_LIMIT,
                             "a query may have at most %d words and symbols",
                             SC_QUERY_TOKENS);
        if (count == capacity) {
            sc_token *more = sc_arena_allocate(arena, 2 * capacity, sizeof *more);
            if (more == NULL)
                return sc_refuse_memory(refusal);
            memcpy(more, list, count * sizeof *list);
            list = more;
            capacity *= 2;
        }
        lexer.at = skip_blank(text, lexer.at);
        SC_TRY(lex_token(&lexer, &list[count]));
    } while (list[count++].kind != SC_TOKEN_END);
    sc_tokens tokens = {.list = list, .count = count};
    status = canonical(text, arena, &tokens, refusal);
    if (status == SCRIM_OK)
        *out = tokens;
    return status;
}
