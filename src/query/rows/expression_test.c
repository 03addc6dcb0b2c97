#include "check.h"
#include "data/value/value.h"
#include "faults.h"
#include "queries.h"
#include "query/language/typed.h"
#include "query/rows/expression.h"
#include "row_oracle.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS_MAX = 16, ROWS = 24, TEXT_BYTES = 6000 };

/* Rows of query_schema: for the columns, and for the oracle. */
typedef struct row_table {
    const sc_schema *schema;
    int64_t values[COLUMNS_MAX][ROWS];
    sc_text texts[COLUMNS_MAX][ROWS];
    row_value rows[ROWS][COLUMNS_MAX];
    sc_row_column columns[COLUMNS_MAX];
    size_t places[COLUMNS_MAX];
} row_table;

/* Ends of the ranges now and then. */
static int64_t random_value(uint64_t *seed, const sc_grid *grid)
{
    const uint64_t choice = row_random(seed, 6);
    if (choice < 2)
        return choice == 0 ? grid->low : grid->high;
    return (int64_t)((uint64_t)grid->low +
                     row_random(seed, (uint64_t)grid->high - (uint64_t)grid->low + 1));
}

static void fill(row_table *table, uint64_t *seed)
{
    static const char *const words[] = {"Female", "Male", "a", "b", "\xc3\xa4"};
    for (size_t c = 0; c < table->schema->column_count; c++) {
        const sc_column *column = &table->schema->columns[c];
        for (size_t r = 0; r < ROWS; r++) {
            row_value *value = &table->rows[r][c];
            value->is_text = column->type == SC_COLUMN_TEXT;
            if (value->is_text) {
                table->texts[c][r] = value->text = sc_text_of(words[row_random(seed, 5)]);
                continue;
            }
            table->values[c][r] = column->type == SC_COLUMN_BOOL
                                      ? (int64_t)row_random(seed, 2)
                                      : random_value(seed, &column->grid);
            sc_ratio step;
            sc_ratio_init(&step);
            if (column->type == SC_COLUMN_BOOL)
                sc_ratio_set_int64(&step, 1);
            else
                sc_grid_step(&column->grid, &step);
            sc_ratio_set_int64(&value->number, table->values[c][r]);
            sc_ratio_mul(&value->number, &value->number, &step);
            sc_ratio_clear(&step);
        }
    }
}

static bool table_init(row_table *table)
{
    table->schema = query_schema();
    if (table->schema == NULL || table->schema->column_count > COLUMNS_MAX)
        return false;
    for (size_t c = 0; c < COLUMNS_MAX; c++) {
        table->places[c] = c;
        table->columns[c] = (sc_row_column){table->values[c], table->texts[c]};
        for (size_t r = 0; r < ROWS; r++)
            sc_ratio_init(&table->rows[r][c].number);
    }
    return true;
}

static void table_clear(row_table *table)
{
    for (size_t c = 0; c < COLUMNS_MAX; c++)
        for (size_t r = 0; r < ROWS; r++)
            sc_ratio_clear(&table->rows[r][c].number);
    sc_schema_free(table->schema);
}

/* One expression with its tree, type and program. */
typedef struct row_reading {
    query_reading query;
    const sc_node *node;
    const sc_typed *typed;
    const sc_expression *expression;
    scrim_status status;
} row_reading;

static void read_expression(row_reading *reading, const row_table *table,
                            const char *text)
{
    static char query[TEXT_BYTES + 16];
    snprintf(query, sizeof query, "SELECT %s", text);
    *reading = (row_reading){.node = NULL};
    query_read(&reading->query, sc_text_of(query));
    reading->status = reading->query.status;
    if (reading->status != SCRIM_OK)
        return;
    reading->node = reading->query.tree->items[0].node;
    sc_typing typing = {.schema = table->schema,
                        .tree = reading->query.tree,
                        .arena = &reading->query.arena,
                        .refusal = &reading->query.refusal};
    reading->status = sc_typed_row(&typing, reading->node, &reading->typed);
    if (reading->status == SCRIM_OK && !sc_typed_is_text_column(reading->typed))
        reading->status = sc_expression_compile(
            reading->typed, table->places, table->schema->column_count,
            &reading->query.arena, &reading->expression, NULL);
}

