#include "query/language/person.h"

#include "query/language/row_filter.h"
#include "query/language/typed.h"

#include <string.h>

/* A named output of the innermost SELECT: a number computed from the rows of a group. */
typedef struct group_number {
    sc_text name;
    sc_person_fold rows;
    size_t value;
    sc_typed like; /* type, extent, is_nullable */
} group_number;

typedef struct reading {
    sc_typing typing;
    sc_query *rows;
    sc_query_key *keys;
    const sc_typed **values;
    size_t value_count;
    group_number *numbers; /* of the innermost SELECT; NULL: it has no numbers */
    size_t number_count;
    sc_person_column *columns;
    sc_schema *schema;
} reading;

static const struct {
    const char *name;
    sc_person_fold fold;
} folds[] = {{"ANY_VALUE", SC_PERSON_ANY},
             {"COUNT", SC_PERSON_COUNT},
             {"MAX", SC_PERSON_MOST},
             {"MIN", SC_PERSON_LEAST},
             {"SUM", SC_PERSON_SUM}};

static scrim_status refuse_aggregate(const reading *r, const sc_node *node)
{
    return sc_refuse(r->typing.refusal, node->span, SCRIM_E_POLICY,
                     "SELECT in FROM takes COUNT(*), SUM(x), MIN(x), MAX(x) or "
                     "ANY_VALUE(x), with a name after AS");
}

/* The aggregate that is called. */
static scrim_status read_fold(const reading *r, const sc_node *node, sc_person_fold *out)
{
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
        const bool is_count = folds[i].fold == SC_PERSON_COUNT;
        if (node->kind == SC_NODE_CALL && sc_text_is(node->text, folds[i].name) &&
            node->count == 1 && is_count == (node->list[0]->kind == SC_NODE_STAR) &&
            !node->distinct && !node->with_range && node->filter == NULL) {
            *out = folds[i].fold;
            return SCRIM_OK;
        }
    }
    return refuse_aggregate(r, node);
}

/* Clauses. */

static bool is_unit(const reading *r, const sc_node *node)
{
    const sc_text unit = r->typing.schema->unit;
    return node->kind == SC_NODE_NAME && node->table.bytes == 0 &&
           sc_text_equal(node->text, unit);
}

static scrim_status check_clauses(const reading *r, const sc_tree *tree)
{
    char unit[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_NAME_BYTES];
    bool has_unit = false;
    sc_text_quote(r->typing.schema->unit, unit);
    if (tree->having != NULL || tree->order_count > 0 || tree->limit != NULL)
        return sc_refuse(r->typing.refusal, tree->from_span, SCRIM_E_POLICY,
                         "SELECT in FROM takes WHERE and GROUP BY only");
    for (size_t i = 0; i < tree->group_count; i++)
        has_unit |= is_unit(r, tree->groups[i]);
    if (!has_unit)
        return sc_refuse(r->typing.refusal, tree->items[0].node->span, SCRIM_E_POLICY,
                         "SELECT in FROM makes one row per %s; add GROUP BY %s", unit,
                         sc_text_name(r->typing.schema->unit, name));
    return SCRIM_OK;
}

static scrim_status check_from(const reading *r, const sc_tree *tree, sc_text dataset)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (tree->unnest != NULL)
        return sc_refuse(r->typing.refusal, tree->unnest->span, SCRIM_E_POLICY,
                         "UNNEST cannot be in a SELECT in FROM");
    if (tree->from.bytes == 0 || sc_text_equal(tree->from, dataset))
        return SCRIM_OK;
    return sc_refuse(r->typing.refusal, tree->from_span, SCRIM_E_PARAM,
                     "FROM must name %s, or be left out", sc_text_quote(dataset, quote));
}

static scrim_status read_where(reading *r, const sc_tree *tree)
{
    if (tree->join_count > 0)
        SC_TRY(sc_joins_read(tree, &r->typing));
    r->rows->schema = r->typing.schema;
    return sc_row_filter_read(&r->typing, tree, r->rows);
}

