/* GROUP BY: keys, and the sets of them that ROLLUP, CUBE and GROUPING SETS make.
 *
 * Clauses behind each other multiply: GROUP BY a, ROLLUP(b, c) is (a, b, c), (a, b), (a). */
#include "query/language/parse.h"
#include "query/language/refusal.h"

/* A bit of a set is a key; further keys are refused when the query is validated. */
#define SET_BITS 64

/* CUBE of five lists makes SC_QUERY_SETS sets. */
#define CUBE_LISTS 5

typedef struct set_list {
    uint64_t sets[SC_QUERY_SETS];
    size_t count;
} set_list;

/* GROUP BY that is being read. */
typedef struct group_reading {
    sc_parser *parser;
    sc_gathering keys; /* const sc_node * */
    set_list all;      /* of the clauses so far */
    sc_span word;      /* of the first ROLLUP, CUBE or GROUPING SETS */
    bool has_sets;
} group_reading;

static bool is_word(const sc_token *token, const char *word)
{
    return token->kind == SC_TOKEN_NAME && !token->quoted &&
           sc_word_is(token->value, word);
}

/* "ROLLUP (" or "CUBE (". */
static bool is_series(const sc_token *token)
{
    return (is_word(token, "ROLLUP") || is_word(token, "CUBE")) &&
           token[1].kind == SC_TOKEN_OPEN;
}

static bool is_grouping_sets(const sc_token *token)
{
    return is_word(token, "GROUPING") && is_word(token + 1, "SETS");
}

static scrim_status refuse_many(const group_reading *r, sc_span place)
{
    return sc_refuse(r->parser->refusal, place, SCRIM_E_LIMIT,
                     "GROUP BY takes at most %d sets of keys; name those that you need "
                     "in GROUPING SETS",
                     SC_QUERY_SETS);
}

static scrim_status add_set(const group_reading *r, sc_span place, set_list *to,
                            uint64_t set)
{
    if (to->count == SC_QUERY_SETS)
        return refuse_many(r, place);
    to->sets[to->count++] = set;
    return SCRIM_OK;
}

/* Reads a key. Behind GROUP BY itself one that is there twice is refused; in sets it is the same key. */
static scrim_status read_key(group_reading *r, bool is_in_set, uint64_t *bit)
{
    const sc_node *node = NULL;
    SC_TRY(sc_parse_condition(r->parser, &node));
    const sc_node *const *keys = r->keys.items;
    size_t place = is_in_set || r->has_sets ? 0 : r->keys.count;
    while (place < r->keys.count && !sc_node_equal(keys[place], node))
        place++;
    *bit = place < SET_BITS ? (uint64_t)1 << place : 0;
    if (place < r->keys.count)
        return SCRIM_OK;
    const sc_node **new = sc_gathering_more(&r->keys, r->parser->arena);
    if (new == NULL)
        return sc_refuse_memory(r->parser->refusal);
    *new = node;
    return SCRIM_OK;
}

/* Is it a list in parentheses, and not an expression that begins with one? */
static bool is_list(const sc_token *token)
{
    size_t depth = 0;
    if (token->kind != SC_TOKEN_OPEN)
        return false;
    for (; token->kind != SC_TOKEN_END; token++) {
        depth += token->kind == SC_TOKEN_OPEN;
        depth -= token->kind == SC_TOKEN_CLOSE;
        if (depth == 0)
            return token[1].kind == SC_TOKEN_COMMA || token[1].kind == SC_TOKEN_CLOSE;
    }
    return false;
}

/* "a", "(a, b)" or "()". */
static scrim_status read_keys(group_reading *r, uint64_t *set)
{
    uint64_t bit = 0;
    *set = 0;
    if (!is_list(r->parser->token))
        return read_key(r, true, set);
    r->parser->token++;
    if (sc_parser_take(r->parser, SC_TOKEN_CLOSE))
        return SCRIM_OK;
    do {
        SC_TRY(read_key(r, true, &bit));
        *set |= bit;
    } while (sc_parser_take(r->parser, SC_TOKEN_COMMA));
    return sc_parser_expect(r->parser, SC_TOKEN_CLOSE,
                            "a comma or a closing parenthesis");
}

/* The keys of the lists whose bits are set, the first list having the highest bit. */
static uint64_t keys_of(const uint64_t *lists, size_t count, size_t bits)
{
    uint64_t set = 0;
    for (size_t i = 0; i < count; i++)
        if (bits >> (count - 1 - i) & 1)
            set |= lists[i];
    return set;
}

/* ROLLUP(a, b): (a, b), (a), (). CUBE(a, b): (a, b), (a), (b), (). */
static scrim_status read_series(group_reading *r, set_list *to)
{
    const sc_span place = r->parser->token->span;
    const bool is_cube = is_word(r->parser->token, "CUBE");
    const size_t most = is_cube ? CUBE_LISTS : SC_QUERY_SETS - 1;
    uint64_t lists[SC_QUERY_SETS];
    size_t count = 0;
    r->parser->token += 2;
    do {
        if (count == most)
            return refuse_many(r, place);
        SC_TRY(read_keys(r, &lists[count++]));
    } while (sc_parser_take(r->parser, SC_TOKEN_COMMA));
    SC_TRY(
        sc_parser_expect(r->parser, SC_TOKEN_CLOSE, "a comma or a closing parenthesis"));
    const size_t all = is_cube ? ((size_t)1 << count) - 1 : count;
    for (size_t i = 0; i <= all; i++)
        SC_TRY(add_set(r, place, to,
                       is_cube ? keys_of(lists, count, all - i)
                               : keys_of(lists, count - i, SIZE_MAX)));
    return SCRIM_OK;
}

