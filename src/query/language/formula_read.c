#include "query/language/formula_read.h"

#include "query/language/aggregate_form.h"
#include "query/language/typed.h"

/* What is being made. */
typedef struct making {
    const sc_formula_reading *reading;
    sc_formula_step *steps;
    size_t count, aggregates;
} making;

#define FUNCTIONS "ABS, CLAMP, COALESCE, FLOOR, GREATEST, LEAST, NULLIF and ROUND"

static const struct {
    sc_function_kind function;
    sc_formula_kind kind;
} calls[] = {
    {SC_FUNCTION_ABS, SC_FORMULA_ABS},           {SC_FUNCTION_CLAMP, SC_FORMULA_CLAMP},
    {SC_FUNCTION_COALESCE, SC_FORMULA_COALESCE}, {SC_FUNCTION_FLOOR, SC_FORMULA_FLOOR},
    {SC_FUNCTION_GREATEST, SC_FORMULA_GREATEST}, {SC_FUNCTION_LEAST, SC_FORMULA_LEAST},
    {SC_FUNCTION_NULLIF, SC_FORMULA_NULLIF},     {SC_FUNCTION_ROUND, SC_FORMULA_ROUND},
};

static const struct {
    sc_node_kind node;
    sc_formula_kind kind;
} signs[] = {
    {SC_NODE_NEGATE, SC_FORMULA_NEGATE},     {SC_NODE_ADD, SC_FORMULA_ADD},
    {SC_NODE_SUBTRACT, SC_FORMULA_SUBTRACT}, {SC_NODE_MULTIPLY, SC_FORMULA_MULTIPLY},
    {SC_NODE_DIVIDE, SC_FORMULA_DIVIDE},
};

/* Refusals. */

static const sc_node *find_name(const sc_node *node)
{
    const sc_node *found = node->kind == SC_NODE_NAME ? node : NULL;
    for (size_t i = 0; found == NULL && i < node->count; i++)
        found = find_name(node->list[i]);
    return found;
}

static scrim_status refuse_call(const making *m, const sc_node *node)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_refuse(m->reading->typing->refusal, node->span, SCRIM_E_POLICY,
                     "%s cannot be applied to aggregates; available: " FUNCTIONS,
                     sc_text_quote(node->text, quote));
}

static scrim_status refuse_kind(const making *m, const sc_node *node)
{
    sc_refusal *refusal = m->reading->typing->refusal;
    if (node->kind == SC_NODE_CASE)
        return sc_refuse(refusal, node->span, SCRIM_E_POLICY,
                         "CASE cannot be applied to aggregates; ask for each aggregate "
                         "and choose among the answers, which is free");
    return sc_refuse(refusal, node->span, SCRIM_E_POLICY,
                     "conditions on aggregates belong in HAVING; SELECT computes "
                     "numbers: + - * /, " FUNCTIONS);
}

/* Steps. */

static scrim_status add_step(making *m, const sc_node *node, sc_formula_step step,
                             size_t *out)
{
    if (m->count == SC_FORMULA_STEPS)
        return sc_refuse(m->reading->typing->refusal, node->span, SCRIM_E_LIMIT,
                         "arithmetic on aggregates is limited to %d steps; ask for the "
                         "aggregates and compute with the answers",
                         SC_FORMULA_STEPS);
    *out = m->count;
    m->steps[m->count++] = step;
    return SCRIM_OK;
}

static scrim_status read_number(making *m, const sc_node *node, size_t *out)
{
    sc_formula_step step = {.kind = SC_FORMULA_NUMBER};
    const sc_node *name = find_name(node);
    char quote[SC_TEXT_QUOTE_BYTES];
    if (name != NULL)
        return sc_refuse(m->reading->typing->refusal, name->span, SCRIM_E_POLICY,
                         "%s is a value of a single row and cannot be mixed with "
                         "aggregates; ask for an aggregate of it",
                         sc_text_quote(name->text, quote));
    const scrim_status status = sc_typed_constant(
        m->reading->typing, node, "arithmetic on aggregates", &step.number);
    return status == SCRIM_OK ? add_step(m, node, step, out) : status;
}

static scrim_status read_aggregate(making *m, const sc_node *node, size_t *out)
{
    sc_formula_step step = {.kind = SC_FORMULA_AGGREGATE};
    if (m->aggregates++ == SC_FORMULA_AGGREGATES)
        return sc_refuse(m->reading->typing->refusal, node->span, SCRIM_E_LIMIT,
                         "one expression may use at most %d aggregates",
                         SC_FORMULA_AGGREGATES);
    const scrim_status status =
        m->reading->take(m->reading->context, node, &step.aggregate);
    return status == SCRIM_OK ? add_step(m, node, step, out) : status;
}

static scrim_status read_any(making *m, const sc_node *node, size_t *out);

static scrim_status read_parts(making *m, const sc_node *node, size_t count, size_t **out)
{
    size_t *parts = sc_arena_allocate(m->reading->typing->arena, count, sizeof *parts);
    scrim_status status =
        parts == NULL ? sc_refuse_memory(m->reading->typing->refusal) : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = read_any(m, node->list[i], &parts[i]);
    *out = parts;
    return status;
}

static bool is_number(const making *m, size_t step)
{
    return m->steps[step].kind == SC_FORMULA_NUMBER;
}

