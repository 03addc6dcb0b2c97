/* Histograms without a delta: each bucket has Laplace noise, and MIN, MAX and their like are read from the counts that noise cannot
 * explain. */
#include "check.h"
#include "coverage_bar.h"
#include "query/plan/plan.h"
#include "query_scene.h"
#include "random/bits_tape.h"
#include "recorder.h"
#include "vault/vault_tape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define POLICY                                                                           \
    "unit=person\ncolumn=x=int[0,39]\ncolumn=kind=text\nkeys=kind=a,b\n"                 \
    "budget=epsilon=1000000,delta=0.5\n"

static bool begin(query_scene *s, const char *lines, const char *bytes)
{
    char policy[2000];
    snprintf(policy, sizeof policy, "%s%s", POLICY, lines);
    return query_scene_begin(s, policy, bytes);
}

static scrim_plan *plan_of(const char *lines, const char *query,
                           const scrim_query_options *options, scrim_status want,
                           scrim_error *error)
{
    char policy[2000];
    scrim_plan *plan = NULL;
    snprintf(policy, sizeof policy, "%s%s", POLICY, lines);
    const sc_plan_request request = {
        .dataset = policy, .queries = &query, .count = 1, .options = options};
    CHECK_STATUS(sc_plan_new(&request, &plan, NULL, error), want);
    return plan;
}

/* One unit moves all buckets of all groups together by its rows: those that leave and those that enter. */
TEST(noisy_bars_are_one_count_of_all_buckets)
{
    static const struct {
        const char *lines, *query, *line;
    } cases[] = {
        {"max-total-rows=3\n", "SELECT HISTOGRAM(x, 10)",
         "laplace sensitivity=3 epsilon=1 neighbours=add-remove"},
        {"max-total-rows=3\nneighbours=replace\n", "SELECT HISTOGRAM(x, 10)",
         "laplace sensitivity=6 epsilon=1 neighbours=replace"},
        {"max-groups=2\nmax-rows=3\n", "SELECT kind, MAX(x, 10) GROUP BY kind",
         "laplace sensitivity=6 epsilon=1 neighbours=add-remove"},
        {"max-groups=2\nmax-rows=3\nmax-total-rows=4\nneighbours=replace\n",
         "SELECT kind, MIN(x, 10) GROUP BY kind",
         "laplace sensitivity=8 epsilon=1 neighbours=replace"},
        /* One group: rows of the other one are not there. */
        {"max-groups=2\nmax-rows=3\n", "SELECT SUPPORT(x, 10)",
         "laplace sensitivity=3 epsilon=1 neighbours=add-remove"},
    };
    CLAIM("sensitivity.bound");
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_plan *plan =
            plan_of(cases[i].lines, cases[i].query,
                    OPTIONS(.epsilon = "1", .cut_share = "0"), SCRIM_OK, NULL);
        if (plan == NULL)
            continue;
        CHECK_STR(scrim_measurement_text(plan->statements[0].parts[0].measurement),
                  cases[i].line);
        CHECK_STR(sc_bundle_cost(plan->bundle)->delta, "0");
        scrim_plan_free(plan);
    }
}

/* The mechanism of the first part of a plan. */
static void check_first(const char *lines, const char *query,
                        const scrim_query_options *options, const char *want)
{
    scrim_plan *plan = plan_of(lines, query, options, SCRIM_OK, NULL);
    if (plan != NULL &&
        strncmp(scrim_measurement_text(plan->statements[0].parts[0].measurement), want,
                strlen(want)) != 0)
        CHECK_FAIL("%s: %s", query,
                   scrim_measurement_text(plan->statements[0].parts[0].measurement));
    scrim_plan_free(plan);
}

#define TWO_GROUPS "max-groups=2\nmax-rows=3\ncolumn=city=text\n"

