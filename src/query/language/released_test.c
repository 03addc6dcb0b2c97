#include "check.h"
#include "queries.h"

#include <stdio.h>
#include <string.h>

/* A row of the answer: sex text, n number, day date. */
typedef struct answer_row {
    const char *sex, *n, *day; /* n may be NULL: a missing number */
    bool married;
} answer_row;

static void set_number(sc_released_value *value, const char *text)
{
    sc_ratio_init(&value->number);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), &value->number, NULL), SCRIM_OK);
}

static void check_holds(const char *having, const answer_row *row, bool want)
{
    char text[400];
    query_asked asked;
    snprintf(
        text, sizeof text,
        "SELECT sex, COUNT(*) AS n, day, married GROUP BY sex, day, married HAVING %s",
        having);
    query_ask(&asked, text);
    if (CHECK_STATUS(asked.status, SCRIM_OK)) {
        sc_released_value values[4] = {{.text = sc_text_of(row->sex)}};
        sc_ratio_init(&values[0].number);
        set_number(&values[1], row->n == NULL ? "0" : row->n);
        values[1].is_empty = row->n == NULL;
        set_number(&values[2], row->day);
        set_number(&values[3], row->married ? "1" : "0");
        if (!CHECK_INT(sc_released_holds(asked.query->having, values), want))
            CHECK_STR(having, "");
        for (size_t i = 0; i < 4; i++)
            sc_ratio_clear(&values[i].number);
    } else {
        CHECK_STR(asked.error.message, having);
    }
    query_forget_asked(&asked);
}

