#include "synth/release/counting_query.h"

#include "query/answer/by_keys.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    sc_synth_domain *domain;
    sc_synth_columns sizes;
    sc_arena *arena;
    size_t line; /* from 1 on */
    sc_clique clique;
    bool *is_in[SC_SYNTH_PLAN_COLUMNS]; /* of columns of the clique: categories */
    size_t bytes;                       /* of all texts so far */
    uint64_t cells;                     /* of all tables */
    scrim_error *error;
} reading;

/* A query before all are in order. */
typedef struct asked {
    const char *text;
    sc_linear_query query;
} asked;

static scrim_status no_memory(const reading *r)
{
    return sc_fail(r->error, SCRIM_E_MEMORY, "out of memory for a synthesiser");
}

static scrim_status refuse_size(const reading *r)
{
    return sc_fail_for(r->error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "queries",
                       "at most %d queries, of %zu bytes together and tables of %llu "
                       "cells",
                       SC_SYNTH_QUERIES, SC_SYNTH_QUERY_BYTES,
                       (unsigned long long)SC_SYNTH_QUERY_CELLS);
}

/* Reading. */

/* Takes what is in front of the next mark outside of quotes, or all of it, off the front of rest. */
static bool take(sc_text *rest, char mark, sc_text *item)
{
    bool is_quoted = false;
    size_t i = 0;
    if (rest->bytes == 0)
        return false;
    for (; i < rest->bytes && (is_quoted || rest->start[i] != mark); i++)
        is_quoted ^= rest->start[i] == '"';
    const size_t taken = i < rest->bytes ? i + 1 : i;
    *item = sc_text_trim((sc_text){rest->start, i});
    *rest = (sc_text){rest->start + taken, rest->bytes - taken};
    return true;
}

/* A quote at both ends, and inside only twice in a row. */
static bool is_quoted(sc_text text)
{
    const char *s = text.start;
    size_t i = 1;
    if (text.bytes < 2 || s[0] != '"')
        return false;
    while (i + 1 < text.bytes && (s[i] != '"' || s[i + 1] == '"'))
        i += s[i] == '"' ? 2 : 1;
    return i + 1 == text.bytes && s[i] == '"';
}

/* The text between quotes, in the arena; text without quotes as it is. */
static bool unquote(const reading *r, sc_text text, sc_text *out)
{
    size_t count = 0;
    *out = text;
    if (!is_quoted(text))
        return true;
    char *bytes = sc_arena_allocate(r->arena, text.bytes, 1);
    if (bytes == NULL)
        return false;
    for (size_t i = 1; i + 1 < text.bytes; i++) {
        bytes[count++] = text.start[i];
        i += text.start[i] == '"';
    }
    *out = (sc_text){bytes, count};
    return true;
}

/* The category of a key; NULL in quotes is a key, and without them none. Without a message. */
static scrim_status find_key(const sc_coded_column *c, sc_text text, bool is_key,
                             uint32_t *out)
{
    if (!is_key)
        return sc_coded_find(c, text, out);
    for (*out = 0; *out < c->count; (*out)++)
        if (sc_text_equal(c->texts[*out], text))
            return SCRIM_OK;
    return SCRIM_E_PARAM;
}

/* The first or the last value of a bin. */
static int64_t end_of(const sc_coded_column *c, uint32_t code, bool is_high)
{
    return c->edges[code + is_high] - is_high;
}

/* One end of a range; of no text it is that of the column. Without a message: SCRIM_E_PARAM for what is no value, with cut
 * where it is a part of that bin; SCRIM_E_MEMORY. */
static scrim_status read_end(const sc_coded_column *c, sc_text text, bool is_high,
                             uint32_t *out, uint32_t *cut)
{
    int64_t value = 0;
    *out = is_high ? c->count - 1 : 0;
    if (text.bytes == 0)
        return SCRIM_OK;
    if (c->is_listed)
        return sc_coded_find(c, text, out);
    const scrim_status status = sc_coded_read(c->column, text, &value);
    if (status != SCRIM_OK)
        return status;
    *out = sc_coded_code(c, &(sc_key_part){.value = value});
    if (value == end_of(c, *out, is_high))
        return SCRIM_OK;
    *cut = *out;
    return SCRIM_E_PARAM;
}

/* "LOW..HIGH", or one value. Likewise. */
static scrim_status read_range(const sc_coded_column *c, sc_text item, uint32_t *first,
                               uint32_t *last, uint32_t *cut)
{
    sc_text low = item, high = item;
    for (size_t i = 0; i + 1 < item.bytes; i++)
        if (item.start[i] == '.' && item.start[i + 1] == '.') {
            low = sc_text_trim((sc_text){item.start, i});
            high = sc_text_trim((sc_text){item.start + i + 2, item.bytes - i - 2});
            break;
        }
    scrim_status status = read_end(c, low, false, first, cut);
    if (status == SCRIM_OK)
        status = read_end(c, high, true, last, cut);
    return status == SCRIM_OK && (*first > *last || *last >= c->count || item.bytes == 0)
               ? SCRIM_E_PARAM
               : status;
}