/* The unit that FLOOR and ROUND leave: 1, or 10^-digits. */
static scrim_status read_unit(making *m, const sc_node *node, sc_value_step *out)
{
    sc_extent constant;
    int64_t digits = 0;
    *out = (sc_value_step){1, 1};
    if (node->count < 2)
        return SCRIM_OK;
    const scrim_status status = sc_typed_constant(m->reading->typing, node->list[1],
                                                  "ROUND(x, digits)", &constant);
    if (status != SCRIM_OK)
        return status;
    if (!sc_extent_count_of(&constant, *out, &digits) || digits < -18 || digits > 18)
        return sc_refuse(
            m->reading->typing->refusal, node->list[1]->span, SCRIM_E_PARAM,
            "the digits of ROUND(x, digits) must be a whole number from -18 to 18");
    for (int64_t i = 0; i < (digits < 0 ? -digits : digits); i++)
        *(digits < 0 ? &out->numerator : &out->denominator) *= 10;
    return SCRIM_OK;
}

static scrim_status check_clamp(const making *m, const sc_node *node,
                                const sc_formula_step *step)
{
    SC_OWN(sc_ratio, low, high);
    bool is_right = is_number(m, step->parts[1]) && is_number(m, step->parts[2]);
    if (is_right) {
        const sc_extent *a = &m->steps[step->parts[1]].number,
                        *b = &m->steps[step->parts[2]].number;
        sc_extent_value(a->step, a->low, &low);
        sc_extent_value(b->step, b->low, &high);
        is_right = sc_ratio_compare(&low, &high) <= 0;
    }
    return is_right ? SCRIM_OK
                    : sc_refuse(
                          m->reading->typing->refusal, node->span, SCRIM_E_PARAM,
                          "CLAMP(x, low, high) needs two numbers, with low at most high");
}

static scrim_status read_call(making *m, const sc_node *node, size_t *out)
{
    sc_formula_step step = {.kind = 0};
    sc_function function;
    if (!sc_function_find(node->text, &function))
        return refuse_call(m, node);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].function == function.kind)
            step.kind = calls[i].kind;
    if (step.kind == 0)
        return refuse_call(m, node);
    if (node->count < function.form->least || node->count > function.form->most)
        return sc_refuse(m->reading->typing->refusal, node->span, SCRIM_E_PARAM,
                         "usage: %s", function.form->form);
    const bool has_unit = step.kind == SC_FORMULA_FLOOR || step.kind == SC_FORMULA_ROUND;
    size_t *parts = NULL;
    step.count = has_unit ? 1 : node->count;
    scrim_status status = read_parts(m, node, step.count, &parts);
    step.parts = parts;
    if (status == SCRIM_OK && has_unit)
        status = read_unit(m, node, &step.unit);
    if (status == SCRIM_OK && step.kind == SC_FORMULA_CLAMP)
        status = check_clamp(m, node, &step);
    return status == SCRIM_OK ? add_step(m, node, step, out) : status;
}

static bool is_zero(const making *m, size_t step)
{
    return is_number(m, step) && m->steps[step].number.low == 0;
}

/* A divisor NULLIF(x, 0) is x: what is divided by 0 is NULL anyway. */
static size_t plain_divisor(const making *m, size_t step)
{
    const sc_formula_step *s = &m->steps[step];
    return s->kind == SC_FORMULA_NULLIF && is_zero(m, s->parts[1]) ? s->parts[0] : step;
}

static scrim_status read_sign(making *m, const sc_node *node, sc_formula_kind kind,
                              size_t *out)
{
    size_t *parts = NULL;
    const scrim_status status = read_parts(m, node, node->count, &parts);
    if (status != SCRIM_OK)
        return status;
    if (kind == SC_FORMULA_DIVIDE) {
        parts[1] = plain_divisor(m, parts[1]);
        if (is_zero(m, parts[1]))
            return sc_refuse(m->reading->typing->refusal, node->list[1]->span,
                             SCRIM_E_PARAM, "division by 0");
    }
    const sc_formula_step step = {.kind = kind, .parts = parts, .count = node->count};
    return add_step(m, node, step, out);
}

static scrim_status read_any(making *m, const sc_node *node, size_t *out)
{
    if (sc_aggregate_called(node) != NULL)
        return read_aggregate(m, node, out);
    if (!sc_aggregate_within(node))
        return read_number(m, node, out);
    if (node->kind == SC_NODE_CALL)
        return read_call(m, node, out);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].node == node->kind)
            return read_sign(m, node, signs[i].kind, out);
    return refuse_kind(m, node);
}

scrim_status sc_formula_read(const sc_formula_reading *reading, const sc_node *node,
                             const sc_formula **out)
{
    sc_arena *arena = reading->typing->arena;
    size_t whole;
    making m = {.reading = reading,
                .steps = sc_arena_allocate(arena, SC_FORMULA_STEPS, sizeof *m.steps)};
    sc_formula *formula = sc_arena_allocate(arena, 1, sizeof *formula);
    if (m.steps == NULL || formula == NULL)
        return sc_refuse_memory(reading->typing->refusal);
    const scrim_status status = read_any(&m, node, &whole);
    *formula = (sc_formula){m.steps, m.count};
    *out = formula;
    return status;
}
