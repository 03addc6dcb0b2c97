#include "query/language/released.h"

#include "data/value/calendar.h"
#include "data/value/text_function.h"
#include "query/language/typed.h"

/* Names. */

static scrim_status unknown_output(const sc_released_scope *scope, const sc_node *node,
                                   const char *clause)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(node->text, quote);
    if (node->kind != SC_NODE_NAME)
        return sc_refuse(
            scope->refusal, node->span, SCRIM_E_POLICY,
            "%s needs a name from SELECT; put this into SELECT with AS and a name",
            clause);
    if (sc_schema_column(scope->schema, node->text) != NULL)
        return sc_refuse(scope->refusal, node->span, SCRIM_E_POLICY,
                         "%s applies to released values, and %s is a column; write "
                         "conditions on rows in WHERE",
                         clause, quote);
    for (size_t i = 0; i < scope->count; i++)
        if (sc_text_distance(node->text, scope->outputs[i].name) <= 2) {
            char meant[SC_TEXT_QUOTE_BYTES];
            return sc_refuse(scope->refusal, node->span, SCRIM_E_PARAM,
                             "no %s in the answer; did you mean %s?", quote,
                             sc_text_quote(scope->outputs[i].name, meant));
        }
    return sc_refuse(scope->refusal, node->span, SCRIM_E_PARAM,
                     "no %s in the answer; %s needs a name from SELECT", quote, clause);
}

static bool find_output(const sc_released_scope *scope, const sc_node *node,
                        size_t *output)
{
    for (size_t i = 0; i < scope->count; i++)
        if ((node->kind == SC_NODE_NAME &&
             sc_text_equal(node->text, scope->outputs[i].name)) ||
            (scope->outputs[i].node != NULL &&
             sc_node_equal(node, scope->outputs[i].node))) {
            *output = i;
            return true;
        }
    return false;
}

scrim_status sc_released_find(const sc_released_scope *scope, const sc_node *node,
                              const char *clause, size_t *output)
{
    return find_output(scope, node, output) ? SCRIM_OK
                                            : unknown_output(scope, node, clause);
}

/* Conditions. */

static bool is_comparison(sc_node_kind kind)
{
    return (kind >= SC_NODE_EQUAL && kind <= SC_NODE_GREATER_EQUAL) ||
           kind == SC_NODE_BETWEEN || kind == SC_NODE_IN || kind == SC_NODE_IS_DISTINCT;
}

static bool is_constant(const sc_released *part)
{
    return part->kind == SC_NODE_NUMBER || part->kind == SC_NODE_TEXT;
}

static sc_typing typing_of(const sc_released_scope *scope)
{
    static const sc_tree no_names = {.item_count = 0};
    return (sc_typing){.schema = scope->schema,
                       .tree = &no_names,
                       .arena = scope->arena,
                       .refusal = scope->refusal};
}

static scrim_status make_leaf(const sc_released_scope *scope, const sc_node *node,
                              sc_released *leaf)
{
    sc_typing typing = typing_of(scope);
    const sc_typed *typed;
    SC_TRY(sc_typed_row(&typing, node, &typed));
    leaf->kind = typed->type == SC_TYPE_TEXT ? SC_NODE_TEXT : SC_NODE_NUMBER;
    leaf->type = typed->type;
    leaf->constant = typed->extent;
    leaf->text = node->text;
    return SCRIM_OK;
}

/* Text beside a date is one; then all parts must be of one type. */
static scrim_status unify(const sc_released_scope *scope, const sc_node *node,
                          sc_released *const *parts, size_t count)
{
    sc_type type = parts[0]->type;
    int64_t day;
    for (size_t i = 1; i < count; i++)
        if (sc_type_is_time(parts[i]->type))
            type = parts[i]->type;
    if (type == SC_TYPE_RUNG)
        return sc_refuse(scope->refusal, node->span, SCRIM_E_PARAM,
                         "values of LADDER cannot be compared; compare them outside");
    for (size_t i = 0; i < count; i++) {
        sc_moment moment;
        if (type == SC_TYPE_TIMESTAMP && parts[i]->kind == SC_NODE_TEXT &&
            sc_moment_read(scope->schema->zone, NULL, parts[i]->text, &moment) &&
            !moment.has_fraction) {
            parts[i]->kind = SC_NODE_NUMBER;
            parts[i]->type = SC_TYPE_TIMESTAMP;
            parts[i]->constant = (sc_extent){moment.seconds, moment.seconds, {1, 1}};
        }
        if (type == SC_TYPE_DATE && parts[i]->kind == SC_NODE_TEXT &&
            sc_calendar_parse(parts[i]->text, &day)) {
            parts[i]->kind = SC_NODE_NUMBER;
            parts[i]->type = SC_TYPE_DATE;
            parts[i]->constant = (sc_extent){day, day, {1, 1}};
        }
        if (parts[i]->type != type)
            return sc_refuse(
                scope->refusal, node->list[i]->span, SCRIM_E_PARAM,
                "cannot compare or combine %s with %s; both must have the same type",
                sc_type_text(parts[i]->type), sc_type_text(type));
    }
    return SCRIM_OK;
}

