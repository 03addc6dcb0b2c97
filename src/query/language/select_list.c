#include "query/language/select_list.h"

#include "query/language/extent.h"
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
    SC_TRY(sc_typed_number(typing, node->list[0], form->name, &out->value));
    return sc_typing_check_varies(typing, node->list[0], out->value);
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
                         "DISTINCT is allowed only in COUNT(DISTINCT x), which counts "
                         "people or different values; leave it out");
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
    SC_TRY(check_form(typing, node, &function));
    *out =
        (sc_query_aggregate){.kind = function.aggregate, .with_range = node->with_range};
    *count = 1;
    scrim_status read = function.aggregate->read(typing, node, function.form, out, count);
    if (read == SCRIM_OK && node->filter != NULL)
        read = filter(typing, node, out, *count);
    return read;
}

/* The largest k of MAX_K, which is a count. */
#define K_MAX ((int64_t)1 << 31)

/* Text has no range: what values there are is found by GROUP BY. */
static scrim_status refuse_text(const sc_typing *typing, const sc_node *node,
                                const sc_aggregate *kind)
{
    char name[SC_TEXT_NAME_BYTES];
    (void)sc_typing_hint(node, name);
    return sc_refuse(
        typing->refusal, node->span, SCRIM_E_PARAM,
        "%s needs a number or a date, and this is text; try SELECT %s, COUNT(*) AS n "
        "GROUP BY %s%s",
        kind->name, name, name, kind->text_order);
}

static scrim_status read_value(sc_typing *typing, const sc_node *node,
                               const sc_aggregate *kind, const sc_typed **out)
{
    scrim_status status = sc_typed_row(typing, node, out);
    if (status == SCRIM_OK && (*out)->type == SC_TYPE_TEXT)
        return refuse_text(typing, node, kind);
    if (status == SCRIM_OK && !sc_type_is_time((*out)->type))
        status = sc_typing_check_number(typing, node, kind->name, *out);
    return status == SCRIM_OK ? sc_typing_check_varies(typing, node, *out) : status;
}

/* The width as people write it, "0.05". */
static void put_width(const sc_extent *extent, int64_t width,
                      char out[SC_RATIO_TEXT_BYTES])
{
    SC_OWN(sc_ratio, value);
    sc_extent_value(extent->step, width, &value);
    (void)sc_ratio_format(&value, out, SC_RATIO_TEXT_BYTES);
}

static scrim_status read_width(sc_typing *typing, const sc_node *node,
                               const sc_typed *value, int64_t *out)
{
    char text[SC_RATIO_TEXT_BYTES], many[SC_RATIO_TEXT_BYTES];
    const sc_extent *extent = &value->extent;
    sc_extent constant;
    SC_TRY(sc_typed_constant(typing, node, "the width of buckets", &constant));
    put_width(extent, 1, text);
    put_width(extent, 100, many);
    if (constant.low <= 0 || !sc_extent_count_of(&constant, extent->step, out) ||
        *out > SC_BAR_GRID_WIDTH)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "the bucket width must be above 0 and a multiple of %.100s, the "
                         "step of the values; write MAX(x, %.100s)",
                         text, many);
    if (sc_bar_grid_of(extent->low, extent->high, *out).count <= SC_BAR_GRID_COUNT)
        return SCRIM_OK;
    put_width(extent,
              sc_bar_grid_least_width(extent->low, extent->high, SC_BAR_GRID_COUNT),
              text);
    return sc_refuse(
        typing->refusal, node->span, SCRIM_E_LIMIT,
        "the range has more than 1048576 buckets of this width; use %.100s or "
        "more, or limit the range with CLAMP(x, low, high)",
        text);
}

static scrim_status read_k(sc_typing *typing, const sc_node *node, uint64_t *out)
{
    sc_extent constant;
    int64_t k = 0;
    SC_TRY(sc_typed_constant(typing, node, "the second part of MAX_K(x, k)", &constant));
    if (!sc_extent_count_of(&constant, (sc_value_step){1, 1}, &k) || k < 1 || k > K_MAX)
        return sc_refuse(
            typing->refusal, node->span, SCRIM_E_PARAM,
            "the k of MAX_K(x, k) must be a whole number from 1 to 2147483648: "
            "MAX_K is the largest x that at least k rows reach");
    *out = (uint64_t)k;
    return SCRIM_OK;
}

scrim_status sc_aggregate_bars_read(sc_typing *typing, const sc_node *node,
                                    const sc_call_form *form, sc_query_aggregate *out,
                                    size_t *count)
{
    const size_t before = out->kind->takes_k ? 2 : 1;
    (void)form;
    (void)count;
    SC_TRY(read_value(typing, node->list[0], out->kind, &out->value));
    if (out->kind->takes_k)
        SC_TRY(read_k(typing, node->list[1], &out->k));
    if (node->count > before)
        return read_width(typing, node->list[before], out->value, &out->width);
    return SCRIM_OK;
}

