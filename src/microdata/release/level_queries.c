#include "microdata/release/level_queries.h"

#include "base/status.h"
#include "model/option_struct.h"
#include "query/plan/plan_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct level_queries {
    const char *texts[SC_LEVELS_MOST + 1];
    size_t count;       /* of queries: measured levels */
    const char *shares; /* of the queries, as scrim_query_options takes them */
} level_queries;

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the levels of a tree");
}

/* Levels. */

/* The bytes before the next comma that is not inside of brackets or quotes. */
static size_t item_bytes(sc_text text)
{
    int depth = 0;
    char quote = '\0';
    for (size_t i = 0; i < text.bytes; i++) {
        const char c = text.start[i];
        if (c == quote)
            quote = '\0';
        else if (quote != '\0')
            continue;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '(' || c == ')')
            depth += c == '(' ? 1 : -1;
        else if (c == ',' && depth == 0)
            return i;
    }
    return text.bytes;
}

static scrim_status read_levels(const char *text, sc_text items[SC_LEVELS_MOST],
                                size_t *count, scrim_error *error)
{
    sc_text rest = sc_text_of(text);
    *count = 0;
    for (bool is_last = text == NULL; !is_last;) {
        const size_t bytes = item_bytes(rest);
        const sc_text item = sc_text_trim((sc_text){rest.start, bytes});
        is_last = bytes == rest.bytes;
        if (item.bytes == 0)
            break;
        if (*count == SC_LEVELS_MOST)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "levels",
                               "a tree has at most %d levels", SC_LEVELS_MOST);
        items[(*count)++] = item;
        if (is_last)
            return SCRIM_OK;
        rest = (sc_text){rest.start + bytes + 1, rest.bytes - bytes - 1};
    }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "levels",
                       "levels must be columns, the coarsest first, as in country,sex");
}

/* Shares. */

static scrim_status bad_shares(scrim_error *error, size_t levels)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "shares",
                       "shares must be %zu integers from 0 to 1000000, one for all rows "
                       "and one a level; only levels between may have 0",
                       levels + 1);
}

/* Sets what is measured, and puts the shares of that. */
static scrim_status read_shares(const char *text, size_t levels, bool *is_measured,
                                sc_text_sink *sink, scrim_error *error)
{
    sc_text rest = sc_text_of(text), word;
    char number[24];
    uint64_t share;
    for (size_t i = 0; i <= levels; i++) {
        const bool is_end = !sc_text_split(rest, ',', &word, &rest);
        if (is_end)
            word = rest;
        if (is_end != (i == levels) || !sc_text_uint64(word, &share) || share > 1000000 ||
            (share == 0 && (i == 0 || i == levels)))
            return bad_shares(error, levels);
        is_measured[i] = share > 0;
        snprintf(number, sizeof number, "%s%" PRIu64, i == 0 ? "" : ",", share);
        if (share > 0)
            sc_text_put(sink, sc_text_of(number));
    }
    return SCRIM_OK;
}

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

/* The listed values of a key; false where every row has one. */
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

typedef struct level_list {
    sc_text items[SC_LEVELS_MOST];
    size_t count;
    const sc_query *last; /* NULL: no conditions */
} level_list;

static void put_query(sc_text_sink *sink, const level_list *levels, size_t count)
{
    sc_text value;
    sc_text_put(sink, sc_text_of("SELECT "));
    for (size_t i = 0; i < count; i++) {
        sc_text_put(sink, levels->items[i]);
        sc_text_put(sink, sc_text_of(", "));
    }
    sc_text_put(sink, sc_text_of("COUNT(*) AS n"));
    const char *before = " WHERE ";
    for (size_t i = count; levels->last != NULL && i < levels->count; i++)
        if (value_at(&levels->last->keys[i], 0, &value)) {
            sc_text_put(sink, sc_text_of(before));
            put_condition(sink, levels->items[i], &levels->last->keys[i]);
            before = " AND ";
        }
    for (size_t i = 0; i < count; i++) {
        sc_text_put(sink, sc_text_of(i == 0 ? " GROUP BY " : ", "));
        sc_text_put(sink, levels->items[i]);
    }
}

static const char *make_query(sc_arena *arena, const level_list *levels, size_t count)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_query(&sink, levels, count);
    const size_t bytes = sink.length + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    put_query(&sink, levels, count);
    return text;
}

