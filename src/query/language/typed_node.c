#include "query/language/typed_node.h"

/* The most truncated times that are counted one by one. */
#define TRUNCATED_MAX (1 << 17)

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
    case SC_TYPE_TIMESTAMP:
        return "a timestamp";
    case SC_TYPE_RUNG:
        return "a step of LADDER";
    }
    return "nothing";
}

bool sc_typed_is_text_column(const sc_typed *typed)
{
    return typed->type == SC_TYPE_TEXT && typed->operation == SC_OP_COLUMN;
}

bool sc_typed_is_text(const sc_typed *typed)
{
    return typed->type == SC_TYPE_TEXT && typed->texts == NULL &&
           typed->operation != SC_OP_NULL;
}

/* Does it truncate times, to first days of years or to full hours? Then its values have gaps. */
static bool is_truncated(const sc_typed *typed)
{
    return typed->operation == SC_OP_LOCAL_START ||
           (typed->operation == SC_OP_DATE_PART && sc_date_part_is_first(typed->part));
}

int64_t sc_local_start(const sc_zone *zone, int64_t instant, int64_t seconds)
{
    const int64_t local = sc_zone_local(zone, instant);
    return instant - (local - sc_floor_divide(local, seconds) * seconds);
}

/* The next start of an interval. It is a whole unit away, or at a change of the zone's offset. */
static int64_t next_start(const sc_typed *typed, int64_t value)
{
    const sc_zone *zone = typed->zone;
    int64_t next = INT64_MAX;
    for (int64_t i = 1; i <= 3; i++) {
        const int64_t at = sc_local_start(zone, value + i * typed->times, typed->times);
        next = at > value && at < next ? at : next;
    }
    for (size_t i = 1; i < zone->count; i++) {
        const int64_t at = sc_local_start(zone, zone->from[i], typed->times);
        next = at > value && at < next ? at : next;
    }
    return next;
}

int64_t sc_typed_next_value(const sc_typed *typed, int64_t value)
{
    return typed->operation == SC_OP_LOCAL_START ? next_start(typed, value)
           : is_truncated(typed)                 ? sc_date_part_next(typed->part, value)
                                                 : value + 1;
}

uint64_t sc_typed_value_count(const sc_typed *typed)
{
    uint64_t count = 1;
    if (sc_typed_is_text(typed))
        return 0;
    /* Too many to count are too many to show: the width of the extent is enough. */
    if (!is_truncated(typed) ||
        (typed->operation == SC_OP_LOCAL_START &&
         (typed->extent.high - typed->extent.low) / typed->times > TRUNCATED_MAX))
        return (uint64_t)typed->extent.high - (uint64_t)typed->extent.low + 1;
    for (int64_t at = typed->extent.low; at < typed->extent.high; count++)
        at = sc_typed_next_value(typed, at);
    return count;
}

static bool is_value_of_case(const sc_typed *typed, size_t part)
{
    return part % 2 == 1 || part + 1 == typed->count;
}

/* A value behind WHEN x IS NULL, where x is present. */
static bool is_never_chosen(const sc_typed *typed, size_t part, const bool *is_present)
{
    return part + 1 < typed->count &&
           typed->parts[part - 1]->operation == SC_OP_IS_NULL &&
           !sc_typed_may_be_null(typed->parts[part - 1]->parts[0], is_present);
}

bool sc_typed_may_be_null(const sc_typed *typed, const bool *is_present)
{
    const bool needs_all =
        typed->operation == SC_OP_COALESCE || typed->skips_null; /* to be NULL */
    if (typed->operation == SC_OP_NULL)
        return true;
    if (sc_typed_is_cell(typed))
        return typed->is_nullable && (is_present == NULL || !is_present[typed->column]);
    if (typed->operation == SC_OP_IS_NULL || typed->operation == SC_OP_CONSTANT)
        return false;
    for (size_t i = 0; i < typed->count; i++) {
        if (typed->operation == SC_OP_CASE &&
            (!is_value_of_case(typed, i) || is_never_chosen(typed, i, is_present)))
            continue;
        if (sc_typed_may_be_null(typed->parts[i], is_present) != needs_all)
            return !needs_all;
    }
    return needs_all;
}

