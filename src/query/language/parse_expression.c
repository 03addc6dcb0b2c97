#include "query/language/parse.h"
#include "query/language/refusal.h"

/* Nodes. */

static scrim_status parse_joined(sc_parser *parser, const sc_node **out);

static scrim_status too_deep(const sc_parser *parser, sc_span span)
{
    (void)sc_refuse(parser->refusal, span, SCRIM_E_LIMIT,
                    "expressions may be nested at most %d deep; IN (a, b, c), AND and OR "
                    "accept long lists",
                    SC_QUERY_DEPTH);
    return SCRIM_E_LIMIT;
}

static scrim_status new_node(sc_parser *parser, sc_node_kind kind, sc_span span,
                             const sc_gathering *parts, sc_node **out)
{
    sc_node *node = sc_arena_allocate(parser->arena, 1, sizeof *node);
    if (node == NULL)
        return sc_refuse_memory(parser->refusal);
    node->kind = kind;
    node->span = span;
    node->depth = 1;
    if (parts != NULL) {
        node->list = parts->items;
        node->count = parts->count;
    }
    for (size_t i = 0; i < node->count; i++)
        if (node->depth <= node->list[i]->depth)
            node->depth = node->list[i]->depth + 1;
    if (node->depth > SC_QUERY_DEPTH)
        return too_deep(parser, span);
    *out = node;
    return SCRIM_OK;
}

static scrim_status add_part(sc_parser *parser, sc_gathering *parts, const sc_node *part)
{
    const sc_node **place = sc_gathering_more(parts, parser->arena);
    if (place == NULL)
        return sc_refuse_memory(parser->refusal);
    *place = part;
    return SCRIM_OK;
}

#define PARTS                                                                            \
    {                                                                                    \
        .bytes = sizeof(const sc_node *)                                                 \
    }

/* From the first of the parts to the token before the next one. */
static sc_span span_from(const sc_parser *parser, sc_span first)
{
    return sc_span_join(first, parser->token[-1].span);
}

static scrim_status leaf(sc_parser *parser, sc_node_kind kind, sc_text text,
                         const sc_node **out)
{
    sc_node *node;
    const sc_span span = parser->token->span;
    parser->token++;
    SC_TRY(new_node(parser, kind, span, NULL, &node));
    node->text = text;
    *out = node;
    return SCRIM_OK;
}

/* A node of one or two parts that are there already. */
static scrim_status operation(sc_parser *parser, sc_node_kind kind, sc_span first,
                              const sc_node *left, const sc_node *right,
                              const sc_node **out)
{
    sc_gathering parts = PARTS;
    sc_node *node;
    scrim_status status = add_part(parser, &parts, left);
    if (status == SCRIM_OK && right != NULL)
        status = add_part(parser, &parts, right);
    if (status == SCRIM_OK)
        status = new_node(parser, kind, span_from(parser, first), &parts, &node);
    if (status == SCRIM_OK)
        *out = node;
    return status;
}

/* Calls. */

static scrim_status parse_arguments(sc_parser *parser, sc_gathering *parts,
                                    bool *distinct)
{
    const sc_node *part;
    scrim_status status;
    *distinct = sc_parser_take(parser, SC_TOKEN_DISTINCT);
    if (!*distinct && sc_parser_take(parser, SC_TOKEN_CLOSE))
        return SCRIM_OK;
    if (!*distinct && parser->token->kind == SC_TOKEN_STAR) {
        status = leaf(parser, SC_NODE_STAR, sc_text_of(""), &part);
        if (status == SCRIM_OK)
            status = add_part(parser, parts, part);
        return status != SCRIM_OK
                   ? status
                   : sc_parser_expect(parser, SC_TOKEN_CLOSE, "a closing parenthesis");
    }
    do {
        status = sc_parse_condition(parser, &part);
        if (status == SCRIM_OK)
            status = add_part(parser, parts, part);
        if (status != SCRIM_OK)
            return status;
    } while (sc_parser_take(parser, SC_TOKEN_COMMA));
    return sc_parser_expect(parser, SC_TOKEN_CLOSE, "a comma or a closing parenthesis");
}

