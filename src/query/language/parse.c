#include "query/language/parse.h"

#include "query/language/refusal.h"

#include <string.h>

/* Tokens. */

bool sc_parser_take(sc_parser *parser, sc_token_kind kind)
{
    if (parser->token->kind != kind)
        return false;
    if (kind != SC_TOKEN_END)
        parser->token++;
    return true;
}

scrim_status sc_parser_expect(sc_parser *parser, sc_token_kind kind, const char *purpose)
{
    return sc_parser_take(parser, kind) ? SCRIM_OK
                                        : sc_parser_unexpected(parser, purpose);
}

/* The reserved word that a name was perhaps meant to be. */
static const char *nearest_reserved(sc_text name)
{
    const char *reserved[SC_RESERVED_WORDS];
    char capitals[SC_WORD_BYTES];
    for (size_t i = 0; i < SC_RESERVED_WORDS; i++)
        reserved[i] = sc_reserved_word(i);
    const sc_text word = sc_word_capitals(name, capitals);
    const char *nearest = sc_text_nearest(word, reserved, SC_RESERVED_WORDS);
    /* These words are short: most letters must be right. */
    return nearest != NULL && 2 * sc_text_distance(word, sc_text_of(nearest)) < word.bytes
               ? nearest
               : NULL;
}

/* A point (t.column) appears mostly in queries of several tables: if a JOIN follows, the message is about the join. */
static scrim_status refuse_point(const sc_parser *parser)
{
    for (const sc_token *token = parser->token; token->kind != SC_TOKEN_END; token++)
        if (token->kind == SC_TOKEN_NAME && !token->quoted &&
            sc_word_is(token->value, "JOIN"))
            return sc_refuse_forbidden(parser->refusal, token->span, token->value,
                                       sc_forbidden_word(token->value));
    return sc_refuse_form(parser->refusal, parser->token->span, "", ".");
}

static bool is_word(const sc_token *token)
{
    return token->kind == SC_TOKEN_NAME && !token->quoted;
}

/* Two names behind each other may be one with a blank in it. */
static scrim_status refuse_second_name(const sc_parser *parser, const char *expected)
{
    const sc_token *token = parser->token;
    char quote[SC_TEXT_QUOTE_BYTES], before[SC_TEXT_QUOTE_BYTES];
    return sc_refuse(parser->refusal, token->span, SCRIM_E_SYNTAX,
                     "%s: expected %s; write a name with a blank in double quotes, as in "
                     "\"%s %s\"",
                     sc_text_quote(token->value, quote), expected,
                     sc_text_quote(token[-1].value, before), quote);
}

scrim_status sc_parser_unexpected(const sc_parser *parser, const char *expected)
{
    const sc_token *token = parser->token;
    if (token->kind == SC_TOKEN_POINT)
        return refuse_point(parser);
    if (token->kind == SC_TOKEN_CAST)
        return sc_refuse_form(parser->refusal, token->span, "", "::");
    if (token->kind == SC_TOKEN_PARAMETER)
        return sc_refuse_for(parser->refusal, token->span, SCRIM_E_PARAM,
                             SCRIM_REASON_MISSING, "parameters",
                             "missing value of the parameter ?");
    char quote[SC_TEXT_QUOTE_BYTES];
    const bool may_be_form = token->kind >= SC_TOKEN_AND || is_word(token);
    const sc_forbidden *found = may_be_form ? sc_forbidden_word(token->value) : NULL;
    if (found != NULL)
        return sc_refuse_forbidden(parser->refusal, token->span, token->value, found);
    if (token->kind == SC_TOKEN_END)
        return sc_refuse(parser->refusal, token->span, SCRIM_E_SYNTAX,
                         "the query ends here; expected %s", expected);
    const char *meant = is_word(token) ? nearest_reserved(token->value) : NULL;
    if (meant != NULL)
        return sc_refuse(parser->refusal, token->span, SCRIM_E_SYNTAX,
                         "%s: expected %s; did you mean %s?",
                         sc_text_quote(token->value, quote), expected, meant);
    if (is_word(token) && token > parser->first && is_word(token - 1))
        return refuse_second_name(parser, expected);
    if (token->kind >= SC_TOKEN_AND && strstr(expected, "a column") != NULL)
        return sc_refuse(parser->refusal, token->span, SCRIM_E_SYNTAX,
                         "%s: expected %s; write a column of that name as \"%s\"",
                         sc_token_text(token->kind), expected,
                         sc_text_quote(token->value, quote));
    return sc_refuse(parser->refusal, token->span, SCRIM_E_SYNTAX, "%s: expected %s",
                     sc_text_quote(token->value, quote), expected);
}

