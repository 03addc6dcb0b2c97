/* The functions of the query language: all there are, of one row and aggregates. What is not on this
 * list is refused (A65).
 */
#ifndef SC_QUERY_FUNCTION_LIST_H
#define SC_QUERY_FUNCTION_LIST_H

#include "query/language/aggregate.h"
#include "query/language/date_parts.h"

/* Functions of one row. */
typedef enum sc_function_kind {
    SC_FUNCTION_ABS = 1,
    SC_FUNCTION_BUCKET,
    SC_FUNCTION_CLAMP,
    SC_FUNCTION_COALESCE,
    SC_FUNCTION_DATE_PART,
    SC_FUNCTION_DATE_TRUNC,
    SC_FUNCTION_FLOOR,
    SC_FUNCTION_GREATEST,
    SC_FUNCTION_HOUR,
    SC_FUNCTION_LADDER,
    SC_FUNCTION_LEAST,
    SC_FUNCTION_LENGTH,
    SC_FUNCTION_LOWER,
    SC_FUNCTION_LTRIM,
    SC_FUNCTION_NULLIF,
    SC_FUNCTION_ROUND,
    SC_FUNCTION_RTRIM,
    SC_FUNCTION_SUBSTR,
    SC_FUNCTION_TRIM,
    SC_FUNCTION_UPPER
} sc_function_kind;

typedef struct sc_function {
    const sc_call_form *form;
    sc_function_kind kind;         /* 0 for an aggregate */
    sc_date_part part;             /* of SC_FUNCTION_DATE_PART */
    const sc_aggregate *aggregate; /* NULL for a function of one row */
} sc_function;

/* name is in capital letters; false when there is none. */
bool sc_function_find(sc_text name, sc_function *out);
/* The name nearest to that one, for did-you-mean; NULL when there is none. */
const char *sc_function_nearest(sc_text name);
/* One after the other; false behind the last. */
bool sc_function_at(size_t index, sc_function *out);

#endif
