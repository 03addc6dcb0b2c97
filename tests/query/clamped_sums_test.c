/* Sums that stand alone are clamped by person to what their rows could add up to, without a declared bound of totals. At epsilon
 * 1000 there is no noise to speak of (ask_test.c). */
#include "check.h"
#include "coverage_bar.h"
#include "query/plan/plan.h"
#include "query/rows/group_cells.h"
#include "query/rows/sensitivity.h"
#include "query_scene.h"
#include "random/bits_tape.h"
#include "recorder.h"
#include "row_oracle.h"
#include "vault/vault_tape.h"

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

/* p has 7 rows of 3 and one that is NULL, q 10 four times in a and once in b, r -2 four times. */
static const char rows[] =
    "person,x,y,kind\np,3,10,a\np,3,10,a\np,3,10,a\np,3,10,a\np,3,10,a\np,3,10,b\n"
    "p,3,10,b\np,,11,a\nq,10,12,a\nq,10,12,a\nq,10,12,a\nq,10,12,a\nq,10,12,b\n"
    "r,-2,10,b\nr,-2,10,b\nr,-2,10,b\nr,-2,10,b\n";

SLOW_TEST(clamped_sums_use_all_rows_of_a_person)
{
    query_scene s;
    if (begin(&s, "max-groups=1\nmax-rows=3\n", rows)) {
        /* 21, 30 of 50, -6 of -8 */
        check_values(&s, "SELECT SUM(x) AS t", "45;");
        check_values(&s, "SELECT SUM(x) AS t, SUM(x) * 2 AS d", "45,90;");
        /* 21 + 30: the filter comes first. */
        check_values(&s, "SELECT SUM(x) FILTER (WHERE x > 0) AS t", "51;");
        check_values(&s, "SELECT SUM(y - 10) AS t", "7;");
    }
    query_scene_end(&s);
    if (begin(&s, "max-groups=2\nmax-rows=3\n", rows))
        /* a: 15 and 30 of 40; b: 6, 10 and -6 of -8 */
        check_values(&s, "SELECT kind, SUM(x) AS t GROUP BY kind", "a,45;b,10;NULL,0;");
    query_scene_end(&s);
    if (begin(&s, "max-groups=2\nmax-rows=9\n", rows))
        query_scene_check_values(&s, "SELECT SUM(x) AS t",
                                 OPTIONS(.epsilon = "1000", .max_total_rows = "3"),
                                 "45;");
    query_scene_end(&s);
}

/* With a total of rows alone all groups are scaled together, towards 0. Any 3 rows of p and of s are in both groups: of 30, p has
 * 20 and 20, s 17 and 19. The others have 3 rows at most. */
TEST(clamped_sums_of_several_groups_are_scaled_together)
{
    static const char some[] =
        "person,x,y,kind\np,10,12,a\np,10,12,a\np,10,11,b\np,10,11,b\nq,3,,a\nq,3,,b\n"
        "r,10,10,a\nr,10,10,a\nr,-2,10,b\ns,7,,a\ns,10,,a\ns,10,,b\ns,9,,b\n";
    CLAIM("group-cells.scaled");
    query_scene s;
    if (begin(&s, "max-total-rows=3\n", some))
        /* 15 + 3 + 20 + 14, 15 + 3 - 2 + 15 */
        check_values(&s, "SELECT kind, SUM(x) AS t GROUP BY kind", "a,52;b,31;NULL,0;");
    query_scene_end(&s);
    if (begin(&s, "max-total-rows=3\nneighbours=replace\n", some))
        /* 24 and 22 of 36, which are 18.78 and 17.21; r */
        check_values(&s, "SELECT kind, SUM(y) AS t GROUP BY kind", "a,38;b,27;NULL,0;");
    query_scene_end(&s);
}

