#include "check.h"
#include "plans.h"
#include "query/plan/plan_keys.h"
#include "query/rows/key_tuple.h"

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
                parts[j].is_text = sc_typed_is_text(s->query->keys[j].value);
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

/* Keys of one column are together only as some value of it has them. */
TEST(plan_keys_of_one_column_that_are_possible)
{
    CLAIM("plan-keys.public");
    CLAIM("possible-keys.all");
    check_keys(
        "SELECT BUCKET(age, 50) AS b, BUCKET(age, 25) AS c, COUNT(*) GROUP BY b, c",
        SC_PLAN_PUBLIC_KEYS, "0|0 0|1 1|2 1|3 2|4");
    check_keys("SELECT SUBSTR(sex, 1, 1) AS s, married, sex, COUNT(*) GROUP BY s, "
               "married, sex",
               SC_PLAN_PUBLIC_KEYS, "F|0|Female F|1|Female M|0|Male M|1|Male");
    check_keys("SELECT sex, CASE WHEN sex = 'Male' THEN 'b' ELSE 'a' END AS c, COUNT(*) "
               "GROUP BY sex, c",
               SC_PLAN_PUBLIC_KEYS, "Female|0 Male|1");
    check_keys("SELECT size, size > 0 AS p, COUNT(*) GROUP BY size, p",
               SC_PLAN_PUBLIC_KEYS, "-2|0 9|1 10|1");
    check_keys("SELECT BUCKET(age, 50) AS b, age > size AS c, COUNT(*) GROUP BY b, c",
               SC_PLAN_PUBLIC_KEYS, "0|0 0|1 1|0 1|1 2|0 2|1");
}

/* Truncated dates are only those days that begin something. */
TEST(plan_keys_of_parts_of_dates)
{
    CLAIM("plan-keys.public");
    check_keys("SELECT DATE_TRUNC('quarter', day) AS q, COUNT(*) GROUP BY q",
               SC_PLAN_PUBLIC_KEYS, "18262 18353 18444 18536");
    check_keys("SELECT WEEKDAY(day) AS w, COUNT(*) GROUP BY w", SC_PLAN_PUBLIC_KEYS,
               "1 2 3 4 5 6 7");
    check_keys("SELECT QUARTER(day) AS q, married, COUNT(*) GROUP BY q, married",
               SC_PLAN_PUBLIC_KEYS, "1|0 1|1 2|0 2|1 3|0 3|1 4|0 4|1");
    check_keys("SELECT DATE_TRUNC('year', DATE_TRUNC('week', day)) AS y, COUNT(*) GROUP "
               "BY y",
               SC_PLAN_PUBLIC_KEYS, "17897 18262");
    check_keys("SELECT DATE_TRUNC('year', born) AS y, city, COUNT(*) GROUP BY y, city",
               SC_PLAN_DISCOVERED, "");
}

/* The image of a list is public, each text once; so are literals. */
SLOW_TEST(plan_keys_of_computed_texts)
{
    CLAIM("plan-keys.public");
    CLAIM("text-image.all");
    static const struct {
        const char *key, *want;
    } cases[] = {
        {"LOWER(sex)", "female male"},
        {"UPPER(SUBSTR(sex, 2))", "ALE EMALE"},
        {"SUBSTR(sex, 3, 1)", "l m"},
        {"SUBSTR(TRIM(sex), 99)", ""},
        {"sex || '!'", "Female! Male!"},
        {"'<' || sex || '>' || sex",
         "<Female>Female <Female>Male <Male>Female <Male>Male"},
        {"CASE WHEN married THEN LOWER(sex) ELSE 'male' END", "female male"},
        {"CASE WHEN age > 3 THEN sex END", "Female Male \xff"},
        {"COALESCE(NULLIF(sex, 'Male'), 'other')", "Female Male other"},
        {"LOWER(CASE WHEN married THEN 'A' ELSE 'B' END)", "a b"},
        {"CASE WHEN married THEN CASE WHEN age > 3 THEN 'x' ELSE 'y' END ELSE 'x' END",
         "x y"},
        {"CASE WHEN city LIKE 'a%' THEN 'yes' ELSE 'no' END", "0 1"},
    };
    static const char *const found[] = {"LOWER(city)", "sex || city",
                                        "COALESCE(city, 'none')", "SUBSTR(city, 1, 1)",
                                        "CASE WHEN married THEN sex ELSE city END"};
    char query[300];
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(query, sizeof query, "SELECT %s AS k, COUNT(*) GROUP BY k",
                 cases[i].key);
        check_keys(query, SC_PLAN_PUBLIC_KEYS, cases[i].want);
    }
    for (size_t i = 0; i < COUNT(found); i++) {
        snprintf(query, sizeof query, "SELECT %s AS k, COUNT(*) GROUP BY k", found[i]);
        check_keys(query, SC_PLAN_DISCOVERED, "");
    }
}

SLOW_TEST(plan_keys_that_are_discovered)
{
    CLAIM("plan-keys.public");
    check_keys("SELECT city, COUNT(*) GROUP BY city", SC_PLAN_DISCOVERED, "");
    /* More than 10^4 values, and combinations of ranges beyond 2^16. */
    check_keys("SELECT born, COUNT(*) GROUP BY born", SC_PLAN_DISCOVERED, "");
    check_keys("SELECT age, day, sex, COUNT(*) GROUP BY age, day, sex",
               SC_PLAN_DISCOVERED, "");
    check_keys("SELECT age, city, COUNT(*) GROUP BY age, city", SC_PLAN_DISCOVERED, "");
    /* Only lists of decimals are public. */
    check_keys("SELECT weight, COUNT(*) GROUP BY weight", SC_PLAN_DISCOVERED, "");
    check_keys("SELECT sex, city, COUNT(*) GROUP BY sex, city", SC_PLAN_DISCOVERED, "");
    /* 2^16 combinations are shown, more are not. */
    check_keys("SELECT age + 1 AS a, bucket(income, 10) AS b, COUNT(*) GROUP BY a, b",
               SC_PLAN_DISCOVERED, "");
    check_keys("SELECT -big AS b, COUNT(*) GROUP BY b", SC_PLAN_DISCOVERED, "");
}

