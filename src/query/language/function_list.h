/* The functions of the query language: all there are. What is not on this list is refused (A65).
 */
#ifndef SC_QUERY_FUNCTION_LIST_H
#define SC_QUERY_FUNCTION_LIST_H

#include "base/text.h"

typedef enum sc_function_kind {
    /* of one row */
    SC_FUNCTION_ABS = 1,
    SC_FUNCTION_BUCKET,
    SC_FUNCTION_CLAMP,
    SC_FUNCTION_DAY,
    SC_FUNCTION_FLOOR,
    SC_FUNCTION_GREATEST,
    SC_FUNCTION_LEAST,
    SC_FUNCTION_MONTH,
    SC_FUNCTION_ROUND,
    SC_FUNCTION_YEAR,
    /* aggregates */
    SC_FUNCTION_AVG,
    SC_FUNCTION_COUNT,
    SC_FUNCTION_HISTOGRAM,
    SC_FUNCTION_MAX,
    SC_FUNCTION_MAX_K,
    SC_FUNCTION_MEDIAN,
    SC_FUNCTION_MIN,
    SC_FUNCTION_MODE,
    SC_FUNCTION_QUANTILE,
    SC_FUNCTION_RANGE,
    SC_FUNCTION_STDDEV,
    SC_FUNCTION_STDDEV_POP,
    SC_FUNCTION_SUM,
    SC_FUNCTION_SUPPORT,
    SC_FUNCTION_VAR,
    SC_FUNCTION_VAR_POP
} sc_function_kind;

typedef struct sc_function {
    const char *name;
    sc_function_kind kind;
    size_t least, most; /* arguments; * counts as one */
    const char *form;   /* how it is called: "BUCKET(x, width)" */
} sc_function;

/* name is in capital letters; NULL when there is none. */
const sc_function *sc_function_find(sc_text name);
/* The name nearest to that one, for did-you-mean; NULL when there is none. */
const char *sc_function_nearest(sc_text name);
bool sc_function_is_aggregate(const sc_function *function);
/* One after the other; NULL behind the last. */
const sc_function *sc_function_at(size_t index);

#endif
