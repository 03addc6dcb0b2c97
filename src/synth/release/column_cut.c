#include "synth/release/column_cut.h"

#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY,
                   "out of memory for the columns of a synthesiser");
}

/* What a width counts, where that is not the unit of the column's values. */
static const char *width_words(const sc_column *column)
{
    if (column->type == SC_COLUMN_DATE)
        return "; WIDTH is a number of days";
    if (column->type == SC_COLUMN_TIMESTAMP)
        return "; WIDTH is a number of seconds";
    return column->type == SC_COLUMN_DECIMAL ? "; WIDTH is a multiple of its step" : "";
}

/* A cut that cannot be read: it is none, or there was no memory for it. */
static scrim_status refuse(const sc_coded_column *c, scrim_status why, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (why == SCRIM_E_MEMORY)
        return no_memory(error);
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

/* At most so many bins of one width, up to the end of the range. */
static scrim_status cut_evenly(sc_coded_column *out, int64_t from, int64_t width,
                               uint64_t bins, sc_arena *arena, scrim_error *error)
{
    const int64_t end = out->column->grid.high + 1;
    size_t count = 0;
    int64_t *edges = sc_allocate(SC_CODED_BINS + 2, sizeof *edges);
    if (edges == NULL)
        return no_memory(error);
    sc_int128 at = from;
    for (; count < bins && count <= SC_CODED_BINS && at < end; at += width)
        edges[count++] = (int64_t)at;
    edges[count] = at < end ? (int64_t)at : end;
    const scrim_status status = count > SC_CODED_BINS
                                    ? too_many(error)
                                    : sc_coded_cut(out, edges, count, arena, error);
    sc_free(edges);
    return status;
}

/* FROM:WIDTH:BINS, whose FROM may hold colons of a time. False where it is none. */
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
        return no_memory(error);
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
        status = sc_coded_cut(out, edges, count, arena, error);
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
