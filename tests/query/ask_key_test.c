/* The key of a release's randomness stays on no stack and in no memory that is given back once there is
 * an answer: who has it and the answer knows the truth. SQLite's own memory, where the key was kept for
 * who might join, is not looked at. */
#include "base/checked.h"
#include "check.h"
#include "query_scene.h"
#include "remains.h"

#include <stdio.h>

static const char policy[] = "unit=person\ncolumn=age=int[0,120]\ncolumn=sex=text\n"
                             "keys=sex=Female,Male\nmax-groups=1\nmax-rows=1\n"
                             "budget=epsilon=1000,delta=0.01\n";
static const char table[] = "person,age,sex\n1,20,Female\n2,30,Male\n3,40,Male\n";

typedef struct question {
    query_scene *scene;
    const char *query;
    scrim_status status;
    unsigned workers;
} question;

static void ask(void *context)
{
    question *q = context;
    const scrim_query_options options = {
        .size = sizeof options, .epsilon = "1", .workers = q->workers};
    scrim_result *result = NULL;
    q->status = query_scene_ask(q->scene, q->query, &options, &result);
    scrim_result_free(result);
}

/* The exact sum, as it is kept before noise is added: in no memory that is given back. */
TEST(ask_wipes_the_sums_that_it_adds_noise_to)
{
    CLAIM("release.wiped");
    static const sc_int128 sum = 3141592653589793;
    query_scene s;
    masked secret;
    masked_set(&secret, &sum);
    if (!query_scene_begin(&s,
                           "unit=person\ncolumn=v=int[0,4000000000000000]\n"
                           "max-groups=1\nmax-rows=1\nbudget=epsilon=1000\n",
                           "person,v\n1,3141592653589793\n"))
        return;
    question q = {&s, "SELECT SUM(v) AS s", SCRIM_E_INTERNAL, 0};
    freed_watch(&secret);
    ask(&q);
    CHECK_INT(freed_remains(), 0);
    CHECK_STATUS(q.status, SCRIM_OK);
    query_scene_end(&s);
}

/* How many people were cut: 741 lose a row each. All copies of the counts are wiped: of the only worker, of the question, and of
 * the draw. */
TEST(ask_wipes_the_people_who_were_cut)
{
    CLAIM("release.wiped");
    static const uint64_t people[2] = {1237, 741};
    static char text[60000];
    size_t used = (size_t)snprintf(text, sizeof text, "person\n");
    for (uint64_t i = 0; i < people[0] + people[1]; i++)
        for (int rows = i < people[0] ? 1 : 2; rows > 0; rows--)
            used += (size_t)snprintf(text + used, sizeof text - used, "p%d\n", (int)i);
    query_scene s;
    masked secret;
    masked_set(&secret, people);
    if (!query_scene_begin(&s, "unit=person\nmax-total-rows=1\nbudget=epsilon=1000\n",
                           text))
        return;
    question q = {&s, "SELECT COUNT(*) AS n", SCRIM_E_INTERNAL, 1};
    freed_watch(&secret);
    ask(&q);
    CHECK_INT(freed_remains(), 0);
    CHECK_INT(wiped_since(), 3);
    CHECK_STATUS(q.status, SCRIM_OK);
    query_scene_end(&s);
}

SLOW_TEST(A84_ask_wipes_the_key_of_a_release)
{
    CLAIM("release.wiped");
    static const char *const queries[] = {"SELECT COUNT(*) AS n",
                                          "SELECT sex, AVG(age) AS a GROUP BY sex"};
    query_scene s;
    if (!query_scene_begin(&s, policy, table))
        return;
    for (size_t i = 0; i < 2; i++) {
        question q = {&s, queries[i], SCRIM_E_INTERNAL, 0};
        keys_watch();
        remains_run(ask, &q);
        CHECK_INT(freed_remains(), 0);
        CHECK_STATUS(q.status, SCRIM_OK);
        CHECK(keys_drawn() > 0);
        for (size_t k = 0; k < keys_drawn(); k++)
            CHECK_INT(stack_remains(key_drawn_at(k)), 0);
    }
    query_scene_end(&s);
}

/* The sum is wiped and given back: at the end it is nowhere in memory. */
SLOW_TEST(ask_keeps_no_sum_that_it_adds_noise_to)
{
    CLAIM("release.wiped");
    static const sc_int128 sum = 3141592653589793;
    query_scene s;
    masked secret;
    masked_set(&secret, &sum);
    if (!query_scene_begin(&s,
                           "unit=person\ncolumn=v=int[0,4000000000000000]\n"
                           "max-groups=1\nmax-rows=1\nbudget=epsilon=1000\n",
                           "person,v\n1,3141592653589793\n"))
        return;
    const size_t before = masked_remains(&secret);
    question q = {&s, "SELECT SUM(v) AS s", SCRIM_E_INTERNAL, 0};
    ask(&q);
    CHECK_STATUS(q.status, SCRIM_OK);
    CHECK_INT(masked_remains(&secret), before);
    query_scene_end(&s);
}
