#include "query/language/window.h"

#include "base/checked.h"
#include "query/language/date_parts.h"
#include "query/language/parse.h"

#include <inttypes.h>

/* Division. */

static bool put_text(const sc_column *column, int64_t value, sc_arena *arena,
                     sc_text *out)
{
    char text[SC_COLUMN_TEXT_BYTES];
    const size_t length = sc_column_format(column, value, text, sizeof text);
    const char *copy = sc_arena_copy(arena, text, length);
    *out = (sc_text){copy, length};
    return copy != NULL;
}

/* Windows from starts in increasing order: each ends before the next one. */
static scrim_status set_windows(const sc_column *column, const int64_t *starts,
                                size_t count, sc_arena *arena, sc_windows *out,
                                scrim_error *error)
{
    *out = (sc_windows){.column = column,
                        .list = sc_arena_allocate(arena, count, sizeof *out->list),
                        .count = count,
                        .is_partial = starts[0] > column->grid.low};
    if (out->list == NULL)
        return sc_no_memory(error, "the windows of a series");
    for (size_t i = 0; i < count; i++) {
        const int64_t high = i + 1 < count ? starts[i + 1] - 1 : column->grid.high;
        if (!put_text(column, starts[i], arena, &out->list[i].low) ||
            !put_text(column, high, arena, &out->list[i].high))
            return sc_no_memory(error, "the windows of a series");
    }
    return SCRIM_OK;
}

static scrim_status divide(const sc_column *column, uint64_t count, int64_t *starts,
                           scrim_error *error)
{
    const sc_int128 low = column->grid.low;
    const sc_int128 values = (sc_int128)column->grid.high - low + 1;
    if (values < (sc_int128)count)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "releases",
            "the declared range has fewer values than planned releases; plan fewer");
    /* values <= 2^63 and count <= 2^12: nothing overflows */
    for (uint64_t i = 0; i < count; i++)
        starts[i] = (int64_t)(low + (sc_int128)i * values / (sc_int128)count);
    return SCRIM_OK;
}

static scrim_status fail_many(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "releases",
                       "a series may have at most %d windows", SC_WINDOWS);
}

/* One start, read as a public key of the column is. */
static scrim_status read_start(const sc_column *column, sc_text item, sc_arena *arena,
                               int64_t *out, scrim_error *error)
{
    sc_column copy = *column;
    copy.has_keys = false;
    copy.keys = NULL;
    copy.key_count = 0;
    const scrim_status status = sc_column_set_keys(&copy, item, false, arena, error);
    if (status == SCRIM_OK)
        *out = copy.keys[0].value;
    return status;
}

static scrim_status fail_order(const sc_column *column, int64_t value, int64_t before,
                               scrim_error *error)
{
    char text[SC_COLUMN_TEXT_BYTES], last[SC_COLUMN_TEXT_BYTES];
    sc_column_format(column, value, text, sizeof text);
    sc_column_format(column, before, last, sizeof last);
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "window",
                             "starts must increase; %s is not after %s", text, last);
}

/* Values of the column in increasing order; windows that come in another one would not be those of
 * the releases that somebody counts. */
static scrim_status read_starts(const sc_column *column, sc_text list, sc_arena *arena,
                                int64_t **starts, size_t *count, scrim_error *error)
{
    sc_text item = list, rest = {NULL, 0};
    size_t most = 1;
    bool has_more = true;
    for (size_t i = 0; i < list.bytes; i++)
        most += list.start[i] == ',';
    *count = 0;
    if (most > SC_WINDOWS)
        return fail_many(error);
    *starts = sc_arena_allocate(arena, most, sizeof **starts);
    if (*starts == NULL)
        return sc_no_memory(error, "the windows of a series");
    while (has_more) {
        item = list;
        has_more = sc_text_split(list, ',', &item, &rest);
        list = rest;
        item = sc_text_trim(item);
        if (item.bytes == 0)
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "window",
                                     "missing start; write COLUMN=START,START,...");
        int64_t *start = *starts + *count;
        SC_TRY(read_start(column, item, arena, start, error));
        if (*count > 0 && start[-1] >= *start)
            return fail_order(column, *start, start[-1], error);
        ++*count;
    }
    return SCRIM_OK;
}