void *sc_gathering_more(sc_gathering *gathering, sc_arena *arena)
{
    if (gathering->count == gathering->capacity) {
        const size_t capacity = gathering->capacity > 0 ? 2 * gathering->capacity : 4;
        void *items = sc_arena_allocate(arena, capacity, gathering->bytes);
        if (items == NULL)
            return NULL;
        if (gathering->count > 0)
            memcpy(items, gathering->items, gathering->count * gathering->bytes);
        gathering->items = items;
        gathering->capacity = capacity;
    }
    return (char *)gathering->items + gathering->count++ * gathering->bytes;
}

/* Clauses. */

static bool is_forbidden(const sc_token *token)
{
    return token->kind == SC_TOKEN_NAME && !token->quoted &&
           sc_forbidden_word(token->value) != NULL;
}

/* Is the next token a name without AS? Only if the item ends after it: otherwise it may be a misspelt clause, as in "n FORM t". */
static bool is_bare_alias(const sc_token *token)
{
    static const sc_token_kind ends[] = {
        SC_TOKEN_COMMA,  SC_TOKEN_FROM,  SC_TOKEN_WHERE, SC_TOKEN_GROUP,
        SC_TOKEN_HAVING, SC_TOKEN_ORDER, SC_TOKEN_LIMIT, SC_TOKEN_SEMICOLON,
        SC_TOKEN_CLOSE,  SC_TOKEN_END};
    if (token->kind != SC_TOKEN_NAME || is_forbidden(token))
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (token[1].kind == ends[i])
            return true;
    return is_forbidden(token + 1);
}

static scrim_status parse_item(sc_parser *parser, sc_gathering *items)
{
    sc_item *item = sc_gathering_more(items, parser->arena);
    if (item == NULL)
        return sc_refuse_memory(parser->refusal);
    if (parser->token->kind == SC_TOKEN_STAR)
        return sc_refuse_form(parser->refusal, parser->token->span, "", "*");
    scrim_status status = sc_parse_condition(parser, &item->node);
    if (status != SCRIM_OK ||
        (!sc_parser_take(parser, SC_TOKEN_AS) && !is_bare_alias(parser->token)))
        return status;
    const sc_token *name = parser->token;
    status = sc_parser_expect(parser, SC_TOKEN_NAME, "a name after AS");
    item->alias = name->value;
    item->alias_span = name->span;
    return status;
}

static scrim_status parse_items(sc_parser *parser, sc_tree *tree)
{
    sc_gathering items = {.bytes = sizeof(sc_item)};
    if (parser->token->kind == SC_TOKEN_DISTINCT)
        return sc_refuse_form(parser->refusal, parser->token->span, "",
                              "SELECT DISTINCT");
    do {
        SC_TRY(parse_item(parser, &items));
    } while (sc_parser_take(parser, SC_TOKEN_COMMA));
    tree->items = items.items;
    tree->item_count = items.count;
    return SCRIM_OK;
}

scrim_status sc_parse_alias(sc_parser *parser, sc_text *name)
{
    *name = (sc_text){NULL, 0};
    if (!sc_parser_take(parser, SC_TOKEN_AS) && !is_bare_alias(parser->token))
        return SCRIM_OK;
    *name = parser->token->value;
    return sc_parser_expect(parser, SC_TOKEN_NAME, "a name after AS");
}

/* After the table of FROM: refuses a second table and, without a join, an alias. */
static scrim_status check_one_table(const sc_parser *parser)
{
    const sc_token *next = parser->token;
    const bool has_as = next->kind == SC_TOKEN_AS && next[1].kind == SC_TOKEN_NAME,
               has_alias = has_as ||
                           (is_bare_alias(next) && nearest_reserved(next->value) == NULL);
    const sc_token *behind = next + has_alias + has_as;
    if (behind->kind == SC_TOKEN_COMMA)
        return sc_refuse_form(parser->refusal, behind->span, "a comma in FROM", "JOIN");
    if (has_alias && is_forbidden(behind))
        return sc_refuse_forbidden(parser->refusal, behind->span, behind->value,
                                   sc_forbidden_word(behind->value));
    if (has_alias)
        return sc_refuse_form(parser->refusal, next->span, "", "TABLE ALIAS");
    return SCRIM_OK;
}

