#include "check.h"
#include "faults.h"
#include "queries.h"
#include "query/aggregate/aggregates.h"

#include <stdio.h>
#include <string.h>

static void check_name(const sc_query *query, size_t output, const char *name)
{
    char text[300];
    const sc_text got = query->columns[output].name;
    snprintf(text, sizeof text, "%.*s", (int)got.bytes, got.start);
    CHECK_STR(text, name);
}

TEST(validate_the_main_job)
{
    query_asked asked;
    if (query_ask_well(&asked, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex")) {
        const sc_query *query = asked.query;
        CHECK_INT(query->key_count, 1);
        CHECK(sc_text_is(query->keys[0].column->name, "sex"));
        CHECK_INT(query->keys[0].value_count, 0);
        CHECK_INT(query->aggregate_count, 2);
        CHECK(query->aggregates[0].kind == &sc_aggregate_count);
        CHECK(query->aggregates[1].kind == &sc_aggregate_avg);
        CHECK_INT(query->aggregates[1].centre, 60);
        CHECK_INT(query->aggregates[1].radius, 60);
        CHECK_INT(query->output_count, 3);
        CHECK(query->outputs[0].is_key && !query->outputs[2].is_key);
        CHECK_INT(query->outputs[2].index, 1);
        check_name(query, 0, "sex");
        check_name(query, 1, "count");
        check_name(query, 2, "avg_age");
        CHECK(query->where == NULL && query->having == NULL && !query->has_limit);
        CHECK(
            sc_text_is(query->canonical, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex"));
        /* age is column 0, sex column 6 */
        CHECK_INT(query->read_count, 2);
        CHECK(query->reads[0] == 0 && query->reads[1] == 6);
    }
    query_forget_asked(&asked);
}

TEST(validate_every_clause)
{
    query_asked asked;
    if (query_ask_well(
            &asked, "select bucket(age, 10) as decade, married, count(*) as n, "
                    "count(distinct person_id), sum(income) with range as s from adult "
                    "where sex in ('Female') and not married group by decade, married "
                    "having n > 10 and not married order by s desc, decade limit 3")) {
        const sc_query *query = asked.query;
        CHECK_INT(query->key_count, 2);
        CHECK(query->keys[0].column == NULL);
        CHECK_INT(query->keys[0].value_count, 13);
        CHECK_INT(query->keys[1].value_count, 2);
        CHECK(query->aggregates[1].kind == &sc_aggregate_count_units);
        CHECK(query->aggregates[2].with_range && !query->aggregates[0].with_range);
        CHECK_INT(query->order_count, 2);
        CHECK(query->orders[0].output == 4 && query->orders[0].descending);
        CHECK(query->orders[1].output == 0 && !query->orders[1].descending);
        CHECK(query->has_limit && query->limit == 3);
        CHECK(query->having != NULL && query->where != NULL);
        check_name(query, 3, "count_person_id");
    }
    query_forget_asked(&asked);
}

TEST(validate_positions_are_columns_of_the_answer)
{
    query_asked asked;
    if (query_ask_well(&asked,
                       "SELECT QUANTILE(age, 0.25, 0.75) q, BUCKET(age, 10) decade, "
                       "married, COUNT(*) n GROUP BY 3, 4 ORDER BY 5 DESC, 3")) {
        const sc_query *query = asked.query;
        CHECK_INT(query->key_count, 2);
        CHECK_INT(query->keys[0].value_count, 13);
        CHECK(sc_text_is(query->keys[1].column->name, "married"));
        CHECK(query->orders[0].output == 4 && query->orders[0].descending);
        CHECK(query->orders[1].output == 2);
        check_name(query, 2, "decade");
        check_name(query, 4, "n");
    }
    query_forget_asked(&asked);
    if (query_ask_well(&asked, "SELECT TOP 3 HISTOGRAM(age, 10) ORDER BY 2 DESC")) {
        CHECK(asked.query->orders[0].output == 1);
        CHECK(asked.query->has_limit && asked.query->limit == 3);
        CHECK(sc_text_is(asked.query->canonical,
                         "SELECT TOP 3 HISTOGRAM(age, 10) ORDER BY 2 DESC"));
    }
    query_forget_asked(&asked);
    /* The same tokens are the same question; other words for it are another. */
    if (query_ask_well(&asked, "select top 3 sex, count ( * ) n group by 1"))
        CHECK(sc_text_is(asked.query->canonical,
                         "SELECT TOP 3 sex, COUNT(*) n GROUP BY 1"));
    query_forget_asked(&asked);
}

TEST(validate_everyday_forms_stand_everywhere)
{
    static const char *const questions[] = {
        "SELECT COUNT(*) WHERE age != 3 AND city != 'a'",
        "SELECT SUM(CASE WHEN age != 3 THEN 1 ELSE 0 END) s",
        "SELECT married, COUNT(age) n GROUP BY 1 HAVING n != 3 AND COUNT(age) > 2",
        "SELECT COUNT(city) c, COUNT(age + income) d, COUNT(married) e, COUNT(day) f",
        ("SELECT SUM(age) FILTER (WHERE age != 3) s, AVG(age) FILTER (WHERE married) a, "
         "COUNT(city) FILTER (WHERE sex = 'Female') n, MEDIAN(age) FILTER (WHERE "
         "married) "
         "m"),
        "SELECT VAR(age) FILTER (WHERE married) v, MAX(age) FILTER (WHERE age != 3) x",
        "SELECT COUNT(*) FILTER (WHERE married) WITH RANGE n",
    };
    for (size_t i = 0; i < COUNT(questions); i++) {
        query_asked asked;
        query_ask_well(&asked, questions[i]);
        query_forget_asked(&asked);
    }
}

TEST(validate_quantiles_are_joined)
{
    query_asked asked;
    if (query_ask_well(&asked, "SELECT QUANTILE(age, 0.25, 3/4) AS q, MEDIAN(age), "
                               "QUANTILE(income, 0.9), QUANTILE(age, .1), MEDIAN(day)")) {
        const sc_query *query = asked.query;
        static const size_t joint[] = {0, 0, 0, 3, 0, 5};
        CHECK_INT(query->aggregate_count, 6);
        for (size_t i = 0; i < 6; i++) {
            CHECK(query->aggregates[i].kind->reads == SC_READS_RANKS);
            CHECK_INT(query->aggregates[i].joint, joint[i]);
        }
        CHECK_INT(query->aggregates[0].p.numerator, 1);
        CHECK_INT(query->aggregates[0].p.denominator, 4);
        CHECK_INT(query->aggregates[1].p.numerator, 3);
        CHECK_INT(query->aggregates[2].p.denominator, 2);
        CHECK_INT(query->columns[5].type, SC_TYPE_DATE);
        check_name(query, 0, "q_0.25");
        check_name(query, 1, "q_3/4");
        check_name(query, 2, "median_age");
        check_name(query, 3, "quantile_income_0.9");
    }
    query_forget_asked(&asked);
}

TEST(validate_histograms)
{
    query_asked asked;
    CLAIM("validate.buckets");
    if (query_ask_well(&asked,
                       "SELECT sex, MAX(age), MIN(age, 5), RANGE(day) AS r, MODE(day, "
                       "7), MAX_K(income, 3, 10) AS k GROUP BY sex HAVING MAX(age) > "
                       "9")) {
        static const sc_aggregate *const kinds[] = {
            &sc_aggregate_max, &sc_aggregate_min, &sc_aggregate_range, &sc_aggregate_mode,
            &sc_aggregate_max_k};
        static const int64_t widths[] = {0, 5, 0, 7, 1000};
        static const sc_type types[] = {SC_TYPE_NUMBER, SC_TYPE_NUMBER, SC_TYPE_NUMBER,
                                        SC_TYPE_DATE, SC_TYPE_NUMBER};
        CHECK_INT(asked.query->aggregate_count, 5);
        for (size_t i = 0; i < 5; i++) {
            CHECK(asked.query->aggregates[i].kind == kinds[i]);
            CHECK_INT(asked.query->aggregates[i].width, widths[i]);
            CHECK_INT(asked.query->columns[i + 1].type, types[i]);
            CHECK(!asked.query->outputs[i + 1].is_bucket);
        }
        CHECK_INT(asked.query->aggregates[4].k, 3);
        check_name(asked.query, 1, "max_age");
    }
    query_forget_asked(&asked);
}

/* A histogram has two columns, a support one; HAVING and ORDER BY name them. */
TEST(validate_rows_of_buckets)
{
    query_asked asked;
    CLAIM("validate.buckets");
    if (query_ask_well(&asked,
                       "SELECT sex, HISTOGRAM(age, 10) GROUP BY sex HAVING count > 5 "
                       "ORDER BY bucket DESC")) {
        CHECK_INT(asked.query->output_count, 3);
        CHECK(asked.query->outputs[1].is_bucket && !asked.query->outputs[2].is_bucket);
        CHECK_INT(asked.query->outputs[1].index, 0);
        CHECK_INT(asked.query->orders[0].output, 1);
        check_name(asked.query, 1, "bucket");
        check_name(asked.query, 2, "count");
    }
    query_forget_asked(&asked);
    if (query_ask_well(&asked, "SELECT HISTOGRAM(day, 7) AS h")) {
        CHECK_INT(asked.query->columns[0].type, SC_TYPE_DATE);
        CHECK_INT(asked.query->columns[1].type, SC_TYPE_NUMBER);
        check_name(asked.query, 0, "h_bucket");
        check_name(asked.query, 1, "h");
    }
    query_forget_asked(&asked);
    if (query_ask_well(&asked, "SELECT SUPPORT(age)")) {
        CHECK_INT(asked.query->output_count, 1);
        CHECK(asked.query->outputs[0].is_bucket);
        check_name(asked.query, 0, "support_age");
    }
    query_forget_asked(&asked);
}

static const sc_typed *first_value(const query_asked *asked)
{
    return asked->query->aggregates[0].value;
}

/* The derived range of SUM(x), in steps. */
static void check_extent(const char *expression, int64_t low, int64_t high,
                         int64_t numerator, int64_t denominator)
{
    char text[400];
    query_asked asked;
    snprintf(text, sizeof text, "SELECT SUM(%s)", expression);
    if (query_ask_well(&asked, text)) {
        const sc_extent *extent = &first_value(&asked)->extent;
        if (!CHECK_INT(extent->low, low) || !CHECK_INT(extent->high, high) ||
            !CHECK_INT(extent->step.numerator, numerator) ||
            !CHECK_INT(extent->step.denominator, denominator))
            CHECK_STR(expression, "");
    }
    query_forget_asked(&asked);
}

TEST(validate_A22_ranges_are_those_of_the_expression)
{
    CLAIM("typed.range");
    check_extent("age", 0, 120, 1, 1);
    check_extent("income", -100000, 10000000, 1, 100);
    check_extent("age * 1000000", 0, 120, 1000000, 1);
    check_extent("-age", -120, 0, 1, 1);
    check_extent("age * -0.5", -120, 0, 1, 2);
    check_extent("age / 3", 0, 120, 1, 3);
    check_extent("income + age", -100000, 10012000, 1, 100);
    check_extent("age - income", -10000000, 112000, 1, 100);
    check_extent("age * age", 0, 14400, 1, 1);
    check_extent("(age - 50) * (age - 50)", 0, 4900, 1, 1);
    check_extent("(age - 50) * (age - 51)", -3570, 4830, 1, 1);
    check_extent("weight + income", -200000, 20040000, 1, 200);
    check_extent("CASE WHEN age = 42 THEN 1e9 ELSE 0 END", 0, 1, 1000000000, 1);
    check_extent("CASE WHEN married THEN income * 1000 ELSE age END", -1000000, 100000000,
                 1, 1);
    check_extent("CASE WHEN age < 0 THEN 1e9 ELSE age END", 0, 120, 1, 1);
    check_extent("CASE WHEN age < 9 THEN 7 WHEN 1 = 1 THEN age ELSE 1e9 END", 0, 120, 1,
                 1);
    check_extent("CASE WHEN TRUE THEN age WHEN married THEN 1e9 ELSE 1e9 END", 0, 120, 1,
                 1);
    check_extent("CASE age WHEN 500 THEN 1e9 WHEN 5 THEN -1 ELSE 0 END", -1, 0, 1, 1);
    check_extent("ABS(income)", 0, 10000000, 1, 100);
    check_extent("ABS(age - 130)", 10, 130, 1, 1);
    check_extent("FLOOR(income)", -1000, 100000, 1, 1);
    check_extent("ROUND(income, 1)", -10000, 1000000, 1, 10);
    check_extent("ROUND(income, -3)", -1, 100, 1000, 1);
    check_extent("BUCKET(age, 7)", 0, 17, 7, 1);
    check_extent("BUCKET(age - 60, 7.5)", -8, 8, 15, 2);
    check_extent("LEAST(age, 65)", 0, 65, 1, 1);
    check_extent("GREATEST(age, 18, income)", 1800, 10000000, 1, 100);
    check_extent("CLAMP(income, 0, 50000)", 0, 5000000, 1, 100);
    check_extent("YEAR(born)", 1900, 2025, 1, 1);
    check_extent("MONTH(born)", 1, 12, 1, 1);
    check_extent("MONTH(day - 366 + 366)", 1, 12, 1, 1);
    check_extent("DAY(day)", 1, 31, 1, 1);
    check_extent("day - born", -2191, 44194, 1, 1);
    check_extent("YEAR(day + age)", 2020, 2021, 1, 1);
    check_extent("big", -((int64_t)1 << 62), (int64_t)1 << 62, 1, 1);
}

TEST(validate_A20_variance_about_a_public_centre)
{
    CLAIM("validate.bounds");
    query_asked asked;
    /* Bounds -50 and 50: squares to 2500, and 1250 off for the centre of Q. */
    if (query_ask_well(&asked, "SELECT VAR(CLAMP(age - 50, -50, 50)), VAR_POP(weight), "
                               "STDDEV(age + 0.5), STDDEV_POP(age), VAR_SAMP(age)")) {
        const sc_query_aggregate *list = asked.query->aggregates;
        CHECK_INT(list[0].centre, 0);
        CHECK_INT(list[0].radius, 50);
        CHECK_INT(list[0].offset, 1250);
        CHECK_INT(list[1].centre, 800);
        CHECK_INT(list[1].radius, 800);
        /* steps of 1/2 from 1 to 241 */
        CHECK_INT(list[2].centre, 121);
        CHECK_INT(list[2].radius, 120);
        CHECK(list[4].kind == &sc_aggregate_var);
    }
    query_forget_asked(&asked);
    /* An odd range: the radius is the longer side. */
    if (query_ask_well(
            &asked,
            "SELECT VAR(CLAMP(age, 0, 3)) AS a, VAR(CLAMP(age - 9, -4, -1)) AS b")) {
        CHECK_INT(asked.query->aggregates[0].centre, 1);
        CHECK_INT(asked.query->aggregates[0].radius, 2);
        CHECK_INT(asked.query->aggregates[1].centre, -3);
        CHECK_INT(asked.query->aggregates[1].radius, 2);
    }
    query_forget_asked(&asked);
}

TEST(validate_keys_know_their_values)
{
    query_asked asked;
    if (query_ask_well(
            &asked, "SELECT CASE WHEN age < 18 THEN 'minor' WHEN age < 65 THEN 'adult' "
                    "ELSE 'old' END AS stage, born, age > 40, COUNT(*) GROUP BY stage, "
                    "born, age > 40")) {
        const sc_query_key *keys = asked.query->keys;
        CHECK_INT(keys[0].value_count, 3);
        CHECK_INT(keys[0].value->type, SC_TYPE_TEXT);
        CHECK_INT(keys[0].value->text_count, 3);
        CHECK(sc_text_is(keys[0].value->texts[0], "adult"));
        CHECK(sc_text_is(keys[0].value->texts[2], "old"));
        CHECK_INT(keys[1].value_count, 46021);
        CHECK_INT(keys[2].value_count, 2);
        check_name(asked.query, 2, "key");
    }
    query_forget_asked(&asked);
}

TEST(validate_where_that_is_always_true_is_none)
{
    static const char *const always[] = {"1 = 1",
                                         "age >= 0",
                                         "age IS NOT NULL",
                                         "age < 1000 OR sex = 'x'",
                                         "married IN (TRUE, FALSE)",
                                         "NOT age > 120",
                                         "day BETWEEN '2020-01-01' AND '2020-12-31'",
                                         "'a' = 'a'"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        char text[200];
        query_asked asked;
        snprintf(text, sizeof text, "SELECT COUNT(*) WHERE %s", always[i]);
        query_ask_present(&asked, text);
        if (CHECK_STATUS(asked.status, SCRIM_OK)) {
            CHECK(asked.query->where == NULL);
            CHECK_INT(asked.query->read_count, 0);
        }
        query_forget_asked(&asked);
        /* Where a column may be NULL they say that it is not. */
        if (query_ask_well(&asked, text))
            CHECK((asked.query->where == NULL) == (i == 0 || i + 1 == COUNT(always)));
        query_forget_asked(&asked);
    }
}

TEST(validate_without_memory)
{
    static const char text[] = "SELECT CASE WHEN age < 18 THEN 'a' ELSE 'b' END AS k, "
                               "QUANTILE(income, 0.1, 0.9), "
                               "AVG(LEAST(age, income)) AS m WHERE sex IN ('x', 'y') AND "
                               "age IN (1, 2) GROUP BY k "
                               "HAVING m > 3 ORDER BY m LIMIT 2";
    const sc_schema *schema = query_schema();
    FAULT_LOOP(fault)
    {
        sc_arena arena;
        const sc_query *query = NULL;
        sc_refusal refusal = {.error = NULL};
        sc_arena_init(&arena);
        const scrim_status status = sc_validate(sc_text_of(text), sc_text_of("adult"),
                                                schema, &arena, &query, &refusal);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        CHECK((query != NULL) == (status == SCRIM_OK));
        sc_arena_clear(&arena);
    }
    sc_schema_free(schema);
}
