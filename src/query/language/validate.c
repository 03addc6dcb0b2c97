#include "query/language/validate.h"

#include "query/language/key_text.h"
#include "query/language/parse.h"
#include "query/language/person.h"
#include "query/language/row_filter.h"
#include "query/language/select_list.h"
#include "query/language/set_query.h"
#include "query/language/typed.h"
#include "query/language/unnest.h"

/* A query that is being validated. */
typedef struct validation {
    sc_typing typing;
    const sc_tree *tree;
    sc_query *query;
    sc_query_key *keys;
    const sc_node **key_nodes;
    sc_query_aggregate *aggregates;
    const sc_node **calls; /* by aggregate */
    sc_query_output *outputs;
    sc_released_output *columns;
} validation;

/* An expression of several parts makes one output, a quantile of several one aggregate each. */
static size_t aggregates_in(const sc_node *node)
{
    size_t count = 1;
    if (sc_aggregate_called(node) != NULL)
        return count + node->count;
    for (size_t i = 0; i < node->count; i++)
        count += aggregates_in(node->list[i]);
    return count;
}

/* Room for all that the tree can make. */
static scrim_status make_room(validation *v)
{
    sc_arena *arena = v->typing.arena;
    size_t count = v->tree->set_count > 0; /* GROUPING of all keys */
    for (size_t i = 0; i < v->tree->item_count; i++)
        count += aggregates_in(v->tree->items[i].node);
    if (v->tree->group_count > SC_QUERY_KEYS)
        return sc_refuse(v->typing.refusal, v->tree->groups[SC_QUERY_KEYS]->span,
                         SCRIM_E_LIMIT, "GROUP BY takes at most %d keys", SC_QUERY_KEYS);
    v->query = sc_arena_allocate(arena, 1, sizeof *v->query);
    v->keys = sc_arena_allocate(arena, v->tree->group_count, sizeof *v->keys);
    v->key_nodes =
        sc_arena_allocate(arena, v->tree->group_count, sizeof(const sc_node *));
    v->aggregates = sc_arena_allocate(arena, count, sizeof *v->aggregates);
    v->calls = sc_arena_allocate(arena, count, sizeof(const sc_node *));
    v->outputs = sc_arena_allocate(arena, count, sizeof *v->outputs);
    v->columns = sc_arena_allocate(arena, count, sizeof *v->columns);
    if (v->query == NULL || v->keys == NULL || v->key_nodes == NULL ||
        v->aggregates == NULL || v->calls == NULL || v->outputs == NULL ||
        v->columns == NULL)
        return sc_refuse_memory(v->typing.refusal);
    v->query->keys = v->keys;
    v->query->aggregates = v->aggregates;
    v->query->outputs = v->outputs;
    v->query->columns = v->columns;
    return SCRIM_OK;
}

/* FROM and WHERE. */

static scrim_status check_from(validation *v, sc_text dataset)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (v->tree->inner != NULL) {
        const scrim_status status =
            sc_person_read(v->tree->inner, dataset, v->typing.schema, v->typing.arena,
                           &v->query->person, v->typing.refusal);
        if (status == SCRIM_OK)
            v->typing.schema = v->query->person->schema;
        return status;
    }
    if (v->tree->from.bytes == 0 || sc_text_equal(v->tree->from, dataset)) {
        if (v->tree->unnest != NULL)
            SC_TRY(sc_unnest_read(v->tree->unnest, &v->typing, &v->query->unnest,
                                  &v->typing.schema));
        return v->tree->join_count == 0 ? SCRIM_OK : sc_joins_read(v->tree, &v->typing);
    }
    if (v->tree->join_count > 0 &&
        sc_public_table_find(&v->typing.schema->joins, v->tree->from) != NULL)
        return sc_refuse(v->typing.refusal, v->tree->from_span, SCRIM_E_POLICY,
                         "rows of a public table alone are nobody's; write FROM %s and "
                         "join the public table to it",
                         sc_text_quote(dataset, quote));
    return sc_refuse(v->typing.refusal, v->tree->from_span, SCRIM_E_PARAM,
                     "FROM must name %s, or be left out", sc_text_quote(dataset, quote));
}

static scrim_status check_where(validation *v)
{
    return sc_row_filter_read(&v->typing, v->tree, v->query);
}