static scrim_status parse_with_range(sc_parser *parser, bool *with_range)
{
    *with_range = false;
    if (!sc_parser_take(parser, SC_TOKEN_WITH))
        return SCRIM_OK;
    *with_range = parser->token->kind == SC_TOKEN_NAME && !parser->token->quoted &&
                  sc_word_is(parser->token->value, "RANGE");
    if (!*with_range)
        return sc_parser_unexpected(parser, "RANGE after WITH");
    parser->token++;
    return SCRIM_OK;
}

/* FILTER (WHERE condition), behind the arguments. */
static scrim_status parse_filter(sc_parser *parser, const sc_node **filter)
{
    *filter = NULL;
    if (parser->token->kind != SC_TOKEN_NAME || parser->token->quoted ||
        !sc_word_is(parser->token->value, "FILTER"))
        return SCRIM_OK;
    parser->token++;
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_OPEN, "(WHERE condition) after FILTER"));
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_WHERE, "WHERE after FILTER ("));
    SC_TRY(sc_parse_condition(parser, filter));
    return sc_parser_expect(parser, SC_TOKEN_CLOSE, "a closing parenthesis");
}

/* The next two tokens are a name and an opening parenthesis. */
static scrim_status parse_call(sc_parser *parser, const sc_node **out)
{
    const sc_token *name = parser->token;
    char capitals[SC_WORD_BYTES];
    sc_gathering parts = PARTS;
    const sc_node *filter;
    sc_node *node;
    bool distinct, with_range;
    /* ANY_VALUE is allowed only in FROM (SELECT ...), where a unit gives one row. */
    const bool is_inner = parser->level > 0 && sc_word_is(name->value, "ANY_VALUE");
    const sc_forbidden *found = is_inner ? NULL : sc_forbidden_function(name->value);
    if (found == NULL)
        found = sc_forbidden_word(name->value);
    if (found != NULL)
        return sc_refuse_forbidden(parser->refusal, name->span, name->value, found);
    parser->token += 2;
    scrim_status status = parse_arguments(parser, &parts, &distinct);
    if (status == SCRIM_OK)
        status = parse_filter(parser, &filter);
    if (status == SCRIM_OK)
        status = parse_with_range(parser, &with_range);
    if (status == SCRIM_OK)
        status =
            new_node(parser, SC_NODE_CALL, span_from(parser, name->span), &parts, &node);
    if (status != SCRIM_OK)
        return status;
    const sc_text text = sc_word_capitals(name->value, capitals);
    node->text =
        (sc_text){sc_arena_copy(parser->arena, text.start, text.bytes), text.bytes};
    node->distinct = distinct;
    node->with_range = with_range;
    node->filter = filter;
    if (filter != NULL && node->depth <= filter->depth)
        node->depth = filter->depth + 1;
    if (node->depth > SC_QUERY_DEPTH)
        return too_deep(parser, node->span);
    *out = node;
    return node->text.start == NULL ? sc_refuse_memory(parser->refusal) : SCRIM_OK;
}

/* CASE. */

static scrim_status parse_when(sc_parser *parser, bool has_subject, sc_gathering *parts)
{
    const sc_node *condition, *value;
    SC_TRY(has_subject ? parse_joined(parser, &condition)
                       : sc_parse_condition(parser, &condition));
    SC_TRY(add_part(parser, parts, condition));
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_THEN, "THEN"));
    SC_TRY(sc_parse_condition(parser, &value));
    return add_part(parser, parts, value);
}

