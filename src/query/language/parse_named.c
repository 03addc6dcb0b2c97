#include "query/language/parse.h"
#include "query/language/refusal.h"

/* A SELECT inside may have a name behind it: some databases require it, though nothing refers to it. */
static scrim_status parse_behind(sc_parser *parser)
{
    sc_text name;
    SC_TRY(sc_parse_alias(parser, &name));
    return parser->token->kind == SC_TOKEN_COMMA
               ? sc_refuse_form(parser->refusal, parser->token->span, "a comma in FROM",
                                "JOIN")
               : SCRIM_OK;
}

/* The SELECT in parentheses, one level below. */
static scrim_status parse_inside(sc_parser *parser, const sc_tree **out)
{
    if (parser->level == SC_QUERY_LEVELS)
        return sc_refuse_form(parser->refusal, parser->token->span, "SELECT in FROM",
                              "SELECT");
    parser->token++;
    parser->level++;
    if (parser->level > parser->deepest)
        parser->deepest = parser->level;
    const scrim_status status = sc_parse_select(parser, out);
    parser->level--;
    SC_TRY(status);
    return sc_parser_expect(parser, SC_TOKEN_CLOSE, "GROUP BY or a closing parenthesis");
}

static sc_named_select *find_named(const sc_parser *parser, const sc_token *token)
{
    sc_named_select *named = token->kind == SC_TOKEN_NAME ? parser->named : NULL;
    while (named != NULL && !sc_text_equal(named->name, token->value))
        named = named->before;
    return named;
}

/* It is as deep as if it stood here. */
static scrim_status take_named(sc_parser *parser, sc_named_select *named, sc_tree *tree)
{
    if (parser->level + named->levels > SC_QUERY_LEVELS)
        return sc_refuse_form(parser->refusal, parser->token->span, "SELECT in FROM",
                              "SELECT");
    if (parser->level + named->levels > parser->deepest)
        parser->deepest = parser->level + named->levels;
    parser->token++;
    named->is_used = true;
    tree->inner = named->tree;
    return SCRIM_OK;
}

scrim_status sc_parse_inner(sc_parser *parser, sc_tree *tree, bool *is_there)
{
    const sc_span place = parser->token->span;
    sc_named_select *named = find_named(parser, parser->token);
    *is_there = named != NULL || parser->token->kind == SC_TOKEN_OPEN;
    if (!*is_there)
        return SCRIM_OK;
    SC_TRY(named != NULL ? take_named(parser, named, tree)
                         : parse_inside(parser, &tree->inner));
    tree->from_span = place;
    return parse_behind(parser);
}

static scrim_status parse_one_named(sc_parser *parser)
{
    const sc_token *name = parser->token;
    char quote[SC_TEXT_QUOTE_BYTES];
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_NAME, "a name after WITH"));
    if (find_named(parser, name) != NULL)
        return sc_refuse(parser->refusal, name->span, SCRIM_E_SYNTAX,
                         "WITH gives the name %s twice; give it once",
                         sc_text_quote(name->value, quote));
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_AS, "AS after the name behind WITH"));
    if (parser->token->kind != SC_TOKEN_OPEN)
        return sc_refuse(parser->refusal, parser->token->span, SCRIM_E_SYNTAX,
                         "WITH needs its SELECT in parentheses, as in WITH %s AS (SELECT "
                         "...)",
                         sc_text_quote(name->value, quote));
    sc_named_select *named = sc_arena_allocate(parser->arena, 1, sizeof *named);
    if (named == NULL)
        return sc_refuse_memory(parser->refusal);
    parser->deepest = 0;
    SC_TRY(parse_inside(parser, &named->tree));
    named->name = name->value;
    named->span = name->span;
    named->levels = parser->deepest;
    named->before = parser->named;
    parser->named = named;
    return SCRIM_OK;
}

scrim_status sc_parse_named(sc_parser *parser)
{
    if (!sc_parser_take(parser, SC_TOKEN_WITH))
        return SCRIM_OK;
    do {
        SC_TRY(parse_one_named(parser));
    } while (sc_parser_take(parser, SC_TOKEN_COMMA));
    return SCRIM_OK;
}

scrim_status sc_parse_check_named(const sc_parser *parser)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    for (const sc_named_select *named = parser->named; named != NULL;
         named = named->before)
        if (!named->is_used)
            return sc_refuse(parser->refusal, named->span, SCRIM_E_SYNTAX,
                             "nothing reads %s; write FROM %s, or leave it out",
                             sc_text_quote(named->name, quote), quote);
    return SCRIM_OK;
}
