#include "query/language/output_name.h"

#include "query/language/aggregate_form.h"

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
