#include "queries.h"

#include "check.h"

#include <string.h>

void query_read(query_reading *reading, sc_text text)
{
    *reading = (query_reading){.text = text};
    reading->refusal.error = &reading->error;
    sc_arena_init(&reading->arena);
    reading->status = sc_lex(text, &reading->arena, &reading->tokens, &reading->refusal);
    if (reading->status == SCRIM_OK)
        reading->status = sc_parse(&reading->tokens, &reading->arena, &reading->tree,
                                   &reading->refusal);
}

void query_forget(query_reading *reading)
{
    sc_arena_clear(&reading->arena);
}

/* Trees. */

static bool both_equal(const sc_node *a, const sc_node *b)
{
    return a == NULL || b == NULL ? a == b : sc_node_equal(a, b);
}

static bool lists_equal(const sc_tree_list *a, const sc_tree_list *b)
{
    return a == NULL || b == NULL
               ? a == b
               : sc_node_equal(a->list, b->list) && sc_node_equal(a->limit, b->limit) &&
                     sc_text_equal(a->name, b->name);
}

bool query_tree_equal(const sc_tree *a, const sc_tree *b)
{
    if (a->item_count != b->item_count || a->group_count != b->group_count ||
        a->order_count != b->order_count || !sc_text_equal(a->from, b->from) ||
        !both_equal(a->where, b->where) || !both_equal(a->having, b->having) ||
        !both_equal(a->limit, b->limit) || (a->inner == NULL) != (b->inner == NULL) ||
        !lists_equal(a->unnest, b->unnest) ||
        (a->inner != NULL && !query_tree_equal(a->inner, b->inner)))
        return false;
    for (size_t i = 0; i < a->item_count; i++)
        if (!sc_node_equal(a->items[i].node, b->items[i].node) ||
            !sc_text_equal(a->items[i].alias, b->items[i].alias))
            return false;
    if (a->set_count != b->set_count)
        return false;
    for (size_t i = 0; i < a->set_count; i++)
        if (a->sets[i] != b->sets[i])
            return false;
    for (size_t i = 0; i < a->group_count; i++)
        if (!sc_node_equal(a->groups[i], b->groups[i]))
            return false;
    for (size_t i = 0; i < a->order_count; i++)
        if (!sc_node_equal(a->orders[i].node, b->orders[i].node) ||
            a->orders[i].descending != b->orders[i].descending)
            return false;
    return true;
}

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_name(sc_text_sink *sink, sc_text text)
{
    put(sink, "\"");
    for (size_t i = 0; i < text.bytes; i++)
        sc_text_put_times(sink, text.start[i], text.start[i] == '"' ? 2 : 1);
    put(sink, "\"");
}

static void put_node(sc_text_sink *sink, const sc_node *node)
{
    static char text[8 * SC_QUERY_BYTES];
    const size_t bytes = sc_node_format(node, text, sizeof text);
    sc_text_put(sink, (sc_text){text, bytes < sizeof text ? bytes : sizeof text - 1});
}

static void put_items(sc_text_sink *sink, const sc_tree *tree)
{
    for (size_t i = 0; i < tree->item_count; i++) {
        put(sink, i > 0 ? ", " : "");
        put_node(sink, tree->items[i].node);
        if (tree->items[i].alias.bytes > 0) {
            put(sink, " AS ");
            put_name(sink, tree->items[i].alias);
        }
    }
}

/* Sets are written one by one. */
static void put_groups(sc_text_sink *sink, const sc_tree *tree)
{
    for (size_t i = 0; tree->set_count == 0 && i < tree->group_count; i++) {
        put(sink, i > 0 ? ", " : " GROUP BY ");
        put_node(sink, tree->groups[i]);
    }
    for (size_t i = 0; i < tree->set_count; i++) {
        bool is_first = true;
        put(sink, i > 0 ? ", (" : " GROUP BY GROUPING SETS ((");
        for (size_t k = 0; k < tree->group_count; k++)
            if (tree->sets[i] >> k & 1) {
                put(sink, is_first ? "" : ", ");
                put_node(sink, tree->groups[k]);
                is_first = false;
            }
        put(sink, i + 1 < tree->set_count ? ")" : "))");
    }
}