/* NULL is a key where the key may be NULL and a row counts. */
static scrim_status check_null_keys(validation *v)
{
    for (size_t i = 0; i < v->query->key_count; i++)
        v->keys[i].is_nullable =
            sc_typed_may_be_null(v->keys[i].value, v->query->is_present);
    return SCRIM_OK;
}

/* Positions: GROUP BY 1, ORDER BY 2 count the columns of the answer, as they are shown. */

/* How many columns of the answer an item gives. */
static size_t item_columns(const sc_node *node)
{
    const sc_aggregate *kind = sc_aggregate_called(node);
    if (kind == NULL)
        return 1;
    for (size_t i = 0; i < SC_CALL_FORMS && kind->forms[i].name != NULL; i++)
        if (sc_text_is(node->text, kind->forms[i].name) && kind->forms[i].items != NULL &&
            node->count > 1)
            return node->count - 1;
    return kind->shape == SC_SHAPE_COUNTS ? 2 : 1;
}

/* The column, from 0 on, that a number in clause stands for, of count. */
static scrim_status read_position(const validation *v, const sc_node *node,
                                  const char *clause, size_t count, size_t *out)
{
    uint64_t position;
    if (!sc_text_uint64(node->text, &position) || position == 0 || position > count)
        return sc_refuse(
            v->typing.refusal, node->span, SCRIM_E_PARAM,
            "%s needs a column of SELECT: its name, or its position from 1 to %zu",
            clause, count);
    *out = (size_t)position - 1;
    return SCRIM_OK;
}

/* GROUP BY. */

static scrim_status key_at(const validation *v, const sc_node *node, const sc_node **out)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < v->tree->item_count; i++)
        count += item_columns(v->tree->items[i].node);
    SC_TRY(read_position(v, node, "GROUP BY", count, &at));
    const sc_item *item = v->tree->items;
    for (; at >= item_columns(item->node); item++)
        at -= item_columns(item->node);
    *out = item->node;
    return SCRIM_OK;
}

/* Is it the name of a column: the dataset's, or of a table that FROM joins? */
static bool is_column(const validation *v, sc_text name)
{
    return sc_schema_column(v->typing.schema, name) != NULL ||
           sc_joined_has(&v->typing, name);
}

/* The expression of a key: itself, or the item that has its name or position. */
static scrim_status key_node(const validation *v, const sc_node *node,
                             const sc_node **out)
{
    *out = node;
    if (node->kind == SC_NODE_NUMBER)
        return key_at(v, node, out);
    if (node->kind != SC_NODE_NAME || node->table.bytes > 0 || is_column(v, node->text))
        return SCRIM_OK;
    for (size_t i = 0; i < v->tree->item_count && *out == node; i++)
        if (sc_text_equal(v->tree->items[i].alias, node->text))
            *out = v->tree->items[i].node;
    return SCRIM_OK;
}

/* The texts that a computed key is made into, where they are public; false without memory. */
static bool list_texts(validation *v, sc_query_key *key)
{
    sc_text_list list;
    if (!sc_text_image(key->value, v->typing.schema, v->typing.arena, &list))
        return false;
    key->texts = list.texts;
    key->text_count = list.count;
    return true;
}

static scrim_status add_key(validation *v, const sc_node *group)
{
    const sc_node *node;
    const size_t place = v->query->key_count;
    sc_query_key *key = &v->keys[place];
    SC_TRY(key_node(v, group, &node));
    if (sc_aggregate_called(node) != NULL)
        return sc_refuse(v->typing.refusal, group->span, SCRIM_E_POLICY,
                         "aggregates are not allowed in GROUP BY; use columns, BUCKET(x, "
                         "width) or CASE");
    SC_TRY(sc_typed_row(&v->typing, node, &key->value));
    if (key->value->operation == SC_OP_CONSTANT || key->value->operation == SC_OP_NULL)
        return sc_refuse(v->typing.refusal, group->span, SCRIM_E_PARAM,
                         "a constant is not a key; GROUP BY needs columns or their "
                         "positions in SELECT, as in GROUP BY sex or GROUP BY 1");
    for (size_t i = 0; i < place; i++)
        if (sc_node_equal(v->key_nodes[i], node))
            return sc_refuse(v->typing.refusal, group->span, SCRIM_E_PARAM,
                             "duplicate key; name it once");
    if (key->value->operation == SC_OP_COLUMN)
        key->column = &v->typing.schema->columns[key->value->column];
    key->value_count = sc_typed_value_count(key->value);
    if (sc_typed_is_text(key->value) && key->column == NULL && !list_texts(v, key))
        return sc_refuse_memory(v->typing.refusal);
    v->key_nodes[place] = node;
    v->query->key_count++;
    return SCRIM_OK;
}

