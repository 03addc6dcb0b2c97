#include "base/checked.h"
#include "query/language/typed.h"

#include <stdlib.h>

/* Types of two sides. */

bool sc_typed_is_text_constant(const sc_typed *typed)
{
    return typed->type == SC_TYPE_TEXT && typed->operation == SC_OP_CONSTANT;
}

/* Beside a timestamp: text that is one, and a date that is written out, which is its midnight. */
static scrim_status to_moment(sc_typing *typing, const sc_node *node,
                              const sc_typed **typed)
{
    if (sc_typed_is_text_constant(*typed))
        return sc_typing_moment(typing, node->span, (*typed)->texts[0], typed);
    const int64_t days = (*typed)->extent.low * (*typed)->extent.step.numerator;
    return sc_typing_constant(
        typing, SC_TYPE_TIMESTAMP,
        sc_zone_instant(typing->schema->zone, days * SC_DAY_SECONDS), typed);
}

static bool can_be_moment(const sc_typed *typed)
{
    return sc_typed_is_text_constant(typed) ||
           (typed->type == SC_TYPE_DATE && sc_typed_is_constant(typed));
}

/* Advice if the types differ; 2025-06-01 without quotes is a difference of numbers. */
static const char *advice_for(sc_type a, sc_type b)
{
    if (a == SC_TYPE_BOOL || b == SC_TYPE_BOOL)
        return "; write x = TRUE or x = FALSE";
    const bool has_number = a == SC_TYPE_NUMBER || b == SC_TYPE_NUMBER;
    if (has_number && (a == SC_TYPE_DATE || b == SC_TYPE_DATE))
        return ": write dates in single quotes, '2026-01-31'";
    if (has_number && (a == SC_TYPE_TIMESTAMP || b == SC_TYPE_TIMESTAMP))
        return ": write times in single quotes, '2026-01-31 12:00:00'";
    return ": write numbers without quotes and text in single quotes";
}

/* Text that stands beside a date is read as one; then the types must be the same. */
scrim_status sc_typing_unify(sc_typing *typing, const sc_node *node_a, const sc_typed **a,
                             const sc_node *node_b, const sc_typed **b)
{
    if ((*a)->type == (*b)->type)
        return SCRIM_OK;
    if ((*a)->type == SC_TYPE_NONE)
        return sc_typing_null(typing, (*b)->type, a);
    if ((*b)->type == SC_TYPE_NONE)
        return sc_typing_null(typing, (*a)->type, b);
    if ((*a)->type == SC_TYPE_DATE && sc_typed_is_text_constant(*b))
        return sc_typing_date(typing, node_b->span, (*b)->texts[0], b);
    if ((*b)->type == SC_TYPE_DATE && sc_typed_is_text_constant(*a))
        return sc_typing_date(typing, node_a->span, (*a)->texts[0], a);
    if ((*a)->type == SC_TYPE_TIMESTAMP && can_be_moment(*b))
        return to_moment(typing, node_b, b);
    if ((*b)->type == SC_TYPE_TIMESTAMP && can_be_moment(*a))
        return to_moment(typing, node_a, a);
    return sc_refuse(
        typing->refusal, node_b->span, SCRIM_E_PARAM,
        "cannot compare or combine %s with %s; both must have the same type%s",
        sc_type_text((*b)->type), sc_type_text((*a)->type),
        advice_for((*a)->type, (*b)->type));
}

static sc_typed truth(sc_operation operation, bool can_be_false, bool can_be_true)
{
    return (sc_typed){.operation = operation,
                      .type = SC_TYPE_BOOL,
                      .extent = {!can_be_false, can_be_true, {1, 1}}};
}

/* Lists of values. */

/* Is a number, date or bool among constants? Those that it can never be are left out. */
static scrim_status among_values(sc_typing *typing, const sc_typed *value,
                                 const sc_typed *const *list, size_t count,
                                 const sc_typed **out)
{
    int64_t *values = sc_arena_allocate(typing->arena, count, sizeof *values);
    const sc_extent *extent = &value->extent;
    size_t kept = 0, distinct = 0;
    if (values == NULL)
        return sc_refuse_memory(typing->refusal);
    for (size_t i = 0; i < count; i++)
        if (sc_extent_count_of(&list[i]->extent, extent->step, &values[kept]) &&
            values[kept] >= extent->low && values[kept] <= extent->high)
            kept++;
    qsort(values, kept, sizeof *values, sc_int64_order);
    for (size_t i = 0; i < kept; i++)
        if (i == 0 || values[i] != values[i - 1])
            values[distinct++] = values[i];
    /* Does the list hold every possible value? */
    const uint64_t more = (uint64_t)extent->high - (uint64_t)extent->low;
    sc_typed in = truth(SC_OP_IN, more >= distinct, distinct > 0);
    in.values = values;
    in.value_count = distinct;
    return sc_typing_operation(typing, in, value, NULL, out);
}

