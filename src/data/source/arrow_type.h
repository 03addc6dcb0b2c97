/* The types of Arrow that rows can be pushed in, by the format strings of its C data interface.
 *
 * Every type on the list can be read as every declared type: libraries choose a type by the values of a column, and one
 * value more or less may not decide whether rows are refused.
 *
 * Claim  arrow-type.listed  a type that is not on the list is refused by name
 */
#ifndef SC_DATA_ARROW_TYPE_H
#define SC_DATA_ARROW_TYPE_H

#include "data/value/column.h"

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

#endif
