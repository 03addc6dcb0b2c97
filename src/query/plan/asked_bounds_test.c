#include "check.h"
#include "plans.h"
#include "query/plan/asked_bounds.h"

#include <stdio.h>
#include <string.h>

static const char policy[] = "unit=id\nmax-groups=20\nmax-rows=3\nbounds-from=check\n"
                             "column=pay=int[0,9]\nmax-total=pay=8\n";

static void check_applied(const sc_asked_bounds *asked, const char *want)
{
    const sc_schema *schema = NULL;
    const char *out = NULL;
    scrim_error error;
    sc_arena arena;
    sc_arena_init(&arena);
    if (CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error),
                     SCRIM_OK) &&
        CHECK_STATUS(sc_asked_bounds_apply(asked, policy, schema, &arena, &out, &error),
                     SCRIM_OK))
        CHECK_STR(out, want);
    sc_schema_free(schema);
    sc_arena_clear(&arena);
}

TEST(asked_bounds_stand_in_the_policy)
{
    CLAIM("asked-bounds.used");
    /* A total says all: the owner's sight of the data no longer matters. */
    check_applied(&(sc_asked_bounds){.bounds = {0, 0, 60}},
                  "unit=id\ncolumn=pay=int[0,9]\nmax-total=pay=8\nmax-total-rows=60\n");
    check_applied(&(sc_asked_bounds){.bounds = {0, 5, 0}},
                  "unit=id\nbounds-from=check\ncolumn=pay=int[0,9]\nmax-total=pay=8\n"
                  "max-groups=20\nmax-rows=5\n");
    check_applied(&(sc_asked_bounds){.totals = "pay=5\n"},
                  "unit=id\nmax-groups=20\nmax-rows=3\nbounds-from=check\n"
                  "column=pay=int[0,9]\nmax-total=pay=5\n");
}

TEST(asked_bounds_are_refused_where_they_have_no_meaning)
{
    CLAIM("asked-bounds.used");
    static const struct {
        const char *policy;
        scrim_status status;
    } cases[] = {{"unit=row\ncolumn=pay=int[0,9]\n", SCRIM_E_PARAM},
                 {"unit=id\nmax-total-rows=9\nfixed-bounds=yes\n", SCRIM_E_POLICY}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sc_asked_bounds asked = {.bounds = {0, 0, 7}};
        const sc_schema *schema = NULL;
        const char *out = NULL;
        scrim_error error;
        sc_arena arena;
        sc_arena_init(&arena);
        CHECK_STATUS(sc_schema_parse(sc_text_of(cases[i].policy), NULL, &schema, &error),
                     SCRIM_OK);
        CHECK_STATUS(
            sc_asked_bounds_apply(&asked, cases[i].policy, schema, &arena, &out, &error),
            cases[i].status);
        sc_schema_free(schema);
        sc_arena_clear(&arena);
    }
    static const char *const bad[] = {"0", "-1", "1.5", "", "NULL", "1000000001"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        sc_asked_bounds asked;
        scrim_error error;
        CHECK_STATUS(sc_asked_bounds_read(
                         SCRIM_OPTIONS(scrim_query_options, .max_total_rows = bad[i]),
                         &asked, &error),
                     SCRIM_E_PARAM);
    }
}

static scrim_status take(const char *text, char *out, size_t bytes,
                         sc_asked_clause *clause, sc_arena *arena)
{
    scrim_error error = {.message = ""};
    sc_refusal refusal = {.error = &error};
    snprintf(out, bytes, "%s", text);
    return sc_asked_clause_take(out, strlen(out), arena, clause, &refusal);
}

TEST(asked_bounds_of_a_text_are_read_and_taken_out)
{
    CLAIM("asked-bounds.used");
    char text[200];
    sc_asked_clause clause;
    sc_arena arena;
    sc_arena_init(&arena);
    CHECK_STATUS(
        take("select WITH differential_privacy Options (epsilon = 0.5, delta=1e-9,"
             " max_rows_contributed = 20, max_groups_contributed=3) COUNT(*) AS n",
             text, sizeof text, &clause, &arena),
        SCRIM_OK);
    CHECK(clause.is_there && sc_text_is(clause.epsilon, "0.5") &&
          sc_text_is(clause.delta, "1e-9"));
    CHECK_INT(clause.bounds.total, 20);
    CHECK_INT(clause.bounds.groups, 3);
    CHECK_INT(strspn(text + 6, " "), strlen(text) - 6 - strlen("COUNT(*) AS n"));
    CHECK(strstr(text, "COUNT(*) AS n") != NULL);
    CHECK_STATUS(take("SELECT COUNT(*) AS n", text, sizeof text, &clause, &arena),
                 SCRIM_OK);
    CHECK(!clause.is_there);
    CHECK_STR(text, "SELECT COUNT(*) AS n");
    static const char *const bad[] = {"(max_rows_contributed = 0)",
                                      "(max_rows_contributed = NULL)",
                                      "(max_rows_contributed = -3)",
                                      "(max_groups_contributed = 1.5)",
                                      "(epsilon = 1, epsilon = 1)",
                                      "(epsilon = 'x')",
                                      "(privacy_unit = 3)",
                                      "(epsilon 1)",
                                      "(epsilon = 1",
                                      "epsilon = 1",
                                      "(,)"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char whole[200];
        snprintf(whole, sizeof whole,
                 "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS %s COUNT(*) AS n", bad[i]);
        CHECK(take(whole, text, sizeof text, &clause, &arena) != SCRIM_OK);
    }
    sc_arena_clear(&arena);
}