static int compare_texts(const void *a, const void *b)
{
    return sc_text_compare(*(const sc_text *)a, *(const sc_text *)b);
}

/* Sorts, and keeps one of equals; returns how many are left. */
size_t sc_typing_sort_texts(sc_text *texts, size_t count)
{
    size_t distinct = 0;
    qsort(texts, count, sizeof *texts, compare_texts);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !sc_text_equal(texts[i], texts[i - 1]))
            texts[distinct++] = texts[i];
    return distinct;
}

static scrim_status among_texts(sc_typing *typing, sc_span place, const sc_typed *value,
                                const sc_typed *const *list, size_t count,
                                const sc_typed **out)
{
    sc_text *texts = sc_arena_allocate(typing->arena, count, sizeof *texts);
    sc_typed in = truth(SC_OP_TEXT_IN, true, true);
    if (texts == NULL)
        return sc_refuse_memory(typing->refusal);
    for (size_t i = 0; i < count; i++)
        texts[i] = list[i]->texts[0];
    in.texts = texts;
    in.text_count = sc_typing_sort_texts(texts, count);
    SC_TRY(sc_typing_text_of(typing, place, value, &value));
    return sc_typing_operation(typing, in, value, NULL, out);
}

/* Comparisons of two sides of one type. */

static scrim_status equal_texts(sc_typing *typing, sc_span place, const sc_typed *a,
                                const sc_typed *b, const sc_typed **out)
{
    if (sc_typed_is_null(a) || sc_typed_is_null(b))
        return sc_typing_null(typing, SC_TYPE_BOOL, out);
    if (sc_typed_is_text_constant(a) && sc_typed_is_text_constant(b))
        return sc_typing_constant(typing, SC_TYPE_BOOL,
                                  sc_text_equal(a->texts[0], b->texts[0]), out);
    if (sc_typed_is_text_constant(b))
        return among_texts(typing, place, a, &b, 1, out);
    if (sc_typed_is_text_constant(a))
        return among_texts(typing, place, b, &a, 1, out);
    SC_TRY(sc_typing_text_of(typing, place, a, &a));
    SC_TRY(sc_typing_text_of(typing, place, b, &b));
    return sc_typing_operation(typing, truth(SC_OP_TEXT_EQUAL, true, true), a, b, out);
}

scrim_status sc_typing_equal(sc_typing *typing, sc_span place, const sc_typed *a,
                             const sc_typed *b, const sc_typed **out)
{
    if (a->type == SC_TYPE_TEXT)
        return equal_texts(typing, place, a, b, out);
    if (sc_typed_is_null(a) || sc_typed_is_null(b))
        return sc_typing_null(typing, SC_TYPE_BOOL, out);
    if (sc_typed_is_constant(b))
        return among_values(typing, a, &b, 1, out);
    if (sc_typed_is_constant(a))
        return among_values(typing, b, &a, 1, out);
    SC_TRY(sc_typing_align(typing, place, &a, &b));
    const bool apart = a->extent.high < b->extent.low || b->extent.high < a->extent.low;
    return sc_typing_operation(typing, truth(SC_OP_EQUAL, true, !apart), a, b, out);
}

scrim_status sc_typing_less(sc_typing *typing, sc_span place, bool or_equal,
                            const sc_typed *a, const sc_typed *b, const sc_typed **out)
{
    if (sc_typed_is_null(a) || sc_typed_is_null(b))
        return sc_typing_null(typing, SC_TYPE_BOOL, out);
    if (a->type == SC_TYPE_TEXT)
        return sc_refuse(
            typing->refusal, place, SCRIM_E_POLICY,
            "text has no order here; use = or <>, or list the values: x IN ('a', 'b')");
    SC_TRY(sc_typing_align(typing, place, &a, &b));
    const sc_extent *x = &a->extent, *y = &b->extent;
    const sc_typed value =
        or_equal ? truth(SC_OP_LESS_EQUAL, x->high > y->low, x->low <= y->high)
                 : truth(SC_OP_LESS, x->high >= y->low, x->low < y->high);
    return sc_typing_operation(typing, value, a, b, out);
}

scrim_status sc_typing_negate(sc_typing *typing, const sc_typed *a, const sc_typed **out)
{
    return sc_typing_operation(
        typing, truth(SC_OP_NOT, a->extent.high == 1, a->extent.low == 0), a, NULL, out);
}

