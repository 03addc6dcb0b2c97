#include "synth/release/synth_domain.h"

#include <stdlib.h>
#include <string.h>

/* Bins. */

/* count bins with these count + 1 edges, ascending. All in the arena. SCRIM_E_MEMORY. */
static scrim_status coded_cut(sc_coded_column *out, const int64_t *edges, size_t count,
                              sc_arena *arena, scrim_error *error)
{
    int64_t *own = sc_arena_allocate(arena, count + 2, sizeof *own);
    if (own == NULL)
        return sc_no_memory(error, "the columns of a synthesiser");
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
    return coded_cut(out, edges, count, arena, error);
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
        return sc_no_memory(error, "the columns of a synthesiser");
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

/* The unit of a width, where that is not the unit of the column's values. */
static const char *width_words(const sc_column *column)
{
    if (column->type == SC_COLUMN_DATE)
        return "; WIDTH is a number of days";
    if (column->type == SC_COLUMN_TIMESTAMP)
        return "; WIDTH is a number of seconds";
    return column->type == SC_COLUMN_DECIMAL ? "; WIDTH is a multiple of its step" : "";
}

/* Refuses a cut that cannot be read: it is invalid, or there was no memory for it. */
static scrim_status refuse(const sc_coded_column *c, scrim_status why, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (why == SCRIM_E_MEMORY)
        return sc_no_memory(error, "the columns of a synthesiser");
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "cut",
        "the cut of '%s' must be WIDTH, FROM:WIDTH:BINS or EDGE,EDGE,... in "
        "values of the column, within its declared range%s",
        sc_text_quote(c->column->name, quote), width_words(c->column));
}

static scrim_status too_many(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "cut",
                       "a column has at most %d bins", SC_CODED_BINS);
}

/* Numbers. */

/* The step of a column, in the unit of its widths. */
static void step_of(const sc_column *column, sc_ratio *out)
{
    sc_ratio_set_int64(out, column->type == SC_COLUMN_TIMESTAMP ? column->step : 1);
    if (column->type == SC_COLUMN_DECIMAL)
        sc_grid_step(&column->grid, out);
}

/* A width, in steps: at least 1. */
static bool read_width(const sc_column *column, sc_text text, int64_t *out)
{
    SC_OWN(sc_ratio, width, step);
    SC_OWN(sc_integer, steps);
    sc_int128 value = 0;
    if (sc_ratio_parse(text, &width, NULL) != SCRIM_OK)
        return false;
    step_of(column, &step);
    sc_ratio_div(&width, &width, &step);
    sc_ratio_floor(&width, &steps);
    if (!sc_ratio_is_integer(&width) || !sc_integer_get_int128(&steps, &value) ||
        value < 1 || value > (sc_int128)1 << SC_GRID_BITS)
        return false;
    *out = (int64_t)value;
    return true;
}

/* The three forms. */

/* At most `bins` bins of one width, up to the end of the range. */
static scrim_status cut_evenly(sc_coded_column *out, int64_t from, int64_t width,
                               uint64_t bins, sc_arena *arena, scrim_error *error)
{
    const int64_t end = out->column->grid.high + 1;
    size_t count = 0;
    int64_t *edges = sc_allocate(SC_CODED_BINS + 2, sizeof *edges);
    if (edges == NULL)
        return sc_no_memory(error, "the columns of a synthesiser");
    sc_int128 at = from;
    for (; count < bins && count <= SC_CODED_BINS && at < end; at += width)
        edges[count++] = (int64_t)at;
    edges[count] = at < end ? (int64_t)at : end;
    const scrim_status status = count > SC_CODED_BINS
                                    ? too_many(error)
                                    : coded_cut(out, edges, count, arena, error);
    sc_free(edges);
    return status;
}

/* FROM:WIDTH:BINS, whose FROM may hold colons of a time. False for a cut of another form. */
static bool split_form(sc_text cut, sc_text *from, sc_text *width, sc_text *bins)
{
    size_t marks[2] = {0, 0}, found = 0;
    for (size_t i = cut.bytes; i > 0 && found < 2; i--)
        if (cut.start[i - 1] == ':')
            marks[found++] = i - 1;
    if (found < 2)
        return false;
    *from = sc_text_trim((sc_text){cut.start, marks[1]});
    *width = sc_text_trim((sc_text){cut.start + marks[1] + 1, marks[0] - marks[1] - 1});
    *bins = sc_text_trim((sc_text){cut.start + marks[0] + 1, cut.bytes - marks[0] - 1});
    return true;
}

