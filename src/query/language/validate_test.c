#include "check.h"
#include "faults.h"
#include "queries.h"
#include "query/aggregate/aggregates.h"

#include <stdio.h>
#include <string.h>

static bool asked_well(query_asked *asked, const char *text)
{
    query_ask(asked, text);
    if (CHECK_STATUS(asked->status, SCRIM_OK))
        return true;
    CHECK_STR(asked->error.message, text);
    return false;
}

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
    if (asked_well(&asked, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex")) {
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
    if (asked_well(&asked,
                   "select bucket(age, 10) as decade, married, count(*) as n, "
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
    if (asked_well(&asked, "SELECT QUANTILE(age, 0.25, 0.75) q, BUCKET(age, 10) decade, "
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
    if (asked_well(&asked, "SELECT TOP 3 HISTOGRAM(age, 10) ORDER BY 2 DESC")) {
        CHECK(asked.query->orders[0].output == 1);
        CHECK(asked.query->has_limit && asked.query->limit == 3);
        CHECK(sc_text_is(asked.query->canonical,
                         "SELECT TOP 3 HISTOGRAM(age, 10) ORDER BY 2 DESC"));
    }
    query_forget_asked(&asked);
    /* The same tokens are the same question; other words for it are another. */
    if (asked_well(&asked, "select top 3 sex, count ( * ) n group by 1"))
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
        "SELECT SUM(age) FILTER (WHERE age != 3) s, AVG(age) FILTER (WHERE married) a, "
        "COUNT(city) FILTER (WHERE sex = 'Female') n, MEDIAN(age) FILTER (WHERE married) "
        "m",
        "SELECT VAR(age) FILTER (WHERE married) v, MAX(age) FILTER (WHERE age != 3) x",
        "SELECT COUNT(*) FILTER (WHERE married) WITH RANGE n",
    };
    for (size_t i = 0; i < COUNT(questions); i++) {
        query_asked asked;
        asked_well(&asked, questions[i]);
        query_forget_asked(&asked);
    }
}

TEST(validate_quantiles_are_joined)
{
    query_asked asked;
    if (asked_well(&asked, "SELECT QUANTILE(age, 0.25, 3/4) AS q, MEDIAN(age), "
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
    if (asked_well(&asked,
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
    if (asked_well(&asked, "SELECT sex, HISTOGRAM(age, 10) GROUP BY sex HAVING count > 5 "
                           "ORDER BY bucket DESC")) {
        CHECK_INT(asked.query->output_count, 3);
        CHECK(asked.query->outputs[1].is_bucket && !asked.query->outputs[2].is_bucket);
        CHECK_INT(asked.query->outputs[1].index, 0);
        CHECK_INT(asked.query->orders[0].output, 1);
        check_name(asked.query, 1, "bucket");
        check_name(asked.query, 2, "count");
    }
    query_forget_asked(&asked);
    if (asked_well(&asked, "SELECT HISTOGRAM(day, 7) AS h")) {
        CHECK_INT(asked.query->columns[0].type, SC_TYPE_DATE);
        CHECK_INT(asked.query->columns[1].type, SC_TYPE_NUMBER);
        check_name(asked.query, 0, "h_bucket");
        check_name(asked.query, 1, "h");
    }
    query_forget_asked(&asked);
    if (asked_well(&asked, "SELECT SUPPORT(age)")) {
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
    if (asked_well(&asked, text)) {
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
    if (asked_well(&asked, "SELECT VAR(CLAMP(age - 50, -50, 50)), VAR_POP(weight), "
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
    if (asked_well(
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
    if (asked_well(&asked,
                   "SELECT CASE WHEN age < 18 THEN 'minor' WHEN age < 65 THEN 'adult' "
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
        if (asked_well(&asked, text))
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

/* tests/query/refusals.txt: a query; its status, the place of the caret and the message; an empty
 * line. */
TEST(validate_refusals_are_the_golden_ones)
{
    CLAIM("validate.allow-list");
    CLAIM("typed.allow-list");
    char text[1024], line[1024], got[1024];
    size_t count = 0;
    FILE *file = fopen("tests/query/refusals.txt", "r");
    REQUIRE(file != NULL);
    while (fgets(text, sizeof text, file) != NULL &&
           fgets(line, sizeof line, file) != NULL) {
        query_asked asked;
        text[strcspn(text, "\n")] = line[strcspn(line, "\n")] = '\0';
        query_ask(&asked, text);
        snprintf(got, sizeof got, "%d %zu %s", (int)asked.status,
                 asked.refusal.place.offset, asked.error.message);
        if (!CHECK_STR(got, line))
            CHECK_STR(text, "");
        CHECK(asked.query == NULL);
        query_forget_asked(&asked);
        count++;
        if (fgets(line, sizeof line, file) == NULL)
            break;
    }
    fclose(file);
    CHECK(count >= 200);
}

static void check_statuses(const char *const *texts, size_t count, scrim_status a,
                           scrim_status b)
{
    for (size_t i = 0; i < count; i++) {
        query_asked asked;
        query_ask(&asked, texts[i]);
        if (!CHECK(asked.status == a || asked.status == b) || !CHECK(asked.query == NULL))
            CHECK_STR(asked.error.message, texts[i]);
        query_forget_asked(&asked);
    }
}
#define CHECK_REFUSED(texts, a, b)                                                       \
    check_statuses((texts), sizeof(texts) / sizeof *(texts), (a), (b))

TEST(validate_A23_no_bounds_no_aggregate)
{
    CLAIM("validate.bounds");
    static const char *const texts[] = {"SELECT SUM(5)",
                                        "SELECT SUM(sex)",
                                        "SELECT AVG(city)",
                                        "SELECT SUM(CLAMP(age, 5, 5))",
                                        "SELECT SUM(CLAMP(age, 1, 0))",
                                        "SELECT SUM(CLAMP(age, 500, 501))",
                                        "SELECT SUM(age - age)",
                                        "SELECT SUM(LEAST(age, -1))",
                                        "SELECT VAR(YEAR(day))",
                                        "SELECT MEDIAN(7)",
                                        "SELECT QUANTILE(age, 1e400)",
                                        "SELECT SUM(1e400)",
                                        "SELECT SUM(big * big)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        query_asked asked;
        query_ask(&asked, texts[i]);
        if (i == 6) /* bounds are derived part by part, and hold all the same */
            CHECK_STATUS(asked.status, SCRIM_OK);
        else
            CHECK_INT(asked.status / 10, 2);
        query_forget_asked(&asked);
    }
}

TEST(validate_A24_names_are_not_redefined)
{
    CLAIM("validate.names");
    static const char *const refused[] = {
        "SELECT age * 1000 AS income, COUNT(*) GROUP BY age * 1000",
        "SELECT age > 3 AS married, COUNT(*) GROUP BY married",
        "SELECT income AS age, SUM(age) GROUP BY income",
        "SELECT SUM(income) AS income",
        "SELECT COUNT(*) AS x, SUM(age) AS x",
        "SELECT COUNT(*) AS \"sum_age\", SUM(age)"};
    CHECK_REFUSED(refused, SCRIM_E_PARAM, SCRIM_E_POLICY);
    query_asked asked;
    /* A name that is new is the value that it names, wherever it stands. */
    if (asked_well(&asked, "SELECT BUCKET(age, 40) AS part, SUM(age), COUNT(*) AS n "
                           "GROUP BY part ORDER BY part")) {
        CHECK_INT(asked.query->keys[0].value->extent.high, 3);
        CHECK_INT(asked.query->aggregates[0].value->extent.high, 120);
    }
    query_forget_asked(&asked);
    if (asked_well(&asked, "SELECT age AS age, COUNT(*) GROUP BY age"))
        CHECK_INT(asked.query->keys[0].value->extent.high, 120);
    query_forget_asked(&asked);
}

TEST(validate_A25_nothing_but_row_by_row)
{
    CLAIM("validate.allow-list");
    static const char *const refused[] = {
        "SELECT RANK() OVER (ORDER BY age)",
        "SELECT COUNT(*) WHERE ROW_NUMBER() < 10",
        "SELECT SUM(LAG(age))",
        "SELECT SUM(LEAD(age, 1))",
        "SELECT DENSE_RANK(), COUNT(*) GROUP BY DENSE_RANK()",
        "SELECT SUM((age - AVG(age)) / STDDEV(age))",
        "SELECT SUM(age - AVG(age))",
        "SELECT SUM(age) / SUM(SUM(age))",
        "SELECT NTILE(4), COUNT(*) GROUP BY NTILE(4)",
        "SELECT COUNT(*) WHERE random() < 0.5",
        "SELECT COUNT(*) WHERE now() > day",
        "SELECT COUNT(*) WHERE last_insert_rowid() = 1",
        "SELECT COUNT(*) WHERE age > (SELECT AVG(age) FROM adult)",
        "SELECT COUNT(*) WHERE age = MAX(age)",
        "SELECT dense_codes(city), COUNT(*) GROUP BY dense_codes(city)",
        "SELECT CAST(city AS int), COUNT(*) GROUP BY city"};
    CHECK_REFUSED(refused, SCRIM_E_POLICY, SCRIM_E_POLICY);
    static const char *const unknown[] = {
        "SELECT COUNT(*) WHERE rowid = 1", "SELECT COUNT(*) WHERE _rowid_ = 1",
        "SELECT COUNT(*) WHERE ctid = 1", "SELECT COUNT(*) WHERE current_user = 'x'"};
    CHECK_REFUSED(unknown, SCRIM_E_PARAM, SCRIM_E_PARAM);
}

TEST(validate_A36_one_table)
{
    CLAIM("validate.allow-list");
    static const char *const refused[] = {
        "SELECT COUNT(*) FROM adult, adult",
        "SELECT COUNT(*) FROM adult JOIN adult ON age = age",
        "SELECT COUNT(*) FROM adult LEFT JOIN city",
        "SELECT COUNT(*) FROM adult CROSS JOIN city",
        "SELECT COUNT(*) FROM (SELECT age FROM adult)",
        "SELECT COUNT(*) FROM adult UNION ALL SELECT COUNT(*) FROM adult",
        "WITH t AS (SELECT age) SELECT COUNT(*)",
        "SELECT COUNT(*) WHERE EXISTS (SELECT age)"};
    CHECK_REFUSED(refused, SCRIM_E_POLICY, SCRIM_E_POLICY);
}

TEST(validate_A63_names_and_texts_are_never_code)
{
    query_asked asked;
    if (asked_well(&asked,
                   "SELECT \"home town\", COUNT(*) AS \"n\"\"; DROP TABLE x; --\" "
                   "WHERE city = '''; DROP TABLE adult; --' GROUP BY \"home "
                   "town\"")) {
        check_name(asked.query, 1, "n\"; DROP TABLE x; --");
        CHECK(sc_text_is(asked.query->where->texts[0], "'; DROP TABLE adult; --"));
    }
    query_forget_asked(&asked);
    static const char *const refused[] = {
        "SELECT \"age\"\"; DROP TABLE adult; --\", COUNT(*) GROUP BY age",
        "SELECT COUNT(*) FROM \"adult\"\" --\"",
        "SELECT COUNT(*) WHERE \"age\" \"age\" = 1",
        "SELECT COUNT(*) WHERE city = 'a' 'b'", "SELECT COUNT(*) WHERE city = \"Paris\""};
    CHECK_REFUSED(refused, SCRIM_E_PARAM, SCRIM_E_SYNTAX);
}

TEST(validate_A65_no_function_of_anybody_else)
{
    CLAIM("typed.allow-list");
    static const char *const names[] = {"leak",
                                        "dblink",
                                        "pg_sleep",
                                        "pg_read_file",
                                        "lo_import",
                                        "nextval",
                                        "setval",
                                        "pg_advisory_lock",
                                        "currval",
                                        "txid_current",
                                        "query_to_xml",
                                        "load_extension",
                                        "readfile",
                                        "writefile",
                                        "edit",
                                        "fts3_tokenizer",
                                        "zeroblob",
                                        "randomblob",
                                        "sqlite_version",
                                        "changes",
                                        "total_changes",
                                        "version",
                                        "current_setting",
                                        "set_config",
                                        "inet_server_addr",
                                        "pg_notify",
                                        "xmlparse",
                                        "json_extract",
                                        "hex",
                                        "quote",
                                        "printf",
                                        "format",
                                        "instr",
                                        "unicode",
                                        "char",
                                        "likelihood",
                                        "raise",
                                        "database_to_xml",
                                        "pg_terminate_backend",
                                        "generate_series"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        static const char *const forms[] = {"SELECT COUNT(*) WHERE %s(sex)",
                                            "SELECT COUNT(*) WHERE %s(age) > 1",
                                            "SELECT SUM(%s(age))",
                                            "SELECT %s(sex), COUNT(*) GROUP BY %s(sex)",
                                            "SELECT %s(age)",
                                            "SELECT COUNT(*) AS n HAVING %s(n) > 1",
                                            "SELECT COUNT(*) AS n ORDER BY %s(n)"};
        for (size_t j = 0; j < sizeof forms / sizeof *forms; j++) {
            char text[256];
            const char *list[] = {text};
            size_t at = 0;
            for (const char *c = forms[j]; *c != '\0'; c++) {
                if (c[0] != '%') {
                    text[at++] = *c;
                    continue;
                }
                at += (size_t)sprintf(text + at, "%s", names[i]);
                c++;
            }
            text[at] = '\0';
            check_statuses(list, 1, SCRIM_E_POLICY, SCRIM_E_POLICY);
        }
    }
}

TEST(validate_A66_hostile_queries)
{
    CLAIM("validate.allow-list");
    CLAIM("released.only");
    static const char *const refused[] = {
        "SELECT COUNT(*) HAVING SUM(age) > 100",
        "SELECT COUNT(*) HAVING age > 100",
        "SELECT COUNT(*) HAVING MAX(age) > 100",
        "SELECT COUNT(*) HAVING COUNT(DISTINCT age) > 1",
        "SELECT sex, COUNT(*) GROUP BY sex HAVING AVG(income) > 3",
        "SELECT sex, COUNT(*) GROUP BY sex HAVING city = 'x'",
        "SELECT sex, COUNT(*) GROUP BY sex ORDER BY SUM(age)",
        "SELECT sex, COUNT(*) GROUP BY sex ORDER BY income",
        "SELECT sex, COUNT(*) GROUP BY sex ORDER BY CASE WHEN age > 3 THEN 1 ELSE 0 END",
        "SELECT sex, COUNT(*) GROUP BY sex ORDER BY random()",
        "SELECT CASE WHEN COUNT(*) > 3 THEN 1 ELSE 0 END",
        "SELECT CASE WHEN SUM(age) > 100 THEN SUM(income) ELSE 0 END",
        "SELECT SUM(age) * 0 + age",
        "SELECT SUM(CASE WHEN COUNT(*) > 1 THEN 1 ELSE 0 END)",
        "SELECT SUM(SUM(age))",
        "SELECT COUNT(COUNT(*))",
        "SELECT ABS(SUM(age) + age)",
        "SELECT ROUND(AVG(age) * age, 1)",
        "SELECT -COUNT(*) * age",
        "SELECT NOT COUNT(*) > 3",
        "SELECT COUNT(*) > 3",
        "SELECT COUNT(*) BETWEEN 1 AND 3",
        "SELECT COUNT(*) IN (1, 2, 3)",
        "SELECT SUM(age) OVER (PARTITION BY sex)",
        "SELECT SUM(age) OVER ()",
        "SELECT SUM(age) WITHIN GROUP (ORDER BY age)",
        "SELECT COUNT(*) WHERE age IN (SELECT age FROM adult)",
        "SELECT COUNT(*) WHERE (SELECT COUNT(*) FROM adult) > 3",
        "SELECT (SELECT COUNT(*) FROM adult)",
        "SELECT person_id, COUNT(*) GROUP BY person_id",
        "SELECT COUNT(*) WHERE person_id = 7",
        "SELECT COUNT(*) WHERE person_id IN (1, 2, 3)",
        "SELECT SUM(person_id)",
        "SELECT MEDIAN(person_id)",
        "SELECT person_id",
        "SELECT COUNT(DISTINCT person_id) GROUP BY person_id",
        "SELECT COUNT(DISTINCT city)",
        "SELECT SUM(DISTINCT age)",
        "SELECT *",
        "SELECT *, COUNT(*)",
        "SELECT age, sex, city",
        "SELECT DISTINCT city",
        "SELECT city, age, COUNT(*) GROUP BY city",
        "SELECT age LIMIT 1",
        "SELECT COUNT(*) LIMIT 1 OFFSET 3",
        "SELECT COUNT(*) GROUP BY ROLLUP (sex)",
        "SELECT COUNT(*) GROUP BY CUBE (sex)",
        "SELECT COUNT(*) WHERE sex LIKE city",
        "SELECT COUNT(*) WHERE sex REGEXP 'F'",
        "SELECT COUNT(*) WHERE age / income > 3",
        "SELECT COUNT(*) WHERE 1 / age > 3",
        "SELECT HISTOGRAM(age), MAX(age)",
        "SELECT MAX(MIN(age))",
        "SELECT ARRAY_AGG(age)",
        "SELECT STRING_AGG(city, ',')",
        "SELECT GROUP_CONCAT(city)",
        "SELECT COUNT(*); SELECT COUNT(*)",
        "SELECT COUNT(*) INTO x",
        "INSERT INTO adult SELECT COUNT(*)",
        "EXPLAIN SELECT COUNT(*)",
        "SELECT COUNT(*) EXCEPT SELECT COUNT(*)"};
    CHECK(sizeof refused / sizeof *refused >= 60);
    CHECK_REFUSED(refused, SCRIM_E_POLICY, SCRIM_E_POLICY);
}

/* before, then so many times open, middle, so many times close. */
static scrim_status nested(const char *open, const char *middle, const char *close,
                           size_t times)
{
    static char text[SC_QUERY_BYTES];
    query_asked asked;
    size_t at = (size_t)sprintf(text, "SELECT SUM(");
    for (size_t i = 0; i < times; i++)
        at += (size_t)sprintf(text + at, "%s", open);
    at += (size_t)sprintf(text + at, "%s", middle);
    for (size_t i = 0; i < times; i++)
        at += (size_t)sprintf(text + at, "%s", close);
    (void)sprintf(text + at, ") AS s");
    query_ask(&asked, text);
    const scrim_status status = asked.status;
    query_forget_asked(&asked);
    return status;
}

TEST(validate_A67_nothing_doubles_with_depth)
{
    CLAIM("typed.bounded");
    static const struct {
        const char *open, *middle, *close;
        size_t times;
        scrim_status status;
    } forms[] = {
        {"BUCKET(", "age", ", 1)", 97, SCRIM_OK},
        {"FLOOR(", "income", ")", 97, SCRIM_OK},
        {"ABS(CLAMP(age, ", "1", ", 99))", 45, SCRIM_E_PARAM}, /* low below high */
        {"CLAMP(", "age", ", 0, 99)", 97, SCRIM_OK},
        {"LEAST(age, ", "age", ")", 97, SCRIM_OK},
        /* what is compared twice is computed twice, and so on */
        {"CASE WHEN (", "age", ") BETWEEN 1 AND 4 THEN 5 ELSE 0 END", 8, SCRIM_OK},
        {"CASE WHEN (", "age", ") BETWEEN 1 AND 4 THEN 5 ELSE 0 END", 30, SCRIM_E_LIMIT},
        {"CASE (", "age", ") WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE 0 END", 8, SCRIM_OK},
        {"CASE (", "age", ") WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE 0 END", 30, SCRIM_E_LIMIT},
        {"CASE WHEN (", "age", ") IN (age, 1, 2) THEN 1 ELSE 0 END", 5, SCRIM_OK},
        {"CASE WHEN (", "age", ") IN (age, 1, 2) THEN 1 ELSE 0 END", 30, SCRIM_E_LIMIT},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const scrim_status got =
            nested(forms[i].open, forms[i].middle, forms[i].close, forms[i].times);
        if (!CHECK_STATUS(got, forms[i].status))
            CHECK_STR(forms[i].open, "");
    }
}
