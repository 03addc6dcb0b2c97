#include "check.h"
#include "cli/answer/query_request.h"

#include <string.h>

static size_t split(const char *text, const char **queries, char *copy)
{
    memcpy(copy, text, strlen(text) + 1);
    return sc_query_split(copy, queries, 4);
}

TEST(query_file_is_cut_at_semicolons)
{
    const char *queries[4];
    char copy[200];
    CHECK_INT((long)split("SELECT a; SELECT b\n;", queries, copy), 2);
    CHECK_STR(queries[0], "SELECT a");
    CHECK_STR(queries[1], " SELECT b\n");
    CHECK_INT((long)split("SELECT a", queries, copy), 1);
    CHECK_STR(queries[0], "SELECT a");
    CHECK_INT((long)split(" ;\n; \t", queries, copy), 0);
    CHECK_INT((long)split("", queries, copy), 0);
}

TEST(query_file_is_not_cut_inside_quotes_and_comments)
{
    const char *queries[4];
    char copy[200];
    CHECK_INT((long)split("a = ';' AND b = 'it''s; so' ; c", queries, copy), 2);
    CHECK_STR(queries[0], "a = ';' AND b = 'it''s; so' ");
    CHECK_INT((long)split("\"x;y\" -- no; not here\n; c", queries, copy), 2);
    CHECK_STR(queries[1], " c");
    CHECK_INT((long)split("a 'open; to the end", queries, copy), 1);
    CHECK_INT((long)split("a '';';'''';'", queries, copy), 2);
    CHECK_INT((long)split("a -- to; the end", queries, copy), 1);
}

TEST(query_file_of_too_many_is_counted_and_not_kept)
{
    const char *queries[4];
    char copy[200];
    CHECK_INT((long)split("a;b;c;d;e;f;g", queries, copy), 5);
    CHECK_STR(queries[3], "d");
}

TEST(query_end_is_outside_of_quotes_and_comments)
{
    static const char *const whole[] = {"",     "a",        "'; '",   "\"a;b\"",
                                        "-- ;", "'it''s;'", "a -- ';"};
    for (size_t i = 0; i < COUNT(whole); i++)
        CHECK_INT(*sc_query_end(whole[i]), '\0');
    CHECK_STR(sc_query_end("a; b; c"), "; b; c");
    CHECK_STR(sc_query_end("-- ;\n';' ;x"), ";x");
}
