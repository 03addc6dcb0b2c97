/* Joins of public tables: which rows meet, and the columns that they bring. */
#include "data/value/value.h"
#include "query/language/typed.h"

/* The cells of a column by the place of their rows' keys. */
static bool copy_cells(const sc_joined *joined, const sc_public_column *column,
                       sc_arena *arena, sc_lookup *out)
{
    const bool is_text = column->column.type == SC_COLUMN_TEXT;
    const size_t count = joined->index.count;
    int64_t *values = sc_arena_allocate(arena, is_text ? 0 : count, sizeof *values);
    sc_text *texts = sc_arena_allocate(arena, is_text ? count : 0, sizeof *texts);
    if (values == NULL || texts == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const sc_text cell = column->cells[joined->index.rows[i]];
        if (is_text)
            texts[i] = cell.start == NULL ? sc_null_text() : cell;
        else if (cell.start == NULL || !sc_column_read(&column->column, cell, &values[i]))
            values[i] = SC_NULL;
    }
    out->values = values;
    out->texts = texts;
    return true;
}

/* Names. */

/* The number of a column of a joined table. */
static size_t number_in(const sc_joined *joined, const sc_public_column *column)
{
    return joined->first + 1 + (size_t)(column - joined->table->columns);
}

static scrim_status make_column(sc_typing *typing, const sc_node *node,
                                const sc_joined *joined, const sc_public_column *column,
                                const sc_typed **out)
{
    const sc_typed **parts;
    sc_lookup *lookup = sc_arena_allocate(typing->arena, 1, sizeof *lookup);
    SC_TRY(sc_typing_parts(typing, 1, &parts));
    parts[0] = joined->on;
    if (lookup == NULL)
        return sc_refuse_memory(typing->refusal);
    const bool is_nullable = joined->is_left || !column->column.has_missing;
    *lookup = (sc_lookup){.index = &joined->index,
                          .column = column,
                          .otherwise = is_nullable ? SC_NULL : column->column.grid.low,
                          .otherwise_text = sc_null_text()};
    if (!copy_cells(joined, column, typing->arena, lookup))
        return sc_refuse_memory(typing->refusal);
    return sc_typing_cell(typing, node, &column->column,
                          (sc_typed){.operation = SC_OP_LOOKUP,
                                     .parts = parts,
                                     .count = 1,
                                     .is_nullable = is_nullable,
                                     .column = number_in(joined, column),
                                     .lookup = lookup},
                          out);
}

static const sc_joined *find_joined(const sc_typing *typing, sc_text name)
{
    for (size_t i = 0; i < typing->joined_count; i++)
        if (sc_text_equal(typing->joined[i].name, name))
            return &typing->joined[i];
    return NULL;
}

static scrim_status unknown_table(const sc_typing *typing, const sc_node *node)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_refuse_for(typing->refusal, node->span, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN,
                         "column", "no table %s in FROM",
                         sc_text_quote(node->table, quote));
}

/* "regions.region". */
static scrim_status find_qualified(sc_typing *typing, const sc_node *node,
                                   const sc_typed **out)
{
    char quote[SC_TEXT_QUOTE_BYTES], table[SC_TEXT_QUOTE_BYTES];
    const sc_joined *joined = find_joined(typing, node->table);
    if (joined == NULL)
        return unknown_table(typing, node);
    const sc_public_column *column = sc_public_table_column(joined->table, node->text);
    return column != NULL
               ? make_column(typing, node, joined, column, out)
               : sc_refuse_for(typing->refusal, node->span, SCRIM_E_PARAM,
                               SCRIM_REASON_UNKNOWN, "column", "no column %s in %s",
                               sc_text_quote(node->text, quote),
                               sc_text_quote(node->table, table));
}

static scrim_status refuse_several(const sc_typing *typing, const sc_node *node,
                                   sc_text table)
{
    char quote[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(node->text, quote);
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "several tables have a column %s; write its table in front, as in "
                     "%s.%s",
                     quote, sc_text_quote(table, name), quote);
}

