/* Where the fields of CSV records begin and end, found 64 bytes at a time.
 *
 * A newline ends a record wherever it stands, also between quotes (csv.h says why); the declared
 * separator separates fields unless it stands between quotes. A quote may open a field, close it in
 * front of a separator or the record's end, or stand doubled in a field that is quoted. A record with a quote
 * anywhere else, or with one that is not closed when the record ends, is bad; the next one is not.
 *
 * Claim  csv-index.local  what is found in a record depends on the bytes of that record alone
 * Claim  csv-index.twins  words of the machine, its vectors, and one byte after another find the
 *                         same
 */
#ifndef SC_DATA_CSV_INDEX_H
#define SC_DATA_CSV_INDEX_H

#include "base/status.h"
#include "data/value/schema.h"

/* Bytes that must be readable behind what is indexed; what they hold does not matter. */
#define SC_CSV_PADDING 64

/* A field lies between two marks: marks[0] is the place before the first byte, then come
 * separators and the newlines of records' ends. Places are modulo 2^32, so the place before 0 is its end. */
typedef struct sc_csv_index {
    uint32_t *marks;
    uint32_t *newlines; /* by record: the place of its newline, which is a mark too */
    uint32_t *bad;      /* the numbers of bad records, ascending */
    size_t mark_count, record_count, bad_count;
    bool has_quotes, has_doubled; /* some field holds a quote; two in a row */
    size_t capacity;
} sc_csv_index;

void sc_csv_index_init(sc_csv_index *index);
void sc_csv_index_clear(sc_csv_index *index);
/* Room for so many bytes; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_csv_index_reserve(sc_csv_index *index, size_t bytes,
                                                 scrim_error *error);

/* Finds the marks of whole records: the last byte ends one. count is within the room, and
 * SC_CSV_PADDING bytes behind are readable. */
void sc_csv_index_build(sc_csv_index *index, const char *bytes, size_t count,
                        sc_csv_form form);

/* The same in other ways, for tests: by the vectors that all machines of a kind have, without any,
 * and one byte after another. */
void sc_csv_index_build_vectors(sc_csv_index *index, const char *bytes, size_t count,
                                sc_csv_form form);
void sc_csv_index_build_words(sc_csv_index *index, const char *bytes, size_t count,
                              sc_csv_form form);
void sc_csv_index_build_plain(sc_csv_index *index, const char *bytes, size_t count,
                              sc_csv_form form);

#endif