/* Arithmetic on aggregates: the formula that is being made. */
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
    SC_TRY(sc_typed_constant(m->reading->typing, node, "arithmetic on aggregates",
                             &step.number));
    return add_step(m, node, step, out);
}

static scrim_status read_aggregate(making *m, const sc_node *node, size_t *out)
{
    sc_formula_step step = {.kind = SC_FORMULA_AGGREGATE};
    if (m->aggregates++ == SC_FORMULA_AGGREGATES)
        return sc_refuse(m->reading->typing->refusal, node->span, SCRIM_E_LIMIT,
                         "one expression may use at most %d aggregates",
                         SC_FORMULA_AGGREGATES);
    SC_TRY(m->reading->take(m->reading->context, node, &step.aggregate));
    return add_step(m, node, step, out);
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
    SC_TRY(sc_typed_constant(m->reading->typing, node->list[1], "ROUND(x, digits)",
                             &constant));
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

/* A divisor NULLIF(x, 0) is x: a quotient by 0 is NULL anyway. */
static size_t plain_divisor(const making *m, size_t step)
{
    const sc_formula_step *s = &m->steps[step];
    return s->kind == SC_FORMULA_NULLIF && is_zero(m, s->parts[1]) ? s->parts[0] : step;
}

static scrim_status read_sign(making *m, const sc_node *node, sc_formula_kind kind,
                              size_t *out)
{
    size_t *parts = NULL;
    SC_TRY(read_parts(m, node, node->count, &parts));
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

#define NAME_BYTES 256

static void put_small(sc_text_sink *sink, sc_text capitals)
{
    for (size_t i = 0; i < capitals.bytes; i++) {
        const char c = capitals.start[i];
        sc_text_put_times(sink, (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c), 1);
    }
}

static void put_p(sc_text_sink *sink, const sc_node *p)
{
    char text[64];
    const size_t length = sc_node_format(p, text, sizeof text);
    sc_text_put(sink, sc_text_of("_"));
    for (size_t i = 0; i < length && i + 1 < sizeof text; i++)
        if (text[i] != ' ' && text[i] != '(' && text[i] != ')')
            sc_text_put_times(sink, text[i], 1);
}

scrim_status sc_output_name(const sc_item *item, size_t number, sc_arena *arena,
                            sc_text *out, sc_refusal *refusal)
{
    const sc_node *node = item->node;
    char name[NAME_BYTES];
    sc_text_sink sink;
    sc_text_sink_init(&sink, name, sizeof name);
    const bool is_quantile = node->kind == SC_NODE_CALL &&
                             sc_text_is(node->text, "QUANTILE") && node->count > 1;
    if (item->alias.bytes > 0) {
        sc_text_put(&sink, item->alias);
    } else if (node->kind == SC_NODE_NAME) {
        sc_text_put(&sink, node->text);
    } else if (node->kind == SC_NODE_CALL) {
        put_small(&sink, node->text);
        if (node->count > 0 && node->list[0]->kind == SC_NODE_NAME) {
            sc_text_put(&sink, sc_text_of("_"));
            sc_text_put(&sink, node->list[0]->text);
        }
    } else {
        sc_text_put(&sink, sc_text_of(sc_aggregate_within(node) ? "value" : "key"));
    }
    if (number > 0)
        put_p(&sink, node->list[number]);
    else if (is_quantile && item->alias.bytes == 0)
        put_p(&sink, node->list[1]);
    if (sink.length >= sizeof name)
        return sc_refuse(refusal, node->span, SCRIM_E_LIMIT,
                         "a name may have at most %d bytes; choose a shorter one with AS",
                         NAME_BYTES - 1);
    const char *copy = sc_arena_copy(arena, name, sink.length);
    if (copy == NULL)
        return sc_refuse_memory(refusal);
    *out = (sc_text){copy, sink.length};
    return SCRIM_OK;
}

scrim_status sc_output_list_names(const sc_item *item, sc_arena *arena, sc_text *bucket,
                                  sc_text *count, sc_refusal *refusal)
{
    char name[NAME_BYTES];
    sc_text_sink sink;
    *bucket = sc_text_of("bucket");
    *count = sc_text_of("count");
    if (item->alias.bytes == 0)
        return SCRIM_OK;
    sc_text_sink_init(&sink, name, sizeof name);
    sc_text_put(&sink, item->alias);
    sc_text_put(&sink, sc_text_of("_bucket"));
    if (sink.length >= sizeof name)
        return sc_refuse(refusal, item->alias_span, SCRIM_E_LIMIT,
                         "a name may have at most %d bytes; choose a shorter one with AS",
                         NAME_BYTES - 8);
    const char *copy = sc_arena_copy(arena, name, sink.length);
    if (copy == NULL)
        return sc_refuse_memory(refusal);
    *bucket = (sc_text){copy, sink.length};
    *count = item->alias;
    return SCRIM_OK;
}
