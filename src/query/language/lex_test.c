#include "check.h"
#include "faults.h"
#include "query/language/lex.h"

#include <stdlib.h>
#include <string.h>

static const char *canonical(sc_arena *arena, const char *text)
{
    sc_tokens tokens;
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &error};
    if (!CHECK_STATUS(sc_lex(sc_text_of(text), arena, &tokens, &refusal), SCRIM_OK)) {
        CHECK_STR(error.message, text);
        return "";
    }
    return sc_arena_copy(arena, tokens.canonical.start, tokens.canonical.bytes);
}

TEST(lex_canonical_text)
{
    CLAIM("lex.canonical");
    static const char *const pairs[][2] = {
        {"select  count( * )\n\tgroup by sex ;", "SELECT COUNT(*) GROUP BY sex"},
        {"SELECT Sum(Age)", "SELECT SUM(Age)"},
        {"sum \"sum\" (x)", "sum \"sum\" (x)"},
        {"a<=b<>c!=d>=e<f>g=h", "a <= b <> c != d >= e < f > g = h"},
        {"1 1.5 .5 1e-9 2E+7 1.", "1 1.5 .5 1e-9 2E+7 1."},
        {"'it''s' \"a\"\"b\" ''", "'it''s' \"a\"\"b\" ''"},
        {"a -- b\n, c --", "a, c"},
        {"'a -- b' - -1", "'a -- b' - - 1"},
        {"x;;", "x;"},
        {"", ""},
        {"'\xc3\xa4'", "'\xc3\xa4'"},
    };
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *once = canonical(&arena, pairs[i][0]);
        CHECK_STR(once, pairs[i][1]);
        CHECK_STR(canonical(&arena, once), i == 8 ? "x" : once);
    }
    sc_arena_clear(&arena);
}

TEST(lex_questions_that_differ_stay_different)
{
    CLAIM("lex.canonical");
    /* Nothing is simplified: each of these is a question of its own. */
    static const char *const texts[] = {
        "SELECT a",      "SELECT A",      "SELECT \"a\"",       "SELECT 'a'",
        "SELECT a , b",  "SELECT b , a",  "SELECT 1",           "SELECT 1.0",
        "SELECT 01",     "SELECT a <> b", "SELECT a != b",      "SELECT 'a b'",
        "SELECT 'a  b'", "SELECT 'A'",    "SELECT \"count\" (", "SELECT COUNT (",
        "SELECT ( a )"};
    const size_t count = sizeof texts / sizeof *texts;
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(canonical(&arena, texts[i]), canonical(&arena, texts[j])) != 0);
    sc_arena_clear(&arena);
}

TEST(lex_values_and_places)
{
    static const char text[] = " Select \"a\"\"b\", 'it''s' <> .5";
    static const struct {
        sc_token_kind kind;
        const char *value;
        size_t offset, bytes;
    } want[] = {{SC_TOKEN_SELECT, "Select", 1, 6}, {SC_TOKEN_NAME, "a\"b", 8, 6},
                {SC_TOKEN_COMMA, ",", 14, 1},      {SC_TOKEN_TEXT, "it's", 16, 7},
                {SC_TOKEN_NOT_EQUAL, "<>", 24, 2}, {SC_TOKEN_NUMBER, ".5", 27, 2},
                {SC_TOKEN_END, "", 29, 0}};
    sc_arena arena;
    sc_tokens tokens;
    sc_refusal refusal = {.error = NULL};
    sc_arena_init(&arena);
    CHECK_STATUS(sc_lex(sc_text_of(text), &arena, &tokens, &refusal), SCRIM_OK);
    if (CHECK_INT(tokens.count, sizeof want / sizeof *want))
        for (size_t i = 0; i < tokens.count; i++) {
            CHECK_INT(tokens.list[i].kind, want[i].kind);
            CHECK(sc_text_is(tokens.list[i].value, want[i].value));
            CHECK_INT(tokens.list[i].span.offset, want[i].offset);
            CHECK_INT(tokens.list[i].span.bytes, want[i].bytes);
        }
    CHECK(tokens.list[1].quoted && !tokens.list[3].quoted);
    sc_arena_clear(&arena);
}

