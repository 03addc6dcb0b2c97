/* A question with a misspelt key that an earlier version has charged is answered from the ledger. */
#include "check.h"
#include "query/plan/plan.h"
#include "query_scene.h"

#include <stdio.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static const char question[] = "SELECT COUNT(*) AS n WHERE sex = 'female'";

/* As it was planned when spelling was not looked at. */
static void ask_as_before(query_scene *s, char *text, size_t capacity)
{
    const char *const queries[] = {question};
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    const sc_plan_request request = {.vault = s->vault,
                                     .dataset = "people",
                                     .queries = queries,
                                     .count = 1,
                                     .options = OPTIONS(.epsilon = "1")};
    if (CHECK_STATUS(sc_plan_new(&request, &plan, NULL, &s->error), SCRIM_OK) &&
        CHECK_STATUS(scrim_query_run(s->vault, plan, &result, &s->error), SCRIM_OK))
        (void)query_scene_values(result, 0, text, capacity);
    scrim_result_free(result);
    scrim_plan_free(plan);
}

TEST(misspelt_questions_that_were_charged_are_answered)
{
    CLAIM("plan-literals.misspelt");
    query_scene s;
    char policy[1000], first[200] = "", again[200] = "", left[3 * SCRIM_NUMBER_BYTES],
                       then[3 * SCRIM_NUMBER_BYTES];
    snprintf(policy, sizeof policy, "%smax-groups=1\nmax-rows=1\nbudget=epsilon=3\n",
             query_scene_columns);
    if (query_scene_begin(
            &s, policy,
            "person,age,sex,city,income\na,30,Female,x,1\nb,40,female,y,2\n")) {
        scrim_result *result = NULL;
        CHECK_STATUS(query_scene_ask(&s, question, OPTIONS(.epsilon = "1"), &result),
                     SCRIM_E_PARAM);
        CHECK(result == NULL);
        ask_as_before(&s, first, sizeof first);
        query_scene_left(&s, left);
        CHECK_STATUS(query_scene_ask(&s, question, OPTIONS(.epsilon = "1"), &result),
                     SCRIM_OK);
        if (result != NULL)
            CHECK_STR(query_scene_values(result, 0, again, sizeof again), first);
        scrim_result_free(result);
        CHECK_STR(query_scene_left(&s, then), left);
        CHECK_STATUS(query_scene_ask(&s, question, OPTIONS(.epsilon = "2"), &result),
                     SCRIM_E_PARAM);
    }
    query_scene_end(&s);
}
