#include "check.h"
#include "queries.h"
#include "query/language/aggregate.h"
#include "query/language/refusal.h"
#include "query/language/select_list.h"

#include <string.h>

/* How many aggregates a question measures, and how many outputs it has. */
static void check_measured(const char *text, size_t aggregates, size_t outputs)
{
    query_asked asked;
    query_ask(&asked, text);
    if (CHECK_STATUS(asked.status, SCRIM_OK)) {
        if (!CHECK_INT(asked.query->aggregate_count, aggregates) ||
            !CHECK_INT(asked.query->output_count, outputs))
            CHECK_STR(text, "");
    } else {
        CHECK_STR(asked.error.message, text);
    }
    query_forget_asked(&asked);
}

TEST(formula_read_takes_an_aggregate_once)
{
    CLAIM("formula-read.allow-list");
    check_measured("SELECT COUNT(*) + COUNT(*) AS v", 1, 1);
    check_measured("SELECT SUM(age) / COUNT(*) AS a, SUM(income) / COUNT(*) AS b", 3, 2);
    check_measured("SELECT COUNT(*) AS n, SUM(age) / count( * ) AS mean", 2, 2);
    check_measured("SELECT AVG(age) - AVG(age) FILTER (WHERE married) AS d", 2, 1);
    check_measured("SELECT MAX(age) - MIN(age) AS span, MAX(age) / 2 AS half", 2, 2);
    check_measured("SELECT SUM(age) WITH RANGE - SUM(age) AS d", 2, 1);
    check_measured("SELECT sex, -COUNT(*) AS v GROUP BY sex ORDER BY v", 1, 2);
    check_measured("SELECT sex, COUNT(*) / 2 GROUP BY sex HAVING COUNT(*) / 2 > 3", 1, 2);
    check_measured("SELECT QUANTILE(age, 0.9) - MEDIAN(age) AS v", 2, 1);
}

/* The steps of a formula, the kind of each as a letter. */
static void check_steps(const char *text, const char *want)
{
    static const char letters[] = "?na-+smdbfrcLGCN";
    char got[100];
    query_asked asked;
    query_ask(&asked, text);
    if (CHECK_STATUS(asked.status, SCRIM_OK) &&
        CHECK(asked.query->outputs[0].formula != NULL)) {
        const sc_formula *f = asked.query->outputs[0].formula;
        for (size_t i = 0; i <= f->count && i < sizeof got; i++)
            got[i] = (char)(i < f->count ? letters[f->steps[i].kind] : '\0');
        CHECK_STR(got, want);
        for (size_t i = 0; i < f->count; i++)
            for (size_t k = 0; k < f->steps[i].count; k++)
                CHECK(f->steps[i].parts[k] < i);
    }
    query_forget_asked(&asked);
}

TEST(formula_read_makes_steps_of_an_expression)
{
    check_steps("SELECT 100 * COUNT(*) / COUNT(age)", "namad");
    check_steps("SELECT ROUND(-AVG(age), 1) + 2 * 3", "a-rn+");
    check_steps("SELECT LEAST(COUNT(*), FLOOR(ABS(SUM(age))), 3)", "aabfnL");
    check_steps("SELECT CLAMP(SUM(age) - SUM(weight), 0, 1e3)", "aasnnc");
    check_steps("SELECT COALESCE(GREATEST(SUM(age), 1), NULLIF(COUNT(*), 2))", "anGanNC");
    /* NULLIF leaves its steps, and the quotient is by the count itself. */
    check_steps("SELECT SUM(age) / NULLIF(COUNT(*), 0)", "aanNd");
}

TEST(function_list_names_each_once_and_says_how)
{
    sc_function function, same;
    for (size_t i = 0; sc_function_at(i, &function); i++) {
        const sc_call_form *form = function.form;
        CHECK(sc_function_find(sc_text_of(form->name), &same) && same.form == form);
        CHECK(strncmp(form->form, form->name, strlen(form->name)) == 0);
        CHECK(form->least <= form->most);
        CHECK((function.kind == 0) == (function.aggregate != NULL));
        /* A function on the list is not refused by another list. */
        CHECK(sc_forbidden_function(sc_text_of(form->name)) == NULL);
        CHECK(sc_forbidden_word(sc_text_of(form->name)) == NULL);
    }
    CHECK(!sc_function_find(sc_text_of("sum"), &same));
    CHECK(!sc_function_find(sc_text_of("LEAK"), &same));
    CHECK_STR(sc_function_nearest(sc_text_of("QUANTIL")), "QUANTILE");
    CHECK(sc_function_nearest(sc_text_of("PG_SLEEP")) == NULL);
    /* A name that lacks an underscore alone is that name, though another is as near. */
    CHECK_STR(sc_function_nearest(sc_text_of("MAXK")), "MAX_K");
    CHECK_STR(sc_function_nearest(sc_text_of("VARPOP")), "VAR_POP");
    CHECK_STR(sc_function_nearest(sc_text_of("MAXX")), "MAX");
    CHECK_STR(sc_function_nearest(sc_text_of("MAX_")), "MAX");
}

TEST(function_list_tells_aggregates)
{
    static const char *const rows[] = {"ABS", "BUCKET", "CLAMP", "DAY", "YEAR"};
    static const char *const aggregates[] = {"AVG", "COUNT", "SUM", "VAR_SAMP", "MAX"};
    sc_function function;
    for (size_t i = 0; i < 5; i++) {
        CHECK(sc_function_find(sc_text_of(rows[i]), &function));
        CHECK(function.aggregate == NULL);
        CHECK(sc_function_find(sc_text_of(aggregates[i]), &function));
        CHECK(function.aggregate != NULL);
    }
}
