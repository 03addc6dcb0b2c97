/* The numbers of a column of CSV records, eight at a time where the machine has such vectors: those
 * of up to eight characters with all the column's decimals, or with none. Others are left to
 * sc_field_read.
 *
 * Claim  csv-numbers.same  a number that is read here is the one that sc_field_read reads
 */
#ifndef SC_DATA_CSV_NUMBERS_H
#define SC_DATA_CSV_NUMBERS_H

#include "data/value/field.h"

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
