#include "check.h"
#include "data/value/value.h"
#include "queries.h"
#include "query/language/condition_facts.h"
#include "query/rows/expression.h"
#include "row_oracle.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x and y may be NULL, z not; both from 0 to 3. */
static const char policy[] = "unit=row\ncolumn=x=int[0,3]\ncolumn=y=int[0,3]\n"
                             "column=z=int[0,3]\nmissing=z=0\n"
                             "column=t=text\ncolumn=b=bool\n";
enum { VALUES = 5, TRIED = VALUES * VALUES };

typedef struct asking {
    const sc_schema *schema;
    const sc_query *query;
    sc_arena arena;
    scrim_error error;
    scrim_status status;
} asking;

static void ask(asking *a, const char *condition)
{
    char text[6000];
    sc_refusal refusal = {.error = &a->error};
    *a = (asking){.schema = NULL};
    sc_arena_init(&a->arena);
    snprintf(text, sizeof text, "SELECT COUNT(*), AVG(x), AVG(y) WHERE %s", condition);
    const char *copy = sc_arena_copy(&a->arena, text, strlen(text));
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &a->schema, NULL));
    a->status = sc_validate(sc_text_of(copy), sc_text_of("r"), a->schema, &a->arena,
                            &a->query, &refusal);
}

static void forget(asking *a)
{
    sc_schema_free(a->schema);
    sc_arena_clear(&a->arena);
}

/* "never", or "always" or "where", and the columns that are certain: "where xy". */
static const char *facts_of(const asking *a, char text[20])
{
    if (a->status != SCRIM_OK) {
        snprintf(text, 20, "never");
        return text;
    }
    const bool *is = a->query->is_present;
    snprintf(text, 20, "%s%s%s", a->query->where == NULL ? "always" : "where",
             is != NULL && is[0] ? " x" : "", is != NULL && is[1] ? " y" : "");
    return text;
}

static void check_facts(const char *condition, const char *want)
{
    asking a;
    char text[20];
    ask(&a, condition);
    if (!CHECK_STR(facts_of(&a, text), want))
        CHECK_STR(condition, a.error.message);
    forget(&a);
}

/* X2: what is a fact only of columns that are never NULL. */
TEST(condition_facts_know_null)
{
    CLAIM("condition-facts.sound");
    check_facts("x = x", "where x");
    check_facts("NOT (x > 3)", "where x");
    check_facts("x BETWEEN 0 AND 3", "where x");
    check_facts("x IN (0, 1, 2, 3)", "where x");
    check_facts("x > 1 OR NOT (x > 1)", "where x");
    check_facts("x > 1 AND NOT (x > 1)", "never");
    check_facts("NOT (x > 1 AND NOT (x > 1))", "where x");
    check_facts("x * 0 = 0", "where x");
    check_facts("x - x = 0", "where x");
    check_facts("z BETWEEN 0 AND 3", "always");
    check_facts("z > 1 OR NOT (z > 1)", "always");
    check_facts("z IS NULL", "never");
    check_facts("x IS NULL", "where");
    check_facts("x IS NULL OR x IS NOT NULL", "always");
    check_facts("x IS NULL AND x > 1", "never");
    check_facts("x = NULL", "never");
    check_facts("x NOT IN (9, NULL)", "never");
    check_facts("x IN (1, NULL)", "where x");
    check_facts("(x > 1) IS TRUE", "where x");
    check_facts("(x > 1) IS NOT TRUE", "where");
    check_facts("(x > 1) IS NOT FALSE", "where");
    check_facts("COALESCE(x, 0) >= 0", "always");
    check_facts("COALESCE(x, y) >= 0", "where");
    check_facts("NULLIF(x, 1) IS NOT NULL", "where x");
    check_facts("CASE WHEN x > 1 THEN y > 1 ELSE FALSE END", "where x y");
    check_facts("t = 'a' OR t <> 'a'", "where");
    check_facts("t IN ('a', 'b') AND t = 'c'", "never");
    check_facts("b OR NOT b OR b IS NULL", "always");
    check_facts("x * 2 + 1 > 6", "where x");
    check_facts("x * 2 + 1 > 7", "never");
    check_facts("ABS(x) > 1 AND NOT (ABS(x) > 1)", "never");
}