/* Reads the branches behind CASE. */
static scrim_status parse_branches(sc_parser *parser, bool has_subject,
                                   sc_gathering *parts)
{
    const sc_node *part;
    scrim_status status = SCRIM_OK;
    if (has_subject) {
        status = parse_joined(parser, &part);
        if (status == SCRIM_OK)
            status = add_part(parser, parts, part);
    }
    if (status == SCRIM_OK && parser->token->kind != SC_TOKEN_WHEN)
        status = sc_parser_unexpected(parser, "WHEN");
    while (status == SCRIM_OK && sc_parser_take(parser, SC_TOKEN_WHEN))
        status = parse_when(parser, has_subject, parts);
    if (status == SCRIM_OK && sc_parser_take(parser, SC_TOKEN_ELSE)) {
        status = sc_parse_condition(parser, &part);
        if (status == SCRIM_OK)
            status = add_part(parser, parts, part);
    }
    if (status == SCRIM_OK)
        status = sc_parser_expect(parser, SC_TOKEN_END_CASE, "WHEN, ELSE or END");
    return status;
}

static scrim_status parse_case(sc_parser *parser, const sc_node **out)
{
    sc_gathering parts = PARTS;
    sc_node *node;
    const sc_span first = parser->token->span;
    if (parser->depth >= SC_QUERY_DEPTH)
        return too_deep(parser, first);
    parser->token++;
    parser->depth++;
    const bool has_subject = parser->token->kind != SC_TOKEN_WHEN;
    scrim_status status = parse_branches(parser, has_subject, &parts);
    parser->depth--;
    if (status == SCRIM_OK)
        status = new_node(parser, SC_NODE_CASE, span_from(parser, first), &parts, &node);
    if (status != SCRIM_OK)
        return status;
    node->has_subject = has_subject;
    *out = node;
    return SCRIM_OK;
}

/* Factors. */

/* The next three tokens are a table, a point and a column. */
static scrim_status parse_qualified(sc_parser *parser, const sc_node **out)
{
    const sc_token *table = parser->token, *column = table + 2;
    sc_node *node = sc_arena_allocate(parser->arena, 1, sizeof *node);
    sc_qualified *entry = sc_arena_allocate(parser->arena, 1, sizeof *entry);
    if (node == NULL || entry == NULL)
        return sc_refuse_memory(parser->refusal);
    *node = (sc_node){.kind = SC_NODE_NAME,
                      .depth = 1,
                      .span = sc_span_join(table->span, column->span),
                      .text = column->value,
                      .table = table->value};
    *entry = (sc_qualified){node, table[1].span, parser->qualified};
    parser->qualified = entry;
    parser->token += 3;
    *out = node;
    return SCRIM_OK;
}

static scrim_status parse_name(sc_parser *parser, const sc_node **out)
{
    const sc_token *name = parser->token;
    char quote[SC_TEXT_QUOTE_BYTES];
    if (name[1].kind == SC_TOKEN_POINT && name[2].kind == SC_TOKEN_NAME)
        return parse_qualified(parser, out);
    if (!name->quoted && name[1].kind == SC_TOKEN_OPEN)
        return parse_call(parser, out);
    if (name->quoted || name[1].kind != SC_TOKEN_TEXT)
        return leaf(parser, SC_NODE_NAME, name->value, out);
    const bool is_date = sc_word_is(name->value, "DATE");
    if (!is_date && !sc_word_is(name->value, "TIMESTAMP"))
        return sc_refuse(parser->refusal, name->span, SCRIM_E_POLICY,
                         "%s: only DATE and TIMESTAMP may precede text, as in DATE "
                         "'2026-01-31'; add days as numbers",
                         sc_text_quote(name->value, quote));
    parser->token++;
    return leaf(parser, is_date ? SC_NODE_DATE : SC_NODE_TIMESTAMP, parser->token->value,
                out);
}

static scrim_status parse_parentheses(sc_parser *parser, const sc_node **out)
{
    const sc_token *open = parser->token++;
    if (parser->token->kind == SC_TOKEN_SELECT)
        return sc_parser_unexpected(parser, "an expression");
    scrim_status status = sc_parse_condition(parser, out);
    if (status == SCRIM_OK && parser->token->kind == SC_TOKEN_COMMA)
        return sc_refuse_form(parser->refusal, open->span, "", "ROW");
    if (status == SCRIM_OK)
        status = sc_parser_expect(parser, SC_TOKEN_CLOSE, "a closing parenthesis");
    return status;
}