/* Where bins begin. The first begins with the range, whether that is said or not. */
static scrim_status cut_edges(sc_coded_column *out, sc_text cut, sc_arena *arena,
                              scrim_error *error)
{
    sc_text rest = cut, item;
    size_t count = 1, most = 1;
    for (size_t i = 0; i < cut.bytes; i++)
        most += cut.start[i] == ',';
    if (most >= SC_CODED_BINS)
        return too_many(error);
    int64_t *edges = sc_allocate(most + 2, sizeof *edges);
    if (edges == NULL)
        return sc_no_memory(error, "the columns of a synthesiser");
    scrim_status status = SCRIM_OK;
    edges[0] = out->column->grid.low;
    while (status == SCRIM_OK && sc_text_item(&rest, ',', &item)) {
        status = sc_coded_read(out->column, sc_text_trim(item), &edges[count]);
        if (status == SCRIM_OK && item.start == cut.start && edges[1] == edges[0])
            continue;
        if (status != SCRIM_OK || edges[count] <= edges[count - 1])
            status = refuse(out, status, error);
        count++;
    }
    edges[count] = out->column->grid.high + 1;
    if (status == SCRIM_OK)
        status = coded_cut(out, edges, count, arena, error);
    sc_free(edges);
    return status;
}

scrim_status sc_column_cut(sc_coded_column *out, sc_text cut, sc_arena *arena,
                           scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_column *column = out->column;
    sc_text from, wide, many;
    int64_t low = column->grid.low, width = 0;
    uint64_t bins = UINT64_MAX;
    if (column->has_keys || column->type == SC_COLUMN_TEXT ||
        column->type == SC_COLUMN_BOOL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "cut",
                           "'%s' cannot be cut: only numbers, dates and times without "
                           "listed keys can",
                           sc_text_quote(column->name, quote));
    if (memchr(cut.start, ',', cut.bytes) != NULL)
        return cut_edges(out, cut, arena, error);
    const bool is_form = split_form(cut, &from, &wide, &many);
    const scrim_status status = is_form ? sc_coded_read(column, from, &low) : SCRIM_OK;
    if (status != SCRIM_OK || (is_form && (!sc_text_uint64(many, &bins) || bins < 1)) ||
        !read_width(column, is_form ? wide : cut, &width))
        return refuse(out, status, error);
    return cut_evenly(out, low, width, bins, arena, error);
}

/* Writing. */

/* The width that all bins have, the last one perhaps cut by the end of the range; 0 where they differ. */
static int64_t even_width(const sc_coded_column *c)
{
    const int64_t *edges = c->edges, end = c->column->grid.high + 1;
    const int64_t width = edges[1] - edges[0],
                  last = edges[c->count] - edges[c->count - 1];
    for (uint32_t i = 1; i + 1 < c->count; i++)
        if (edges[i + 1] - edges[i] != width)
            return 0;
    return last == width || (last < width && edges[c->count] == end) ? width : 0;
}

static void put_edge(const sc_coded_column *c, int64_t value, sc_text_sink *sink)
{
    char text[SC_COLUMN_TEXT_BYTES];
    (void)sc_column_format(c->column, value, text, sizeof text);
    sc_text_put(sink, sc_text_of(text));
}

static void put_width(const sc_coded_column *c, int64_t width, sc_text_sink *sink)
{
    char text[SC_RATIO_TEXT_BYTES];
    SC_OWN(sc_ratio, steps, step);
    sc_ratio_set_int64(&steps, width);
    step_of(c->column, &step);
    sc_ratio_mul(&steps, &steps, &step);
    (void)sc_ratio_format(&steps, text, sizeof text);
    sc_text_put(sink, sc_text_of(text));
}

void sc_column_cut_put(const sc_coded_column *c, sc_text_sink *sink)
{
    char bins[SC_INT128_BYTES];
    if (c->is_listed || c->column->type == SC_COLUMN_BOOL)
        return;
    const int64_t width = even_width(c);
    /* A single edge would be read as a width, so that of the range stands in front of it. */
    const uint32_t first = c->count > 2;
    for (uint32_t i = first; width == 0 && i < c->count; i++) {
        if (i > first)
            sc_text_put(sink, sc_text_of(","));
        put_edge(c, c->edges[i], sink);
    }
    if (width == 0)
        return;
    put_edge(c, c->edges[0], sink);
    sc_text_put(sink, sc_text_of(":"));
    put_width(c, width, sink);
    (void)sc_int128_format((sc_int128)c->count, bins);
    sc_text_put(sink, sc_text_of(":"));
    sc_text_put(sink, sc_text_of(bins));
}

