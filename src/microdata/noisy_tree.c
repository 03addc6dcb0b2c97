#include "microdata/noisy_tree.h"

#include "base/number/ball_double.h"
#include "microdata/level_queries.h"
#include "model/measurement.h"
#include "query/estimate/real_digits.h"
#include "query/language/key_text.h"
#include "query/language/validate.h"
#include "query/rows/key_tuple.h"

#include <stdio.h>
#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_no_memory(error, "the tree");
}

static scrim_status no_tree(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                       "the release is not a tree of counts");
}

/* Keys of a query: those of the levels, and of a table. */
#define MOST_KEYS (SC_LEVELS_MOST + SC_TABLE_COLUMNS)

/* A statement with its query. */
typedef struct source {
    const sc_record_statement *statement;
    const sc_query *query;
    size_t table, level;
    unsigned columns; /* of the table */
} source;

typedef struct reading {
    sc_noisy_tree *tree;
    const sc_schema *schema;
    source sources[SC_TREE_QUERIES];
    size_t count;
    const source *deep; /* of the last level: its rows have the leaves */
    size_t stride;      /* rows of deep for each leaf */
    sc_key_part parts[MOST_KEYS];
    scrim_error *error;
} reading;

/* Statements. */

static bool is_count(const source *s)
{
    return s->statement->number_count == 1 && s->statement->part_count == 1 &&
           s->statement->keys_kind != SC_PLAN_DISCOVERED &&
           s->query->aggregate_count == 1 && s->query->aggregates[0].value == NULL &&
           s->query->key_count <= MOST_KEYS;
}

/* The name of a key, or of the count. */
static sc_text name_of_output(const sc_query *query, bool is_key, size_t index)
{
    for (size_t i = 0; i < query->output_count; i++)
        if (query->outputs[i].is_key == is_key && query->outputs[i].index == index)
            return query->columns[i].name;
    return (sc_text){"", 0};
}

/* "table1_level2" */
static bool read_table_name(sc_text name, size_t *table, size_t *level)
{
    char text[40], again[40];
    if (name.bytes >= sizeof text)
        return false;
    memcpy(text, name.start, name.bytes);
    text[name.bytes] = '\0';
    if (sscanf(text, "table%3zu_level%3zu", table, level) != 2)
        return false;
    snprintf(again, sizeof again, SC_TABLE_NAME, *table, *level);
    return strcmp(text, again) == 0;
}

static bool set_place(source *s)
{
    const size_t keys = s->query->key_count;
    if (!read_table_name(name_of_output(s->query, false, 0), &s->table, &s->level)) {
        s->table = SC_NO_TABLE;
        s->level = keys;
        return keys <= SC_LEVELS_MOST;
    }
    s->table--;
    return s->table < SC_TREE_TABLES && s->level <= SC_LEVELS_MOST && s->level < keys &&
           keys - s->level <= SC_TABLE_COLUMNS;
}

/* Is the source that was read last one of a tree, beside those before it? */
static bool is_in_tree(reading *r)
{
    source *s = &r->sources[r->count - 1];
    if (!is_count(s) || !set_place(s) || s->level < (r->count == 1 ? 0 : s[-1].level) ||
        (r->count == 1 && s->level > 0))
        return false;
    for (size_t i = 0; i + 1 < r->count; i++)
        if (s->table == SC_NO_TABLE && r->sources[i].table == SC_NO_TABLE &&
            r->sources[i].level == s->level)
            return false;
    return true;
}

static scrim_status read_sources(reading *r, const sc_record *record)
{
    sc_refusal refusal = {.error = r->error};
    if (record->statement_count < 2 || record->statement_count > SC_TREE_QUERIES ||
        record->is_running)
        return no_tree(r->error);
    scrim_status status = sc_record_schema(record, &r->schema, r->error);
    for (size_t i = 0; status == SCRIM_OK && i < record->statement_count; i++) {
        source *s = &r->sources[r->count++];
        s->statement = &record->statements[i];
        status = sc_validate(s->statement->text, record->dataset, r->schema,
                             &r->tree->arena, &s->query, &refusal);
        if (status == SCRIM_OK && !is_in_tree(r))
            status = no_tree(r->error);
    }
    return status;
}