/* With a delta the way with the smaller error is taken, unless one is asked for; private keys and arithmetic need a delta. */
TEST(noisy_bars_are_taken_where_they_are_better)
{
    CLAIM("bars-choice.smallest");
    static const char query[] = "SELECT MAX(x, 10) AS m";
    const scrim_query_options *any = OPTIONS(.epsilon = "1", .delta = "1e-6");
    scrim_error error;
    check_first(TWO_GROUPS, "SELECT HISTOGRAM(x, 10)", any, "laplace ");
    check_first(TWO_GROUPS, query,
                OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "laplace"),
                "laplace ");
    check_first(TWO_GROUPS, query,
                OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap"), "stlap ");
    /* Nothing is predicted of a mode, and nothing is lost where delta is half. */
    check_first(TWO_GROUPS, "SELECT MODE(x) AS m", any, "stlap ");
    check_first(TWO_GROUPS, query, OPTIONS(.epsilon = "1", .delta = "0.49"), "stlap ");
    scrim_plan *plan =
        plan_of(TWO_GROUPS, "SELECT city, MAX(x) GROUP BY city", any, SCRIM_OK, NULL);
    if (plan != NULL)
        CHECK(strncmp(scrim_measurement_text(plan->statements[0].parts[1].measurement),
                      "stlap ", 6) == 0);
    scrim_plan_free(plan);
    (void)plan_of(TWO_GROUPS, "SELECT MAX(x) - MIN(x) AS d", OPTIONS(.epsilon = "1"),
                  SCRIM_E_PARAM, &error);
    CHECK_STR(error.message, "arithmetic on MAX needs a delta, e.g. 1e-7");
    (void)plan_of(TWO_GROUPS, query, OPTIONS(.epsilon = "1", .mechanism = "stlap"),
                  SCRIM_E_PARAM, &error);
    CHECK_STR(error.message, "stlap needs a delta, e.g. 1e-7");
}

/* The way that is not taken is shown with errors that are no smaller, at any cost and width; and each asked for by itself has the
 * errors that are compared. */
TEST(noisy_bars_are_compared_with_the_other_way)
{
    static const char *const queries[] = {"SELECT MAX(x, 10) AS m", "SELECT MIN(x) AS m",
                                          "SELECT RANGE(x, 5) AS m",
                                          "SELECT MAX_K(x, 3) AS m"};
    static const char *const deltas[] = {"1e-9", "1e-3", "0.2", "0.49"};
    static const char *const epsilons[] = {"0.2", "1", "4"};
    size_t noisy = 0, lossy = 0;
    for (size_t i = 0; i < COUNT(queries) * COUNT(deltas) * COUNT(epsilons); i++) {
        const char *query = queries[i % COUNT(queries)],
                   *delta = deltas[i / COUNT(queries) % COUNT(deltas)],
                   *epsilon = epsilons[i / COUNT(queries) / COUNT(deltas)];
        scrim_plan *plan =
            plan_of(TWO_GROUPS, query, OPTIONS(.epsilon = epsilon, .delta = delta),
                    SCRIM_OK, NULL);
        scrim_plan_output taken;
        scrim_plan_other other;
        if (plan == NULL)
            continue;
        const bool is_noisy = plan->statements[0].has_noisy_bars;
        noisy += is_noisy;
        lossy += !is_noisy;
        if (CHECK_STATUS(scrim_plan_output_at(plan, 0, 0, &taken, NULL), SCRIM_OK) &&
            CHECK_STATUS(scrim_plan_other_at(plan, 0, 0, &other, NULL), SCRIM_OK)) {
            CHECK_STR(other.name, is_noisy ? "histograms that only lose rows"
                                           : "laplace in each bucket");
            CHECK(strtod(taken.error, NULL) <= strtod(other.errors[0], NULL));
        }
        scrim_plan *asked = plan_of(TWO_GROUPS, query,
                                    OPTIONS(.epsilon = epsilon, .delta = delta,
                                            .mechanism = is_noisy ? "stlap" : "laplace"),
                                    SCRIM_OK, NULL);
        if (asked != NULL &&
            CHECK_STATUS(scrim_plan_output_at(asked, 0, 0, &taken, NULL), SCRIM_OK))
            CHECK_STR(taken.error, other.errors[0]);
        scrim_plan_free(asked);
        scrim_plan_free(plan);
    }
    CHECK(noisy > 0 && lossy > 0);
}

/* All buckets are recorded, so there are not too many of them. */
TEST(noisy_bars_are_bounded)
{
    CLAIM("plan-bars.bounded");
    scrim_error error;
    const char *lines = "max-total-rows=3\ncolumn=big=int[0,1000000000]\n";
    scrim_plan *plan = plan_of(lines, "SELECT kind, MAX(big) GROUP BY kind",
                               OPTIONS(.epsilon = "1"), SCRIM_OK, NULL);
    if (plan != NULL) {
        const sc_drawn_part *part = &plan->statements[0].parts[0];
        CHECK(3 * (1000000000 / (uint64_t)part->width + 1) <= 65536);
    }
    scrim_plan_free(plan);
    (void)plan_of(lines, "SELECT MAX(big, 10000)", OPTIONS(.epsilon = "1"), SCRIM_E_LIMIT,
                  &error);
    CHECK_STR(error.message, "a histogram has at most 65536 buckets in each of these "
                             "groups; take a larger width, or fewer groups");
}

