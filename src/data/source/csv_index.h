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
#include "base/text.h"
#include "data/value/field.h"
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
/* Makes room for `bytes` bytes; SCRIM_E_MEMORY. */
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

/* Room for fields with doubled quotes, which are copied there without them. */

typedef struct sc_csv_quotes {
    char *bytes; /* wiped when it is freed */
    size_t capacity, used;
    size_t most; /* that was used at once, before */
} sc_csv_quotes;

void sc_csv_quotes_clear(sc_csv_quotes *room); /* also of zeros */
/* Empties the room and makes it hold the fields of a piece of `piece_bytes` bytes, each as often
 * as it can be asked for: as a column and as the unit; as behind a piece, SC_CSV_PADDING bytes
 * more are readable. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_csv_quotes_reserve(sc_csv_quotes *room, size_t piece_bytes,
                                                  scrim_error *error);
/* The field, which stood between quotes, with one quote for two. */
sc_text sc_csv_quotes_take(sc_csv_quotes *room, sc_text field);

/* The numbers of a column of CSV records, eight at a time where the machine has such vectors: those
 * of up to eight characters with all the column's decimals, or with none. Others are left to
 * sc_field_read.
 *
 * Claim  csv-numbers.same  a number that is read here is the one that sc_field_read reads
 */

/* The field of row r, without quotes, begins behind marks[records[r]] and ends before the mark
 * behind it, or before a carriage return there if it is the last of its record. */
typedef struct sc_csv_column {
    const char *bytes; /* SC_CSV_PADDING bytes behind each field are readable */
    const uint32_t *marks, *records;
    bool is_last;
} sc_csv_column;

/* Can the machine, for such a column? */
bool sc_csv_numbers_can(const sc_field_reader *reader);

/* Reads what it can of count rows from this one on, into values[row]. Lists the other rows, for
 * which there is room, and returns how many they are. Only where it can. */
size_t sc_csv_numbers_read(const sc_csv_column *column, const sc_field_reader *reader,
                           size_t from, size_t count, int64_t *values, uint32_t *others);

#endif
