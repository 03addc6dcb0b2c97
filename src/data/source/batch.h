/* Some rows of a table, column by column: what a source hands to the engine.
 *
 * A batch holds the rows that have a unit, whatever their other values are. What cannot be read is
 * its column's default, or NULL (value.h). Other values are steps of the column's grid,
 * inside of its range. Texts are views, and SC_FIELD_PADDING bytes behind each of them can be read.
 *
 * Claim  batch.whole  no row is left out for a value that it lacks: where each row is a unit, records
 *                     of which nothing can be read are rows too
 */
#ifndef SC_DATA_BATCH_H
#define SC_DATA_BATCH_H

#include "data/source/source_content.h"
#include "data/value/field.h"
#include "data/value/schema.h"
#include "data/value/value.h"

/* values for a column with a grid; texts and their hashes for one of text. */
typedef struct sc_batch_column {
    int64_t *values;
    sc_text *texts;
    uint64_t *hashes; /* sc_value_hash under the key of the request */
} sc_batch_column;

/* Counts of values that are not as declared. Raw data: for the owner's own check only. */
typedef struct sc_batch_tally {
    size_t records, malformed; /* seen, and of these unreadable as a whole */
    size_t no_unit;            /* of the others */
    size_t *missing;           /* by column of the request, values of the others */
} sc_batch_tally;

typedef struct sc_batch {
    size_t rows;
    uint64_t
        sequence; /* which piece of the table: 0, 1, ..., however many workers; a piece
                           * may come in several batches */
    sc_batch_column unit;     /* texts and hashes; all NULL where each row is a unit */
    sc_batch_column *columns; /* in the order of the request */
    sc_batch_tally tally;
} sc_batch;

/* A request to a table. */
typedef struct sc_batch_request {
    const sc_schema *schema; /* borrowed, and outlives what is made for it */
    const size_t *columns;   /* their places in schema->columns; each at most once */
    size_t column_count;
    sc_value_key key; /* drawn afresh for each query */
    /* The rows, whole, where the schema says that rows are pushed (data/source/arrow_frame.h); NULL: those of the
     * source. */
    const struct scrim_frame *frame;
    /* The key for the digest of all bytes that are read (source_content.h), which sc_table_content returns; NULL: no
     * digest is made. Borrowed until the source is open. */
    const sc_source_key *content_key;
} sc_batch_request;

/* A batch being filled. Sources write the arrays, say which rows lack a unit, and close it. */
typedef struct sc_batch_room {
    sc_batch batch;
    size_t capacity, most;  /* rows: there is room for, and were there at once */
    unsigned char *is_kept; /* by row; 1 after sc_batch_room_begin */
    sc_arena arena;         /* of defaults */
    sc_field_reader *readers;
    sc_text
        *defaults; /* of text columns, start NULL without a default; one more, empty */
    const sc_batch_request *request;
} sc_batch_room;

/* request is borrowed. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_batch_room_init(sc_batch_room *room,
                                               const sc_batch_request *request,
                                               scrim_error *error);
void sc_batch_room_clear(sc_batch_room *room);

/* Takes the memory for batches of `rows` rows, before the first batch. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_batch_room_reserve(sc_batch_room *room, size_t rows,
                                                  scrim_error *error);
/* Begins an empty batch with room for `rows` rows, all of them kept. */
SCRIM_MUST_USE scrim_status sc_batch_room_begin(sc_batch_room *room, size_t rows,
                                                scrim_error *error);

/* One column of a room, all that filling it needs at hand. Good until the next begin. */
typedef struct sc_batch_filler {
    sc_batch_column column;
    unsigned char *is_kept;
    sc_field_reader reader; /* of values */
    int64_t missing_value;  /* of values: the default, or NULL */
    sc_text missing;        /* of texts */
    size_t *missing_count;
    sc_value_hasher hasher;
} sc_batch_filler;

sc_batch_filler sc_batch_filler_of(sc_batch_room *room, size_t column);
sc_batch_filler sc_batch_unit_filler(sc_batch_room *room);

/* One value of a row, by the declared rule: what is unreadable is the default, or NULL.
 * SC_FIELD_PADDING bytes behind the text are readable, here and below. */
static inline void sc_batch_put_value(const sc_batch_filler *filler, size_t row,
                                      sc_text text)
{
    int64_t value;
    if (__builtin_expect(!sc_field_read(&filler->reader, text, &value), 0)) {
        value = filler->missing_value;
        ++*filler->missing_count;
    }
    filler->column.values[row] = value;
}

/* Puts a text of 1 to 8 bytes that was found to be one, with its bytes in a word, the first lowest. */
static inline void sc_batch_put_word(const sc_batch_filler *filler, size_t row,
                                     sc_text text, uint64_t word)
{
    filler->column.texts[row] = text;
    filler->column.hashes[row] = sc_value_hash_word(&filler->hasher, word, text.bytes);
}

/* Puts a text of 1 to 8 bytes, which most are; false for others, and where the machine counts bytes
 * from the other end. */
static inline bool sc_batch_put_short(const sc_batch_filler *filler, size_t row,
                                      sc_text text, bool is_utf8)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (__builtin_expect(text.bytes - 1 < SC_VALUE_SHORT, 1)) {
        const uint64_t within = sc_value_within(text.bytes);
        uint64_t word;
        memcpy(&word, text.start, sizeof word);
        word &= within;
        if (is_utf8 && __builtin_expect(!sc_utf8_is_ascii_word(word, within), 0))
            return false;
        sc_batch_put_word(filler, row, text, word);
        return true;
    }
#endif
    return false;
}

/* The same for a column of text. Nothing at all is missing; what is there and has no bytes, as between
 * two quotes, is the empty text. */
void sc_batch_put_empty_text(const sc_batch_filler *filler, size_t row);
void sc_batch_put_any_text(const sc_batch_filler *filler, size_t row, sc_text text);
static inline void sc_batch_put_text(const sc_batch_filler *filler, size_t row,
                                     sc_text text)
{
    if (__builtin_expect(!sc_batch_put_short(filler, row, text, true), 0))
        sc_batch_put_any_text(filler, row, text);
}

/* The same for the unit, which is any bytes and has no default. */
void sc_batch_put_any_unit(const sc_batch_filler *filler, size_t row, sc_text text);
static inline void sc_batch_put_unit(const sc_batch_filler *filler, size_t row,
                                     sc_text text)
{
    if (__builtin_expect(!sc_batch_put_short(filler, row, text, false), 0))
        sc_batch_put_any_unit(filler, row, text);
}

/* Ends a batch of `rows` rows and, behind them, `malformed` records that cannot be read. Leaves
 * out rows without a unit, and the malformed records too unless each row is a unit. */
void sc_batch_room_end(sc_batch_room *room, size_t rows, size_t malformed);

#endif
