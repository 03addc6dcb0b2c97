#include "synth/release/coded_column.h"

#include <stdlib.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY,
                   "out of memory for the columns of a synthesiser");
}

/* Bins. */

scrim_status sc_coded_cut(sc_coded_column *out, const int64_t *edges, size_t count,
                          sc_arena *arena, scrim_error *error)
{
    int64_t *own = sc_arena_allocate(arena, count + 2, sizeof *own);
    if (own == NULL)
        return no_memory(error);
    for (size_t i = 0; i <= count; i++)
        own[i] = edges[i];
    own[count + 1] = own[count] + 1;
    out->is_listed = false;
    out->count = (uint32_t)count;
    out->edges = own;
    return SCRIM_OK;
}

static scrim_status cut_usual(sc_coded_column *out, sc_arena *arena, scrim_error *error)
{
    const sc_grid *grid = &out->column->grid;
    int64_t edges[SC_CODED_VALUES + 1];
    const uint64_t values = (uint64_t)grid->high - (uint64_t)grid->low + 1;
    const uint64_t width =
        values <= SC_CODED_VALUES ? 1 : (values + SC_CODED_USUAL - 1) / SC_CODED_USUAL;
    size_t count = 0;
    for (uint64_t at = 0; at < values; at += width)
        edges[count++] = (int64_t)((uint64_t)grid->low + at);
    edges[count] = grid->high + 1;
    return sc_coded_cut(out, edges, count, arena, error);
}

/* Keys. */

static int compare_values(const void *a, const void *b)
{
    const int64_t x = ((const sc_column_key *)a)->value,
                  y = ((const sc_column_key *)b)->value;
    return (x > y) - (x < y);
}

/* Keys of numbers by size, those of text in bytewise order, as they stand. */
static scrim_status list_keys(sc_coded_column *out, sc_arena *arena, scrim_error *error)
{
    const sc_column *column = out->column;
    const size_t count = column->key_count;
    const bool is_text = column->type == SC_COLUMN_TEXT;
    sc_text *texts = sc_arena_allocate(arena, count, sizeof *texts);
    int64_t *values = sc_arena_allocate(arena, count, sizeof *values);
    sc_column_key *keys = sc_arena_allocate(arena, count, sizeof *keys);
    if (texts == NULL || values == NULL || keys == NULL)
        return no_memory(error);
    for (size_t i = 0; i < count; i++)
        keys[i] = column->keys[i];
    if (!is_text)
        qsort(keys, count, sizeof *keys, compare_values);
    for (size_t i = 0; i < count; i++) {
        texts[i] = keys[i].text;
        values[i] = keys[i].value;
    }
    out->is_listed = true;
    out->count = (uint32_t)count;
    out->texts = texts;
    out->values = is_text ? NULL : values;
    return SCRIM_OK;
}

scrim_status sc_coded_usual(sc_coded_column *out, sc_arena *arena, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (out->column->has_keys)
        return list_keys(out, arena, error);
    if (out->column->type != SC_COLUMN_TEXT)
        return cut_usual(out, arena, error);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "private-keys",
                       "'%s' is text without public keys, and its values are private; "
                       "leave it out, let the owner list its keys, or select them "
                       "privately",
                       sc_text_quote(out->column->name, quote));
}

/* Codes. */

/* How many of ascending numbers are at most value. */
static uint32_t rank(const int64_t *list, uint32_t count, int64_t value)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (list[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t text_rank(const sc_text *list, uint32_t count, sc_text text)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sc_text_compare(list[middle], text) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* NULL has every value that was not found. */
static uint32_t found_code(const sc_coded_column *c, sc_text text)
{
    const uint32_t below = text_rank(c->texts, c->count, text);
    return below > 0 && sc_text_equal(c->texts[below - 1], text) ? below - 1 : c->count;
}

uint32_t sc_coded_code(const sc_coded_column *c, const sc_key_part *part)
{
    if (c->is_nullable && sc_key_part_is_null(part))
        return c->count;
    if (c->selection != NULL)
        return found_code(c, part->text);
    const uint32_t below = !c->is_listed       ? rank(c->edges, c->count, part->value)
                           : c->values == NULL ? text_rank(c->texts, c->count, part->text)
                                               : rank(c->values, c->count, part->value);
    return below == 0 ? 0 : below - 1;
}

/* Texts. */

scrim_status sc_coded_read(const sc_column *column, sc_text text, int64_t *out)
{
    sc_column alone = *column;
    sc_arena arena;
    sc_arena_init(&arena);
    scrim_status status = text.bytes == 0
                              ? SCRIM_E_PARAM
                              : sc_column_set_keys(&alone, text, true, &arena, NULL);
    if (status == SCRIM_OK && alone.key_count == 1)
        *out = alone.keys[0].value;
    else if (status != SCRIM_E_MEMORY)
        status = SCRIM_E_PARAM;
    sc_arena_clear(&arena);
    return status;
}

scrim_status sc_coded_find(const sc_coded_column *c, sc_text text, uint32_t *out)
{
    int64_t value = 0;
    if (c->is_nullable && sc_text_is(text, "NULL")) {
        *out = c->count;
        return SCRIM_OK;
    }
    for (uint32_t i = 0; c->is_listed && i < c->count; i++)
        if (sc_text_equal(c->texts[i], text)) {
            *out = i;
            return SCRIM_OK;
        }
    const scrim_status status =
        c->is_listed ? SCRIM_E_PARAM : sc_coded_read(c->column, text, &value);
    if (status == SCRIM_OK)
        *out = sc_coded_code(c, &(sc_key_part){.value = value});
    return status;
}

size_t sc_coded_format(const sc_coded_column *c, uint32_t code, char *text,
                       size_t capacity)
{
    char low[SC_COLUMN_TEXT_BYTES], high[SC_COLUMN_TEXT_BYTES];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    if (code >= c->count) {
        sc_text_put(&sink, sc_text_of("NULL"));
        return sink.length;
    }
    if (c->is_listed) {
        sc_text_put(&sink, c->texts[code]);
        return sink.length;
    }
    (void)sc_column_format(c->column, c->edges[code], low, sizeof low);
    (void)sc_column_format(c->column, c->edges[code + 1] - 1, high, sizeof high);
    sc_text_put(&sink, sc_text_of(low));
    if (c->edges[code + 1] - c->edges[code] > 1) {
        sc_text_put(&sink, sc_text_of(" to "));
        sc_text_put(&sink, sc_text_of(high));
    }
    return sink.length;
}
