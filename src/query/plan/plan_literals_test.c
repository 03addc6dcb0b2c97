#include "check.h"
#include "plans.h"

#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static void check_caution(const char *query, const char *want)
{
    plan_scene scene;
    scrim_plan_statement shown;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, query, OPTIONS(.epsilon = "1", .delta = "1e-6")) &&
        CHECK_STATUS(scrim_plan_statement_at(scene.plan, 0, &shown, NULL), SCRIM_OK) &&
        !CHECK_STR(shown.unlisted, want))
        CHECK_STR(query, "");
    plan_end(&scene);
}

/* sex is Female or Male, size -2, 9 or 10; city has no list. */
SLOW_TEST(plan_literals_on_no_list)
{
    CLAIM("plan-literals.public");
    static const char other[] =
        "'female' is not one of the listed keys of sex; check its spelling and case";
    static const char computed[] =
        "'Male' is not one of the texts that listed keys become "
        "here; check its spelling and case";
    check_caution("SELECT COUNT(*)", "");
    check_caution("SELECT COUNT(*) WHERE sex = 'Female' AND city = 'nowhere'", "");
    check_caution("SELECT COUNT(*) WHERE sex <> 'woman'",
                  "'woman' is not one of the listed keys of sex; check its spelling and "
                  "case");
    check_caution("SELECT COUNT(*) WHERE sex = 'female' OR age > 3", other);
    check_caution("SELECT COUNT(*) WHERE sex <> 'female'", other);
    check_caution("SELECT COUNT(*) WHERE sex NOT IN ('Male', 'female')", other);
    check_caution("SELECT COUNT(*) WHERE sex IN ('female', 'Male', 'other', 'x')",
                  "'female' is not one of the listed keys of sex; check its spelling and "
                  "case (and 2 more)");
    check_caution("SELECT COUNT(*) FILTER (WHERE sex = 'female') AS n", other);
    check_caution("SELECT SUM(CASE sex WHEN 'female' THEN age ELSE 0 END) AS n", other);
    check_caution("SELECT CASE WHEN sex = 'female' THEN 'a' ELSE 'b' END AS k, COUNT(*) "
                  "GROUP BY k",
                  other);
    check_caution("SELECT COUNT(*) WHERE LOWER(sex) = 'female'", "");
    check_caution("SELECT COUNT(*) WHERE LOWER(sex) = 'Male'", computed);
    check_caution("SELECT COUNT(*) WHERE sex || 'x' = 'Male'", computed);
    check_caution("SELECT COUNT(*) WHERE LOWER(city) = 'Male'", "");
    check_caution("SELECT COUNT(*) WHERE sex LIKE 'F%'", "");
    check_caution("SELECT COUNT(*) WHERE sex LIKE 'f%'",
                  "no listed key is LIKE 'f%'; check its spelling and case");
    check_caution("SELECT COUNT(*) WHERE city LIKE 'f%'", "");
    check_caution("SELECT COUNT(*) WHERE size = 9", "");
    check_caution("SELECT COUNT(*) WHERE size IN (9, 8)",
                  "8 is not one of the listed keys of size");
    check_caution("SELECT COUNT(*) WHERE size > 8", "");
}

static void check_refused(const char *query, const char *says)
{
    plan_scene scene;
    if (plan_begin(&scene, ""))
        plan_refused(&scene, query, OPTIONS(.epsilon = "1", .delta = "1e-6"),
                     SCRIM_E_PARAM, says);
    plan_end(&scene);
}

/* A slip that would leave no row is refused with the key that is nearest, by the list alone. */
TEST(plan_literals_that_are_misspelt)
{
    CLAIM("plan-literals.misspelt");
    static const char female[] = "'female' is not one of the listed keys of sex; did you "
                                 "mean 'Female'? For rows with another text write sex "
                                 "LIKE 'female'";
    check_refused("SELECT COUNT(*) WHERE sex = 'female'", female);
    check_refused("SELECT COUNT(*) WHERE age > 30 AND (sex = 'female' AND age < 50)",
                  female);
    check_refused("SELECT sex, COUNT(*) WHERE sex IN ('female', 'zebra') GROUP BY sex",
                  female);
    check_refused("SELECT COUNT(*) WHERE sex = 'Femle'",
                  "'Femle' is not one of the listed keys of sex; did you mean 'Female'? "
                  "For rows with another text write sex LIKE 'Femle'");
    check_refused("SELECT COUNT(*) WHERE sex = 'MALE'",
                  "'MALE' is not one of the listed keys of sex; did you mean 'Male'? For "
                  "rows with another text write sex LIKE 'MALE'");
    check_refused("SELECT COUNT(*) WHERE sex = 'Mal_'",
                  "'Mal_' is not one of the listed keys of sex; did you mean 'Male'?");
    check_refused("SELECT COUNT(*) WHERE sex = 'woman' AND age > 30",
                  "'woman' is not one of the listed keys of sex: 'Female', 'Male'. For "
                  "rows with another text write sex LIKE 'woman'");
}