static scrim_status check_groups(validation *v)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < v->tree->group_count; i++)
        status = add_key(v, v->tree->groups[i]);
    return status == SCRIM_OK && v->query->unnest != NULL
               ? sc_unnest_check_keys(v->query, v->tree, &v->typing)
               : status;
}

/* SELECT. */

static scrim_status refuse_column_name(validation *v, sc_text name, sc_span place)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_refuse(v->typing.refusal, place, SCRIM_E_PARAM,
                     "%s is a column; choose another name with AS",
                     sc_text_quote(name, quote));
}

/* Is it the column of that name? "regions.city" is not where the dataset has another city. */
static bool is_itself(const validation *v, const sc_node *node, sc_text name)
{
    return node->kind == SC_NODE_NAME && sc_text_equal(node->text, name) &&
           (node->table.bytes == 0 || sc_schema_column(v->typing.schema, name) == NULL);
}

static scrim_status add_output(validation *v, const sc_item *item, sc_text name,
                               sc_span place, sc_query_output output, sc_type type)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const size_t count = v->query->output_count;
    if (is_column(v, name) && !is_itself(v, item->node, name))
        return refuse_column_name(v, name, place);
    for (size_t i = 0; i < count; i++)
        if (sc_text_equal(v->columns[i].name, name))
            return sc_refuse(v->typing.refusal, place, SCRIM_E_PARAM,
                             "two columns of the answer are named %s; rename one with AS",
                             sc_text_quote(name, quote));
    v->outputs[count] = output;
    v->columns[count] =
        (sc_released_output){.name = name, .node = item->node, .type = type};
    v->query->output_count++;
    return SCRIM_OK;
}

static sc_span name_place(const sc_item *item)
{
    return item->alias.bytes > 0 ? item->alias_span : item->node->span;
}

static scrim_status refuse_item(validation *v, const sc_item *item)
{
    const sc_node *node = item->node;
    const sc_typed *typed;
    char name[SC_TEXT_NAME_BYTES];
    /* Report a mistake in the expression first. */
    SC_TRY(sc_typed_row(&v->typing, node, &typed));
    if (node->kind == SC_NODE_NAME)
        return sc_refuse(v->typing.refusal, node->span, SCRIM_E_POLICY,
                         "single rows are never released; add GROUP BY %s, or ask for an "
                         "aggregate of it",
                         sc_text_name(node->text, name));
    /* GROUP BY means the column, not the expression of that name. */
    if (is_column(v, item->alias))
        return refuse_column_name(v, item->alias, item->alias_span);
    return sc_refuse(v->typing.refusal, node->span, SCRIM_E_POLICY,
                     "single rows are never released; put the same expression into GROUP "
                     "BY, or ask for an aggregate of it");
}

/* Is it the key at this place, perhaps with its table in front of one of both? */
static bool is_key(validation *v, const sc_node *node, size_t place)
{
    const sc_node *key = v->key_nodes[place];
    const sc_typed *typed;
    if (node->kind != SC_NODE_NAME || key->kind != SC_NODE_NAME ||
        sc_text_equal(node->table, key->table) || !sc_text_equal(node->text, key->text))
        return sc_node_equal(node, key);
    /* An unknown name is reported later. */
    return sc_typed_row(&v->typing, node, &typed) == SCRIM_OK &&
           sc_typed_equal(typed, v->keys[place].value);
}

static scrim_status add_key_item(validation *v, const sc_item *item)
{
    for (size_t i = 0; i < v->query->key_count; i++)
        if (is_key(v, item->node, i)) {
            sc_text name;
            const scrim_status status =
                sc_output_name(item, 0, v->typing.arena, &name, v->typing.refusal);
            return status == SCRIM_OK
                       ? add_output(v, item, name, name_place(item),
                                    (sc_query_output){.is_key = true, .index = i},
                                    v->keys[i].value->type)
                       : status;
        }
    return refuse_item(v, item);
}

