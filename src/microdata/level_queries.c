#include "microdata/level_queries.h"

#include "base/arena_text.h"
#include "base/status.h"
#include "microdata/tree_design.h"
#include "model/option_struct.h"
#include "query/plan/plan.h"
#include "query/plan/plan_keys.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct level_queries {
    const char *texts[SC_TREE_QUERIES];
    const char *shares; /* of the queries, as scrim_query_options takes them */
} level_queries;

/* Queries. */

static void put_literal(sc_text_sink *sink, sc_text value, bool is_number)
{
    if (is_number) {
        sc_text_put(sink, value);
        return;
    }
    sc_text_put(sink, sc_text_of("'"));
    for (size_t i = 0; i < value.bytes; i++) {
        if (value.start[i] == '\'')
            sc_text_put(sink, sc_text_of("'"));
        sc_text_put(sink, (sc_text){value.start + i, 1});
    }
    sc_text_put(sink, sc_text_of("'"));
}

/* The listed value of a key at an index; false after the last one, or if every value is listed. */
static bool value_at(const sc_query_key *key, size_t index, sc_text *value)
{
    const bool is_listed = key->column != NULL && key->column->has_keys;
    const size_t count = is_listed ? key->column->key_count : key->text_count;
    if (index < count)
        *value = is_listed ? key->column->keys[index].text : key->texts[index];
    return index < count;
}

/* "(sex IN ('Female', 'Male') OR sex IS NULL)" */
static void put_condition(sc_text_sink *sink, sc_text item, const sc_query_key *key)
{
    sc_text value;
    const bool is_number =
        key->column != NULL &&
        (key->column->type == SC_COLUMN_INT || key->column->type == SC_COLUMN_DECIMAL);
    sc_text_put(sink, sc_text_of("("));
    sc_text_put(sink, item);
    for (size_t i = 0; value_at(key, i, &value); i++) {
        sc_text_put(sink, sc_text_of(i == 0 ? " IN (" : ", "));
        put_literal(sink, value, is_number);
    }
    sc_text_put(sink, sc_text_of(")"));
    if (key->is_nullable) {
        sc_text_put(sink, sc_text_of(" OR "));
        sc_text_put(sink, item);
        sc_text_put(sink, sc_text_of(" IS NULL"));
    }
    sc_text_put(sink, sc_text_of(")"));
}

/* For each table a planned query of all its columns (plan_whole): its keys are those of the levels, then those of the table. Without
 * tables there is one, of the levels. Conditions are made from these keys. */
typedef struct whole_queries {
    const sc_query *of_table[SC_TREE_TABLES];
} whole_queries;

typedef struct query_writer {
    const sc_tree_design *design;
    const whole_queries *whole;
    sc_text_sink *sink;
    const char
        *before; /* to be written before the next item: "SELECT ", ", ", " WHERE " */
    bool is_select;
} query_writer;

static void put_item(query_writer *w, sc_text item, const char *after)
{
    sc_text_put(w->sink, sc_text_of(w->before));
    sc_text_put(w->sink, item);
    w->before = after;
}

/* A key in SELECT, with its name, or in GROUP BY, by its name. */
static void put_key(query_writer *w, const sc_design_key *key)
{
    const bool has_name = key->name.bytes > 0;
    put_item(w, has_name && !w->is_select ? key->name : key->text, ", ");
    if (has_name && w->is_select) {
        sc_text_put(w->sink, sc_text_of(" AS "));
        sc_text_put(w->sink, key->name);
    }
}

/* The columns of a query, in the order of its keys. */
static void put_columns(query_writer *w, const sc_design_query *q)
{
    for (size_t i = 0; i < q->level; i++)
        put_key(w, &w->design->levels[i]);
    for (size_t i = 0; q->table != SC_NO_TABLE && i < w->design->column_counts[q->table];
         i++)
        if (q->columns >> i & 1)
            put_key(w, &w->design->columns[q->table][i]);
}

static void put_condition_of(query_writer *w, sc_text item, const sc_query_key *key)
{
    sc_text value;
    if (!value_at(key, 0, &value))
        return;
    sc_text_put(w->sink, sc_text_of(w->before));
    put_condition(w->sink, item, key);
    w->before = " AND ";
}

/* All columns that the query does not count by must have a listed value. */
static void put_conditions(query_writer *w, const sc_design_query *q)
{
    const sc_tree_design *d = w->design;
    w->before = " WHERE ";
    for (size_t i = q->level; i < d->level_count; i++)
        put_condition_of(w, d->levels[i].text, &w->whole->of_table[0]->keys[i]);
    for (size_t t = 0; t < d->table_count; t++)
        for (size_t i = 0; i < d->column_counts[t]; i++)
            if (t != q->table || !(q->columns >> i & 1))
                put_condition_of(w, d->columns[t][i].text,
                                 &w->whole->of_table[t]->keys[d->level_count + i]);
}

