/* Whatever bytes are read as a query have a canonical text that is its own, and a tree whose text
 * reads as the same tree; what is refused leaves a message and a place within the text; what is
 * allowed has values within their extents, at the ends of the columns' ranges too. */
#include "corpus.h"
#include "data/value/value.h"
#include "queries.h"
#include "query/language/person.h"
#include "query/rows/expression.h"

static void check_refusal(sc_text text, scrim_status status, const scrim_error *error,
                          const sc_refusal *refusal)
{
    static char caret[SC_CARET_BYTES];
    sc_text rest = sc_text_of(error->message);
    CHECK_STATUS(error->status, status);
    CHECK(status == SCRIM_E_SYNTAX || status == SCRIM_E_LIMIT ||
          status == SCRIM_E_PARAM || status == SCRIM_E_POLICY);
    CHECK(rest.bytes > 0);
    while (rest.bytes > 0) {
        const size_t bytes = sc_text_character(rest);
        if (!CHECK(bytes > 0))
            return;
        rest = (sc_text){rest.start + bytes, rest.bytes - bytes};
    }
    CHECK(refusal->place.offset <= text.bytes);
    CHECK(refusal->place.bytes <= text.bytes - refusal->place.offset);
    CHECK(sc_refusal_caret(text, refusal->place, caret, sizeof caret) < sizeof caret);
}

static bool is_deep(const sc_tree *tree)
{
    unsigned depth = 0;
    for (size_t i = 0; i < tree->item_count; i++)
        if (depth < tree->items[i].node->depth)
            depth = tree->items[i].node->depth;
    for (size_t i = 0; i < tree->group_count; i++)
        if (depth < tree->groups[i]->depth)
            depth = tree->groups[i]->depth;
    for (size_t i = 0; i < tree->order_count; i++)
        if (depth < tree->orders[i].node->depth)
            depth = tree->orders[i].node->depth;
    if (tree->where != NULL && depth < tree->where->depth)
        depth = tree->where->depth;
    if (tree->having != NULL && depth < tree->having->depth)
        depth = tree->having->depth;
    /* The text of a tree has more parentheses than the tree was made of. */
    return depth > SC_QUERY_DEPTH / 2 - 1;
}

static void check_round_trip(const query_reading *reading)
{
    static char text[8 * SC_QUERY_BYTES];
    query_reading again;
    const size_t length = query_tree_format(reading->tree, text, sizeof text);
    query_read(&again, (sc_text){text, length});
    if (again.status == SCRIM_E_LIMIT)
        CHECK(length > SC_QUERY_BYTES || is_deep(reading->tree) ||
              reading->tokens.count > SC_QUERY_TOKENS / 4);
    else if (CHECK_STATUS(again.status, SCRIM_OK))
        CHECK(query_tree_equal(reading->tree, again.tree));
    query_forget(&again);
    query_read(&again, reading->tokens.canonical);
    if (CHECK_STATUS(again.status, SCRIM_OK)) {
        CHECK(query_tree_equal(reading->tree, again.tree));
        CHECK(sc_text_equal(reading->tokens.canonical, again.tokens.canonical));
    }
    query_forget(&again);
}

/* No longer than is said, in characters and in bytes. */
static void check_texts(const sc_typed *typed, const sc_expression *expression,
                        const sc_row_column *columns, int64_t *scratch)
{
    static char room[2 * SC_TEXT_RESULT_BYTES];
    sc_text out[2];
    sc_expression_texts(expression, columns, 2, scratch, out, room);
    for (size_t i = 0; i < 2; i++) {
        CHECK(out[i].bytes <= SC_TEXT_RESULT_BYTES);
        CHECK(sc_text_is_null(out[i])
                  ? typed->is_nullable
                  : (int64_t)sc_text_length(out[i]) <= typed->extent.high);
    }
}