static scrim_status read_values(const reading *r, const sc_coded_column *c, sc_text rest,
                                bool *is_in)
{
    char quote[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_QUOTE_BYTES],
        bin[2 * SC_COLUMN_TEXT_BYTES + 4];
    sc_text item = rest;
    uint32_t first = 0, last = 0, cut = UINT32_MAX;
    scrim_status status = rest.bytes == 0 ? SCRIM_E_PARAM : SCRIM_OK;
    while (status == SCRIM_OK && take(&rest, '|', &item)) {
        const bool is_text = c->column->type == SC_COLUMN_TEXT,
                   is_key = is_text && is_quoted(item);
        if (!unquote(r, item, &item)) {
            status = SCRIM_E_MEMORY;
        } else if (is_text || sc_text_is(item, "NULL")) {
            status = find_key(c, item, is_key, &first);
            last = first;
        } else {
            status = read_range(c, item, &first, &last, &cut);
        }
        for (; status == SCRIM_OK && first <= last; first++)
            is_in[first] = true;
    }
    if (status == SCRIM_OK || status == SCRIM_E_MEMORY)
        return status == SCRIM_OK ? SCRIM_OK : no_memory(r);
    sc_text_quote(item, quote);
    sc_text_quote(c->column->name, name);
    if (cut == UINT32_MAX)
        return sc_fail_for(r->error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "queries",
                           "line %zu: '%s' is not a value of '%s'", r->line, quote, name);
    (void)sc_coded_format(c, cut, bin, sizeof bin);
    return sc_fail_for(r->error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "queries",
                       "line %zu: '%s' cuts the bin %s of '%s'; ask for whole bins",
                       r->line, quote, bin, name);
}

static scrim_status find_column(reading *r, sc_text term, size_t *out, sc_text *values)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text name;
    *values = term;
    if (!take(values, '=', &name) || name.bytes == term.bytes)
        return sc_fail_for(r->error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "queries",
                           "line %zu: '%s' must be COLUMN=VALUE, COLUMN=VALUE|VALUE or "
                           "COLUMN=LOW..HIGH",
                           r->line, sc_text_quote(term, quote));
    if (!unquote(r, name, &name))
        return no_memory(r);
    const size_t i = sc_synth_domain_find(r->domain, name);
    const bool is_there = i != SIZE_MAX;
    if (is_there && !sc_coded_is_open(&r->domain->columns[i]) && r->is_in[i] == NULL) {
        r->is_in[i] = sc_arena_allocate(r->arena, r->sizes.sizes[i], 1);
        r->clique |= sc_clique_of(i);
        *out = i;
        return r->is_in[i] == NULL ? no_memory(r) : SCRIM_OK;
    }
    sc_text_quote(name, quote);
    if (!is_there)
        return sc_fail_for(r->error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "queries",
                           "line %zu: '%s' is not one of the columns", r->line, quote);
    if (r->is_in[i] != NULL)
        return sc_fail_for(r->error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "queries",
                           "line %zu: '%s' is named twice", r->line, quote);
    return sc_fail_for(r->error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "queries",
                       "line %zu: '%s' has private keys, which are not selected yet",
                       r->line, quote);
}

/* Writing. */

static void put_word(sc_text word, sc_text_sink *sink)
{
    bool is_plain = sc_text_equal(word, sc_text_trim(word)) && !sc_text_is(word, "NULL");
    for (size_t i = 0; i < word.bytes; i++)
        is_plain = is_plain && strchr(",|=\"#", word.start[i]) == NULL;
    if (is_plain)
        sc_text_put(sink, word);
    else
        sc_by_key_put_name(word, sink);
}

/* "20..39", or one value. */
static void put_range(const sc_coded_column *c, uint32_t first, uint32_t last,
                      sc_text_sink *sink)
{
    char text[SC_COLUMN_TEXT_BYTES];
    for (int i = 0; i < 2; i++) {
        const uint32_t code = i == 0 ? first : last;
        if (i == 1 && (c->is_listed ? first == last
                                    : end_of(c, first, false) == end_of(c, last, true)))
            return;
        sc_text_put(sink, sc_text_of(i == 0 ? "" : ".."));
        if (!c->is_listed)
            (void)sc_column_format(c->column, end_of(c, code, i == 1), text, sizeof text);
        sc_text_put(sink, c->is_listed ? c->texts[code] : sc_text_of(text));
    }
}

