#include "query/language/key_text.h"
#include "query/language/typed.h"

#include <string.h>

static scrim_status type_mismatch(const sc_typing *typing, const sc_node *node,
                                  const sc_typed *typed)
{
    if (typed->type == SC_TYPE_BOOL)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "a number is needed, and this is true or false; write CASE WHEN "
                         "... THEN 1 ELSE 0 END");
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "a number is needed, and this is %s", sc_type_text(typed->type));
}

/* Sums and differences, with days added to dates and dates taken from dates. */
static scrim_status type_sum(sc_typing *typing, const sc_node *node, const sc_typed *a,
                             const sc_typed *b, const sc_typed **out)
{
    const bool adds = node->kind == SC_NODE_ADD;
    const bool date_a = a->type == SC_TYPE_DATE, date_b = b->type == SC_TYPE_DATE;
    const bool time_a = a->type == SC_TYPE_TIMESTAMP,
               time_b = b->type == SC_TYPE_TIMESTAMP;
    if ((time_a || time_b) && (adds || !time_a || !time_b))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "timestamps can only be subtracted: t - TIMESTAMP '2026-01-01' "
                         "is a number of seconds");
    if (date_a && date_b && adds)
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_PARAM,
            "dates cannot be added; add days, as in d + 30; d - e is a number of days");
    if (!date_a && date_b && !adds)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "a date cannot be subtracted from a number; write d - 30");
    const bool is_date = date_a != date_b;
    sc_typed value = {.operation = adds ? SC_OP_ADD : SC_OP_SUBTRACT,
                      .type = is_date ? SC_TYPE_DATE : SC_TYPE_NUMBER};
    SC_TRY(sc_typing_align(typing, node->span, &a, &b));
    if (adds ? !sc_extent_add(&a->extent, &b->extent, &value.extent)
             : !sc_extent_subtract(&a->extent, &b->extent, &value.extent))
        return sc_typing_beyond(typing, node->span);
    scrim_status status = sc_typing_operation(typing, value, a, b, out);
    return status == SCRIM_OK && is_date ? sc_typing_check_dates(typing, node->span, *out)
                                         : status;
}

/* Counts times 1 or -1 on another step. */
static scrim_status rescale(sc_typing *typing, const sc_typed *a, int64_t times,
                            sc_extent extent, const sc_typed **out)
{
    const sc_typed value = {.operation = SC_OP_SCALE,
                            .type = SC_TYPE_NUMBER,
                            .extent = extent,
                            .times = times};
    return sc_typing_operation(typing, value, a, NULL, out);
}

static scrim_status type_product(sc_typing *typing, const sc_node *node,
                                 const sc_typed *a, const sc_typed *b,
                                 const sc_typed **out)
{
    sc_typed value = {.operation = SC_OP_MULTIPLY, .type = SC_TYPE_NUMBER};
    const sc_typed *constant = sc_typed_is_constant(b) ? b : a;
    const sc_typed *other = constant == b ? a : b;
    int64_t times;
    if (!sc_typed_is_constant(constant)) {
        const bool is_square = sc_node_equal(node->list[0], node->list[1]);
        return sc_extent_multiply(&a->extent, &b->extent, is_square, &value.extent)
                   ? sc_typing_operation(typing, value, a, b, out)
                   : sc_typing_beyond(typing, node->span);
    }
    if (constant->extent.low == 0)
        return rescale(typing, other, 0, (sc_extent){0, 0, {1, 1}}, out);
    return sc_extent_multiply_constant(&other->extent, &constant->extent, &times,
                                       &value.extent)
               ? rescale(typing, other, times, value.extent, out)
               : sc_typing_beyond(typing, node->span);
}

static scrim_status type_quotient(sc_typing *typing, const sc_node *node,
                                  const sc_typed *a, const sc_typed *b,
                                  const sc_typed **out)
{
    sc_extent extent;
    int64_t times;
    if (!sc_typed_is_constant(b))
        return sc_refuse(typing->refusal, node->list[1]->span, SCRIM_E_POLICY,
                         "the divisor must be a constant; ask for SUM(x) / SUM(y), which "
                         "divides the answers");
    if (b->extent.low == 0)
        return sc_refuse(typing->refusal, node->list[1]->span, SCRIM_E_PARAM,
                         "division by 0; write another number");
    return sc_extent_divide_constant(&a->extent, &b->extent, &times, &extent)
               ? rescale(typing, a, times, extent, out)
               : sc_typing_beyond(typing, node->span);
}

