#include "query/language/typed.h"

#include "query/language/typing.h"

static scrim_status type_row(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    switch (node->kind) {
    case SC_NODE_NUMBER:
    case SC_NODE_TEXT:
    case SC_NODE_DATE:
    case SC_NODE_TIMESTAMP:
    case SC_NODE_TRUE:
    case SC_NODE_FALSE:
    case SC_NODE_NULL:
    case SC_NODE_NAME:
    case SC_NODE_STAR:
        break;
    case SC_NODE_NEGATE:
    case SC_NODE_ADD:
    case SC_NODE_SUBTRACT:
    case SC_NODE_MULTIPLY:
    case SC_NODE_DIVIDE:
        return sc_typing_arithmetic(typing, node, out);
    case SC_NODE_EQUAL:
    case SC_NODE_NOT_EQUAL:
    case SC_NODE_LESS:
    case SC_NODE_LESS_EQUAL:
    case SC_NODE_GREATER:
    case SC_NODE_GREATER_EQUAL:
    case SC_NODE_NOT:
    case SC_NODE_AND:
    case SC_NODE_OR:
    case SC_NODE_BETWEEN:
    case SC_NODE_IN:
    case SC_NODE_LIKE:
    case SC_NODE_IS_NULL:
    case SC_NODE_IS_TRUE:
    case SC_NODE_IS_FALSE:
    case SC_NODE_IS_DISTINCT:
        return sc_typing_condition(typing, node, out);
    case SC_NODE_JOINED:
        return sc_typing_joined(typing, node, out);
    case SC_NODE_CASE:
        return sc_typing_case(typing, node, out);
    case SC_NODE_CALL:
        return sc_typing_call(typing, node, out);
    }
    return sc_typing_leaf(typing, node, out);
}

/* Rungs of unlike steps cannot be compared, so that no expression is made of them. */
scrim_status sc_typed_row(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    typing->depth++;
    const scrim_status status = type_row(typing, node, out);
    typing->depth--;
    if (status == SCRIM_OK && typing->depth > 0 && (*out)->type == SC_TYPE_RUNG)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "LADDER(x) is allowed only by itself, in MEDIAN, QUANTILE and "
                         "GROUP BY");
    return status;
}

scrim_status sc_typed_condition(sc_typing *typing, const sc_node *node,
                                const char *purpose, const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    if (status == SCRIM_OK && (*out)->type == SC_TYPE_NONE)
        return sc_typing_null(typing, SC_TYPE_BOOL, out);
    if (status == SCRIM_OK && (*out)->type != SC_TYPE_BOOL)
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_PARAM,
            "%s needs a condition, and this is %s; compare it, as in x > 0 or x = 'a'",
            purpose, sc_type_text((*out)->type));
    return status;
}

scrim_status sc_typing_check_number(const sc_typing *typing, const sc_node *node,
                                    const char *purpose, const sc_typed *typed)
{
    switch (typed->type) {
    case SC_TYPE_NONE:
    case SC_TYPE_NUMBER:
        return SCRIM_OK;
    case SC_TYPE_BOOL:
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s needs a number; write CASE WHEN ... THEN 1 ELSE 0 END",
                         purpose);
    case SC_TYPE_DATE:
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s needs a number; use d - DATE '2026-01-01' (days) or YEAR(d)",
                         purpose);
    case SC_TYPE_TIMESTAMP:
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_PARAM,
            "%s needs a number; use t - TIMESTAMP '2026-01-01' (seconds) or HOUR(t)",
            purpose);
    case SC_TYPE_RUNG:
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s takes no LADDER; use MEDIAN, QUANTILE or GROUP BY", purpose);
    case SC_TYPE_TEXT:
        break;
    }
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "%s needs a number with a declared range, and this is text; count "
                     "it: SELECT x, COUNT(*) GROUP BY x",
                     purpose);
}

scrim_status sc_typing_check_constant(const sc_typing *typing, const sc_node *node,
                                      const char *purpose, const sc_typed *typed)
{
    const scrim_status status = sc_typing_check_number(typing, node, purpose, typed);
    if (status == SCRIM_OK && !sc_typed_is_constant(typed))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s must be a constant number", purpose);
    return status;
}

scrim_status sc_typed_number(sc_typing *typing, const sc_node *node, const char *purpose,
                             const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    return status == SCRIM_OK ? sc_typing_check_number(typing, node, purpose, *out)
                              : status;
}

scrim_status sc_typed_constant(sc_typing *typing, const sc_node *node,
                               const char *purpose, sc_extent *out)
{
    const sc_typed *typed;
    SC_TRY(sc_typed_row(typing, node, &typed));
    SC_TRY(sc_typing_check_constant(typing, node, purpose, typed));
    *out = typed->extent;
    return SCRIM_OK;
}
