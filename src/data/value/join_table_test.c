#include "check.h"
#include "data/value/join_file.h"
#include "data/value/schema.h"

#include <stdio.h>
#include <string.h>

#define CITY "unit=row\ncolumn=city=text\ncolumn=k=int[0,120]\ncolumn=x=decimal[0,10]\n"

/* The status of a policy with these lines, and what its message says. */
static void check_lines(const char *lines, scrim_status status, const char *message)
{
    char policy[2000];
    const sc_schema *schema = NULL;
    scrim_error error = {.message = ""};
    snprintf(policy, sizeof policy, CITY "%s", lines);
    const scrim_status got = sc_schema_parse(sc_text_of(policy), NULL, &schema, &error);
    if (!CHECK_STATUS(got, status) ||
        (message != NULL && !CHECK(strstr(error.message, message) != NULL)))
        CHECK_FAIL("%s: %s", lines, error.message);
    if (got == SCRIM_OK)
        sc_schema_free(schema);
}

TEST(public_tables_are_declared_whole_or_not_at_all)
{
    static const char good[] = "join=r=city=town\njoin-column=r=town=text\n"
                               "join-cells=r=town=Paris,\"a, \"\"b\"\"\",c\n"
                               "join-column=r=people=int[1,9] null\n"
                               "join-cells=r=people=9,,1\n";
    check_lines(good, SCRIM_OK, NULL);
    static const struct {
        const char *lines, *message;
    } bad[] = {
        {"join=r\n", "NAME="},
        {"join=r=city\n", "join=regions=city=town"},
        {"join=r=town=town\njoin-column=r=town=text\n", "no such column"},
        {"join=r=city=city\njoin-column=r=town=text\n", "no column"},
        {"join=r=city=town\n", "no columns"},
        {"join-column=r=town=text\n", "together"},
        {"join=r=city=town\njoin-column=r=town=text\njoin-column=r=town=text\n", "twice"},
        {"join=r=city=town\njoin-column=r=town=text\njoin-cells=r=town=a,a\n",
         "the key 'a' twice"},
        {"join=r=k=k\njoin-column=r=k=text\njoin-cells=r=k=1,01\n",
         "which are the same value"},
        {"join=r=k=k\njoin-column=r=k=text\njoin-cells=r=k=1,1.0,3\n",
         "which are the same value"},
        {"join=r=x=x\njoin-column=r=x=text\njoin-cells=r=x=0.5,1/2\n",
         "which are the same value"},
        {"join=r=k=k\njoin-column=r=k=int[100,900]\njoin-cells=r=k=121,130\n",
         "no value that is a key"},
        {"join=r=city=town\njoin-column=r=town=text\njoin-cells=r=town=a,\n",
         "must end in null"},
        {"join=r=city=town\njoin-column=r=town=text\njoin-cells=r=town=a,\"b\n",
         "double quotes"},
        {"join=r=city=town\njoin-column=r=town=text\njoin-cells=r=town=a,\"b\"c\n",
         "double quotes"},
        {"join=r=city=town\njoin-column=r=town=text\njoin-cells=r=town=a,b\n"
         "join-column=r=n=int[0,5]\njoin-cells=r=n=1\n",
         "different numbers"},
        {"join=r=city=town\njoin-column=r=town=text\njoin-cells=r=town=a\n"
         "join-column=r=n=int[0,5]\njoin-cells=r=n=6\n",
         "not a value of its type and range"},
        {"join=r=city=town\njoin-column=r=town=text\n"
         "join=r=city=town\njoin-column=r=town=text\n",
         "two public tables"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        check_lines(bad[i].lines, SCRIM_E_PARAM, bad[i].message);
    /* A chain, and NULL among the keys. */
    check_lines("join=r=city=town\njoin-column=r=town=text null\n"
                "join-cells=r=town=a,,b\njoin-column=r=n=int[0,5]\njoin-cells=r=n=1,2,3\n"
                "join=c=r.n=n\njoin-column=c=n=int[0,9]\njoin-cells=c=n=3,4,9\n",
                SCRIM_OK, NULL);
}

TEST(public_tables_meet_a_value_once)
{
    CLAIM("public-table.unique");
    const sc_schema *schema = NULL;
    sc_public_index index;
    sc_arena arena;
    sc_arena_init(&arena);
    REQUIRE_OK(
        sc_schema_parse(sc_text_of(CITY "join=r=k=k\njoin-column=r=k=text null\n"
                                        "join-cells=r=k=7,,abc,121,-1,003,2.5,120,0\n"),
                        NULL, &schema, NULL));
    const sc_public_table *table = &schema->joins.list[0];
    REQUIRE_OK(sc_public_index_of(table, &table->columns[0],
                                  sc_schema_column(schema, sc_text_of("k")), &arena,
                                  &index, NULL));
    CHECK_INT(index.count, 4); /* 0, 3, 7, 120 */
    for (int64_t value = -5; value < 130; value++) {
        const size_t at = sc_public_index_value(&index, value);
        const bool is_key = value == 0 || value == 3 || value == 7 || value == 120;
        if (CHECK_INT(at < index.count, is_key) && is_key)
            CHECK_INT(index.values[at], value);
    }
    REQUIRE_OK(sc_public_index_of(table, &table->columns[0],
                                  sc_schema_column(schema, sc_text_of("city")), &arena,
                                  &index, NULL));
    CHECK_INT(index.count, 8);
    CHECK(sc_public_index_text(&index, sc_text_of("003")) < index.count);
    CHECK(sc_public_index_text(&index, sc_text_of("3")) == index.count);
    CHECK(sc_public_index_text(&index, sc_text_of("")) == index.count);
    sc_schema_free(schema);
    sc_arena_clear(&arena);
}

/* Files. */

static scrim_status read_file(const char *content, size_t bytes, const char *type,
                              char **lines, scrim_error *error)
{
    const sc_public_types types = {&type, type == NULL ? 0 : 1};
    return sc_public_file_lines(sc_text_of("r"), (sc_text){content, bytes}, &types, lines,
                                error);
}

static void check_file(const char *content, const char *type, const char *expected)
{
    char *lines = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(read_file(content, strlen(content), type, &lines, &error),
                      SCRIM_OK))
        CHECK_FAIL("%s: %s", content, error.message);
    else
        CHECK_STR(lines, expected);
    sc_free(lines);
}

TEST(public_files_are_read_with_their_types)
{
    CLAIM("public-table.range");
    check_file("town,region,people\nParis,North,12\nLyon,South,\n", NULL,
               "join-column=r=town=text\njoin-cells=r=town=Paris,Lyon\n"
               "join-column=r=region=text\njoin-cells=r=region=North,South\n"
               "join-column=r=people=int[12,13] null\njoin-cells=r=people=12,\n");
    /* A mark, CRLF, another separator, quotes, blank lines and no end of the last one. */
    check_file("\xef\xbb\xbf\"a b\";c\r\n\r\n\"x;\"\"y\"\"\";-0.50\r\n\"\";1.5", NULL,
               "join-column=r=a b=text\njoin-cells=r=a b=\"x;\"\"y\"\"\",\"\"\n"
               "join-column=r=c=decimal[-0.5,1.5]/1e-2\njoin-cells=r=c=-0.50,1.5\n");
    check_file("zip|ok|d\n01067|true|2026-01-31\n10115|false|2026-02-01\n", NULL,
               "join-column=r=zip=text\njoin-cells=r=zip=01067,10115\n"
               "join-column=r=ok=bool\njoin-cells=r=ok=true,false\n"
               "join-column=r=d=date[2026-01-31,2026-02-01]\n"
               "join-cells=r=d=2026-01-31,2026-02-01\n");
    check_file("n\n3\n4\n", "n=text", "join-column=r=n=text\njoin-cells=r=n=3,4\n");
    check_file("n\n3\n4\n", "n=int[0,9]",
               "join-column=r=n=int[0,9]\njoin-cells=r=n=3,4\n");
    check_file("n,m\n3,x\n", "m=none", "join-column=r=n=int[3,4]\njoin-cells=r=n=3\n");
}

TEST(public_files_that_are_no_tables_are_refused)
{
    CLAIM("public-file.refused");
    static const struct {
        const char *content, *type, *message;
        scrim_status status;
    } bad[] = {
        {"", NULL, "empty", SCRIM_E_INPUT},
        {"\n\n", NULL, "empty", SCRIM_E_INPUT},
        {"a,b\n", NULL, "no rows", SCRIM_E_INPUT},
        {"a,a\n1,2\n", NULL, "the column a twice", SCRIM_E_INPUT},
        {"a,\n1,2\n", NULL, "column 2 of the header", SCRIM_E_INPUT},
        {"a=b\n1\n", NULL, "column 1 of the header", SCRIM_E_INPUT},
        {"a,b\n1\n", NULL, "line 2: fields: 1, and 2", SCRIM_E_INPUT},
        {"a,b\n1,2,3\n", NULL, "fields: 3", SCRIM_E_INPUT},
        {"a\n\"x\n", NULL, "does not end", SCRIM_E_INPUT},
        {"a\n\"x\ny\"\n", NULL, "does not end", SCRIM_E_INPUT},
        {"a\n\"x\"y\n", NULL, "behind a closing quote", SCRIM_E_INPUT},
        {"a\nx\"y\n", NULL, "within a field", SCRIM_E_INPUT},
        {"a\nx\x01\n", NULL, "line 2: not UTF-8", SCRIM_E_INPUT},
        {"a\nx\xff\n", NULL, "not UTF-8", SCRIM_E_INPUT},
        {"a\nx\ry\n", NULL, "not UTF-8", SCRIM_E_INPUT},
        {"a\nx\n", "b=text", "no column 'b'", SCRIM_E_PARAM},
        {"a\nx\n", "a", "NAME=TYPE", SCRIM_E_PARAM},
        {"a\nx\n", "a=int", "not all of the type int", SCRIM_E_PARAM},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        char *lines = NULL;
        scrim_error error = {.message = ""};
        if (!CHECK_STATUS(read_file(bad[i].content, strlen(bad[i].content), bad[i].type,
                                    &lines, &error),
                          bad[i].status) ||
            !CHECK(strstr(error.message, bad[i].message) != NULL))
            CHECK_FAIL("%s: %s", bad[i].content, error.message);
    }
    char *lines = NULL;
    CHECK_STATUS(read_file("a\nx\0y\n", 6, NULL, &lines, NULL), SCRIM_E_INPUT);
}

/* Beyond each limit by one. */
TEST(public_files_have_limits)
{
    const size_t rows = SC_PUBLIC_TABLE_ROWS + 1, bytes = SC_PUBLIC_TABLE_BYTES + 1;
    char *content = sc_allocate(bytes + 1, 1), *lines = NULL;
    REQUIRE(content != NULL);
    size_t at = (size_t)snprintf(content, bytes, "a\n");
    for (size_t i = 0; i < rows; i++)
        at += (size_t)snprintf(content + at, bytes - at, "%zu\n", i);
    CHECK_STATUS(read_file(content, at, NULL, &lines, NULL), SCRIM_E_LIMIT);
    at -= 6; /* its last row */
    CHECK_STATUS(read_file(content, at, NULL, &lines, NULL), SCRIM_OK);
    sc_free(lines);
    memset(content, 'x', bytes);
    CHECK_STATUS(read_file(content, bytes, NULL, &lines, NULL), SCRIM_E_LIMIT);
    memset(content, ',', bytes);
    for (size_t i = 0; i <= SC_PUBLIC_TABLE_COLUMNS; i++)
        content[2 * i] = (char)('A' + i % 26);
    CHECK_STATUS(read_file(content, 400, NULL, &lines, NULL), SCRIM_E_LIMIT);
    sc_free(content);
}
