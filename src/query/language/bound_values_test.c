#include "check.h"
#include "faults.h"
#include "query/language/bound_values.h"

#include <stdio.h>
#include <string.h>

#define NUMBER(text)                                                                     \
    {                                                                                    \
        SCRIM_VALUE_NUMBER, text                                                         \
    }
#define TEXT(text)                                                                       \
    {                                                                                    \
        SCRIM_VALUE_TEXT, text                                                           \
    }

/* The bound text, or the message of the refusal. */
static const char *bound(sc_arena *arena, const char *query, size_t count,
                         const scrim_query_value *values)
{
    static scrim_error error;
    sc_refusal refusal = {.error = &error};
    sc_text out;
    const scrim_status status =
        sc_values_bind(sc_text_of(query), values, count, arena, &out, &refusal);
    CHECK(refusal.place.offset <= strlen(query));
    return status == SCRIM_OK ? sc_arena_copy(arena, out.start, out.bytes)
                              : error.message;
}

TEST(bound_values_are_written_as_literals)
{
    CLAIM("bound_values.tokens");
    static const struct {
        const char *query;
        scrim_query_value value;
        const char *expected;
    } cases[] = {
        {"age > ?", NUMBER("30"), "age > 30"},
        {"age > ?", NUMBER("-2.5e-3"), "age > - 2.5e-3"},
        {"age -?", NUMBER("-5"), "age - - 5"},
        {"age-?*2", NUMBER("5"), "age - 5 * 2"},
        {"f(?)", NUMBER("-1"), "F(- 1)"},
        {"x in (1,?,3)", TEXT("it's"), "x IN (1, 'it''s', 3)"},
        {"x = ? -- what?", TEXT("'"), "x = ''''"},
        {"x = '?' OR \"?\" = ?", TEXT("?"), "x = '?' OR \"?\" = '?'"},
        {"x = ?", TEXT(""), "x = ''"},
        {"x = ?", TEXT("--"), "x = '--'"},
        {"x = ?", TEXT("a' OR 'a' = 'a"), "x = 'a'' OR ''a'' = ''a'"},
        {"x = ?", TEXT("\xc3\xa4"), "x = '\xc3\xa4'"},
        {"x = ?", {SCRIM_VALUE_NULL, NULL}, "x = NULL"},
        {"x = ?", {SCRIM_VALUE_BOOL, "true"}, "x = TRUE"},
        {"x = ?", {SCRIM_VALUE_BOOL, "false"}, "x = FALSE"},
        {"x >= ?", {SCRIM_VALUE_DATE, "2026-01-31"}, "x >= DATE '2026-01-31'"},
        {"x < ?",
         {SCRIM_VALUE_TIMESTAMP, "2026-01-31 10:00:00"},
         "x < TIMESTAMP '2026-01-31 10:00:00'"},
        {"? < x", NUMBER("-5"), "- 5 < x"},
        {"LIMIT ?;", NUMBER("3"), "LIMIT 3"},
    };
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(bound(&arena, cases[i].query, 1, &cases[i].value), cases[i].expected);
    const scrim_query_value three[] = {NUMBER("1"), TEXT("b"), NUMBER("3")};
    CHECK_STR(bound(&arena, "a IN (?,?,?)", 3, three), "a IN (1, 'b', 3)");
    CHECK_STR(bound(&arena, "COUNT(*)", 0, NULL), "COUNT(*)");
    sc_arena_clear(&arena);
}

