/* Arrays of Arrow's C data interface: the types that are accepted, and one column of a batch,
 * checked. */
#ifndef SC_DATA_ARROW_ARRAY_H
#define SC_DATA_ARROW_ARRAY_H

#include "base/checked.h"
#include "base/memory.h"
#include "data/value/column.h"
#include "data/value/field.h"
#include "scrim/feed.h"

/* The types of Arrow that rows can be pushed in, by the format strings of its C data interface.
 *
 * Every type on the list can be read as every declared type: libraries choose a type by the values of a column, and one
 * value more or less may not decide whether rows are refused.
 *
 * Claim  arrow-type.listed  a type that is not on the list is refused by name
 */

typedef enum sc_arrow_kind {
    SC_ARROW_INT = 1,
    SC_ARROW_FLOAT,
    SC_ARROW_DECIMAL,   /* an integer of 16 bytes, and a scale */
    SC_ARROW_DATE,      /* days, or milliseconds */
    SC_ARROW_TIMESTAMP, /* from 1970: UTC with a zone, local time without */
    SC_ARROW_BOOL,      /* bits */
    SC_ARROW_TEXT,      /* offsets into bytes */
    SC_ARROW_VIEW,      /* texts of up to 12 bytes, or places in one of several buffers */
    SC_ARROW_NULL       /* no buffer: all values are missing */
} sc_arrow_kind;

typedef struct sc_arrow_type {
    sc_arrow_kind kind;
    unsigned bytes; /* of a value; of an offset; 0 for bits */
    bool is_signed;
    int scale;    /* of a decimal: digits behind the point */
    int64_t unit; /* of a date: how many are a day; of a timestamp: a second */
    bool has_zone;
} sc_arrow_type;

#define SC_ARROW_SCALE_MAX 38

/* False for a format that is not on the list; out is then untouched. */
bool sc_arrow_type_parse(const char *format, sc_arrow_type *out);
/* The name of any format, as libraries write it: "float64", "list", "timestamp with a zone". */
const char *sc_arrow_type_name(const char *format);

/* One column of a batch: an array of Arrow's C data interface, checked, so that its values can be read.
 *
 * The struct is not trusted further than it can be checked. The interface has no lengths of buffers:
 * they must be as long as the number of rows says, and the bytes of texts as the last offset says.
 * All else that a value points to is compared with these; a value that points outside is missing.
 *
 * Claim  arrow-array.checked  a struct that is not what its type promises is refused, and no value reads
 *                             outside of what its struct says there is
 */

/* Bytes with texts in them. Behind the last ones nothing can be read, as fields want it: there a copy
 * stands in, with padding behind it. */
typedef struct sc_arrow_bytes {
    const char *start;
    uint64_t count;
    const char *tail; /* the copy of the bytes from tail_from on */
    uint64_t tail_from;
} sc_arrow_bytes;

typedef struct sc_arrow_array {
    const sc_arrow_type *type;
    size_t first;                 /* place of the first row in the buffers */
    const unsigned char *present; /* a bit a value; NULL: all are */
    size_t parent_first;          /* the same of the batch as a whole */
    const unsigned char *parent;
    const unsigned char *values;      /* or bits, offsets, views */
    sc_arrow_bytes bytes;             /* of texts; of a view: those in the view itself */
    const sc_arrow_bytes *view_bytes; /* of a view: all others */
    size_t view_count;
} sc_arrow_array;

/* A stretch of rows of the column of that name. */
typedef struct sc_arrow_part {
    sc_text name;
    size_t from, count;
} sc_arrow_part;

/* These rows of an array, which has all of them. Memory is of the arena. SCRIM_E_INPUT for a struct that cannot be of the type; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_arrow_array_open(const struct ArrowArray *array,
                                                const sc_arrow_type *type,
                                                const sc_arrow_part *part,
                                                sc_arena *arena, sc_arrow_array *out,
                                                scrim_error *error);
/* Fails with what is wrong with a column of a batch. */
SCRIM_MUST_USE scrim_status sc_arrow_array_fail(sc_text name, const char *what,
                                                scrim_error *error);
/* Has the array this many rows from `from` on, and places that can be counted? */
bool sc_arrow_array_has(const struct ArrowArray *array, size_t from, size_t count);

static inline bool sc_arrow_bit(const unsigned char *bits, size_t at)
{
    return (bits[at / 8] >> (at % 8) & 1) != 0;
}

static inline bool sc_arrow_is_present(const sc_arrow_array *a, size_t row)
{
    return a->type->kind != SC_ARROW_NULL &&
           (a->present == NULL || sc_arrow_bit(a->present, a->first + row)) &&
           (a->parent == NULL || sc_arrow_bit(a->parent, a->parent_first + row));
}

/* The bits of an integer of up to 8 bytes, with its sign. */
static inline uint64_t sc_arrow_word(const sc_arrow_array *a, size_t row)
{
    const size_t at = a->first + row;
    uint64_t word;
    uint32_t single;
    uint16_t half;
    switch (a->type->bytes) {
    case 1:
        return a->type->is_signed ? (uint64_t)(int8_t)a->values[at] : a->values[at];
    case 2:
        memcpy(&half, a->values + sizeof half * at, sizeof half);
        return a->type->is_signed ? (uint64_t)(int16_t)half : half;
    case 4:
        memcpy(&single, a->values + sizeof single * at, sizeof single);
        return a->type->is_signed ? (uint64_t)(int32_t)single : single;
    default:
        memcpy(&word, a->values + sizeof word * at, sizeof word);
        return word;
    }
}

/* An integer of any width. */
static inline sc_int128 sc_arrow_int(const sc_arrow_array *a, size_t row)
{
    sc_int128 wide;
    if (a->type->bytes < sizeof wide) {
        const uint64_t word = sc_arrow_word(a, row);
        return a->type->is_signed ? (sc_int128)(int64_t)word : (sc_int128)word;
    }
    memcpy(&wide, a->values + sizeof wide * (a->first + row), sizeof wide);
    return wide;
}

/* The text of a value; false where it is too long or points outside. Padding can be read behind it. */
static inline bool sc_arrow_bytes_text(const sc_arrow_bytes *b, uint64_t start,
                                       uint64_t bytes, sc_text *out)
{
    if (bytes > SC_COLUMN_VALUE_BYTES || start > b->count || bytes > b->count - start)
        return false;
    const bool is_inside = b->count - start - bytes >= SC_FIELD_PADDING;
    *out =
        (sc_text){is_inside ? b->start + start : b->tail + (start - b->tail_from), bytes};
    return true;
}

bool sc_arrow_view_text(const sc_arrow_array *a, size_t row, sc_text *out);

static inline bool sc_arrow_text(const sc_arrow_array *a, size_t row, sc_text *out)
{
    const size_t at = a->first + row;
    uint64_t from, to;
    if (a->type->kind == SC_ARROW_VIEW)
        return sc_arrow_view_text(a, row, out);
    if (a->type->bytes == 4) {
        uint32_t ends[2];
        memcpy(ends, a->values + 4 * at, sizeof ends);
        from = ends[0]; /* what is below 0 is beyond every end */
        to = ends[1];
    } else {
        uint64_t ends[2];
        memcpy(ends, a->values + 8 * at, sizeof ends);
        from = ends[0];
        to = ends[1];
    }
    return from <= to && sc_arrow_bytes_text(&a->bytes, from, to - from, out);
}

#endif
