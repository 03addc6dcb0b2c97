/* Whatever bytes are read as a query have a canonical text that is its own, and a tree whose text
 * reads as the same tree; what is refused leaves a message and a place within the text. */
#include "corpus.h"
#include "queries.h"

#include <string.h>

static void check_refusal(const query_reading *reading)
{
    static char caret[SC_CARET_BYTES];
    sc_text rest = sc_text_of(reading->error.message);
    CHECK_STATUS(reading->error.status, reading->status);
    CHECK(reading->status == SCRIM_E_SYNTAX || reading->status == SCRIM_E_LIMIT ||
          reading->status == SCRIM_E_POLICY);
    CHECK(rest.bytes > 0);
    while (rest.bytes > 0) {
        const size_t bytes = sc_text_character(rest);
        if (!CHECK(bytes > 0))
            return;
        rest = (sc_text){rest.start + bytes, rest.bytes - bytes};
    }
    CHECK(reading->refusal.place.offset <= reading->text.bytes);
    CHECK(reading->refusal.place.bytes <=
          reading->text.bytes - reading->refusal.place.offset);
    CHECK(sc_refusal_caret(reading->text, reading->refusal.place, caret, sizeof caret) <
          sizeof caret);
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
    const size_t length = sc_tree_format(reading->tree, text, sizeof text);
    query_read(&again, (sc_text){text, length});
    if (again.status == SCRIM_E_LIMIT)
        CHECK(length > SC_QUERY_BYTES || is_deep(reading->tree) ||
              reading->tokens.count > SC_QUERY_TOKENS / 4);
    else if (CHECK_STATUS(again.status, SCRIM_OK))
        CHECK(sc_tree_equal(reading->tree, again.tree));
    query_forget(&again);
    query_read(&again, reading->tokens.canonical);
    if (CHECK_STATUS(again.status, SCRIM_OK)) {
        CHECK(sc_tree_equal(reading->tree, again.tree));
        CHECK(sc_text_equal(reading->tokens.canonical, again.tokens.canonical));
    }
    query_forget(&again);
}

FUZZ(sql)
{
    query_reading reading;
    sc_text rest = {(const char *)bytes, count}, statement;
    query_read(&reading, rest);
    if (reading.status == SCRIM_OK)
        check_round_trip(&reading);
    else
        check_refusal(&reading);
    query_forget(&reading);
    for (size_t left = rest.bytes + 1; sc_lex_statement(&rest, &statement);
         left = rest.bytes)
        CHECK(statement.bytes > 0 && rest.bytes < left);
}