/* "month" of a column of dates. */
static sc_date_part calendar_part(const sc_column *column, sc_text word)
{
    static const struct {
        const char *word;
        sc_date_part part;
    } parts[] = {{"week", SC_PART_FIRST_OF_WEEK},
                 {"month", SC_PART_FIRST_OF_MONTH},
                 {"quarter", SC_PART_FIRST_OF_QUARTER},
                 {"year", SC_PART_FIRST_OF_YEAR}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (column->type == SC_COLUMN_DATE && sc_text_is(word, parts[i].word))
            return parts[i].part;
    return SC_PART_NONE;
}

/* The first day of the range, and the first one of each week, month, ... after it. */
static scrim_status follow_calendar(const sc_column *column, sc_date_part part,
                                    sc_arena *arena, int64_t **starts, size_t *count,
                                    scrim_error *error)
{
    int64_t first = sc_date_part_of(part, column->grid.low);
    *count = 0;
    *starts = sc_arena_allocate(arena, SC_WINDOWS, sizeof **starts);
    if (*starts == NULL)
        return sc_no_memory(error, "the windows of a series");
    for (; first <= column->grid.high; first = sc_date_part_next(part, first)) {
        if (*count == SC_WINDOWS)
            return fail_many(error);
        (*starts)[(*count)++] = first < column->grid.low ? column->grid.low : first;
    }
    return SCRIM_OK;
}

static scrim_status find_column(sc_text name, const sc_schema *schema,
                                const sc_column **out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], near_quote[SC_TEXT_QUOTE_BYTES];
    *out = sc_schema_column(schema, name);
    sc_text_quote(name, quote);
    if (*out == NULL) {
        const sc_text nearest = sc_schema_nearest(schema, name);
        if (nearest.bytes > 0)
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT,
                                     "window", "unknown column '%s'; did you mean '%s'?",
                                     quote, sc_text_quote(nearest, near_quote));
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "window",
                                 "unknown column '%s'", quote);
    }
    if ((*out)->type != SC_COLUMN_INT && (*out)->type != SC_COLUMN_DECIMAL &&
        (*out)->type != SC_COLUMN_DATE)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "window",
                                 "column '%s' holds neither numbers nor dates", quote);
    return SCRIM_OK;
}

scrim_status sc_windows_parse(sc_text text, const sc_schema *schema, uint64_t count,
                              sc_arena *arena, sc_windows *out, scrim_error *error)
{
    const sc_column *column = NULL;
    sc_text name = text, list = {NULL, 0};
    const bool has_list = sc_text_split(text, '=', &name, &list);
    int64_t *starts = NULL;
    size_t given = (size_t)count;
    if (count > SC_WINDOWS)
        return fail_many(error);
    if (!has_list && count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "window",
                           "missing number of windows");
    scrim_status status = find_column(name, schema, &column, error);
    if (status != SCRIM_OK)
        return status;
    if (has_list) {
        const sc_date_part part = calendar_part(column, sc_text_trim(list));
        status = part == SC_PART_NONE
                     ? read_starts(column, list, arena, &starts, &given, error)
                     : follow_calendar(column, part, arena, &starts, &given, error);
        if (status == SCRIM_OK && count != 0 && given != count)
            status = sc_fail_parameter(
                error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "window",
                "it has %zu windows, and %" PRIu64 " releases are planned", given, count);
    } else {
        starts = sc_arena_allocate(arena, given, sizeof *starts);
        status = starts == NULL ? sc_no_memory(error, "the windows of a series")
                                : divide(column, count, starts, error);
    }
    return status == SCRIM_OK ? set_windows(column, starts, given, arena, out, error)
                              : status;
}

/* The query of a window. */

