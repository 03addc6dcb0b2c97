/* Answers whose sums are bounded by person, from end to end. At epsilon 1000 there is no noise to speak
 * of (ask_test.c). */
#include "check.h"
#include "coverage_bar.h"
#include "query_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define EXACT OPTIONS(.epsilon = "1000", .delta = "1e-6")
#define check_values(s, query, want) query_scene_check_values(s, query, EXACT, want)
#define POLICY                                                                           \
    "unit=person\ncolumn=x=int[-2,10]\ncolumn=y=int[10,12]\ncolumn=kind=text\n"          \
    "keys=kind=a,b\nbudget=epsilon=1000000,delta=0.5\n"

static bool begin(query_scene *s, const char *lines, const char *bytes)
{
    char policy[2000];
    snprintf(policy, sizeof policy, "%s%s", POLICY, lines);
    return query_scene_begin(s, policy, bytes);
}

/* p has 5 rows of 3 and two that are NULL, q 4 and -2, r -2 four times, s nothing but NULL. */
static const char rows[] = "person,x,y,kind\np,3,10,a\np,3,10,a\np,3,10,a\np,3,10,b\n"
                           "p,3,10,b\np,,11,a\np,no,11,b\nq,4,12,a\nq,-2,12,a\n"
                           "r,-2,10,b\nr,-2,10,b\nr,-2,10,b\nr,-2,10,b\ns,,12,a\n";

SLOW_TEST(totals_are_of_all_rows_of_a_person)
{
    query_scene s;
    if (begin(&s, "max-groups=2\nmax-rows=2\nmax-total=x=-5,7\n", rows)) {
        /* 7 of 15, 2, -5 of -8, 0 */
        check_values(&s, "SELECT SUM(x) AS t", "4;");
        /* a: 7 of 9, 2 and 0; b: 6 and -5 */
        check_values(&s, "SELECT kind, SUM(x) AS t GROUP BY kind", "a,9;b,1;NULL,0;");
        /* Before the clamp: 7 of p, 4 of q */
        check_values(&s, "SELECT SUM(x) FILTER (WHERE x > 0) AS t", "11;");
        check_values(&s, "SELECT SUM(CASE WHEN x > 0 THEN x ELSE 0 END) AS t", "11;");
        check_values(&s, "SELECT SUM(COALESCE(x, 0)) AS t", "4;");
        check_values(&s, "SELECT SUM(x) AS t WHERE x < 0", "-7;");
        /* COUNT keeps the bound of rows: 2 of 7, 2, 2, 1. */
        check_values(&s, "SELECT COUNT(*) AS n, SUM(x) AS t", "7,4;");
        /* So that a quotient of both is no mean of rows, and no range of values cuts it. */
        check_values(&s, "SELECT ROUND(SUM(x) / COUNT(*), 2) AS q", "0.57;");
        /* An expression has no declared bound, and is clamped to 2 rows of at most 20: 30 and 8. */
        check_values(&s, "SELECT SUM(x + x) AS t WHERE x > 0", "38;");
    }
    query_scene_end(&s);
}

/* X6: five rows of 10, totals of at most 20: an average is by rows. */
SLOW_TEST(totals_are_no_part_of_an_average)
{
    query_scene s;
    if (begin(&s, "max-groups=1\nmax-rows=5\nmax-total=y=20\n",
              "person,x,y,kind\np,1,10,a\np,1,10,a\np,1,10,a\np,1,10,a\np,1,10,a\n"
              "q,1,12,b\nq,1,12,b\nq,1,12,b\nq,1,12,b\nq,1,12,b\n")) {
        check_values(&s, "SELECT SUM(y) AS t, AVG(y) AS m, COUNT(*) AS n",
                     "40,11.00000000,10;");
        check_values(&s, "SELECT AVG(y) AS m, STDDEV_POP(y) AS d",
                     "11.00000000,1.000000;");
    }
    query_scene_end(&s);
}

