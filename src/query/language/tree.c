#include "query/language/tree.h"

/* Equality. */

static bool both_equal(const sc_node *a, const sc_node *b)
{
    return a == NULL || b == NULL ? a == b : sc_node_equal(a, b);
}

bool sc_node_equal(const sc_node *a, const sc_node *b)
{
    if (a->kind != b->kind || a->distinct != b->distinct ||
        a->with_range != b->with_range || a->has_subject != b->has_subject ||
        a->count != b->count || !sc_text_equal(a->text, b->text) ||
        !sc_text_equal(a->table, b->table) || !both_equal(a->filter, b->filter))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!sc_node_equal(a->list[i], b->list[i]))
            return false;
    return true;
}

/* Text. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_quoted(sc_text_sink *sink, sc_text text, char quote)
{
    sc_text_put_times(sink, quote, 1);
    for (size_t i = 0; i < text.bytes; i++)
        sc_text_put_times(sink, text.start[i], text.start[i] == quote ? 2 : 1);
    sc_text_put_times(sink, quote, 1);
}

static void put_node(sc_text_sink *sink, const sc_node *node);

static void put_list(sc_text_sink *sink, const sc_node *node, size_t from,
                     const char *separator)
{
    for (size_t i = from; i < node->count; i++) {
        if (i > from)
            put(sink, separator);
        put_node(sink, node->list[i]);
    }
}

static void put_case(sc_text_sink *sink, const sc_node *node)
{
    const size_t first = node->has_subject;
    put(sink, "CASE");
    if (node->has_subject) {
        put(sink, " ");
        put_node(sink, node->list[0]);
    }
    for (size_t i = first; i + 1 < node->count; i += 2) {
        put(sink, " WHEN ");
        put_node(sink, node->list[i]);
        put(sink, " THEN ");
        put_node(sink, node->list[i + 1]);
    }
    if ((node->count - first) % 2 == 1) {
        put(sink, " ELSE ");
        put_node(sink, node->list[node->count - 1]);
    }
    put(sink, " END");
}

static void put_call(sc_text_sink *sink, const sc_node *node)
{
    sc_text_put(sink, node->text);
    put(sink, node->distinct ? "(DISTINCT " : "(");
    put_list(sink, node, 0, ", ");
    put(sink, ")");
    if (node->filter != NULL) {
        put(sink, " FILTER (WHERE ");
        put_node(sink, node->filter);
        put(sink, ")");
    }
    put(sink, node->with_range ? " WITH RANGE" : "");
}

static const char *operator_text(sc_node_kind kind)
{
    switch (kind) {
    case SC_NODE_ADD:
        return " + ";
    case SC_NODE_SUBTRACT:
        return " - ";
    case SC_NODE_MULTIPLY:
        return " * ";
    case SC_NODE_DIVIDE:
        return " / ";
    case SC_NODE_JOINED:
        return " || ";
    case SC_NODE_EQUAL:
        return " = ";
    case SC_NODE_NOT_EQUAL:
        return " <> ";
    case SC_NODE_LESS:
        return " < ";
    case SC_NODE_LESS_EQUAL:
        return " <= ";
    case SC_NODE_GREATER:
        return " > ";
    case SC_NODE_GREATER_EQUAL:
        return " >= ";
    case SC_NODE_AND:
        return " AND ";
    case SC_NODE_OR:
        return " OR ";
    case SC_NODE_IS_DISTINCT:
        return " IS DISTINCT FROM ";
    case SC_NODE_NUMBER:
    case SC_NODE_TEXT:
    case SC_NODE_DATE:
    case SC_NODE_TIMESTAMP:
    case SC_NODE_TRUE:
    case SC_NODE_FALSE:
    case SC_NODE_NULL:
    case SC_NODE_NAME:
    case SC_NODE_STAR:
    case SC_NODE_NEGATE:
    case SC_NODE_NOT:
    case SC_NODE_BETWEEN:
    case SC_NODE_IN:
    case SC_NODE_LIKE:
    case SC_NODE_IS_NULL:
    case SC_NODE_IS_TRUE:
    case SC_NODE_IS_FALSE:
    case SC_NODE_CASE:
    case SC_NODE_CALL:
        break;
    }
    return "";
}

static void put_operation(sc_text_sink *sink, const sc_node *node)
{
    put(sink, "(");
    if (node->kind == SC_NODE_NEGATE)
        put(sink, "- ");
    if (node->kind == SC_NODE_NOT)
        put(sink, "NOT ");
    put_node(sink, node->list[0]);
    if (node->kind == SC_NODE_BETWEEN) {
        put(sink, " BETWEEN ");
        put_list(sink, node, 1, " AND ");
    } else if (node->kind == SC_NODE_IN) {
        put(sink, " IN (");
        put_list(sink, node, 1, ", ");
        put(sink, ")");
    } else if (node->kind == SC_NODE_LIKE) {
        put(sink, " LIKE ");
        put_list(sink, node, 1, " ESCAPE ");
    } else if (node->kind == SC_NODE_IS_NULL) {
        put(sink, " IS NULL");
    } else if (node->kind == SC_NODE_IS_TRUE || node->kind == SC_NODE_IS_FALSE) {
        put(sink, node->kind == SC_NODE_IS_TRUE ? " IS TRUE" : " IS FALSE");
    } else if (node->count > 1) {
        put(sink, operator_text(node->kind));
        put_list(sink, node, 1, operator_text(node->kind));
    }
    put(sink, ")");
}

static void put_node(sc_text_sink *sink, const sc_node *node)
{
    switch (node->kind) {
    case SC_NODE_NUMBER:
        sc_text_put(sink, node->text);
        return;
    case SC_NODE_DATE:
    case SC_NODE_TIMESTAMP:
        put(sink, node->kind == SC_NODE_DATE ? "DATE " : "TIMESTAMP ");
        put_quoted(sink, node->text, '\'');
        return;
    case SC_NODE_TEXT:
        put_quoted(sink, node->text, '\'');
        return;
    case SC_NODE_NAME:
        if (node->table.bytes > 0) {
            put_quoted(sink, node->table, '"');
            put(sink, ".");
        }
        put_quoted(sink, node->text, '"');
        return;
    case SC_NODE_TRUE:
        put(sink, "TRUE");
        return;
    case SC_NODE_FALSE:
        put(sink, "FALSE");
        return;
    case SC_NODE_NULL:
        put(sink, "NULL");
        return;
    case SC_NODE_STAR:
        put(sink, "*");
        return;
    case SC_NODE_CASE:
        put_case(sink, node);
        return;
    case SC_NODE_CALL:
        put_call(sink, node);
        return;
    case SC_NODE_NEGATE:
    case SC_NODE_ADD:
    case SC_NODE_SUBTRACT:
    case SC_NODE_MULTIPLY:
    case SC_NODE_DIVIDE:
    case SC_NODE_JOINED:
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
        put_operation(sink, node);
        return;
    }
}

size_t sc_node_format(const sc_node *node, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    put_node(&sink, node);
    return sink.length;
}