static scrim_status read_keys(reading *r, const sc_tree *tree)
{
    scrim_status status = SCRIM_OK;
    if (tree->group_count > SC_QUERY_KEYS)
        return sc_refuse(r->typing.refusal, tree->groups[SC_QUERY_KEYS]->span,
                         SCRIM_E_LIMIT, "GROUP BY takes at most %d keys", SC_QUERY_KEYS);
    if (tree->set_count > 0)
        return sc_refuse(r->typing.refusal, tree->sets_span, SCRIM_E_POLICY,
                         "sets of keys are for the outer SELECT; group by the person, "
                         "and keys, once");
    for (size_t i = 0; status == SCRIM_OK && i < tree->group_count; i++) {
        sc_query_key *key = &r->keys[r->rows->key_count];
        if (is_unit(r, tree->groups[i]))
            continue;
        r->rows->key_count++;
        SC_TRY(sc_typed_row(&r->typing, tree->groups[i], &key->value));
        /* Where its keys are listed, rows with others are in no group. */
        key->is_nullable = key->value->is_nullable;
        if (key->value->operation == SC_OP_COLUMN)
            key->column = &r->typing.schema->columns[key->value->column];
    }
    return status;
}

/* Values. */

static bool is_measure(const sc_typed *typed)
{
    return typed->type == SC_TYPE_NUMBER || sc_type_is_time(typed->type);
}

static scrim_status read_value(reading *r, const sc_node *node, sc_person_fold fold,
                               size_t *out)
{
    const sc_typed *value;
    scrim_status status = sc_typed_row(&r->typing, node, &value);
    if (status == SCRIM_OK && (fold == SC_PERSON_SUM || !is_measure(value)))
        status = sc_typing_check_number(&r->typing, node, "SELECT in FROM", value);
    if (status == SCRIM_OK)
        status = sc_typing_check_varies(&r->typing, node, value);
    if (status != SCRIM_OK)
        return status;
    r->values[r->value_count] = value;
    *out = r->value_count++;
    return SCRIM_OK;
}

/* An aggregate of rows, and what its result looks like. */
static scrim_status read_number(reading *r, const sc_node *node, group_number *out)
{
    scrim_status status = read_fold(r, node, &out->rows);
    out->value = SIZE_MAX;
    out->like = (sc_typed){.type = SC_TYPE_NUMBER, .extent = {0, 0, {1, 1}}};
    if (status != SCRIM_OK || out->rows == SC_PERSON_COUNT)
        return status;
    status = read_value(r, node->list[0], out->rows, &out->value);
    if (status == SCRIM_OK) {
        out->like = *r->values[out->value];
        out->like.is_nullable =
            sc_typed_may_be_null(r->values[out->value], r->rows->is_present);
    }
    return status;
}

static const group_number *find_number(const reading *r, const sc_node *node)
{
    for (size_t i = 0; i < r->number_count; i++)
        if (node->kind == SC_NODE_NAME && sc_text_equal(node->text, r->numbers[i].name))
            return &r->numbers[i];
    return NULL;
}

/* Reads an output of the SELECT around the innermost one: an aggregate over the groups of a unit. */
static scrim_status read_over_groups(const reading *r, const sc_node *node,
                                     sc_person_column *column, sc_typed *like)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    SC_TRY(read_fold(r, node, &column->groups));
    *column = (sc_person_column){
        .rows = SC_PERSON_COUNT, .groups = column->groups, .value = SIZE_MAX};
    *like = (sc_typed){.type = SC_TYPE_NUMBER, .extent = {0, 0, {1, 1}}};
    if (column->groups == SC_PERSON_COUNT)
        return SCRIM_OK;
    const group_number *number = find_number(r, node->list[0]);
    if (column->groups == SC_PERSON_ANY || number == NULL)
        return sc_refuse(r->typing.refusal, node->list[0]->span, SCRIM_E_PARAM,
                         "%s: an outer SELECT takes COUNT(*), or MAX(n), MIN(n) or "
                         "SUM(n) of a name that the innermost SELECT gives with AS",
                         sc_text_quote(node->list[0]->text, quote));
    column->rows = number->rows;
    column->value = number->value;
    *like = number->like;
    if (column->groups == SC_PERSON_SUM && like->type != SC_TYPE_NUMBER)
        return refuse_aggregate(r, node);
    return SCRIM_OK;
}

