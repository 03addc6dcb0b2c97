#include "microdata/release/noisy_tree.h"

#include "base/ball_double.h"
#include "model/measurement.h"
#include "query/estimate/real_digits.h"
#include "query/language/key_text.h"
#include "query/language/validate.h"
#include "query/pass/key_tuple.h"

#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the tree");
}

static scrim_status no_tree(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                       "the release is not a tree of counts");
}

/* A statement with its query. */
typedef struct source {
    const sc_record_statement *statement;
    const sc_query *query;
} source;

typedef struct reading {
    sc_noisy_tree *tree;
    const sc_schema *schema;
    source sources[SC_LEVELS_MOST + 1];
    size_t count;
    sc_key_part parts[SC_LEVELS_MOST];
    scrim_error *error;
} reading;

/* Statements. */

static bool is_count(const source *s)
{
    return s->statement->number_count == 1 && s->statement->part_count == 1 &&
           s->statement->keys_kind != SC_PLAN_DISCOVERED &&
           s->query->aggregate_count == 1 && s->query->aggregates[0].value == NULL &&
           s->query->key_count <= SC_LEVELS_MOST;
}

static scrim_status read_sources(reading *r, const sc_record *record)
{
    sc_refusal refusal = {.error = r->error};
    if (record->statement_count > SC_LEVELS_MOST + 1 || record->is_running)
        return no_tree(r->error);
    scrim_status status = sc_record_schema(record, &r->schema, r->error);
    for (size_t i = 0; status == SCRIM_OK && i < record->statement_count; i++) {
        source *s = &r->sources[r->count++];
        s->statement = &record->statements[i];
        status = sc_validate(s->statement->text, record->dataset, r->schema,
                             &r->tree->arena, &s->query, &refusal);
        if (status == SCRIM_OK &&
            (!is_count(s) || (i == 0 ? s->query->key_count != 0
                                     : s->query->key_count <= s[-1].query->key_count)))
            status = no_tree(r->error);
    }
    if (status == SCRIM_OK && (r->count < 2 || r->sources[0].statement->row_count != 1))
        status = no_tree(r->error);
    return status;
}

/* Noise. */

static scrim_status read_noise(reading *r, const source *s, sc_tree_level *level)
{
    scrim_measurement *m = NULL;
    const sc_text line = s->statement->measurements[0];
    level->measurement = sc_arena_copy(&r->tree->arena, line.start, line.bytes);
    if (level->measurement == NULL)
        return no_memory(r->error);
    scrim_status status = scrim_measurement_parse(level->measurement, &m, r->error);
    if (status != SCRIM_OK)
        return status;
    const char *name = m->mechanism->entry.name;
    const sc_ratio *sensitivity = sc_measurement_get(m, "sensitivity");
    SC_OWN(sc_ratio, amount);
    SC_BALL_SCOPE(scope);
    level->is_measured = true;
    if (strcmp(name, "laplace") == 0) {
        sc_ratio_div(&amount, sc_measurement_get(m, "epsilon"), sensitivity);
        level->noise = (sc_level_noise){SC_TREE_LAPLACE, sc_ball_near(&amount)};
    } else if (strcmp(name, "gaussian") == 0 && m->cost.has_rho &&
               sc_ratio_sign(&m->cost.rho) > 0) {
        sc_ratio_mul(&amount, sensitivity, sensitivity);
        sc_ratio_div(&amount, &amount, &m->cost.rho);
        level->noise = (sc_level_noise){SC_TREE_GAUSSIAN, sc_real_upper(&amount) / 2};
    } else {
        status = no_tree(r->error);
    }
    scrim_measurement_free(m);
    return status;
}

