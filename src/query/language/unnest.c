#include "query/language/unnest.h"

#include "query/language/typed.h"

#include <string.h>

static bool is_split(const sc_node *node)
{
    return node->kind == SC_NODE_CALL && node->count == 2 && !node->distinct &&
           !node->with_range && node->filter == NULL &&
           (sc_text_is(node->text, "SPLIT") ||
            sc_text_is(node->text, "STRING_TO_ARRAY")) &&
           node->list[1]->kind == SC_NODE_TEXT;
}

/* The column that is split, and where. */
static scrim_status read_list(const sc_tree_list *tree, sc_typing *typing, sc_unnest *out)
{
    const sc_typed *text = NULL;
    if (!is_split(tree->list))
        return sc_refuse(typing->refusal, tree->list->span, SCRIM_E_POLICY,
                         "UNNEST takes the elements of a text, as in "
                         "UNNEST(SPLIT(tags, ';') LIMIT 5) AS tag");
    SC_TRY(sc_typed_row(typing, tree->list->list[0], &text));
    if (!sc_typed_is_text_column(text))
        return sc_refuse(typing->refusal, tree->list->list[0]->span, SCRIM_E_PARAM,
                         "SPLIT in UNNEST takes a column of text");
    out->list = text->column;
    out->separator = tree->list->list[1]->text;
    if (out->separator.bytes == 0 || out->separator.bytes > SC_UNNEST_SEPARATOR_BYTES)
        return sc_refuse(typing->refusal, tree->list->list[1]->span, SCRIM_E_PARAM,
                         "a separator must have 1 to %d bytes",
                         SC_UNNEST_SEPARATOR_BYTES);
    return SCRIM_OK;
}

static scrim_status read_limit(const sc_tree_list *tree, sc_typing *typing,
                               sc_unnest *out)
{
    if (!sc_text_uint64(tree->limit->text, &out->limit) || out->limit == 0)
        return sc_refuse(typing->refusal, tree->limit->span, SCRIM_E_PARAM,
                         "LIMIT in UNNEST needs a whole number above 0");
    if (out->limit > SC_UNNEST_ELEMENTS)
        return sc_refuse(typing->refusal, tree->limit->span, SCRIM_E_LIMIT,
                         "LIMIT in UNNEST must be at most %d", SC_UNNEST_ELEMENTS);
    return SCRIM_OK;
}

static scrim_status check_name(const sc_tree_list *tree, const sc_typing *typing)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (!sc_column_is_name(tree->name) ||
        sc_text_equal(tree->name, typing->schema->unit) ||
        sc_schema_column(typing->schema, tree->name) != NULL)
        return sc_refuse(typing->refusal, tree->name_span, SCRIM_E_PARAM,
                         "%s is a column; choose another name with AS",
                         sc_text_quote(tree->name, quote));
    return SCRIM_OK;
}

/* One column more, which is never NULL where a row counts, and more groups of a unit. */
static scrim_status extend(const sc_tree_list *tree, sc_typing *typing,
                           const sc_unnest *unnest, const sc_schema **out)
{
    const sc_schema *table = typing->schema;
    const size_t count = table->column_count;
    sc_schema *schema = sc_arena_allocate(typing->arena, 1, sizeof *schema);
    sc_column *columns = sc_arena_allocate(typing->arena, count + 1, sizeof *columns);
    if (schema == NULL || columns == NULL)
        return sc_refuse_memory(typing->refusal);
    if (table->bounds.groups > SC_SCHEMA_CONTRIBUTION / unnest->limit)
        return sc_refuse(typing->refusal, tree->limit->span, SCRIM_E_LIMIT,
                         "one unit would be in more than %d groups",
                         SC_SCHEMA_CONTRIBUTION);
    if (count > 0)
        memcpy(columns, table->columns, count * sizeof *columns);
    columns[count] =
        (sc_column){.name = tree->name, .type = SC_COLUMN_TEXT, .has_missing = true};
    *schema = *table;
    schema->columns = columns;
    schema->column_count = count + 1;
    schema->bounds.groups *= unnest->limit;
    *out = schema;
    return SCRIM_OK;
}

scrim_status sc_unnest_read(const sc_tree_list *tree, sc_typing *typing,
                            const sc_unnest **out, const sc_schema **extended)
{
    sc_unnest *unnest = sc_arena_allocate(typing->arena, 1, sizeof *unnest);
    if (unnest == NULL)
        return sc_refuse_memory(typing->refusal);
    unnest->column = typing->schema->column_count;
    SC_TRY(read_list(tree, typing, unnest));
    SC_TRY(read_limit(tree, typing, unnest));
    SC_TRY(check_name(tree, typing));
    SC_TRY(extend(tree, typing, unnest, extended));
    *out = unnest;
    return SCRIM_OK;
}

/* Is the element read anywhere in it? */
static bool reads_element(const sc_typed *typed, size_t column)
{
    if (typed->operation == SC_OP_COLUMN && typed->column == column)
        return true;
    for (size_t i = 0; i < typed->count; i++)
        if (reads_element(typed->parts[i], column))
            return true;
    return false;
}

scrim_status sc_unnest_check_keys(const sc_query *query, const sc_tree *tree,
                                  sc_typing *typing)
{
    char quote[SC_TEXT_NAME_BYTES];
    bool is_key = false;
    sc_text_name(tree->unnest->name, quote);
    for (size_t i = 0; i < query->key_count; i++) {
        const sc_typed *key = query->keys[i].value;
        const bool is_element =
            key->operation == SC_OP_COLUMN && key->column == query->unnest->column;
        is_key |= is_element;
        if (!is_element && reads_element(key, query->unnest->column))
            return sc_refuse(typing->refusal, tree->groups[i]->span, SCRIM_E_POLICY,
                             "a key cannot be computed from an element; GROUP BY %s",
                             quote);
    }
    return is_key ? SCRIM_OK
                  : sc_refuse(typing->refusal, tree->unnest->span, SCRIM_E_POLICY,
                              "the elements of UNNEST must be a key; add GROUP BY %s",
                              quote);
}