static scrim_status read_inner_items(reading *r, const sc_tree *tree)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < tree->item_count; i++) {
        group_number *number = &r->numbers[r->number_count];
        number->name = tree->items[i].alias;
        if (number->name.bytes == 0)
            return refuse_aggregate(r, tree->items[i].node);
        status = read_number(r, tree->items[i].node, number);
        if (status == SCRIM_OK && number->rows == SC_PERSON_ANY)
            return sc_refuse(r->typing.refusal, tree->items[i].node->span, SCRIM_E_POLICY,
                             "ANY_VALUE(x) takes one row of a person; ask for it in a "
                             "SELECT that groups by the person alone");
        r->number_count++;
    }
    return status;
}

/* Columns. */

/* The exponent of a step that is a power of 10 or of 2; false for another. */
static bool set_grid(sc_value_step step, sc_grid *grid)
{
    for (int base = 10; base >= 2; base -= 8) {
        int64_t rest = step.numerator > 1 ? step.numerator : step.denominator;
        int exponent = 0;
        for (; rest % base == 0; rest /= base)
            exponent++;
        if (rest == 1 && (step.numerator == 1 || step.denominator == 1)) {
            grid->is_decimal = base == 10;
            grid->exponent = step.numerator > 1 ? exponent : -exponent;
            return true;
        }
    }
    return false;
}

static scrim_status set_column(const reading *r, const sc_node *node,
                               const sc_typed *like, const sc_person_column *from,
                               sc_column *out)
{
    const bool is_whole = sc_step_equal(like->extent.step, (sc_value_step){1, 1});
    out->type = like->type == SC_TYPE_DATE        ? SC_COLUMN_DATE
                : like->type == SC_TYPE_TIMESTAMP ? SC_COLUMN_TIMESTAMP
                : is_whole                        ? SC_COLUMN_INT
                                                  : SC_COLUMN_DECIMAL;
    out->step = like->extent.step.numerator;
    out->zone = like->zone;
    out->grid = (sc_grid){
        .low = from->low, .high = from->high, .missing = from->low, .is_decimal = true};
    out->has_missing = !like->is_nullable;
    return like->type != SC_TYPE_NUMBER || set_grid(like->extent.step, &out->grid)
               ? SCRIM_OK
               : sc_refuse(r->typing.refusal, node->span, SCRIM_E_POLICY,
                           "its step is not a power of 10 or 2; aggregate the column "
                           "itself, and compute outside");
}

/* The ends of CLAMP(x, low, high), or the one of LEAST(x, high), in steps. */
static scrim_status read_ends(reading *r, const sc_node *node, const sc_typed *like,
                              sc_person_column *column)
{
    int64_t *const ends[] = {&column->low, &column->high};
    for (size_t i = node->count == 2; i < 2; i++) {
        sc_extent end;
        const sc_node *at = node->list[node->count - 2 + i];
        SC_TRY(sc_typed_constant(&r->typing, at, "an end of CLAMP", &end));
        if (!sc_extent_count_of(&end, like->extent.step, ends[i]))
            return sc_refuse(
                r->typing.refusal, at->span, SCRIM_E_PARAM,
                "the ends of CLAMP must be whole steps of the clamped value");
    }
    return column->low < column->high
               ? SCRIM_OK
               : sc_refuse(r->typing.refusal, node->span, SCRIM_E_PARAM,
                           "CLAMP(x, low, high) needs low below high");
}

static bool is_call(const sc_node *node, const char *name, size_t count)
{
    return node->kind == SC_NODE_CALL && sc_text_is(node->text, name) &&
           node->count == count;
}

/* Does it have a public range without CLAMP? */
static bool is_ranged(const sc_person_column *column)
{
    return column->rows != SC_PERSON_COUNT && column->rows != SC_PERSON_SUM &&
           column->groups != SC_PERSON_COUNT && column->groups != SC_PERSON_SUM;
}