static scrim_status read_sets(group_reading *r, set_list *to)
{
    r->parser->token += 2;
    SC_TRY(sc_parser_expect(r->parser, SC_TOKEN_OPEN,
                            "((a, b), (a), ()) after GROUPING SETS"));
    do {
        uint64_t set = 0;
        const sc_span place = r->parser->token->span;
        if (is_series(r->parser->token)) {
            SC_TRY(read_series(r, to));
            continue;
        }
        SC_TRY(read_keys(r, &set));
        SC_TRY(add_set(r, place, to, set));
    } while (sc_parser_take(r->parser, SC_TOKEN_COMMA));
    return sc_parser_expect(r->parser, SC_TOKEN_CLOSE,
                            "a comma or a closing parenthesis");
}

/* Every set so far with every set of a clause. */
static scrim_status multiply(group_reading *r, sc_span place, const set_list *by)
{
    set_list product = {.count = 0};
    for (size_t i = 0; i < r->all.count; i++)
        for (size_t j = 0; j < by->count; j++)
            SC_TRY(add_set(r, place, &product, r->all.sets[i] | by->sets[j]));
    r->all = product;
    return SCRIM_OK;
}

static scrim_status read_group(group_reading *r)
{
    const sc_token *first = r->parser->token;
    set_list own = {.count = 0};
    const bool are_sets = is_grouping_sets(first);
    if (are_sets) {
        SC_TRY(read_sets(r, &own));
    } else if (is_series(first)) {
        SC_TRY(read_series(r, &own));
    } else {
        uint64_t set = 0;
        SC_TRY(read_key(r, false, &set));
        SC_TRY(add_set(r, first->span, &own, set));
        return multiply(r, first->span, &own);
    }
    if (!r->has_sets)
        r->word = are_sets ? sc_span_join(first->span, first[1].span) : first->span;
    r->has_sets = true;
    return multiply(r, first->span, &own);
}

static scrim_status check_different(const group_reading *r)
{
    for (size_t i = 0; i < r->all.count; i++)
        for (size_t j = 0; j < i; j++)
            if (r->all.sets[i] == r->all.sets[j])
                return sc_refuse(r->parser->refusal, r->word, SCRIM_E_PARAM,
                                 "a set of keys is there twice, and its rows would be "
                                 "charged twice; name it once");
    return SCRIM_OK;
}

static scrim_status check_keys(const group_reading *r)
{
    const sc_node *const *keys = r->keys.items;
    for (size_t i = 0; i < r->keys.count; i++)
        for (size_t j = 0; j < i; j++)
            if (sc_node_equal(keys[i], keys[j]))
                return sc_refuse(r->parser->refusal, keys[i]->span, SCRIM_E_PARAM,
                                 "duplicate key; name it once");
    return SCRIM_OK;
}

/* One set of all keys is an ordinary GROUP BY. */
static scrim_status keep_sets(const group_reading *r, sc_tree *tree)
{
    if (!r->has_sets || r->all.count < 2)
        return SCRIM_OK;
    SC_TRY(check_keys(r));
    SC_TRY(check_different(r));
    uint64_t *sets = sc_arena_allocate(r->parser->arena, r->all.count, sizeof *sets);
    if (sets == NULL)
        return sc_refuse_memory(r->parser->refusal);
    for (size_t i = 0; i < r->all.count; i++)
        sets[i] = r->all.sets[i];
    tree->sets = sets;
    tree->set_count = r->all.count;
    tree->sets_span = r->word;
    return SCRIM_OK;
}

/* WITH CONSISTENT TOTALS. */
static scrim_status take_consistent(sc_parser *parser, sc_tree *tree)
{
    const sc_token *with = parser->token;
    if (with->kind != SC_TOKEN_WITH || !is_word(with + 1, "CONSISTENT") ||
        !is_word(with + 2, "TOTALS"))
        return SCRIM_OK;
    parser->token += 3;
    if (tree->set_count == 0)
        return sc_refuse(parser->refusal, sc_span_join(with->span, with[2].span),
                         SCRIM_E_PARAM,
                         "there are no totals; GROUP BY needs ROLLUP, as in GROUP BY "
                         "ROLLUP(a, b) WITH CONSISTENT TOTALS");
    tree->is_consistent = true;
    return SCRIM_OK;
}

scrim_status sc_parse_groups(sc_parser *parser, sc_tree *tree)
{
    group_reading r = {.parser = parser,
                       .keys = {.bytes = sizeof(const sc_node *)},
                       .all = {.sets = {0}, .count = 1}};
    if (!sc_parser_take(parser, SC_TOKEN_GROUP))
        return SCRIM_OK;
    SC_TRY(sc_parser_expect(parser, SC_TOKEN_BY, "BY after GROUP"));
    do {
        SC_TRY(read_group(&r));
    } while (sc_parser_take(parser, SC_TOKEN_COMMA));
    tree->groups = r.keys.items;
    tree->group_count = r.keys.count;
    SC_TRY(keep_sets(&r, tree));
    return take_consistent(parser, tree);
}