TEST(bound_values_of_no_kind_are_refused)
{
    CLAIM("bound_values.tokens");
    static const char number[] = "value 1 must be a number, such as -2.5";
    static const char text[] = "value 1 must be text of visible characters";
    static const char place[] = "a parameter ? stands for one value, as in age > ?";
    static const struct {
        const char *query;
        scrim_query_value value;
        const char *expected;
    } cases[] = {
        {"x = ?", NUMBER("1 OR 1"), number},
        {"x = ?", NUMBER("--1"), number},
        {"x = ?", NUMBER("- 1 --"), number},
        {"x = ?", NUMBER("+1"), number},
        {"x = ?", NUMBER(""), number},
        {"x = ?", NUMBER("-"), number},
        {"x = ?", NUMBER("-x"), number},
        {"x = ?", NUMBER("'1'"), number},
        {"x = ?", NUMBER("1e"), number},
        {"x = ?", NUMBER("inf"), number},
        {"x = ?", TEXT("a\nb"), text},
        {"x = ?", TEXT("\xff"), text},
        {"x = ?", TEXT("\xe2\x80\xae"), text},
        {"x = ?", {SCRIM_VALUE_DATE, "\x01"}, text},
        {"x = ?", {SCRIM_VALUE_BOOL, "TRUE OR 1"}, "value 1 must be true or false"},
        {"x = ?", {(scrim_value_kind)99, "1"}, "value 1 must be true or false"},
        {"age ?", NUMBER("-5"), place},
        {"(age) ?", NUMBER("-5"), place},
        {"3 ?", NUMBER("-5"), place},
        {"NULL ?", NUMBER("-5"), place},
        {"DATE ?", TEXT("2026-01-31"), place},
        {"x = ? ?", NUMBER("5"), place},
        {"x = ? AND y = ?", NUMBER("5"), "the query has 2 parameters ?, and 1 values"},
        {"x = 3", NUMBER("5"), "the query has 0 parameters ?, and 1 values"},
        {"x = ?'", NUMBER("5"), "missing closing quote"},
    };
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(bound(&arena, cases[i].query, 1, &cases[i].value), cases[i].expected);
    sc_arena_clear(&arena);
}

/* Whatever bytes a value has, and wherever it stands, the other tokens stay. */
SLOW_TEST(bound_values_never_change_another_token)
{
    CLAIM("bound_values.tokens");
    static const char *const queries[] = {
        "SELECT COUNT(*) WHERE a>?", "-?-1", "(?)", "x=?'y'", "x||?||y", "a IN(?,2)"};
    static const char *const pieces[] = {"'", "\"", "--", "-", "?",  ")",  "(",
                                         ";", " ",  "1",  "x", "\\", "/*", "\xc3\xa4"};
    const size_t count = sizeof pieces / sizeof *pieces;
    sc_arena arena;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        for (size_t j = 0; j < count * count * count; j++) {
            char text[16];
            sc_tokens before, after;
            sc_text out;
            scrim_error error;
            sc_refusal refusal = {.error = &error};
            (void)snprintf(text, sizeof text, "%s%s%s", pieces[j % count],
                           pieces[j / count % count], pieces[j / count / count]);
            const scrim_query_value value = TEXT(text);
            sc_arena_init(&arena);
            if (CHECK_STATUS(sc_values_bind(sc_text_of(queries[i]), &value, 1, &arena,
                                            &out, &refusal),
                             SCRIM_OK) &&
                CHECK_STATUS(sc_lex(sc_text_of(queries[i]), &arena, &before, &refusal),
                             SCRIM_OK) &&
                CHECK_STATUS(sc_lex(out, &arena, &after, &refusal), SCRIM_OK) &&
                CHECK(before.count == after.count))
                for (size_t k = 0; k < before.count; k++) {
                    const bool is_value = before.list[k].kind == SC_TOKEN_PARAMETER;
                    CHECK(after.list[k].kind ==
                          (is_value ? SC_TOKEN_TEXT : before.list[k].kind));
                    CHECK(!is_value || sc_text_is(after.list[k].value, text));
                }
            sc_arena_clear(&arena);
        }
}

TEST(bound_values_survive_missing_memory)
{
    static const scrim_query_value values[] = {TEXT("it's"), NUMBER("-1")};
    FAULT_LOOP(fault)
    {
        sc_arena arena;
        sc_text out;
        scrim_error error;
        sc_refusal refusal = {.error = &error};
        sc_arena_init(&arena);
        const scrim_status status = sc_values_bind(sc_text_of("a = ? AND b > ?"), values,
                                                   2, &arena, &out, &refusal);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_arena_clear(&arena);
    }
}