static const char *what_of(query_scene *s, const char *query, char *text, size_t capacity)
{
    scrim_plan *plan = NULL;
    scrim_plan_part part;
    text[0] = '\0';
    if (CHECK_STATUS(
            scrim_plan_new(s->vault, "people", &query, 1, EXACT, &plan, NULL, &s->error),
            SCRIM_OK))
        for (size_t i = 0; scrim_plan_part_at(plan, 0, i, &part, &s->error) == SCRIM_OK;
             i++)
            snprintf(text + strlen(text), capacity - strlen(text), "%s: %s; ", part.what,
                     part.note);
    scrim_plan_free(plan);
    return text;
}

/* The last part of a plan whose bounds may leave rows out. */
#define CUT                                                                              \
    "people cut: how many people have rows left out, by how many; cut-share 0 saves "    \
    "it; "

/* The bound that needs less noise is taken, and the plan says which. */
TEST(totals_are_taken_where_they_need_less_noise)
{
    query_scene s;
    char text[1000];
    if (begin(&s, "max-groups=1\nmax-rows=3\nmax-total=x=30\nmissing=y=10\n", rows)) {
        /* Three rows of at most 10, and never farther from all of them. */
        CHECK_STR(what_of(&s, "SELECT SUM(x) AS t", text, sizeof text),
                  "totals of x: all rows of one person in a group, their total clamped "
                  "to -30 to 30: less noise than the bound of rows; " CUT);
        /* Beside a count a sum follows from it and one about the centre, 4: 3 times 6 and 4 are
         * less together than 30. */
        CHECK_STR(
            what_of(&s, "SELECT SUM(x) AS t, COUNT(x) AS n", text, sizeof text),
            "values of x: ; sum of x: by the bound of rows, which needs less noise than "
            "totals of one person clamped to -30 to 30; " CUT);
    }
    query_scene_end(&s);
    if (begin(&s, "max-groups=1\nmax-rows=3\nmax-total=x=31\n", rows))
        CHECK_STR(what_of(&s, "SELECT SUM(x) AS t", text, sizeof text),
                  "totals of x: all rows of one person in a group, their total clamped "
                  "to -6 to 30: as much noise as for 3 rows, and never farther from all "
                  "of them; " CUT);
    query_scene_end(&s);
    if (begin(&s, "max-groups=1\nmax-rows=3\nmax-total=x=21\n", rows))
        CHECK_STR(what_of(&s, "SELECT SUM(x) AS t, COUNT(x) AS n", text, sizeof text),
                  "totals of x: all rows of one person in a group, their total clamped "
                  "to -21 to 21: less noise than the bound of rows; values of x: ; " CUT);
    query_scene_end(&s);
}

/* Within one group a person who is replaced changes a sum by the width: three times 12 of rows. */
TEST(totals_of_a_person_who_is_replaced_are_compared_by_width)
{
    query_scene s;
    char text[1000];
    if (begin(&s, "neighbours=replace\nmax-groups=1\nmax-rows=3\nmax-total=x=18\n", rows))
        CHECK_STR(what_of(&s, "SELECT SUM(x) AS t", text, sizeof text),
                  "totals of x: all rows of one person in a group, their total clamped "
                  "to -18 to 18: less noise than the bound of rows; " CUT);
    query_scene_end(&s);
    if (begin(&s, "neighbours=replace\nmax-groups=1\nmax-rows=3\nmax-total=x=19\n",
              rows)) {
        CHECK_STR(what_of(&s, "SELECT SUM(x) AS t", text, sizeof text),
                  "totals of x: all rows of one person in a group, their total clamped "
                  "to -6 to 30: as much noise as for 3 rows, and never farther from all "
                  "of them; " CUT);
        /* Between groups it changes two of them by the farther end. */
        CHECK_STR(
            what_of(&s, "SELECT kind, SUM(x) AS t GROUP BY kind", text, sizeof text),
            "totals of x: all rows of one person in a group, their total clamped "
            "to -19 to 19: less noise than the bound of rows; " CUT);
    }
    query_scene_end(&s);
}