TEST(lex_knows_every_reserved_word_in_any_case)
{
    sc_arena arena;
    sc_tokens tokens;
    sc_refusal refusal = {.error = NULL};
    sc_arena_init(&arena);
    for (size_t i = 0; i < SC_RESERVED_WORDS; i++) {
        char small[32], name[SC_TEXT_NAME_BYTES];
        const char *word = sc_reserved_word(i);
        for (size_t j = 0; j <= strlen(word); j++)
            small[j] = (char)(word[j] >= 'A' ? word[j] | 0x20 : word[j]);
        CHECK_STATUS(sc_lex(sc_text_of(small), &arena, &tokens, &refusal), SCRIM_OK);
        CHECK_INT(tokens.list[0].kind, SC_TOKEN_AND + i);
        CHECK_STR(sc_token_text(tokens.list[0].kind), word);
        CHECK(sc_word_is(sc_text_of(small), word));
        CHECK(sc_text_name(sc_text_of(small), name)[0] == '"');
        CHECK(!sc_word_is((sc_text){small, strlen(word) - 1}, word));
    }
    CHECK(!sc_word_is(sc_text_of("ANDY"), "AND"));
    sc_arena_clear(&arena);
}

TEST(lex_a63_refuses_what_cannot_be_seen)
{
    static const struct {
        sc_text text;
        size_t place;
    } texts[] = {{{"a\0b", 3}, 1},      {{"'a\0b'", 5}, 2}, {{"'a\nb'", 5}, 2},
                 {{"\"a\x1b\"", 4}, 2}, {{"'\xff'", 3}, 1}, {{"'\xe2\x80\xae'", 5}, 1},
                 {{"'abc", 4}, 0},      {{"\"abc", 4}, 0},  {{"'it''s", 6}, 0},
                 {{"\"\"", 2}, 0},      {{"a `b`", 5}, 2},  {{"[a]", 3}, 0},
                 {{"$1", 2}, 0},        {{"a | b", 5}, 2},  {{"x:int", 5}, 1},
                 {{"\xc3\xa4", 2}, 0},  {{"a % 2", 5}, 2},  {{"/* a */ #", 9}, 8},
                 {{"12abc", 5}, 0},     {{"1e", 2}, 0},     {{"0x10", 4}, 0},
                 {{"a ! b", 5}, 2},     {{"a \\ b", 5}, 2}};
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sc_tokens tokens = {.count = 7};
        scrim_error error = {.status = SCRIM_OK};
        sc_refusal refusal = {.error = &error};
        CHECK_STATUS(sc_lex(texts[i].text, &arena, &tokens, &refusal), SCRIM_E_SYNTAX);
        CHECK_INT(refusal.place.offset, texts[i].place);
        CHECK(error.message[0] != '\0');
        CHECK_INT(tokens.count, 7);
    }
    sc_arena_clear(&arena);
}

TEST(lex_a67_limits)
{
    CLAIM("lex.bounded");
    sc_arena arena;
    sc_tokens tokens;
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &error};
    const size_t bytes = 1000000;
    char *text = malloc(bytes);
    REQUIRE(text != NULL);
    memset(text, '(', bytes);
    sc_arena_init(&arena);
    CHECK_STATUS(sc_lex((sc_text){text, bytes}, &arena, &tokens, &refusal),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_lex((sc_text){text, SC_QUERY_BYTES + 1}, &arena, &tokens, &refusal),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_lex((sc_text){text, SC_QUERY_TOKENS}, &arena, &tokens, &refusal),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_lex((sc_text){text, SC_QUERY_TOKENS - 1}, &arena, &tokens, &refusal),
                 SCRIM_OK);
    memset(text, 'a', bytes);
    CHECK_STATUS(sc_lex((sc_text){text, SC_QUERY_BYTES}, &arena, &tokens, &refusal),
                 SCRIM_OK);
    sc_arena_clear(&arena);
    free(text);
}

TEST(lex_without_memory)
{
    char text[600];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 3 == 2 ? ' ' : '\'';
    text[5] = ' ';
    static const char quoted[] = {'\'', 'a', '\'', '\'', 'b', '\''};
    memcpy(text, quoted, sizeof quoted);
    FAULT_LOOP(fault)
    {
        sc_arena arena;
        sc_tokens tokens;
        sc_refusal refusal = {.error = NULL};
        sc_arena_init(&arena);
        const scrim_status status =
            sc_lex((sc_text){text, sizeof text}, &arena, &tokens, &refusal);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_arena_clear(&arena);
    }
}
