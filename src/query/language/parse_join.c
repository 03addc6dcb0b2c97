/* Joins behind the dataset of FROM, and the columns that say their table. */
#include "query/language/parse.h"
#include "query/language/refusal.h"

static bool is_word(const sc_token *token, const char *word)
{
    return token->kind == SC_TOKEN_NAME && !token->quoted &&
           sc_word_is(token->value, word);
}

/* Takes "[INNER] JOIN" or "LEFT [OUTER] JOIN"; false where no join begins. Other joins are left to be refused
 * by their word. */
static bool take_words(sc_parser *parser, bool *is_left)
{
    const sc_token *at = parser->token;
    *is_left = is_word(at, "LEFT");
    if (*is_left || is_word(at, "INNER"))
        at++;
    if (*is_left && is_word(at, "OUTER"))
        at++;
    if (!is_word(at, "JOIN"))
        return false;
    parser->token = at + 1;
    return true;
}

/* Does a join begin here, or behind a name of the dataset? Else that name is refused as before. */
static bool begins(const sc_parser *parser)
{
    sc_parser ahead = *parser;
    bool is_left;
    if (take_words(&ahead, &is_left))
        return true;
    if (ahead.token->kind == SC_TOKEN_AS)
        ahead.token++;
    if (ahead.token->kind != SC_TOKEN_NAME)
        return false;
    ahead.token++;
    return take_words(&ahead, &is_left);
}

static scrim_status parse_using(sc_parser *parser, sc_tree_join *join)
{
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_OPEN, "(column) after USING"));
    const sc_token *column = parser->token;
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_NAME, "a column in USING (column)"));
    sc_node *node = sc_arena_allocate(parser->arena, 1, sizeof *node);
    if (node == NULL)
        return sc_refuse_memory(parser->refusal);
    *node = (sc_node){
        .kind = SC_NODE_NAME, .depth = 1, .span = column->span, .text = column->value};
    join->using = node;
    if (parser->token->kind == SC_TOKEN_COMMA)
        return sc_refuse(parser->refusal, parser->token->span, SCRIM_E_POLICY,
                         "a public table is joined by one column");
    return sc_parser_expect(parser, SC_TOKEN_CLOSE, "a closing parenthesis");
}

static scrim_status parse_on(sc_parser *parser, sc_tree_join *join)
{
    const sc_node *on;
    SC_TRY(sc_parse_condition(parser, &on));
    if (on->kind != SC_NODE_EQUAL || on->list[0]->kind != SC_NODE_NAME ||
        on->list[1]->kind != SC_NODE_NAME)
        return sc_refuse(parser->refusal, on->span, SCRIM_E_POLICY,
                         "ON takes one column of each table, as in ON orders.city = "
                         "regions.town; put other conditions into WHERE");
    join->on[0] = on->list[0];
    join->on[1] = on->list[1];
    return SCRIM_OK;
}

static scrim_status parse_join(sc_parser *parser, sc_tree_join *join)
{
    const sc_token *table = parser->token;
    if (table->kind == SC_TOKEN_OPEN)
        return sc_refuse(parser->refusal, table->span, SCRIM_E_POLICY,
                         "JOIN takes a public table by its name; put conditions on its "
                         "columns into WHERE");
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_NAME, "the name of a public table"));
    join->table = join->name = table->value;
    join->span = table->span;
    sc_text name;
    SC_TRY(sc_parse_alias(parser, &name));
    if (name.bytes > 0)
        join->name = name;
    const sc_token *word = parser->token;
    const bool is_using = is_word(word, "USING");
    if (!is_using && !is_word(word, "ON"))
        return sc_refuse(parser->refusal, word->span, SCRIM_E_POLICY,
                         "a join needs its columns: USING (city), or ON orders.city = "
                         "regions.town");
    parser->token++;
    return is_using ? parse_using(parser, join) : parse_on(parser, join);
}

scrim_status sc_parse_joins(sc_parser *parser, sc_tree *tree)
{
    sc_gathering joins = {.bytes = sizeof(sc_tree_join)};
    bool is_left;
    if (!begins(parser))
        return SCRIM_OK;
    SC_TRY(sc_parse_alias(parser, &tree->alias));
    while (take_words(parser, &is_left)) {
        sc_tree_join *join = sc_gathering_more(&joins, parser->arena);
        if (join == NULL)
            return sc_refuse_memory(parser->refusal);
        join->is_left = is_left;
        SC_TRY(parse_join(parser, join));
    }
    tree->joins = joins.items;
    tree->join_count = joins.count;
    return SCRIM_OK;
}

scrim_status sc_parse_qualified(sc_parser *parser, const sc_tree *tree)
{
    for (sc_qualified *at = parser->qualified; at != NULL; at = at->next) {
        if (tree->join_count == 0 && at->next == NULL) /* the first one */
            return sc_refuse_form(parser->refusal, at->point, "", ".");
        if (sc_text_equal(at->node->table,
                          tree->alias.bytes > 0 ? tree->alias : tree->from)) {
            at->node->table = (sc_text){NULL, 0};
            at->node->is_own = true;
        }
    }
    return SCRIM_OK;
}
