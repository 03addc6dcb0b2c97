#include "check.h"
#include "query/plan/plan_model.h"

TEST(plan_model_finds_the_part_of_a_statistic)
{
    const sc_drawn_part parts[] = {
        {.statistic = SC_STATISTIC_NONE}, {.statistic = 0}, {.statistic = 2}};
    const sc_planned_statement all = {.parts = parts, .part_count = COUNT(parts)},
                               numbers = {.parts = parts + 1, .part_count = 2};
    CHECK_INT(sc_plan_part_of(&all, SC_STATISTIC_NONE), 0);
    CHECK_INT(sc_plan_part_of(&all, 0), 1);
    CHECK_INT(sc_plan_part_of(&all, 2), 2);
    CHECK(sc_plan_part_of(&all, 1) == SC_STATISTIC_NONE);
    CHECK(sc_plan_part_of(&numbers, SC_STATISTIC_NONE) == SC_STATISTIC_NONE);
}

/* Each row is a unit, or a unit has one row in a group; and groups are those of units. */
TEST(plan_model_knows_where_rows_are_units)
{
    const sc_schema rows = {.max_rows = 5},
                    one = {.unit = sc_text_of("id"), .max_rows = 1},
                    many = {.unit = sc_text_of("id"), .max_rows = 2};
    CHECK(sc_plan_rows_are_units(&rows, SC_PLAN_DISCOVERED));
    CHECK(sc_plan_rows_are_units(&one, SC_PLAN_DISCOVERED));
    CHECK(!sc_plan_rows_are_units(&many, SC_PLAN_DISCOVERED));
    CHECK(!sc_plan_rows_are_units(&one, SC_PLAN_PUBLIC_KEYS));
    CHECK(!sc_plan_rows_are_units(&one, SC_PLAN_NO_KEYS));
}
