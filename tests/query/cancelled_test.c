/* A query that its caller ends: the charge stays, and asking again finishes it. */
#include "check.h"
#include "query_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...)                                                                     \
    (&(scrim_query_options){.size = sizeof(scrim_query_options), __VA_ARGS__})

static const char policy[] = "unit=person\ncolumn=age=int[0,120]\nmax-groups=1\n"
                             "max-rows=2\nbudget=epsilon=10\n";
static const char query[] = "SELECT COUNT(*) AS n, SUM(age) AS s";

static bool begin(query_scene *s, size_t rows)
{
    char *text = malloc(24 * rows + 64), *at = text;
    if (!CHECK(text != NULL))
        return false;
    at += sprintf(at, "person,age\n");
    for (size_t i = 0; i < rows; i++)
        at += sprintf(at, "p%zu,%zu\n", i, i % 100);
    const bool has_begun = query_scene_begin(s, policy, text);
    free(text);
    return has_begun;
}

/* Ends the query at the call of this number; 0: never. */
typedef struct patience {
    unsigned calls, last;
} patience;

static int is_over(void *context)
{
    patience *p = context;
    return ++p->calls == p->last;
}

SLOW_TEST(a_cancelled_query_keeps_its_charge)
{
    static const unsigned lasts[] = {1, 3};
    for (size_t i = 0; i < 2; i++) {
        query_scene s;
        scrim_result *result = NULL;
        patience ends = {.last = lasts[i]}, goes_on = {.last = 0};
        char left[3 * SCRIM_NUMBER_BYTES];
        if (!begin(&s, 60000))
            return;
        CHECK_STATUS(query_scene_ask(&s, query,
                                     OPTIONS(.epsilon = "1", .workers = 1,
                                             .is_cancelled = is_over, .context = &ends),
                                     &result),
                     SCRIM_E_STATE);
        CHECK(result == NULL);
        CHECK_INT(s.error.reason, SCRIM_REASON_CANCELLED);
        CHECK_STR(s.error.message,
                  "release 1 is charged and has no answer: the query was cancelled; ask "
                  "the same question again: it is finished at no further charge");
        CHECK_INT(ends.calls, lasts[i]);
        CHECK_STR(query_scene_left(&s, left), "9 0 1");
        CHECK_STATUS(
            query_scene_ask(&s, query,
                            OPTIONS(.epsilon = "1", .workers = 1, .is_cancelled = is_over,
                                    .context = &goes_on),
                            &result),
            SCRIM_OK);
        CHECK(goes_on.calls > 3);
        CHECK_STR(query_scene_left(&s, left), "9 0 1");
        scrim_result_free(result);
        query_scene_end(&s);
    }
}

/* Other workers notice that the first has stopped. */
TEST(a_cancelled_query_stops_all_workers)
{
    query_scene s;
    scrim_result *result = NULL;
    patience ends = {.last = 1};
    if (!begin(&s, 60000))
        return;
    const scrim_status status = query_scene_ask(
        &s, query,
        OPTIONS(.epsilon = "1", .workers = 4, .is_cancelled = is_over, .context = &ends),
        &result);
    /* The first worker may have found nothing left to read. */
    CHECK(ends.calls == 0 ? status == SCRIM_OK : status == SCRIM_E_STATE);
    scrim_result_free(result);
    query_scene_end(&s);
}