static scrim_status parse_primary(sc_parser *parser, const sc_node **out)
{
    const sc_token *token = parser->token;
    if (token->kind == SC_TOKEN_NUMBER)
        return leaf(parser, SC_NODE_NUMBER, token->value, out);
    if (token->kind == SC_TOKEN_TEXT)
        return leaf(parser, SC_NODE_TEXT, token->value, out);
    if (token->kind == SC_TOKEN_TRUE)
        return leaf(parser, SC_NODE_TRUE, sc_text_of(""), out);
    if (token->kind == SC_TOKEN_FALSE)
        return leaf(parser, SC_NODE_FALSE, sc_text_of(""), out);
    if (token->kind == SC_TOKEN_NAME)
        return parse_name(parser, out);
    if (token->kind == SC_TOKEN_OPEN)
        return parse_parentheses(parser, out);
    if (token->kind == SC_TOKEN_CASE)
        return parse_case(parser, out);
    if (token->kind == SC_TOKEN_NULL)
        return leaf(parser, SC_NODE_NULL, sc_text_of(""), out);
    return sc_parser_unexpected(parser, "a column, a value or a function");
}

static scrim_status parse_factor(sc_parser *parser, const sc_node **out)
{
    const sc_span first = parser->token->span;
    const bool minus = parser->token->kind == SC_TOKEN_MINUS;
    if (!minus && parser->token->kind != SC_TOKEN_PLUS)
        return parse_primary(parser, out);
    if (parser->depth >= SC_QUERY_DEPTH)
        return too_deep(parser, first);
    parser->token++;
    parser->depth++;
    scrim_status status = parse_factor(parser, out);
    parser->depth--;
    if (status == SCRIM_OK && minus)
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a factor was parsed into it */
        status = operation(parser, SC_NODE_NEGATE, first, *out, NULL, out);
    return status;
}

/* Operators, from the one that binds closest. */

static scrim_status parse_term(sc_parser *parser, const sc_node **out)
{
    const sc_span first = parser->token->span;
    scrim_status status = parse_factor(parser, out);
    while (status == SCRIM_OK && (parser->token->kind == SC_TOKEN_STAR ||
                                  parser->token->kind == SC_TOKEN_SLASH)) {
        const sc_node *right = NULL;
        const sc_node_kind kind =
            parser->token->kind == SC_TOKEN_STAR ? SC_NODE_MULTIPLY : SC_NODE_DIVIDE;
        parser->token++;
        status = parse_factor(parser, &right);
        if (status == SCRIM_OK)
            status = operation(parser, kind, first, *out, right, out);
    }
    return status;
}

static scrim_status parse_sum(sc_parser *parser, const sc_node **out)
{
    const sc_span first = parser->token->span;
    scrim_status status = parse_term(parser, out);
    while (status == SCRIM_OK && (parser->token->kind == SC_TOKEN_PLUS ||
                                  parser->token->kind == SC_TOKEN_MINUS)) {
        const sc_node *right;
        const sc_node_kind kind =
            parser->token->kind == SC_TOKEN_PLUS ? SC_NODE_ADD : SC_NODE_SUBTRACT;
        parser->token++;
        status = parse_term(parser, &right);
        if (status == SCRIM_OK)
            status = operation(parser, kind, first, *out, right, out);
    }
    return status;
}

static scrim_status parse_joined(sc_parser *parser, const sc_node **out)
{
    const sc_span first = parser->token->span;
    scrim_status status = parse_sum(parser, out);
    while (status == SCRIM_OK && sc_parser_take(parser, SC_TOKEN_JOINED)) {
        const sc_node *right;
        status = parse_sum(parser, &right);
        if (status == SCRIM_OK)
            status = operation(parser, SC_NODE_JOINED, first, *out, right, out);
    }
    return status;
}