/* An operand of a sum may be a date too. */
static scrim_status type_operand(sc_typing *typing, const sc_node *node, bool is_sum,
                                 const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    if (status != SCRIM_OK || (*out)->type == SC_TYPE_NUMBER ||
        (*out)->type == SC_TYPE_NONE || (is_sum && sc_type_is_time((*out)->type)))
        return status;
    return type_mismatch(typing, node, *out);
}

static scrim_status type_negation(sc_typing *typing, const sc_node *node,
                                  const sc_typed **out)
{
    const sc_typed *a;
    sc_extent extent;
    SC_TRY(type_operand(typing, node->list[0], false, &a));
    if (sc_typed_is_null(a))
        return sc_typing_null(typing, SC_TYPE_NUMBER, out);
    return sc_extent_scale(&a->extent, -1, a->extent.step, &extent)
               ? rescale(typing, a, -1, extent, out)
               : sc_typing_beyond(typing, node->span);
}

scrim_status sc_typing_arithmetic(sc_typing *typing, const sc_node *node,
                                  const sc_typed **out)
{
    const sc_typed *a, *b;
    const bool is_sum = node->kind == SC_NODE_ADD || node->kind == SC_NODE_SUBTRACT;
    if (node->kind == SC_NODE_NEGATE)
        return type_negation(typing, node, out);
    scrim_status status = type_operand(typing, node->list[0], is_sum, &a);
    if (status == SCRIM_OK)
        status = type_operand(typing, node->list[1], is_sum, &b);
    if (status != SCRIM_OK)
        return status;
    if (sc_typed_is_null(a) || sc_typed_is_null(b))
        return sc_typing_null(typing,
                              (a->type == SC_TYPE_DATE) != (b->type == SC_TYPE_DATE)
                                  ? SC_TYPE_DATE
                                  : SC_TYPE_NUMBER,
                              out);
    if (is_sum)
        return type_sum(typing, node, a, b, out);
    return node->kind == SC_NODE_MULTIPLY ? type_product(typing, node, a, b, out)
                                          : type_quotient(typing, node, a, b, out);
}

/* CASE WHEN x IS NULL THEN NULL WHEN x <= last THEN rung ... ELSE the highest END. */
typedef struct rungs {
    const sc_typed *x;
    const sc_typed **parts;
    size_t count;
} rungs;

static scrim_status add_null(sc_typing *typing, rungs *all)
{
    SC_TRY(sc_typing_operation(typing,
                               (sc_typed){.operation = SC_OP_IS_NULL,
                                          .type = SC_TYPE_BOOL,
                                          .extent = {0, 1, {1, 1}}},
                               all->x, NULL, &all->parts[all->count++]));
    return sc_typing_null(typing, SC_TYPE_RUNG, &all->parts[all->count++]);
}

static scrim_status add_rung(sc_typing *typing, rungs *all, int64_t rung)
{
    const int64_t last = sc_rung_last(rung);
    const sc_typed *end;
    SC_TRY(sc_typing_make(
        typing,
        (sc_typed){.type = SC_TYPE_NUMBER, .extent = {last, last, all->x->extent.step}},
        &end));
    SC_TRY(sc_typing_operation(typing,
                               (sc_typed){.operation = SC_OP_LESS_EQUAL,
                                          .type = SC_TYPE_BOOL,
                                          .extent = {0, 1, {1, 1}}},
                               all->x, end, &all->parts[all->count++]));
    return sc_typing_constant(typing, SC_TYPE_RUNG, rung, &all->parts[all->count++]);
}

/* Listed rungs. */

static scrim_status no_list(const sc_typing *typing, const sc_node *node)
{
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "LADDER(x, first, second, ...) needs at least 2 constants in "
                     "increasing order, as in LADDER(x, 1, 2, 5)");
}

