/* Functions of text. */
#include "query/language/key_text.h"
#include "query/language/like.h"
#include "query/language/typed.h"

static sc_extent length_of(int64_t most)
{
    return (sc_extent){
        0, most < SC_TEXT_RESULT_BYTES ? most : SC_TEXT_RESULT_BYTES, {1, 1}};
}

scrim_status sc_typing_text_of(sc_typing *typing, sc_span place, const sc_typed *typed,
                               const sc_typed **out)
{
    int64_t most = 0;
    *out = typed;
    if (typed->type != SC_TYPE_TEXT || sc_typed_is_null(typed) || sc_typed_is_text(typed))
        return SCRIM_OK;
    for (size_t i = 0; i < typed->text_count; i++) {
        if (typed->texts[i].bytes > SC_TEXT_RESULT_BYTES)
            return sc_refuse(typing->refusal, place, SCRIM_E_LIMIT,
                             "text may have at most %d bytes", SC_TEXT_RESULT_BYTES);
        const int64_t length = (int64_t)sc_text_length(typed->texts[i]);
        most = length > most ? length : most;
    }
    return sc_typing_operation(typing,
                               (sc_typed){.operation = SC_OP_TEXT_OF,
                                          .type = SC_TYPE_TEXT,
                                          .extent = length_of(most)},
                               typed, NULL, out);
}

/* Advice for a value that is not text. */
static const char *instead_of_text(sc_type type)
{
    switch (type) {
    case SC_TYPE_NUMBER:
        return "; compare it, as in x >= 20 AND x < 30";
    case SC_TYPE_DATE:
    case SC_TYPE_TIMESTAMP:
        return "; compare it, as in d >= '2026-01-01' AND d < '2026-02-01', or write "
               "MONTH(d) = 1";
    case SC_TYPE_BOOL:
        return "; write x = TRUE or x = FALSE";
    case SC_TYPE_NONE:
    case SC_TYPE_RUNG:
    case SC_TYPE_TEXT:
        break;
    }
    return "";
}

/* An argument that must be text. A constant stays one. */
static scrim_status type_text(sc_typing *typing, const sc_node *node, const char *purpose,
                              const sc_typed **out)
{
    SC_TRY(sc_typed_row(typing, node, out));
    const sc_typed *typed = *out;
    if (typed->type == SC_TYPE_NONE)
        return sc_typing_null(typing, SC_TYPE_TEXT, out);
    if (typed->type != SC_TYPE_TEXT)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s needs text, and this is %s%s", purpose,
                         sc_type_text(typed->type), instead_of_text(typed->type));
    return sc_typing_text_of(typing, node->span, typed, out);
}

/* The constant text; NULL if it is not constant. */
static const sc_text *constant_of(const sc_typed *text)
{
    return text->operation == SC_OP_TEXT_OF && sc_typed_is_text_constant(text->parts[0])
               ? &text->parts[0]->texts[0]
               : NULL;
}

static scrim_status make_constant(sc_typing *typing, sc_text value, const sc_typed **out)
{
    sc_text *text = sc_arena_allocate(typing->arena, 1, sizeof *text);
    const char *copy = sc_arena_copy(typing->arena, value.start, value.bytes);
    if (text == NULL || copy == NULL)
        return sc_refuse_memory(typing->refusal);
    *text = (sc_text){copy, value.bytes};
    return sc_typing_make(
        typing, (sc_typed){.type = SC_TYPE_TEXT, .texts = text, .text_count = 1}, out);
}

/* A function of one or two texts; of constants it is a constant. */
static scrim_status apply(sc_typing *typing, sc_typed value, const sc_typed *a,
                          const sc_typed *b, const sc_typed **out)
{
    static const sc_text empty = {"", 0};
    const sc_text *x = constant_of(a), *y = b == NULL ? &empty : constant_of(b);
    value.type = SC_TYPE_TEXT;
    if (x == NULL || y == NULL)
        return sc_typing_operation(typing, value, a, b, out);
    char *room = sc_arena_allocate(typing->arena, SC_TEXT_RESULT_BYTES, 1);
    return room == NULL ? sc_refuse_memory(typing->refusal)
                        : make_constant(typing, sc_typed_text(&value, *x, *y, room), out);
}

scrim_status sc_typing_joined(sc_typing *typing, const sc_node *node,
                              const sc_typed **out)
{
    const sc_typed *a, *b;
    scrim_status status = type_text(typing, node->list[0], "||", &a);
    if (status == SCRIM_OK)
        status = type_text(typing, node->list[1], "||", &b);
    if (status != SCRIM_OK)
        return status;
    return apply(typing,
                 (sc_typed){.operation = SC_OP_JOINED,
                            .extent = length_of(a->extent.high + b->extent.high)},
                 a, b, out);
}

/* LIKE. */

static scrim_status refuse_pattern(const sc_typing *typing, const sc_node *node,
                                   sc_like_fault fault)
{
    if (fault == SC_LIKE_NO_MEMORY)
        return sc_refuse_memory(typing->refusal);
    if (fault == SC_LIKE_TOO_LONG)
        return sc_refuse(typing->refusal, node->list[1]->span, SCRIM_E_LIMIT,
                         "a pattern may have at most %d characters", SC_LIKE_PLACES);
    return sc_refuse(typing->refusal, node->list[1]->span, SCRIM_E_PARAM,
                     "the pattern ends with its escape character; double it to match it");
}

