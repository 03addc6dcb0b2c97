#include "data/value/calendar.h"
#include "query/language/typed.h"
#include "query/language/typing.h"

#include <stdlib.h>

/* Types of two sides. */

static bool is_text_constant(const sc_typed *typed)
{
    return typed->type == SC_TYPE_TEXT && typed->operation == SC_OP_CONSTANT;
}

static scrim_status text_to_date(sc_typing *typing, const sc_node *node,
                                 const sc_typed **typed)
{
    int64_t day;
    if (!sc_calendar_parse((*typed)->texts[0], &day))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "not a date; write it as '2026-01-31'");
    return sc_typing_constant(typing, SC_TYPE_DATE, day, typed);
}

/* Text that stands beside a date is read as one; then the types must be the same. */
static scrim_status typing_unify(sc_typing *typing, const sc_node *node_a,
                                 const sc_typed **a, const sc_node *node_b,
                                 const sc_typed **b)
{
    if ((*a)->type == (*b)->type)
        return SCRIM_OK;
    if ((*a)->type == SC_TYPE_DATE && is_text_constant(*b))
        return text_to_date(typing, node_b, b);
    if ((*b)->type == SC_TYPE_DATE && is_text_constant(*a))
        return text_to_date(typing, node_a, a);
    const bool truth = (*a)->type == SC_TYPE_BOOL || (*b)->type == SC_TYPE_BOOL;
    return sc_refuse(typing->refusal, node_b->span, SCRIM_E_PARAM,
                     "%s beside %s; both must be of one type%s", sc_type_text((*b)->type),
                     sc_type_text((*a)->type),
                     truth ? ", and a condition is compared with TRUE or FALSE"
                           : ": numbers without quotes, text in single ones");
}

static sc_typed truth(sc_operation operation, bool can_be_false, bool can_be_true)
{
    return (sc_typed){.operation = operation,
                      .type = SC_TYPE_BOOL,
                      .extent = {!can_be_false, can_be_true, {1, 1}}};
}

/* Lists of values. */

static int compare_values(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

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
    if (kept == 0)
        return sc_typing_constant(typing, SC_TYPE_BOOL, 0, out);
    qsort(values, kept, sizeof *values, compare_values);
    for (size_t i = 0; i < kept; i++)
        if (i == 0 || values[i] != values[i - 1])
            values[distinct++] = values[i];
    /* All that it can be? */
    const uint64_t more = (uint64_t)extent->high - (uint64_t)extent->low;
    sc_typed in = truth(SC_OP_IN, more >= distinct, true);
    in.values = values;
    in.value_count = distinct;
    return sc_typing_operation(typing, in, value, NULL, out);
}

static int compare_texts(const void *a, const void *b)
{
    return sc_text_compare(*(const sc_text *)a, *(const sc_text *)b);
}

/* Sorts, and keeps one of equals; returns how many are left. */
static size_t sort_texts(sc_text *texts, size_t count)
{
    size_t distinct = 0;
    qsort(texts, count, sizeof *texts, compare_texts);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !sc_text_equal(texts[i], texts[i - 1]))
            texts[distinct++] = texts[i];
    return distinct;
}

static scrim_status among_texts(sc_typing *typing, const sc_typed *value,
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
    in.text_count = sort_texts(texts, count);
    return sc_typing_operation(typing, in, value, NULL, out);
}

/* Comparisons of two sides of one type. */

static scrim_status equal_texts(sc_typing *typing, sc_span place, const sc_typed *a,
                                const sc_typed *b, const sc_typed **out)
{
    if (is_text_constant(a) && is_text_constant(b))
        return sc_typing_constant(typing, SC_TYPE_BOOL,
                                  sc_text_equal(a->texts[0], b->texts[0]), out);
    if (sc_typed_is_text_column(a) && is_text_constant(b))
        return among_texts(typing, a, &b, 1, out);
    if (sc_typed_is_text_column(b) && is_text_constant(a))
        return among_texts(typing, b, &a, 1, out);
    if (sc_typed_is_text_column(a) && sc_typed_is_text_column(b))
        return sc_typing_operation(typing, truth(SC_OP_TEXT_EQUAL, true, true), a, b,
                                   out);
    return sc_refuse(typing->refusal, place, SCRIM_E_POLICY,
                     "text that CASE chooses is a key, and is not compared; repeat its "
                     "condition");
}

static scrim_status equal(sc_typing *typing, sc_span place, const sc_typed *a,
                          const sc_typed *b, const sc_typed **out)
{
    if (a->type == SC_TYPE_TEXT)
        return equal_texts(typing, place, a, b, out);
    if (sc_extent_is_constant(&b->extent))
        return among_values(typing, a, &b, 1, out);
    if (sc_extent_is_constant(&a->extent))
        return among_values(typing, b, &a, 1, out);
    const scrim_status status = sc_typing_align(typing, place, &a, &b);
    if (status != SCRIM_OK)
        return status;
    const bool apart = a->extent.high < b->extent.low || b->extent.high < a->extent.low;
    return sc_typing_operation(typing, truth(SC_OP_EQUAL, true, !apart), a, b, out);
}