/* whole NULL: without conditions. */
static void put_query(sc_text_sink *sink, const sc_tree_design *design,
                      const whole_queries *whole, const sc_design_query *q)
{
    query_writer w = {design, whole, sink, "SELECT ", true};
    char name[40] = "group_count";
    put_columns(&w, q);
    if (q->table != SC_NO_TABLE)
        snprintf(name, sizeof name, SC_TABLE_NAME, q->table + 1, q->level);
    put_item(&w, sc_text_of("COUNT(*) AS "), "");
    sc_text_put(sink, sc_text_of(name));
    if (whole != NULL)
        put_conditions(&w, q);
    w.before = " GROUP BY ";
    w.is_select = false;
    put_columns(&w, q);
}

typedef struct query_text {
    const sc_tree_design *design;
    const whole_queries *whole;
    const sc_design_query *query;
} query_text;

static void write_query(sc_text_sink *sink, const void *of)
{
    const query_text *t = of;
    put_query(sink, t->design, t->whole, t->query);
}

static const char *make_query(sc_arena *arena, const sc_tree_design *design,
                              const whole_queries *whole, const sc_design_query *q)
{
    const query_text text = {design, whole, q};
    return sc_arena_write(arena, write_query, &text);
}

/* Texts live in the arena. */
static scrim_status make_queries(const sc_tree_design *design, const whole_queries *whole,
                                 sc_arena *arena, level_queries *out, scrim_error *error)
{
    char list[SC_TREE_QUERIES * 8 + 1], number[24];
    sc_text_sink sink;
    sc_text_sink_init(&sink, list, sizeof list);
    for (size_t i = 0; i < design->query_count; i++) {
        snprintf(number, sizeof number, "%s%" PRIu64, i == 0 ? "" : ",",
                 design->queries[i].share);
        sc_text_put(&sink, sc_text_of(number));
        out->texts[i] = make_query(arena, design, whole, &design->queries[i]);
        if (out->texts[i] == NULL)
            return sc_no_memory(error, "the levels of a tree");
    }
    out->shares = sc_arena_copy(arena, list, sink.length);
    return out->shares == NULL ? sc_no_memory(error, "the levels of a tree") : SCRIM_OK;
}

/* The plan. */

/* Names the column whose values are not public; if all are, the tree has too many groups. */
static scrim_status refuse_keys(const sc_query *query, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < query->output_count; i++)
        if (query->outputs[i].is_key &&
            sc_plan_key_count(&query->keys[query->outputs[i].index]) == 0)
            return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED, "levels",
                               "the values of '%s' are not public, and those of every "
                               "level and table must be; the owner can list its keys",
                               sc_text_quote(query->columns[i].name, quote));
    return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED, "levels",
                       "the tree has too many groups: at most %" PRIu64 ", or %" PRIu64
                       " if all keys are listed; leave out a column, or use wider "
                       "buckets",
                       SC_PLAN_COMPUTED_KEYS, SC_PLAN_LISTED_KEYS);
}

static scrim_status check_plan(const scrim_plan *plan, size_t count, scrim_error *error)
{
    for (size_t i = 0; i < count; i++) {
        scrim_plan_statement s;
        const scrim_status status = scrim_plan_statement_at(plan, i, &s, error);
        if (status != SCRIM_OK)
            return status;
        if (strcmp(s.keys, "discovered") == 0)
            return refuse_keys(plan->statements[i].query, error);
    }
    return SCRIM_OK;
}

/* A tree to be planned. */
typedef struct tree_request {
    scrim_vault *vault;
    const char *dataset; /* or a policy, without a vault (sc_plan_new) */
    const sc_tree_design *design;
    scrim_query_options options; /* without a part for people who are cut */
    sc_arena *arena;
    scrim_caret *caret;
} tree_request;

