#include "base/memory.h"
#include "check.h"
#include "data/table/typical_questions.h"

#include <math.h>
#include <string.h>

static const char policy[] =
    "csv=/orders.csv\nunit=who\ncolumn=city=text\nkeys=city=a,b,c,d\nmissing=city=a\n"
    "column=x=int[0,9]\nmax-total-rows=1\n";

static const sc_typical_keys keys[] = {{"", 1}, {"city", 4}};

/* A table of totals 1, 2 and 3 for COUNT(*) and SUM(x). */
static scrim_bound_choices table_of(void)
{
    static const struct {
        const char *column;
        uint64_t rows;
        double kept, noise, whole;
    } lines[] = {
        {"", 1, 0.5, 1, 100},  {"", 2, 0.9, 2, 100},   {"", 3, 1, 3, 100},
        {"x", 1, 0.5, 9, 300}, {"x", 2, 0.8, 18, 300}, {"x", 3, 1, 27, 300},
        {"x", 0, 0.99, 1, 300}}; /* a bound of a person's total, which is no total of rows */
    scrim_bound_choices table = {.count = sizeof lines / sizeof *lines};
    table.choices = sc_allocate(table.count, sizeof *table.choices);
    for (size_t i = 0; table.choices != NULL && i < table.count; i++) {
        table.choices[i] = (scrim_bound_choice){.max_groups = 1,
                                                .max_rows = lines[i].rows,
                                                .kept = lines[i].kept,
                                                .kept_chosen = lines[i].kept,
                                                .noise = lines[i].noise,
                                                .whole = lines[i].whole};
        strcpy(table.choices[i].column, lines[i].column);
    }
    return table;
}

TEST(typical_questions_have_one_total)
{
    CLAIM("typical-questions.total");
    const sc_schema *schema = NULL;
    scrim_error error;
    scrim_bound_choices table = table_of();
    REQUIRE(table.choices != NULL);
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error));
    REQUIRE_OK(sc_typical_questions(schema, keys, 2, &table, &error));
    REQUIRE(table.typical_count == 4);
    CHECK_STR(table.typical[0].text, "COUNT(*)");
    CHECK_STR(table.typical[1].text, "COUNT(*) by city");
    CHECK_STR(table.typical[2].text, "SUM(x)");
    CHECK_STR(table.typical[3].text, "SUM(x) by city");
    CHECK_INT(table.typical[1].groups, 4);
    /* Noise of a fourth of the rows, four times as large a part of them. */
    CHECK_INT(table.typical[0].best_total, 3);
    CHECK(fabs(table.typical[0].best_error - 0.03) < 1e-12);
    CHECK_INT(table.typical[1].best_total, 3);
    CHECK(fabs(table.typical[1].best_error - 0.12) < 1e-12);
    CHECK_INT(table.typical[3].best_total, 2);
    CHECK(fabs(table.typical[3].best_error - hypot(0.2, 0.24)) < 1e-12);
    /* With 3 the last one pays most, 0.36 / hypot(0.2, 0.24) = 1.15; with 2 the first, hypot(0.1, 0.02) / 0.03 = 3.4. */
    CHECK_INT(table.proposed_total, 3);
    CHECK(fabs(table.typical[3].error - 0.36) < 1e-12);
    CHECK(table.typical[3].kept == 1);
    sc_schema_free(schema);
    scrim_bound_choices_clear(&table);
}

/* The largest regret of a total in the table, for these keys. */
static double regret_of(const scrim_bound_choices *table, uint64_t total)
{
    double worst = 0;
    for (size_t q = 0; q < table->typical_count; q++) {
        const scrim_typical_question *own = &table->typical[q];
        const bool is_sum = own->text[0] == 'S';
        for (size_t i = 0; i < table->count; i++) {
            const scrim_bound_choice *c = &table->choices[i];
            if ((c->column[0] != '\0') != is_sum || c->max_rows != total)
                continue;
            const double error =
                hypot(1 - c->kept, c->noise * (double)own->groups / c->whole);
            worst = fmax(worst, fmin(error, 1) / fmin(own->best_error, 1));
        }
    }
    return worst;
}

/* Tables of all sorts, also ones whose sums no total can answer. */
TEST(no_total_has_a_smaller_largest_regret)
{
    CLAIM("typical-questions.regret");
    const sc_schema *schema = NULL;
    scrim_error error;
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error));
    uint64_t state = 7;
    for (size_t turn = 0; turn < 300; turn++) {
        scrim_bound_choices table = table_of();
        REQUIRE(table.choices != NULL);
        for (size_t i = 0; i < table.count; i++) {
            scrim_bound_choice *c = &table.choices[i];
            state = state * 6364136223846793005U + 1442695040888963407U;
            c->kept_chosen = (double)(state >> 40) / (1 << 24);
            c->kept = sqrt(c->kept_chosen);
            c->noise *= (turn % 3 == 0) ? 40 : 1;
        }
        REQUIRE_OK(sc_typical_questions(schema, keys, 2, &table, &error));
        const double proposed = regret_of(&table, table.proposed_total);
        for (uint64_t total = 1; total <= 3; total++)
            CHECK(regret_of(&table, total) >= proposed - 1e-12);
        scrim_bound_choices_clear(&table);
    }
    sc_schema_free(schema);
}

/* A sum whose noise is above all of it with every total has no say. */
TEST(hopeless_questions_have_no_say)
{
    const sc_schema *schema = NULL;
    scrim_error error;
    scrim_bound_choices table = table_of();
    REQUIRE(table.choices != NULL);
    for (size_t i = 3; i < table.count; i++)
        table.choices[i].noise *= pow(1000, (double)i);
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error));
    REQUIRE_OK(sc_typical_questions(schema, keys, 2, &table, &error));
    CHECK_INT(table.typical[2].best_total, 1);
    CHECK_INT(table.proposed_total, 3);
    sc_schema_free(schema);
    scrim_bound_choices_clear(&table);
}

TEST(typical_questions_of_an_empty_table)
{
    const sc_schema *schema = NULL;
    scrim_error error;
    scrim_bound_choices table = table_of();
    REQUIRE(table.choices != NULL);
    for (size_t i = 0; i < table.count; i++)
        table.choices[i].whole = 0;
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error));
    REQUIRE_OK(sc_typical_questions(schema, keys, 2, &table, &error));
    CHECK_INT(table.typical_count, 0);
    CHECK_INT(table.proposed_total, 0);
    sc_schema_free(schema);
    scrim_bound_choices_clear(&table);
}
