#include "query/language/least_units.h"

/* The number of units of a group, which SELECT does not have. */
static bool is_count(const sc_released_scope *scope, const sc_node *node)
{
    const sc_text unit = scope->schema->unit;
    if (node->kind != SC_NODE_CALL || !sc_text_is(node->text, "COUNT") ||
        node->count != 1 || node->filter != NULL || node->with_range)
        return false;
    const sc_node *of = node->list[0];
    if (unit.bytes == 0 ? of->kind != SC_NODE_STAR
                        : !node->distinct || of->kind != SC_NODE_NAME ||
                              !sc_text_equal(of->text, unit))
        return false;
    for (size_t i = 0; i < scope->count; i++)
        if (scope->outputs[i].node != NULL && sc_node_equal(scope->outputs[i].node, node))
            return false;
    return true;
}

/* The n of "count >= n", "count > n - 1" and both the other way round; 0: it is none of them. */
static uint64_t least_of(const sc_released_scope *scope, const sc_node *node)
{
    const bool is_after =
        node->kind == SC_NODE_GREATER || node->kind == SC_NODE_GREATER_EQUAL;
    const bool is_before = node->kind == SC_NODE_LESS || node->kind == SC_NODE_LESS_EQUAL;
    uint64_t number = 0;
    if (!is_after && !is_before)
        return 0;
    const sc_node *count = node->list[is_before], *constant = node->list[is_after];
    if (!is_count(scope, count) || constant->kind != SC_NODE_NUMBER ||
        !sc_text_uint64(constant->text, &number) || number >= SC_LEAST_UNITS_MAX)
        return 0;
    return number + (node->kind == SC_NODE_GREATER || node->kind == SC_NODE_LESS);
}

scrim_status sc_least_units_take(const sc_released_scope *scope, const sc_node **having,
                                 sc_least_units *out)
{
    const sc_node *all = *having;
    const bool is_joined = all->kind == SC_NODE_AND;
    const size_t count = is_joined ? all->count : 1;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const sc_node **others = sc_arena_allocate(scope->arena, count, sizeof *others);
    sc_node *rest = sc_arena_allocate(scope->arena, 1, sizeof *rest);
    size_t left = 0;
    if (others == NULL || rest == NULL)
        return sc_refuse_memory(scope->refusal);
    *out = (sc_least_units){.count = 0};
    for (size_t i = 0; i < count; i++) {
        const sc_node *part = is_joined ? all->list[i] : all;
        const uint64_t least = least_of(scope, part);
        if (least == 0)
            others[left++] = part;
        else if (least > out->count)
            *out = (sc_least_units){least, part->span};
    }
    if (out->count == 0)
        return SCRIM_OK;
    *rest = *all;
    rest->list = others;
    rest->count = left;
    *having = left == 0 ? NULL : left == 1 ? others[0] : rest;
    return SCRIM_OK;
}