static bool comparison_kind(sc_token_kind token, sc_node_kind *kind)
{
    static const struct {
        sc_token_kind token;
        sc_node_kind node;
    } table[] = {{SC_TOKEN_EQUAL, SC_NODE_EQUAL},
                 {SC_TOKEN_NOT_EQUAL, SC_NODE_NOT_EQUAL},
                 {SC_TOKEN_LESS, SC_NODE_LESS},
                 {SC_TOKEN_LESS_EQUAL, SC_NODE_LESS_EQUAL},
                 {SC_TOKEN_GREATER, SC_NODE_GREATER},
                 {SC_TOKEN_GREATER_EQUAL, SC_NODE_GREATER_EQUAL}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].token == token) {
            *kind = table[i].node;
            return true;
        }
    return false;
}

static scrim_status parse_between(sc_parser *parser, sc_gathering *parts)
{
    const sc_node *bound;
    SC_TRY(parse_joined(parser, &bound));
    SC_TRY(add_part(parser, parts, bound));
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_AND, "AND and the upper bound"));
    SC_TRY(parse_joined(parser, &bound));
    return add_part(parser, parts, bound);
}

static scrim_status parse_in(sc_parser *parser, sc_gathering *parts)
{
    const sc_node *value;
    scrim_status status =
        sc_parser_expect(parser, SC_TOKEN_OPEN, "a list in parentheses, as in IN (1, 2)");
    if (status == SCRIM_OK && parser->token->kind == SC_TOKEN_SELECT)
        return sc_parser_unexpected(parser, "a list of values");
    if (status != SCRIM_OK)
        return status;
    do {
        status = parse_joined(parser, &value);
        if (status == SCRIM_OK)
            status = add_part(parser, parts, value);
        if (status != SCRIM_OK)
            return status;
    } while (sc_parser_take(parser, SC_TOKEN_COMMA));
    return sc_parser_expect(parser, SC_TOKEN_CLOSE, "a comma or a closing parenthesis");
}

/* Reads the pattern behind LIKE. */
static scrim_status parse_like(sc_parser *parser, sc_gathering *parts)
{
    const sc_node *part;
    scrim_status status = parse_joined(parser, &part);
    if (status == SCRIM_OK)
        status = add_part(parser, parts, part);
    if (status != SCRIM_OK || !sc_token_is_escape(parser->token))
        return status;
    parser->token++;
    status = leaf(parser, SC_NODE_TEXT, parser->token->value, &part);
    return status == SCRIM_OK ? add_part(parser, parts, part) : status;
}

/* Behind IS: [NOT] NULL, TRUE, FALSE, DISTINCT FROM. */
static scrim_status parse_is(sc_parser *parser, sc_node_kind *kind, bool *negated,
                             sc_gathering *parts)
{
    const sc_node *other;
    *negated = sc_parser_take(parser, SC_TOKEN_NOT);
    *kind = SC_NODE_IS_DISTINCT;
    if (sc_parser_take(parser, SC_TOKEN_TRUE)) {
        *kind = SC_NODE_IS_TRUE;
        return SCRIM_OK;
    }
    if (sc_parser_take(parser, SC_TOKEN_FALSE)) {
        *kind = SC_NODE_IS_FALSE;
        return SCRIM_OK;
    }
    if (!sc_parser_take(parser, SC_TOKEN_DISTINCT)) {
        *kind = SC_NODE_IS_NULL;
        return sc_parser_expect(parser, SC_TOKEN_NULL,
                                "NULL, TRUE, FALSE or DISTINCT FROM after IS");
    }
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_FROM, "FROM after DISTINCT"));
    SC_TRY(parse_joined(parser, &other));
    return add_part(parser, parts, other);
}