static void put_tree(sc_text_sink *sink, const sc_tree *tree)
{
    put(sink, "SELECT ");
    put_items(sink, tree);
    if (tree->inner != NULL) {
        put(sink, " FROM (");
        put_tree(sink, tree->inner);
        put(sink, ")");
    }
    if (tree->from.bytes > 0) {
        put(sink, " FROM ");
        put_name(sink, tree->from);
    }
    if (tree->unnest != NULL) {
        put(sink, ", UNNEST(");
        put_node(sink, tree->unnest->list);
        put(sink, " LIMIT ");
        put_node(sink, tree->unnest->limit);
        put(sink, ") AS ");
        put_name(sink, tree->unnest->name);
    }
    if (tree->where != NULL) {
        put(sink, " WHERE ");
        put_node(sink, tree->where);
    }
    put_groups(sink, tree);
    if (tree->having != NULL) {
        put(sink, " HAVING ");
        put_node(sink, tree->having);
    }
    for (size_t i = 0; i < tree->order_count; i++) {
        put(sink, i > 0 ? ", " : " ORDER BY ");
        put_node(sink, tree->orders[i].node);
        put(sink, tree->orders[i].descending ? " DESC" : "");
    }
    if (tree->limit != NULL) {
        put(sink, " LIMIT ");
        put_node(sink, tree->limit);
    }
}

size_t query_tree_format(const sc_tree *tree, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    put_tree(&sink, tree);
    return sink.length;
}

const char *query_formatted(const sc_tree *tree, char *text)
{
    (void)query_tree_format(tree, text, SC_QUERY_BYTES);
    return text;
}

/* Public tables that questions may join. */
#define QUERY_JOINS                                                                      \
    "join=regions=city=city\njoin-column=regions=city=text\n"                            \
    "join-cells=regions=city=Ulm,Bonn\njoin-column=regions=region=text\n"                \
    "join-cells=regions=region=South,West\n"                                             \
    "join-column=regions=people=int[1,400] null\njoin-cells=regions=people=129,\n"       \
    "join=countries=regions.region=region\njoin-column=countries=region=text\n"          \
    "join-cells=countries=region=South,West\n"                                           \
    "join-column=countries=country=text\njoin-cells=countries=country=D,D\n"

static const sc_schema *schema_of(const char *policy)
{
    const sc_schema *schema = NULL;
    scrim_error error = {.status = SCRIM_OK};
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error),
                      SCRIM_OK))
        CHECK_STR(error.message, "");
    return schema;
}

const sc_schema *query_schema(void)
{
    return schema_of("unit=person_id\n" QUERY_JOINS QUERY_COLUMNS);
}

const sc_schema *query_schema_present(void)
{
    return schema_of("unit=person_id\n" QUERY_JOINS QUERY_COLUMNS
                     "missing=age=0\nmissing=income=0\nmissing=weight=0\n"
                     "missing=day=2020-01-01\nmissing=born=2000-01-01\n"
                     "missing=married=false\nmissing=sex=?\nmissing=city=?\n"
                     "missing=home town=?\nmissing=big=0\nmissing=small=0\n");
}

static void ask(query_asked *asked, sc_text text, const sc_schema *schema);

void query_ask(query_asked *asked, const char *text)
{
    query_ask_text(asked, sc_text_of(text));
}

bool query_ask_well(query_asked *asked, const char *text)
{
    query_ask(asked, text);
    if (CHECK_STATUS(asked->status, SCRIM_OK))
        return true;
    CHECK_STR(asked->error.message, text);
    return false;
}

void query_ask_text(query_asked *asked, sc_text text)
{
    ask(asked, text, query_schema());
}

void query_ask_present(query_asked *asked, const char *text)
{
    ask(asked, sc_text_of(text), query_schema_present());
}

static void ask(query_asked *asked, sc_text text, const sc_schema *schema)
{
    *asked = (query_asked){.text = text, .schema = schema};
    asked->refusal.error = &asked->error;
    sc_arena_init(&asked->arena);
    if (asked->schema == NULL)
        asked->status = SCRIM_E_INTERNAL;
    else
        asked->status = sc_validate(asked->text, sc_text_of("adult"), asked->schema,
                                    &asked->arena, &asked->query, &asked->refusal);
}

void query_forget_asked(query_asked *asked)
{
    sc_arena_clear(&asked->arena);
    sc_schema_free(asked->schema);
}

const char *query_bounds(const char *policy)
{
    const bool has_groups = strstr(policy, "max-groups=") != NULL,
               has_rows = strstr(policy, "max-rows=") != NULL;
    if (strstr(policy, "rows-per-unit=") != NULL ||
        strstr(policy, "max-total-rows=") != NULL || (has_groups && has_rows))
        return "";
    return has_groups ? "max-rows=1\n"
           : has_rows ? "max-groups=1\n"
                      : "rows-per-unit=1\n";
}
