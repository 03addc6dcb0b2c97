#include "query/language/bound_values.h"

#include <string.h>

/* The literal of a value, and how many tokens it has. */
typedef struct literal {
    sc_text text;
    size_t tokens;
} literal;

static scrim_status refuse_value(sc_refusal *refusal, const sc_token *token,
                                 size_t number, const char *expected)
{
    return sc_refuse_for(refusal, token->span, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                         "parameters", "value %zu must be %s", number, expected);
}

/* Joins up to three texts. */
static bool join(sc_arena *arena, const char *before, sc_text text, const char *after,
                 sc_text *out)
{
    const size_t first = strlen(before), last = strlen(after);
    char *room = sc_arena_allocate(arena, first + text.bytes + last + 1, 1);
    if (room == NULL)
        return false;
    char *at = stpcpy(room, before);
    if (text.bytes > 0)
        memcpy(at, text.start, text.bytes);
    memcpy(at + text.bytes, after, last + 1);
    *out = (sc_text){room, first + text.bytes + last};
    return true;
}

/* Each quote twice. */
static bool quoted(sc_arena *arena, const char *before, sc_text text, sc_text *out)
{
    char *twice = sc_arena_allocate(arena, 2 * text.bytes + 1, 1);
    size_t bytes = 0;
    if (twice == NULL)
        return false;
    for (size_t i = 0; i < text.bytes; i++) {
        if (text.start[i] == '\'')
            twice[bytes++] = '\'';
        twice[bytes++] = text.start[i];
    }
    return join(arena, before, (sc_text){twice, bytes}, "'", out);
}

/* Are these the tokens of the literal, and no others? */
static scrim_status check_literal(const literal *made, sc_token_kind last,
                                  sc_arena *arena, const char *expected, size_t number,
                                  const sc_token *token, sc_refusal *refusal)
{
    sc_tokens tokens;
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal own = {.error = &error};
    const scrim_status status = sc_lex(made->text, arena, &tokens, &own);
    if (status == SCRIM_E_MEMORY)
        return sc_refuse_memory(refusal);
    if (status == SCRIM_E_LIMIT)
        return sc_refuse_for(refusal, token->span, status, error.reason, error.parameter,
                             "%s", error.message);
    if (status != SCRIM_OK || tokens.count != made->tokens + 1)
        return refuse_value(refusal, token, number, expected);
    /* The last token ends the text: a comment behind it would hide the rest of the query. */
    const sc_token *own_last = &tokens.list[made->tokens - 1];
    if (own_last->kind != last ||
        own_last->span.offset + own_last->span.bytes != made->text.bytes)
        return refuse_value(refusal, token, number, expected);
    return SCRIM_OK;
}

static scrim_status write_literal(const scrim_query_value *value, size_t number,
                                  const sc_token *token, sc_arena *arena, literal *out,
                                  sc_refusal *refusal)
{
    static const char visible[] = "text of visible characters";
    const sc_text text = sc_text_of(value->text);
    const char *expected = visible;
    sc_token_kind last = SC_TOKEN_TEXT;
    bool is_made = true;
    *out = (literal){.text = text, .tokens = 1};
    if (value->kind == SCRIM_VALUE_NULL) {
        out->text = sc_text_of("NULL");
        last = SC_TOKEN_NULL;
    } else if (value->kind == SCRIM_VALUE_NUMBER) {
        out->tokens = text.bytes > 0 && text.start[0] == '-' ? 2 : 1;
        last = SC_TOKEN_NUMBER;
        expected = "a number, such as -2.5";
    } else if (value->kind == SCRIM_VALUE_BOOL && sc_text_is(text, "true")) {
        out->text = sc_text_of("TRUE");
        last = SC_TOKEN_TRUE;
    } else if (value->kind == SCRIM_VALUE_BOOL && sc_text_is(text, "false")) {
        out->text = sc_text_of("FALSE");
        last = SC_TOKEN_FALSE;
    } else if (value->kind == SCRIM_VALUE_TEXT) {
        is_made = quoted(arena, "'", text, &out->text);
    } else if (value->kind == SCRIM_VALUE_DATE) {
        is_made = quoted(arena, "DATE '", text, &out->text);
        out->tokens = 2;
    } else if (value->kind == SCRIM_VALUE_TIMESTAMP) {
        is_made = quoted(arena, "TIMESTAMP '", text, &out->text);
        out->tokens = 2;
    } else {
        return refuse_value(refusal, token, number, "true or false");
    }
    if (!is_made)
        return sc_refuse_memory(refusal);
    return check_literal(out, last, arena, expected, number, token, refusal);
}