TEST(released_conditions_are_exact)
{
    CLAIM("released.exact");
    /* 18262 is 2020-01-01 */
    const answer_row row = {"Female", "1/3", "18262", true};
    static const struct {
        const char *having;
        bool holds;
    } cases[] = {{"n > 0", true},
                 {"n > 0.333333333333333333", true},
                 {"n < 0.333333333333333333", false},
                 {"n * 3 = 1", true},
                 {"n * 3 <> 1", false},
                 {"COUNT(*) * 3 - 1 = 0", true},
                 {"-n = -1 / 3", true},
                 {"n / 2 + n / 2 = n", true},
                 {"n / n = 1", true},
                 {"1 / n = 3", true},
                 {"1 / (n - n) > 0", false},
                 {"NOT (1 / (n - n) > 0)", false},
                 {"1 / (n - n) IS NULL", true},
                 {"1 / (n * 3 - 1) > 0 OR n > 0", true},
                 {"n BETWEEN 1 AND 2", false},
                 {"n NOT BETWEEN 1 AND 2", true},
                 {"n BETWEEN 0 AND 1", true},
                 {"n BETWEEN 0 AND 0.3", false},
                 {"n BETWEEN 1/3 AND 1/3", true},
                 {"n IN (1, 2, 1 / 3)", true},
                 {"n IN (1, 2)", false},
                 {"n >= 1 OR sex = 'Female'", true},
                 {"n >= 1 AND sex = 'Female'", false},
                 {"NOT n >= 1", true},
                 {"sex IN ('Male', 'Female')", true},
                 {"sex <> 'Male'", true},
                 {"sex = 'Fem'", false},
                 {"day = '2020-01-01'", true},
                 {"day < DATE '2020-01-02'", true},
                 {"'2019-12-31' < day", true},
                 {"day IN ('2020-01-02', '2020-01-01')", true},
                 {"married", true},
                 {"NOT married", false},
                 {"married = TRUE", true},
                 {"n <= 1/3 AND n >= 1/3", true},
                 {"n < 1/3 OR n > 1/3", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_holds(cases[i].having, &row, cases[i].holds);
}

/* A condition on a value that is not there is unknown, and so is its contrary. */
TEST(released_empty_values_are_unknown)
{
    CLAIM("released.exact");
    const answer_row row = {"Female", NULL, "18262", true};
    static const struct {
        const char *having;
        bool holds;
    } cases[] = {{"n >= 0", false},
                 {"NOT n >= 0", false},
                 {"n = n", false},
                 {"n + 1 > 0", false},
                 {"n IN (0)", false},
                 {"n NOT BETWEEN 1 AND 2", false},
                 {"n >= 0 OR married", true},
                 {"n >= 0 AND married", false},
                 {"NOT (n >= 0 AND NOT married)", true},
                 {"NOT (n >= 0 OR NOT married)", false},
                 {"sex = 'Female'", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_holds(cases[i].having, &row, cases[i].holds);
}

TEST(released_texts_are_computed)
{
    CLAIM("released.exact");
    const answer_row row = {" F\xc3\xa4male", "7", "18262", true};
    static const struct {
        const char *having;
        bool holds;
    } cases[] = {{"sex LIKE ' F%'", true},
                 {"sex LIKE 'F%'", false},
                 {"sex NOT LIKE 'F%'", true},
                 {"TRIM(sex) LIKE 'F_male'", true},
                 {"LTRIM(sex) = 'F\xc3\xa4male'", true},
                 {"RTRIM(sex) = 'F\xc3\xa4male'", false},
                 {"LOWER(TRIM(sex)) = 'f\xc3\xa4male'", true},
                 {"UPPER(TRIM(sex)) IN ('X', 'F\xc3\x84MALE')", true},
                 {"LENGTH(sex) = n", true},
                 {"LENGTH(TRIM(sex)) + 1 = n", true},
                 {"SUBSTR(sex, 2, 1) = 'F'", true},
                 {"SUBSTR(sex, 2, 1) = SUBSTR('F', 1)", true},
                 {"SUBSTR(sex, 4) = 'male'", true},
                 {"sex || '!' LIKE '%!'", true},
                 {"'a' || TRIM(sex) || 'b' = 'aF\xc3\xa4maleb'", true},
                 {"LOWER(sex) || UPPER(sex) = ' f\xc3\xa4male F\xc3\x84MALE'", true},
                 {"sex LIKE '!_%' ESCAPE '!'", false},
                 {"LOWER(sex) <> sex AND n > 3", true},
                 {"LOWER(sex) IS DISTINCT FROM sex", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_holds(cases[i].having, &row, cases[i].holds);
}

static void check_refused(const char *having, const char *message)
{
    char text[400];
    query_asked asked;
    snprintf(text, sizeof text, "SELECT sex, COUNT(*) AS n GROUP BY sex HAVING %s",
             having);
    query_ask(&asked, text);
    CHECK(asked.status != SCRIM_OK);
    CHECK_STR(asked.error.message, message);
    query_forget_asked(&asked);
}

TEST(released_texts_have_text_in_them)
{
    check_refused("LOWER(n) = 'a'", "a number, but text is needed");
    check_refused("LOWER(sex)", "HAVING needs a condition, as in HAVING n > 100");
    check_refused("sex LIKE sex", "LIKE needs a constant pattern, as in x LIKE 'a%'");
    check_refused(
        "SUBSTR(sex, n) = 'a'",
        "no column n is declared; there are: age, income, weight, day, born, married, "
        "sex, city, \"home town\", big, small, seen; write text in single quotes");
    check_refused("SUBSTR(sex, 1, -1) = 'a'",
                  "the count of SUBSTR(x, from, count) must be at least 0");
    check_refused("LOWER(city) = 'a'", "HAVING applies to released values, and city is a "
                                       "column; write conditions on rows in WHERE");
}

TEST(released_values_have_an_order)
{
    sc_released_value a = {.text = sc_text_of("b")}, b = {.text = sc_text_of("\xc3\xa4")};
    set_number(&a, "1/3");
    set_number(&b, "0.333");
    CHECK(sc_released_compare(SC_TYPE_NUMBER, &a, &b) > 0);
    CHECK(sc_released_compare(SC_TYPE_NUMBER, &b, &a) < 0);
    CHECK(sc_released_compare(SC_TYPE_NUMBER, &a, &a) == 0);
    CHECK(sc_released_compare(SC_TYPE_TEXT, &a, &b) < 0);
    a.text = sc_text_of("ba");
    b.text = sc_text_of("b");
    CHECK(sc_released_compare(SC_TYPE_TEXT, &a, &b) > 0);
    CHECK(sc_released_compare(SC_TYPE_TEXT, &b, &b) == 0);
    sc_ratio_clear(&a.number);
    sc_ratio_clear(&b.number);
}

#define SELECTED "SELECT city, SUM(age) AS s, COUNT(*) AS n GROUP BY city HAVING "

static void check_taken(const char *query, uint64_t least, bool has_rest)
{
    query_asked asked;
    if (query_ask_well(&asked, query)) {
        CHECK_INT(asked.query->least.count, least);
        if (!CHECK((asked.query->having != NULL) == has_rest))
            CHECK_FAIL("%s", query);
    }
    query_forget_asked(&asked);
}

TEST(least_units_are_taken_out_of_having)
{
    CLAIM("least-units.taken");
    check_taken(SELECTED "COUNT(DISTINCT person_id) >= 20", 20, false);
    check_taken(SELECTED "COUNT(DISTINCT person_id) > 20", 21, false);
    check_taken(SELECTED "20 <= COUNT(DISTINCT person_id)", 20, false);
    check_taken(SELECTED "20 < count(distinct person_id)", 21, false);
    check_taken(SELECTED "s > 3 AND COUNT(DISTINCT person_id) >= 20", 20, true);
    check_taken(SELECTED "s > 3 AND COUNT(DISTINCT person_id) >= 20 AND n < 9 AND 30 <= "
                         "COUNT(DISTINCT person_id)",
                30, true);
    check_taken(SELECTED "n > 3", 0, true);
    check_taken(SELECTED "COUNT(*) > 3", 0, true);
    /* the count is in the answer: HAVING is about what is released */
    check_taken("SELECT city, COUNT(DISTINCT person_id) AS u GROUP BY city HAVING "
                "COUNT(DISTINCT person_id) >= 20",
                0, true);
}

TEST(least_units_are_refused_where_they_are_none)
{
    CLAIM("least-units.taken");
    static const char *const refused[] = {
        SELECTED "COUNT(DISTINCT person_id) <= 20",
        SELECTED "COUNT(DISTINCT person_id) = 20",
        SELECTED "COUNT(DISTINCT person_id) >= 20.5",
        SELECTED "COUNT(DISTINCT person_id) >= 20 OR n > 3",
        SELECTED "NOT COUNT(DISTINCT person_id) >= 20",
        SELECTED "COUNT(DISTINCT person_id) FILTER (WHERE married) >= 20",
        SELECTED "COUNT(age) >= 20",
        "SELECT SUM(age) AS s HAVING COUNT(DISTINCT person_id) >= 20",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        query_asked asked;
        query_ask(&asked, refused[i]);
        if (!CHECK_STATUS(asked.status, SCRIM_E_POLICY) ||
            !CHECK(strstr(asked.error.message, "needs a name from SELECT") != NULL))
            CHECK_FAIL("%s: %s", refused[i], asked.error.message);
        query_forget_asked(&asked);
    }
}