/* Sets of keys. */

static bool is_grouping(const sc_node *node)
{
    return node->kind == SC_NODE_CALL && sc_text_is(node->text, "GROUPING");
}

/* The key that an argument of GROUPING names. */
static scrim_status find_key(validation *v, const sc_node *argument, size_t *out)
{
    const sc_node *node;
    SC_TRY(key_node(v, argument, &node));
    for (*out = 0; *out < v->query->key_count; ++*out)
        if (is_key(v, node, *out))
            return SCRIM_OK;
    return sc_refuse(v->typing.refusal, argument->span, SCRIM_E_PARAM,
                     "GROUPING needs keys of GROUP BY");
}

/* GROUPING(a, b): the bit of a key, that of the last one 1, is there in rows of all its values. */
static scrim_status add_grouping_item(validation *v, const sc_item *item)
{
    const sc_node *node = item->node;
    sc_text name;
    if (v->tree->set_count == 0 || node->count == 0)
        return sc_refuse(
            v->typing.refusal, node->span, SCRIM_E_PARAM,
            node->count == 0
                ? "GROUPING needs keys of GROUP BY"
                : "GROUPING needs ROLLUP, CUBE or GROUPING SETS in GROUP BY");
    size_t *keys = sc_arena_allocate(v->typing.arena, node->count, sizeof *keys);
    if (keys == NULL)
        return sc_refuse_memory(v->typing.refusal);
    for (size_t i = 0; i < node->count; i++)
        SC_TRY(find_key(v, node->list[i], &keys[i]));
    SC_TRY(sc_output_name(item, 0, v->typing.arena, &name, v->typing.refusal));
    return add_output(v, item, name, name_place(item),
                      (sc_query_output){.is_key = true,
                                        .grouping = keys,
                                        .grouping_count = node->count},
                      SC_TYPE_NUMBER);
}

/* A row of a set tells which set it is of: the last column does, unless one that is asked for has all keys. */
static scrim_status add_grouping(validation *v)
{
    static const char name[] = "grouping";
    sc_query *query = v->query;
    const size_t count = query->output_count;
    size_t *keys = sc_arena_allocate(v->typing.arena, query->key_count, sizeof *keys);
    if (keys == NULL)
        return sc_refuse_memory(v->typing.refusal);
    for (size_t i = 0; i < query->key_count; i++)
        keys[i] = i;
    for (size_t i = 0; i < count; i++)
        if (sc_query_has_all_keys(query, &v->outputs[i]))
            return SCRIM_OK;
    bool is_taken = is_column(v, sc_text_of(name));
    for (size_t i = 0; i < count; i++)
        is_taken |= sc_text_is(v->columns[i].name, name);
    if (is_taken)
        return sc_refuse(v->typing.refusal, v->tree->sets_span, SCRIM_E_PARAM,
                         "the column that tells totals from parts is named grouping, as "
                         "another one is; add GROUPING of all keys AS another name");
    v->outputs[count] = (sc_query_output){
        .is_key = true, .grouping = keys, .grouping_count = query->key_count};
    v->columns[count] =
        (sc_released_output){.name = sc_text_of(name), .type = SC_TYPE_NUMBER};
    query->output_count++;
    return SCRIM_OK;
}

static scrim_status check_sets(validation *v)
{
    sc_query *query = v->query;
    if (v->tree->set_count == 0)
        return SCRIM_OK;
    query->sets = v->tree->sets;
    query->set_count = v->tree->set_count;
    query->all_key_count = query->key_count;
    query->is_consistent = v->tree->is_consistent;
    SC_TRY(sc_query_check_sets(query, v->calls, v->tree, v->typing.refusal));
    return add_grouping(v);
}

/* The outputs of an aggregate that gives a row a bucket: the bucket, and for HISTOGRAM its count.
 * Behind AS both have its name. */