static void put_values(const sc_coded_column *c, const bool *is_in, sc_text_sink *sink)
{
    const char *before = "=";
    for (uint32_t code = 0; code < sc_coded_size(c); code++) {
        const uint32_t first = code;
        if (!is_in[code])
            continue;
        sc_text_put(sink, sc_text_of(before));
        before = "|";
        if (code == c->count) {
            sc_text_put(sink, sc_text_of("NULL"));
        } else if (c->column->type == SC_COLUMN_TEXT) {
            put_word(c->texts[code], sink);
        } else {
            while (code + 1 < c->count && is_in[code + 1])
                code++;
            put_range(c, first, code, sink);
        }
    }
}

static void put_query(const reading *r, sc_text_sink *sink)
{
    for (sc_clique rest = r->clique; rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        const sc_coded_column *c = &r->domain->columns[i];
        sc_text_put(sink, sc_text_of(rest == r->clique ? "" : ", "));
        put_word(c->column->name, sink);
        put_values(c, r->is_in[i], sink);
    }
}

/* The table of a query: 1 where all of its columns have a category that is in it. The last column is the fastest. */
static void fill_table(const reading *r, uint32_t *table)
{
    size_t count = 1;
    table[0] = 1;
    for (sc_clique rest = r->clique; rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest), size = r->sizes.sizes[i];
        for (size_t k = count; k-- > 0;)
            for (size_t u = size; u-- > 0;)
                table[k * size + u] = table[k] * r->is_in[i][u];
        count *= size;
    }
}

static scrim_status make_query(reading *r, asked *out)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_query(r, &sink);
    const uint64_t cells = sc_clique_cells(&r->sizes, r->clique);
    const size_t bytes = sink.length + 1;
    if (cells > SC_SYNTH_QUERY_CELLS - r->cells ||
        bytes > SC_SYNTH_QUERY_BYTES - r->bytes)
        return refuse_size(r);
    r->cells += cells;
    r->bytes += bytes;
    char *text = sc_arena_allocate(r->arena, bytes, 1);
    uint32_t *table = sc_arena_allocate(r->arena, (size_t)cells, sizeof *table);
    if (text == NULL || table == NULL)
        return no_memory(r);
    sc_text_sink_init(&sink, text, bytes);
    put_query(r, &sink);
    fill_table(r, table);
    *out = (asked){text, {r->clique, table, 1}};
    return SCRIM_OK;
}

static scrim_status read_query(reading *r, sc_text rest, asked *out)
{
    scrim_status status = SCRIM_OK;
    sc_text term, values;
    size_t column = 0;
    r->clique = 0;
    memset(r->is_in, 0, sizeof r->is_in);
    while (status == SCRIM_OK && take(&rest, ',', &term)) {
        status = find_column(r, term, &column, &values);
        if (status == SCRIM_OK)
            status =
                read_values(r, &r->domain->columns[column], values, r->is_in[column]);
    }
    return status == SCRIM_OK ? make_query(r, out) : status;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const asked *)a)->text, ((const asked *)b)->text);
}

/* In one order and each once. */
static scrim_status keep(const reading *r, asked *list, size_t count)
{
    sc_linear_query *queries = sc_arena_allocate(r->arena, count, sizeof *queries);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const char **texts = sc_arena_allocate(r->arena, count, sizeof *texts);
    size_t kept = 0;
    if (queries == NULL || texts == NULL)
        return no_memory(r);
    qsort(list, count, sizeof *list, compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || strcmp(texts[kept - 1], list[i].text) != 0) {
            texts[kept] = list[i].text;
            queries[kept++] = list[i].query;
        }
    r->domain->queries = queries;
    r->domain->query_texts = texts;
    r->domain->query_count = kept;
    return SCRIM_OK;
}

scrim_status sc_counting_queries_read(sc_synth_domain *domain, const sc_text *lines,
                                      size_t count, sc_arena *arena, scrim_error *error)
{
    reading r = {.domain = domain, .arena = arena, .error = error};
    scrim_status status = SCRIM_OK;
    asked *list = sc_arena_allocate(arena, SC_SYNTH_QUERIES, sizeof *list);
    size_t found = 0;
    if (list == NULL)
        return no_memory(&r);
    sc_synth_domain_sizes(domain, &r.sizes);
    while (status == SCRIM_OK && r.line < count) {
        const sc_text line = sc_text_trim(lines[r.line++]);
        if (line.bytes == 0 || line.start[0] == '#')
            continue;
        status = found == SC_SYNTH_QUERIES ? refuse_size(&r)
                                           : read_query(&r, line, &list[found++]);
    }
    if (status == SCRIM_OK && found == 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "queries",
                             "there is no query; write one a line, such as "
                             "sex=Female, age=20..39");
    return status == SCRIM_OK ? keep(&r, list, found) : status;
}