/* Reads the predicate behind a value, if any: [NOT] BETWEEN, [NOT] IN, [NOT] LIKE, IS. */
static scrim_status parse_predicate(sc_parser *parser, sc_span first,
                                    const sc_node **value)
{
    sc_gathering parts = PARTS;
    sc_node *node = NULL;
    bool negated = sc_parser_take(parser, SC_TOKEN_NOT);
    sc_node_kind kind;
    scrim_status status = add_part(parser, &parts, *value);
    if (status != SCRIM_OK)
        return status;
    if (sc_parser_take(parser, SC_TOKEN_BETWEEN)) {
        kind = SC_NODE_BETWEEN;
        status = parse_between(parser, &parts);
    } else if (sc_parser_take(parser, SC_TOKEN_IN)) {
        kind = SC_NODE_IN;
        status = parse_in(parser, &parts);
    } else if (!negated && sc_parser_take(parser, SC_TOKEN_IS)) {
        status = parse_is(parser, &kind, &negated, &parts);
    } else if (sc_parser_take(parser, SC_TOKEN_LIKE)) {
        kind = SC_NODE_LIKE;
        status = parse_like(parser, &parts);
    } else if (negated) {
        return sc_parser_unexpected(parser, "BETWEEN, IN or LIKE after NOT");
    } else {
        return SCRIM_OK;
    }
    if (status == SCRIM_OK)
        status = new_node(parser, kind, span_from(parser, first), &parts, &node);
    if (status != SCRIM_OK)
        return status;
    *value = node;
    return negated ? operation(parser, SC_NODE_NOT, first, node, NULL, value) : SCRIM_OK;
}

static scrim_status parse_comparison(sc_parser *parser, const sc_node **out)
{
    const sc_span first = parser->token->span;
    const sc_node *right;
    sc_node_kind kind;
    SC_TRY(parse_joined(parser, out));
    if (!comparison_kind(parser->token->kind, &kind))
        return parse_predicate(parser, first, out);
    parser->token++;
    if (parser->token->kind == SC_TOKEN_EQUAL)
        return sc_refuse(parser->refusal, parser->token->span, SCRIM_E_SYNTAX,
                         "unknown comparison; use = <> < <= > >=");
    scrim_status status = parse_joined(parser, &right);
    if (status == SCRIM_OK)
        status = operation(parser, kind, first, *out, right, out);
    if (status == SCRIM_OK && comparison_kind(parser->token->kind, &kind))
        return sc_refuse(
            parser->refusal, parser->token->span, SCRIM_E_SYNTAX,
            "comparisons cannot be chained; write x BETWEEN a AND b, or a < x AND x < b");
    return status;
}

static scrim_status parse_not(sc_parser *parser, const sc_node **out)
{
    const sc_span first = parser->token->span;
    if (parser->token->kind != SC_TOKEN_NOT)
        return parse_comparison(parser, out);
    if (parser->depth >= SC_QUERY_DEPTH)
        return too_deep(parser, first);
    parser->token++;
    parser->depth++;
    scrim_status status = parse_not(parser, out);
    parser->depth--;
    if (status == SCRIM_OK)
        status = operation(parser, SC_NODE_NOT, first, *out, NULL, out);
    return status;
}

/* One or more, with AND or OR between them; one node for them all. */
static scrim_status parse_chain(sc_parser *parser, sc_token_kind word, sc_node_kind kind,
                                scrim_status (*parse_part)(sc_parser *, const sc_node **),
                                const sc_node **out)
{
    const sc_span first = parser->token->span;
    sc_gathering parts = PARTS;
    sc_node *node;
    scrim_status status = parse_part(parser, out);
    if (status != SCRIM_OK || parser->token->kind != word)
        return status;
    status = add_part(parser, &parts, *out);
    while (status == SCRIM_OK && sc_parser_take(parser, word)) {
        status = parse_part(parser, out);
        if (status == SCRIM_OK)
            status = add_part(parser, &parts, *out);
    }
    if (status == SCRIM_OK)
        status = new_node(parser, kind, span_from(parser, first), &parts, &node);
    if (status == SCRIM_OK)
        *out = node;
    return status;
}

static scrim_status parse_and(sc_parser *parser, const sc_node **out)
{
    return parse_chain(parser, SC_TOKEN_AND, SC_NODE_AND, parse_not, out);
}

scrim_status sc_parse_condition(sc_parser *parser, const sc_node **out)
{
    if (parser->depth >= SC_QUERY_DEPTH)
        return too_deep(parser, parser->token->span);
    parser->depth++;
    const scrim_status status =
        parse_chain(parser, SC_TOKEN_OR, SC_NODE_OR, parse_and, out);
    parser->depth--;
    return status;
}