/* May a sign or another value stand behind this token? Then a value there could become a part of arithmetic. */
static bool is_operand(const sc_token *token)
{
    switch ((int)token->kind) {
    case SC_TOKEN_NAME:
    case SC_TOKEN_NUMBER:
    case SC_TOKEN_TEXT:
    case SC_TOKEN_CLOSE:
    case SC_TOKEN_PARAMETER:
    case SC_TOKEN_END_CASE:
    case SC_TOKEN_FALSE:
    case SC_TOKEN_NULL:
    case SC_TOKEN_TRUE:
        return true;
    default:
        return false;
    }
}

static scrim_status count_parameters(const sc_tokens *tokens, size_t count,
                                     sc_refusal *refusal)
{
    size_t found = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        if (tokens->list[i].kind != SC_TOKEN_PARAMETER)
            continue;
        if (i > 0 && is_operand(&tokens->list[i - 1]))
            return sc_refuse_for(refusal, tokens->list[i].span, SCRIM_E_PARAM,
                                 SCRIM_REASON_SYNTAX, "query",
                                 "a parameter ? stands for one value, as in age > ?");
        found++;
    }
    if (found == count)
        return SCRIM_OK;
    return sc_refuse_for(refusal, sc_span_at(0, 0), SCRIM_E_PARAM,
                         found < count ? SCRIM_REASON_CONFLICT : SCRIM_REASON_MISSING,
                         "parameters", "the query has %zu parameters ?, and %zu values",
                         found, count);
}

/* Does the bound text have the tokens of the query, and those of the literals in place of each ?? */
static bool is_bound(const sc_tokens *tokens, const literal *literals,
                     const sc_tokens *bound)
{
    size_t at = 0, next = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const sc_token *token = &tokens->list[i];
        if (token->kind == SC_TOKEN_PARAMETER) {
            at += literals[next++].tokens;
            continue;
        }
        if (at >= bound->count || bound->list[at].kind != token->kind ||
            bound->list[at].quoted != token->quoted ||
            !sc_text_equal(bound->list[at].value, token->value))
            return false;
        at++;
    }
    return at == bound->count;
}

/* Puts a literal between spaces, unless parentheses or a comma set it off. */
static char *put_literal(char *out, const char *begin, const char *rest, sc_text text)
{
    if (out > begin && out[-1] != ' ' && out[-1] != '(')
        *out++ = ' ';
    memcpy(out, text.start, text.bytes);
    out += text.bytes;
    if (*rest != '\0' && strchr(" ),", *rest) == NULL)
        *out++ = ' ';
    return out;
}

static scrim_status put_all(sc_text query, const sc_tokens *tokens,
                            const literal *literals, sc_arena *arena, sc_text *out,
                            sc_refusal *refusal)
{
    size_t bytes = query.bytes + 1, at = 0, next = 0;
    for (size_t i = 0; i < tokens->count; i++)
        if (tokens->list[i].kind == SC_TOKEN_PARAMETER)
            bytes += literals[next++].text.bytes + 2;
    char *text = sc_arena_allocate(arena, bytes, 1);
    char *end = text;
    const char *own = sc_arena_copy(arena, query.start, query.bytes);
    if (text == NULL || own == NULL)
        return sc_refuse_memory(refusal);
    next = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const sc_span span = tokens->list[i].span;
        if (tokens->list[i].kind != SC_TOKEN_PARAMETER)
            continue;
        memcpy(end, own + at, span.offset - at);
        end += span.offset - at;
        at = span.offset + span.bytes;
        end = put_literal(end, text, own + at, literals[next++].text);
    }
    memcpy(end, own + at, query.bytes - at);
    end += query.bytes - at;
    *out = (sc_text){text, (size_t)(end - text)};
    return SCRIM_OK;
}

scrim_status sc_values_bind(sc_text query, const scrim_query_value *values, size_t count,
                            sc_arena *arena, sc_text *out, sc_refusal *refusal)
{
    sc_tokens tokens, bound;
    sc_text text;
    size_t next = 0;
    SC_TRY(sc_lex(query, arena, &tokens, refusal));
    SC_TRY(count_parameters(&tokens, count, refusal));
    literal *literals = sc_arena_allocate(arena, count + 1, sizeof *literals);
    if (literals == NULL)
        return sc_refuse_memory(refusal);
    for (size_t i = 0; i < tokens.count; i++) {
        const sc_token *token = &tokens.list[i];
        if (token->kind != SC_TOKEN_PARAMETER)
            continue;
        SC_TRY(write_literal(&values[next], next + 1, token, arena, &literals[next],
                             refusal));
        next++;
    }
    SC_TRY(put_all(query, &tokens, literals, arena, &text, refusal));
    const scrim_status status = sc_lex(text, arena, &bound, refusal);
    if (status != SCRIM_OK) {
        refusal->place = sc_span_at(0, 0); /* it is of the bound text */
        return status;
    }
    if (!is_bound(&tokens, literals, &bound))
        return sc_refuse(refusal, sc_span_at(0, 0), SCRIM_E_INTERNAL,
                         "a value changed the words of its query");
    *out = bound.canonical;
    return SCRIM_OK;
}
