/* Refusals of validate, and their words: the golden list, and hostile questions by threat. */
#include "check.h"
#include "queries.h"

#include <stdio.h>
#include <string.h>

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
    if (query_ask_well(&asked, "SELECT BUCKET(age, 40) AS part, SUM(age), COUNT(*) AS n "
                               "GROUP BY part ORDER BY part")) {
        CHECK_INT(asked.query->keys[0].value->extent.high, 3);
        CHECK_INT(asked.query->aggregates[0].value->extent.high, 120);
    }
    query_forget_asked(&asked);
    if (query_ask_well(&asked, "SELECT age AS age, COUNT(*) GROUP BY age"))
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
        "SELECT CAST(city AS int), COUNT(*) GROUP BY city"};
    CHECK_REFUSED(refused, SCRIM_E_POLICY, SCRIM_E_POLICY);
    static const char *const unknown[] = {
        "SELECT dense_codes(city), COUNT(*) GROUP BY dense_codes(city)",
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
        "WITH t AS (SELECT age) SELECT COUNT(*) FROM t",
        "SELECT COUNT(*) WHERE EXISTS (SELECT age)"};
    CHECK_REFUSED(refused, SCRIM_E_POLICY, SCRIM_E_POLICY);
}

TEST(validate_A63_names_and_texts_are_never_code)
{
    query_asked asked;
    if (query_ask_well(&asked,
                       "SELECT \"home town\", COUNT(*) AS \"n\"\"; DROP TABLE x; --\" "
                       "WHERE city = '''; DROP TABLE adult; --' GROUP BY \"home "
                       "town\"")) {
        CHECK(sc_text_is(asked.query->columns[1].name, "n\"; DROP TABLE x; --"));
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
            check_statuses(list, 1, SCRIM_E_POLICY, SCRIM_E_PARAM);
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
        "SELECT COUNT(DISTINCT person_id || 'x')",
        "SELECT SUM(DISTINCT age)",
        "SELECT *",
        "SELECT *, COUNT(*)",
        "SELECT age, sex, city",
        "SELECT DISTINCT city",
        "SELECT sex, MEDIAN(age) GROUP BY ROLLUP (sex)",
        "SELECT sex, COUNT(DISTINCT age) GROUP BY CUBE (sex)",
        "SELECT city, age, COUNT(*) GROUP BY city",
        "SELECT age LIMIT 1",
        "SELECT COUNT(*) LIMIT 1 OFFSET 3",
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

/* Nested text: `times` times open, then middle, then `times` times close. */
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
