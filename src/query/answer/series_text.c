#include "query/answer/series_text.h"

#include "query/plan/plan_keys.h"

#include <string.h>

/* Writing. */

static void put_line(sc_text_sink *sink, const char *key, sc_text value)
{
    if (value.bytes == 0)
        return;
    sc_text_put(sink, sc_text_of(key));
    sc_text_put(sink, sc_text_of(" "));
    sc_text_put(sink, value);
    sc_text_put(sink, sc_text_of("\n"));
}

static void put_text(sc_text_sink *sink, const sc_series_text *t)
{
    sc_text totals = t->max_total, total;
    put_line(sink, "query", t->query);
    put_line(sink, "epsilon", t->epsilon);
    put_line(sink, "delta", t->delta);
    put_line(sink, "mechanism", t->mechanism);
    put_line(sink, "expect", t->expect);
    put_line(sink, "max-groups", t->max_groups);
    put_line(sink, "max-rows", t->max_rows);
    put_line(sink, "max-total-rows", t->max_total_rows);
    while (sc_text_item(&totals, '\n', &total))
        put_line(sink, "max-total", sc_text_trim(total));
    put_line(sink, "cut", t->cut);
    put_line(sink, "known-keys", sc_text_of(sc_known_keys_name(t->is_continued)));
    if (t->has_ranges)
        put_line(sink, "key-ranges", sc_text_of("public"));
    if (t->is_running)
        put_line(sink, "answers", sc_text_of("running"));
    put_line(sink, t->is_date ? "dates" : "column", t->column);
    for (size_t i = 0; i < t->window_count; i++) {
        sc_text_put(sink, sc_text_of("window "));
        sc_text_put(sink, t->windows[i].low);
        sc_text_put(sink, sc_text_of(" "));
        sc_text_put(sink, t->windows[i].high);
        sc_text_put(sink, sc_text_of("\n"));
    }
}

const char *sc_series_text_write(const sc_series_text *text, sc_arena *arena)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_text(&sink, text);
    const size_t bytes = sink.length + 1;
    char *written = sc_arena_allocate(arena, bytes, 1);
    if (written == NULL)
        return NULL;
    sc_text_sink_init(&sink, written, bytes);
    put_text(&sink, text);
    return written;
}

/* Reading: what is not quite right is found at the end, when it is written again. */

/* Is the next line of that key? Its value is then taken off. */
static bool take(sc_text *rest, const char *key, sc_text *value)
{
    sc_text line, after;
    const size_t bytes = strlen(key);
    if (!sc_text_split(*rest, '\n', &line, &after) || line.bytes < bytes + 2 ||
        memcmp(line.start, key, bytes) != 0 || line.start[bytes] != ' ')
        return false;
    *value = (sc_text){line.start + bytes + 1, line.bytes - bytes - 1};
    *rest = after;
    return true;
}

static bool take_windows(sc_text *rest, sc_arena *arena, sc_series_text *out,
                         bool *lacks_memory)
{
    sc_text ahead = *rest, value;
    size_t count = 0;
    while (take(&ahead, "window", &value))
        count++;
    sc_window *windows = sc_arena_allocate(arena, count, sizeof *windows);
    *lacks_memory = windows == NULL;
    out->windows = windows;
    for (size_t i = 0; windows != NULL && i < count; i++) {
        (void)take(rest, "window", &value);
        if (!sc_text_split(value, ' ', &windows[i].low, &windows[i].high))
            return false;
    }
    out->window_count = count;
    return windows != NULL && (count > 0) == (out->column.bytes > 0);
}

/* Totals of columns, a line each. */
static bool take_totals(sc_text *rest, sc_arena *arena, sc_series_text *out,
                        bool *lacks_memory)
{
    sc_text ahead = *rest, value;
    sc_text_sink sink;
    size_t bytes = 1;
    while (take(&ahead, "max-total", &value))
        bytes += value.bytes + 1;
    char *lines = sc_arena_allocate(arena, bytes, 1);
    *lacks_memory = lines == NULL;
    if (lines == NULL)
        return false;
    sc_text_sink_init(&sink, lines, bytes);
    while (take(rest, "max-total", &value)) {
        sc_text_put(&sink, value);
        sc_text_put(&sink, sc_text_of("\n"));
    }
    out->max_total = (sc_text){lines, sink.length};
    return true;
}

static bool take_all(sc_text rest, sc_arena *arena, sc_series_text *out,
                     bool *lacks_memory)
{
    sc_text keys, ranges, answers;
    if (!take(&rest, "query", &out->query) || !take(&rest, "epsilon", &out->epsilon) ||
        !take(&rest, "delta", &out->delta))
        return false;
    (void)take(&rest, "mechanism", &out->mechanism);
    (void)take(&rest, "expect", &out->expect);
    (void)take(&rest, "max-groups", &out->max_groups);
    (void)take(&rest, "max-rows", &out->max_rows);
    (void)take(&rest, "max-total-rows", &out->max_total_rows);
    if (!take_totals(&rest, arena, out, lacks_memory))
        return false;
    (void)take(&rest, "cut", &out->cut);
    if (!take(&rest, "known-keys", &keys) ||
        !sc_known_keys_parse(keys, &out->is_continued))
        return false;
    out->has_ranges = take(&rest, "key-ranges", &ranges);
    out->is_running = take(&rest, "answers", &answers);
    out->is_date = take(&rest, "dates", &out->column);
    if (!out->is_date)
        (void)take(&rest, "column", &out->column);
    return take_windows(&rest, arena, out, lacks_memory) && rest.bytes == 0 &&
           (!out->is_running || out->window_count > 0);
}

scrim_status sc_series_text_read(sc_text text, sc_arena *arena, sc_series_text *out,
                                 scrim_error *error)
{
    sc_series_text made = {.is_continued = false};
    bool lacks_memory = false;
    bool is_good = take_all(text, arena, &made, &lacks_memory);
    if (is_good) {
        const char *again = sc_series_text_write(&made, arena);
        lacks_memory = again == NULL;
        is_good = again != NULL && sc_text_is(text, again);
    }
    if (lacks_memory)
        return sc_no_memory(error, "a series");
    if (!is_good)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the ledger holds a series that this version cannot read");
    *out = made;
    return SCRIM_OK;
}