static scrim_status check_parts(const sc_released_scope *scope, const sc_node *node,
                                sc_released *const *parts, sc_released *whole)
{
    const bool compares = is_comparison(node->kind);
    const bool equals = node->kind == SC_NODE_EQUAL || node->kind == SC_NODE_NOT_EQUAL ||
                        node->kind == SC_NODE_IN || node->kind == SC_NODE_IS_DISTINCT;
    const bool joins = node->kind == SC_NODE_AND || node->kind == SC_NODE_OR ||
                       node->kind == SC_NODE_NOT || node->kind == SC_NODE_IS_TRUE ||
                       node->kind == SC_NODE_IS_FALSE;
    if (node->kind == SC_NODE_IS_NULL) {
        whole->type = SC_TYPE_BOOL;
        return SCRIM_OK;
    }
    whole->type = compares || joins ? SC_TYPE_BOOL : SC_TYPE_NUMBER;
    if (compares) {
        SC_TRY(unify(scope, node, parts, node->count));
        if (!equals && parts[0]->type == SC_TYPE_TEXT)
            return sc_refuse(scope->refusal, node->span, SCRIM_E_POLICY,
                             "text has no order here; use = or <>, or list the values: "
                             "x IN ('a', 'b')");
        return SCRIM_OK;
    }
    for (size_t i = 0; i < node->count; i++)
        if (parts[i]->type != whole->type)
            return sc_refuse(scope->refusal, node->list[i]->span, SCRIM_E_PARAM,
                             "%s, but %s is needed", sc_type_text(parts[i]->type),
                             sc_type_text(whole->type));
    if (node->kind == SC_NODE_DIVIDE && is_constant(parts[1]) &&
        parts[1]->constant.low == 0)
        return sc_refuse(scope->refusal, node->list[1]->span, SCRIM_E_PARAM,
                         "division by 0");
    return SCRIM_OK;
}

static scrim_status make(const sc_released_scope *scope, const sc_node *node,
                         sc_released **out);

/* Makes the first count parts of a node. */
static scrim_status make_parts(const sc_released_scope *scope, const sc_node *node,
                               size_t count, sc_released *whole, sc_released ***out)
{
    sc_released **parts = sc_arena_allocate(scope->arena, count, sizeof(sc_released *));
    const sc_released **list =
        sc_arena_allocate(scope->arena, count, sizeof(const sc_released *));
    scrim_status status = SCRIM_OK;
    if (parts == NULL || list == NULL)
        return sc_refuse_memory(scope->refusal);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        status = make(scope, node->list[i], &parts[i]);
        list[i] = parts[i];
    }
    whole->kind = node->kind;
    whole->parts = list;
    whole->count = count;
    *out = parts;
    return status;
}

static scrim_status make_whole(const sc_released_scope *scope, const sc_node *node,
                               sc_released *whole)
{
    sc_released **parts;
    SC_TRY(make_parts(scope, node, node->count, whole, &parts));
    return check_parts(scope, node, parts, whole);
}

/* Functions of text. */

static bool is_of_text(const sc_node *node)
{
    sc_function function;
    return node->kind == SC_NODE_LIKE || node->kind == SC_NODE_JOINED ||
           (node->kind == SC_NODE_CALL && sc_function_find(node->text, &function) &&
            function.aggregate == NULL && sc_typing_is_text_function(function.kind) &&
            node->count >= function.form->least && node->count <= function.form->most &&
            !node->distinct && !node->with_range && node->filter == NULL);
}

