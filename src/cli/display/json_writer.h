/* JSON: the one place that writes its brackets, commas and quotes.
 *
 * A member is written by a call of its own; the separator before it follows from what was written
 * before. name is that of the member, and NULL in an array and at the top. The layout is fixed: one
 * line, but for an array of rows, which has a line for each of its elements. A value at the top
 * ends its line, so JSON lines are objects one after the other.
 */
#ifndef SC_CLI_JSON_WRITER_H
#define SC_CLI_JSON_WRITER_H

#include "cli/terminal/output.h"

/* Objects and arrays inside one another: more than a key of a label has dots. Deeper levels
 * are written with the brackets of the innermost one. */
#define SC_JSON_DEPTH 128

typedef struct sc_json {
    sc_output *output;
    size_t depth;
    char kinds[SC_JSON_DEPTH]; /* '{', '[', or '\n' for an array of rows */
    bool is_begun[SC_JSON_DEPTH];
} sc_json;

void sc_json_init(sc_json *json, sc_output *output);

void sc_json_object(sc_json *json, const char *name);
void sc_json_array(sc_json *json, const char *name);
/* An array with a line for each element. */
void sc_json_rows(sc_json *json, const char *name);
/* Ends the innermost object or array. */
void sc_json_end(sc_json *json);

/* Writes the comma before the next member of the innermost object, unless it is the first. */
void sc_json_separate(sc_json *json);

/* A string. */
void sc_json_text(sc_json *json, const char *name, const char *text);
/* A string of bytes that are UTF-8 and have no terminator: no character but those that JSON forbids is
 * escaped. */
void sc_json_bytes(sc_json *json, const char *name, const char *bytes, size_t count);
/* A string of hexadecimal digits, two a byte. */
void sc_json_hex(sc_json *json, const char *name, const char *bytes, size_t count);
/* Writes null for "", and any other text as sc_json_text does. */
void sc_json_text_or_null(sc_json *json, const char *name, const char *text);
/* The same; no member in place of "". */
void sc_json_text_if_any(sc_json *json, const char *name, const char *text);
/* An exact number: a number where it is an integer of at most 2^53, else a string. */
void sc_json_number(sc_json *json, const char *name, const char *text);
/* The same; a decimal that every reader's double gives back is a number too. */
void sc_json_decimal(sc_json *json, const char *name, const char *text);
void sc_json_count(sc_json *json, const char *name, uint64_t count);
/* All digits of a double; "inf" is a string. */
void sc_json_double(sc_json *json, const char *name, double value);
void sc_json_truth(sc_json *json, const char *name, bool truth);
/* Digits, true, false or null: as it is. */
void sc_json_word(sc_json *json, const char *name, const char *word);

/* In the test build, which draws from a chosen seed: the member "not_private". */
void sc_json_mark(sc_json *json);

#endif