/* Two rows: every column at its lower end, and at its upper one. */
static void check_value(const sc_schema *schema, const sc_typed *typed, sc_arena *arena)
{
    const size_t count = schema->column_count;
    size_t *places = sc_arena_allocate(arena, count, sizeof *places);
    const sc_expression *expression;
    int64_t(*ends)[2] = sc_arena_allocate(arena, count, sizeof *ends);
    sc_text(*texts)[2] = sc_arena_allocate(arena, count, sizeof *texts);
    sc_row_column *columns = sc_arena_allocate(arena, count, sizeof *columns);
    if (!CHECK(columns != NULL && places != NULL))
        return;
    for (size_t i = 0; i < count; i++) {
        const sc_column *column = &schema->columns[i];
        places[i] = i;
        const bool is_bool = column->type == SC_COLUMN_BOOL;
        ends[i][0] = is_bool ? 0 : column->grid.low;
        ends[i][1] = is_bool ? 1 : column->grid.high;
        texts[i][0] = sc_text_of("a");
        texts[i][1] = sc_text_of("Male");
        columns[i] = (sc_row_column){ends[i], texts[i]};
    }
    if (!CHECK_STATUS(
            sc_expression_compile(typed, places, count, arena, &expression, NULL),
            SCRIM_OK))
        return;
    int64_t out[2];
    int64_t *scratch =
        sc_arena_allocate(arena, sc_expression_scratch(expression), sizeof *scratch);
    if (!CHECK(scratch != NULL))
        return;
    sc_expression_prepare(expression, scratch);
    if (sc_typed_is_text(typed)) {
        check_texts(typed, expression, columns, scratch);
        return;
    }
    sc_expression_evaluate(expression, columns, 2, scratch, out);
    for (size_t i = 0; i < 2; i++)
        CHECK((out[i] >= typed->extent.low && out[i] <= typed->extent.high) ||
              (typed->is_nullable && out[i] == SC_NULL));
}

/* Each column of a person has a range, and the values that it is made of can be computed. */
static void check_person(const sc_person *person, sc_arena *arena)
{
    for (size_t i = 0; i < person->value_count; i++)
        check_value(person->rows->schema, person->values[i], arena);
    for (size_t i = 0; i < person->rows->key_count; i++)
        check_value(person->rows->schema, person->rows->keys[i].value, arena);
    for (size_t i = 0; i < person->schema->column_count; i++)
        CHECK(person->columns[i].low < person->columns[i].high);
}

static void check_query(const sc_query *query, sc_arena *arena)
{
    CHECK(query->aggregate_count > 0);
    if (query->person != NULL)
        check_person(query->person, arena);
    for (size_t i = 0; i < query->aggregate_count; i++) {
        bool is_shown = false;
        for (size_t k = 0; k < query->output_count; k++)
            is_shown |= sc_query_output_has(&query->outputs[k], i);
        CHECK(is_shown);
    }
    if (query->where != NULL)
        check_value(query->schema, query->where, arena);
    for (size_t i = 0; i < query->key_count; i++)
        check_value(query->schema, query->keys[i].value, arena);
    for (size_t i = 0; i < query->aggregate_count; i++) {
        const sc_query_aggregate *aggregate = &query->aggregates[i];
        if (aggregate->present != NULL)
            check_value(query->schema, aggregate->present, arena);
        if (aggregate->value == NULL)
            continue;
        CHECK(aggregate->value->extent.low < aggregate->value->extent.high);
        check_value(query->schema, aggregate->value, arena);
    }
}

static void check_asked(sc_text text)
{
    query_asked asked;
    query_ask_text(&asked, text);
    if (asked.status == SCRIM_OK)
        check_query(asked.query, &asked.arena);
    else
        check_refusal(text, asked.status, &asked.error, &asked.refusal);
    query_forget_asked(&asked);
}

FUZZ(sql)
{
    query_reading reading;
    const sc_text text = {(const char *)bytes, count};
    query_read(&reading, text);
    if (reading.status == SCRIM_OK)
        check_round_trip(&reading);
    else
        check_refusal(reading.text, reading.status, &reading.error, &reading.refusal);
    query_forget(&reading);
    check_asked(text);
}