/* In the text or beside it, the same question; with other bounds, another one. */
TEST(asked_bounds_are_part_of_the_question)
{
    CLAIM("asked-bounds.used");
    CLAIM("plan.question");
    plan_scene s;
    char question[400] = "";
    if (plan_begin(&s, "max-groups=2\nmax-rows=3\n")) {
        if (CHECK(plan_ask(&s, "SELECT sex, COUNT(*) AS n GROUP BY sex",
                           SCRIM_OPTIONS(scrim_query_options, .epsilon = "0.5",
                                         .max_total_rows = "20")))) {
            const sc_planned_statement *p = &s.plan->statements[0];
            snprintf(question, sizeof question, "%s", s.plan->question);
            CHECK(strstr(question, " max-total-rows=20") != NULL);
            CHECK_INT(p->said.groups, 0);
            CHECK_INT(p->bounds.total, 20);
            CHECK_INT(p->bounds.rows, 20);
            CHECK(strstr(scrim_measurement_text(p->parts[0].measurement),
                         "sensitivity=20 ") != NULL);
        }
        if (CHECK(plan_ask(&s,
                           "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5, "
                           "max_rows_contributed = 20) sex, COUNT(*) AS n GROUP BY sex",
                           SCRIM_OPTIONS(scrim_query_options, .mechanism = NULL))))
            CHECK_STR(s.plan->question, question);
        if (CHECK(plan_ask(&s, "SELECT sex, COUNT(*) AS n GROUP BY sex",
                           SCRIM_OPTIONS(scrim_query_options, .epsilon = "0.5"))))
            CHECK(strcmp(s.plan->question, question) != 0);
        /* All 20 rows may be in one group, whose draw has all of the charge. */
        if (CHECK(plan_ask(&s, "SELECT sex, MEDIAN(age) AS m GROUP BY sex",
                           SCRIM_OPTIONS(scrim_query_options, .epsilon = "1",
                                         .max_total_rows = "20"))))
            for (size_t i = 0; i < s.plan->statements[0].part_count; i++)
                if (s.plan->statements[0].parts[i].is_apart) {
                    CHECK_INT(s.plan->statements[0].parts[i].copies, 1);
                    CHECK(strstr(scrim_measurement_text(
                                     s.plan->statements[0].parts[i].measurement),
                                 "max-rows=20 ") != NULL);
                }
        plan_refused(&s, "SELECT city, COUNT(*) AS n GROUP BY city",
                     SCRIM_OPTIONS(scrim_query_options, .epsilon = "1", .delta = "1e-6",
                                   .max_total_rows = "20"),
                     SCRIM_E_PARAM,
                     "max-groups: selecting private keys is charged by group; give the "
                     "most groups of "
                     "one unit");
        plan_refused(
            &s, "SELECT city, COUNT(*) AS n GROUP BY city",
            SCRIM_OPTIONS(scrim_query_options, .epsilon = "1", .max_total_rows = "20"),
            SCRIM_E_PARAM,
            "selecting private keys is charged by group and needs a delta; give "
            "the most groups of one unit and a delta, e.g. 1e-7");
        static const char *const elsewhere[] = {
            "SELECT COUNT(*) AS n OPTIONS (epsilon = 1)",
            "SELECT OPTIONS (epsilon = 1) COUNT(*) AS n",
            "SELECT COUNT(*) AS n WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1)",
            "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1) COUNT(*) OPTIONS ()"};
        for (size_t i = 0; i < COUNT(elsewhere); i++)
            plan_refused(&s, elsewhere[i],
                         SCRIM_OPTIONS(scrim_query_options, .delta = NULL),
                         SCRIM_E_SYNTAX,
                         "cost and bounds stand once, behind the first SELECT: SELECT "
                         "WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5, delta = "
                         "1e-9) ...");
        plan_refused(
            &s, "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1) COUNT(*) AS n",
            SCRIM_OPTIONS(scrim_query_options, .epsilon = "1"), SCRIM_E_PARAM,
            "epsilon stands in the text of the query and beside it; give it "
            "once");
    }
    plan_end(&s);
}