/* The plan of all columns of each table on the last level, whose keys the conditions of the queries need. */
static scrim_status plan_whole(const tree_request *r, scrim_plan **out,
                               scrim_error *error)
{
    const sc_tree_design *design = r->design;
    const char *texts[SC_TREE_TABLES];
    const size_t count = design->table_count == 0 ? 1 : design->table_count;
    scrim_query_options given = r->options;
    given.shares = NULL;
    /* This plan is never released. With any epsilon and delta it can be made even if keys are not public, and check_plan then names
     * the column. */
    if (given.delta == NULL)
        given.delta = "1e-9";
    if (given.rho != NULL) {
        given.rho = NULL;
        given.epsilon = "1";
        given.mechanism = NULL;
    }
    for (size_t t = 0; t < count; t++) {
        const bool has_table = design->table_count > 0;
        const sc_design_query query = {
            .level = design->level_count,
            .table = has_table ? t : SC_NO_TABLE,
            .columns = has_table ? (1u << design->column_counts[t]) - 1 : 0};
        texts[t] = make_query(r->arena, design, NULL, &query);
        if (texts[t] == NULL)
            return sc_no_memory(error, "the levels of a tree");
    }
    scrim_error found;
    scrim_status status =
        scrim_plan_new(r->vault, r->dataset, texts, count, &given, out, r->caret, &found);
    /* Nor for want of a bound of groups, which public keys do not need. */
    if (status == SCRIM_E_PARAM && found.reason == SCRIM_REASON_MISSING &&
        strcmp(found.parameter, "max-groups") == 0) {
        given.max_groups = "1";
        status = scrim_plan_new(r->vault, r->dataset, texts, count, &given, out, r->caret,
                                &found);
    }
    if (status != SCRIM_OK && error != NULL)
        *error = found;
    return status == SCRIM_OK ? check_plan(*out, count, error) : status;
}

static scrim_status check_cells(const sc_tree_design *design, const whole_queries *keys,
                                scrim_error *error)
{
    for (size_t t = 0; t < design->table_count; t++) {
        const sc_query *query = keys->of_table[t];
        uint64_t cells = 1;
        if (query == NULL)
            return sc_fail(error, SCRIM_E_INTERNAL, "a table of a tree has no query");
        for (size_t i = 0; i < design->column_counts[t] && cells <= SC_TABLE_CELLS; i++)
            cells *= sc_plan_key_count(&query->keys[design->level_count + i]);
        if (cells > SC_TABLE_CELLS)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "tables",
                               "a table has at most %zu cells", SC_TABLE_CELLS);
    }
    return SCRIM_OK;
}

/* Sources. The queries of one table are sums of its cells on the last level. Those of several tables are sums of the cells of all
 * their columns together, which are not released. */

/* Where the columns of a table begin among the keys of the source. */
static size_t first_key(const sc_tree_design *design, size_t table)
{
    size_t first = design->level_count;
    for (size_t i = 0; i < table; i++)
        first += design->column_counts[i];
    return first;
}

static void find_keys(const sc_tree_design *design, uint64_t *keys)
{
    for (size_t i = 0; i < design->query_count; i++) {
        const sc_design_query *q = &design->queries[i];
        keys[i] = ((uint64_t)1 << q->level) - 1;
        if (q->table != SC_NO_TABLE)
            keys[i] |= (uint64_t)q->columns << first_key(design, q->table);
    }
}

/* Finds the query that has all columns on the last level: the groups of all others are sums of its groups. False: it is not among
 * them. */
static bool find_source(const sc_tree_design *design, const uint64_t *keys, size_t *out)
{
    const uint64_t all = ((uint64_t)1 << first_key(design, design->table_count)) - 1;
    bool is_found = false;
    for (size_t i = 0; i < design->query_count; i++)
        if (keys[i] == all) {
            *out = i;
            is_found = true;
        }
    return is_found;
}

static void put_all(sc_text_sink *sink, const sc_tree_design *design)
{
    query_writer w = {design, NULL, sink, "SELECT ", true};
    for (int turn = 0; turn < 2; turn++) {
        const sc_design_query levels = {.level = design->level_count,
                                        .table = SC_NO_TABLE};
        put_columns(&w, &levels);
        for (size_t t = 0; t < design->table_count; t++)
            put_columns(&w, &(sc_design_query){.table = t, .columns = UINT_MAX});
        if (turn > 0)
            return;
        put_item(&w, sc_text_of("COUNT(*) AS group_count"), "");
        w.before = " GROUP BY ";
        w.is_select = false;
    }
}

static void write_all(sc_text_sink *sink, const void *design)
{
    put_all(sink, design);
}

/* "SELECT state, sex, work, COUNT(*) AS group_count GROUP BY state, sex, work"; NULL without memory. */
static const char *make_all(sc_arena *arena, const sc_tree_design *design)
{
    return sc_arena_write(arena, write_all, design);
}

/* If a unit may have several rows, all queries must count the same ones, so they are nested in one query that bounds rows. If each
 * unit has one row, the bounds of every query keep it, and a plain batch will do. */