scrim_status sc_typing_like(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    const sc_typed *text, *pattern;
    sc_typed value = {.operation = SC_OP_LIKE,
                      .type = SC_TYPE_BOOL,
                      .extent = {0, 1, {1, 1}},
                      .text_count = 2};
    scrim_status status = type_text(typing, node->list[0], "LIKE", &text);
    if (status == SCRIM_OK)
        status = type_text(typing, node->list[1], "LIKE", &pattern);
    if (status != SCRIM_OK)
        return status;
    if (sc_typed_is_null(pattern))
        return sc_typing_null(typing, SC_TYPE_BOOL, out);
    const sc_text *written = constant_of(pattern), *same = constant_of(text);
    if (written == NULL)
        return sc_refuse(typing->refusal, node->list[1]->span, SCRIM_E_POLICY,
                         "LIKE needs a constant pattern, as in x "
                         "LIKE 'a%%'");
    const sc_text escape = node->count > 2 ? node->list[2]->text : sc_text_of("\\");
    if (sc_text_length(escape) > 1)
        return sc_refuse(typing->refusal, node->list[2]->span, SCRIM_E_PARAM,
                         "ESCAPE needs one character or an empty text");
    const sc_like_fault fault =
        sc_like_compile(*written, escape, typing->arena, &value.like);
    if (fault != SC_LIKE_FINE)
        return refuse_pattern(typing, node, fault);
    sc_text *texts = sc_arena_allocate(typing->arena, 2, sizeof *texts);
    if (texts == NULL)
        return sc_refuse_memory(typing->refusal);
    texts[0] = *written;
    texts[1] = escape;
    value.texts = texts;
    return same != NULL ? sc_typing_constant(typing, SC_TYPE_BOOL,
                                             sc_like_matches(value.like, *same), out)
                        : sc_typing_operation(typing, value, text, NULL, out);
}

/* Functions. */

/* A whole number that is the same for every row. */
static scrim_status type_whole(sc_typing *typing, const sc_node *node, int64_t *out)
{
    sc_extent constant;
    const scrim_status status = sc_typed_constant(
        typing, node, "a position of SUBSTR(x, from, count)", &constant);
    if (status == SCRIM_OK && !sc_extent_count_of(&constant, (sc_value_step){1, 1}, out))
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "SUBSTR(x, from, count) needs whole numbers");
    return status;
}

static scrim_status type_part(sc_typing *typing, const sc_node *node,
                              const sc_typed **out)
{
    const sc_typed *x;
    int64_t from = 0, count = SC_EXTENT_MAX;
    int64_t *ends = sc_arena_allocate(typing->arena, 2, sizeof *ends);
    if (ends == NULL)
        return sc_refuse_memory(typing->refusal);
    scrim_status status = type_text(typing, node->list[0], "SUBSTR", &x);
    if (status == SCRIM_OK)
        status = type_whole(typing, node->list[1], &from);
    if (status == SCRIM_OK && node->count > 2)
        status = type_whole(typing, node->list[2], &count);
    if (status != SCRIM_OK)
        return status;
    if (count < 0)
        return sc_refuse(typing->refusal, node->list[2]->span, SCRIM_E_PARAM,
                         "the count of SUBSTR(x, from, count) must be at least 0");
    ends[0] = from;
    ends[1] = from + count; /* at most 2^63 - 1: both are within 2^62 */
    const int64_t first = from < 1 ? 1 : from,
                  most = ends[1] < first ? 0 : ends[1] - first;
    return apply(
        typing,
        (sc_typed){.operation = SC_OP_PART,
                   .extent = length_of(most < x->extent.high ? most : x->extent.high),
                   .values = ends,
                   .value_count = 2},
        x, NULL, out);
}

static const struct {
    sc_function_kind kind;
    const char *name;
    sc_operation operation;
    int64_t times;
} functions[] = {
    {SC_FUNCTION_LENGTH, "LENGTH", SC_OP_LENGTH, 0},
    {SC_FUNCTION_LOWER, "LOWER", SC_OP_LOWER, 0},
    {SC_FUNCTION_LTRIM, "LTRIM", SC_OP_TRIM, 1},
    {SC_FUNCTION_RTRIM, "RTRIM", SC_OP_TRIM, 2},
    {SC_FUNCTION_SUBSTR, "SUBSTR", SC_OP_PART, 0},
    {SC_FUNCTION_TRIM, "TRIM", SC_OP_TRIM, 3},
    {SC_FUNCTION_UPPER, "UPPER", SC_OP_UPPER, 0},
};
#define FUNCTIONS (sizeof functions / sizeof *functions)

bool sc_typing_is_text_function(sc_function_kind kind)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (functions[i].kind == kind)
            return true;
    return false;
}

static scrim_status type_length(sc_typing *typing, const sc_typed *x,
                                const sc_typed **out)
{
    const sc_text *same = constant_of(x);
    if (same != NULL)
        return sc_typing_constant(typing, SC_TYPE_NUMBER, (int64_t)sc_text_length(*same),
                                  out);
    return sc_typing_operation(typing,
                               (sc_typed){.operation = SC_OP_LENGTH,
                                          .type = SC_TYPE_NUMBER,
                                          .extent = x->extent},
                               x, NULL, out);
}

scrim_status sc_typing_text_function(sc_typing *typing, const sc_node *node,
                                     sc_function_kind kind, const sc_typed **out)
{
    const sc_typed *x;
    size_t i = 0;
    while (i + 1 < FUNCTIONS && functions[i].kind != kind)
        i++;
    if (functions[i].operation == SC_OP_PART)
        return type_part(typing, node, out);
    SC_TRY(type_text(typing, node->list[0], functions[i].name, &x));
    if (functions[i].operation == SC_OP_LENGTH)
        return type_length(typing, x, out);
    return apply(typing,
                 (sc_typed){.operation = functions[i].operation,
                            .extent = x->extent,
                            .times = functions[i].times},
                 x, NULL, out);
}