/* Which statements clamp: those of sums alone whose bounds are of groups and rows, or of a total of rows. */
TEST(clamped_sums_stand_alone)
{
    static const struct {
        const char *lines, *query;
        bool clamps;
    } cases[] = {
        {"max-groups=1\nmax-rows=3\n", "SELECT SUM(x) AS t", true},
        {"max-groups=1\nmax-rows=3\nneighbours=replace\n", "SELECT SUM(x) AS t", true},
        {"max-groups=1\nmax-rows=3\n", "SELECT SUM(x) AS t, SUM(y) AS u", true},
        {"max-groups=1\nmax-rows=3\n", "SELECT SUM(x) / 2 AS t", true},
        {"max-groups=2\nmax-rows=3\n", "SELECT kind, SUM(x) AS t GROUP BY kind", true},
        {"max-total-rows=3\n", "SELECT SUM(x) AS t", true},
        {"max-total-rows=3\n", "SELECT kind, SUM(x) AS t GROUP BY kind", true},
        {"max-total-rows=3\nneighbours=replace\n",
         "SELECT kind, SUM(y) AS t GROUP BY kind", true},
        /* Both sides of 0 where people are replaced; a total of rows besides groups and rows. One row, a count or a mean beside it, a quotient of sums. */
        {"max-groups=1\nmax-rows=1\n", "SELECT SUM(x) AS t", false},
        {"max-groups=1\nmax-rows=3\n", "SELECT SUM(x) AS t, COUNT(*) AS n", false},
        {"max-groups=1\nmax-rows=3\n", "SELECT SUM(x) AS t, AVG(y) AS n", false},
        {"max-groups=1\nmax-rows=3\n", "SELECT SUM(x) / SUM(y) AS q", false},
        {"max-total-rows=3\nneighbours=replace\n",
         "SELECT kind, SUM(x) AS t GROUP BY kind", false},
        {"max-groups=2\nmax-rows=3\nmax-total-rows=4\n",
         "SELECT kind, SUM(x) AS t GROUP BY kind", false},
        /* A declared bound that is smaller is what it was. */
        {"max-groups=1\nmax-rows=3\nmax-total=x=5\n", "SELECT SUM(x) AS t", false},
        {"max-groups=1\nmax-rows=3\n",
         "SELECT SUM(n) AS t FROM (SELECT CLAMP(COUNT(*), 0, 3) AS n GROUP BY person)",
         false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char policy[600];
        scrim_plan *plan = NULL;
        snprintf(policy, sizeof policy, "%s%s", POLICY, cases[i].lines);
        const sc_plan_request request = {.dataset = policy,
                                         .queries = &cases[i].query,
                                         .count = 1,
                                         .options = OPTIONS(.epsilon = "1")};
        if (!CHECK_STATUS(sc_plan_new(&request, &plan, NULL, NULL), SCRIM_OK))
            continue;
        if (!CHECK_INT(plan->statements[0].clamps, cases[i].clamps) ||
            !CHECK_INT(strstr(plan->line, " sums=clamped") != NULL, cases[i].clamps))
            CHECK_FAIL("%s%s", cases[i].lines, cases[i].query);
        scrim_plan_free(plan);
    }
}

static double answer(query_scene *s, const char *query)
{
    scrim_result *result = NULL;
    double value = 0;
    if (CHECK_STATUS(query_scene_ask(s, query, EXACT, &result), SCRIM_OK))
        value = atof(scrim_result_cell_at(result, 0, 0, 0)->value);
    scrim_result_free(result);
    return value;
}

/* The clamp is the nearest point of an interval that holds the sum of any R rows: it is never farther from all of them. */
SLOW_TEST(clamped_sums_are_never_farther_than_bounded_rows)
{
    uint64_t seed = check_seed();
    for (uint64_t turn = 0; turn < check_count_whole(6, 300); turn++) {
        char text[800];
        double all = 0;
        query_scene s;
        size_t used = (size_t)snprintf(text, sizeof text, "person,x,y,kind\n");
        for (uint64_t i = 0, n = 1 + row_random(&seed, 7); i < n; i++) {
            const int x = (int)row_random(&seed, 13) - 2;
            used += (size_t)snprintf(text + used, sizeof text - used, "p,%d,10,a\n", x);
            all += x;
        }
        if (begin(&s, "max-groups=1\nmax-rows=3\n", text)) {
            const double clamped = answer(&s, "SELECT SUM(x) AS t"),
                         kept = answer(&s, "SELECT SUM(x) AS t, COUNT(*) AS n");
            CHECK(abs((int)(clamped - all)) <= abs((int)(kept - all)));
        }
        query_scene_end(&s);
    }
}

/* Draws. */

static sc_recorder *draws_of(const char *lines, const char *bytes, const char *query,
                             const sc_recorder *of)
{
    query_scene s;
    sc_recorder *recorder = NULL;
    scrim_result *result = NULL;
    sc_tape *tape = NULL; /* the same groups of a person are kept */
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

/* A hostile person has many rows at the ends of the range: it moves what is drawn by what is charged, and no farther. */
SLOW_TEST(clamped_sums_of_hostile_neighbours_move_as_charged)
{
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
#define HIGH "v,10,10,a\nv,10,10,a\nv,10,10,a\nv,10,10,a\nv,99,10,a\n"
#define LOW "v,-2,10,a\nv,-2,10,a\nv,-2,10,a\nv,-2,10,a\n"
#define BOTH "v,10,10,a\nv,10,10,a\nv,10,10,b\nv,10,10,b\n"
#define FIVE "v,-2,10,b\nv,-2,10,b\nv,-2,10,b\nv,-2,10,b\nv,-2,10,b\n"
#define MIXED "v,10,10,a\nv,10,10,a\n" FIVE FIVE
#define TWELVES "v,0,12,b\nv,0,12,b\nv,0,12,b\nv,0,12,b\n"
#define TENS "v,0,12,a\nv,0,12,a\nv,0,12,a\nv,0,12,a\nv,0,12,a\nv,0,12,a\n"
#define OTHER "v,10,10,b\nv,10,10,b\nv,10,10,b\nv,10,10,b\nv,10,10,b\n"
    static const struct {
        const char *lines, *query, *one, *two;
        int64_t moved;
    } cases[] = {
        {"max-groups=1\nmax-rows=3\n", "SELECT SUM(x) AS t", HIGH, "", 30},
        {"max-groups=1\nmax-rows=3\nneighbours=replace\n", "SELECT SUM(x) AS t", HIGH,
         LOW, 36},
        {"max-groups=2\nmax-rows=3\n", "SELECT kind, SUM(x) AS t GROUP BY kind",
         HIGH OTHER, "", 60},
        {"max-groups=1\nmax-rows=3\nneighbours=replace\n",
         "SELECT kind, SUM(x) AS t GROUP BY kind", HIGH, OTHER, 60},
        {"max-total-rows=3\n", "SELECT kind, SUM(x) AS t GROUP BY kind", BOTH, "", 30},
        {"max-total-rows=2\n", "SELECT kind, SUM(x) AS t GROUP BY kind", MIXED, "", 20},
        {"max-total-rows=3\nneighbours=replace\n",
         "SELECT kind, SUM(y) AS t GROUP BY kind", TWELVES, TENS, 72},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char one[1000], two[1000];
        sc_recorder_verdict verdict;
        snprintf(one, sizeof one, "%s%s", rows, cases[i].one);
        snprintf(two, sizeof two, "%s%s", rows, cases[i].two);
        sc_recorder *recorder = draws_of(cases[i].lines, one, cases[i].query, NULL),
                    *replay = draws_of(cases[i].lines, two, cases[i].query, recorder);
        sc_recorder_compare(recorder, replay, &verdict);
        if (!CHECK(verdict.holds))
            CHECK_FAIL("%s: %s", cases[i].query, verdict.text);
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

/* All totals of a unit in up to three groups, scaled: no two of them are farther apart than is charged, and some are as far. */
TEST(clamped_sums_scaled_are_within_the_norms)
{
    CLAIM("sensitivity.bound");
    CLAIM("group-cells.scaled");
    enum { LEAST = -7, MANY = 15, GROUPS = 3, ALL = MANY * MANY * MANY };
    static int64_t totals[ALL][GROUPS];
    for (int is_replace = 0; is_replace < 2; is_replace++) {
        const int64_t all = 6, low = is_replace ? 0 : -SC_GROUP_RANGE,
                      high = SC_GROUP_RANGE;
        const sc_cell_value value = {.low = LEAST,
                                     .high = LEAST + MANY - 1,
                                     .width = 1,
                                     .total = 1,
                                     .total_low = low,
                                     .total_high = high,
                                     .total_all = all};
        int64_t l1 = 0, squares = 0;
        for (int i = 0; i < ALL; i++) {
            unsigned char content[GROUPS];
            sc_unit_row unit[GROUPS];
            int64_t sum = 0;
            for (int g = 0, rest = i; g < GROUPS; g++, rest /= MANY) {
                content[g] = (unsigned char)(rest % MANY);
                unit[g] = (sc_unit_row){
                    .group = (uint32_t)g, .copies = 1, .content = &content[g]};
            }
            const sc_int128 reach = sc_totals_reach(&value, unit, GROUPS);
            for (int g = 0; g < GROUPS; g++) {
                totals[i][g] = (int64_t)sc_cell_total(&value, &unit[g], 1, reach);
                const int64_t x = LEAST + content[g];
                sum += llabs((long long)totals[i][g]);
                CHECK(llabs((long long)totals[i][g]) <= llabs((long long)x) &&
                      totals[i][g] * x >= 0);
                if (reach <= all)
                    CHECK_INT(totals[i][g], x < low ? low : x > high ? high : x);
            }
            CHECK(sum <= all);
        }
        /* Nothing, or another version of the unit. */
        for (int i = 0; i < ALL; i++)
            for (int k = 0; k < (is_replace ? i : 1); k++) {
                int64_t one = 0, two = 0;
                for (int g = 0; g < GROUPS; g++) {
                    const int64_t far = totals[i][g] - (is_replace ? totals[k][g] : 0);
                    one += llabs((long long)far);
                    two += far * far;
                }
                l1 = one > l1 ? one : l1;
                squares = two > squares ? two : squares;
            }
        const sc_group_statistic statistic = {.kind = SC_STATISTIC_TOTAL};
        const sc_group_value own = {
            .total_low = low, .total_high = high, .total_all = all};
        const sc_reach of = {.neighbours = is_replace ? SCRIM_REPLACE : SCRIM_ADD_REMOVE,
                             .bounds = {.total = 6},
                             .groups = GROUPS};
        SC_OWN(sc_norms, norms);
        sc_sensitivity_of(&statistic, &own, &of, &norms);
        CHECK(sc_ratio_compare_int64(&norms.l1, l1) == 0);
        sc_ratio_mul(&norms.l2, &norms.l2, &norms.l2);
        CHECK(sc_ratio_compare_int64(&norms.l2, squares) >= 0 &&
              sc_ratio_compare_int64(&norms.l2, squares + 1) < 0);
    }
}

/* Arithmetic is another view of the same sum, a quotient of sums is another measurement; and a replay is what it was. */
TEST(clamped_sums_are_seen_again)
{
    CLAIM("measured.sound");
    query_scene s;
    char first[2000], again[2000];
    scrim_result *result = NULL, *view = NULL, *other = NULL, *replayed = NULL;
    scrim_result_facts facts, seen;
    const scrim_query_options *options = OPTIONS(.epsilon = "1");
    if (begin(&s, "max-groups=1\nmax-rows=3\n", rows) &&
        CHECK_STATUS(
            query_scene_ask(&s, "SELECT SUM(x) AS t, SUM(y) AS u", options, &result),
            SCRIM_OK) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT SUM(y) - SUM(x) AS d", options, &view),
                     SCRIM_OK) &&
        CHECK_STATUS(query_scene_ask(&s, "SELECT SUM(y) / SUM(x) AS q", options, &other),
                     SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        scrim_result_describe(view, &seen);
        CHECK(seen.is_view && seen.release == facts.release);
        CHECK(atof(scrim_result_cell_at(view, 0, 0, 0)->value) ==
              atof(scrim_result_cell_at(result, 0, 0, 1)->value) -
                  atof(scrim_result_cell_at(result, 0, 0, 0)->value));
        scrim_result_describe(other, &seen);
        CHECK(seen.release != facts.release);
        if (CHECK_STATUS(
                scrim_query_replay(s.vault, facts.release, NULL, &replayed, &s.error),
                SCRIM_OK))
            CHECK_STR(query_scene_show(replayed, false, again, sizeof again),
                      query_scene_show(result, false, first, sizeof first));
    }
    scrim_result_free(replayed);
    scrim_result_free(other);
    scrim_result_free(view);
    scrim_result_free(result);
    query_scene_end(&s);
}

/* Intervals hold as often as they say. */
SLOW_TEST(clamped_sums_are_covered)
{
    static char text[40000];
    const uint64_t count = check_count_whole(40, 2000);
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
        truth += total > 30 ? 30 : total < -6 ? -6 : total;
    }
    if (begin(&s, "max-groups=1\nmax-rows=3\n", text))
        for (; asked < count; asked++) {
            char epsilon[32]; /* another question each time */
            scrim_result *result = NULL;
            snprintf(epsilon, sizeof epsilon, "0.5%010llu", (unsigned long long)asked);
            if (!CHECK_STATUS(query_scene_ask(&s, "SELECT SUM(x) AS t",
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
    if (check_is_long())
        CHECK((double)covered <= 0.995 * (double)count);
}