/* Types the function on an empty text by the rules for rows, which reads and checks its constants. */
static scrim_status read_constants(const sc_released_scope *scope, const sc_node *node,
                                   sc_released *whole)
{
    sc_typing typing = typing_of(scope);
    sc_extent from, count = {SC_EXTENT_MAX, SC_EXTENT_MAX, {1, 1}};
    int64_t most = SC_EXTENT_MAX;
    scrim_status status = SCRIM_OK;
    if (whole->kind == SC_NODE_LIKE) {
        const sc_node empty = {.kind = SC_NODE_TEXT, .text = {"", 0}};
        const sc_node *list[3] = {&empty, node->list[1],
                                  node->count > 2 ? node->list[2] : NULL};
        sc_node pattern = *node;
        const sc_typed *typed;
        pattern.list = list;
        status = sc_typing_like(&typing, &pattern, &typed);
        const sc_text escape = node->count > 2 ? node->list[2]->text : sc_text_of("\\");
        if (status == SCRIM_OK && node->list[1]->kind != SC_NODE_TEXT)
            return sc_refuse(scope->refusal, node->list[1]->span, SCRIM_E_POLICY,
                             "LIKE needs a constant pattern, as in x LIKE 'a%%'");
        if (status == SCRIM_OK &&
            sc_like_compile(node->list[1]->text, escape, scope->arena, &whole->like) !=
                SC_LIKE_FINE)
            status = sc_refuse_memory(scope->refusal);
        return status;
    }
    if (whole->function != SC_FUNCTION_SUBSTR)
        return SCRIM_OK;
    status = sc_typed_constant(&typing, node->list[1],
                               "a position of SUBSTR(x, from, count)", &from);
    if (status == SCRIM_OK && node->count > 2)
        status = sc_typed_constant(&typing, node->list[2],
                                   "a position of SUBSTR(x, from, count)", &count);
    if (status != SCRIM_OK)
        return status;
    if (!sc_extent_count_of(&from, (sc_value_step){1, 1}, &whole->first) ||
        (node->count > 2 && !sc_extent_count_of(&count, (sc_value_step){1, 1}, &most)))
        return sc_refuse(scope->refusal, node->span, SCRIM_E_PARAM,
                         "SUBSTR(x, from, count) needs whole numbers");
    if (most < 0)
        return sc_refuse(scope->refusal, node->list[2]->span, SCRIM_E_PARAM,
                         "the count of SUBSTR(x, from, count) must be at least 0");
    whole->behind = whole->first + most; /* both are within 2^62 */
    return SCRIM_OK;
}

static scrim_status make_text(const sc_released_scope *scope, const sc_node *node,
                              sc_released *whole)
{
    sc_released **parts;
    sc_function function = {.kind = SC_FUNCTION_LENGTH};
    scrim_status status =
        make_parts(scope, node, node->kind == SC_NODE_JOINED ? 2 : 1, whole, &parts);
    for (size_t i = 0; status == SCRIM_OK && i < whole->count; i++)
        if (parts[i]->type != SC_TYPE_TEXT)
            return sc_refuse(scope->refusal, node->list[i]->span, SCRIM_E_PARAM,
                             "%s, but %s is needed", sc_type_text(parts[i]->type),
                             sc_type_text(SC_TYPE_TEXT));
    if (status != SCRIM_OK)
        return status;
    if (node->kind == SC_NODE_CALL && sc_function_find(node->text, &function))
        whole->function = function.kind;
    whole->type = node->kind == SC_NODE_LIKE              ? SC_TYPE_BOOL
                  : whole->function == SC_FUNCTION_LENGTH ? SC_TYPE_NUMBER
                                                          : SC_TYPE_TEXT;
    return read_constants(scope, node, whole);
}

static scrim_status make(const sc_released_scope *scope, const sc_node *node,
                         sc_released **out)
{
    sc_released *released = sc_arena_allocate(scope->arena, 1, sizeof *released);
    if (released == NULL)
        return sc_refuse_memory(scope->refusal);
    *out = released;
    if (find_output(scope, node, &released->output)) {
        released->kind = SC_NODE_NAME;
        released->type = scope->outputs[released->output].type;
        return SCRIM_OK;
    }
    if (is_of_text(node))
        return make_text(scope, node, released);
    if (node->kind == SC_NODE_NAME || node->kind == SC_NODE_CALL ||
        node->kind == SC_NODE_CASE || node->kind == SC_NODE_NULL)
        return unknown_output(scope, node, "HAVING");
    return node->count == 0 ? make_leaf(scope, node, released)
                            : make_whole(scope, node, released);
}