static void evaluate(const row_reading *reading, const row_table *table, int64_t *out)
{
    int64_t *scratch =
        calloc(sc_expression_scratch(reading->expression) + 1, sizeof *scratch);
    if (scratch == NULL) {
        CHECK_FAIL("no memory");
        return;
    }
    sc_expression_prepare(reading->expression, scratch);
    sc_expression_evaluate(reading->expression, table->columns, ROWS, scratch, out);
    free(scratch);
}

static bool check_value(const sc_typed *typed, int64_t got, const row_value *want)
{
    sc_ratio value;
    bool same = CHECK(got >= typed->extent.low && got <= typed->extent.high);
    if (typed->type == SC_TYPE_TEXT)
        return same && CHECK(sc_text_equal(typed->texts[got], want->text));
    sc_ratio_init(&value);
    sc_extent_value(typed->extent.step, got, &value);
    same = CHECK(sc_ratio_compare(&value, &want->number) == 0) && same;
    sc_ratio_clear(&value);
    return same;
}

static bool check_rows(const row_reading *reading, const row_table *table)
{
    int64_t out[ROWS] = {0};
    bool same = true;
    evaluate(reading, table, out);
    for (size_t r = 0; same && r < ROWS; r++) {
        row_value want = {.is_text = false};
        sc_ratio_init(&want.number);
        row_evaluate(table->schema, reading->node, table->rows[r], &want);
        same = check_value(reading->typed, out[r], &want);
        sc_ratio_clear(&want.number);
    }
    return same;
}

TEST(expression_equals_exact_arithmetic)
{
    CLAIM("expression.exact");
    CLAIM("expression.total");
    CLAIM("extent.sound");
    static const char kinds[] = "nnnnbbbdt";
    static char text[TEXT_BYTES];
    static row_table table;
    uint64_t seed = check_seed();
    const uint64_t runs = check_count(2000, 200000);
    uint64_t taken = 0, limits = 0;
    REQUIRE(table_init(&table));
    for (uint64_t run = 0; run < runs; run++) {
        const char kind = kinds[row_random(&seed, sizeof kinds - 1)];
        const int depth = 1 + (int)row_random(&seed, 4);
        row_reading reading;
        if (row_expression(&seed, kind, depth, text, sizeof text) >= sizeof text)
            continue;
        read_expression(&reading, &table, text);
        fill(&table, &seed);
        bool held = true;
        if (reading.status == SCRIM_OK) {
            taken++;
            held = check_rows(&reading, &table);
        } else {
            limits++;
            held = CHECK(reading.status == SCRIM_E_LIMIT);
        }
        if (!held)
            CHECK_FAIL("%s: %s", text, reading.query.error.message);
        query_forget(&reading.query);
        if (!held)
            break;
    }
    table_clear(&table);
    /* Most are within the limits: the test is about them. */
    CHECK(taken > 3 * limits);
}

