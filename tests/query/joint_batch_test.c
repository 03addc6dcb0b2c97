/* A batch of questions is declared in advance: it is charged by what its parts cost jointly, which
 * is said before and after, kept, recomputed, and the same whatever the data are. */
#include "check.h"
#include "query_scene.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define BUDGET "budget=epsilon=3,delta=1e-5\n"
#define STATEMENTS 40
/* The joint epsilon of forty randomised responses of 1/40 at 10^-6: 0.62709609..., from the sum over
 * binomial outcomes, at 60 digits, by another program. Counts are as bad as that. */
#define JOINT "0.627097"

static const char people[] = "person,age,sex,city,income\n"
                             "a,10,Female,Ulm,1\n"
                             "b,20,Male,Ulm,2.5\n";

/* Counts that the planner gives the same shares. */
typedef struct batch {
    char text[STATEMENTS][64];
    const char *queries[STATEMENTS];
} batch;

static void batch_make(batch *b)
{
    for (int i = 0; i < STATEMENTS; i++) {
        snprintf(b->text[i], sizeof b->text[i], "SELECT COUNT(*) AS n WHERE age > %d", i);
        b->queries[i] = b->text[i];
    }
}

static bool begin(query_scene *s, const char *lines, const char *bytes)
{
    char policy[2000];
    snprintf(policy, sizeof policy, "%s%s", query_scene_columns, lines);
    return query_scene_begin(s, policy, bytes);
}

#define LAPLACE(d) OPTIONS(.epsilon = "1", .delta = (d), .mechanism = "laplace")

/* The charge that the plan foretells. */
static void explain(query_scene *s, const batch *b, const scrim_query_options *options,
                    scrim_plan_facts *facts)
{
    scrim_plan *plan = NULL;
    *facts = (scrim_plan_facts){.version = 0};
    if (CHECK_STATUS(scrim_plan_new(s->vault, "people", b->queries, STATEMENTS, options,
                                    &plan, NULL, &s->error),
                     SCRIM_OK))
        CHECK_STATUS(scrim_plan_describe(s->vault, plan, facts, &s->error), SCRIM_OK);
    scrim_plan_free(plan);
}

SLOW_TEST(batch_is_charged_jointly)
{
    CLAIM("plan.budget");
    CLAIM("bundle.joint");
    query_scene s;
    batch b;
    scrim_result *result = NULL;
    scrim_result_facts facts;
    scrim_plan_facts plan;
    scrim_vault_release release;
    scrim_vault_state state;
    char left[3 * SCRIM_NUMBER_BYTES];
    batch_make(&b);
    REQUIRE(begin(&s, BUDGET, people));
    explain(&s, &b, LAPLACE("1e-6"), &plan);
    CHECK(plan.is_joint);
    CHECK_STR(plan.cost.epsilon, "1");
    CHECK_STR(plan.amount, JOINT);
    CHECK_STR(plan.amount_delta, "0.000001");
    REQUIRE_OK(query_scene_ask_all(&s, b.queries, STATEMENTS, LAPLACE("1e-6"), &result));
    scrim_result_describe(result, &facts);
    REQUIRE_OK(scrim_vault_replay(s.vault, facts.release, &release, NULL));
    CHECK_STR(release.amount, JOINT);
    CHECK_STR(release.delta, "0.000001");
    CHECK(release.is_joint);
    scrim_vault_release_clear(&release);
    CHECK_STR(plan.after, "2.372903");
    CHECK_STR(query_scene_left(&s, left), "2.372903 0.000009 1");
    CHECK_STATUS(scrim_vault_verify(s.vault, &state, &s.error), SCRIM_OK);
    /* The same question is free, and without a delta there is nothing to be joint at. */
    explain(&s, &b, LAPLACE("1e-6"), &plan);
    CHECK_INT(plan.repeats, facts.release);
    explain(&s, &b, OPTIONS(.epsilon = "1"), &plan);
    CHECK(!plan.is_joint);
    CHECK_STR(plan.amount, "1");
    CHECK_STR(plan.amount_delta, "0");
    scrim_result_free(result);
    query_scene_end(&s);
}

/* Where amounts are rhos, or there is no such delta, prices add up. */
TEST(batch_is_charged_its_sum_in_other_accounts)
{
    CLAIM("filter.joint");
    static const char *const accounts[] = {
        "budget=epsilon=3\n", "budget=epsilon=3,delta=1e-5\naccounting=concentrated\n",
        "budget=epsilon=3,delta=1e-5\naccounting=renyi=8\n"};
    for (size_t i = 0; i < COUNT(accounts); i++) {
        query_scene s;
        batch b;
        scrim_plan_facts plan;
        batch_make(&b);
        REQUIRE(begin(&s, accounts[i], people));
        explain(&s, &b, LAPLACE("1e-6"), &plan);
        CHECK(!plan.is_joint);
        if (i == 0)
            CHECK_STR(plan.amount, "1");
        query_scene_end(&s);
    }
}

/* Requests leave what they leave, whatever rows there are. */
SLOW_TEST(A47_joint_charges_are_a_function_of_requests)
{
    CLAIM("ask.requests");
    static const char *const tables[] = {"person,age,sex,city,income\n", people,
                                         "person,age,sex,city,income\na,1e400,\xff,,\n"};
    char first[3 * SCRIM_NUMBER_BYTES], left[3 * SCRIM_NUMBER_BYTES];
    batch b;
    batch_make(&b);
    for (size_t i = 0; i < COUNT(tables); i++) {
        query_scene s;
        scrim_result *result = NULL;
        REQUIRE(begin(&s, BUDGET, tables[i]));
        CHECK_STATUS(
            query_scene_ask_all(&s, b.queries, STATEMENTS, LAPLACE("1e-6"), &result),
            SCRIM_OK);
        query_scene_left(&s, i == 0 ? first : left);
        if (i > 0)
            CHECK_STR(left, first);
        scrim_result_free(result);
        query_scene_end(&s);
    }
}