scrim_status sc_released_condition(const sc_released_scope *scope, const sc_node *node,
                                   const sc_released **out)
{
    sc_released *released;
    SC_TRY(make(scope, node, &released));
    if (released->type != SC_TYPE_BOOL)
        return sc_refuse(scope->refusal, node->span, SCRIM_E_PARAM,
                         "HAVING needs a condition, as in HAVING n > 100");
    *out = released;
    return SCRIM_OK;
}

/* Values. */

/* The value of a text part; a computed one lives in room. */
static sc_text text_of(const sc_released *part, const sc_released_value *values,
                       char room[SC_TEXT_RESULT_BYTES])
{
    char own[SC_TEXT_RESULT_BYTES];
    if (part->kind == SC_NODE_TEXT)
        return part->text;
    if (part->kind == SC_NODE_NAME)
        return values[part->output].text;
    if (part->kind == SC_NODE_JOINED) {
        char other[SC_TEXT_RESULT_BYTES];
        const sc_text a = text_of(part->parts[0], values, own),
                      b = text_of(part->parts[1], values, other);
        return sc_text_joined(a, b, room);
    }
    if (part->function == SC_FUNCTION_LOWER || part->function == SC_FUNCTION_UPPER)
        return sc_text_cased(text_of(part->parts[0], values, own),
                             part->function == SC_FUNCTION_UPPER, room);
    const sc_text x = text_of(part->parts[0], values, room);
    return part->function == SC_FUNCTION_SUBSTR
               ? sc_text_part(x, part->first, part->behind)
               : sc_text_trimmed(x, part->function != SC_FUNCTION_RTRIM,
                                 part->function != SC_FUNCTION_LTRIM);
}

int sc_released_compare(sc_type type, const sc_released_value *a,
                        const sc_released_value *b)
{
    return type == SC_TYPE_TEXT ? sc_text_compare(a->text, b->text)
                                : sc_ratio_compare(&a->number, &b->number);
}

static void evaluate(const sc_released *part, const sc_released_value *values,
                     sc_ratio *out);

static int compare_parts(const sc_released *a, const sc_released *b,
                         const sc_released_value *values)
{
    if (a->type == SC_TYPE_TEXT) {
        char left[SC_TEXT_RESULT_BYTES], right[SC_TEXT_RESULT_BYTES];
        return sc_text_compare(text_of(a, values, left), text_of(b, values, right));
    }
    SC_OWN(sc_ratio, x, y);
    evaluate(a, values, &x);
    evaluate(b, values, &y);
    return sc_ratio_compare(&x, &y);
}

static bool compares(const sc_released *whole, const sc_released_value *values)
{
    const int order = compare_parts(whole->parts[0], whole->parts[1], values);
    if (whole->kind == SC_NODE_BETWEEN)
        return order >= 0 && compare_parts(whole->parts[0], whole->parts[2], values) <= 0;
    if (whole->kind == SC_NODE_IN) {
        bool found = order == 0;
        for (size_t i = 2; !found && i < whole->count; i++)
            found = compare_parts(whole->parts[0], whole->parts[i], values) == 0;
        return found;
    }
    return whole->kind == SC_NODE_EQUAL        ? order == 0
           : whole->kind == SC_NODE_NOT_EQUAL  ? order != 0
           : whole->kind == SC_NODE_LESS       ? order < 0
           : whole->kind == SC_NODE_LESS_EQUAL ? order <= 0
           : whole->kind == SC_NODE_GREATER    ? order > 0
                                               : order >= 0;
}

static bool is_zero(const sc_released *part, const sc_released_value *values)
{
    SC_OWN(sc_ratio, value);
    evaluate(part, values, &value);
    return sc_ratio_sign(&value) == 0;
}

/* Does a part of it lack a value? A quotient by 0 does. */
static bool is_unknown(const sc_released *part, const sc_released_value *values)
{
    if (part->kind == SC_NODE_NAME)
        return values[part->output].is_empty;
    for (size_t i = 0; i < part->count; i++)
        if (is_unknown(part->parts[i], values))
            return true;
    return part->kind == SC_NODE_DIVIDE && is_zero(part->parts[1], values);
}

typedef enum verdict { NO, UNKNOWN, YES } verdict;

static bool is_joint(sc_node_kind kind)
{
    return kind == SC_NODE_AND || kind == SC_NODE_OR || kind == SC_NODE_NOT ||
           kind == SC_NODE_IS_NULL || kind == SC_NODE_IS_TRUE ||
           kind == SC_NODE_IS_FALSE || kind == SC_NODE_IS_DISTINCT;
}

