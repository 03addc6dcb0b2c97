/* Counts on conditions that exclude each other, drawn together: which plans take them, what one person moves, and answers from
 * end to end. */
#include "check.h"
#include "coverage_bar.h"
#include "query/plan/measured.h"
#include "query/plan/plan.h"
#include "query_scene.h"
#include "recorder.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define ROW "unit=row\n"
#define WHO "unit=who\nmax-total-rows=3\n"
#define REPLACE "neighbours=replace\n"
#define COLUMNS                                                                          \
    "column=x=int[0,120]\ncolumn=z=int[0,9]\nmissing=z=0\n"                              \
    "column=kind=text\nkeys=kind=a,b\ncolumn=city=text\n"                                \
    "budget=epsilon=1000000,delta=0.5\n"
/* COUNT(*) on a condition. */
#define IF(condition) "COUNT(*) FILTER (WHERE " condition ")"

static scrim_plan *plan_of(const char *lines, const char *query,
                           const scrim_query_options *options)
{
    char policy[1000];
    scrim_plan *plan = NULL;
    scrim_error error;
    snprintf(policy, sizeof policy, "%s%s", lines, COLUMNS);
    const sc_plan_request request = {
        .dataset = policy, .queries = &query, .count = 1, .options = options};
    if (!CHECK_STATUS(sc_plan_new(&request, &plan, NULL, &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", query, error.message);
    return plan;
}

static size_t together(const scrim_plan *plan)
{
    size_t count = 0;
    for (uint64_t all = plan == NULL ? 0 : plan->statements[0].disjoint; all > 0;
         all &= all - 1)
        count++;
    return count;
}

static double error_of(const scrim_plan *plan, size_t output)
{
    scrim_plan_output out;
    return plan != NULL && CHECK_STATUS(scrim_plan_output_at(plan, 0, output, &out, NULL),
                                        SCRIM_OK)
               ? strtod(out.error, NULL)
               : 0;
}

SLOW_TEST(counts_are_drawn_together_where_no_row_is_in_two)
{
    CLAIM("cells-choice.apart");
    static const struct {
        const char *lines, *query;
        size_t together;
    } cases[] = {
        {WHO, "SELECT " IF("z > 3") " AS a, " IF("NOT z > 3") " AS b", 2},
        {WHO, "SELECT " IF("x > 3") " AS a, " IF("NOT x > 3") " AS b", 2},
        {WHO, "SELECT " IF("x > 3") " AS a, " IF("x IS NULL") " AS b", 2},
        {WHO, "SELECT " IF("z > 3") " AS a, " IF("z < 4") " AS b", 2},
        {WHO, "SELECT " IF("z > 3") " AS a, " IF("z < 5") " AS b", 0},
        {WHO, "SELECT " IF("z > 3") " AS a, " IF("z < 5") " AS b WHERE z <> 4", 2},
        {WHO, "SELECT " IF("x > z") " AS a, " IF("x <= z") " AS b", 2},
        {WHO, "SELECT " IF("x > z") " AS a, " IF("x <= z + 1") " AS b", 0},
        {WHO,
         "SELECT " IF("kind = 'a'") " AS a, " IF("kind = 'b'") " AS b, " IF(
             "kind IS NULL") " AS c",
         3},
        /* The same function has other values. */
        {WHO,
         "SELECT " IF("x * z = 1") " AS a, " IF("x * z IN (0, 2)") " AS b, " IF(
             "x * z = 3 AND z > 2 OR x * z = 5") " AS c",
         3},
        {WHO, "SELECT " IF("LOWER(city) = 'u'") " AS a, " IF("LOWER(city) = 'v'") " AS b",
         2},
        {WHO, "SELECT " IF("x * z = 1") " AS a, " IF("x * z IN (0, 1)") " AS b", 0},
        {WHO, "SELECT " IF("x * z = 1") " AS a, " IF("x * z = 3 OR z > 2") " AS b", 0},
        {WHO, "SELECT " IF("x * z = 1") " AS a, " IF("z * x = 2") " AS b", 0},
        {WHO, "SELECT " IF("LOWER(city) = 'u'") " AS a, " IF("UPPER(city) = 'V'") " AS b",
         0},
        /* One that overlaps with all others stands by itself, wherever it comes in the order of texts. */
        {WHO,
         "SELECT " IF("kind = 'a'") " AS a, " IF("z > 3") " AS o, " IF(
             "kind = 'b'") " AS b",
         2},
        {WHO,
         "SELECT AVG(x) FILTER (WHERE z > 3) AS a, COUNT(x) FILTER (WHERE z < 2) AS b",
         2},
        {WHO, "SELECT city, " IF("z > 3") " AS a, " IF("z < 2") " AS b GROUP BY city", 2},
        /* The same rows twice are one count. */
        {WHO, "SELECT " IF("z > 3") " AS a, AVG(z) FILTER (WHERE z > 3) AS b", 0},
        {WHO, "SELECT COUNT(*) AS n, " IF("z > 3") " AS a", 0},
        {WHO,
         "SELECT " IF("z > 3") " AS a, COUNT(*) FILTER (WHERE z < 2) WITH RANGE AS b", 0},
        /* People may be in both. */
        {WHO,
         "SELECT COUNT(DISTINCT who) FILTER (WHERE z > 3) AS a, COUNT(DISTINCT who) "
         "FILTER (WHERE z < 2) AS b",
         0},
        /* Replaced within the only group, a person moves two counts as far as each by itself with half of epsilon. */
        {WHO REPLACE, "SELECT " IF("z > 3") " AS a, " IF("z < 2") " AS b", 0},
        {WHO REPLACE,
         "SELECT " IF("z > 3") " AS a, " IF("z < 2") " AS b, " IF("z = 2") " AS c", 3},
        {WHO REPLACE,
         "SELECT kind, " IF("z > 3") " AS a, " IF("z < 2") " AS b GROUP BY kind", 2},
        {ROW, "SELECT " IF("z > 3") " AS a, " IF("z < 2") " AS b", 2},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const bool has_keys = strstr(cases[i].query, "city") != NULL ||
                              strstr(cases[i].query, "RANGE") != NULL;
        scrim_plan *plan =
            plan_of(cases[i].lines, cases[i].query,
                    has_keys ? OPTIONS(.epsilon = "1", .delta = "1e-6", .max_groups = "1")
                             : OPTIONS(.epsilon = "1"));
        if (!CHECK_INT(together(plan), cases[i].together))
            CHECK_FAIL("%s", cases[i].query);
        CHECK_INT(plan != NULL && strstr(plan->line, " counts=disjoint") != NULL,
                  cases[i].together > 0);
        scrim_plan_free(plan);
    }
}

/* Each has the error that it has alone: of a row with COUNT(*) half of epsilon each, in place of a third. */
TEST(counts_that_are_drawn_together_share_no_epsilon)
{
    static const char alone[] = "SELECT " IF("z > 3") " AS a",
                      both[] = "SELECT " IF("z > 3") " AS a, " IF("z < 2") " AS b",
                      all[] = "SELECT " IF("z > 3") " AS a, " IF(
                          "z < 2") " AS b, COUNT(*) AS n";
    static const char *const noises[] = {"laplace", "gaussian"};
    for (size_t i = 0; i < COUNT(noises); i++) {
        const scrim_query_options *options =
            OPTIONS(.epsilon = "0.1", .delta = "1e-6", .mechanism = noises[i],
                    .cut_share = "0");
        scrim_plan *one = plan_of(WHO, alone, options),
                   *two = plan_of(WHO, both, options),
                   *three = plan_of(WHO, all, options);
        CHECK(error_of(one, 0) > 0 && error_of(two, 0) == error_of(two, 1));
        /* Gaussian noise of one number alone has its own curve. */
        CHECK(error_of(two, 0) <= error_of(one, 0) * (i == 0 ? 1 : 1.2));
        CHECK(error_of(three, 2) <= error_of(one, 0) * (i == 0 ? 2.02 : 1.7));
        scrim_plan_free(three);
        scrim_plan_free(two);
        scrim_plan_free(one);
    }
}

/* Columns in another order, and other guesses, leave the measurement what it is. */
SLOW_TEST(counts_without_common_rows_are_the_same_whatever_the_order)
{
    CLAIM("cells-choice.one");
    static const char *const queries[] = {
        "SELECT " IF("z > 3") " AS a, " IF("z < 2") " AS b, " IF("z < 4") " AS c",
        "SELECT " IF("z < 4") " AS c, " IF("z > 3") " AS a, " IF("z < 2") " AS b",
        "SELECT " IF("z < 2") " AS b, " IF("z < 4") " AS c, " IF("z > 3") " AS a"};
    sc_arena arena;
    sc_text first = {NULL, 0};
    sc_arena_init(&arena);
    for (size_t i = 0; i < COUNT(queries); i++) {
        scrim_plan *plan = plan_of(
            WHO, queries[i], OPTIONS(.epsilon = "1", .expect = i == 0 ? "10" : NULL));
        const sc_planned_statement *own = plan == NULL ? NULL : plan->statements;
        sc_measured measured;
        CHECK_INT(together(plan), 2);
        if (own != NULL &&
            CHECK(sc_measured_of(own->query, &own->statistics, &arena, &measured))) {
            if (first.bytes == 0)
                first = measured.whole;
            CHECK(sc_text_equal(measured.whole, first));
        }
        scrim_plan_free(plan);
    }
    CHECK(first.bytes > 0);
    sc_arena_clear(&arena);
}

/* Answers. */

static const char rows[] = "who,x,z,kind,city\np,1,3,a,u\nq,,5,a,u\nr,9,1,b,u\n"
                           "s,no,2,b,u\nt,20,4,,u\nu,,0,b,u\n";

static bool begin(query_scene *s, const char *lines, const char *bytes)
{
    char policy[1000];
    snprintf(policy, sizeof policy, "%s%s", lines, COLUMNS);
    return query_scene_begin(s, policy, bytes);
}

/* At epsilon 1000 noise moves a count less than once in 10^15 runs. */
SLOW_TEST(counts_drawn_together_are_those_of_their_rows)
{
    static const struct {
        const char *query, *want;
    } cases[] = {
        {"SELECT " IF("z > 2") " AS a, " IF("z < 2") " AS b, " IF("z = 2") " AS c",
         "3,2,1;"},
        {"SELECT " IF("x > 5") " AS a, " IF("NOT x > 5") " AS b, COUNT(*) AS n",
         "2,1,6;"},
        {"SELECT " IF("z > 2") " - " IF("z <= 2") " AS d", "0;"},
        {"SELECT AVG(z) FILTER (WHERE z > 2) AS a, " IF("z < 2") " AS b", "4.0000000,2;"},
        {"SELECT kind, " IF("z > 2") " AS a, " IF("z <= 2") " AS b GROUP BY kind",
         "a,2,0;b,0,3;NULL,1,0;"},
        {"SELECT city, " IF("z > 2") " AS a, " IF("z <= 2") " AS b GROUP BY city",
         "u,3,3;"},
    };
    query_scene s;
    if (begin(&s, WHO, rows))
        for (size_t i = 0; i < COUNT(cases); i++)
            query_scene_check_values(&s, cases[i].query,
                                     OPTIONS(.epsilon = "1000", .delta = "0.01",
                                             .max_groups = "1", .mechanism = "laplace"),
                                     cases[i].want);
    query_scene_end(&s);
}

/* In another order the first of them is another one, and draws for all. */
TEST(counts_drawn_together_are_seen_again_in_another_order)
{
    CLAIM("measured.sound");
    CLAIM("view-record.one");
    static const char *const first =
        "SELECT " IF("z > 2") " AS a, " IF("z < 2") " AS b, COUNT(*) AS n";
    static const struct {
        const char *query;
        size_t at[3]; /* of a, b and n */
    } views[] = {
        {"SELECT " IF("z < 2") " AS b, " IF("z > 2") " AS a, COUNT(*) AS n", {1, 0, 2}},
        {"SELECT COUNT(*) AS k, " IF("z < 2") " AS b, " IF("z > 2") " AS a", {2, 1, 0}},
    };
    char shown[2000], again[2000];
    query_scene s;
    scrim_result *result = NULL, *replayed = NULL;
    scrim_result_facts facts, other;
    if (begin(&s, WHO, rows) &&
        CHECK_STATUS(query_scene_ask(&s, first, OPTIONS(.epsilon = "1"), &result),
                     SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        for (size_t i = 0; i < COUNT(views); i++) {
            scrim_result *view = NULL;
            if (!CHECK_STATUS(
                    query_scene_ask(&s, views[i].query, OPTIONS(.epsilon = "1"), &view),
                    SCRIM_OK))
                break;
            scrim_result_describe(view, &other);
            CHECK(other.is_view && other.release == facts.release);
            for (size_t k = 0; k < 3; k++)
                CHECK_STR(scrim_result_cell_at(view, 0, 0, views[i].at[k])->high,
                          scrim_result_cell_at(result, 0, 0, k)->high);
            scrim_result_free(view);
        }
        if (CHECK_STATUS(
                scrim_query_replay(s.vault, facts.release, NULL, &replayed, &s.error),
                SCRIM_OK))
            CHECK_STR(query_scene_show(replayed, false, again, sizeof again),
                      query_scene_show(result, false, shown, sizeof shown));
    }
    scrim_result_free(replayed);
    scrim_result_free(result);
    query_scene_end(&s);
}

/* The inputs of the draws of one question. */
static sc_recorder *draws_of(const char *lines, const char *bytes, const sc_recorder *of)
{
    static const char query[] = "SELECT kind, " IF("z > 2") " AS a, " IF(
        "z < 2") " AS b, " IF("z = 2") " AS c GROUP BY kind";
    query_scene s;
    sc_recorder *recorder = NULL;
    scrim_result *result = NULL;
    if (CHECK_STATUS(sc_recorder_new(of, &recorder, NULL), SCRIM_OK) &&
        begin(&s, lines, bytes)) {
        sc_vault_use_recorder(s.vault, recorder);
        CHECK_STATUS(query_scene_ask(&s, query, OPTIONS(.epsilon = "1", .cut_share = "0"),
                                     &result),
                     SCRIM_OK);
        scrim_result_free(result);
        query_scene_end(&s);
    }
    return recorder;
}

/* All counts of all groups are in one draw; one person with as many rows as count moves them by what is charged at most, wherever
 * the rows are. */
SLOW_TEST(counts_drawn_together_move_as_charged)
{
    CLAIM("statistic.disjoint");
    CLAIM("noisy.parts");
    static const char *const versions[] = {"", "v,7,9,a,u\nv,7,0,b,u\nv,7,2,b,u\n",
                                           "v,7,9,a,u\nv,7,9,a,u\nv,7,9,a,u\nv,7,0,b,u\n",
                                           "v,7,0,a,u\nv,7,2,a,u\nv,7,1,a,u\n"};
    static const struct {
        const char *lines;
        size_t first, second;
        int64_t moved, charged;
    } cases[] = {{WHO, 0, 1, 3, 3},
                 {WHO, 0, 2, 3, 3},
                 {WHO, 0, 3, 3, 3},
                 {WHO REPLACE, 2, 3, 6, 6}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char one[400], two[400];
        sc_recorder_verdict verdict;
        snprintf(one, sizeof one, "%s%s", rows, versions[cases[i].first]);
        snprintf(two, sizeof two, "%s%s", rows, versions[cases[i].second]);
        sc_recorder *recorder = draws_of(cases[i].lines, one, NULL),
                    *replay = draws_of(cases[i].lines, two, recorder);
        sc_recorder_compare(recorder, replay, &verdict);
        CHECK(verdict.holds);
        CHECK_INT(sc_recorder_count(recorder), 1);
        const sc_recorder_call *a = sc_recorder_at(recorder, 0),
                               *b = sc_recorder_at(replay, 0);
        int64_t moved = 0;
        CHECK_INT(a->count, 9);
        for (size_t k = 0; k < a->count && k < b->count; k++)
            moved += llabs((long long)(a->input[k] - b->input[k]));
        CHECK(moved <= cases[i].moved && moved > 0);
        CHECK(sc_ratio_compare_int64(&a->sensitivity, cases[i].charged) == 0);
        sc_recorder_free(replay);
        sc_recorder_free(recorder);
    }
}

/* Intervals hold as often as they say, and have the width that was predicted. */
enum { COVERED = 4 };

SLOW_TEST(counts_drawn_together_are_covered)
{
    CLAIM("estimate.exact");
    static char text[20000];
    static const char *const query =
        "SELECT " IF("z > 2") " AS a, " IF("z < 2") " AS b, " IF("z > 2") " - " IF(
            "z < 2") " AS d, " IF("z > 2") " / (" IF("z > 2") " + " IF("z < 2") ") AS s";
    static const double truths[COVERED] = {600, 300, 300, 2.0 / 3};
    const uint64_t count = check_count_whole(40, 2000);
    uint64_t covered[COVERED] = {0}, asked = 0;
    double error = 0, width = 0;
    query_scene s;
    size_t used = (size_t)snprintf(text, sizeof text, "who,x,z,kind,city\n");
    for (int i = 0; i < 900; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,,%d,a,u\n", i,
                                 i % 3 == 0 ? 1 : 5);
    if (begin(&s, WHO, text))
        for (; asked < count; asked++) {
            char epsilon[32]; /* another question each time */
            scrim_result *result = NULL;
            scrim_plan *plan = NULL;
            snprintf(epsilon, sizeof epsilon, "0.3%010llu", (unsigned long long)asked);
            const scrim_query_options *options =
                OPTIONS(.epsilon = epsilon, .delta = "1e-5",
                        .mechanism = asked % 2 == 0 ? "laplace" : "gaussian");
            if (!CHECK_STATUS(scrim_plan_new(s.vault, "people", &query, 1, options, &plan,
                                             NULL, &s.error),
                              SCRIM_OK) ||
                !CHECK_STATUS(scrim_query_run(s.vault, plan, &result, &s.error),
                              SCRIM_OK))
                break;
            for (size_t i = 0; i < COVERED; i++) {
                const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, i);
                covered[i] +=
                    atof(cell->low) <= truths[i] && truths[i] <= atof(cell->high);
                if (i < 2) {
                    error += error_of(plan, i);
                    width += (atof(cell->high) - atof(cell->low)) / 2;
                }
            }
            scrim_plan_free(plan);
            scrim_result_free(result);
        }
    query_scene_end(&s);
    CHECK_INT(asked, count);
    CHECK(error > 0 && width > 0.99 * error && width < 1.01 * error);
    for (size_t i = 0; i < COVERED; i++) {
        CHECK(covers_enough(covered[i], count));
        if (check_is_long()) {
            const double share = (double)covered[i] / (double)count;
            printf("# disjoint counts, column %zu: %.4f covered\n", i, share);
            CHECK(share <= 0.995);
        }
    }
}
