#include "query/language/typed_node.h"

const char *sc_type_text(sc_type type)
{
    switch (type) {
    case SC_TYPE_NONE:
        return "NULL";
    case SC_TYPE_NUMBER:
        return "a number";
    case SC_TYPE_DATE:
        return "a date";
    case SC_TYPE_BOOL:
        return "true or false";
    case SC_TYPE_TEXT:
        return "text";
    }
    return "nothing";
}

bool sc_typed_is_text_column(const sc_typed *typed)
{
    return typed->type == SC_TYPE_TEXT && typed->operation == SC_OP_COLUMN;
}

/* The first days of years or the like: not every day between the ends is one. */
static bool is_truncated(const sc_typed *typed)
{
    return typed->operation == SC_OP_DATE_PART && sc_date_part_is_first(typed->part);
}

int64_t sc_typed_next_value(const sc_typed *typed, int64_t value)
{
    return is_truncated(typed) ? sc_date_part_next(typed->part, value) : value + 1;
}

uint64_t sc_typed_value_count(const sc_typed *typed)
{
    uint64_t count = 1;
    if (sc_typed_is_text_column(typed))
        return 0;
    if (!is_truncated(typed))
        return (uint64_t)typed->extent.high - (uint64_t)typed->extent.low + 1;
    for (int64_t at = typed->extent.low; at < typed->extent.high; count++)
        at = sc_typed_next_value(typed, at);
    return count;
}

static bool is_value_of_case(const sc_typed *typed, size_t part)
{
    return part % 2 == 1 || part + 1 == typed->count;
}

bool sc_typed_may_be_null(const sc_typed *typed, const bool *is_present)
{
    const bool needs_all =
        typed->operation == SC_OP_COALESCE || typed->skips_null; /* to be NULL */
    if (typed->operation == SC_OP_NULL)
        return true;
    if (typed->operation == SC_OP_COLUMN)
        return typed->is_nullable && (is_present == NULL || !is_present[typed->column]);
    if (typed->operation == SC_OP_IS_NULL || typed->operation == SC_OP_CONSTANT)
        return false;
    for (size_t i = 0; i < typed->count; i++) {
        if (typed->operation == SC_OP_CASE && !is_value_of_case(typed, i))
            continue;
        if (sc_typed_may_be_null(typed->parts[i], is_present) != needs_all)
            return !needs_all;
    }
    return needs_all;
}
