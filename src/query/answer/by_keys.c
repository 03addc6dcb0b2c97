#include "query/answer/by_keys.h"

#include "query/language/validate.h"
#include "query/plan/plan_keys.h"

#include <string.h>

/* The longest query, in bytes. */
#define QUERY_BYTES 65536

/* Parts. */

/* Up to the next comma that is neither in parentheses nor in quotes. */
static sc_text take_part(sc_text *rest)
{
    size_t depth = 0, at = 0;
    char quote = '\0';
    for (; at < rest->bytes; at++) {
        const char c = rest->start[at];
        if (quote != '\0') {
            if (c == quote)
                quote = '\0';
            continue;
        }
        if (c == ',' && depth == 0)
            break;
        if (c == '\'' || c == '"')
            quote = c;
        depth += c == '(';
        depth -= c == ')' && depth > 0;
    }
    const sc_text part = {rest->start, at};
    const size_t taken = at < rest->bytes ? at + 1 : at;
    *rest = (sc_text){rest->start + taken, rest->bytes - taken};
    return sc_text_trim(part);
}

static bool is_word(sc_text text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_";
    for (size_t i = 0; i < text.bytes; i++)
        if (memchr(plain, text.start[i], sizeof plain - 1) == NULL)
            return false;
    return true;
}

/* Nobody asks by the second: nearly every row would be a group of its own. */
static scrim_status check_column(const sc_column *column, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const uint64_t values = (uint64_t)column->grid.high - (uint64_t)column->grid.low;
    if (column->type != SC_COLUMN_TIMESTAMP || column->has_keys ||
        values < SC_PLAN_RANGE_KEYS)
        return SCRIM_OK;
    sc_text_quote(column->name, quote);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "by",
                       "%s is a time, and each second of it would be a group; use an "
                       "expression such as 'MONTH(%s)'",
                       quote, quote);
}

static scrim_status read_part(sc_text part, const sc_schema *schema, sc_by_keys *out,
                              scrim_error *error)
{
    const sc_column *column = sc_schema_column(schema, part);
    if (column == NULL && is_word(part))
        return sc_schema_unknown(schema, part, "column", error);
    if (out->count == SC_QUERY_KEYS)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "by",
                           "at most %d columns", SC_QUERY_KEYS);
    for (size_t i = 0; column != NULL && i < out->count; i++)
        if (out->keys[i].column == column)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "by",
                               "a column is named twice");
    out->keys[out->count++] = (sc_by_key){part, column};
    return column == NULL ? SCRIM_OK : check_column(column, error);
}

/* The query. */

void sc_by_key_put_name(sc_text name, sc_text_sink *sink)
{
    sc_text_put_times(sink, '"', 1);
    for (size_t i = 0; i < name.bytes; i++)
        sc_text_put_times(sink, name.start[i], name.start[i] == '"' ? 2 : 1);
    sc_text_put_times(sink, '"', 1);
}

void sc_by_key_put(const sc_by_key *key, sc_text_sink *sink)
{
    if (key->column != NULL)
        sc_by_key_put_name(key->column->name, sink);
    else
        sc_text_put(sink, key->text);
}

static void put_keys(const sc_by_keys *keys, sc_text_sink *sink)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (i > 0)
            sc_text_put(sink, sc_text_of(", "));
        sc_by_key_put(&keys->keys[i], sink);
    }
}

static scrim_status refuse_text(sc_text list, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "by",
                       "'%s' is not valid here; name columns or expressions as GROUP BY "
                       "takes them, such as MONTH(day), separated by commas",
                       sc_text_quote(list, quote));
}

static scrim_status validate(sc_text list, const sc_schema *schema, sc_arena *arena,
                             sc_by_keys *out, scrim_error *error)
{
    scrim_error why = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &why};
    sc_text_sink sink;
    char *text = sc_arena_allocate(arena, QUERY_BYTES, 1);
    if (text == NULL)
        return sc_no_memory(error, "keys");
    sc_text_sink_init(&sink, text, QUERY_BYTES);
    sc_text_put(&sink, sc_text_of("SELECT "));
    put_keys(out, &sink);
    sc_text_put(&sink, sc_text_of(", COUNT(*) AS \"count of rows\" GROUP BY "));
    put_keys(out, &sink);
    if (sink.length >= QUERY_BYTES)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "by",
                           "the keys are too long");
    const scrim_status status = sc_validate(sc_text_of(text), sc_text_of(""), schema,
                                            arena, &out->query, &refusal);
    if (status == SCRIM_E_SYNTAX) /* its words may be about what stands around the keys */
        return refuse_text(list, error);
    return status == SCRIM_OK
               ? SCRIM_OK
               : sc_fail_for(error, status, SCRIM_REASON_SYNTAX, "by", "%s", why.message);
}

/* No key is more than what was given: other items and clauses are refused. */
static bool is_alone(const sc_by_keys *keys)
{
    const sc_query *query = keys->query;
    return query->key_count == keys->count && query->output_count == keys->count + 1 &&
           query->where == NULL && query->having == NULL && query->least.count == 0 &&
           query->person == NULL && query->unnest == NULL && query->order_count == 0 &&
           !query->has_limit;
}

scrim_status sc_by_keys_read(sc_text list, const sc_schema *schema, sc_arena *arena,
                             sc_by_keys *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_text rest = list;
    *out = (sc_by_keys){.count = 0};
    while (status == SCRIM_OK && rest.bytes > 0)
        status = read_part(take_part(&rest), schema, out, error);
    if (status != SCRIM_OK || out->count == 0)
        return status;
    status = validate(list, schema, arena, out, error);
    return status == SCRIM_OK && !is_alone(out) ? refuse_text(list, error) : status;
}

uint64_t sc_by_keys_groups(const sc_by_keys *keys)
{
    return keys->count == 0 ? 1 : sc_plan_keys_count(keys->query);
}