static scrim_status plan_batch(const tree_request *r, const level_queries *queries,
                               const sc_schema *schema, scrim_plan **out,
                               scrim_error *error)
{
    const sc_tree_design *design = r->design;
    uint64_t keys[SC_TREE_QUERIES];
    sc_plan_nesting nesting = {.keys = keys};
    const bool has_units = schema->unit.bytes > 0,
               has_several = sc_bounds_normal(&schema->bounds, 0).total > 1;
    scrim_query_options options = r->options;
    options.shares = queries->shares;
    if (has_units && first_key(design, design->table_count) <= SC_QUERY_KEYS - 1) {
        find_keys(design, keys);
        const bool is_found = find_source(design, keys, &nesting.source);
        if (!is_found && has_several) {
            nesting.query = make_all(r->arena, design);
            if (nesting.query == NULL)
                return sc_no_memory(error, "the levels of a tree");
        }
        if (is_found || has_several)
            return sc_plan_new(&(sc_plan_request){.vault = r->vault,
                                                  .dataset = r->dataset,
                                                  .queries = queries->texts,
                                                  .count = design->query_count,
                                                  .options = &options,
                                                  .nesting = &nesting},
                               out, r->caret, error);
    }
    if (has_units && has_several)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "tables",
                           "levels and tables of units with several rows have at most "
                           "%d columns together",
                           SC_QUERY_KEYS - 1);
    return scrim_plan_new(r->vault, r->dataset, queries->texts, design->query_count,
                          &options, out, r->caret, error);
}

static scrim_status plan_queries(const tree_request *r, scrim_plan **out,
                                 scrim_error *error)
{
    level_queries *queries = sc_arena_allocate(r->arena, 1, sizeof *queries);
    whole_queries keys = {{NULL}};
    scrim_plan *whole = NULL;
    if (queries == NULL)
        return sc_no_memory(error, "the levels of a tree");
    scrim_status status = plan_whole(r, &whole, error);
    for (size_t t = 0; status == SCRIM_OK && t < whole->statement_count; t++)
        keys.of_table[t] = whole->statements[t].query;
    if (status == SCRIM_OK)
        status = check_cells(r->design, &keys, error);
    if (status == SCRIM_OK)
        status = make_queries(r->design, &keys, r->arena, queries, error);
    if (status == SCRIM_OK)
        status = plan_batch(r, queries, whole->schema, out, error);
    if (status == SCRIM_OK)
        status = check_plan(*out, r->design->query_count, error);
    scrim_plan_free(whole);
    return status;
}

scrim_status scrim_hierarchy_plan_design(scrim_vault *vault, const char *dataset,
                                         const scrim_hierarchy_design *design,
                                         const scrim_query_options *options,
                                         scrim_plan **out, scrim_caret *caret,
                                         scrim_error *error)
{
    SC_REQUIRE(error, "dataset design out", dataset, design, out);
    scrim_query_options given;
    scrim_hierarchy_design wanted;
    scrim_plan *plan = NULL;
    sc_arena arena;
    sc_arena_init(&arena);
    sc_tree_design *read = sc_arena_allocate(&arena, 1, sizeof *read);
    scrim_status status =
        read == NULL ? sc_no_memory(error, "the levels of a tree") : SCRIM_OK;
    if (status == SCRIM_OK)
        status =
            sc_option_struct_copy(options, sizeof(size_t), &given, sizeof given, error);
    if (status == SCRIM_OK)
        status =
            sc_option_struct_copy(design, sizeof(size_t), &wanted, sizeof wanted, error);
    given.size = sizeof given;
    given.cut_share =
        "0"; /* all tables are made of counts of one set of rows, each of a single part */
    if (status == SCRIM_OK)
        status = sc_tree_design_read(&wanted, given.shares, read, error);
    if (status == SCRIM_OK)
        status = plan_queries(&(tree_request){.vault = vault,
                                              .dataset = dataset,
                                              .design = read,
                                              .options = given,
                                              .arena = &arena,
                                              .caret = caret},
                              &plan, error);
    if (status == SCRIM_OK)
        *out = plan;
    else
        scrim_plan_free(plan);
    sc_arena_clear(&arena);
    return status;
}

scrim_status scrim_hierarchy_plan_policy(const char *policy,
                                         const scrim_hierarchy_design *design,
                                         const scrim_query_options *options,
                                         scrim_plan **out, scrim_caret *caret,
                                         scrim_error *error)
{
    SC_REQUIRE(error, "policy design out", policy, design, out);
    /* As sc_plan_new. */
    return scrim_hierarchy_plan_design(NULL, policy, design, options, out, caret, error);
}

scrim_status scrim_hierarchy_plan(scrim_vault *vault, const char *dataset,
                                  const char *levels, const scrim_query_options *options,
                                  scrim_plan **out, scrim_caret *caret,
                                  scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset levels out", vault, dataset, levels, out);
    const scrim_hierarchy_design design = {.size = sizeof design, .levels = levels};
    return scrim_hierarchy_plan_design(vault, dataset, &design, options, out, caret,
                                       error);
}
