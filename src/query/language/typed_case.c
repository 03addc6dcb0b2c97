/* CASE, COALESCE, NULLIF: values that are chosen row by row. */
#include "query/language/typed.h"

#include <stdlib.h>

static int compare_texts(const void *a, const void *b)
{
    return sc_text_compare(*(const sc_text *)a, *(const sc_text *)b);
}

/* CASE. */

/* CASE without its subject: conditions and values in turn, and last the one behind ELSE. */
typedef struct branches {
    const sc_node **nodes;
    const sc_typed **parts;
    size_t count; /* odd */
} branches;

/* Drops branches that are never chosen; a condition that always holds makes its value the last. */
static void drop_branches(branches *all)
{
    size_t kept = 0, at = 0;
    while (at + 1 < all->count) {
        const sc_typed *condition = all->parts[at];
        if (sc_typed_is_constant(condition) && condition->extent.low == 1) {
            at++;
            break;
        }
        if (condition->extent.high == 1)
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

/* Are all values NULL or constant texts? Then they are public, and a value is a place on their list. */
static bool are_written_out(const branches *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const bool is_value = i % 2 == 1 || i + 1 == all->count;
        if (is_value && !sc_typed_is_null(all->parts[i]) &&
            !sc_typed_is_text_constant(all->parts[i]))
            return false;
    }
    return true;
}

/* The texts of all branches as one list, and each branch as a place on it. */
static scrim_status choose_texts(sc_typing *typing, const branches *all, sc_typed *value)
{
    const size_t values = all->count / 2 + 1;
    sc_text *texts = sc_arena_allocate(typing->arena, values, sizeof *texts);
    scrim_status status = SCRIM_OK;
    if (texts == NULL)
        return sc_refuse_memory(typing->refusal);
    size_t written = 0;
    for (size_t i = 0; i < values; i++) {
        const size_t at = 2 * i + (i + 1 < values);
        if (sc_typed_is_null(all->parts[at]))
            continue;
        texts[written++] = all->parts[at]->texts[0];
    }
    value->texts = texts;
    value->text_count = sc_typing_sort_texts(texts, written);
    value->extent = (sc_extent){0, (int64_t)value->text_count - 1, {1, 1}};
    for (size_t i = 0; status == SCRIM_OK && i < values; i++) {
        const size_t at = 2 * i + (i + 1 < values);
        if (sc_typed_is_null(all->parts[at]))
            continue;
        const sc_text *place = bsearch(&all->parts[at]->texts[0], texts,
                                       value->text_count, sizeof *texts, compare_texts);
        status =
            sc_typing_constant(typing, SC_TYPE_NUMBER, place - texts, &all->parts[at]);
    }
    return status;
}

/* Brings all values of a list that are not NULL, at least one, to one step; *out gets their joint extent. */
static scrim_status bring_together(sc_typing *typing, sc_span place,
                                   const sc_typed **list, size_t count, sc_extent *out)
{
    /* The common type and range so far; this value is never computed. */
    const sc_typed *common = NULL;
    scrim_status status = SCRIM_OK;
    /* Twice: the first round finds the step, the second brings every one onto it. */
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
            if (sc_typed_is_null(list[i]))
                continue;
            common = common == NULL ? list[i] : common;
            sc_typed hull = {.operation = SC_OP_COLUMN, .type = common->type};
            status = sc_typing_align(typing, place, &common, &list[i]);
            if (status == SCRIM_OK) {
                sc_extent_join(&common->extent, &list[i]->extent, &hull.extent);
                status = sc_typing_make(typing, hull, &common);
            }
        }
    if (status == SCRIM_OK)
        *out = common->extent;
    return status;
}

/* The same of texts, whose extents are their lengths; NULL has no length. */
static scrim_status bring_texts(sc_typing *typing, sc_span place, const sc_typed **list,
                                size_t count, sc_extent *out)
{
    scrim_status status = SCRIM_OK;
    *out = (sc_extent){0, 0, {1, 1}};
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        status = sc_typing_text_of(typing, place, list[i], &list[i]);
        if (status == SCRIM_OK && list[i]->extent.high > out->high)
            out->high = list[i]->extent.high;
    }
    return status;
}

static scrim_status choose_values(sc_typing *typing, const sc_node *node,
                                  const branches *all, sc_typed *value)
{
    const size_t values = all->count / 2 + 1;
    const sc_typed **list;
    SC_TRY(sc_typing_parts(typing, values, &list));
    for (size_t i = 0; i < values; i++)
        list[i] = all->parts[2 * i + (i + 1 < values)];
    scrim_status status =
        value->type == SC_TYPE_TEXT
            ? bring_texts(typing, node->span, list, values, &value->extent)
            : bring_together(typing, node->span, list, values, &value->extent);
    for (size_t i = 0; status == SCRIM_OK && i < values; i++)
        all->parts[2 * i + (i + 1 < values)] = list[i];
    return status;
}

/* The condition behind WHEN; in the form with a subject, the comparison of the subject with the value there. */
static scrim_status type_when(sc_typing *typing, const sc_node *node,
                              const sc_node *subject_node, const sc_typed *subject,
                              const sc_typed **out)
{
    if (subject == NULL)
        return sc_typed_condition(typing, node, "WHEN", out);
    SC_TRY(sc_typed_row(typing, node, out));
    SC_TRY(sc_typing_unify(typing, subject_node, &subject, node, out));
    return sc_typing_equal(typing, node->span, subject, *out, out);
}