/* The columns of a synthesiser by name, and combinations of their categories. */

/* The most cells of the table of a combination's columns. */
#define NEVER_CELLS ((uint64_t)1 << 24)

void sc_synth_domain_sizes(const sc_synth_domain *d, sc_synth_columns *out)
{
    out->count = d->count;
    for (size_t i = 0; i < d->count; i++)
        out->sizes[i] = sc_coded_size(&d->columns[i]);
}

void sc_synth_domain_describe(const sc_synth_domain *d, size_t index,
                              const char *const *names, const char *const *cuts,
                              scrim_synth_column *out)
{
    const sc_coded_column *c = &d->columns[index];
    *out = (scrim_synth_column){.name = names[index],
                                .cut = cuts[index],
                                .categories = sc_coded_size(c),
                                .is_nullable = c->is_nullable,
                                .has_private_keys = c->selection != NULL,
                                .is_number = sc_coded_is_number(c)};
}

sc_clique sc_synth_domain_nullable(const sc_synth_domain *d)
{
    sc_clique found = 0;
    for (size_t i = 0; i < d->count; i++)
        if (d->columns[i].is_nullable)
            found |= sc_clique_of(i);
    for (size_t i = 0; i < d->never_count; i++)
        found &= ~d->never[i].clique;
    return found;
}

size_t sc_synth_domain_find(const sc_synth_domain *d, sc_text name)
{
    for (size_t i = 0; i < d->count; i++)
        if (sc_text_equal(d->columns[i].column->name, name))
            return i;
    return SIZE_MAX;
}

scrim_status sc_synth_domain_read(const sc_synth_domain *d, const char *parameter,
                                  sc_text text, size_t *column, uint32_t *code,
                                  scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], value_quote[SC_TEXT_QUOTE_BYTES];
    sc_text name, value;
    if (!sc_text_split(text, '=', &name, &value))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, parameter,
                           "'%s' must be COLUMN=VALUE", sc_text_quote(text, quote));
    name = sc_text_trim(name);
    value = sc_text_trim(value);
    *column = sc_synth_domain_find(d, name);
    if (*column == SIZE_MAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, parameter,
                           "'%s' is not one of the columns", sc_text_quote(name, quote));
    if (sc_coded_is_open(&d->columns[*column]))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, parameter,
                           "'%s' has private keys, which are not selected yet",
                           sc_text_quote(name, quote));
    const scrim_status status = sc_coded_find(&d->columns[*column], value, code);
    if (status == SCRIM_E_MEMORY)
        return sc_no_memory(error, "a synthesiser");
    if (status != SCRIM_OK)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, parameter,
                           "'%s' is not a value of '%s'",
                           sc_text_quote(value, value_quote), sc_text_quote(name, quote));
    return SCRIM_OK;
}

static uint64_t cell_of(const sc_synth_never *never, const sc_synth_columns *sizes)
{
    uint64_t cell = 0;
    for (sc_clique rest = never->clique; rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        cell = cell * sizes->sizes[i] + never->codes[i];
    }
    return cell;
}

scrim_status sc_synth_domain_zeros(const sc_synth_domain *d, sc_arena *arena,
                                   const sc_synth_zero **out, scrim_error *error)
{
    sc_synth_columns sizes;
    sc_synth_zero *zeros = sc_arena_allocate(arena, d->never_count, sizeof *zeros);
    if (zeros == NULL)
        return sc_no_memory(error, "a synthesiser");
    sc_synth_domain_sizes(d, &sizes);
    for (size_t i = 0; i < d->never_count; i++) {
        const uint64_t cells = sc_clique_cells(&sizes, d->never[i].clique);
        if (cells > NEVER_CELLS)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "never",
                               "the columns of a combination have more than 16777216 "
                               "combinations");
        bool *is_impossible = sc_arena_allocate(arena, (size_t)cells, 1);
        if (is_impossible == NULL)
            return sc_no_memory(error, "a synthesiser");
        is_impossible[cell_of(&d->never[i], &sizes)] = true;
        zeros[i] = (sc_synth_zero){d->never[i].clique, is_impossible};
    }
    *out = zeros;
    return SCRIM_OK;
}
