#include "query/language/presence.h"

#include "query/language/typed_equal.h"

/* Is it NULL exactly where a column of it is? */
static bool passes_null(const sc_typed *typed)
{
    if (typed->operation == SC_OP_COALESCE || typed->operation == SC_OP_CASE ||
        typed->operation == SC_OP_AND || typed->operation == SC_OP_OR ||
        typed->operation == SC_OP_IS_NULL || typed->operation == SC_OP_NULL ||
        typed->skips_null)
        return false;
    for (size_t i = 0; i < typed->count; i++)
        if (!passes_null(typed->parts[i]))
            return false;
    return true;
}

static bool has_column(const sc_typed *typed, size_t column)
{
    if (typed->operation == SC_OP_COLUMN)
        return typed->column == column;
    for (size_t i = 0; i < typed->count; i++)
        if (has_column(typed->parts[i], column))
            return true;
    return false;
}

/* Are all columns of a that may be NULL also in b? */
static bool is_within(const sc_typed *a, const sc_typed *b, const bool *is_present)
{
    if (a->operation == SC_OP_COLUMN)
        return !sc_typed_may_be_null(a, is_present) || has_column(b, a->column);
    for (size_t i = 0; i < a->count; i++)
        if (!is_within(a->parts[i], b, is_present))
            return false;
    return true;
}

/* The value of CASE WHEN condition THEN value END; else itself. */
static const sc_typed *under_condition(const sc_typed *typed, const sc_typed **condition)
{
    const bool is_filter = typed->operation == SC_OP_CASE && typed->count == 3 &&
                           typed->parts[2]->operation == SC_OP_NULL;
    *condition = is_filter ? typed->parts[0] : NULL;
    return is_filter ? typed->parts[1] : typed;
}

bool sc_presence_equal(const sc_typed *a, const sc_typed *b, const bool *is_present)
{
    const sc_typed *if_a, *if_b, *x = under_condition(a, &if_a),
                                 *y = under_condition(b, &if_b);
    if (sc_typed_equal(a, b))
        return true;
    if ((if_a == NULL) != (if_b == NULL) || (if_a != NULL && !sc_typed_equal(if_a, if_b)))
        return false;
    return passes_null(x) && passes_null(y) && is_within(x, y, is_present) &&
           is_within(y, x, is_present);
}
