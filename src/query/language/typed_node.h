/* Expressions of one row with types and public ranges, as data.
 *
 * Every value is an integer: a count of the steps of its extent, days, 0 or 1, the place of a text
 * on a list; or a text; or NULL (data/value/value.h), as in SQL. The operations are on these alone,
 * and are total: no division by a value that could be 0, no overflow. They give NULL where an operand
 * is, but for those that say otherwise. The extent is that of present values, and is_nullable says
 * that there may be none. typed.h makes expressions, expression.h computes them.
 */
#ifndef SC_QUERY_TYPED_NODE_H
#define SC_QUERY_TYPED_NODE_H

#include "data/value/schema.h"
#include "query/language/date_parts.h"
#include "query/language/extent.h"
#include "query/language/tree.h"

/* A value may be a part of several others, and is computed for each of them; beyond this size of
 * all together an expression is refused. */
#define SC_TYPED_SIZE 4096

typedef enum sc_type {
    SC_TYPE_NONE, /* NULL, until it is used with a value that has a type */
    SC_TYPE_NUMBER,
    SC_TYPE_DATE, /* days from 1970-01-01, in steps of the extent */
    SC_TYPE_BOOL,
    SC_TYPE_TEXT,      /* a text, or the place of one on a list: sc_typed_is_text */
    SC_TYPE_TIMESTAMP, /* seconds from 1970 UTC, in steps of the extent */
    SC_TYPE_RUNG       /* a number, by its rung (key_text.h) */
} sc_type;

/* Is it a date or a timestamp, which has no size of its own and is not added up? */
static inline bool sc_type_is_time(sc_type type)
{
    return type == SC_TYPE_DATE || type == SC_TYPE_TIMESTAMP;
}

typedef enum sc_operation {
    SC_OP_CONSTANT, /* extent.low; of text, texts[extent.low] */
    SC_OP_NULL,     /* never present */
    SC_OP_COLUMN,
    SC_OP_ADD,
    SC_OP_SUBTRACT,
    SC_OP_MULTIPLY,
    SC_OP_SCALE, /* times */
    SC_OP_ABSOLUTE,
    SC_OP_LEAST, /* with skips_null the other one where one is NULL */
    SC_OP_GREATEST,
    SC_OP_QUOTIENT,
    SC_OP_DATE_PART, /* part, of days */
    SC_OP_LOCAL_DAY, /* of seconds: the day that it is in the zone */
    SC_OP_LOCAL_HOUR,
    SC_OP_LOCAL_START, /* of seconds: when the last whole times seconds of the local clock began */
    SC_OP_EQUAL,
    SC_OP_LESS,
    SC_OP_LESS_EQUAL,
    SC_OP_NOT,
    SC_OP_AND,        /* of two or more; false where one is */
    SC_OP_OR,         /* of two or more; true where one is */
    SC_OP_IN,         /* values */
    SC_OP_TEXT_IN,    /* a text; texts */
    SC_OP_TEXT_EQUAL, /* two texts */
    SC_OP_LIKE,       /* a text; like, and its pattern and escape in texts */
    SC_OP_LENGTH,     /* of a text, in characters */
    SC_OP_TEXT_OF,    /* the text of a constant, or of what CASE chooses from a list */
    SC_OP_LOWER,
    SC_OP_UPPER,
    SC_OP_TRIM,     /* spaces at its start where times has 1, at its end where it has 2 */
    SC_OP_PART,     /* from the position values[0] on, before values[1] */
    SC_OP_JOINED,   /* two texts in one */
    SC_OP_IS_NULL,  /* of anything; 0 or 1 */
    SC_OP_PRESENT,  /* of anything: 1 where it is present, else NULL */
    SC_OP_COALESCE, /* the first of two or more that is present */
    SC_OP_CASE, /* condition, value, ..., and the value behind ELSE; a condition that is NULL
                   * does not hold */
    SC_OP_LOOKUP, /* a column of a joined table, by the value of a column (lookup.h); NULL by itself */
    SC_OP_MATCHED /* the same: does the row meet one of the joined table? never NULL */
} sc_operation;

typedef struct sc_lookup sc_lookup; /* lookup.h */
typedef struct sc_joined sc_joined;