/* a < b, or a <= b. */
static scrim_status less(sc_typing *typing, sc_span place, bool or_equal,
                         const sc_typed *a, const sc_typed *b, const sc_typed **out)
{
    if (a->type == SC_TYPE_TEXT)
        return sc_refuse(typing->refusal, place, SCRIM_E_POLICY,
                         "text has no order here; list the values: x IN ('a', 'b')");
    const scrim_status status = sc_typing_align(typing, place, &a, &b);
    if (status != SCRIM_OK)
        return status;
    const sc_extent *x = &a->extent, *y = &b->extent;
    const sc_typed value =
        or_equal ? truth(SC_OP_LESS_EQUAL, x->high > y->low, x->low <= y->high)
                 : truth(SC_OP_LESS, x->high >= y->low, x->low < y->high);
    return sc_typing_operation(typing, value, a, b, out);
}

static scrim_status negate(sc_typing *typing, const sc_typed *a, const sc_typed **out)
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
        status = typing_unify(typing, node->list[0], &a, node->list[1], &b);
    if (status != SCRIM_OK)
        return status;
    if (node->kind == SC_NODE_EQUAL || node->kind == SC_NODE_NOT_EQUAL) {
        status = equal(typing, node->span, a, b, out);
        return status == SCRIM_OK && node->kind == SC_NODE_NOT_EQUAL
                   ? negate(typing, *out, out)
                   : status;
    }
    const bool swaps =
        node->kind == SC_NODE_GREATER || node->kind == SC_NODE_GREATER_EQUAL;
    const bool or_equal =
        node->kind == SC_NODE_LESS_EQUAL || node->kind == SC_NODE_GREATER_EQUAL;
    return less(typing, node->span, or_equal, swaps ? b : a, swaps ? a : b, out);
}

/* AND, OR. A part that cannot change the result is left out, one that decides it is it. */
static scrim_status join(sc_typing *typing, sc_operation operation,
                         const sc_typed *const *list, size_t count, const sc_typed **out)
{
    const sc_typed **parts;
    const int64_t decides = operation == SC_OP_OR;
    size_t kept = 0;
    const scrim_status status = sc_typing_parts(typing, count, &parts);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        if (!sc_extent_is_constant(&list[i]->extent))
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
    sc_typed value = truth(operation, true, true);
    value.parts = parts;
    value.count = kept;
    return sc_typing_make(typing, value, out);
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
        status = typing_unify(typing, list[0], &value, list[i % 2 + 1], &ends[i % 2]);
    if (status == SCRIM_OK)
        status = less(typing, node->span, true, ends[0], value, &ends[0]);
    if (status == SCRIM_OK)
        status = less(typing, node->span, true, value, ends[1], &ends[1]);
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
        status = typing_unify(typing, node->list[0], &value, node->list[i % count + 1],
                              &list[i % count]);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        constant &= list[i]->operation == SC_OP_CONSTANT;
    if (constant && sc_typed_is_text_column(value))
        return among_texts(typing, value, list, count, out);
    if (constant && value->type != SC_TYPE_TEXT)
        return among_values(typing, value, list, count, out);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = equal(typing, node->span, value, list[i], &list[i]);
    return status == SCRIM_OK ? join(typing, SC_OP_OR, list, count, out) : status;
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
    if (node->kind == SC_NODE_NOT) {
        status = sc_typed_condition(typing, node->list[0], "NOT", out);
        return status == SCRIM_OK ? negate(typing, *out, out) : status;
    }
    if (node->kind != SC_NODE_IS_NULL)
        return type_comparison(typing, node, out);
    /* No value is: what is missing became the default, or its row is not there. */
    status = sc_typed_row(typing, node->list[0], out);
    return status == SCRIM_OK ? sc_typing_constant(typing, SC_TYPE_BOOL, 0, out) : status;
}

/* CASE. */

/* CASE without its subject: conditions and values in turn, and last the one behind ELSE. */
typedef struct branches {
    const sc_node **nodes;
    const sc_typed **parts;
    size_t count; /* odd */
} branches;

/* Leaves out what is never chosen; a condition that always holds makes its value the last. */
static void drop_branches(branches *all)
{
    size_t kept = 0, at = 0;
    while (at + 1 < all->count) {
        const sc_typed *condition = all->parts[at];
        const bool decided = sc_extent_is_constant(&condition->extent);
        if (decided && condition->extent.low == 1) {
            at++;
            break;
        }
        if (!decided)
            for (size_t i = 0; i < 2; i++, kept++) {
                all->nodes[kept] = all->nodes[at + i];
                all->parts[kept] = all->parts[at + i];
            }
        at += 2;
    }
    all->nodes[kept] = all->nodes[at];
    all->parts[kept] = all->parts[at];
    all->count = kept + 1;
}

