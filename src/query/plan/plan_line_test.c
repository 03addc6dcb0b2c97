#include "check.h"
#include "query/plan/plan_line.h"

#include <stdio.h>

TEST(plan_line_is_cut_at_its_own_separators_alone)
{
    CLAIM("plan.question");
    char line[] = "query version=v1 epsilon=1/2 delta=0 max-total-rows=60 null=sql : "
                  "SELECT COUNT(*) FROM t WHERE a = ' ; ' AND b = \"' ; \" ; "
                  "SELECT COUNT(*) FROM t WHERE a = 'it''s : '";
    scrim_query_options options = {.size = sizeof options};
    const char *queries[SC_PLAN_STATEMENTS];
    if (!CHECK_INT(sc_plan_line_cut(line, &options, queries), 2))
        return;
    CHECK_STR(queries[0], "SELECT COUNT(*) FROM t WHERE a = ' ; ' AND b = \"' ; \"");
    CHECK_STR(queries[1], "SELECT COUNT(*) FROM t WHERE a = 'it''s : '");
    CHECK_STR(options.version, "v1");
    CHECK_STR(options.epsilon, "1/2");
    CHECK_STR(options.delta, "0");
    CHECK_STR(options.max_total_rows, "60");
    CHECK(options.max_groups == NULL && options.rho == NULL);
}

TEST(plan_line_of_something_else_has_no_query)
{
    CLAIM("plan.question");
    scrim_query_options options = {.size = sizeof options};
    const char *queries[SC_PLAN_STATEMENTS];
    char none[] = "synth rows=5 epsilon=1";
    CHECK_INT(sc_plan_line_cut(none, &options, queries), 0);
    /* One query more than a plan takes. */
    char many[16 + 4 * (SC_PLAN_STATEMENTS + 1)];
    size_t at = (size_t)snprintf(many, sizeof many, "query : q");
    for (size_t i = 0; i < SC_PLAN_STATEMENTS; i++)
        at += (size_t)snprintf(many + at, sizeof many - at, " ; q");
    CHECK_INT(sc_plan_line_cut(many, &options, queries), 0);
}
