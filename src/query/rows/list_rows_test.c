#include "check.h"
#include "query/rows/list_rows.h"
#include "query/rows/text_value.h"

#include <stdio.h>
#include <string.h>

/* The elements of one list, in their turns, as "a|b||": nothing where the row does not count. */
static void check_list(const char *text, const char *separator, uint64_t limit,
                       const char *want)
{
    const sc_unnest unnest = {
        .list = 7, .separator = sc_text_of(separator), .limit = limit, .column = 8};
    static const size_t columns[] = {3, 7};
    static const sc_value_key key = {{1, 2, 3, 4}};
    char bytes[100] = {0}, seen[200] = "";
    sc_text texts[2] = {sc_null_text(), sc_null_text()};
    uint64_t hashes[2] = {0};
    int64_t values[2] = {5, 6};
    sc_batch_column given[2] = {{.values = values}, {.texts = texts, .hashes = hashes}};
    const sc_batch batch = {.rows = 2, .columns = given};
    sc_list_rows rows;
    sc_arena arena;
    sc_arena_init(&arena);
    if (text != NULL) {
        snprintf(bytes, sizeof bytes, "%s", text);
        texts[1] = (sc_text){bytes, strlen(bytes)};
    }
    REQUIRE(sc_list_rows_init(&rows, &unnest, columns, 2, &arena));
    CHECK_INT(rows.place, 1);
    sc_list_rows_begin(&rows, &batch, 1, 1);
    for (uint64_t i = 0; i < limit; i++) {
        sc_group_rows made = {.count = 1};
        sc_list_rows_next(&rows, &key);
        sc_list_rows_select(&rows, &made);
        const sc_batch_column *element = &rows.batch.columns[2];
        CHECK(rows.batch.columns[0].values == values + 1);
        CHECK_INT(made.where[0], element->texts[0].bytes > 0);
        CHECK(element->hashes[0] == sc_value_hash(&key, element->texts[0]));
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%.*s|",
                 (int)element->texts[0].bytes, element->texts[0].start);
    }
    if (!CHECK_STR(seen, want))
        CHECK_FAIL("of %s", text == NULL ? "NULL" : text);
    sc_arena_clear(&arena);
}

TEST(list_rows_are_the_first_different_elements)
{
    CLAIM("list-rows.elements");
    CLAIM("unnest.elements");
    check_list("a;b;c", ";", 2, "a|b|");
    check_list("a;b;c", ";", 4, "a|b|c||");
    check_list("a;a;b;a;c;b", ";", 3, "a|b|c|");
    check_list(";;a;;;b;", ";", 3, "a|b||");
    check_list("a, b,c", ", ", 3, "a|b,c||");
    check_list("a", ";", 2, "a||");
    check_list("", ";", 2, "||");
    check_list(";", ";", 1, "|");
    check_list(NULL, ";", 2, "||");
    check_list("a---b", "--", 3, "a|-b||");
    check_list("a ;a", ";", 2, "a |a|");
}

/* Rows that WHERE has left out do not count in any turn. */
TEST(list_rows_do_not_bring_back_what_is_left_out)
{
    CLAIM("list-rows.elements");
    const sc_unnest unnest = {.separator = sc_text_of(";"), .limit = 2};
    static const size_t columns[] = {0};
    static const sc_value_key key = {{1, 2, 3, 4}};
    static char bytes[] = "a;b                ";
    sc_text texts[3];
    const int64_t where[3] = {1, 0, SC_NULL};
    uint64_t hashes[3] = {0};
    sc_batch_column given = {.texts = texts, .hashes = hashes};
    const sc_batch batch = {.rows = 3, .columns = &given};
    sc_list_rows rows;
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < 3; i++)
        texts[i] = (sc_text){bytes, 3};
    REQUIRE(sc_list_rows_init(&rows, &unnest, columns, 1, &arena));
    sc_list_rows_begin(&rows, &batch, 0, 3);
    for (int turn = 0; turn < 2; turn++) {
        sc_group_rows made = {.count = 3, .where = where};
        sc_list_rows_next(&rows, &key);
        sc_list_rows_select(&rows, &made);
        CHECK_INT(made.where[0], 1);
        CHECK_INT(made.where[1], 0);
        CHECK_INT(made.where[2], 0);
    }
    sc_arena_clear(&arena);
}
