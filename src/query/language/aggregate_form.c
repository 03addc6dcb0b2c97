#include "query/language/aggregate_form.h"

#include "query/language/typed.h"

static bool find_called(const sc_node *node, sc_function *out)
{
    return node->kind == SC_NODE_CALL && sc_function_find(node->text, out) &&
           out->aggregate != NULL;
}

const sc_aggregate *sc_aggregate_called(const sc_node *node)
{
    sc_function function;
    return find_called(node, &function) ? function.aggregate : NULL;
}

bool sc_aggregate_within(const sc_node *node)
{
    if (sc_aggregate_called(node) != NULL)
        return true;
    for (size_t i = 0; i < node->count; i++)
        if (sc_aggregate_within(node->list[i]))
            return true;
    return false;
}

scrim_status sc_aggregate_read_number(sc_typing *typing, const sc_node *node,
                                      const sc_call_form *form, sc_query_aggregate *out,
                                      size_t *count)
{
    (void)count;
    const scrim_status status =
        sc_typed_number(typing, node->list[0], form->name, &out->value);
    return status == SCRIM_OK ? sc_typing_check_varies(typing, node->list[0], out->value)
                              : status;
}

static scrim_status check_form(const sc_typing *typing, const sc_node *node,
                               const sc_function *function)
{
    const sc_call_form *form = function->form;
    if (node->count > form->most && form->items != NULL)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "at most %zu %s; ask for fewer", form->most - 1, form->items);
    if (node->count < form->least || node->count > form->most)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM, "usage: %s",
                         form->form);
    if (node->distinct && !function->aggregate->takes_distinct)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_POLICY,
                         "DISTINCT is allowed only in COUNT(DISTINCT unit), which counts "
                         "people; leave it out");
    if (node->with_range && (node->distinct || !function->aggregate->takes_range))
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_PARAM,
            "WITH RANGE is allowed only after COUNT(*) and SUM(x); leave it out");
    return SCRIM_OK;
}

/* AGG(x) FILTER (WHERE c) is AGG(CASE WHEN c THEN x END). */
static scrim_status filter(sc_typing *typing, const sc_node *node,
                           sc_query_aggregate *list, size_t count)
{
    const sc_typed *condition, *one;
    sc_condition_facts facts;
    scrim_status status = sc_typed_condition(typing, node->filter, "FILTER", &condition);
    if (status == SCRIM_OK)
        status = sc_typing_constant(typing, SC_TYPE_NUMBER, 1, &one);
    if (status != SCRIM_OK)
        return status;
    if (!sc_condition_facts_of(condition, typing->schema, typing->arena, &facts))
        return sc_refuse_memory(typing->refusal);
    if (!facts.can_be_true)
        return sc_refuse(typing->refusal, node->filter->span, SCRIM_E_PARAM,
                         "no row can match, by the declared ranges and defaults; the "
                         "answer would be noise only");
    for (size_t i = 0; status == SCRIM_OK && !facts.is_always_true && i < count; i++) {
        const sc_typed **value =
            list[i].value != NULL ? &list[i].value : &list[i].present;
        status = sc_typing_where(typing, condition, *value == NULL ? one : *value, value);
    }
    return status;
}

scrim_status sc_aggregate_read(sc_typing *typing, const sc_node *node,
                               sc_query_aggregate *out, size_t *count)
{
    sc_function function;
    if (!find_called(node, &function))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_INTERNAL,
                         "no aggregate, where one was seen");
    const scrim_status status = check_form(typing, node, &function);
    if (status != SCRIM_OK)
        return status;
    *out =
        (sc_query_aggregate){.kind = function.aggregate, .with_range = node->with_range};
    *count = 1;
    scrim_status read = function.aggregate->read(typing, node, function.form, out, count);
    if (read == SCRIM_OK && node->filter != NULL)
        read = filter(typing, node, out, *count);
    return read;
}
