/* A validated question as data: keys, aggregates, conditions and the columns of the answer, with
 * types and public ranges. validate.h makes it from text; everything after that reads it.
 */
#ifndef SC_QUERY_QUESTION_H
#define SC_QUERY_QUESTION_H

#include "query/language/aggregate.h"
#include "query/language/condition_facts.h"
#include "query/language/extent.h"
#include "query/language/released.h"

/* Arithmetic on aggregates of one row of the answer: SUM(pay) / COUNT(*), LEAST(COUNT(x), 100).
 *
 * A formula is computed from released numbers, so it costs nothing. It is a list of steps; the parts of a
 * step stand before it, and the last step is the result. Leaves are numbers and aggregates of the
 * question. Beyond these limits a formula is SCRIM_E_LIMIT. */
#define SC_FORMULA_AGGREGATES 32
#define SC_FORMULA_STEPS 256

typedef enum sc_formula_kind {
    SC_FORMULA_NUMBER = 1,
    SC_FORMULA_AGGREGATE,
    SC_FORMULA_NEGATE,
    SC_FORMULA_ADD,
    SC_FORMULA_SUBTRACT,
    SC_FORMULA_MULTIPLY,
    SC_FORMULA_DIVIDE, /* by 0: NULL */
    SC_FORMULA_ABS,
    SC_FORMULA_FLOOR,    /* to a multiple of the unit */
    SC_FORMULA_ROUND,    /* to the nearest one, half up */
    SC_FORMULA_CLAMP,    /* of a value, between two numbers */
    SC_FORMULA_LEAST,    /* of those that are present */
    SC_FORMULA_GREATEST, /* the same */
    SC_FORMULA_COALESCE,
    SC_FORMULA_NULLIF,
    SC_FORMULA_KINDS
} sc_formula_kind;

typedef struct sc_formula_step {
    sc_formula_kind kind;
    size_t aggregate;    /* of the question */
    sc_extent number;    /* of a number: both ends are equal */
    sc_value_step unit;  /* of FLOOR and ROUND */
    const size_t *parts; /* places of steps before it */
    size_t count;
} sc_formula_step;

typedef struct sc_formula {
    const sc_formula_step *steps;
    size_t count; /* at least 1 */
} sc_formula;

/* Beyond these a query is SCRIM_E_LIMIT. */
#define SC_QUERY_KEYS 64
#define SC_QUERY_AGGREGATES 256
/* A variance squares distances from the centre, which must fit 62 bits. */
#define SC_QUERY_RADIUS_BITS 31

typedef struct sc_query_aggregate {
    const sc_aggregate *kind;
    const sc_typed
        *value; /* NULL for the counts; a number, or for a quantile or bars a date */
    const sc_typed *
        present; /* of COUNT(x): 1 where it counts, else NULL; NULL: every row does. Of COUNT(DISTINCT x): x */
    bool with_range; /* only if the kind has takes_range */
    sc_value_step p; /* of a quantile, between 0 and 1 */
    size_t joint; /* of a quantile: the first aggregate that is one of the same value */
    /* For AVG and the variances, in steps of the value: sums are of x - centre, and of
     * (x - centre)^2 - offset; |x - centre| <= radius, and offset = floor(radius^2 / 2), which is
     * 0 for AVG. */
    int64_t centre, radius, offset;
    /* For bars: the width of buckets, in steps of the value, 0 where the plan chooses it; and the k of
     * MAX_K. */
    int64_t width;
    uint64_t k;
} sc_query_aggregate;

typedef struct sc_query_key {
    const sc_typed *value;
    const sc_column
        *column; /* if the key is a plain column, with its public keys; else NULL */
    uint64_t value_count; /* upper bound of its values; 0: not known, of text */
    /* For computed text: all results from literals and listed keys, in bytewise order; NULL: they are not
     * public. */
    const sc_text *texts;
    size_t text_count;
    bool is_nullable; /* NULL is one more value */
} sc_query_key;

typedef struct sc_query_output {
    bool is_key;
    bool is_bucket; /* of an aggregate that gives a row a bucket: which one it is */
    /* GROUPING: it is a key, too, of the first key; then which keys, first the one of the highest bit. */
    const size_t *grouping;
    size_t grouping_count;
    size_t index;              /* among keys or aggregates; SIZE_MAX of a formula */
    const sc_formula *formula; /* of aggregates; NULL: it is a key or one aggregate */
} sc_query_output;

/* Is it GROUPING of keys? */
static inline bool sc_query_output_is_grouping(const sc_query_output *output)
{
    return output->grouping_count > 0;
}

/* Is it a single aggregate, without arithmetic? */
static inline bool sc_query_output_is_plain(const sc_query_output *output)
{
    return !output->is_key && !output->is_bucket && output->formula == NULL;
}

/* Is it made of that aggregate? */
static inline bool sc_query_output_has(const sc_query_output *output, size_t aggregate)
{
    bool has = !output->is_key && output->index == aggregate;
    for (size_t i = 0; output->formula != NULL && i < output->formula->count; i++)
        has |= output->formula->steps[i].kind == SC_FORMULA_AGGREGATE &&
               output->formula->steps[i].aggregate == aggregate;
    return has;
}

typedef struct sc_query_order {
    size_t output;
    bool descending;
} sc_query_order;

typedef struct sc_person sc_person;
typedef struct sc_unnest sc_unnest;

typedef struct sc_query {
    const sc_schema
        *schema; /* of the rows that it sees: the person's, where there is one */
    const sc_person
        *person; /* makes rows of those of the table (person.h); NULL: they are these */
    /* Makes rows of the elements of a list (unnest.h), and schema has one more column; NULL: none. */
    const sc_unnest *unnest;
    const sc_joined *joined; /* public tables that it joins to the rows (lookup.h) */
    size_t joined_count;
    sc_text canonical;     /* the question: the same tokens, the same question */
    const sc_typed *where; /* NULL: every row */
    const bool *
        is_present; /* by number (typed_node.h): a column that is never NULL where a row counts */
    const sc_query_key *keys;
    size_t key_count;
    /* ROLLUP, CUBE, GROUPING SETS: a query of all keys with its sets, bit i for key i; or (set_query.h) of one set, counted
     * from 1, of whose keys key_count are those of the set, and the others behind them. */
    const uint64_t *sets;
    size_t set_count; /* 0: it has one grouping */
    size_t set;
    const size_t *key_places; /* of one set: where the keys of all are */
    size_t all_key_count;
    const sc_query_aggregate *aggregates;
    size_t aggregate_count;            /* at least 1 */
    const sc_query_output *outputs;    /* in the order of SELECT */
    const sc_released_output *columns; /* their names and types */
    size_t output_count;
    const sc_released *having; /* NULL: every group */
    sc_least_units least;      /* of a group that is kept, beside having */
    const sc_query_order *orders;
    size_t order_count;
    bool has_limit;
    uint64_t limit;
    const size_t
        *reads; /* the columns of the table's schema that it reads, in increasing order */
    size_t read_count;
    bool
        is_consistent; /* parts are made to add up to their totals (estimate/consistent.h) */
} sc_query;

#endif