/* Between columns: one unknown, however it is written, that is NULL with either. */
TEST(condition_facts_between_columns)
{
    CLAIM("condition-facts.sound");
    check_facts("x > y", "where x y");
    check_facts("x > y OR x <= y", "where x y");
    check_facts("y < x OR NOT (y < x)", "where x y");
    check_facts("x > y AND NOT (y < x)", "never");
    check_facts("x = y AND y <> x", "never");
    check_facts("x > y OR x IS NULL", "where");
    check_facts("x > y AND x IS NULL", "never");
    check_facts("x > z OR x <= z", "where x");
    check_facts("LEAST(x, y) >= 0", "where");
    check_facts("x IS DISTINCT FROM y", "where");
}

/* The pairs of the specification: where conditions are the same, so is all that a plan has of them. */
TEST(condition_facts_of_rewritten_conditions)
{
    CLAIM("condition-facts.same");
    const json_t *rows = vectors_load("query-semantics", "rewrites");
    const json_t *row;
    size_t i, seen = 0;
    json_array_foreach(rows, i, row)
    {
        const char *from = vectors_text(row, "from"), *to = vectors_text(row, "to");
        const bool is_same = json_is_true(json_object_get(row, "same_condition"));
        asking a, b;
        char first[20], second[20];
        ask(&a, from);
        ask(&b, strcmp(to, "1") == 0 ? "TRUE" : strcmp(to, "0") == 0 ? "FALSE" : to);
        /* Others are numbers, which are no conditions here. */
        if (strstr(a.error.message, "asks for a condition") == NULL &&
            strstr(b.error.message, "asks for a condition") == NULL &&
            strstr(a.error.message, "beside") == NULL &&
            strstr(b.error.message, "beside") == NULL) {
            seen++;
            if (is_same && !CHECK_STR(facts_of(&a, first), facts_of(&b, second)))
                CHECK_STR(from, to);
            if (!is_same && strcmp(to, "1") == 0 &&
                !CHECK(strcmp(facts_of(&a, first), facts_of(&b, second)) != 0))
                CHECK_STR(from, to);
        }
        forget(&a);
        forget(&b);
    }
    CHECK(seen >= 18);
}

/* Random conditions on x and y, held against all their values. */

static void put_leaf(char *text, size_t size, uint64_t *seed)
{
    static const char *const signs[] = {"=", "<>", "<", "<=", ">", ">="};
    const char *column = row_random(seed, 2) == 0 ? "x" : "y";
    const size_t used = strlen(text);
    if (row_random(seed, 4) == 0)
        snprintf(text + used, size - used, "%s IS %sNULL", column,
                 row_random(seed, 2) == 0 ? "NOT " : "");
    else if (row_random(seed, 4) == 0)
        snprintf(text + used, size - used, "%s %sIN (1, %d)", column,
                 row_random(seed, 2) == 0 ? "NOT " : "", (int)row_random(seed, 5));
    else
        snprintf(text + used, size - used, "%s %s %d", column,
                 signs[row_random(seed, COUNT(signs))], (int)row_random(seed, 5) - 1);
}

static void put_condition(char *text, size_t size, unsigned depth, uint64_t *seed)
{
    if (depth == 0 || row_random(seed, 5) == 0) {
        put_leaf(text, size, seed);
        return;
    }
    const uint64_t kind = row_random(seed, 4);
    strncat(text, kind == 0 ? "NOT (" : "((", size - strlen(text) - 1);
    put_condition(text, size, depth - 1, seed);
    if (kind > 0) {
        strncat(text,
                kind == 1   ? ") AND ("
                : kind == 2 ? ") OR ("
                            : ") IS TRUE OR (",
                size - strlen(text) - 1);
        put_condition(text, size, depth - 1, seed);
        strncat(text, ")", size - strlen(text) - 1);
    }
    strncat(text, ")", size - strlen(text) - 1);
}

/* Where it is true, as bits; by the engine's own evaluator, which others hold against SQLite. */
static uint32_t true_set(const sc_typed *where, sc_arena *arena)
{
    static const size_t columns[] = {0, 1};
    int64_t x[TRIED], y[TRIED], out[TRIED];
    const sc_row_column rows[] = {{x, NULL}, {y, NULL}};
    const sc_expression *expression;
    uint32_t bits = 0;
    for (int i = 0; i < TRIED; i++) {
        x[i] = i % VALUES == 4 ? SC_NULL : i % VALUES;
        y[i] = i / VALUES == 4 ? SC_NULL : i / VALUES;
    }
    if (!CHECK_STATUS(sc_expression_compile(where, columns, 2, arena, &expression, NULL),
                      SCRIM_OK))
        return 0;
    int64_t *scratch =
        sc_arena_allocate(arena, sc_expression_scratch(expression), sizeof *scratch);
    if (!CHECK(scratch != NULL))
        return 0;
    sc_expression_prepare(expression, scratch);
    sc_expression_evaluate(expression, rows, TRIED, scratch, out);
    for (int i = 0; i < TRIED; i++)
        bits |= (uint32_t)(out[i] == 1) << i;
    return bits;
}