static scrim_status add_list_outputs(validation *v, const sc_item *item, size_t aggregate)
{
    const sc_query_aggregate *a = &v->aggregates[aggregate];
    const bool has_count = a->kind->shape == SC_SHAPE_COUNTS;
    sc_text bucket = {NULL, 0}, name;
    scrim_status status =
        sc_output_name(item, 0, v->typing.arena, &name, v->typing.refusal);
    if (status == SCRIM_OK && has_count)
        status = sc_output_list_names(item, v->typing.arena, &bucket, &name,
                                      v->typing.refusal);
    if (status == SCRIM_OK)
        status = add_output(v, item, has_count ? bucket : name, name_place(item),
                            (sc_query_output){.is_bucket = true, .index = aggregate},
                            a->value->type);
    if (status != SCRIM_OK || !has_count)
        return status;
    v->columns[v->query->output_count - 1].node = NULL;
    return add_output(v, item, name, name_place(item),
                      (sc_query_output){.index = aggregate}, SC_TYPE_NUMBER);
}

static sc_type type_of(const sc_query_aggregate *a)
{
    return a->value == NULL || a->kind->span == SC_SPAN_WIDTH ? SC_TYPE_NUMBER
                                                              : a->value->type;
}

static bool is_ranked(const sc_query_aggregate *a)
{
    return a->kind->reads & SC_READS_RANKS;
}

/* Are two calls of the same value, in the same rows? */
static bool is_of_same(const sc_node *a, const sc_node *b)
{
    const bool is_same_filter = a->filter == NULL || b->filter == NULL
                                    ? a->filter == b->filter
                                    : sc_node_equal(a->filter, b->filter);
    return is_same_filter && sc_node_equal(a->list[0], b->list[0]);
}

/* Reads a call into the aggregates behind those that there are. */
static scrim_status read_aggregates(validation *v, const sc_node *call, size_t *made)
{
    const size_t first = v->query->aggregate_count;
    sc_query_aggregate *new = &v->aggregates[first];
    SC_TRY(sc_aggregate_read(&v->typing, call, new, made));
    if (first + *made > SC_QUERY_AGGREGATES)
        return sc_refuse(v->typing.refusal, call->span, SCRIM_E_LIMIT,
                         "a query may have at most %d aggregates", SC_QUERY_AGGREGATES);
    for (size_t i = 0; i < *made; i++) {
        const size_t place = first + i;
        v->calls[place] = call;
        new[i].joint = place;
        for (size_t j = 0; j < place && is_ranked(&new[i]); j++)
            if (is_ranked(&v->aggregates[j]) && is_of_same(v->calls[j], call)) {
                new[i].joint = j;
                break;
            }
    }
    return SCRIM_OK;
}

static scrim_status add_aggregate_item(validation *v, const sc_item *item)
{
    size_t made = 0;
    const size_t first = v->query->aggregate_count;
    const sc_query_aggregate *new = &v->aggregates[first];
    scrim_status status = read_aggregates(v, item->node, &made);
    if (status == SCRIM_OK && new->kind->shape != SC_SHAPE_VALUE) {
        v->query->aggregate_count += made;
        return add_list_outputs(v, item, first);
    }
    for (size_t i = 0; status == SCRIM_OK && i < made; i++) {
        sc_text name;
        status = sc_output_name(item, made > 1 ? i + 1 : 0, v->typing.arena, &name,
                                v->typing.refusal);
        if (status == SCRIM_OK)
            status = add_output(v, item, name, name_place(item),
                                (sc_query_output){.is_key = false, .index = first + i},
                                type_of(&new[i]));
        /* One of several quantiles is not what the whole call says. */
        if (status == SCRIM_OK && made > 1)
            v->columns[v->query->output_count - 1].node = NULL;
    }
    v->query->aggregate_count += made;
    return status;
}

/* Arithmetic on aggregates. */

/* Which of the aggregates a call was read into, and how many; all of them if it was not. */
static size_t find_call(const validation *v, const sc_node *call, size_t *made)
{
    const size_t count = v->query->aggregate_count;
    size_t first = 0;
    while (first < count && !sc_node_equal(v->calls[first], call))
        first++;
    *made = 0;
    while (first + *made < count && v->calls[first + *made] == v->calls[first])
        ++*made;
    return first;
}