TEST(expression_a22_is_clamped_last)
{
    CLAIM("expression.inside");
    static const char *const texts[] = {"age * 1000000",
                                        "CASE WHEN age = 42 THEN 1e9 ELSE 0 END",
                                        "age * age - income",
                                        "LEAST(age, income) / 7",
                                        "YEAR(day)",
                                        "DAY(born + FLOOR(CLAMP(income, 0, 9)))",
                                        "BUCKET(income, 0.3)",
                                        "ROUND(weight, 1) * age",
                                        "day - born",
                                        "big / 4",
                                        "married",
                                        "age IN (1, 2, 3)",
                                        "married AND age > 40",
                                        "married OR (age <= 40 AND NOT married)",
                                        "age = income AND day < born",
                                        "age BETWEEN 1 AND 9 OR sex LIKE 'F%'",
                                        "sex IN ('Female', 'a') AND sex = 'b'",
                                        "CASE WHEN married THEN 'a' ELSE 'b' END"};
    static row_table table;
    uint64_t seed = check_seed();
    REQUIRE(table_init(&table));
    fill(&table, &seed);
    /* Values that no source hands out: far beyond the declared ranges. */
    for (size_t c = 0; c < table.schema->column_count; c++)
        for (size_t r = 0; r < ROWS; r++)
            table.values[c][r] = r % 3 == 0   ? INT64_MAX
                                 : r % 3 == 1 ? INT64_MIN
                                              : (int64_t)row_random(&seed, UINT64_MAX);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        row_reading reading;
        int64_t out[ROWS] = {0};
        read_expression(&reading, &table, texts[i]);
        if (CHECK_STATUS(reading.status, SCRIM_OK)) {
            evaluate(&reading, &table, out);
            for (size_t r = 0; r < ROWS; r++)
                CHECK((out[r] >= reading.typed->extent.low &&
                       out[r] <= reading.typed->extent.high) ||
                      (out[r] == SC_NULL && reading.typed->is_nullable));
        }
        query_forget(&reading.query);
    }
    table_clear(&table);
}

TEST(expression_needs_its_columns)
{
    static const char *const texts[] = {"age + income", "sex = 'Male'", "LOWER(sex)"};
    static row_table table;
    REQUIRE(table_init(&table));
    for (size_t i = 0; i < COUNT(texts); i++) {
        row_reading reading;
        const sc_expression *expression = NULL;
        const size_t places[] = {2, 3};
        read_expression(&reading, &table, texts[i]);
        CHECK_STATUS(reading.status, SCRIM_OK);
        CHECK_STATUS(sc_expression_compile(reading.typed, places, 2, &reading.query.arena,
                                           &expression, NULL),
                     SCRIM_E_INTERNAL);
        CHECK(expression == NULL);
        query_forget(&reading.query);
    }
    table_clear(&table);
}

TEST(expression_in_takes_long_lists)
{
    static char text[TEXT_BYTES];
    static row_table table;
    uint64_t seed = check_seed();
    REQUIRE(table_init(&table));
    for (size_t count = 1; count <= 60; count++) {
        row_reading reading;
        size_t at = (size_t)sprintf(text, "age IN (");
        for (size_t i = 0; i < count; i++)
            at += (size_t)sprintf(text + at, "%s%d", i > 0 ? ", " : "",
                                  (int)row_random(&seed, 140) - 10);
        (void)sprintf(text + at, ")");
        read_expression(&reading, &table, text);
        fill(&table, &seed);
        CHECK_STATUS(reading.status, SCRIM_OK);
        CHECK(check_rows(&reading, &table));
        query_forget(&reading.query);
    }
    table_clear(&table);
}

TEST(expression_text_in_takes_long_lists)
{
    static char text[TEXT_BYTES];
    static row_table table;
    static const char *const words[] = {"Female", "Male", "a", "b", "\xc3\xa4"};
    uint64_t seed = check_seed();
    REQUIRE(table_init(&table));
    for (size_t count = 1; count <= 40; count++) {
        row_reading reading;
        size_t at = (size_t)sprintf(text, "city IN (");
        for (size_t i = 0; i < count; i++) {
            const uint64_t choice = row_random(&seed, 12);
            at += (size_t)sprintf(text + at, "%s'%s%s'", i > 0 ? ", " : "",
                                  words[choice % 5], choice < 5 ? "" : "x");
        }
        (void)sprintf(text + at, ")");
        read_expression(&reading, &table, text);
        fill(&table, &seed);
        CHECK_STATUS(reading.status, SCRIM_OK);
        CHECK(check_rows(&reading, &table));
        query_forget(&reading.query);
    }
    table_clear(&table);
}

TEST(expression_without_memory)
{
    static row_table table;
    REQUIRE(table_init(&table));
    FAULT_LOOP(fault)
    {
        row_reading reading;
        read_expression(
            &reading, &table,
            "CASE WHEN age IN (1, 2) AND sex = 'x' THEN age * income ELSE 3 END");
        CHECK_STATUS(reading.status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        query_forget(&reading.query);
    }
    table_clear(&table);
}