static scrim_status type_comparison(sc_typing *typing, const sc_node *node,
                                    const sc_typed **out)
{
    const sc_typed *a, *b;
    scrim_status status = sc_typed_row(typing, node->list[0], &a);
    if (status == SCRIM_OK)
        status = sc_typed_row(typing, node->list[1], &b);
    if (status == SCRIM_OK)
        status = sc_typing_unify(typing, node->list[0], &a, node->list[1], &b);
    if (status != SCRIM_OK)
        return status;
    if (node->kind == SC_NODE_EQUAL || node->kind == SC_NODE_NOT_EQUAL) {
        status = sc_typing_equal(typing, node->span, a, b, out);
        return status == SCRIM_OK && node->kind == SC_NODE_NOT_EQUAL
                   ? sc_typing_negate(typing, *out, out)
                   : status;
    }
    const bool swaps =
        node->kind == SC_NODE_GREATER || node->kind == SC_NODE_GREATER_EQUAL;
    const bool or_equal =
        node->kind == SC_NODE_LESS_EQUAL || node->kind == SC_NODE_GREATER_EQUAL;
    return sc_typing_less(typing, node->span, or_equal, swaps ? b : a, swaps ? a : b,
                          out);
}

/* Present values of AND are true where all parts are, and false where one may be; of OR the other way
 * round. */
static sc_typed truth_of_parts(sc_operation operation, const sc_typed *const *parts,
                               size_t count)
{
    const bool is_or = operation == SC_OP_OR;
    bool some_false = is_or, some_true = !is_or;
    for (size_t i = 0; i < count; i++) {
        const bool can_be_false = parts[i]->extent.low == 0,
                   can_be_true = parts[i]->extent.high == 1;
        some_false = is_or ? some_false && can_be_false : some_false || can_be_false;
        some_true = is_or ? some_true || can_be_true : some_true && can_be_true;
    }
    sc_typed value = truth(operation, some_false, some_true);
    value.parts = parts;
    value.count = count;
    return value;
}

/* AND, OR. A part that cannot change the result is dropped; one that decides it is the result. */
static scrim_status join(sc_typing *typing, sc_operation operation,
                         const sc_typed *const *list, size_t count, const sc_typed **out)
{
    const sc_typed **parts;
    const int64_t decides = operation == SC_OP_OR;
    size_t kept = 0;
    SC_TRY(sc_typing_parts(typing, count, &parts));
    for (size_t i = 0; i < count; i++) {
        if (!sc_typed_is_constant(list[i]))
            parts[kept++] = list[i];
        else if (list[i]->extent.low == decides)
            return sc_typing_constant(typing, SC_TYPE_BOOL, decides, out);
    }
    if (kept == 0)
        return sc_typing_constant(typing, SC_TYPE_BOOL, !decides, out);
    if (kept == 1) {
        *out = parts[0];
        return SCRIM_OK;
    }
    return sc_typing_make(typing, truth_of_parts(operation, parts, kept), out);
}

static scrim_status type_join(sc_typing *typing, const sc_node *node,
                              const sc_typed **out)
{
    const bool is_and = node->kind == SC_NODE_AND;
    const sc_typed **parts;
    scrim_status status = sc_typing_parts(typing, node->count, &parts);
    for (size_t i = 0; status == SCRIM_OK && i < node->count; i++)
        status =
            sc_typed_condition(typing, node->list[i], is_and ? "AND" : "OR", &parts[i]);
    return status == SCRIM_OK
               ? join(typing, is_and ? SC_OP_AND : SC_OP_OR, parts, node->count, out)
               : status;
}

static scrim_status type_between(sc_typing *typing, const sc_node *node,
                                 const sc_typed **out)
{
    const sc_node *const *list = node->list;
    const sc_typed *ends[2], *value;
    scrim_status status = sc_typed_row(typing, list[0], &value);
    for (size_t i = 0; status == SCRIM_OK && i < 2; i++)
        status = sc_typed_row(typing, list[i + 1], &ends[i]);
    /* Twice: a date makes dates of the texts before it too. */
    for (size_t i = 0; status == SCRIM_OK && i < 4; i++)
        status = sc_typing_unify(typing, list[0], &value, list[i % 2 + 1], &ends[i % 2]);
    if (status == SCRIM_OK)
        status = sc_typing_less(typing, node->span, true, ends[0], value, &ends[0]);
    if (status == SCRIM_OK)
        status = sc_typing_less(typing, node->span, true, value, ends[1], &ends[1]);
    return status == SCRIM_OK ? join(typing, SC_OP_AND, ends, 2, out) : status;
}