static bool is_count(const sc_person_column *column)
{
    return column->groups == SC_PERSON_COUNT ||
           (column->rows == SC_PERSON_COUNT && column->value == SIZE_MAX);
}

static scrim_status read_column(reading *r, const sc_item *item, sc_person_column *column,
                                sc_column *out)
{
    group_number number;
    sc_typed like;
    const bool is_clamped = is_call(item->node, "CLAMP", 3),
               is_cut = is_call(item->node, "LEAST", 2);
    const sc_node *node = is_clamped || is_cut ? item->node->list[0] : item->node;
    scrim_status status;
    if (r->numbers != NULL) {
        status = read_over_groups(r, node, column, &like);
    } else {
        status = read_number(r, node, &number);
        *column = (sc_person_column){
            .rows = number.rows, .groups = SC_PERSON_MOST, .value = number.value};
        like = number.like;
    }
    if (status != SCRIM_OK)
        return status;
    if (is_ranged(column) && node == item->node) {
        column->low = like.extent.low;
        column->high = like.extent.high;
    } else if (is_clamped || (is_cut && is_count(column))) {
        status = read_ends(r, item->node, &like, column);
    } else {
        return sc_refuse(r->typing.refusal, node->span, SCRIM_E_POLICY,
                         "counts and sums have no public range; write CLAMP(COUNT(*), 0, "
                         "100) with the range that you expect");
    }
    return status == SCRIM_OK ? set_column(r, node, &like, column, out) : status;
}

static scrim_status read_columns(reading *r, const sc_tree *tree)
{
    scrim_status status = SCRIM_OK;
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; status == SCRIM_OK && i < tree->item_count; i++) {
        const sc_item *item = &tree->items[i];
        sc_column *column = &r->schema->columns[i];
        if (!sc_column_is_name(item->alias) ||
            sc_text_equal(item->alias, r->schema->unit))
            return sc_refuse(r->typing.refusal, item->node->span, SCRIM_E_PARAM,
                             "a column of SELECT in FROM needs its own name after AS");
        if (sc_schema_column(r->schema, item->alias) != NULL)
            return sc_refuse(r->typing.refusal, item->alias_span, SCRIM_E_PARAM,
                             "%s is named twice", sc_text_quote(item->alias, quote));
        status = read_column(r, item, &r->columns[i], column);
        column->name = item->alias;
        r->schema->column_count++;
    }
    return status;
}

/* The whole. */

static scrim_status make_room(reading *r, const sc_tree *tree)
{
    sc_arena *arena = r->typing.arena;
    const sc_tree *inner = tree->inner;
    const size_t inner_count = inner == NULL ? 0 : inner->item_count,
                 keys = (inner == NULL ? tree : inner)->group_count;
    if (tree->item_count > SC_PERSON_COLUMNS || inner_count > SC_PERSON_COLUMNS)
        return sc_refuse(r->typing.refusal, tree->items[0].node->span, SCRIM_E_LIMIT,
                         "SELECT in FROM takes at most %d columns", SC_PERSON_COLUMNS);
    r->rows = sc_arena_allocate(arena, 1, sizeof *r->rows);
    r->keys = sc_arena_allocate(arena, keys, sizeof *r->keys);
    r->values =
        sc_arena_allocate(arena, tree->item_count + inner_count, sizeof(sc_typed *));
    r->columns = sc_arena_allocate(arena, tree->item_count, sizeof *r->columns);
    r->schema = sc_arena_allocate(arena, 1, sizeof *r->schema);
    if (inner != NULL)
        r->numbers = sc_arena_allocate(arena, inner_count, sizeof *r->numbers);
    if (r->rows == NULL || r->keys == NULL || r->values == NULL || r->columns == NULL ||
        r->schema == NULL || (inner != NULL && r->numbers == NULL))
        return sc_refuse_memory(r->typing.refusal);
    const sc_schema *table = r->typing.schema;
    r->rows->schema = table;
    r->rows->keys = r->keys;
    *r->schema = (sc_schema){
        .unit = table->unit,
        .neighbours = table->neighbours,
        .bounds = {1, 1, 0},
        .is_bounded = true,
        .columns = sc_arena_allocate(arena, tree->item_count, sizeof(sc_column)),
        .zone = table->zone};
    return r->schema->columns == NULL ? sc_refuse_memory(r->typing.refusal) : SCRIM_OK;
}