void sc_typed_mark_columns(const sc_typed *typed, bool *is_read)
{
    if (typed->operation == SC_OP_COLUMN)
        is_read[typed->column] = true;
    for (size_t i = 0; i < typed->count; i++)
        sc_typed_mark_columns(typed->parts[i], is_read);
}

static bool extents_equal(const sc_extent *a, const sc_extent *b)
{
    return a->low == b->low && a->high == b->high && sc_step_equal(a->step, b->step);
}

static bool lists_equal(const sc_typed *a, const sc_typed *b)
{
    if (a->value_count != b->value_count || a->text_count != b->text_count)
        return false;
    for (size_t i = 0; i < a->value_count; i++)
        if (a->values[i] != b->values[i])
            return false;
    for (size_t i = 0; i < a->text_count; i++)
        if (!sc_text_equal(a->texts[i], b->texts[i]))
            return false;
    return true;
}

bool sc_typed_equal(const sc_typed *a, const sc_typed *b)
{
    if (a == b)
        return true;
    if (a->operation != b->operation || a->type != b->type || a->count != b->count ||
        a->size != b->size || a->is_nullable != b->is_nullable ||
        a->skips_null != b->skips_null || a->column != b->column ||
        a->times != b->times || a->quotient.times != b->quotient.times ||
        a->part != b->part || a->quotient.plus != b->quotient.plus ||
        a->quotient.by != b->quotient.by || !lists_equal(a, b))
        return false;
    if (!sc_typed_is_text_column(a) && !extents_equal(&a->extent, &b->extent))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!sc_typed_equal(a->parts[i], b->parts[i]))
            return false;
    return true;
}

/* Presence. */

bool sc_presence_is_of_columns(const sc_typed *typed)
{
    if (typed->operation == SC_OP_COALESCE || typed->operation == SC_OP_CASE ||
        typed->operation == SC_OP_AND || typed->operation == SC_OP_OR ||
        typed->operation == SC_OP_IS_NULL || typed->operation == SC_OP_NULL ||
        typed->skips_null)
        return false;
    if (sc_typed_is_cell(typed))
        return true;
    for (size_t i = 0; i < typed->count; i++)
        if (!sc_presence_is_of_columns(typed->parts[i]))
            return false;
    return true;
}

static bool has_column(const sc_typed *typed, size_t column)
{
    if (sc_typed_is_cell(typed))
        return typed->column == column;
    for (size_t i = 0; i < typed->count; i++)
        if (has_column(typed->parts[i], column))
            return true;
    return false;
}

/* Are all columns of a that may be NULL also in b? */
static bool is_within(const sc_typed *a, const sc_typed *b, const bool *is_present)
{
    if (sc_typed_is_cell(a))
        return !sc_typed_may_be_null(a, is_present) || has_column(b, a->column);
    for (size_t i = 0; i < a->count; i++)
        if (!is_within(a->parts[i], b, is_present))
            return false;
    return true;
}

const sc_typed *sc_presence_value(const sc_typed *typed, const sc_typed **condition)
{
    const bool is_filter = typed->operation == SC_OP_CASE && typed->count == 3 &&
                           typed->parts[2]->operation == SC_OP_NULL;
    *condition = is_filter ? typed->parts[0] : NULL;
    return is_filter ? typed->parts[1] : typed;
}

bool sc_presence_equal(const sc_typed *a, const sc_typed *b, const bool *is_present)
{
    const sc_typed *if_a, *if_b, *x = sc_presence_value(a, &if_a),
                                 *y = sc_presence_value(b, &if_b);
    if (sc_typed_equal(a, b))
        return true;
    if ((if_a == NULL) != (if_b == NULL) || (if_a != NULL && !sc_typed_equal(if_a, if_b)))
        return false;
    return sc_presence_is_of_columns(x) && sc_presence_is_of_columns(y) &&
           is_within(x, y, is_present) && is_within(y, x, is_present);
}

bool sc_presence_needs(const sc_typed *typed, size_t column, const bool *is_present)
{
    if (sc_typed_is_cell(typed))
        return typed->column == column && sc_typed_may_be_null(typed, is_present);
    for (size_t i = 0; i < typed->count; i++)
        if (sc_presence_needs(typed->parts[i], column, is_present))
            return true;
    return false;
}
