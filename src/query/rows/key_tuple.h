/* Keys of several columns as one byte string: what a group is called inside of the engine.
 *
 * A number is 8 bytes, the highest first, with its sign turned; a text is its bytes and a 0, which
 * no text holds. So different tuples have different strings, and strings are in the order of
 * tuples: numbers by size, texts bytewise, NULL behind both (value.h), the first column first.
 *
 * Claim  key-tuple.order  strings are equal when the tuples are, and compare as the tuples do
 * Claim  key-tuple.back   a tuple can be read back from its string
 */
#ifndef SC_QUERY_KEY_TUPLE_H
#define SC_QUERY_KEY_TUPLE_H

#include "base/memory.h"
#include "base/text.h"
#include "data/value/value.h"

#include <stdbool.h>

/* One column's part: a text where is_text, else a number; either may be NULL. */
typedef struct sc_key_part {
    bool is_text;
    int64_t value;
    sc_text text;
} sc_key_part;

bool sc_key_part_is_null(const sc_key_part *part);
size_t sc_key_tuple_bytes(const sc_key_part *parts, size_t count);
/* Writes sc_key_tuple_bytes bytes. */
void sc_key_tuple_write(const sc_key_part *parts, size_t count, char *out);
/* Reads as many parts as count; is_text of each says what it is. Texts are views of key. False
 * when the string is not that of such a tuple. */
bool sc_key_tuple_read(sc_text key, sc_key_part *parts, size_t count);

/* A column of keys of some rows: values, or for one of text texts. */
typedef struct sc_key_column {
    const int64_t *values;
    const sc_text *texts;
} sc_key_column;

/* The keys of many rows, with their hashes; one worker's, used again and again. */
typedef struct sc_key_rows {
    sc_text *keys; /* 16 bytes behind each are readable */
    uint64_t *hashes;
    size_t capacity; /* of both */
    char *bytes;
    size_t bytes_capacity;
} sc_key_rows;

/* Zeros are empty. */
void sc_key_rows_clear(sc_key_rows *rows);
/* Makes the keys of `count` rows. A row's texts have at most 4096 bytes. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_key_rows_make(sc_key_rows *rows,
                                             const sc_key_column *columns,
                                             size_t column_count, size_t count,
                                             const sc_value_key *hash_key,
                                             scrim_error *error);

#endif
