/* Public tables that a question brings with it. */
#include "check.h"
#include "plans.h"
#include "query/plan/brought.h"

#include <stdio.h>
#include <string.h>

#define QUESTION                                                                         \
    "SELECT kind, COUNT(*) FROM adult LEFT JOIN kinds USING (city) GROUP BY kind"

static char *lines_of(const char *name, const char *content)
{
    char *lines = NULL;
    scrim_public_table table = {
        .size = sizeof table, .name = name, .content = content, .bytes = strlen(content)};
    CHECK_STATUS(scrim_public_table_lines(&table, &lines, NULL), SCRIM_OK);
    return lines;
}

static bool ask_with(plan_scene *scene, const char *query, const char *with)
{
    return plan_ask(scene, query,
                    SCRIM_OPTIONS(scrim_query_options, .epsilon = "1", .with = with));
}

static void refuses(plan_scene *scene, const char *with, const char *message)
{
    plan_refused(scene, QUESTION,
                 SCRIM_OPTIONS(scrim_query_options, .epsilon = "1", .with = with),
                 SCRIM_E_PARAM, message);
}

TEST(brought_tables_are_part_of_the_question)
{
    CLAIM("brought.digest");
    plan_scene scene;
    scrim_plan *again = NULL;
    char *one = lines_of("kinds", "city,kind\nUlm,a\nBonn,b\n"),
         *other = lines_of("kinds", "city,kind\nUlm,a\nBonn,c\n");
    char first[4000], whole[4000];
    REQUIRE(plan_begin(&scene, ""));
    if (CHECK(ask_with(&scene, QUESTION, one))) {
        snprintf(first, sizeof first, "%s", scene.plan->line);
        CHECK(strstr(first, " with=sha256:") != NULL);
        CHECK(strstr(scene.plan->policy, "join-column=kinds=kind=text") != NULL);
        /* A charge that is finished in other words is planned with the tables of who asks. */
        if (CHECK_STATUS(
                sc_plan_of_line(scene.vault, scene.plan, sc_text_of(first), &again, NULL),
                SCRIM_OK) &&
            CHECK(again != NULL))
            CHECK_STR(again->line, first);
        scrim_plan_free(again);
    }
    if (CHECK(ask_with(&scene, QUESTION, other))) {
        CHECK(strcmp(scene.plan->line, first) != 0);
        CHECK_STATUS(
            sc_plan_of_line(scene.vault, scene.plan, sc_text_of(first), &again, NULL),
            SCRIM_OK);
        CHECK(again == NULL);
    }
    /* Tables that are not joined change nothing. */
    CHECK(ask_with(&scene, "SELECT COUNT(*)", one));
    snprintf(first, sizeof first, "%s", scene.plan->line);
    CHECK(ask_with(&scene, "SELECT COUNT(*)", NULL));
    CHECK_STR(scene.plan->line, first);
    char *second = lines_of("towns", "city,area\nUlm,5\n");
    snprintf(whole, sizeof whole, "%s%s", one, second);
    CHECK(ask_with(&scene,
                   "SELECT AVG(area) FROM adult JOIN towns USING (city) JOIN kinds ON "
                   "adult.city = kinds.city",
                   whole));
    const char *digests = strstr(scene.plan->line, " with=sha256:");
    CHECK(digests != NULL && strstr(digests, ",sha256:") != NULL);
    scrim_vault_text_free(second);
    scrim_vault_text_free(one);
    scrim_vault_text_free(other);
    plan_end(&scene);
}

/* With the bounds that it finds, too. */
TEST(brought_tables_are_there_where_bounds_are_found)
{
    CLAIM("brought.digest");
    plan_scene scene;
    char *lines = lines_of("kinds", "city,kind\nUlm,a\nBonn,b\n");
    REQUIRE(plan_begin(&scene, "max-groups=2\nmax-rows=3\n"));
    CHECK(plan_ask(&scene, QUESTION " HAVING COUNT(*) > 3",
                   SCRIM_OPTIONS(scrim_query_options, .epsilon = "1", .bounds = "auto",
                                 .with = lines)));
    scrim_vault_text_free(lines);
    plan_end(&scene);
}

TEST(brought_lines_declare_tables_and_nothing_else)
{
    CLAIM("brought.alone");
    static const char *const smuggled[] = {
        "max-total-rows=1000000\n", "keys=city=a,b\n", "join=kinds=city=city\n",
        "column=x=int[0,1]\n",      "unit=row\n",      "neighbours=replace\n"};
    plan_scene scene;
    char *lines = lines_of("kinds", "city,kind\nUlm,a\nBonn,b\n"), whole[2000];
    REQUIRE(plan_begin(&scene, "join=regions=city=city\njoin-column=regions=city=text\n"
                               "join-cells=regions=city=Ulm\n"));
    for (size_t i = 0; i < COUNT(smuggled); i++) {
        snprintf(whole, sizeof whole, "%s%s", lines, smuggled[i]);
        refuses(&scene, whole,
                "a question brings public tables alone: with=, join-column= and "
                "join-cells=");
        snprintf(whole, sizeof whole, "%s%s", smuggled[i], lines);
        refuses(&scene, whole,
                "a question brings public tables alone: with=, join-column= and "
                "join-cells=");
    }
    refuses(&scene, "=", "a question brings public tables as lines, with= first");
    refuses(&scene, "with=kinds\n",
            "a public table of a question begins with with=NAME=DIGEST");
    snprintf(whole, sizeof whole, "%s", lines);
    char *cell = strstr(whole, "Bonn");
    REQUIRE(cell != NULL);
    *cell = 'C';
    refuses(&scene, whole, "the public table kinds has another digest than its lines");
    snprintf(whole, sizeof whole, "%s%s", lines, lines);
    refuses(&scene, whole, "two public tables are called kinds; choose another name");
    scrim_vault_text_free(lines);
    /* The name of one that the owner has declared. */
    lines = lines_of("regions", "city,kind\nUlm,a\n");
    refuses(&scene, lines, "two public tables are called regions; choose another name");
    scrim_vault_text_free(lines);
    plan_end(&scene);
}
