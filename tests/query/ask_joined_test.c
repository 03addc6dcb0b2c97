/* Two who finish one charge: both take the rows that the key of the charge chooses, and draw the same noise. */
#include "check.h"
#include "query/answer/ask.h"
#include "query_scene.h"

#include <stdio.h>
#include <string.h>

#define UNITS 20
#define ROWS 8

static const char policy[] = "unit=person\ncolumn=age=int[0,120]\ncolumn=city=text\n"
                             "max-groups=2\nmax-rows=2\nbudget=epsilon=10,delta=0.1\n";
static const char *const queries[] = {"SELECT SUM(age) AS s",
                                      "SELECT city, SUM(age) AS s GROUP BY city"};

/* Nothing is taken of most rows of a unit, and each of them is another. */
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
        for (size_t k = 0; k < 2; k++) {
            sc_charged *c = &asked[k].charged;
            sc_asking_init(&asked[k], s.vault, plan);
            CHECK_STATUS(sc_charged_begin(c, &s.error), SCRIM_OK);
            CHECK(sc_charged_needs_rows(c));
            CHECK_INT(sc_charged_release(c), i + 1);
        }
        for (size_t k = 0; k < 2; k++) {
            const scrim_status rows = sc_pass_run(asked[k].pass, &s.error);
            CHECK_STATUS(sc_charged_end(&asked[k].charged, rows, &s.error), SCRIM_OK);
        }
        const sc_charged *first = &asked[0].charged, *second = &asked[1].charged;
        CHECK(first->is_charged && !second->is_charged);
        CHECK_INT(sc_passage_standing(second->passage), SC_ONCE_ANSWERED);
        if (CHECK(first->record != NULL && second->record != NULL))
            CHECK_STR(second->record, first->record);
        for (size_t k = 0; k < 2; k++) {
            sc_charged_clear(&asked[k].charged);
            sc_asking_clear(&asked[k]);
        }
        scrim_plan_free(plan);
    }
    query_scene_end(&s);
}
