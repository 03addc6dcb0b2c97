#include "check.h"
#include "plans.h"
#include "query/pass/key_tuple.h"
#include "query/plan/plan_keys.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

/* The keys of a query as "a|b c|d", texts and numbers. */
static void check_keys(const char *query, sc_plan_keys kind, const char *want)
{
    plan_scene scene;
    char got[2000] = "";
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, query, OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        const sc_planned_statement *s = &scene.plan->statements[0];
        size_t at = 0;
        CHECK_INT(s->keys_kind, kind);
        for (size_t i = 0; i < s->key_count && at < sizeof got - 100; i++) {
            sc_key_part parts[SC_QUERY_KEYS];
            for (size_t j = 0; j < s->query->key_count; j++)
                parts[j].is_text = sc_typed_is_text_column(s->query->keys[j].value);
            CHECK(sc_key_tuple_read(s->keys[i], parts, s->query->key_count));
            CHECK(i == 0 || sc_text_compare(s->keys[i - 1], s->keys[i]) < 0);
            for (size_t j = 0; j < s->query->key_count; j++) {
                const char *before = j > 0 ? "|" : i > 0 ? " " : "";
                at +=
                    (size_t)(parts[j].is_text
                                 ? snprintf(got + at, sizeof got - at, "%s%.*s", before,
                                            (int)parts[j].text.bytes, parts[j].text.start)
                                 : snprintf(got + at, sizeof got - at, "%s%lld", before,
                                            (long long)parts[j].value));
            }
        }
        CHECK_STR(got, want);
    }
    plan_end(&scene);
}

TEST(plan_keys_that_are_public)
{
    CLAIM("plan-keys.public");
    check_keys("SELECT COUNT(*)", SC_PLAN_NO_KEYS, "");
    check_keys("SELECT sex, COUNT(*) GROUP BY sex", SC_PLAN_PUBLIC_KEYS, "Female Male");
    check_keys("SELECT married, COUNT(*) GROUP BY married", SC_PLAN_PUBLIC_KEYS, "0 1");
    /* Numbers by size, though the owner's list is sorted as text. */
    check_keys("SELECT size, sex, COUNT(*) GROUP BY size, sex", SC_PLAN_PUBLIC_KEYS,
               "-2|Female -2|Male 9|Female 9|Male 10|Female 10|Male");
    check_keys("SELECT bucket(age, 50) AS b, married, COUNT(*) GROUP BY b, married",
               SC_PLAN_PUBLIC_KEYS, "0|0 0|1 1|0 1|1 2|0 2|1");
    check_keys("SELECT CASE WHEN age < 18 THEN 'young' WHEN age < 65 THEN 'adult' ELSE "
               "'old' END AS c, COUNT(*) GROUP BY c",
               SC_PLAN_PUBLIC_KEYS, "0 1 2");
}

TEST(plan_keys_that_are_discovered)
{
    CLAIM("plan-keys.public");
    check_keys("SELECT city, COUNT(*) GROUP BY city", SC_PLAN_DISCOVERED, "");
    check_keys("SELECT age, COUNT(*) GROUP BY age", SC_PLAN_DISCOVERED, "");
    check_keys("SELECT day, COUNT(*) GROUP BY day", SC_PLAN_DISCOVERED, "");
    check_keys("SELECT sex, city, COUNT(*) GROUP BY sex, city", SC_PLAN_DISCOVERED, "");
    /* 2^16 combinations are shown, more are not. */
    check_keys("SELECT age + 1 AS a, bucket(income, 10) AS b, COUNT(*) GROUP BY a, b",
               SC_PLAN_DISCOVERED, "");
    check_keys("SELECT -big AS b, COUNT(*) GROUP BY b", SC_PLAN_DISCOVERED, "");
}

TEST(plan_keys_at_the_limit)
{
    CLAIM("plan-keys.public");
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        if (plan_ask(&scene,
                     "SELECT bucket(clamp(big, 0, 65535), 1) AS b, COUNT(*) GROUP BY b",
                     OPTIONS(.epsilon = "1")))
            CHECK_INT(scene.plan->statements[0].key_count, 65536);
        if (plan_ask(&scene,
                     "SELECT bucket(clamp(big, 0, 65536), 1) AS b, COUNT(*) GROUP BY b",
                     OPTIONS(.epsilon = "1", .delta = "1e-6")))
            CHECK_INT(scene.plan->statements[0].keys_kind, SC_PLAN_DISCOVERED);
    }
    plan_end(&scene);
}