/* All values of a declared range are keys, with no delta; 10^4 of them, and no more. */
TEST(plan_keys_of_a_declared_range)
{
    CLAIM("plan-keys.public");
    static const struct {
        const char *query;
        uint64_t count;
        bool uses_ranges;
    } cases[] = {
        {"SELECT age, COUNT(*) GROUP BY age", 121, true},
        {"SELECT day, COUNT(*) GROUP BY day", 366, true},
        {"SELECT married, age, COUNT(*) GROUP BY married, age", 242, true},
        {"SELECT kept, COUNT(*) GROUP BY kept", 10000, true},
        {"SELECT opened, COUNT(*) GROUP BY opened", 3 + 1, true}, /* and NULL */
        {"SELECT opened, COUNT(*) WHERE opened > 0 GROUP BY opened", 3, true},
        {"SELECT size, COUNT(*) GROUP BY size", 3, false}, /* a list */
        {"SELECT BUCKET(age, 1) AS b, COUNT(*) GROUP BY b", 121, false},
    };
    plan_scene scene;
    if (plan_begin(&scene, "column=kept=int[1,10000]\nmissing=kept=1\n"
                           "column=lost=int[1,10001]\nmissing=lost=1\n"
                           "column=opened=int[-1,1]\n"))
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (!plan_ask(&scene, cases[i].query, OPTIONS(.epsilon = "1"))) {
                CHECK_FAIL("%s: %s", cases[i].query, scene.error.message);
                continue;
            }
            const sc_planned_statement *s = &scene.plan->statements[0];
            CHECK_INT(s->keys_kind, SC_PLAN_PUBLIC_KEYS);
            CHECK_INT(s->key_count, cases[i].count);
            CHECK_INT(s->null_count, s->key_count == 4);
            CHECK_INT(s->uses_ranges, cases[i].uses_ranges);
            /* The same words had another meaning before. */
            CHECK((strstr(scene.plan->question, " keys=range") != NULL) ==
                  cases[i].uses_ranges);
        }
    plan_refused(&scene, "SELECT lost, COUNT(*) GROUP BY lost", OPTIONS(.epsilon = "1"),
                 SCRIM_E_PARAM,
                 "GROUP BY lost has no public keys; showing its values needs a delta, "
                 "e.g. 1e-7 (or the owner lists the keys)");
    plan_end(&scene);
}

/* A series from before ranges were public keys goes on as it began. */
TEST(plan_keys_of_an_earlier_series_are_discovered)
{
    const char *query = "SELECT age, COUNT(*) GROUP BY age";
    plan_scene scene;
    if (plan_begin(&scene, ""))
        for (int earlier = 0; earlier < 2; earlier++) {
            const sc_plan_series series = {
                .name = sc_text_of("s"), .release = 1, .discovers_ranges = earlier};
            const sc_plan_request request = {.vault = scene.vault,
                                             .dataset = "adult",
                                             .queries = &query,
                                             .count = 1,
                                             .options =
                                                 OPTIONS(.epsilon = "1", .delta = "1e-6"),
                                             .series = &series};
            scrim_plan *plan = NULL;
            if (!CHECK_STATUS(sc_plan_new(&request, &plan, NULL, NULL), SCRIM_OK))
                continue;
            CHECK_INT(plan->statements[0].keys_kind,
                      earlier ? SC_PLAN_DISCOVERED : SC_PLAN_PUBLIC_KEYS);
            CHECK((strstr(plan->question, " keys=range") == NULL) == earlier);
            scrim_plan_free(plan);
        }
    plan_end(&scene);
}

/* A delta that nothing needs is not spent. */
TEST(plan_keys_of_a_range_spend_no_delta)
{
    plan_scene scene;
    scrim_plan_facts facts;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT age, COUNT(*), AVG(income) GROUP BY age",
                 OPTIONS(.epsilon = "1", .delta = "1e-6"))) {
        CHECK_STATUS(scrim_plan_describe(scene.vault, scene.plan, &facts, NULL),
                     SCRIM_OK);
        CHECK_STR(facts.cost.delta, "0");
        CHECK_STR(facts.amount_delta, "0");
    }
    plan_end(&scene);
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

TEST(known_keys_have_two_names)
{
    CHECK_STR(sc_known_keys_name(true), "continue");
    CHECK_STR(sc_known_keys_name(false), "rethreshold");
    for (int i = 0; i < 2; i++) {
        bool is_continued = i == 0;
        CHECK(sc_known_keys_parse(sc_text_of(sc_known_keys_name(i == 1)), &is_continued));
        CHECK_INT(is_continued, i);
    }
}

TEST(known_keys_are_no_other_word)
{
    static const char *const words[] = {"", "continue ", "Continue", "rethresh",
                                        "forget"};
    for (size_t i = 0; i < COUNT(words); i++)
        for (int was = 0; was < 2; was++) {
            bool is_continued = was == 1;
            CHECK(!sc_known_keys_parse(sc_text_of(words[i]), &is_continued));
            CHECK_INT(is_continued, was);
        }
}