static scrim_status check_operand(const validation *v, const sc_node *call,
                                  const sc_query_aggregate *a, size_t made)
{
    if (made > 1 || a->kind->shape != SC_SHAPE_VALUE)
        return sc_refuse(
            v->typing.refusal, call->span, SCRIM_E_POLICY,
            "%s gives several numbers; arithmetic needs aggregates that give one",
            a->kind->name);
    if (type_of(a) != SC_TYPE_NUMBER)
        return sc_refuse(v->typing.refusal, call->span, SCRIM_E_POLICY,
                         "arithmetic on aggregates needs numbers, and this is %s",
                         sc_type_text(type_of(a)));
    return SCRIM_OK;
}

/* An aggregate of a formula, which may be there already. */
static scrim_status take_aggregate(void *context, const sc_node *call, size_t *aggregate)
{
    validation *v = context;
    size_t made;
    scrim_status status = SCRIM_OK;
    *aggregate = find_call(v, call, &made);
    const bool is_new = made == 0;
    if (is_new)
        status = read_aggregates(v, call, &made);
    if (status == SCRIM_OK)
        status = check_operand(v, call, &v->aggregates[*aggregate], made);
    if (status == SCRIM_OK && is_new)
        v->query->aggregate_count++;
    return status;
}

static scrim_status add_formula_item(validation *v, const sc_item *item)
{
    const sc_formula_reading reading = {
        .typing = &v->typing, .context = v, .take = take_aggregate};
    sc_query_output output = {.index = SIZE_MAX};
    sc_text name;
    SC_TRY(sc_formula_read(&reading, item->node, &output.formula));
    SC_TRY(sc_output_name(item, 0, v->typing.arena, &name, v->typing.refusal));
    return add_output(v, item, name, name_place(item), output, SC_TYPE_NUMBER);
}

/* Refuses other aggregates beside rows of buckets: they have no row to stand in. */
static scrim_status check_lists(const validation *v)
{
    size_t aggregates = 0;
    for (size_t i = 0; i < v->tree->item_count; i++)
        aggregates += sc_aggregate_within(v->tree->items[i].node);
    for (size_t i = 0; i < v->tree->item_count; i++) {
        const sc_node *node = v->tree->items[i].node;
        const sc_aggregate *kind = sc_aggregate_called(node);
        if (kind != NULL && aggregates > 1 && kind->shape != SC_SHAPE_VALUE)
            return sc_refuse(
                v->typing.refusal, node->span, SCRIM_E_POLICY,
                "%s must be the only aggregate; ask for the others in another query, or "
                "SELECT BUCKET(x, width), COUNT(*), ... GROUP BY BUCKET(x, width)",
                kind->name);
    }
    return SCRIM_OK;
}

static scrim_status check_items(validation *v)
{
    scrim_status status = check_lists(v);
    for (size_t i = 0; status == SCRIM_OK && i < v->tree->item_count; i++) {
        const sc_item *item = &v->tree->items[i];
        status = is_grouping(item->node)                   ? add_grouping_item(v, item)
                 : sc_aggregate_called(item->node) != NULL ? add_aggregate_item(v, item)
                 : sc_aggregate_within(item->node)         ? add_formula_item(v, item)
                                                           : add_key_item(v, item);
    }
    if (status == SCRIM_OK && v->query->aggregate_count == 0)
        return sc_refuse(v->typing.refusal, v->tree->items[0].node->span, SCRIM_E_POLICY,
                         "add an aggregate, as in SELECT sex, COUNT(*) GROUP BY sex; "
                         "keys alone are not released");
    for (size_t i = 0; status == SCRIM_OK && i < v->query->key_count; i++) {
        bool shown = false;
        for (size_t j = 0; j < v->query->output_count; j++)
            shown |= v->outputs[j].is_key && v->outputs[j].index == i &&
                     !sc_query_output_is_grouping(&v->outputs[j]);
        if (!shown)
            return sc_refuse(v->typing.refusal, v->tree->groups[i]->span, SCRIM_E_PARAM,
                             "GROUP BY columns must also be in SELECT; add it there");
    }
    return status;
}

/* HAVING, ORDER BY, LIMIT. */

static scrim_status check_order(const validation *v, const sc_released_scope *scope,
                                const sc_node *node, size_t *output)
{
    return node->kind == SC_NODE_NUMBER
               ? read_position(v, node, "ORDER BY", v->query->output_count, output)
               : sc_released_find(scope, node, "ORDER BY", output);
}