scrim_status sc_joined_column(sc_typing *typing, const sc_node *node,
                              const sc_typed **out)
{
    const sc_joined *found = NULL;
    const sc_public_column *column = NULL;
    const sc_schema *schema = typing->schema;
    const bool is_own =
        sc_schema_column(schema, node->text) != NULL ||
        (schema->unit.bytes > 0 && sc_text_equal(schema->unit, node->text));
    *out = NULL;
    if (node->is_own)
        return SCRIM_OK;
    if (node->table.bytes > 0)
        return find_qualified(typing, node, out);
    for (size_t i = 0; i < typing->joined_count; i++) {
        const sc_joined *joined = &typing->joined[i];
        const sc_public_column *own = sc_public_table_column(joined->table, node->text);
        if (own == NULL || (joined->is_using && own == joined->key))
            continue;
        if (is_own || found != NULL)
            return refuse_several(typing, node, joined->name);
        found = joined;
        column = own;
    }
    return found == NULL ? SCRIM_OK : make_column(typing, node, found, column, out);
}

bool sc_joined_has(const sc_typing *typing, sc_text name)
{
    for (size_t i = 0; i < typing->joined_count; i++)
        if (sc_public_table_column(typing->joined[i].table, name) != NULL)
            return true;
    return false;
}

const sc_public_table *sc_joined_lacks(const sc_typing *typing, sc_text column)
{
    const sc_public_tables *tables = &typing->schema->joins;
    for (size_t i = 0; i < tables->count; i++)
        if (sc_public_table_column(&tables->list[i], column) != NULL)
            return &tables->list[i];
    return NULL;
}

/* Joins. */

static scrim_status refuse_table(const sc_typing *typing, const sc_tree_join *join)
{
    const sc_public_tables *tables = &typing->schema->joins;
    char name[SC_TEXT_QUOTE_BYTES], other[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(join->table, name);
    if (tables->count == 0)
        return sc_refuse(typing->refusal, join->span, SCRIM_E_POLICY,
                         "no public table %s; this dataset has none that can be joined",
                         name);
    return sc_refuse(typing->refusal, join->span, SCRIM_E_POLICY,
                     "no public table %s; only public tables are joined, and there is %s",
                     name, sc_text_quote(tables->list[0].name, other));
}

static scrim_status check_name(const sc_typing *typing, const sc_tree *tree,
                               const sc_tree_join *join)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (!sc_text_equal(join->name, tree->alias.bytes > 0 ? tree->alias : tree->from) &&
        find_joined(typing, join->name) == NULL)
        return SCRIM_OK;
    return sc_refuse(typing->refusal, join->span, SCRIM_E_PARAM,
                     "two tables in FROM are called %s; rename one with AS",
                     sc_text_quote(join->name, quote));
}

/* Is it a column of the table that is being joined? By its table's name, or as no other table has it. */
static bool is_of(sc_typing *typing, const sc_joined *joined, const sc_node *node)
{
    return node->table.bytes > 0
               ? sc_text_equal(node->table, joined->name)
               : !node->is_own &&
                     sc_public_table_column(joined->table, node->text) != NULL &&
                     sc_schema_column(typing->schema, node->text) == NULL &&
                     !sc_joined_has(typing, node->text);
}

/* Which of its names is the table's key, and which is a column of the tables before it. */
static scrim_status find_sides(sc_typing *typing, const sc_tree_join *join,
                               const sc_joined *joined, const sc_node **on,
                               const sc_node **key)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (join->using != NULL) {
        *on = *key = join->using;
        return SCRIM_OK;
    }
    const bool is_first = is_of(typing, joined, join->on[0]);
    if (is_first == is_of(typing, joined, join->on[1]))
        return sc_refuse(
            typing->refusal, sc_span_join(join->on[0]->span, join->on[1]->span),
            SCRIM_E_PARAM,
            "ON needs a column of %s and one of a table before it, each with "
            "its table, as in orders.city = regions.town",
            sc_text_quote(joined->name, quote));
    *key = join->on[is_first ? 0 : 1];
    *on = join->on[is_first ? 1 : 0];
    return SCRIM_OK;
}

/* How values of an expression are read: the declaration of its column; NULL where it is no column. */
static const sc_column *declaration_of(const sc_schema *schema, const sc_typed *typed)
{
    return typed->operation == SC_OP_COLUMN   ? &schema->columns[typed->column]
           : typed->operation == SC_OP_LOOKUP ? &typed->lookup->column->column
                                              : NULL;
}

