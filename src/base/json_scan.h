/* Strict JSON (RFC 8259), taken token by token in the order in which its reader expects it.
 *
 * Numbers are returned as their text, so that 0.1 stays exact. Each call skips blanks first. A call that does not find
 * what it looks for changes nothing and returns false. The text is borrowed, need not be terminated and may be hostile: the work
 * is linear in its length.
 */
#ifndef SC_BASE_JSON_SCAN_H
#define SC_BASE_JSON_SCAN_H

#include "base/text.h"

typedef struct sc_json_scan {
    sc_text rest;
    size_t line; /* the current line, counted from 1 */
} sc_json_scan;

void sc_json_scan_init(sc_json_scan *scan, sc_text text);
/* One of []{},: */
bool sc_json_scan_mark(sc_json_scan *scan, char mark);
/* "name": of a member. The name must be this one, written without escapes. */
bool sc_json_scan_member(sc_json_scan *scan, const char *name);
/* A string without its quotes, escapes resolved, terminated. False also where it does not fit, is not UTF-8 or holds
 * a NUL or half of a surrogate pair. */
bool sc_json_scan_string(sc_json_scan *scan, char *out, size_t capacity);
/* A number, or a string of the characters of numbers and fractions ("1/3"), as it stands. */
bool sc_json_scan_number(sc_json_scan *scan, sc_text *out);
/* An integer of 64 bits without a fraction or an exponent. */
bool sc_json_scan_int64(sc_json_scan *scan, int64_t *out);
bool sc_json_scan_uint64(sc_json_scan *scan, uint64_t *out);
/* Is all of it read? */
bool sc_json_scan_is_end(sc_json_scan *scan);

/* A string with its quotes and escapes, into the sink. */
void sc_json_put_string(sc_text_sink *sink, const char *text);

#endif
