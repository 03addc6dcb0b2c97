/* The functions of the query language: aggregates, and functions of one row. A function that is not on
 * these lists is refused (A65).
 *
 * An aggregate is one constant descriptor: how it is written, which numbers of a group it is computed
 * from, how a plan weighs them, how answers and predictions follow from what is released, and its words.
 * All other code asks the descriptor and never which aggregate it is (tools/check_layers looks).
 *
 * Each room declares what it asks of an aggregate: reading here, sc_weighing in query/plan/division.h,
 * sc_estimate_rule in query/estimate/estimate.h, sc_bar_rule in query/estimate/bar_answer.h. Here these
 * are pointers to structs that only their rooms look into. The constants stand above all of them, in
 * query/aggregate, so that no room knows one.
 */
#ifndef SC_QUERY_AGGREGATE_H
#define SC_QUERY_AGGREGATE_H

#include "base/text.h"
#include "query/language/date_parts.h"
#include "scrim/status.h"

struct sc_node;
struct sc_typing;
struct sc_query_aggregate;
struct sc_weighing;
struct sc_estimate_rule;
struct sc_bar_rule;

/* A function as it is written. */
typedef struct sc_call_form {
    const char *name;   /* in capital letters */
    size_t least, most; /* arguments; * counts as one */
    const char *form;   /* how it is called: "BUCKET(x, width)" */
    const char *items;  /* names its further arguments if it takes a list; or NULL */
} sc_call_form;

/* The numbers of a group that an aggregate is computed from (query/rows/statistic.h). */
typedef enum sc_aggregate_reads {
    SC_READS_UNITS = 1,
    SC_READS_ROWS = 2,
    SC_READS_SUM =
        4, /* of x; or of x - centre and the rows, where these are drawn anyway */
    SC_READS_CENTRED = 8, /* the sum of x - centre */
    SC_READS_SQUARES = 16,
    SC_READS_RANKS = 32,  /* quantiles, and the rows about them */
    SC_READS_BARS = 64,   /* a histogram */
    SC_READS_VALUES = 128 /* how many different values there are */
} sc_aggregate_reads;

/* The columns that an answer shows. */
typedef enum sc_aggregate_shape {
    SC_SHAPE_VALUE,   /* one value a group */
    SC_SHAPE_BUCKETS, /* a row a bucket: which it is */
    SC_SHAPE_COUNTS   /* a row a bucket: which it is, and how much it holds */
} sc_aggregate_shape;

/* The range of its value, if x is from low to high. */
typedef enum sc_aggregate_span {
    SC_SPAN_OPEN,        /* any */
    SC_SPAN_VALUE,       /* low to high */
    SC_SPAN_WIDTH,       /* 0 to high - low */
    SC_SPAN_HALF,        /* 0 to (high - low) / 2 */
    SC_SPAN_HALF_SQUARED /* 0 to its square */
} sc_aggregate_span;

#define SC_CALL_FORMS 2

typedef struct sc_aggregate {
    const char *name; /* in plans: "COUNT DISTINCT", "MAX" */
    sc_call_form
        forms[SC_CALL_FORMS]; /* no name behind the last; none: read by another */
    unsigned reads;           /* of sc_aggregate_reads */
    sc_aggregate_shape shape;
    sc_aggregate_span span;
    bool takes_distinct, takes_range; /* DISTINCT, WITH RANGE */
    bool takes_k;                     /* its second argument is a number of rows */
    bool is_sample, is_root; /* of a variance: by N - 1; its root, the deviation */
    bool is_unpredicted;     /* a plan predicts no error */
    const char
        *text_order;  /* behind the count of text to ask for in its place, for bars */
    const char *note; /* on the intervals of an answer; or NULL */
    /* Reads a call whose number of arguments is right, into one aggregate or into as many as count says;
     * out has room for one an argument, and out[0] has this kind. */
    scrim_status (*read)(struct sc_typing *typing, const struct sc_node *node,
                         const sc_call_form *form, struct sc_query_aggregate *out,
                         size_t *count);
    /* Says which numbers make up its error, and by how much. */
    void (*weigh)(const struct sc_weighing *weighing);
    /* One of the two: */
    const struct sc_estimate_rule *numbers;
    const struct sc_bar_rule *bars;
} sc_aggregate;

/* The aggregates in order; NULL behind the last. The list is in query/aggregate/aggregates.c. */
const sc_aggregate *sc_aggregate_at(size_t index);

/* Functions of one row. */
/* The most rungs that a query lists in LADDER. */
#define SC_LADDER_RUNGS 32

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

/* name is in capital letters; false for an unknown function. */
bool sc_function_find(sc_text name, sc_function *out);
/* The most similar name, for did-you-mean; NULL if none is similar. */
const char *sc_function_nearest(sc_text name);
/* All functions in order; false behind the last. */
bool sc_function_at(size_t index, sc_function *out);

#endif