/* A rung, above the one before it, and its text. */
static scrim_status read_listed(sc_typing *typing, const sc_node *node, size_t i,
                                const sc_node *x_node, const sc_typed *x,
                                const sc_typed **before, sc_text *out)
{
    const sc_typed *rung, *above;
    char text[SC_KEY_TEXT_BYTES];
    SC_TRY(sc_typed_row(typing, node->list[i], &rung));
    SC_TRY(sc_typing_unify(typing, x_node, &x, node->list[i], &rung));
    if (!sc_typed_is_constant(rung))
        return no_list(typing, node->list[i]);
    if (*before != NULL) {
        SC_TRY(sc_typing_less(typing, node->list[i]->span, false, *before, rung, &above));
        if (above->extent.low != 1)
            return no_list(typing, node->list[i]);
    }
    (void)sc_key_text(rung, rung->extent.low, text, sizeof text);
    const char *copy = sc_arena_copy(typing->arena, text, strlen(text));
    if (copy == NULL)
        return sc_refuse_memory(typing->refusal);
    *out = sc_text_of(copy);
    *before = rung;
    return SCRIM_OK;
}

/* LADDER(x, first, second, ...): the place of the first rung that is not below x; of the last one for all
 * values beyond it. */
static scrim_status type_listed(sc_typing *typing, const sc_node *node,
                                const sc_typed **out)
{
    rungs all = {.count = 0};
    const sc_typed *rung = NULL;
    const size_t count = node->count - 1;
    sc_text *texts = sc_arena_allocate(typing->arena, count, sizeof *texts);
    if (texts == NULL)
        return sc_refuse_memory(typing->refusal);
    SC_TRY(sc_typed_row(typing, node->list[0], &all.x));
    if (!sc_type_is_time(all.x->type))
        SC_TRY(sc_typing_check_number(typing, node->list[0], "LADDER", all.x));
    SC_TRY(sc_typing_check_varies(typing, node->list[0], all.x));
    SC_TRY(sc_typing_parts(typing, 2 * count + 1, &all.parts));
    if (all.x->is_nullable)
        SC_TRY(add_null(typing, &all));
    for (size_t i = 0; i < count; i++) {
        SC_TRY(read_listed(typing, node, i + 1, node->list[0], all.x, &rung, &texts[i]));
        if (i + 1 < count)
            SC_TRY(sc_typing_less(typing, node->span, true, all.x, rung,
                                  &all.parts[all.count++]));
        SC_TRY(sc_typing_constant(typing, SC_TYPE_RUNG, (int64_t)i,
                                  &all.parts[all.count++]));
    }
    return sc_typing_make(typing,
                          (sc_typed){.operation = SC_OP_CASE,
                                     .type = SC_TYPE_RUNG,
                                     .extent = {0, (int64_t)count - 1, {1, 1}},
                                     .rung = all.x->extent.step,
                                     .rung_type = all.x->type,
                                     .texts = texts,
                                     .text_count = count,
                                     .parts = all.parts,
                                     .count = all.count},
                          out);
}

scrim_status sc_typing_rung(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    rungs all = {.count = 0};
    if (node->count == 2)
        return no_list(typing, node);
    if (node->count > 2)
        return type_listed(typing, node, out);
    scrim_status status = sc_typed_number(typing, node->list[0], "LADDER", &all.x);
    if (status == SCRIM_OK)
        status = sc_typing_check_varies(typing, node->list[0], all.x);
    if (status != SCRIM_OK)
        return status;
    const int64_t low = sc_rung_of(all.x->extent.low),
                  high = sc_rung_of(all.x->extent.high);
    status = sc_typing_parts(typing, 2 * (size_t)(high - low) + 3, &all.parts);
    if (status == SCRIM_OK && all.x->is_nullable)
        status = add_null(typing, &all);
    for (int64_t rung = low; status == SCRIM_OK && rung < high; rung++)
        status = add_rung(typing, &all, rung);
    if (status == SCRIM_OK)
        status = sc_typing_constant(typing, SC_TYPE_RUNG, high, &all.parts[all.count++]);
    if (status != SCRIM_OK)
        return status;
    return sc_typing_make(typing,
                          (sc_typed){.operation = SC_OP_CASE,
                                     .type = SC_TYPE_RUNG,
                                     .extent = {low, high, {1, 1}},
                                     .rung = all.x->extent.step,
                                     .rung_type = SC_TYPE_NUMBER,
                                     .parts = all.parts,
                                     .count = all.count},
                          out);
}