/* The record that a planned statement will have, with zeros. */
static scrim_status expect_statement(reading *r, const scrim_plan *plan, size_t place,
                                     sc_record_statement *out)
{
    static const sc_int128 zero = 0;
    const sc_planned_statement *planned = &plan->statements[place];
    const size_t count = planned->query->key_count == 0 ? 1 : planned->key_count;
    scrim_plan_part part;
    if (planned->part_count != 1 || planned->keys_kind == SC_PLAN_DISCOVERED)
        return no_tree(r->error);
    sc_record_row *rows = sc_arena_allocate(&r->tree->arena, count, sizeof *rows);
    sc_text *line = sc_arena_allocate(&r->tree->arena, 1, sizeof *line);
    if (rows == NULL || line == NULL)
        return no_memory(r->error);
    const scrim_status status = scrim_plan_part_at(plan, place, 0, &part, r->error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        rows[i] = (sc_record_row){
            .key = planned->query->key_count == 0 ? (sc_text){"", 0} : planned->keys[i],
            .numbers = &zero};
    *line = sc_text_of(part.measurement);
    *out = (sc_record_statement){.measurements = line,
                                 .part_count = 1,
                                 .keys_kind = planned->keys_kind,
                                 .rows = rows,
                                 .row_count = count,
                                 .number_count = 1};
    return SCRIM_OK;
}

static scrim_status expect_sources(reading *r, const scrim_plan *plan)
{
    scrim_status status = SCRIM_OK;
    if (plan == NULL || plan->statement_count < 2 ||
        plan->statement_count > SC_TREE_QUERIES)
        return no_tree(r->error);
    sc_record_statement *statements =
        sc_arena_allocate(&r->tree->arena, plan->statement_count, sizeof *statements);
    if (statements == NULL)
        return no_memory(r->error);
    for (size_t i = 0; status == SCRIM_OK && i < plan->statement_count; i++) {
        source *s = &r->sources[r->count++];
        s->query = plan->statements[i].query;
        s->statement = &statements[i];
        status = expect_statement(r, plan, i, &statements[i]);
        if (status == SCRIM_OK && !is_in_tree(r))
            status = no_tree(r->error);
    }
    return status;
}

/* The query of all cells of a table. */
static const source *whole_of(const reading *r, size_t table)
{
    const source *whole = NULL;
    for (size_t i = 0; i < r->count; i++)
        if (r->sources[i].table == table && r->sources[i].level + 1 == r->tree->levels &&
            (whole == NULL || r->sources[i].query->key_count > whole->query->key_count))
            whole = &r->sources[i];
    return whole;
}

static void set_deep(reading *r)
{
    const size_t last = r->sources[r->count - 1].level;
    for (size_t i = 0; i < r->count; i++)
        if (r->sources[i].level == last &&
            (r->deep == NULL || r->sources[i].table == SC_NO_TABLE))
            r->deep = &r->sources[i];
    r->tree->levels = last + 1;
}

/* Noise. */

static scrim_status read_noise(reading *r, const source *s, const char **measurement,
                               sc_level_noise *noise)
{
    scrim_measurement *m = NULL;
    const sc_text line = s->statement->measurements[0];
    *measurement = sc_arena_copy(&r->tree->arena, line.start, line.bytes);
    if (*measurement == NULL)
        return no_memory(r->error);
    scrim_status status = scrim_measurement_parse(*measurement, &m, r->error);
    if (status != SCRIM_OK)
        return status;
    const char *name = m->mechanism->entry.name;
    const sc_ratio *sensitivity = sc_measurement_get(m, "sensitivity");
    SC_OWN(sc_ratio, amount);
    SC_BALL_SCOPE(scope);
    if (strcmp(name, "laplace") == 0) {
        sc_ratio_div(&amount, sc_measurement_get(m, "epsilon"), sensitivity);
        *noise = (sc_level_noise){SC_TREE_LAPLACE, sc_ball_near(&amount)};
    } else if (strcmp(name, "gaussian") == 0 && m->cost.has_rho &&
               sc_ratio_sign(&m->cost.rho) > 0) {
        sc_ratio_mul(&amount, sensitivity, sensitivity);
        sc_ratio_div(&amount, &amount, &m->cost.rho);
        *noise = (sc_level_noise){SC_TREE_GAUSSIAN, sc_ratio_upper(&amount) / 2};
    } else {
        status = no_tree(r->error);
    }
    scrim_measurement_free(m);
    return status;
}

static const char *copy_name(reading *r, sc_text name)
{
    return sc_arena_copy(&r->tree->arena, name.start, name.bytes);
}

/* Names of levels: those of the columns of the last ones. */
static scrim_status read_levels(reading *r)
{
    sc_noisy_tree *t = r->tree;
    t->level[0] = (sc_tree_level){.name = "total", .measurement = ""};
    if (t->levels < 2)
        return no_tree(r->error);
    for (size_t i = 1; i < t->levels; i++) {
        const sc_text name = name_of_output(r->deep->query, true, i - 1);
        if (name.bytes == 0)
            return no_tree(r->error);
        t->level[i] = (sc_tree_level){.name = copy_name(r, name), .measurement = ""};
        if (t->level[i].name == NULL)
            return no_memory(r->error);
    }
    for (size_t i = 0; i < r->count; i++) {
        const source *s = &r->sources[i];
        sc_tree_level *level = &t->level[s->level];
        if (s->table != SC_NO_TABLE)
            continue;
        level->is_measured = true;
        const scrim_status status = read_noise(r, s, &level->measurement, &level->noise);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

/* Nodes. */

/* How many keys two leaves have in common, from the first on. */
static size_t common(const reading *r, const sc_key_part *a, const sc_key_part *b)
{
    size_t count = 0;
    while (count + 1 < r->tree->levels) {
        const sc_key_part *x = &a[count], *y = &b[count];
        const bool are_equal = x->is_text
                                   ? sc_key_part_is_null(x) == sc_key_part_is_null(y) &&
                                         sc_text_compare(x->text, y->text) == 0
                                   : x->value == y->value;
        if (!are_equal)
            break;
        count++;
    }
    return count;
}

static bool read_key(const reading *r, sc_text key, sc_key_part *parts)
{
    const sc_query *last = r->deep->query;
    for (size_t i = 0; i < last->key_count; i++)
        parts[i] = (sc_key_part){.is_text = sc_typed_is_text(last->keys[i].value)};
    return sc_key_tuple_read(key, parts, last->key_count);
}

/* How many rows of deep the first leaf has. */
static bool set_stride(reading *r)
{
    const sc_record_statement *last = r->deep->statement;
    sc_key_part first[MOST_KEYS], next[MOST_KEYS];
    r->stride = 1;
    if (last->row_count == 0 || !read_key(r, last->rows[0].key, first))
        return false;
    while (r->deep->table != SC_NO_TABLE && r->stride < last->row_count) {
        if (!read_key(r, last->rows[r->stride].key, next))
            return false;
        if (common(r, first, next) + 1 < r->tree->levels)
            break;
        r->stride++;
    }
    return last->row_count % r->stride == 0;
}

typedef void visit_fn(reading *r, size_t level, const sc_key_part *part, size_t *places);

/* Calls visit for each new node, parents before their children, in the order of leaves. */
static bool walk(reading *r, visit_fn *visit, size_t *places)
{
    const sc_record_statement *last = r->deep->statement;
    sc_key_part parts[2][MOST_KEYS];
    for (size_t i = 0; i < last->row_count / r->stride; i++) {
        sc_key_part *now = parts[i % 2];
        if (!read_key(r, last->rows[i * r->stride].key, now))
            return false;
        const size_t same = i == 0 ? 0 : common(r, now, parts[(i + 1) % 2]);
        if (same + 1 == r->tree->levels)
            return false;
        for (size_t level = i == 0 ? 0 : same + 1; level < r->tree->levels; level++)
            visit(r, level, level == 0 ? NULL : &now[level - 1], places);
    }
    return last->row_count > 0;
}

static void count_node(reading *r, size_t level, const sc_key_part *part, size_t *places)
{
    (void)r;
    (void)part;
    places[level]++;
}

/* The text of the key of a place of a query. */
static sc_text name_of(reading *r, const sc_query *query, size_t key,
                       const sc_key_part *part)
{
    char text[SC_KEY_TEXT_BYTES];
    if (sc_key_part_is_null(part))
        return (sc_text){NULL, 0};
    if (part->is_text)
        return (sc_text){
            sc_arena_copy(&r->tree->arena, part->text.start, part->text.bytes),
            part->text.bytes};
    const sc_typed *typed = query->keys[key].value;
    const size_t bytes = sc_key_text(typed, part->value, NULL, 0);
    if (bytes < sizeof text) {
        (void)sc_key_text(typed, part->value, text, sizeof text);
        return (sc_text){sc_arena_copy(&r->tree->arena, text, bytes), bytes};
    }
    char *copy = sc_arena_allocate(&r->tree->arena, bytes + 1, 1);
    if (copy != NULL)
        (void)sc_key_text(typed, part->value, copy, bytes + 1);
    return (sc_text){copy, bytes};
}

/* places[level] is the next node of a level. */
static void put_node(reading *r, size_t level, const sc_key_part *part, size_t *places)
{
    sc_noisy_tree *t = r->tree;
    const size_t node = places[level]++;
    if (level + 1 < t->levels)
        t->child[node] = (uint32_t)places[level + 1];
    if (level == 0)
        return;
    t->parents[node] = (uint32_t)(places[level - 1] - 1);
    t->keys[node] = name_of(r, r->deep->query, level - 1, part);
}

static scrim_status make_nodes(reading *r)
{
    sc_noisy_tree *t = r->tree;
    size_t places[SC_LEVELS_MOST + 1] = {0};
    if (!set_stride(r) || !walk(r, count_node, places))
        return no_tree(r->error);
    for (size_t i = 0; i < t->levels; i++)
        t->starts[i + 1] = t->starts[i] + places[i];
    const size_t nodes = t->starts[t->levels], inner = t->starts[t->levels - 1];
    if (nodes > UINT32_MAX)
        return no_tree(r->error);
    t->child = sc_allocate(inner + 1, sizeof *t->child);
    t->parents = sc_allocate(nodes, sizeof *t->parents);
    t->keys = sc_allocate(nodes, sizeof *t->keys);
    t->noisy = sc_allocate(nodes, sizeof *t->noisy);
    if (t->child == NULL || t->parents == NULL || t->keys == NULL || t->noisy == NULL)
        return no_memory(r->error);
    memcpy(places, t->starts, sizeof places);
    if (!walk(r, put_node, places))
        return no_tree(r->error);
    t->child[inner] = (uint32_t)nodes;
    t->shape = (sc_tree_shape){.child = t->child, .inner = inner};
    return SCRIM_OK;
}

static void set_fanouts(sc_noisy_tree *t)
{
    t->is_even = true;
    for (size_t i = 0; i + 1 < t->levels; i++)
        for (size_t v = t->starts[i]; v < t->starts[i + 1]; v++) {
            const size_t children = t->child[v + 1] - t->child[v];
            if (v > t->starts[i] && children != t->fanouts[i])
                t->is_even = false;
            t->fanouts[i] = children > t->fanouts[i] ? children : t->fanouts[i];
        }
}

/* Noisy counts. */

static bool read_parts(reading *r, const source *s, size_t row)
{
    const size_t count = s->query->key_count;
    for (size_t i = 0; i < count; i++)
        r->parts[i] = (sc_key_part){.is_text = sc_typed_is_text(s->query->keys[i].value)};
    return sc_key_tuple_read(s->statement->rows[row].key, r->parts, count);
}

/* Is a key of the row that was read called so? */
static bool is_called(const reading *r, const source *s, size_t key, sc_text name)
{
    const sc_key_part *part = &r->parts[key];
    char text[SC_KEY_TEXT_BYTES];
    if (sc_key_part_is_null(part) || name.start == NULL)
        return sc_key_part_is_null(part) && name.start == NULL;
    sc_text own = part->text;
    if (!part->is_text) {
        const size_t bytes =
            sc_key_text(s->query->keys[key].value, part->value, text, sizeof text);
        own = (sc_text){text, bytes < sizeof text ? bytes : sizeof text - 1};
    }
    return sc_text_compare(own, name) == 0;
}

/* Are the keys of the row that was read those of a node? */
static bool is_of_node(const reading *r, const source *s, size_t node)
{
    const sc_noisy_tree *t = r->tree;
    for (size_t level = s->level; level > 0; level--, node = t->parents[node])
        if (!is_called(r, s, level - 1, t->keys[node]))
            return false;
    return true;
}

static scrim_status take_counts(reading *r, const source *s)
{
    sc_noisy_tree *t = r->tree;
    const size_t first = t->starts[s->level];
    if (s->statement->row_count != t->starts[s->level + 1] - first)
        return no_tree(r->error);
    for (size_t i = 0; i < s->statement->row_count; i++) {
        if (!read_parts(r, s, i) || !is_of_node(r, s, first + i))
            return no_tree(r->error);
        t->noisy[first + i] = sc_projection_clamp(s->statement->rows[i].numbers[0]);
    }
    return SCRIM_OK;
}

/* Tables. */

/* How many values a column has: its keys are counted until the first one comes again. */
static bool count_values(reading *r, const source *s, size_t key, size_t step,
                         size_t rows, size_t *size)
{
    if (!read_parts(r, s, 0))
        return false;
    const sc_text first = name_of(r, s->query, key, &r->parts[key]);
    for (*size = 1; *size * step < rows; (*size)++) {
        if (!read_parts(r, s, *size * step))
            return false;
        if (is_called(r, s, key, first))
            break;
    }
    return true;
}

static scrim_status take_values(reading *r, const source *s, size_t key, size_t step,
                                size_t size, sc_text **out)
{
    sc_text *values = sc_arena_allocate(&r->tree->arena, size, sizeof *values);
    if (values == NULL)
        return no_memory(r->error);
    for (size_t i = 0; i < size; i++) {
        if (!read_parts(r, s, i * step))
            return no_tree(r->error);
        values[i] = name_of(r, s->query, key, &r->parts[key]);
        if (values[i].bytes > 0 && values[i].start == NULL)
            return no_memory(r->error);
    }
    *out = values;
    return SCRIM_OK;
}

static scrim_status read_table(reading *r, size_t table)
{
    sc_noisy_tree *t = r->tree;
    sc_noisy_table *out = &t->tables[table];
    const source *s = whole_of(r, table);
    const size_t leaves = t->starts[t->levels] - t->starts[t->levels - 1];
    if (s == NULL || s->statement->row_count % leaves != 0)
        return no_tree(r->error);
    const size_t rows = s->statement->row_count / leaves;
    size_t step = 1;
    out->shape.columns = s->query->key_count - s->level;
    for (size_t i = out->shape.columns; i-- > 0;) {
        const size_t key = s->level + i;
        if (!count_values(r, s, key, step, rows, &out->shape.sizes[i]))
            return no_tree(r->error);
        const scrim_status status =
            take_values(r, s, key, step, out->shape.sizes[i], &out->values[i]);
        if (status != SCRIM_OK)
            return status;
        out->names[i] = copy_name(r, name_of_output(s->query, true, key));
        if (out->names[i] == NULL)
            return no_memory(r->error);
        step *= out->shape.sizes[i];
    }
    return step == rows && rows <= SC_TABLE_CELLS ? SCRIM_OK : no_tree(r->error);
}

/* The columns of a query, which are some of those of its table, in their order. */
static bool set_columns(const sc_noisy_table *table, source *s)
{
    size_t at = 0;
    for (size_t key = s->level; key < s->query->key_count; key++, at++) {
        const sc_text name = name_of_output(s->query, true, key);
        while (at < table->shape.columns && !sc_text_is(name, table->names[at]))
            at++;
        if (at == table->shape.columns)
            return false;
        s->columns |= 1u << at;
    }
    return true;
}

/* Are the keys of the row that was read those of a cell? */
static bool is_of_cell(const reading *r, const source *s, size_t cell)
{
    const sc_noisy_table *table = &r->tree->tables[s->table];
    size_t key = s->query->key_count;
    for (size_t i = table->shape.columns; i-- > 0;) {
        if (!(s->columns >> i & 1))
            continue;
        const size_t size = table->shape.sizes[i];
        if (!is_called(r, s, --key, table->values[i][cell % size]))
            return false;
        cell /= size;
    }
    return true;
}

static scrim_status read_query(reading *r, source *s)
{
    sc_noisy_tree *t = r->tree;
    sc_noisy_query *q = &t->queries[t->query_count++];
    if (!set_columns(&t->tables[s->table], s))
        return no_tree(r->error);
    *q = (sc_noisy_query){.table = s->table, .level = s->level, .columns = s->columns};
    const size_t first = t->starts[s->level], nodes = t->starts[s->level + 1] - first,
                 cells = sc_table_cells(&t->tables[s->table].shape, s->columns);
    for (size_t i = 0; i + 1 < t->query_count; i++)
        if (t->queries[i].table == q->table && t->queries[i].level == q->level &&
            t->queries[i].columns == q->columns)
            return no_tree(r->error);
    if (s->statement->row_count != nodes * cells)
        return no_tree(r->error);
    q->noisy = sc_arena_allocate(&t->arena, nodes * cells, sizeof *q->noisy);
    if (q->noisy == NULL)
        return no_memory(r->error);
    for (size_t i = 0; i < nodes * cells; i++) {
        if (!read_parts(r, s, i) || !is_of_node(r, s, first + i / cells) ||
            !is_of_cell(r, s, i % cells))
            return no_tree(r->error);
        q->noisy[i] = sc_projection_clamp(s->statement->rows[i].numbers[0]);
    }
    return read_noise(r, s, &q->measurement, &q->noise);
}

static scrim_status read_tables(reading *r)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < r->count; i++)
        if (r->sources[i].table != SC_NO_TABLE &&
            r->sources[i].table >= r->tree->table_count)
            r->tree->table_count = r->sources[i].table + 1;
    for (size_t t = 0; status == SCRIM_OK && t < r->tree->table_count; t++)
        status = read_table(r, t);
    for (size_t i = 0; status == SCRIM_OK && i < r->count; i++)
        if (r->sources[i].table != SC_NO_TABLE)
            status = read_query(r, &r->sources[i]);
    return status;
}

static scrim_status read_nodes(reading *r)
{
    const sc_noisy_tree *t = r->tree;
    scrim_status status = make_nodes(r);
    for (size_t v = 1; status == SCRIM_OK && v < t->starts[t->levels]; v++)
        if (t->keys[v].bytes > 0 && t->keys[v].start == NULL)
            status = no_memory(r->error);
    for (size_t i = 0; status == SCRIM_OK && i < r->count; i++)
        if (r->sources[i].table == SC_NO_TABLE)
            status = take_counts(r, &r->sources[i]);
    return status;
}

/* From a record, or from a plan. */
static scrim_status read_tree(const sc_record *record, const scrim_plan *plan,
                              sc_noisy_tree *out, scrim_error *error)
{
    *out = (sc_noisy_tree){.levels = 0};
    sc_arena_init(&out->arena);
    reading *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return no_memory(error);
    *r = (reading){.tree = out, .error = error};
    scrim_status status =
        record != NULL ? read_sources(r, record) : expect_sources(r, plan);
    if (status == SCRIM_OK) {
        set_deep(r);
        status = read_levels(r);
    }
    if (status == SCRIM_OK)
        status = read_nodes(r);
    if (status == SCRIM_OK)
        status = read_tables(r);
    if (status == SCRIM_OK)
        set_fanouts(out);
    sc_schema_free(r->schema);
    sc_free(r);
    return status;
}

scrim_status sc_noisy_tree_read(const sc_record *record, sc_noisy_tree *out,
                                scrim_error *error)
{
    return read_tree(record, NULL, out, error);
}

scrim_status sc_noisy_tree_expect(const scrim_plan *plan, sc_noisy_tree *out,
                                  scrim_error *error)
{
    return read_tree(NULL, plan, out, error);
}

void sc_noisy_tree_clear(sc_noisy_tree *t)
{
    sc_free(t->child);
    sc_free(t->parents);
    sc_free(t->keys);
    sc_free(t->noisy);
    sc_arena_clear(&t->arena);
    *t = (sc_noisy_tree){.levels = 0};
}

size_t sc_noisy_tree_level(const sc_noisy_tree *t, size_t node)
{
    size_t level = 0;
    while (node >= t->starts[level + 1])
        level++;
    return level;
}