/* Draws. */

static sc_recorder *draws_of(const char *lines, const char *bytes, const char *query,
                             const sc_recorder *of)
{
    query_scene s;
    sc_recorder *recorder = NULL;
    scrim_result *result = NULL;
    sc_tape *tape = NULL;
    if (CHECK_STATUS(sc_recorder_new(of, &recorder, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_tape_seeded(9, &tape, NULL), SCRIM_OK) &&
        begin(&s, lines, bytes)) {
        sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
        sc_vault_use_recorder(s.vault, recorder);
        CHECK_STATUS(query_scene_ask(&s, query, OPTIONS(.epsilon = "1", .cut_share = "0"),
                                     &result),
                     SCRIM_OK);
        scrim_result_free(result);
        query_scene_end(&s);
    }
    sc_tape_free(tape);
    return recorder;
}

/* A hostile person moves what is drawn by what is charged, and no farther. */
SLOW_TEST(noisy_bars_of_hostile_neighbours_move_as_charged)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
#define ROWS "person,x,kind\np,3,a\np,38,b\nq,12,a\nq,,b\n"
#define LOW "v,0,a\nv,1,a\nv,-7,a\nv,2,b\nv,1,b\n"
#define HIGH "v,39,a\nv,39,a\nv,99,b\nv,38,b\nv,37,b\n"
    static const struct {
        const char *lines, *query, *one, *two;
        int64_t moved;
    } cases[] = {
        {"max-total-rows=3\n", "SELECT HISTOGRAM(x, 10)", LOW, "", 3},
        {"max-total-rows=3\nneighbours=replace\n", "SELECT HISTOGRAM(x, 10)", LOW, HIGH,
         6},
        {"max-total-rows=3\n", "SELECT kind, MAX(x, 10) GROUP BY kind", HIGH, "", 3},
        {"max-total-rows=4\nneighbours=replace\n",
         "SELECT kind, MIN(x, 10) AS m, MODE(x, 10) AS o GROUP BY kind", LOW, HIGH, 8},
        {"max-groups=2\nmax-rows=1\nneighbours=replace\n",
         "SELECT kind, SUPPORT(x, 10) GROUP BY kind", LOW, HIGH, 4},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char one[500], two[500];
        sc_recorder_verdict verdict;
        snprintf(one, sizeof one, "%s%s", ROWS, cases[i].one);
        snprintf(two, sizeof two, "%s%s", ROWS, cases[i].two);
        sc_recorder *recorder = draws_of(cases[i].lines, one, cases[i].query, NULL),
                    *replay = draws_of(cases[i].lines, two, cases[i].query, recorder);
        sc_recorder_compare(recorder, replay, &verdict);
        if (!CHECK(verdict.holds))
            CHECK_FAIL("%s: %s", cases[i].query, verdict.text);
        /* One draw of all groups, as it is charged. */
        CHECK_INT(sc_recorder_count(recorder), 1);
        const sc_recorder_call *a = sc_recorder_at(recorder, 0),
                               *b = sc_recorder_at(replay, 0);
        int64_t moved = 0;
        for (size_t k = 0; k < a->count && k < b->count; k++)
            moved += llabs((long long)(a->input[k] - b->input[k]));
        CHECK_INT(moved, cases[i].moved);
        CHECK(sc_ratio_compare_int64(&a->sensitivity, cases[i].moved) == 0);
        sc_recorder_free(replay);
        sc_recorder_free(recorder);
    }
}

/* Answers. */

/* x is 5 to 24, every tenth person at 5 and 24 alone; 120 people. */
static void put_people(char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes, "person,x,kind\n");
    for (int i = 0; i < 120; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%d,%d,a\n", i,
                                 i < 40   ? 5 + i % 5
                                 : i < 80 ? 12
                                          : 20 + i % 5);
}