/* Texts live in the arena. shares may be NULL: all are equal. last is the query of all columns, validated; NULL: there
 * is none yet, and the queries have no conditions. */
static scrim_status make_queries(const char *levels, const char *shares,
                                 const sc_query *last, sc_arena *arena,
                                 level_queries *out, scrim_error *error)
{
    level_list list_of = {.last = last};
    bool is_measured[SC_LEVELS_MOST + 1];
    char list[(SC_LEVELS_MOST + 1) * 8 + 1];
    sc_text_sink sink;
    scrim_status status = read_levels(levels, list_of.items, &list_of.count, error);
    const size_t count = list_of.count;
    memset(is_measured, true, sizeof is_measured);
    sc_text_sink_init(&sink, list, sizeof list);
    if (status == SCRIM_OK && shares != NULL)
        status = read_shares(shares, count, is_measured, &sink, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; shares == NULL && i <= count; i++)
        sc_text_put(&sink, sc_text_of(i == 0 ? "1" : ",1"));
    *out = (level_queries){.shares = sc_arena_copy(arena, list, sink.length)};
    if (out->shares == NULL)
        return no_memory(error);
    for (size_t i = 0; i <= count; i++)
        if (is_measured[i]) {
            out->texts[out->count] = make_query(arena, &list_of, i);
            if (out->texts[out->count++] == NULL)
                return no_memory(error);
        }
    return SCRIM_OK;
}

/* The plan. */

/* Levels that are bounded one by one do not add up where a unit has several rows. */
static scrim_status check_plan(const scrim_plan *plan, size_t count, scrim_error *error)
{
    for (size_t i = 0; i < count; i++) {
        scrim_plan_statement s;
        const scrim_status status = scrim_plan_statement_at(plan, i, &s, error);
        if (status != SCRIM_OK)
            return status;
        if (s.max_groups != 1 || s.max_rows != 1)
            return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED,
                               "rows-per-unit",
                               "counts of a tree need one row per unit: the dataset must "
                               "be declared so");
        if (strcmp(s.keys, "discovered") == 0)
            return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED, "levels",
                               "the values of every level must be public: list the keys "
                               "of its column");
    }
    return SCRIM_OK;
}

/* The plan of the last level alone, whose keys the conditions of the others need. */
static scrim_status plan_last(scrim_vault *vault, const char *dataset, const char *levels,
                              const scrim_query_options *options, sc_arena *arena,
                              scrim_plan **out, scrim_caret *caret, scrim_error *error)
{
    level_queries queries;
    scrim_query_options given = *options;
    given.shares = NULL;
    /* So that keys that are not public are found to be so, and not refused for want of a delta. */
    if (given.delta == NULL)
        given.delta = "1e-9";
    scrim_status status =
        make_queries(levels, options->shares, NULL, arena, &queries, error);
    if (status == SCRIM_OK)
        status = scrim_plan_new(vault, dataset, &queries.texts[queries.count - 1], 1,
                                &given, out, caret, error);
    return status == SCRIM_OK ? check_plan(*out, 1, error) : status;
}

scrim_status scrim_hierarchy_plan(scrim_vault *vault, const char *dataset,
                                  const char *levels, const scrim_query_options *options,
                                  scrim_plan **out, scrim_caret *caret,
                                  scrim_error *error)
{
    scrim_query_options given;
    level_queries queries;
    scrim_plan *plan = NULL, *last = NULL;
    sc_arena arena;
    sc_arena_init(&arena);
    scrim_status status =
        sc_option_struct_copy(options, sizeof(size_t), &given, sizeof given, error);
    given.size = sizeof given;
    if (status == SCRIM_OK)
        status = plan_last(vault, dataset, levels, &given, &arena, &last, caret, error);
    if (status == SCRIM_OK)
        status = make_queries(levels, given.shares, last->statements[0].query, &arena,
                              &queries, error);
    if (status == SCRIM_OK) {
        given.shares = queries.shares;
        status = scrim_plan_new(vault, dataset, queries.texts, queries.count, &given,
                                &plan, caret, error);
    }
    if (status == SCRIM_OK)
        status = check_plan(plan, queries.count, error);
    if (status == SCRIM_OK)
        *out = plan;
    else
        scrim_plan_free(plan);
    scrim_plan_free(last);
    sc_arena_clear(&arena);
    return status;
}
