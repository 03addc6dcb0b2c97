#include "query/language/typed_equal.h"

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