/* Where the condition of a query begins and ends, by its tokens; without a condition, both are
 * the place where one would stand. */
static void find_condition(const sc_tokens *tokens, bool *has_where, size_t *begin,
                           size_t *end)
{
    size_t depth = 0;
    *has_where = false;
    for (size_t i = 0; i < tokens->count; i++) {
        const sc_token *token = &tokens->list[i];
        depth += token->kind == SC_TOKEN_OPEN;
        depth -= token->kind == SC_TOKEN_CLOSE && depth > 0;
        if (depth > 0)
            continue;
        if (token->kind == SC_TOKEN_WHERE) {
            *has_where = true;
            *begin = token->span.offset + token->span.bytes;
        }
        if (token->kind == SC_TOKEN_GROUP || token->kind == SC_TOKEN_HAVING ||
            token->kind == SC_TOKEN_ORDER || token->kind == SC_TOKEN_LIMIT ||
            token->kind == SC_TOKEN_SEMICOLON || token->kind == SC_TOKEN_END) {
            *end = token->span.offset;
            break;
        }
    }
    if (!*has_where)
        *begin = *end;
}

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

/* A name in double quotes, with those inside doubled. */
static void put_name(sc_text_sink *sink, sc_text name)
{
    put(sink, "\"");
    for (size_t i = 0; i < name.bytes; i++) {
        sc_text_put(sink, (sc_text){name.start + i, 1});
        if (name.start[i] == '"')
            put(sink, "\"");
    }
    put(sink, "\"");
}

static void put_value(sc_text_sink *sink, sc_text value, bool is_date)
{
    put(sink, is_date ? "DATE '" : "");
    sc_text_put(sink, value);
    put(sink, is_date ? "'" : "");
}

/* The tokens of the one spelling of a query, in which there are no comments to hide what is added.
 * Only of what is a query: else parentheses could close what was opened around its condition. */
static scrim_status read_whole(sc_text query, sc_arena *arena, sc_tokens *tokens,
                               sc_text *out, scrim_error *error)
{
    sc_refusal refusal = {.error = error};
    const sc_tree *tree = NULL;
    SC_TRY(sc_lex(query, arena, tokens, &refusal));
    *out = tokens->canonical;
    SC_TRY(sc_lex(*out, arena, tokens, &refusal));
    return sc_parse(tokens, arena, &tree, &refusal);
}

typedef struct filtering {
    sc_text query;
    bool has_where, is_date;
    size_t begin, end; /* of the condition there is */
    sc_text column;
    const sc_window *window;
} filtering;

static void put_query(sc_text_sink *sink, const filtering *f)
{
    const sc_text query = f->query;
    sc_text_put(sink, (sc_text){query.start, f->begin});
    put(sink, f->has_where ? " (" : " WHERE ");
    if (f->has_where) {
        sc_text_put(sink, (sc_text){query.start + f->begin, f->end - f->begin});
        put(sink, ") AND ");
    }
    put_name(sink, f->column);
    put(sink, " BETWEEN ");
    put_value(sink, f->window->low, f->is_date);
    put(sink, " AND ");
    put_value(sink, f->window->high, f->is_date);
    put(sink, " ");
    sc_text_put(sink, (sc_text){query.start + f->end, query.bytes - f->end});
}

scrim_status sc_window_query(sc_text query, sc_text column, bool is_date,
                             const sc_window *window, sc_arena *arena, const char **out,
                             scrim_error *error)
{
    filtering f = {
        .query = query, .is_date = is_date, .column = column, .window = window};
    sc_tokens tokens;
    sc_text_sink sink;
    SC_TRY(read_whole(query, arena, &tokens, &f.query, error));
    find_condition(&tokens, &f.has_where, &f.begin, &f.end);
    sc_text_sink_init(&sink, NULL, 0);
    put_query(&sink, &f);
    const size_t bytes = sink.length + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "the windows of a series");
    sc_text_sink_init(&sink, text, bytes);
    put_query(&sink, &f);
    *out = text;
    return SCRIM_OK;
}