typedef struct sc_typed sc_typed;
struct sc_typed {
    sc_operation operation;
    sc_type type;
    sc_extent extent; /* of a text: how many characters it has */
    const sc_typed *const *parts;
    size_t count;
    size_t size; /* of it and its parts, counted as often as they stand there */
    bool is_nullable;
    bool skips_null; /* of SC_OP_LEAST and SC_OP_GREATEST */
    size_t
        column; /* of SC_OP_COLUMN: its place in the schema; of a joined one its number (lookup.h) */
    int64_t times; /* of SC_OP_SCALE and SC_OP_LOCAL_START */
    sc_quotient quotient;
    sc_date_part part; /* of SC_OP_DATE_PART */
    const sc_zone
        *zone; /* of the schema: of a timestamp, and of what is computed from one */
    const int64_t *values; /* of SC_OP_IN: sorted, distinct; perhaps none */
    size_t value_count;
    /* The list of a constant or of CASE, of which values are places, and that of SC_OP_TEXT_IN:
     * distinct and, but for rungs, in bytewise order. */
    const sc_text *texts;
    size_t text_count;
    const struct sc_like *like; /* of SC_OP_LIKE */
    const sc_lookup *lookup;    /* of SC_OP_LOOKUP and SC_OP_MATCHED */
    /* For SC_TYPE_RUNG: the step and type of what stands on rungs. If the query lists the rungs, texts
     * has theirs in increasing order. */
    sc_value_step rung;
    sc_type rung_type;
};

typedef struct sc_typing {
    const sc_schema *schema;
    const sc_tree *tree; /* whose names behind AS are told from columns in messages */
    sc_arena *arena;
    sc_refusal *refusal;
    unsigned depth;          /* of the expression that is read; 0: none */
    const sc_joined *joined; /* tables that FROM joins */
    size_t joined_count;
} sc_typing;

/* Does a row bring it: a column of the schema, or one of a joined table? Facts speak of these, by number. */
static inline bool sc_typed_is_cell(const sc_typed *typed)
{
    return typed->operation == SC_OP_COLUMN || typed->operation == SC_OP_LOOKUP ||
           typed->operation == SC_OP_MATCHED;
}

/* How many numbers there are for them. */
static inline size_t sc_cell_count(const sc_schema *schema)
{
    return schema->column_count + schema->joined_count;
}

/* "a number", "a date", "true or false", "text". */
const char *sc_type_text(sc_type type);
/* The start of the interval of `seconds` of the local clock that the instant is in. */
int64_t sc_local_start(const sc_zone *zone, int64_t instant, int64_t seconds);
/* The most present values that it can have; 0: not known (a text column). */
uint64_t sc_typed_value_count(const sc_typed *typed);
/* The present value behind one, in increasing order; the first is extent.low. Not of a text column. */
int64_t sc_typed_next_value(const sc_typed *typed, int64_t value);
bool sc_typed_is_text_column(const sc_typed *typed);
/* Marks the columns of the schema that it is computed from, by their places. */
void sc_typed_mark_columns(const sc_typed *typed, bool *is_read);
/* Are its values texts, and not places on a list? So it is of columns and of what is computed from
 * them, whether the owner lists keys or not. */
bool sc_typed_is_text(const sc_typed *typed);
/* May it be NULL in rows where columns are present as is_present says, by their places in the schema?
 * NULL: nothing is known of them. */
bool sc_typed_may_be_null(const sc_typed *typed, const bool *is_present);

/* Are two expressions equal, operation by operation? Nothing is simplified: age + 1 and 1 + age
 * differ. */
bool sc_typed_equal(const sc_typed *a, const sc_typed *b);

/* In which rows a value is present, by public facts. */

/* Are two values certainly present in the same rows? True for equal expressions, and for operations that
 * pass NULL on and read the same nullable columns; under equal conditions if both are CASE WHEN condition
 * THEN value END, as FILTER makes them. is_present marks columns that are never NULL, by their places in
 * the schema; NULL: none is known. */
bool sc_presence_equal(const sc_typed *a, const sc_typed *b, const bool *is_present);

/* The values that sc_presence_equal compares. */

/* The value of CASE WHEN condition THEN value END, as FILTER makes it; else typed itself, with no condition. */
const sc_typed *sc_presence_value(const sc_typed *typed, const sc_typed **condition);
/* Is it NULL exactly where a column of it is? */
bool sc_presence_is_of_columns(const sc_typed *typed);
/* Does it read this column of the schema, which may be NULL? */
bool sc_presence_needs(const sc_typed *typed, size_t column, const bool *is_present);

#endif
