/* Two who finish one charge: both take the rows that the key of the charge chooses, and draw the same noise. */
#include "check.h"
#include "query/answer/asking.h"
#include "query_scene.h"

#include <stdio.h>
#include <string.h>

#define UNITS 20
#define ROWS 8

static const char policy[] = "unit=person\ncolumn=age=int[0,120]\ncolumn=city=text\n"
                             "max-groups=2\nmax-rows=2\nbudget=epsilon=10,delta=0.1\n";
static const char *const queries[] = {"SELECT SUM(age) AS s",
                                      "SELECT city, SUM(age) AS s GROUP BY city"};

/* Of most rows of a unit nothing is taken, and each of them is another. */
static bool begin(query_scene *s)
{
    char text[UNITS * ROWS * 16 + 32];
    int length = snprintf(text, sizeof text, "person,age,city\n");
    for (int i = 0; i < UNITS * ROWS; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "p%d,%d,c%d\n",
                           i % UNITS, i % 113, i % 3);
    return query_scene_begin(s, policy, text);
}

TEST(who_joins_a_charge_finds_its_record)
{
    CLAIM("ask.once");
    query_scene s;
    if (!begin(&s))
        return;
    for (size_t i = 0; i < COUNT(queries); i++) {
        sc_asking asked[2];
        scrim_plan *plan = NULL;
        REQUIRE_OK(scrim_plan_new(
            s.vault, "people", &queries[i], 1,
            SCRIM_OPTIONS(scrim_query_options, .epsilon = "2", .delta = "0.01"), &plan,
            NULL, &s.error));
        const sc_asking_setting setting = {.vault = s.vault, .plan = plan};
        for (size_t k = 0; k < 2; k++) {
            CHECK_STATUS(sc_asking_begin(&asked[k], &setting, &s.error), SCRIM_OK);
            CHECK(sc_asking_needs_rows(&asked[k]));
            CHECK_INT(sc_asking_release(&asked[k]), i + 1);
        }
        for (size_t k = 0; k < 2; k++)
            CHECK_STATUS(
                sc_asking_end(&asked[k], sc_pass_run(asked[k].pass, &s.error), &s.error),
                SCRIM_OK);
        CHECK(sc_asking_is_own(&asked[0]) && !sc_asking_is_own(&asked[1]));
        if (CHECK(asked[0].record != NULL && asked[1].record != NULL))
            CHECK_STR(asked[1].record, asked[0].record);
        sc_asking_clear(&asked[0]);
        sc_asking_clear(&asked[1]);
        scrim_plan_free(plan);
    }
    query_scene_end(&s);
}