/* Other statistics of the same buckets are views of one release, at any confidence; and a replay is what it was. */
TEST(noisy_bars_are_seen_again)
{
    CLAIM("measured.sound");
    query_scene s;
    char text[4000], first[2000], again[2000];
    scrim_result *result = NULL, *view = NULL, *replayed = NULL;
    scrim_result_facts facts, seen;
    put_people(text, sizeof text);
    if (begin(&s, "rows-per-unit=1\n", text) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT HISTOGRAM(x, 5)",
                                     OPTIONS(.epsilon = "3"), &result),
                     SCRIM_OK) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT MIN(x, 5) AS low, MAX(x, 5) AS high",
                                     OPTIONS(.epsilon = "3", .confidence = "0.99"),
                                     &view),
                     SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        scrim_result_describe(view, &seen);
        CHECK(seen.is_view && seen.release == facts.release);
        CHECK_INT(scrim_result_rows(result, 0), 8);
        CHECK(strstr(scrim_result_column_at(view, 0, 0)->certificate,
                     "with probability 0.99, ") != NULL);
        CHECK(!scrim_result_column_at(view, 0, 0)->is_certain);
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

typedef struct tally {
    uint64_t covered, asked;
    double width;
} tally;

static void count_cell(const scrim_result_cell *cell, double truth, tally *t)
{
    t->asked++;
    t->covered += atof(cell->low) <= truth && truth <= atof(cell->high);
    t->width += (atof(cell->high) - atof(cell->low)) / 2;
}

/* Never too seldom, as far as chance allows to say; in the long tier also not beyond what is promised. */
static void check_covered(const tally *t, double most)
{
    CHECK(covers_enough(t->covered, t->asked));
    if (!check_is_long())
        return;
    printf("# covered %.4f of %llu\n", (double)t->covered / (double)t->asked,
           (unsigned long long)t->asked);
    CHECK((double)t->covered <= most * (double)t->asked);
}

/* The counts of a histogram, and the ends of values: of these an interval fails only where noise looks like a row beyond
 * them. */
SLOW_TEST(noisy_bars_are_covered)
{
    static char text[4000];
    static const double held[8] = {0, 40, 40, 0, 40, 0, 0, 0};
    const uint64_t count = check_count_whole(40, 2000);
    tally counts = {.asked = 0}, low = {.asked = 0}, high = {.asked = 0};
    double predicted = 0;
    query_scene s;
    CLAIM("bar-answer.noise");
    put_people(text, sizeof text);
    scrim_plan *plan = plan_of("rows-per-unit=1\n", "SELECT HISTOGRAM(x, 5)",
                               OPTIONS(.epsilon = "0.5"), SCRIM_OK, NULL);
    scrim_plan_output output;
    if (plan != NULL &&
        CHECK_STATUS(scrim_plan_output_at(plan, 0, 1, &output, NULL), SCRIM_OK))
        predicted = atof(output.error);
    scrim_plan_free(plan);
    if (begin(&s, "rows-per-unit=1\n", text))
        for (uint64_t i = 0; i < count; i++) {
            char epsilon[32]; /* another question each time */
            scrim_result *bars = NULL, *ends = NULL;
            snprintf(epsilon, sizeof epsilon, "0.5%010llu", (unsigned long long)i);
            if (!CHECK_STATUS(query_scene_ask(&s, "SELECT HISTOGRAM(x, 5)",
                                              OPTIONS(.epsilon = epsilon), &bars),
                              SCRIM_OK) ||
                !CHECK_STATUS(query_scene_ask(&s, "SELECT MIN(x, 5), MAX(x, 5)",
                                              OPTIONS(.epsilon = epsilon), &ends),
                              SCRIM_OK))
                break;
            for (size_t row = 0; row < scrim_result_rows(bars, 0); row++)
                count_cell(scrim_result_cell_at(bars, 0, row, 1), held[row], &counts);
            count_cell(scrim_result_cell_at(ends, 0, 0, 0), 5, &low);
            count_cell(scrim_result_cell_at(ends, 0, 0, 1), 24, &high);
            scrim_result_free(bars);
            scrim_result_free(ends);
        }
    query_scene_end(&s);
    CHECK_INT(low.asked, count);
    CHECK_INT(counts.asked, 8 * count);
    check_covered(&counts, 0.995);
    check_covered(&low, 1);
    check_covered(&high, 1);
    /* Cut at 0, intervals of empty buckets are narrower than predicted. */
    CHECK(counts.width / (double)counts.asked <= predicted);
    CHECK(counts.width / (double)counts.asked >= 0.7 * predicted);
}
