/* HAVING and ORDER BY are decided from released values alone, and so cost nothing (A66).
 * They name outputs of the query, by the name behind AS or by the same expression, and constants;
 * a column or an aggregate that SELECT does not have is refused.
 *
 * Claim  released.only  a condition of HAVING reads outputs and constants and nothing else
 * Claim  released.exact  it holds exactly when it holds in rational arithmetic
 */
#ifndef SC_QUERY_RELEASED_H
#define SC_QUERY_RELEASED_H

#include "query/language/aggregate.h"
#include "query/language/like.h"
#include "query/language/typed_node.h"

/* The name of an output, its expression in SELECT, and its type. */
typedef struct sc_released_output {
    sc_text name;
    const sc_node *node; /* NULL: it can be named only */
    sc_type type;
} sc_released_output;

/* The value of an output in one row of the answer. Dates are days, bools 0 and 1. */
typedef struct sc_released_value {
    sc_ratio number; /* has no meaning for text */
    sc_text text;
    bool
        is_empty; /* no value: every condition on it is unknown, and it is ordered last */
} sc_released_value;

typedef struct sc_released sc_released;
struct sc_released {
    sc_node_kind
        kind; /* SC_NODE_NAME: an output; SC_NODE_NUMBER and SC_NODE_TEXT: constants */
    sc_type type;
    size_t output;
    sc_extent constant; /* a number, date or bool */
    sc_text text;
    const sc_released *const *parts;
    size_t count;
    sc_function_kind function; /* of SC_NODE_CALL, which is one of text */
    int64_t first, behind;     /* of SUBSTR: places (text_function.h) */
    const sc_like *like;       /* of SC_NODE_LIKE */
};

typedef struct sc_released_scope {
    const sc_released_output *outputs;
    size_t count;
    const sc_schema *schema;
    sc_arena *arena;
    sc_refusal *refusal;
} sc_released_scope;

/* The output that node is, by name or by expression; SCRIM_E_PARAM or SCRIM_E_POLICY if no
 * output matches. The message names the clause. */
SCRIM_MUST_USE scrim_status sc_released_find(const sc_released_scope *scope,
                                             const sc_node *node, const char *clause,
                                             size_t *output);
/* A condition. SCRIM_E_PARAM, SCRIM_E_POLICY, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_released_condition(const sc_released_scope *scope,
                                                  const sc_node *node,
                                                  const sc_released **out);

/* Does it hold for a row of the answer? values has one for each output. An unknown condition does
 * not hold, nor does its negation, as with NULL in SQL. */
bool sc_released_holds(const sc_released *condition, const sc_released_value *values);
/* Below 0, 0 or above 0, as a is less than, equal to or greater than b; text by its bytes. Neither is
 * empty. */
int sc_released_compare(sc_type type, const sc_released_value *a,
                        const sc_released_value *b);

/* HAVING COUNT(DISTINCT unit) >= n, if SELECT does not show that count: n becomes the threshold of the
 * partition selection, which keeps the groups whose noisy number of units reaches n (stabilise.h).
 * If each row is a unit, the count is COUNT(*).
 *
 * Claim  least-units.taken  such a condition, alone or joined to others by AND, is taken out of HAVING,
 *                           which keeps all others; of several the largest n holds
 */

/* n must be less than this; a condition with a larger one stays in HAVING. */
#define SC_LEAST_UNITS_MAX ((uint64_t)1 << 50)

typedef struct sc_least_units {
    uint64_t count; /* 0: HAVING has no such condition */
    sc_span span;   /* of it */
} sc_least_units;

/* Removes the condition from having, which becomes NULL if nothing is left. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_least_units_take(const sc_released_scope *scope,
                                                const sc_node **having,
                                                sc_least_units *out);

#endif