static scrim_status read_sides(sc_typing *typing, const sc_tree_join *join,
                               sc_joined *out)
{
    const sc_node *on = NULL, *key = NULL;
    char quote[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_QUOTE_BYTES];
    SC_TRY(find_sides(typing, join, out, &on, &key));
    SC_TRY(sc_typed_row(typing, on, &out->on));
    out->key = sc_public_table_column(out->table, key->text);
    if (out->key == NULL)
        return sc_refuse_for(typing->refusal, key->span, SCRIM_E_PARAM,
                             SCRIM_REASON_UNKNOWN, "column", "no column %s in %s",
                             sc_text_quote(key->text, quote),
                             sc_text_quote(out->name, name));
    out->as = declaration_of(typing->schema, out->on);
    if (out->as == NULL)
        return sc_refuse(typing->refusal, on->span, SCRIM_E_PARAM,
                         "a table is joined by a column that has several values");
    return SCRIM_OK;
}

static scrim_status read_index(sc_typing *typing, const sc_tree_join *join,
                               sc_joined *out)
{
    char name[SC_TEXT_QUOTE_BYTES], of[SC_TEXT_QUOTE_BYTES];
    scrim_error ignored;
    const scrim_status status = sc_public_index_of(out->table, out->key, out->as,
                                                   typing->arena, &out->index, &ignored);
    if (status == SCRIM_E_MEMORY)
        return sc_refuse_memory(typing->refusal);
    if (status != SCRIM_OK)
        return sc_refuse(typing->refusal, join->span, status, "%s", ignored.message);
    if (out->table->row_count > 0 && out->index.count == 0)
        return sc_refuse(typing->refusal, join->span, SCRIM_E_PARAM,
                         "no key of %s is a value that %s can have",
                         sc_text_quote(out->name, name),
                         sc_text_quote(out->as->name, of));
    return SCRIM_OK;
}

static scrim_status make_matched(sc_typing *typing, sc_joined *joined)
{
    const sc_typed **parts;
    sc_lookup *lookup = sc_arena_allocate(typing->arena, 1, sizeof *lookup);
    SC_TRY(sc_typing_parts(typing, 1, &parts));
    if (lookup == NULL)
        return sc_refuse_memory(typing->refusal);
    parts[0] = joined->on;
    *lookup = (sc_lookup){.index = &joined->index};
    return sc_typing_make(typing,
                          (sc_typed){.operation = SC_OP_MATCHED,
                                     .type = SC_TYPE_BOOL,
                                     .extent = {0, 1, {1, 1}},
                                     .parts = parts,
                                     .count = 1,
                                     .column = joined->first,
                                     .lookup = lookup},
                          &joined->matched);
}

static scrim_status read_join(const sc_tree *tree, const sc_tree_join *join,
                              sc_typing *typing, size_t first, sc_joined *out)
{
    *out = (sc_joined){.name = join->name,
                       .table = sc_public_table_find(&typing->schema->joins, join->table),
                       .is_left = join->is_left,
                       .is_using = join->using != NULL,
                       .first = first};
    if (out->table == NULL)
        return refuse_table(typing, join);
    SC_TRY(check_name(typing, tree, join));
    SC_TRY(read_sides(typing, join, out));
    SC_TRY(read_index(typing, join, out));
    return make_matched(typing, out);
}

scrim_status sc_joins_read(const sc_tree *tree, sc_typing *typing)
{
    sc_joined *list = sc_arena_allocate(typing->arena, tree->join_count, sizeof *list);
    sc_schema *schema = sc_arena_allocate(typing->arena, 1, sizeof *schema);
    if (list == NULL || schema == NULL)
        return sc_refuse_memory(typing->refusal);
    if (tree->join_count > SC_PUBLIC_TABLES)
        return sc_refuse(typing->refusal, tree->joins[SC_PUBLIC_TABLES].span,
                         SCRIM_E_LIMIT, "FROM takes at most %d joins", SC_PUBLIC_TABLES);
    *schema = *typing->schema;
    typing->schema = schema;
    typing->joined = list;
    for (size_t i = 0; i < tree->join_count; i++) {
        SC_TRY(read_join(tree, &tree->joins[i], typing, sc_cell_count(schema), &list[i]));
        schema->joined_count += 1 + list[i].table->column_count;
        typing->joined_count++;
    }
    return SCRIM_OK;
}