/* The value behind THEN or ELSE; NULL without ELSE. */
static scrim_status type_value(sc_typing *typing, const sc_node *node,
                               const sc_typed **out)
{
    return node == NULL ? sc_typing_null(typing, SC_TYPE_NONE, out)
                        : sc_typed_row(typing, node, out);
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
                : type_value(typing, all->nodes[i], &all->parts[i]);
    /* Twice: a date makes dates of the texts before it too. */
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 1; status == SCRIM_OK && i < last; i += 2)
            status = sc_typing_unify(typing, all->nodes[last], &all->parts[last],
                                     all->nodes[i], &all->parts[i]);
    return status;
}

/* The value of branches whose parts are typed. */
static scrim_status choose(sc_typing *typing, const sc_node *node, branches *all,
                           const sc_typed **out)
{
    bool is_null = true;
    drop_branches(all);
    for (size_t i = 1; i < all->count; i += 2)
        is_null &= sc_typed_is_null(all->parts[i]);
    const sc_typed *last = all->parts[all->count - 1];
    if (all->count == 1 || (is_null && sc_typed_is_null(last))) {
        *out = last;
        return SCRIM_OK;
    }
    sc_typed value = {.operation = SC_OP_CASE,
                      .type = last->type,
                      .parts = all->parts,
                      .count = all->count};
    SC_TRY(value.type == SC_TYPE_TEXT && are_written_out(all)
               ? choose_texts(typing, all, &value)
               : choose_values(typing, node, all, &value));
    if (value.type == SC_TYPE_TEXT && value.text_count == 1 &&
        !sc_typed_may_be_null(&value, NULL))
        value.operation = SC_OP_CONSTANT;
    return sc_typing_make(typing, value, out);
}

scrim_status sc_typing_case(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    const size_t written = node->count - node->has_subject;
    branches all = {.count = written + (written % 2 == 0)};
    SC_TRY(sc_typing_parts(typing, all.count, &all.parts));
    all.nodes = sc_arena_allocate(typing->arena, all.count, sizeof(const sc_node *));
    if (all.nodes == NULL)
        return sc_refuse_memory(typing->refusal);
    for (size_t i = 0; i < written; i++)
        all.nodes[i] = node->list[i + node->has_subject];
    SC_TRY(type_branches(typing, node, &all));
    return choose(typing, node, &all, out);
}

scrim_status sc_typing_where(sc_typing *typing, const sc_typed *condition,
                             const sc_typed *value, const sc_typed **out)
{
    const sc_typed **parts;
    scrim_status status = sc_typing_parts(typing, 3, &parts);
    if (status == SCRIM_OK)
        status = sc_typing_text_of(typing, sc_span_at(0, 0), value, &value);
    if (status == SCRIM_OK)
        status = sc_typing_null(typing, value->type, &parts[2]);
    if (status != SCRIM_OK)
        return status;
    parts[0] = condition;
    parts[1] = value;
    return sc_typing_make(typing,
                          (sc_typed){.operation = SC_OP_CASE,
                                     .type = value->type,
                                     .extent = value->extent,
                                     .rung = value->rung,
                                     .parts = parts,
                                     .count = 3},
                          out);
}

/* COALESCE, NULLIF. */

scrim_status sc_typing_coalesce(sc_typing *typing, const sc_node *node,
                                const sc_typed **out)
{
    const sc_typed **list;
    size_t count = 0;
    scrim_status status = sc_typing_parts(typing, node->count, &list);
    for (size_t i = 0; status == SCRIM_OK && i < node->count; i++)
        status = sc_typed_row(typing, node->list[i], &list[i]);
    /* Twice: a date makes dates of the texts before it too. */
    for (size_t i = 0; status == SCRIM_OK && i < 2 * node->count; i++)
        status = sc_typing_unify(typing, node->list[0], &list[0],
                                 node->list[i % node->count], &list[i % node->count]);
    if (status != SCRIM_OK)
        return status;
    /* Drop NULLs, and everything behind the first value that is never NULL. */
    for (size_t i = 0; i < node->count && (count == 0 || list[count - 1]->is_nullable);
         i++)
        if (!sc_typed_is_null(list[i]))
            list[count++] = list[i];
    *out = list[0];
    if (count < 2)
        return SCRIM_OK;
    sc_typed value = {.operation = SC_OP_COALESCE,
                      .type = list[0]->type,
                      .parts = list,
                      .count = count};
    status = value.type == SC_TYPE_TEXT
                 ? bring_texts(typing, node->span, list, count, &value.extent)
                 : bring_together(typing, node->span, list, count, &value.extent);
    return status == SCRIM_OK ? sc_typing_make(typing, value, out) : status;
}

/* NULL where both are equal, else the first. */
scrim_status sc_typing_nullif(sc_typing *typing, const sc_node *node,
                              const sc_typed **out)
{
    const sc_typed *a, *b, *same;
    scrim_status status = sc_typed_row(typing, node->list[0], &a);
    if (status == SCRIM_OK)
        status = sc_typed_row(typing, node->list[1], &b);
    if (status == SCRIM_OK)
        status = sc_typing_unify(typing, node->list[0], &a, node->list[1], &b);
    *out = a;
    if (status == SCRIM_OK)
        status = sc_typing_equal(typing, node->span, a, b, &same);
    if (status == SCRIM_OK)
        status = sc_typing_or_false(typing, same, &same);
    if (status == SCRIM_OK)
        status = sc_typing_negate(typing, same, &same);
    if (status != SCRIM_OK || (sc_typed_is_constant(same) && same->extent.low == 1))
        return status;
    return sc_typing_where(typing, same, a, out);
}