static scrim_status check_released(validation *v)
{
    sc_query *query = v->query;
    const sc_released_scope scope = {.outputs = query->columns,
                                     .count = query->output_count,
                                     .schema = v->typing.schema,
                                     .arena = v->typing.arena,
                                     .refusal = v->typing.refusal};
    const sc_node *having = v->tree->having;
    scrim_status status = SCRIM_OK;
    if (having != NULL && query->key_count > 0 && query->person == NULL)
        status = sc_least_units_take(&scope, &having, &query->least);
    if (status == SCRIM_OK && having != NULL)
        status = sc_released_condition(&scope, having, &query->having);
    sc_query_order *orders =
        sc_arena_allocate(v->typing.arena, v->tree->order_count, sizeof *orders);
    if (orders == NULL)
        return sc_refuse_memory(v->typing.refusal);
    for (size_t i = 0; status == SCRIM_OK && i < v->tree->order_count; i++) {
        status = check_order(v, &scope, v->tree->orders[i].node, &orders[i].output);
        orders[i].descending = v->tree->orders[i].descending;
    }
    query->orders = orders;
    query->order_count = v->tree->order_count;
    query->has_limit = v->tree->limit != NULL;
    if (status == SCRIM_OK && query->has_limit &&
        (!sc_text_uint64(v->tree->limit->text, &query->limit) || query->limit == 0))
        return sc_refuse(v->typing.refusal, v->tree->limit->span, SCRIM_E_PARAM,
                         "LIMIT and TOP need a whole number above 0");
    return status;
}

/* Columns that are read. */

static scrim_status list_columns(validation *v)
{
    const size_t count = v->typing.schema->column_count;
    bool *is_read = sc_arena_allocate(v->typing.arena, count, sizeof *is_read);
    size_t *reads = sc_arena_allocate(v->typing.arena, count, sizeof *reads);
    if (is_read == NULL || reads == NULL)
        return sc_refuse_memory(v->typing.refusal);
    if (v->query->where != NULL)
        sc_typed_mark_columns(v->query->where, is_read);
    for (size_t i = 0; i < v->query->key_count; i++)
        sc_typed_mark_columns(v->keys[i].value, is_read);
    for (size_t i = 0; i < v->query->aggregate_count; i++) {
        if (v->aggregates[i].value != NULL)
            sc_typed_mark_columns(v->aggregates[i].value, is_read);
        if (v->aggregates[i].present != NULL)
            sc_typed_mark_columns(v->aggregates[i].present, is_read);
    }
    if (v->query->unnest != NULL) { /* its column is made of another */
        is_read[v->query->unnest->list] = true;
        is_read[v->query->unnest->column] = false;
    }
    for (size_t i = 0; i < count; i++)
        if (is_read[i])
            reads[v->query->read_count++] = i;
    v->query->reads = reads;
    if (v->query->person != NULL) { /* all that its rows are made of */
        v->query->reads = v->query->person->rows->reads;
        v->query->read_count = v->query->person->rows->read_count;
    }
    return SCRIM_OK;
}

scrim_status sc_validate(sc_text text, sc_text dataset, const sc_schema *schema,
                         sc_arena *arena, const sc_query **out, sc_refusal *refusal)
{
    static scrim_status (*const steps[])(validation *) = {
        check_groups,    check_items,    check_sets,  check_where,
        check_null_keys, check_released, list_columns};
    sc_tokens tokens;
    validation v = {.typing = {.schema = schema, .arena = arena, .refusal = refusal}};
    scrim_status status = sc_lex(text, arena, &tokens, refusal);
    if (status == SCRIM_OK)
        status = sc_parse(&tokens, arena, &v.tree, refusal);
    v.typing.tree = v.tree;
    if (status == SCRIM_OK)
        status = make_room(&v);
    if (status == SCRIM_OK)
        status = check_from(&v, dataset);
    for (size_t i = 0; status == SCRIM_OK && i < sizeof steps / sizeof *steps; i++)
        status = steps[i](&v);
    if (status != SCRIM_OK)
        return status;
    v.query->schema = v.typing.schema;
    v.query->canonical = tokens.canonical;
    *out = v.query;
    return SCRIM_OK;
}
