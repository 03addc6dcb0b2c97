#include "query/language/refusal.h"

#include <stdarg.h>

sc_span sc_span_join(sc_span first, sc_span last)
{
    return (sc_span){first.offset, last.offset + last.bytes - first.offset};
}

scrim_status sc_refuse(sc_refusal *refusal, sc_span place, scrim_status status,
                       const char *format, ...)
{
    const bool is_form = status == SCRIM_E_PARAM || status == SCRIM_E_SYNTAX;
    va_list arguments;
    refusal->place = place;
    va_start(arguments, format);
    status = sc_fail_list(refusal->error, status,
                          is_form ? SCRIM_REASON_SYNTAX : SCRIM_REASON_NONE,
                          is_form ? "query" : "", format, arguments);
    va_end(arguments);
    return status;
}

scrim_status sc_refuse_for(sc_refusal *refusal, sc_span place, scrim_status status,
                           scrim_reason reason, const char *parameter, const char *format,
                           ...)
{
    va_list arguments;
    refusal->place = place;
    va_start(arguments, format);
    status = sc_fail_list(refusal->error, status, reason, parameter, format, arguments);
    va_end(arguments);
    return status;
}

#undef sc_refuse_memory /* what an analyser is told in the header */
scrim_status sc_refuse_memory(sc_refusal *refusal)
{
    return sc_refuse(refusal, (sc_span){0, 0}, SCRIM_E_MEMORY,
                     "out of memory for the query");
}

/* Caret. */

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* The bytes that are shown as one character at the front of rest: what is none is shown as one
 * mark a byte. */
static size_t shown_bytes(sc_text rest)
{
    const size_t bytes = sc_text_character(rest);
    return bytes > 0 ? bytes : 1;
}

static size_t shown_columns(sc_text text)
{
    size_t columns = 0;
    while (text.bytes > 0) {
        const size_t bytes = shown_bytes(text);
        text = (sc_text){text.start + bytes, text.bytes - bytes};
        columns++;
    }
    return columns;
}

/* The text from a column on, so many columns wide at most. */
static sc_text columns_of(sc_text text, size_t from, size_t columns)
{
    for (; from > 0 && text.bytes > 0; from--) {
        const size_t bytes = shown_bytes(text);
        text = (sc_text){text.start + bytes, text.bytes - bytes};
    }
    size_t end = 0;
    for (; columns > 0 && end < text.bytes; columns--)
        end += shown_bytes((sc_text){text.start + end, text.bytes - end});
    return (sc_text){text.start, end};
}

static void put_shown(sc_text_sink *sink, sc_text text)
{
    while (text.bytes > 0) {
        const size_t bytes = sc_text_character(text);
        if (bytes > 0)
            sc_text_put(sink, (sc_text){text.start, bytes});
        else
            sc_text_put_times(sink, text.start[0] == '\t' ? ' ' : '?', 1);
        text = (sc_text){text.start + shown_bytes(text), text.bytes - shown_bytes(text)};
    }
}

size_t sc_refusal_caret(sc_text text, sc_span place, char *out, size_t capacity)
{
    sc_text_sink sink;
    size_t begin = place.offset < text.bytes ? place.offset : text.bytes;
    size_t end = begin;
    const size_t at = begin;
    sc_text_sink_init(&sink, out, capacity);
    while (begin > 0 && !is_line_end(text.start[begin - 1]))
        begin--;
    while (end < text.bytes && !is_line_end(text.start[end]))
        end++;
    const sc_text line = {text.start + begin, end - begin};
    const size_t marked = place.bytes < end - at ? place.bytes : end - at;
    const size_t before = shown_columns((sc_text){text.start + begin, at - begin});
    size_t carets = shown_columns((sc_text){text.start + at, marked});
    /* A long line is shown from a little before the place, and no less of it than there is room
     * for, where a caret may stand behind its end. */
    const size_t context = SC_CARET_COLUMNS / 2;
    const size_t columns = shown_columns(line) + (at == end ? 1 : 0);
    const size_t last = columns > SC_CARET_COLUMNS ? columns - SC_CARET_COLUMNS : 0;
    const size_t middle = before > context ? before - context : 0;
    const size_t from = middle < last ? middle : last;
    const size_t room = SC_CARET_COLUMNS - (before - from);
    carets = carets == 0 ? 1 : carets > room ? room : carets;
    put_shown(&sink, columns_of(line, from, SC_CARET_COLUMNS));
    sc_text_put(&sink, sc_text_of("\n"));
    sc_text_put_times(&sink, ' ', before - from);
    sc_text_put_times(&sink, '^', carets);
    return sink.length;
}