/* The texts of all branches as one list, and each branch as a place on it. */
static scrim_status choose_texts(sc_typing *typing, const branches *all, sc_typed *value)
{
    const size_t values = all->count / 2 + 1;
    sc_text *texts = sc_arena_allocate(typing->arena, values, sizeof *texts);
    scrim_status status = SCRIM_OK;
    if (texts == NULL)
        return sc_refuse_memory(typing->refusal);
    for (size_t i = 0; i < values; i++) {
        const size_t at = 2 * i + (i + 1 < values);
        if (!is_text_constant(all->parts[at]))
            return sc_refuse(
                typing->refusal, all->nodes[at]->span, SCRIM_E_POLICY,
                "CASE chooses among texts that are written out; for a column "
                "GROUP BY both, the column and the condition");
        texts[i] = all->parts[at]->texts[0];
    }
    value->texts = texts;
    value->text_count = sort_texts(texts, values);
    value->extent = (sc_extent){0, (int64_t)value->text_count - 1, {1, 1}};
    for (size_t i = 0; status == SCRIM_OK && i < values; i++) {
        const size_t at = 2 * i + (i + 1 < values);
        const sc_text *place = bsearch(&all->parts[at]->texts[0], texts,
                                       value->text_count, sizeof *texts, compare_texts);
        status =
            sc_typing_constant(typing, SC_TYPE_NUMBER, place - texts, &all->parts[at]);
    }
    return status;
}

/* All branches on one step; the extent is that of them together. */
static scrim_status choose_numbers(sc_typing *typing, const branches *all,
                                   sc_typed *value)
{
    const size_t last = all->count - 1;
    /* The common type and range so far; this value is never computed. */
    const sc_typed *common = all->parts[last];
    scrim_status status = SCRIM_OK;
    /* Twice: the first round finds the step, the second brings every branch onto it. */
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 1; status == SCRIM_OK && i < all->count; i += 2) {
            sc_typed hull = {.operation = SC_OP_COLUMN, .type = common->type};
            status =
                sc_typing_align(typing, all->nodes[i]->span, &common, &all->parts[i]);
            if (status == SCRIM_OK) {
                sc_extent_join(&common->extent, &all->parts[i]->extent, &hull.extent);
                status = sc_typing_make(typing, hull, &common);
            }
        }
    if (status == SCRIM_OK)
        status =
            sc_typing_align(typing, all->nodes[last]->span, &common, &all->parts[last]);
    if (status == SCRIM_OK)
        value->extent = common->extent;
    return status;
}

/* A condition, or the subject compared with what stands in its place. */
static scrim_status type_when(sc_typing *typing, const sc_node *node,
                              const sc_node *subject_node, const sc_typed *subject,
                              const sc_typed **out)
{
    if (subject == NULL)
        return sc_typed_condition(typing, node, "WHEN", out);
    scrim_status status = sc_typed_row(typing, node, out);
    if (status == SCRIM_OK)
        status = typing_unify(typing, subject_node, &subject, node, out);
    return status == SCRIM_OK ? equal(typing, node->span, subject, *out, out) : status;
}

static scrim_status type_branches(sc_typing *typing, const sc_node *node,
                                  const branches *all)
{
    const size_t last = all->count - 1;
    const sc_typed *subject = NULL;
    scrim_status status = SCRIM_OK;
    if (node->has_subject)
        status = sc_typed_row(typing, node->list[0], &subject);
    for (size_t i = 0; status == SCRIM_OK && i < all->count; i++)
        status =
            i % 2 == 0 && i < last
                ? type_when(typing, all->nodes[i], node->list[0], subject, &all->parts[i])
                : sc_typed_row(typing, all->nodes[i], &all->parts[i]);
    /* Twice: a date makes dates of the texts before it too. */
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 1; status == SCRIM_OK && i < last; i += 2)
            status = typing_unify(typing, all->nodes[last], &all->parts[last],
                                  all->nodes[i], &all->parts[i]);
    return status;
}

scrim_status sc_typing_case(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    branches all = {.count = node->count - node->has_subject};
    if (all.count % 2 == 0)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "CASE needs ELSE, since no value is NULL: write ELSE 0 before "
                         "END");
    scrim_status status = sc_typing_parts(typing, all.count, &all.parts);
    if (status != SCRIM_OK)
        return status;
    all.nodes = sc_arena_allocate(typing->arena, all.count, sizeof(const sc_node *));
    if (all.nodes == NULL)
        return sc_refuse_memory(typing->refusal);
    for (size_t i = 0; i < all.count; i++)
        all.nodes[i] = node->list[i + node->has_subject];
    status = type_branches(typing, node, &all);
    if (status != SCRIM_OK)
        return status;
    drop_branches(&all);
    if (all.count == 1) {
        *out = all.parts[0];
        return SCRIM_OK;
    }
    sc_typed value = {.operation = SC_OP_CASE,
                      .type = all.parts[all.count - 1]->type,
                      .parts = all.parts,
                      .count = all.count};
    status = value.type == SC_TYPE_TEXT ? choose_texts(typing, &all, &value)
                                        : choose_numbers(typing, &all, &value);
    if (status != SCRIM_OK)
        return status;
    if (value.type == SC_TYPE_TEXT && value.text_count == 1)
        value.operation = SC_OP_CONSTANT;
    return sc_typing_make(typing, value, out);
}