/* Which columns of the table are read. */
static scrim_status list_reads(reading *r)
{
    sc_query *rows = r->rows;
    const size_t count = rows->schema->column_count;
    bool *is_read = sc_arena_allocate(r->typing.arena, count, sizeof *is_read);
    size_t *reads = sc_arena_allocate(r->typing.arena, count, sizeof *reads);
    if (is_read == NULL || reads == NULL)
        return sc_refuse_memory(r->typing.refusal);
    if (rows->where != NULL)
        sc_typed_mark_columns(rows->where, is_read);
    for (size_t i = 0; i < rows->key_count; i++)
        sc_typed_mark_columns(rows->keys[i].value, is_read);
    for (size_t i = 0; i < r->value_count; i++)
        sc_typed_mark_columns(r->values[i], is_read);
    for (size_t i = 0; i < count; i++)
        if (is_read[i])
            reads[rows->read_count++] = i;
    rows->reads = reads;
    return SCRIM_OK;
}

/* The innermost SELECT: WHERE, GROUP BY and what its groups become. */
static scrim_status read_innermost(reading *r, const sc_tree *tree, sc_text dataset)
{
    SC_TRY(check_clauses(r, tree));
    SC_TRY(check_from(r, tree, dataset));
    SC_TRY(read_where(r, tree));
    SC_TRY(read_keys(r, tree));
    if (r->numbers != NULL)
        return read_inner_items(r, tree);
    return SCRIM_OK;
}

/* The SELECT around it. */
static scrim_status check_around(const reading *r, const sc_tree *tree)
{
    SC_TRY(check_clauses(r, tree));
    if (tree->where != NULL || tree->group_count > 1)
        return sc_refuse(r->typing.refusal,
                         tree->where != NULL ? tree->where->span : tree->groups[1]->span,
                         SCRIM_E_POLICY,
                         "the SELECT that makes one row per person must group by the "
                         "person only; put keys and WHERE into the innermost one");
    return SCRIM_OK;
}

scrim_status sc_person_read(const sc_tree *tree, sc_text dataset, const sc_schema *schema,
                            sc_arena *arena, const sc_person **out, sc_refusal *refusal)
{
    const sc_tree *innermost = tree->inner == NULL ? tree : tree->inner;
    reading r = {
        .typing = {
            .schema = schema, .tree = innermost, .arena = arena, .refusal = refusal}};
    if (schema->unit.bytes == 0)
        return sc_refuse(refusal, tree->items[0].node->span, SCRIM_E_POLICY,
                         "every row is a different person here; ask about the rows "
                         "without SELECT in FROM");
    scrim_status status = make_room(&r, tree);
    if (status == SCRIM_OK && tree->inner != NULL)
        status = check_around(&r, tree);
    if (status == SCRIM_OK)
        status = read_innermost(&r, innermost, dataset);
    if (status == SCRIM_OK && tree->inner == NULL && r.rows->key_count > 0)
        return sc_refuse(refusal, tree->groups[0]->span, SCRIM_E_POLICY,
                         "questions about several rows per person are not possible; "
                         "aggregate the groups of a person in a SELECT around this one");
    if (status == SCRIM_OK)
        status = read_columns(&r, tree);
    if (status == SCRIM_OK)
        status = list_reads(&r);
    sc_person *person = sc_arena_allocate(arena, 1, sizeof *person);
    if (status == SCRIM_OK && person == NULL)
        return sc_refuse_memory(refusal);
    if (status != SCRIM_OK)
        return status;
    *person = (sc_person){.rows = r.rows,
                          .values = r.values,
                          .value_count = r.value_count,
                          .schema = r.schema,
                          .columns = r.columns};
    *out = person;
    return SCRIM_OK;
}

size_t sc_query_joins(const sc_query *query, const sc_joined **joins)
{
    const sc_query *rows = query->person == NULL ? query : query->person->rows;
    *joins = rows->joined;
    return rows->joined_count;
}