static verdict truth(const sc_released *part, const sc_released_value *values);

/* IS DISTINCT FROM: two missing values are equal. */
static verdict is_distinct(const sc_released *whole, const sc_released_value *values)
{
    const bool a = is_unknown(whole->parts[0], values),
               b = is_unknown(whole->parts[1], values);
    if (a || b)
        return a == b ? NO : YES;
    return compare_parts(whole->parts[0], whole->parts[1], values) != 0 ? YES : NO;
}

/* NO < UNKNOWN < YES: AND is the least of them, OR the greatest. */
static verdict joins(const sc_released *whole, const sc_released_value *values)
{
    if (whole->kind == SC_NODE_NOT)
        return (verdict)(YES - truth(whole->parts[0], values));
    if (whole->kind == SC_NODE_IS_NULL)
        return (whole->parts[0]->type == SC_TYPE_BOOL
                    ? truth(whole->parts[0], values) == UNKNOWN
                    : is_unknown(whole->parts[0], values))
                   ? YES
                   : NO;
    if (whole->kind == SC_NODE_IS_TRUE || whole->kind == SC_NODE_IS_FALSE)
        return truth(whole->parts[0], values) ==
                       (whole->kind == SC_NODE_IS_TRUE ? YES : NO)
                   ? YES
                   : NO;
    if (whole->kind == SC_NODE_IS_DISTINCT)
        return is_distinct(whole, values);
    const bool is_or = whole->kind == SC_NODE_OR;
    verdict all = is_or ? NO : YES;
    for (size_t i = 0; i < whole->count; i++) {
        const verdict one = truth(whole->parts[i], values);
        all = (is_or ? one > all : one < all) ? one : all;
    }
    return all;
}

static verdict truth(const sc_released *part, const sc_released_value *values)
{
    sc_ratio value;
    if (is_joint(part->kind))
        return joins(part, values);
    if (is_unknown(part, values))
        return UNKNOWN;
    sc_ratio_init(&value);
    evaluate(part, values, &value);
    const verdict is = sc_ratio_sign(&value) != 0 ? YES : NO;
    sc_ratio_clear(&value);
    return is;
}

static void calculate(const sc_released *whole, const sc_released_value *values,
                      sc_ratio *out)
{
    SC_OWN(sc_ratio, right);
    if (whole->kind == SC_NODE_NEGATE) {
        evaluate(whole->parts[0], values, &right);
        sc_ratio_set_int64(out, 0);
        sc_ratio_sub(out, out, &right);
        return;
    }
    evaluate(whole->parts[0], values, out);
    evaluate(whole->parts[1], values, &right);
    if (whole->kind == SC_NODE_ADD)
        sc_ratio_add(out, out, &right);
    else if (whole->kind == SC_NODE_SUBTRACT)
        sc_ratio_sub(out, out, &right);
    else if (whole->kind == SC_NODE_MULTIPLY)
        sc_ratio_mul(out, out, &right);
    else
        sc_ratio_div(out, out, &right);
}

/* The value of LENGTH, or whether LIKE matches. */
static int64_t number_of_text(const sc_released *part, const sc_released_value *values)
{
    char room[SC_TEXT_RESULT_BYTES];
    const sc_text text = text_of(part->parts[0], values, room);
    return part->kind == SC_NODE_LIKE ? sc_like_matches(part->like, text)
                                      : (int64_t)sc_text_length(text);
}

static void evaluate(const sc_released *part, const sc_released_value *values,
                     sc_ratio *out)
{
    if (part->kind == SC_NODE_LIKE || part->kind == SC_NODE_CALL)
        sc_ratio_set_int64(out, number_of_text(part, values));
    else if (part->kind == SC_NODE_NAME)
        sc_ratio_set(out, &values[part->output].number);
    else if (part->kind == SC_NODE_NUMBER)
        sc_extent_value(part->constant.step, part->constant.low, out);
    else if (is_joint(part->kind))
        sc_ratio_set_int64(out, joins(part, values) == YES);
    else if (is_comparison(part->kind))
        sc_ratio_set_int64(out, compares(part, values));
    else
        calculate(part, values, out);
}

bool sc_released_holds(const sc_released *condition, const sc_released_value *values)
{
    return truth(condition, values) == YES;
}

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

/* The n of "count >= n" or "count > n - 1", also with sides swapped; 0: another condition. */
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