/* Replayed, an answer is what it was, its bound with it. */
TEST(totals_are_replayed)
{
    static const char *const query =
        "SELECT kind, SUM(x) AS t, AVG(x) AS m, COUNT(*) AS n GROUP BY kind";
    char first[2000], again[2000];
    query_scene s;
    scrim_result *result = NULL, *replayed = NULL;
    if (begin(&s, "max-groups=2\nmax-rows=4\nmax-total=x=9\n", rows) &&
        CHECK_STATUS(query_scene_ask(&s, query, OPTIONS(.epsilon = "1"), &result),
                     SCRIM_OK)) {
        scrim_result_facts facts;
        scrim_result_describe(result, &facts);
        if (CHECK_STATUS(
                scrim_query_replay(s.vault, facts.release, NULL, &replayed, &s.error),
                SCRIM_OK))
            CHECK_STR(query_scene_show(replayed, false, again, sizeof again),
                      query_scene_show(result, false, first, sizeof first));
    }
    scrim_result_free(replayed);
    scrim_result_free(result);
    query_scene_end(&s);
}

/* Intervals of sums of totals have the truth in them as often as they say. */
SLOW_TEST(totals_are_covered)
{
    static char text[40000];
    const uint64_t count = check_count_whole(40, 10000);
    uint64_t covered = 0, asked = 0;
    int truth = 0;
    query_scene s;
    size_t used = (size_t)snprintf(text, sizeof text, "person,x,y,kind\n");
    for (int i = 0; i < 300; i++) {
        int total = 0;
        for (int row = 0; row <= i % 7; row++) {
            const int x = (i * 13 + row * 29) % 13 - 2;
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%d,%d,10,a\n", i, x);
            total += x;
        }
        truth += total > 15 ? 15 : total < -3 ? -3 : total;
    }
    if (begin(&s, "max-groups=1\nmax-rows=3\nmax-total=x=-3,15\n", text))
        for (; asked < count; asked++) {
            char epsilon[32]; /* another question each time */
            scrim_result *result = NULL;
            snprintf(epsilon, sizeof epsilon, "0.5%010llu", (unsigned long long)asked);
            if (!CHECK_STATUS(query_scene_ask(&s, "SELECT SUM(x) AS t, COUNT(*) AS n",
                                              OPTIONS(.epsilon = epsilon), &result),
                              SCRIM_OK))
                break;
            const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, 0);
            covered += atof(cell->low) <= truth && truth <= atof(cell->high);
            scrim_result_free(result);
        }
    query_scene_end(&s);
    CHECK_INT(asked, count);
    CHECK(covers_enough(covered, count));
    if (check_is_long()) {
        printf("# totals: %.4f covered\n", (double)covered / (double)count);
        CHECK((double)covered <= 0.995 * (double)count);
    }
}

/* The grounds of the bounds are in the record and in the label; those that needed the data are listed there
 * as not protected. */
SLOW_TEST(bounds_chosen_with_sight_of_the_data_are_on_the_label)
{
    static const struct {
        const char *line, *from, *caution;
    } cases[] = {{"", NULL, NULL},
                 {"bounds-from=declared\n", "declared", NULL},
                 {"bounds-from=suggest\n", "suggest", NULL},
                 {"bounds-from=check\n", "check", "the owner looked at the data"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char lines[200];
        query_scene s;
        scrim_result *result = NULL;
        scrim_label *label = NULL;
        snprintf(lines, sizeof lines, "max-groups=1\nmax-rows=2\n%s", cases[i].line);
        if (begin(&s, lines, rows) &&
            CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n", EXACT, &result),
                         SCRIM_OK)) {
            scrim_result_facts facts;
            scrim_result_describe(result, &facts);
            if (CHECK_STATUS(scrim_label_new(s.vault, facts.release, &label, &s.error),
                             SCRIM_OK)) {
                const char *from = scrim_label_get(label, "protection.bounds-from");
                const char *fourth = scrim_label_get(label, "unprotected.4");
                CHECK_STR(from == NULL ? "-" : from,
                          cases[i].from == NULL ? "-" : cases[i].from);
                CHECK((fourth != NULL) == (cases[i].caution != NULL));
                if (fourth != NULL && cases[i].caution != NULL)
                    CHECK(strstr(fourth, cases[i].caution) != NULL);
                CHECK_STR(scrim_label_get(label, "kept.1"), scrim_result_kept(result, 0));
            }
        }
        scrim_label_free(label);
        scrim_result_free(result);
        query_scene_end(&s);
    }
}
