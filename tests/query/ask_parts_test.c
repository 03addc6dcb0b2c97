/* Questions with more discovered keys than memory holds (A73, A88): answered as if it held them
 * all. Where epsilon is very large there is no noise to speak of. */
#include "check.h"
#include "query/rows/pass.h"
#include "query/rows/pass_tape.h"
#include "query_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CITIES 700
#define PEOPLE_OF_ONE 40
#define TEXT_BYTES 400000

/* Many cities of many people, and some of a single one, whom nobody hears of. */
static char *write_people(void)
{
    char *text = malloc((size_t)3 * TEXT_BYTES);
    size_t used = 0, person = 0;
    if (text == NULL) {
        CHECK_FAIL("no memory for the text");
        return NULL;
    }
    used += (size_t)sprintf(text, "person,age,sex,city,income\n");
    for (int i = 0; i < PEOPLE_OF_ONE; i++)
        for (int city = 0; city < CITIES; city++) {
            if (city % 10 == 3 && i > 0)
                continue;
            used +=
                (size_t)sprintf(text + used, "%zu,%d,%s,%s%d,%d\n", person++, city % 100,
                                i % 2 == 0 ? "Female" : "Male",
                                city % 3 == 0 ? "a city of a long name " : "c", city, i);
        }
    return text;
}

static char *answer(query_scene *s, const char *query, size_t held_keys)
{
    scrim_result *result = NULL;
    char *text = malloc(TEXT_BYTES);
    if (text == NULL) {
        CHECK_FAIL("no memory for the text");
        return NULL;
    }
    text[0] = '\0';
    sc_pass_most_keys = held_keys;
    const scrim_status status = query_scene_ask(
        s, query,
        SCRIM_OPTIONS(scrim_query_options, .epsilon = "1000", .delta = "1e-6",
                      .memory_bytes = held_keys == 0 ? 0 : 1),
        &result);
    sc_pass_most_keys = 0;
    if (CHECK_STATUS(status, SCRIM_OK))
        (void)query_scene_values(result, 0, text, TEXT_BYTES);
    else
        CHECK_STR(s->error.message, query);
    scrim_result_free(result);
    return text;
}

/* The same question twice: once with room for all keys, once in parts. Names make them different
 * questions. */
static void check_same(query_scene *s, const char *first, const char *rest, size_t least)
{
    char query[300];
    size_t rows = 0;
    snprintf(query, sizeof query, "SELECT %s AS in_memory %s", first, rest);
    char *want = answer(s, query, 0);
    snprintf(query, sizeof query, "SELECT %s AS in_parts %s", first, rest);
    char *got = answer(s, query, 256);
    if (want != NULL && got != NULL) {
        for (const char *at = want; *at != '\0'; at++)
            rows += *at == ';';
        CHECK(rows >= least);
        if (!CHECK(strcmp(want, got) == 0))
            CHECK_STR("", query);
    }
    free(want);
    free(got);
}

SLOW_TEST(A73_answers_in_parts_are_those_in_memory)
{
    CLAIM("noisy-parts.all");
    char policy[1000];
    query_scene s;
    char *people = write_people();
    if (people == NULL)
        return;
    snprintf(policy, sizeof policy, "%sbudget=epsilon=100000,delta=0.5\n",
             query_scene_columns);
    if (query_scene_begin(&s, policy, people)) {
        check_same(&s, "city, COUNT(*)", "GROUP BY city", CITIES / 2);
        check_same(&s, "sex, city, COUNT(*)", "GROUP BY sex, city", CITIES);
        check_same(&s, "city, MEDIAN(age)", "GROUP BY city", CITIES / 2);
        check_same(&s, "city, COUNT(*)", "GROUP BY city ORDER BY city LIMIT 20", 20);
    }
    query_scene_end(&s);
    free(people);
}