/* Takes the number after LIMIT. */
static scrim_status take_number(sc_parser *parser, const sc_node **out)
{
    const sc_token *number = parser->token;
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_NUMBER, "a number after LIMIT"));
    sc_node *node = sc_arena_allocate(parser->arena, 1, sizeof *node);
    if (node == NULL)
        return sc_refuse_memory(parser->refusal);
    *node = (sc_node){
        .kind = SC_NODE_NUMBER, .depth = 1, .span = number->span, .text = number->value};
    *out = node;
    return SCRIM_OK;
}

static scrim_status refuse_unbounded(const sc_parser *parser)
{
    return sc_refuse(parser->refusal, parser->token->span, SCRIM_E_POLICY,
                     "UNNEST needs the most elements of a row that count, as in "
                     "UNNEST(SPLIT(tags, ';') LIMIT 5) AS tag");
}

/* Reads a list and its LIMIT, after the opening parenthesis. */
static scrim_status parse_list(sc_parser *parser, sc_tree_list *list)
{
    scrim_status status = sc_parse_condition(parser, &list->list);
    if (status == SCRIM_OK && !sc_parser_take(parser, SC_TOKEN_LIMIT))
        return refuse_unbounded(parser);
    if (status == SCRIM_OK)
        status = take_number(parser, &list->limit);
    if (status == SCRIM_OK)
        status = sc_parser_expect(parser, SC_TOKEN_CLOSE,
                                  "a closing parenthesis after the number of LIMIT");
    if (status != SCRIM_OK)
        return status;
    (void)sc_parser_take(parser, SC_TOKEN_AS);
    list->name = parser->token->value;
    list->name_span = parser->token->span;
    return sc_parser_expect(parser, SC_TOKEN_NAME, "a name after UNNEST(...)");
}

/* ", UNNEST(list LIMIT n) AS name" after the dataset; anything else is left to check_one_table. */
static scrim_status parse_unnest(sc_parser *parser, sc_tree *tree)
{
    const sc_token *comma = parser->token, *word = comma + 1;
    if (comma->kind != SC_TOKEN_COMMA || word->kind != SC_TOKEN_NAME || word->quoted ||
        !sc_word_is(word->value, "UNNEST") || word[1].kind != SC_TOKEN_OPEN)
        return SCRIM_OK;
    sc_tree_list *list = sc_arena_allocate(parser->arena, 1, sizeof *list);
    if (list == NULL)
        return sc_refuse_memory(parser->refusal);
    parser->token += 3;
    list->span = word->span;
    tree->unnest = list;
    return parse_list(parser, list);
}

static scrim_status parse_from(sc_parser *parser, sc_tree *tree)
{
    if (!sc_parser_take(parser, SC_TOKEN_FROM))
        return SCRIM_OK;
    const sc_token *name = parser->token;
    bool is_inner = false;
    SC_TRY(sc_parse_inner(parser, tree, &is_inner));
    if (is_inner)
        return SCRIM_OK;
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_NAME, "the name of the dataset after FROM"));
    tree->from = name->value;
    tree->from_span = name->span;
    SC_TRY(sc_parse_joins(parser, tree));
    SC_TRY(parse_unnest(parser, tree));
    return check_one_table(parser);
}

static scrim_status parse_where(sc_parser *parser, sc_tree *tree)
{
    return sc_parser_take(parser, SC_TOKEN_WHERE)
               ? sc_parse_condition(parser, &tree->where)
               : SCRIM_OK;
}

static scrim_status parse_having(sc_parser *parser, sc_tree *tree)
{
    return sc_parser_take(parser, SC_TOKEN_HAVING)
               ? sc_parse_condition(parser, &tree->having)
               : SCRIM_OK;
}

static scrim_status parse_orders(sc_parser *parser, sc_tree *tree)
{
    sc_gathering orders = {.bytes = sizeof(sc_order)};
    if (!sc_parser_take(parser, SC_TOKEN_ORDER))
        return SCRIM_OK;
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_BY, "BY after ORDER"));
    do {
        sc_order *order = sc_gathering_more(&orders, parser->arena);
        if (order == NULL)
            return sc_refuse_memory(parser->refusal);
        SC_TRY(sc_parse_condition(parser, &order->node));
        order->descending = sc_parser_take(parser, SC_TOKEN_DESC);
        if (!order->descending)
            (void)sc_parser_take(parser, SC_TOKEN_ASC);
    } while (sc_parser_take(parser, SC_TOKEN_COMMA));
    tree->orders = orders.items;
    tree->order_count = orders.count;
    return SCRIM_OK;
}

