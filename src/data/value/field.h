/* Reading one value of a table, by the declared type of its column alone: a total function.
 *
 *     int, decimal   a decimal: blanks around it, a sign, digits with or without a point, e or E
 *                    with a power; infinity. Clamped to the range, rounded half up to the grid.
 *     date           YYYY-MM-DD, a date that exists; a time behind it, after T or a blank, is
 *                    passed over. Clamped to the range.
 *     bool           true, t, yes, y, 1 and false, f, no, n, 0, in small or large letters
 *     text           valid UTF-8 without NUL; bytes are kept as they are
 *
 * A column may say that its cells have another point or another order of dates (column.h).
 * Blanks around a value that is not text do not count. Whatever else stands there is unreadable,
 * and so is what is empty, NaN, or longer than SC_COLUMN_VALUE_BYTES: then the value is missing.
 *
 * Claim  field.total  every text has a place in the range of its column, or none; that of a
 *                     number is floor(x/step + 1/2) of its exact clamped value x
 * Claim  field.twins  the fast way and the plain way agree on every text
 */
#ifndef SC_DATA_FIELD_H
#define SC_DATA_FIELD_H

#include "data/value/column.h"

#include <string.h>

/* Bytes that must be readable behind every value that is read the fast way. */
#define SC_FIELD_PADDING 16

/* The plain way, for any column but text. */
bool sc_field_read_plain(const sc_column *column, sc_text text, int64_t *place);

/* Facts about a column that the fast implementation needs; init for a column with a grid. */
#define SC_FIELD_DECIMALS 9
typedef struct sc_field_reader {
    const sc_column *column;
    int64_t low, high;
    int decimals; /* the step is 10^-decimals, from 0 to SC_FIELD_DECIMALS; else -1 */
    uint64_t
        scale[SC_FIELD_DECIMALS + 1]; /* 10^(decimals - i): i digits behind the point */
    /* Most numbers of a column have all the decimals: in a word of eight characters the point
     * is then always in this byte, with these bits above and below it. */
    uint64_t point, point_byte, above, below;
    uint64_t points; /* the mark of decimals, in every byte */
} sc_field_reader;

void sc_field_reader_init(sc_field_reader *reader, const sc_column *column);
/* Decimals of up to 18 digits without a power, and whatever the plain way reads. */
bool sc_field_read_longer(const sc_field_reader *reader, sc_text text, int64_t *place);

/* The eight digits of a word, the first in its lowest byte. */
static inline uint64_t sc_field_digits_value(uint64_t word)
{
    const uint64_t pairs = UINT64_C(0x000000ff000000ff);
    word -= UINT64_C(0x3030303030303030);
    word = word * 10 + (word >> 8); /* pairs of digits, in every other byte */
    return ((word & pairs) * UINT64_C(0x000f424000000064) +
            ((word >> 16) & pairs) * UINT64_C(0x0000271000000001)) >>
           32;
}

static inline bool sc_field_is_digits(uint64_t word)
{
    const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0);
    /* A digit is 0x3d, and stays 0x3x when 6 is added. */
    return ((word & high) | (((word + UINT64_C(0x0606060606060606)) & high) >> 4)) ==
           UINT64_C(0x3333333333333333);
}

/* Takes the first point out of a word: the digits before it move up by a byte, over it. False when
 * the word has no point. points has one in every byte. */
static inline bool sc_field_drop_point(uint64_t points, uint64_t *word, unsigned *behind)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const uint64_t differs = *word ^ points;
    const uint64_t point = (differs - ones) & ~differs & ones << 7;
    if (point == 0)
        return false;
    const unsigned at = (unsigned)__builtin_ctzll(point) & ~7u;
    const uint64_t below = ((uint64_t)1 << at) - 1;
    *word = (*word & ~below & ~((uint64_t)0xff << at)) | (*word & below) << 8 | '0';
    *behind = 7 - at / 8;
    return true;
}

/* The fast way. SC_FIELD_PADDING bytes behind the text are readable. */
static inline bool sc_field_read(const sc_field_reader *reader, sc_text text,
                                 int64_t *place)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = UINT64_C(0x0101010101010101), zeros = ones * '0';
    const char *start = text.start;
    size_t bytes = text.bytes;
    const bool is_negative = bytes > 0 && start[0] == '-';
    start += is_negative;
    bytes -= is_negative;
    if (bytes - 1 < 8 && reader->decimals >= 0) {
        uint64_t word;
        memcpy(&word, start, sizeof word);
        /* The digits to the top, zeros below: shifts stay under 64. */
        word = word << (64 - 8 * bytes) | zeros >> (8 * bytes - 8) >> 8;
        unsigned behind = 0;
        bool has_point = (word & reader->point_byte) == reader->point;
        if (has_point) {
            word = (word & reader->above) | (word & reader->below) << 8 | '0';
            behind = (unsigned)reader->decimals;
        } else {
            has_point = sc_field_drop_point(reader->points, &word, &behind);
        }
        if (sc_field_is_digits(word) && bytes > has_point &&
            behind <= (unsigned)reader->decimals) {
            int64_t value =
                (int64_t)(sc_field_digits_value(word) * reader->scale[behind]);
            value = is_negative ? -value : value;
            value = value < reader->low ? reader->low : value;
            *place = value > reader->high ? reader->high : value;
            return true;
        }
    }
#endif
    return sc_field_read_longer(reader, text, place);
}

#endif