/* The facts of a set of rows. */
static void facts_of_set(uint32_t bits, char text[20])
{
    bool x = true, y = true;
    for (int i = 0; i < TRIED; i++)
        if ((bits >> i & 1) != 0) {
            x = x && i % VALUES != 4;
            y = y && i / VALUES != 4;
        }
    if (bits == 0)
        snprintf(text, 20, "never");
    else if (bits == ((uint32_t)1 << TRIED) - 1)
        snprintf(text, 20, "always");
    else
        snprintf(text, 20, "where%s%s", x ? " x" : "", y ? " y" : "");
}

SLOW_TEST(condition_facts_are_those_of_the_true_set)
{
    CLAIM("condition-facts.same");
    CLAIM("condition-facts.sound");
    uint64_t seed = check_seed();
    for (uint64_t i = 0; i < check_count_whole(1000, 20000); i++) {
        char condition[1500] = "", got[20], want[20] = "never";
        asking a;
        put_condition(condition, sizeof condition, 4, &seed);
        ask(&a, condition);
        facts_of(&a, got);
        if (a.status == SCRIM_OK && a.query->where != NULL)
            facts_of_set(true_set(a.query->where, &a.arena), want);
        else if (a.status == SCRIM_OK)
            snprintf(want, sizeof want, "always");
        const bool is_same = CHECK_STR(got, want);
        if (!is_same)
            CHECK_STR(condition, "");
        forget(&a);
        if (!is_same)
            return;
    }
}

/* A67: a condition of many columns or constants has no facts, in bounded time. */
TEST(condition_facts_give_up)
{
    char condition[5000] = "x IN (0";
    asking a;
    char text[20];
    for (int i = 1; i < 300; i++)
        snprintf(condition + strlen(condition), 20, ", %d", i);
    snprintf(condition + strlen(condition), 50, ") OR t IN ('a'");
    for (int i = 0; i < 200; i++)
        snprintf(condition + strlen(condition), 20, ", 't%d'", i);
    snprintf(condition + strlen(condition), 50,
             ") OR x + y > 2 OR x - y > 2 OR x * y > 2");
    ask(&a, condition);
    CHECK_STR(facts_of(&a, text), "where");
    forget(&a);
}

/* Are the values of two means present in the same rows, by public facts? */
static void check_same(const char *a, const char *b, const char *where, bool want)
{
    char text[600];
    query_asked asked;
    snprintf(text, sizeof text, "SELECT AVG(%s) AS a, AVG(%s) AS b%s", a, b, where);
    query_ask(&asked, text);
    if (CHECK_STATUS(asked.status, SCRIM_OK)) {
        const sc_query_aggregate *list = asked.query->aggregates;
        const bool *is_present = asked.query->is_present;
        const bool is = sc_presence_equal(list[0].value, list[1].value, is_present);
        if (!CHECK_INT(is, want))
            CHECK_STR(text, "");
        CHECK_INT(sc_presence_equal(list[1].value, list[0].value, is_present), is);
    }
    query_forget_asked(&asked);
}

TEST(presence_is_that_of_the_same_columns)
{
    CLAIM("statistic.present");
    check_same("age", "age * 2 + 1", "", true);
    check_same("age + weight", "weight - age", "", true);
    check_same("age", "weight", "", false);
    check_same("age", "age + weight", "", false);
    check_same("age", "age + weight", " WHERE weight > 3", true);
    check_same("age", "weight", " WHERE weight > age", true);
    check_same("age", "CLAMP(age, 1, 9)", "", true);
    check_same("age", "LEAST(age, weight)", "", false);
    check_same("age", "COALESCE(age, weight)", "", false);
    check_same("age", "NULLIF(age, 3)", "", false);
    check_same("NULLIF(age, 3)", "NULLIF(age, 3)", "", true);
    check_same("CASE WHEN married THEN age END", "CASE WHEN married THEN age * 2 END", "",
               true);
    check_same("CASE WHEN married THEN age END", "CASE WHEN NOT married THEN age END", "",
               false);
    check_same("CASE WHEN married THEN age END", "CASE WHEN married THEN weight END", "",
               false);
    check_same("CASE WHEN married THEN age END", "age", "", false);
}