/* SELECT TOP n is LIMIT n. */
static scrim_status parse_top(sc_parser *parser, sc_tree *tree)
{
    if (!sc_token_is_top(parser->token))
        return SCRIM_OK;
    parser->token++;
    return take_number(parser, &tree->limit);
}

static scrim_status parse_limit(sc_parser *parser, sc_tree *tree)
{
    const sc_span place = parser->token->span;
    if (!sc_parser_take(parser, SC_TOKEN_LIMIT))
        return SCRIM_OK;
    if (tree->limit != NULL)
        return sc_refuse(parser->refusal, place, SCRIM_E_SYNTAX,
                         "TOP and LIMIT mean the same; use one of them");
    return take_number(parser, &tree->limit);
}

/* Behind SELECT: is it a name behind a name, and no misspelt or forbidden word? */
static bool has_two_names(const sc_token *token)
{
    return token->kind == SC_TOKEN_NAME && !token->quoted &&
           token[-1].kind == SC_TOKEN_NAME && !token[-1].quoted &&
           sc_forbidden_word(token->value) == NULL &&
           nearest_reserved(token->value) == NULL;
}

static scrim_status refuse_two_names(const sc_parser *parser)
{
    char first[SC_TEXT_QUOTE_BYTES], second[SC_TEXT_QUOTE_BYTES];
    const sc_token *token = parser->token;
    return sc_refuse(parser->refusal, token->span, SCRIM_E_SYNTAX,
                     "%s: a name with blanks needs double quotes: \"%s %s\"",
                     sc_text_quote(token->value, second),
                     sc_text_quote(token[-1].value, first), second);
}

static scrim_status parse_end(sc_parser *parser, const sc_tree *tree)
{
    const bool ended = sc_parser_take(parser, SC_TOKEN_SEMICOLON);
    if (parser->token->kind == SC_TOKEN_END)
        return SCRIM_OK;
    if (parser->token->kind == SC_TOKEN_SELECT)
        return sc_refuse_form(parser->refusal, parser->token->span, "SELECT", ";");
    if (!ended && has_two_names(parser->token))
        return refuse_two_names(parser);
    return sc_parser_unexpected(
        parser, ended                   ? "nothing after the semicolon"
                : tree->limit != NULL   ? "nothing after LIMIT"
                : tree->order_count > 0 ? "LIMIT or the end"
                : tree->having != NULL  ? "ORDER BY, LIMIT or the end"
                : tree->group_count > 0 ? "HAVING, ORDER BY, LIMIT or the end"
                : tree->where != NULL   ? "GROUP BY, ORDER BY or the end"
                : tree->from.bytes > 0  ? "WHERE, GROUP BY or the end"
                                       : "a comma, AS, FROM, WHERE, GROUP BY or the end");
}

scrim_status sc_parse_select(sc_parser *parser, const sc_tree **out)
{
    static scrim_status (*const clauses[])(sc_parser *, sc_tree *) = {
        parse_top,       parse_items,  parse_from,   parse_where,
        sc_parse_groups, parse_having, parse_orders, parse_limit};
    sc_tree *tree = sc_arena_allocate(parser->arena, 1, sizeof *tree);
    if (tree == NULL)
        return sc_refuse_memory(parser->refusal);
    sc_qualified *const outer = parser->qualified;
    parser->qualified = NULL;
    scrim_status status = sc_parser_expect(parser, SC_TOKEN_SELECT, "SELECT");
    for (size_t i = 0; status == SCRIM_OK && i < sizeof clauses / sizeof *clauses; i++)
        status = clauses[i](parser, tree);
    if (status == SCRIM_OK)
        status = sc_parse_qualified(parser, tree);
    parser->qualified = outer;
    if (status == SCRIM_OK)
        *out = tree;
    return status;
}

scrim_status sc_parse(const sc_tokens *tokens, sc_arena *arena, const sc_tree **out,
                      sc_refusal *refusal)
{
    sc_parser parser = {
        .first = tokens->list, .token = tokens->list, .arena = arena, .refusal = refusal};
    const sc_tree *tree = NULL;
    scrim_status status = sc_parse_named(&parser);
    if (status == SCRIM_OK)
        status = sc_parse_select(&parser, &tree);
    if (status == SCRIM_OK)
        status = parse_end(&parser, tree);
    if (status == SCRIM_OK)
        status = sc_parse_check_named(&parser);
    if (status == SCRIM_OK)
        *out = tree;
    return status;
}