/* Names of levels: those of the columns of the last query. */
static scrim_status read_levels(reading *r)
{
    sc_noisy_tree *t = r->tree;
    const sc_query *last = r->sources[r->count - 1].query;
    t->levels = last->key_count + 1;
    t->level[0] = (sc_tree_level){.name = "total", .measurement = ""};
    for (size_t i = 0; i < last->output_count; i++) {
        const sc_query_output *output = &last->outputs[i];
        if (!output->is_key)
            continue;
        const sc_text name = last->columns[i].name;
        const char *copy = sc_arena_copy(&t->arena, name.start, name.bytes);
        if (copy == NULL)
            return no_memory(r->error);
        t->level[output->index + 1] = (sc_tree_level){.name = copy, .measurement = ""};
    }
    for (size_t i = 1; i < t->levels; i++)
        if (t->level[i].name == NULL)
            return no_tree(r->error);
    for (size_t i = 0; i < r->count; i++) {
        const scrim_status status =
            read_noise(r, &r->sources[i], &t->level[r->sources[i].query->key_count]);
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
    const sc_query *last = r->sources[r->count - 1].query;
    for (size_t i = 0; i < last->key_count; i++)
        parts[i] = (sc_key_part){.is_text = last->keys[i].value->type == SC_TYPE_TEXT};
    return sc_key_tuple_read(key, parts, last->key_count);
}

typedef void visit_fn(reading *r, size_t level, const sc_key_part *part, size_t *places);

/* Calls visit for each new node, parents before their children, in the order of leaves. */
static bool walk(reading *r, visit_fn *visit, size_t *places)
{
    const sc_record_statement *last = r->sources[r->count - 1].statement;
    sc_key_part parts[2][SC_LEVELS_MOST];
    for (size_t i = 0; i < last->row_count; i++) {
        sc_key_part *now = parts[i % 2];
        if (!read_key(r, last->rows[i].key, now))
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

static sc_text name_of(reading *r, size_t level, const sc_key_part *part)
{
    const sc_query *last = r->sources[r->count - 1].query;
    char text[SC_KEY_TEXT_BYTES];
    if (sc_key_part_is_null(part))
        return (sc_text){NULL, 0};
    if (part->is_text)
        return (sc_text){
            sc_arena_copy(&r->tree->arena, part->text.start, part->text.bytes),
            part->text.bytes};
    const sc_typed *typed = last->keys[level - 1].value;
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
    t->keys[node] = name_of(r, level, part);
}

static scrim_status make_nodes(reading *r)
{
    sc_noisy_tree *t = r->tree;
    size_t places[SC_LEVELS_MOST + 1] = {0};
    if (!walk(r, count_node, places))
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

/* Are the keys of a row those of a node? The keys of its ancestors were compared with those of its row's
 * predecessors: a key of a level that is equal in all places makes the same tree. */
static bool is_row_of(reading *r, const source *s, size_t row, size_t node)
{
    sc_noisy_tree *t = r->tree;
    const size_t count = s->query->key_count;
    for (size_t i = 0; i < count; i++)
        r->parts[i] =
            (sc_key_part){.is_text = s->query->keys[i].value->type == SC_TYPE_TEXT};
    if (!sc_key_tuple_read(s->statement->rows[row].key, r->parts, count))
        return false;
    for (size_t level = count; level > 0; level--, node = t->parents[node]) {
        const sc_key_part *part = &r->parts[level - 1];
        const sc_text name = t->keys[node];
        char text[SC_KEY_TEXT_BYTES];
        if (sc_key_part_is_null(part) || name.start == NULL) {
            if (!sc_key_part_is_null(part) || name.start != NULL)
                return false;
            continue;
        }
        sc_text own = part->text;
        if (!part->is_text) {
            const size_t bytes = sc_key_text(s->query->keys[level - 1].value, part->value,
                                             text, sizeof text);
            own = (sc_text){text, bytes < sizeof text ? bytes : sizeof text - 1};
        }
        if (sc_text_compare(own, name) != 0)
            return false;
    }
    return true;
}

static scrim_status take_counts(reading *r, const source *s)
{
    sc_noisy_tree *t = r->tree;
    const size_t level = s->query->key_count, first = t->starts[level];
    if (s->statement->row_count != t->starts[level + 1] - first)
        return no_tree(r->error);
    for (size_t i = 0; i < s->statement->row_count; i++) {
        if (!is_row_of(r, s, i, first + i))
            return no_tree(r->error);
        t->noisy[first + i] = sc_projection_clamp(s->statement->rows[i].numbers[0]);
    }
    return SCRIM_OK;
}

scrim_status sc_noisy_tree_read(const sc_record *record, sc_noisy_tree *out,
                                scrim_error *error)
{
    *out = (sc_noisy_tree){.levels = 0};
    sc_arena_init(&out->arena);
    reading *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return no_memory(error);
    *r = (reading){.tree = out, .error = error};
    scrim_status status = read_sources(r, record);
    if (status == SCRIM_OK)
        status = read_levels(r);
    if (status == SCRIM_OK)
        status = make_nodes(r);
    for (size_t v = 1; status == SCRIM_OK && v < out->starts[out->levels]; v++)
        if (out->keys[v].bytes > 0 && out->keys[v].start == NULL)
            status = no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < r->count; i++)
        status = take_counts(r, &r->sources[i]);
    if (status == SCRIM_OK)
        set_fanouts(out);
    sc_schema_free(r->schema);
    sc_free(r);
    return status;
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