static scrim_status type_in(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    const size_t count = node->count - 1;
    const sc_typed *value, **list = NULL;
    bool constant = true;
    scrim_status status = sc_typed_row(typing, node->list[0], &value);
    if (status == SCRIM_OK)
        status = sc_typing_parts(typing, count, &list);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = sc_typed_row(typing, node->list[i + 1], &list[i]);
    /* Twice: a date makes dates of the texts before it too. */
    for (size_t i = 0; status == SCRIM_OK && i < 2 * count; i++)
        status = sc_typing_unify(typing, node->list[0], &value, node->list[i % count + 1],
                                 &list[i % count]);
    if (status != SCRIM_OK)
        return status;
    if (sc_typed_is_null(value))
        return sc_typing_null(typing, SC_TYPE_BOOL, out);
    for (size_t i = 0; i < count; i++)
        constant &= list[i]->operation == SC_OP_CONSTANT;
    if (constant && value->type == SC_TYPE_TEXT && !sc_typed_is_text_constant(value))
        return among_texts(typing, node->span, value, list, count, out);
    if (constant && value->type != SC_TYPE_TEXT)
        return among_values(typing, value, list, count, out);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = sc_typing_equal(typing, node->span, value, list[i], &list[i]);
    return status == SCRIM_OK ? join(typing, SC_OP_OR, list, count, out) : status;
}

/* NULL as a value. */

static scrim_status is_null(sc_typing *typing, const sc_typed *value,
                            const sc_typed **out)
{
    return value->is_nullable
               ? sc_typing_operation(typing,
                                     truth(SC_OP_IS_NULL, !sc_typed_is_null(value), true),
                                     value, NULL, out)
               : sc_typing_constant(typing, SC_TYPE_BOOL, 0, out);
}

/* A condition, or false where it is NULL. */
scrim_status sc_typing_or_false(sc_typing *typing, const sc_typed *condition,
                                const sc_typed **out)
{
    const sc_typed *no;
    if (sc_typed_is_null(condition))
        return sc_typing_constant(typing, SC_TYPE_BOOL, 0, out);
    const scrim_status status = sc_typing_constant(typing, SC_TYPE_BOOL, 0, &no);
    *out = condition;
    return status == SCRIM_OK && condition->is_nullable
               ? sc_typing_operation(
                     typing, truth(SC_OP_COALESCE, true, condition->extent.high == 1),
                     condition, no, out)
               : status;
}

static scrim_status type_is_truth(sc_typing *typing, const sc_node *node,
                                  const sc_typed **out)
{
    SC_TRY(sc_typed_condition(typing, node->list[0], "IS", out));
    if (node->kind == SC_NODE_IS_FALSE)
        SC_TRY(sc_typing_negate(typing, *out, out));
    return sc_typing_or_false(typing, *out, out);
}

/* a IS DISTINCT FROM b: not equal, where one is NULL the other must be too. */
static scrim_status type_distinct(sc_typing *typing, const sc_node *node,
                                  const sc_typed **out)
{
    const sc_typed *a, *b, *nulls[2], *parts[2];
    SC_TRY(sc_typed_row(typing, node->list[0], &a));
    SC_TRY(sc_typed_row(typing, node->list[1], &b));
    SC_TRY(sc_typing_unify(typing, node->list[0], &a, node->list[1], &b));
    SC_TRY(sc_typing_equal(typing, node->span, a, b, &parts[0]));
    SC_TRY(sc_typing_or_false(typing, parts[0], &parts[0]));
    SC_TRY(is_null(typing, a, &nulls[0]));
    SC_TRY(is_null(typing, b, &nulls[1]));
    SC_TRY(join(typing, SC_OP_AND, nulls, 2, &parts[1]));
    SC_TRY(join(typing, SC_OP_OR, parts, 2, out));
    return sc_typing_negate(typing, *out, out);
}

scrim_status sc_typing_condition(sc_typing *typing, const sc_node *node,
                                 const sc_typed **out)
{
    scrim_status status;
    if (node->kind == SC_NODE_AND || node->kind == SC_NODE_OR)
        return type_join(typing, node, out);
    if (node->kind == SC_NODE_BETWEEN)
        return type_between(typing, node, out);
    if (node->kind == SC_NODE_IN)
        return type_in(typing, node, out);
    if (node->kind == SC_NODE_LIKE)
        return sc_typing_like(typing, node, out);
    if (node->kind == SC_NODE_NOT) {
        status = sc_typed_condition(typing, node->list[0], "NOT", out);
        return status == SCRIM_OK ? sc_typing_negate(typing, *out, out) : status;
    }
    if (node->kind == SC_NODE_IS_TRUE || node->kind == SC_NODE_IS_FALSE)
        return type_is_truth(typing, node, out);
    if (node->kind == SC_NODE_IS_DISTINCT)
        return type_distinct(typing, node, out);
    if (node->kind != SC_NODE_IS_NULL)
        return type_comparison(typing, node, out);
    status = sc_typed_row(typing, node->list[0], out);
    return status == SCRIM_OK ? is_null(typing, *out, out) : status;
}
