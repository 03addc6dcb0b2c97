#include "ledger/run_record.h"

#include "base/memory.h"

#include <string.h>

#define BELOW "below"
#define ABOVE "above"
#define HALTED "halted"

/* Pieces. */

void sc_run_piece_format(const sc_run_piece *piece, char text[SC_RUN_PIECE_BYTES])
{
    char number[SC_INT128_BYTES];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, SC_RUN_PIECE_BYTES);
    sc_text_put(&sink, sc_text_of(piece->mark == SC_MARK_BELOW ? BELOW : ABOVE));
    if (piece->mark == SC_MARK_ABOVE_VALUE) {
        (void)sc_int128_format(piece->value, number);
        sc_text_put(&sink, sc_text_of("="));
        sc_text_put(&sink, sc_text_of(number));
    }
    sc_text_put(&sink, sc_text_of(piece->has_halted ? " " HALTED : ""));
}

/* An integer in the spelling of sc_int128_format. */
static bool read_value(sc_text text, sc_int128 *out)
{
    char number[SC_INT128_BYTES];
    SC_OWN(sc_ratio, value);
    SC_OWN(sc_integer, whole);
    bool is_read = sc_ratio_parse(text, &value, NULL) == SCRIM_OK;
    if (is_read) {
        sc_ratio_numerator(&value, &whole);
        is_read = sc_ratio_is_integer(&value) && sc_integer_get_int128(&whole, out);
    }
    if (is_read) {
        (void)sc_int128_format(*out, number);
        is_read = sc_text_is(text, number);
    }
    return is_read;
}

bool sc_run_piece_read(sc_text text, sc_run_piece *out)
{
    sc_text first = text, last = {NULL, 0}, value;
    *out = (sc_run_piece){.mark = SC_MARK_BELOW};
    if (sc_text_split(text, ' ', &first, &last)) {
        if (!sc_text_is(last, HALTED))
            return false;
        out->has_halted = true;
    }
    if (sc_text_is(first, BELOW))
        return true;
    out->mark = SC_MARK_ABOVE;
    if (sc_text_is(first, ABOVE))
        return true;
    out->mark = SC_MARK_ABOVE_VALUE;
    sc_text word;
    return sc_text_split(first, '=', &word, &value) && sc_text_is(word, ABOVE) &&
           read_value(value, &out->value);
}

/* The record. */

/* One answer: a comma, its number, an equals sign, a value and a terminator. */
#define ABOVE_BYTES ((size_t)1 + 20 + 1 + SC_INT128_BYTES)
#define LINE_BYTES 64

bool sc_run_record_reserve(sc_run_record *r)
{
    if (r->above_capacity - r->above_bytes >= ABOVE_BYTES)
        return true;
    size_t capacity = 2 * r->above_capacity + 4 * ABOVE_BYTES;
    char *above = sc_allocate(capacity, 1);
    if (above == NULL)
        return false;
    if (r->above_bytes > 0)
        memcpy(above, r->above, r->above_bytes);
    sc_free(r->above);
    r->above = above;
    r->above_capacity = capacity;
    return true;
}

void sc_run_record_add(sc_run_record *r, const sc_run_piece *piece)
{
    char number[SC_INT128_BYTES];
    sc_text_sink sink;
    r->asked++;
    r->has_halted = piece->has_halted;
    if (piece->mark == SC_MARK_BELOW)
        return;
    sc_text_sink_init(&sink, r->above + r->above_bytes,
                      r->above_capacity - r->above_bytes);
    (void)sc_int128_format((sc_int128)r->asked, number);
    sc_text_put(&sink, sc_text_of(r->above_bytes > 0 ? "," : ""));
    sc_text_put(&sink, sc_text_of(number));
    if (piece->mark == SC_MARK_ABOVE_VALUE) {
        (void)sc_int128_format(piece->value, number);
        sc_text_put(&sink, sc_text_of("="));
        sc_text_put(&sink, sc_text_of(number));
    }
    r->above_bytes += strlen(r->above + r->above_bytes);
}

char *sc_run_record_line(const sc_run_record *r)
{
    char number[SC_INT128_BYTES];
    size_t bytes = LINE_BYTES + r->above_bytes;
    char *line = sc_allocate(bytes, 1);
    sc_text_sink sink;
    if (line == NULL)
        return NULL;
    sc_text_sink_init(&sink, line, bytes);
    (void)sc_int128_format((sc_int128)r->asked, number);
    sc_text_put(&sink, sc_text_of("asked="));
    sc_text_put(&sink, sc_text_of(number));
    sc_text_put(&sink, sc_text_of(" above="));
    sc_text_put(&sink, (sc_text){r->above, r->above_bytes});
    sc_text_put(&sink, sc_text_of(r->has_halted ? " " HALTED : ""));
    return line;
}

void sc_run_record_clear(sc_run_record *r)
{
    sc_free(r->above);
    *r = (sc_run_record){.above = NULL};
}
