/* Arithmetic on aggregates of one row of the answer: SUM(pay) / COUNT(*), LEAST(COUNT(x), 100).
 *
 * A formula is computed from released numbers, so that it costs nothing. It is a list of steps, the
 * parts of a step before it and the whole last; its leaves are numbers and aggregates of the question.
 */
#ifndef SC_QUERY_FORMULA_H
#define SC_QUERY_FORMULA_H

#include "query/language/extent.h"

/* Beyond these a formula is SCRIM_E_LIMIT. */
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

#endif
