/* Rows in which a value is present and rows in which it is missing, counted as two cells: which plans take them, what one person
 * moves, and answers from end to end. */
#include "check.h"
#include "coverage_bar.h"
#include "query/plan/measured.h"
#include "query/plan/plan.h"
#include "query_scene.h"
#include "recorder.h"
#include "vault/vault_tape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define ROW "unit=row\n"
#define COLUMNS COLUMNS_TO("120")
#define COLUMNS_TO(top)                                                                  \
    "column=x=int[0," top "]\ncolumn=y=int[0,50]\ncolumn=z=int[0,9]\nmissing=z=0\n"      \
    "column=kind=text\nkeys=kind=a,b\ncolumn=city=text\n"                                \
    "budget=epsilon=1000000,delta=0.5\n"

static scrim_plan *plan_of(const char *lines, const char *query,
                           const scrim_query_options *options)
{
    char policy[1000];
    scrim_plan *plan = NULL;
    snprintf(policy, sizeof policy, "%s%s", lines, COLUMNS);
    const sc_plan_request request = {
        .dataset = policy, .queries = &query, .count = 1, .options = options};
    scrim_error error;
    if (!CHECK_STATUS(sc_plan_new(&request, &plan, NULL, &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", query, error.message);
    return plan;
}

static double error_of(const scrim_plan *plan, size_t output)
{
    scrim_plan_output out;
    return plan != NULL && CHECK_STATUS(scrim_plan_output_at(plan, 0, output, &out, NULL),
                                        SCRIM_OK)
               ? strtod(out.error, NULL)
               : 0;
}

/* Which questions take cells. */
SLOW_TEST(cells_are_taken_where_both_cost_as_much_as_one_count)
{
    CLAIM("cells-choice.cost");
    static const struct {
        const char *lines, *query;
        bool has_cells;
    } cases[] = {
        {ROW, "SELECT COUNT(*) AS n, COUNT(x) AS c", true},
        {ROW, "SELECT COUNT(*) AS n, AVG(x) AS a", true},
        {ROW, "SELECT COUNT(*) AS n, VAR(x) AS v", true},
        {ROW, "SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE z > 3) AS f", true},
        {ROW, "SELECT kind, COUNT(*) AS n, AVG(x) AS a GROUP BY kind", true},
        {"unit=who\nmax-groups=2\nmax-rows=3\n", "SELECT COUNT(*) AS n, AVG(x) AS a",
         true},
        /* Nothing is saved where a count alone is asked for, or where nothing is missing. */
        {ROW, "SELECT COUNT(x) AS c, AVG(x) AS a", false},
        {ROW, "SELECT COUNT(*) AS n, AVG(z) AS a", false},
        {ROW, "SELECT COUNT(*) AS n, AVG(x) AS a WHERE x > 3", false},
        /* All rows are needed by a mean of their own. */
        {ROW, "SELECT COUNT(*) AS n, AVG(z) AS a, AVG(x) AS b", false},
        {ROW, "SELECT COUNT(*) WITH RANGE AS n, COUNT(x) AS c", false},
        /* Replaced within the only group, a person moves one count by 1 and both cells by 2; between
         * groups both move as far. */
        {ROW "neighbours=replace\n", "SELECT COUNT(*) AS n, COUNT(x) AS c", false},
        {ROW "neighbours=replace\n",
         "SELECT kind, COUNT(*) AS n, COUNT(x) AS c GROUP BY kind", true},
        {"unit=who\nmax-total-rows=3\nneighbours=replace\n",
         "SELECT kind, COUNT(*) AS n, COUNT(x) AS c GROUP BY kind", true},
        {"unit=who\nmax-groups=3\nmax-rows=1\nneighbours=replace\n",
         "SELECT kind, COUNT(*) AS n, COUNT(x) AS c GROUP BY kind", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_plan *plan =
            plan_of(cases[i].lines, cases[i].query,
                    OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "laplace"));
        if (plan != NULL && !CHECK_INT(plan->statements[0].cells > 0, cases[i].has_cells))
            CHECK_FAIL("%s", cases[i].query);
        CHECK_INT(plan != NULL && strstr(plan->line, " counts=cells") != NULL,
                  cases[i].has_cells);
        scrim_plan_free(plan);
    }
}

/* AVG beside COUNT(*) is as good as beside COUNT(x), and COUNT(*) at most 1.38 times as wide as that. */
TEST(cells_make_a_mean_as_good_as_beside_its_own_count)
{
    static const char *const epsilons[] = {"0.01", "0.1", "1"};
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        const scrim_query_options *options =
            OPTIONS(.epsilon = epsilons[i], .expect = "100000");
        scrim_plan *all = plan_of(ROW, "SELECT COUNT(*) AS n, AVG(x) AS a", options),
                   *own = plan_of(ROW, "SELECT COUNT(x) AS n, AVG(x) AS a", options);
        CHECK(error_of(all, 1) > 0 && error_of(all, 1) == error_of(own, 1));
        /* Radii are integers. */
        CHECK(error_of(all, 0) <= ceil(1.385 * (error_of(own, 0) + 1)));
        CHECK(error_of(all, 0) >= floor(1.37 * (error_of(own, 0) - 1)));
        scrim_plan_free(all);
        scrim_plan_free(own);
    }
}

/* Columns in another order, and other guesses, leave the measurement what it is. */
FAULT_TEST(cells_are_those_of_one_value_whatever_the_order)
{
    CLAIM("cells-choice.one");
    static const char *const queries[] = {
        "SELECT COUNT(*) AS n, AVG(x) AS a, AVG(y) AS b, COUNT(*) FILTER (WHERE z > 3) "
        "AS f",
        "SELECT AVG(y) AS b, COUNT(*) FILTER (WHERE z > 3) AS f, AVG(x) AS a, COUNT(*) "
        "AS n",
        "SELECT COUNT(*) FILTER (WHERE z > 3) AS f, AVG(x) AS a, COUNT(*) AS n, AVG(y) "
        "AS b"};
    static const char *const guesses[] = {NULL, "10", "1000,x=60:1,y=25:1"};
    sc_arena arena;
    sc_text first = {NULL, 0};
    sc_arena_init(&arena);
    for (size_t i = 0; i < COUNT(queries); i++)
        for (size_t k = 0; k < COUNT(guesses); k++) {
            scrim_plan *plan =
                plan_of(ROW, queries[i], OPTIONS(.epsilon = "1", .expect = guesses[k]));
            const sc_planned_statement *own = plan == NULL ? NULL : plan->statements;
            sc_measured measured;
            if (own != NULL && CHECK(own->cells > 0) &&
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

/* Several numbers of one group are no single number: Gaussian noise is that of rho (spec/query-semantics.md 2.4). */
TEST(cells_of_one_group_have_gaussian_noise_by_rho)
{
    const scrim_query_options *options =
        OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "gaussian");
    scrim_plan *both = plan_of(ROW, "SELECT COUNT(*) AS n, COUNT(x) AS c", options),
               *one = plan_of(ROW, "SELECT COUNT(x) AS c", options);
    if (CHECK(both != NULL && one != NULL) && CHECK(both->statements[0].cells > 0)) {
        const sc_drawn_part *part = &both->statements[0].parts[0];
        CHECK_INT(both->statements[0].part_count, 1);
        CHECK(strstr(part->measurement->text, " rho=") != NULL);
        CHECK(strstr(part->measurement->text, " size=2") != NULL);
        CHECK(strstr(one->statements[0].parts[0].measurement->text, " rho=") == NULL);
    }
    scrim_plan_free(one);
    scrim_plan_free(both);
}

/* The plan that was not taken has the predicted error where it is asked for. */
SLOW_TEST(plans_say_what_others_would_have)
{
    static const struct {
        const char *lines, *query, *chosen[2], *names[2];
    } cases[] = {
        {ROW,
         "SELECT COUNT(*) AS n, AVG(x) AS a",
         {"counts of rows with and without a value", "laplace"},
         {"separate counts", "gaussian"}},
        {ROW "neighbours=replace\n",
         "SELECT COUNT(*) AS n, COUNT(x) AS c",
         {"separate counts", "laplace"},
         {"counts of rows with and without a value", "gaussian"}},
        {"unit=who\nmax-groups=100\nmax-rows=1\n",
         "SELECT y, COUNT(*) AS n GROUP BY y",
         {"gaussian"},
         {"laplace"}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_plan *plan = plan_of(cases[i].lines, cases[i].query,
                                   OPTIONS(.epsilon = "1", .delta = "1e-6"));
        scrim_plan_statement facts = {.others = 0};
        scrim_plan_other other;
        if (plan == NULL)
            continue;
        CHECK_STATUS(scrim_plan_statement_at(plan, 0, &facts, NULL), SCRIM_OK);
        CHECK_INT(facts.others, cases[i].names[1] == NULL ? 1 : 2);
        CHECK_STATUS(scrim_plan_other_at(plan, 0, facts.others, &other, NULL),
                     SCRIM_E_PARAM);
        for (size_t k = 0; k < facts.others; k++) {
            if (!CHECK_STATUS(scrim_plan_other_at(plan, 0, k, &other, NULL), SCRIM_OK))
                break;
            CHECK_STR(other.chosen, cases[i].chosen[k]);
            CHECK_STR(other.name, cases[i].names[k]);
            const bool is_noise = k + 1 == facts.others;
            scrim_plan *forced = is_noise
                                     ? plan_of(cases[i].lines, cases[i].query,
                                               OPTIONS(.epsilon = "1", .delta = "1e-6",
                                                       .mechanism = other.name))
                                     : NULL;
            double product = 1;
            for (size_t c = 0; c < facts.outputs; c++) {
                if (other.errors[c][0] == '\0')
                    continue;
                const double error = strtod(other.errors[c], NULL);
                product *= strtod(other.times[c], NULL);
                CHECK(fabs(error / error_of(plan, c) / strtod(other.times[c], NULL) - 1) <
                      0.02);
                if (is_noise)
                    CHECK(error == error_of(forced, c));
            }
            /* All in all the other one is wider. */
            CHECK(product > 1);
            scrim_plan_free(forced);
        }
        scrim_plan_free(plan);
    }
}

/* Answers. */

static const char rows[] = "who,x,y,z,kind,city\np,1,2,3,a,u\nq,,4,5,a,u\nr,9,,1,b,u\n"
                           "s,no,,2,b,u\nt,20,50,4,,u\nu,,,,b,u\n";

static bool begin(query_scene *s, const char *lines, const char *bytes)
{
    char policy[1000];
    snprintf(policy, sizeof policy, "unit=who\n%s%s", lines, COLUMNS);
    return query_scene_begin(s, policy, bytes);
}

/* At epsilon 1000 noise moves a mean of values up to 20 less than once in 10^15 runs. */
SLOW_TEST(cells_answer_what_separate_counts_do)
{
    static const struct {
        const char *query, *want;
    } cases[] = {
        {"SELECT COUNT(*) AS n, COUNT(x) AS c, AVG(x) AS a", "6,3,10.0000000;"},
        {"SELECT COUNT(x) / COUNT(*) AS s, COUNT(*) AS n", "0.5000000000000000,6;"},
        {"SELECT COUNT(*) - COUNT(x) AS m, 2 * COUNT(*) + COUNT(x) AS w", "3,15;"},
        {"SELECT COUNT(*) / COUNT(*) AS s, COUNT(x) AS c", "1.000000,3;"},
        {"SELECT kind, COUNT(*) AS n, SUM(x) AS t, COUNT(x) AS c GROUP BY kind",
         "a,2,1,1;b,3,9,1;NULL,1,20,1;"},
        {"SELECT COUNT(*) FILTER (WHERE z > 2) AS f, COUNT(*) AS n", "3,6;"},
        {"SELECT COUNT(*) AS n, COUNT(x) AS c, COUNT(y) AS d", "6,3,3;"},
        {"SELECT city, COUNT(*) AS n, COUNT(x) AS c GROUP BY city", "u,6,3;"},
    };
    query_scene s;
    if (query_scene_begin(&s, "unit=who\n" COLUMNS_TO("20"), rows))
        for (size_t i = 0; i < COUNT(cases); i++)
            query_scene_check_values(
                &s, cases[i].query,
                OPTIONS(.epsilon = "1000", .delta = "0.01", .mechanism = "laplace"),
                cases[i].want);
    query_scene_end(&s);
}

/* Another dress of the same measurement is answered by it, from the same draws, and so is a replay. */
TEST(cells_are_seen_again_in_another_order)
{
    CLAIM("measured.sound");
    CLAIM("view-record.one");
    char first[2000], again[2000];
    query_scene s;
    scrim_result *result = NULL, *view = NULL, *replayed = NULL;
    scrim_result_facts facts, other;
    if (begin(&s, "", rows) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT COUNT(*) AS n, AVG(x) AS a, AVG(y) AS b",
                                     OPTIONS(.epsilon = "1"), &result),
                     SCRIM_OK) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT AVG(y) AS b, AVG(x) AS a, COUNT(*) AS n",
                                     OPTIONS(.epsilon = "1"), &view),
                     SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        scrim_result_describe(view, &other);
        CHECK(other.is_view && other.release == facts.release);
        for (size_t i = 0; i < 3; i++)
            CHECK_STR(scrim_result_cell_at(view, 0, 0, 2 - i)->high,
                      scrim_result_cell_at(result, 0, 0, i)->high);
        if (CHECK_STATUS(
                scrim_query_replay(s.vault, facts.release, NULL, &replayed, &s.error),
                SCRIM_OK))
            CHECK_STR(query_scene_show(replayed, false, again, sizeof again),
                      query_scene_show(result, false, first, sizeof first));
    }
    scrim_result_free(replayed);
    scrim_result_free(view);
    scrim_result_free(result);
    query_scene_end(&s);
}

/* The inputs of the draws of one question. */
static sc_recorder *draws_of(const char *lines, const char *bytes, const char *query,
                             const sc_recorder *of)
{
    query_scene s;
    sc_recorder *recorder = NULL;
    scrim_result *result = NULL;
    if (CHECK_STATUS(sc_recorder_new(of, &recorder, NULL), SCRIM_OK) &&
        begin(&s, lines, bytes)) {
        sc_vault_use_recorder(s.vault, recorder);
        CHECK_STATUS(query_scene_ask(&s, query, OPTIONS(.epsilon = "1"), &result),
                     SCRIM_OK);
        scrim_result_free(result);
        query_scene_end(&s);
    }
    return recorder;
}

/* Each cell of each group is in one draw, once; and one who changes from present to missing moves two of them. */
SLOW_TEST(cells_are_drawn_once_and_move_as_charged)
{
    CLAIM("noisy.parts");
    static const char query[] = "SELECT kind, COUNT(*) AS n, COUNT(x) AS c, AVG(x) AS a "
                                "GROUP BY kind";
    static const char *const versions[] = {"", "v,7,,,a,u\n", "v,,,,a,u\n",
                                           "v,7,,,b,u\n"};
    static const struct {
        const char *lines;
        size_t first, second;
        int64_t moved, charged;
    } cases[] = {{"", 0, 1, 1, 1},
                 {"", 0, 2, 1, 1},
                 {"neighbours=replace\n", 1, 2, 2, 2},
                 {"neighbours=replace\n", 2, 3, 2, 2}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char one[400], two[400];
        sc_recorder_verdict verdict;
        snprintf(one, sizeof one, "%s%s", rows, versions[cases[i].first]);
        snprintf(two, sizeof two, "%s%s", rows, versions[cases[i].second]);
        sc_recorder *recorder = draws_of(cases[i].lines, one, query, NULL),
                    *replay = draws_of(cases[i].lines, two, query, recorder);
        sc_recorder_compare(recorder, replay, &verdict);
        CHECK(verdict.holds);
        CHECK_INT(sc_recorder_count(recorder), 2);
        const sc_recorder_call *a = sc_recorder_at(recorder, 0),
                               *b = sc_recorder_at(replay, 0);
        int64_t moved = 0;
        CHECK_INT(a->count, 6);
        for (size_t k = 0; k < a->count && k < b->count; k++)
            moved += llabs((long long)(a->input[k] - b->input[k]));
        CHECK_INT(moved, cases[i].moved);
        CHECK(sc_ratio_compare_int64(&a->sensitivity, cases[i].charged) == 0);
        sc_recorder_free(replay);
        sc_recorder_free(recorder);
    }
}

/* Intervals hold as often as they say, and errors are those that the plan predicts. */

enum { COVERED = 4 };

SLOW_TEST(cells_are_covered)
{
    CLAIM("estimate.exact");
    static char text[40000];
    static const double truths[COVERED] = {900, 720, 0.8, 59.5};
    const uint64_t count = check_count_whole(40, 2000);
    uint64_t covered[COVERED] = {0}, asked = 0;
    double error = 0, width = 0;
    query_scene s;
    size_t used = (size_t)snprintf(text, sizeof text, "who,x,y,z,kind,city\n");
    for (int i = 0; i < 900; i++)
        used +=
            i % 5 == 0
                ? (size_t)snprintf(text + used, sizeof text - used, "%d,,1,1,a,u\n", i)
                : (size_t)snprintf(text + used, sizeof text - used, "%d,%d,1,1,a,u\n", i,
                                   i / 5 * 7 % 2 == 0 ? 59 : 60);
    if (begin(&s, "", text))
        for (; asked < count; asked++) {
            static const char *const query =
                "SELECT COUNT(*) AS n, COUNT(x) AS c, COUNT(x) / COUNT(*) AS s, AVG(x) "
                "AS a";
            char epsilon[32]; /* another question each time */
            scrim_result *result = NULL;
            scrim_plan *plan = NULL;
            snprintf(epsilon, sizeof epsilon, "0.2%010llu", (unsigned long long)asked);
            const scrim_query_options *options =
                OPTIONS(.epsilon = epsilon, .expect = "720",
                        .mechanism = asked % 2 == 0 ? "laplace" : "gaussian",
                        .delta = "1e-5");
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
    /* Counts have the half-width that was predicted. */
    CHECK(fabs(width / error - 1) < 0.01);
    for (size_t i = 0; i < COVERED; i++) {
        const double share = (double)covered[i] / (double)count;
        CHECK(covers_enough(covered[i], count));
        if (check_is_long()) {
            printf("# cells, column %zu: %.4f covered\n", i, share);
            CHECK(share <= 0.995);
        }
    }
}
