/* A tree of counts from end to end: planned, charged, drawn, recorded, and made consistent. */
#include "check.h"
#include "faults.h"
#include "query/query_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define TREE(...) SCRIM_OPTIONS(scrim_hierarchy_options, __VA_ARGS__)
#define ROWS 400

static const char policy[] =
    "unit=person\n"
    "column=sex=text\nkeys=sex=Female,Male,O'Other\nmissing=sex=Male\n"
    "column=part=int[1,9]\nkeys=part=1,2,3\nmissing=part=1\n"
    "column=ok=bool\n"
    "column=city=text\n"
    "budget=epsilon=100000,delta=0.5\n";

static bool begin_with(query_scene *s, const char *whole, const char *lines)
{
    static char bytes[ROWS * 40];
    char text[1000];
    size_t at = (size_t)snprintf(bytes, sizeof bytes, "person,sex,part,ok,city\n");
    /* Some rows have values that are not listed, and belong to no group of any level. */
    for (int i = 0; i < 10; i++)
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "q%d,%s,%d,,Ulm\n", i,
                               i % 2 == 0 ? "it's" : "Male", i % 2 == 0 ? 1 : 7);
    for (int i = 0; i < ROWS; i++)
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "p%d,%s,%d,%s,Ulm\n", i,
                               i % 4 == 0 ? "Female" : "Male", i % 10 < 7 ? 1 : 3,
                               i % 5 == 0 ? "" : "true");
    snprintf(text, sizeof text, "%s%s", whole, lines);
    return query_scene_begin(s, text, bytes);
}

static bool begin(query_scene *s, const char *lines)
{
    return begin_with(s, policy, lines);
}

/* Plans, asks, and gives the number of the release. */
static scrim_status release(query_scene *s, const char *levels,
                            const scrim_query_options *options, uint64_t *id)
{
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_result_facts facts;
    s->error = (scrim_error){.message = ""};
    scrim_status status =
        scrim_hierarchy_plan(s->vault, "people", levels, options, &plan, NULL, &s->error);
    if (status == SCRIM_OK)
        status = scrim_query_run(s->vault, plan, &result, &s->error);
    if (status == SCRIM_OK) {
        scrim_result_describe(result, &facts);
        *id = facts.release;
    }
    scrim_result_free(result);
    scrim_plan_free(plan);
    return status;
}

/* Sums agree and nothing is negative. */
static void check_sums(const scrim_hierarchy *tree)
{
    scrim_hierarchy_facts facts;
    int64_t sums[200] = {0};
    scrim_hierarchy_describe(tree, &facts);
    REQUIRE(facts.nodes <= COUNT(sums));
    for (size_t v = facts.nodes; v-- > 0;) {
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(tree, v, &node);
        CHECK(node.count >= 0);
        CHECK(node.low <= node.estimate && node.estimate <= node.high);
        if (node.level + 1 < facts.levels)
            CHECK_INT(node.count, sums[v]);
        if (v > 0)
            sums[node.parent] += node.count;
    }
}

static int64_t count_of(const scrim_hierarchy *tree, size_t v)
{
    scrim_hierarchy_node node;
    scrim_hierarchy_node_at(tree, v, &node);
    return node.count;
}

/* With hardly any noise the counts are those of the table: 100 women, in parts 1, 2 and 3. */
TEST(count_trees_hold_the_counts_of_the_table)
{
    CLAIM("count-tree.adds-up");
    CLAIM("noisy-tree.whole");
    CLAIM("level-queries.same");
    static const int64_t want[] = {400, 100, 300, 0, 80, 0, 20, 200, 0, 100, 0, 0, 0};
    query_scene s;
    scrim_hierarchy *tree = NULL;
    scrim_hierarchy_facts facts;
    uint64_t id = 0;
    if (begin(&s, "") &&
        CHECK_STATUS(release(&s, "sex, part,ok", OPTIONS(.epsilon = "1000"), &id),
                     SCRIM_OK) &&
        CHECK_STATUS(scrim_hierarchy_replay(s.vault, id, NULL, &tree, &s.error),
                     SCRIM_OK)) {
        scrim_hierarchy_describe(tree, &facts);
        CHECK_INT(facts.nodes, 1 + 3 + 9 + 27);
        CHECK_INT(facts.levels, 4);
        for (size_t v = 0; v < COUNT(want); v++)
            CHECK_INT(count_of(tree, v), want[v]);
        check_sums(tree);
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(tree, 15, &node);
        CHECK(node.key == NULL && node.level == 3 && node.parent == 4);
        scrim_hierarchy_node_at(tree, 6, &node);
        CHECK_STR(node.key, "3");
    }
    scrim_hierarchy_free(tree);
    query_scene_end(&s);
}

/* Where each row is a unit, each level is a query of its own: a value that the next level does not list belongs to no group
 * of any. */
TEST(count_trees_of_rows_leave_out_what_a_level_does_not_list)
{
    CLAIM("level-queries.same");
    static const int64_t want[] = {400, 100, 300, 0, 80, 0, 20, 200, 0, 100};
    query_scene s;
    scrim_hierarchy *tree = NULL;
    uint64_t id = 0;
    char rows[sizeof policy];
    snprintf(rows, sizeof rows, "unit=row%s", strchr(policy, '\n'));
    if (begin_with(&s, rows, "") &&
        CHECK_STATUS(release(&s, "sex, part,ok", OPTIONS(.epsilon = "1000"), &id),
                     SCRIM_OK) &&
        CHECK_STATUS(scrim_hierarchy_replay(s.vault, id, NULL, &tree, &s.error),
                     SCRIM_OK))
        for (size_t v = 0; v < COUNT(want); v++) {
            scrim_hierarchy_node node;
            scrim_hierarchy_node_at(tree, v, &node);
            CHECK_INT(node.noisy, want[v]);
        }
    scrim_hierarchy_free(tree);
    query_scene_end(&s);
}

static void check_noisy(query_scene *s, const scrim_query_options *options,
                        const char *const *known, size_t known_count)
{
    uint64_t id = 0;
    scrim_hierarchy *tree = NULL, *again = NULL;
    scrim_hierarchy_facts facts;
    char left[2][3 * SCRIM_NUMBER_BYTES];
    if (!CHECK_STATUS(release(s, "sex,part,ok", options, &id), SCRIM_OK)) {
        CHECK_STR(s->error.message, "");
        return;
    }
    query_scene_left(s, left[0]);
    const scrim_hierarchy_options *how =
        TREE(.known = known, .known_count = known_count, .simulations = 100);
    if (CHECK_STATUS(scrim_hierarchy_replay(s->vault, id, how, &tree, &s->error),
                     SCRIM_OK) &&
        CHECK_STATUS(scrim_hierarchy_replay(s->vault, id, how, &again, &s->error),
                     SCRIM_OK)) {
        check_sums(tree);
        scrim_hierarchy_describe(tree, &facts);
        CHECK_INT(facts.known, known_count);
        CHECK_INT(facts.guarantee[0] != '\0', known_count > 0);
        for (size_t v = 0; v < facts.nodes; v++) {
            scrim_hierarchy_node a, b;
            scrim_hierarchy_node_at(tree, v, &a);
            scrim_hierarchy_node_at(again, v, &b);
            CHECK_INT(a.count, b.count);
            CHECK_INT(a.simulated_low, b.simulated_low);
            CHECK(a.simulated_low <= a.simulated_high);
        }
    }
    CHECK_STR(query_scene_left(s, left[1]), left[0]);
    scrim_hierarchy_free(again);
    scrim_hierarchy_free(tree);
}

SLOW_TEST(count_trees_add_up_whatever_the_noise)
{
    CLAIM("count-tree.adds-up");
    CLAIM("count-tree.released");
    static const char *const known[] = {"total:400", "sex=Male,part=1:200",
                                        "sex=Male,part=2:0"};
    query_scene s;
    if (begin(&s, "")) {
        check_noisy(&s, OPTIONS(.epsilon = "0.1"), NULL, 0);
        check_noisy(&s, OPTIONS(.epsilon = "0.2", .shares = "1,0,2,4"), NULL, 0);
        check_noisy(&s, OPTIONS(.epsilon = "0.3"), known, 1);
        check_noisy(&s, OPTIONS(.epsilon = "0.4", .shares = "1,1,0,1"), known, 3);
        check_noisy(&s,
                    OPTIONS(.epsilon = "0.5", .delta = "1e-6", .mechanism = "gaussian"),
                    known, 2);
        check_noisy(&s,
                    OPTIONS(.epsilon = "0.6", .delta = "1e-6", .mechanism = "gaussian"),
                    NULL, 0);
    }
    query_scene_end(&s);
}

/* How often the intervals of all nodes hold, over many releases. */
static void check_coverage(query_scene *s, const char *noise, const char *shares)
{
    static const double truth[] = {400, 100, 300, 0, 80, 0, 20, 200, 0, 100, 0, 0, 0};
    const uint64_t runs = check_count(12, 1000);
    double held = 0, total = 0;
    for (uint64_t i = 0; i < runs; i++) {
        char epsilon[40];
        uint64_t id = 0;
        scrim_hierarchy *tree = NULL;
        snprintf(epsilon, sizeof epsilon, "0.1%06d", (int)i);
        const scrim_query_options *how = OPTIONS(.epsilon = epsilon, .delta = "1e-6",
                                                 .mechanism = noise, .shares = shares);
        if (!CHECK_STATUS(release(s, "sex,part", how, &id), SCRIM_OK) ||
            !CHECK_STATUS(scrim_hierarchy_replay(s->vault, id, TREE(.confidence = "0.9"),
                                                 &tree, &s->error),
                          SCRIM_OK))
            return;
        for (size_t v = 0; v < COUNT(truth); v++) {
            scrim_hierarchy_node node;
            scrim_hierarchy_node_at(tree, v, &node);
            held += node.low <= truth[v] && truth[v] <= node.high;
            total++;
        }
        scrim_hierarchy_free(tree);
    }
    /* Six deviations below 0.9, as if the nodes of a tree were one. */
    if (held / total < 0.9 - 6 * sqrt(0.09 / (double)runs))
        CHECK_FAIL("%s: intervals hold in %.3f", noise, held / total);
}

SLOW_TEST(intervals_of_count_trees_hold)
{
    CLAIM("count-tree.interval");
    query_scene s;
    if (begin(&s, "")) {
        check_coverage(&s, "laplace", NULL);
        check_coverage(&s, "laplace", "1,0,1");
        check_coverage(&s, "gaussian", NULL);
    }
    query_scene_end(&s);
}

static void check_refused(query_scene *s, const char *levels,
                          const scrim_query_options *options, scrim_status status,
                          const char *message)
{
    uint64_t id;
    CHECK_STATUS(release(s, levels, options, &id), status);
    CHECK_STR(s->error.message, message);
}

TEST(count_trees_refuse_what_is_no_tree)
{
    CLAIM("level-queries.nested");
    query_scene s;
    if (begin(&s, "")) {
        static const char few[] =
            "shares must be 3 integers from 0 to 1000000, one for all rows and one a "
            "level; only levels between may have 0";
        check_refused(&s, "", OPTIONS(.epsilon = "1"), SCRIM_E_PARAM,
                      "levels must be columns, the coarsest first, as in country,sex");
        check_refused(&s, "sex,,part", OPTIONS(.epsilon = "1"), SCRIM_E_PARAM,
                      "levels must be columns, the coarsest first, as in country,sex");
        check_refused(&s, "sex,part", OPTIONS(.epsilon = "1", .shares = "1,1"),
                      SCRIM_E_PARAM, few);
        check_refused(&s, "sex,part", OPTIONS(.epsilon = "1", .shares = "1,1,0"),
                      SCRIM_E_PARAM, few);
        check_refused(&s, "sex,part", OPTIONS(.epsilon = "1", .shares = "0,1,1"),
                      SCRIM_E_PARAM, few);
        check_refused(&s, "city", OPTIONS(.epsilon = "1", .delta = "1e-6"),
                      SCRIM_E_POLICY,
                      "the values of 'city' are not public, and those of every level and "
                      "table must be; the owner can list its keys");
    }
    query_scene_end(&s);
}

static void check_known(query_scene *s, uint64_t id, const char *known,
                        const char *message)
{
    scrim_hierarchy *tree = NULL;
    CHECK_STATUS(scrim_hierarchy_replay(s->vault, id,
                                        TREE(.known = &known, .known_count = 1), &tree,
                                        &s->error),
                 SCRIM_E_PARAM);
    CHECK_STR(s->error.message, message);
}

TEST(count_trees_refuse_unknown_counts_and_other_releases)
{
    CLAIM("declared-counts.node");
    query_scene s;
    uint64_t id = 0;
    scrim_result *other = NULL;
    scrim_result_facts facts;
    scrim_hierarchy *tree = NULL;
    if (begin(&s, "") &&
        CHECK_STATUS(release(&s, "sex,part", OPTIONS(.epsilon = "1"), &id), SCRIM_OK)) {
        static const char form[] =
            "'%s' is not a known count; write total:N or COLUMN=VALUE:N with the columns "
            "of the first levels";
        static const char *const bad[] = {
            "total", "total:-1", "part=1:3", ":4", "sex=Male,part=1,ok=true:3", "sex:4"};
        for (size_t i = 0; i < COUNT(bad); i++) {
            char message[200];
            snprintf(message, sizeof message, form, bad[i]);
            check_known(&s, id, bad[i], message);
        }
        check_known(&s, id, "sex=Mole:3", "'Mole' is not a public value of sex");
        const char *const twice[] = {"total:3", "total:4"};
        CHECK_STATUS(scrim_hierarchy_replay(s.vault, id,
                                            TREE(.known = twice, .known_count = 2), &tree,
                                            &s.error),
                     SCRIM_E_PARAM);
        CHECK_STATUS(
            scrim_hierarchy_replay(s.vault, id, TREE(.confidence = "1"), &tree, &s.error),
            SCRIM_E_PARAM);
        CHECK_STATUS(
            scrim_hierarchy_replay(s.vault, id, TREE(.simulations = 39), &tree, &s.error),
            SCRIM_E_PARAM);
        REQUIRE_OK(query_scene_ask(&s, "SELECT sex, COUNT(*) AS n GROUP BY sex",
                                   OPTIONS(.epsilon = "1"), &other));
        scrim_result_describe(other, &facts);
        CHECK_STATUS(
            scrim_hierarchy_replay(s.vault, facts.release, NULL, &tree, &s.error),
            SCRIM_E_PARAM);
        CHECK_STR(s.error.message, "the release is not a tree of counts");
    }
    scrim_result_free(other);
    query_scene_end(&s);
}

/* A tree without tables, simulated. */
FAULT_TEST(count_trees_survive_without_memory)
{
    query_scene s;
    uint64_t id = 0;
    scrim_status status = SCRIM_OK;
    if (begin(&s, "") &&
        CHECK_STATUS(release(&s, "sex,part", OPTIONS(.epsilon = "1"), &id), SCRIM_OK)) {
        FAULT_LOOP(shown)
        {
            scrim_hierarchy *tree = NULL;
            status = scrim_hierarchy_replay(s.vault, id, TREE(.simulations = 40), &tree,
                                            &s.error);
            if (status == SCRIM_OK)
                check_sums(tree);
            else
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            scrim_hierarchy_free(tree);
        }
        CHECK_STATUS(status, SCRIM_OK);
    }
    query_scene_end(&s);
}

/* The sum of what all levels cost is the rho that was asked for, to the last digit, and so is what is charged. */
TEST(count_trees_spend_a_total_in_rho)
{
    CLAIM("plan.budget");
    query_scene s;
    scrim_plan *plan = NULL;
    scrim_plan_facts facts;
    scrim_hierarchy *tree = NULL;
    scrim_hierarchy_facts shown;
    uint64_t id = 0;
    const scrim_query_options *options =
        OPTIONS(.rho = "1/60", .delta = "1e-6", .shares = "1,2,4");
    static const char *const rhos[] = {"rho=1/420 ", "rho=1/210 ", "rho=1/105 "};
    if (begin(&s, "rows-per-unit=1\n") &&
        CHECK_STATUS(scrim_hierarchy_plan(s.vault, "people", "sex,part", options, &plan,
                                          NULL, &s.error),
                     SCRIM_OK)) {
        REQUIRE_OK(scrim_plan_describe(s.vault, plan, &facts, &s.error));
        CHECK_STR(facts.cost.rho, "1/60");
        CHECK(strstr(facts.question, " rho=1/60 mechanism=gaussian ") != NULL);
        for (size_t i = 0; i < COUNT(rhos); i++) {
            scrim_plan_part part;
            REQUIRE_OK(scrim_plan_part_at(plan, i, 0, &part, &s.error));
            CHECK(strstr(part.measurement, "gaussian sensitivity=1 ") ==
                  part.measurement);
            CHECK(strstr(part.measurement, rhos[i]) != NULL);
        }
        CHECK_STATUS(release(&s, "sex,part", options, &id), SCRIM_OK);
        REQUIRE_OK(scrim_hierarchy_replay(s.vault, id, NULL, &tree, &s.error));
        check_sums(tree);
        scrim_hierarchy_describe(tree, &shown);
        CHECK_STR(shown.cost.rho, "1/60");
        CHECK_STR(shown.cost.epsilon, facts.cost.epsilon);
        CHECK_STATUS(release(&s, "sex,city", options, &id), SCRIM_E_POLICY);
        CHECK_STATUS(release(&s, "sex", OPTIONS(.rho = "1/60"), &id), SCRIM_E_PARAM);
    }
    scrim_hierarchy_free(tree);
    scrim_plan_free(plan);
    query_scene_end(&s);
}

/* Only counts and sums have a rho. */
TEST(queries_without_a_rho_are_refused)
{
    CLAIM("plan.refuses");
    query_scene s;
    scrim_plan *plan = NULL;
    const scrim_query_options *options = OPTIONS(.rho = "1", .delta = "1e-6");
    const char *number = "SELECT COUNT(*), SUM(part)",
               *others[] = {"SELECT MEDIAN(part)", "SELECT city, COUNT(*) GROUP BY city"};
    if (begin(&s, "rows-per-unit=1\n")) {
        for (size_t i = 0; i < COUNT(others); i++) {
            CHECK_STATUS(scrim_plan_new(s.vault, "people", &others[i], 1, options, &plan,
                                        NULL, &s.error),
                         SCRIM_E_PARAM);
            CHECK_STR(s.error.message, "rho is for counts and sums of all rows or of "
                                       "public groups; give epsilon and delta");
        }
        CHECK_STATUS(
            scrim_plan_new(s.vault, "people", &number, 1, options, &plan, NULL, &s.error),
            SCRIM_OK);
        scrim_plan_free(plan);
    }
    query_scene_end(&s);
}

/* A policy alone has the errors of its dataset, and nothing that could be released. */
TEST(count_trees_are_planned_from_a_policy_alone)
{
    CLAIM("plan.public");
    const scrim_hierarchy_design design = {.size = sizeof design, .levels = "sex,part"};
    const scrim_query_options *options = OPTIONS(.epsilon = "1");
    char text[1000];
    query_scene s;
    scrim_plan *plans[2] = {NULL, NULL};
    scrim_hierarchy *trees[2] = {NULL, NULL};
    scrim_result *result = NULL;
    snprintf(text, sizeof text, "%srows-per-unit=1\n", policy);
    if (begin(&s, "rows-per-unit=1\n") &&
        CHECK_STATUS(scrim_hierarchy_plan_policy(text, &design, options, &plans[0], NULL,
                                                 &s.error),
                     SCRIM_OK) &&
        CHECK_STATUS(scrim_hierarchy_plan_design(s.vault, "people", &design, options,
                                                 &plans[1], NULL, &s.error),
                     SCRIM_OK)) {
        for (size_t i = 0; i < 2; i++)
            REQUIRE_OK(scrim_hierarchy_expect(plans[i], NULL, &trees[i], &s.error));
        for (size_t i = 0; i < 3; i++) {
            scrim_hierarchy_level a, b;
            scrim_hierarchy_level_at(trees[0], i, &a);
            scrim_hierarchy_level_at(trees[1], i, &b);
            CHECK_STR(a.measurement, b.measurement);
            CHECK(a.count == b.count && a.deviation == b.deviation &&
                  a.half_width == b.half_width && a.bound == b.bound);
        }
        CHECK_STATUS(scrim_query_run(s.vault, plans[0], &result, &s.error),
                     SCRIM_E_STATE);
        CHECK_STR(s.error.message, "the plan is that of a policy alone; add the dataset "
                                   "and plan the query again");
        scrim_plan *none = NULL;
        CHECK_STATUS(scrim_hierarchy_plan_policy("unit=person\n", &design, options, &none,
                                                 NULL, &s.error),
                     SCRIM_E_PARAM);
    }
    for (size_t i = 0; i < 2; i++) {
        scrim_hierarchy_free(trees[i]);
        scrim_plan_free(plans[i]);
    }
    query_scene_end(&s);
}

/* Errors of ranges of a column, over many releases: their squares are those of the deviation, and no more intervals fail than may. */
SLOW_TEST(ranges_of_a_tree_are_as_wrong_as_they_say)
{
    CLAIM("count-tree.interval");
    CLAIM("half-width.sound");
    static const char lines[] = "unit=person\nrows-per-unit=1\ncolumn=age=int[0,31]\n"
                                "missing=age=0\nbudget=epsilon=100000,delta=0.5\n";
    static const struct {
        const char *levels;
        bool is_even;
    } trees[] = {{"BUCKET(age, 8) AS wide,BUCKET(age, 2) AS narrow,age", true},
                 {"BUCKET(age, 12) AS wide,BUCKET(age, 3) AS narrow,age", false}};
    static char bytes[ROWS * 20];
    const uint64_t runs = check_count(40, 2000);
    query_scene s;
    size_t at = (size_t)snprintf(bytes, sizeof bytes, "person,age\n");
    double weights[32] = {0};
    for (int i = 0; i < ROWS; i++)
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "p%d,%d\n", i, i % 32);
    /* 5 to 20: 16 ages, of 13 or 12 people each. */
    double truth = 0;
    for (size_t i = 5; i <= 20; i++) {
        weights[i] = 1;
        truth += i < ROWS % 32 ? ROWS / 32 + 1 : ROWS / 32;
    }
    if (!CHECK(query_scene_begin(&s, lines, bytes)))
        return;
    for (size_t k = 0; k < COUNT(trees); k++) {
        double squares = 0, missed = 0, node_missed = 0, nodes = 0;
        for (uint64_t i = 0; i < runs; i++) {
            char epsilon[40];
            uint64_t id = 0;
            scrim_hierarchy *tree = NULL;
            scrim_hierarchy_sum sum;
            scrim_hierarchy_node node;
            snprintf(epsilon, sizeof epsilon, "0.6%06d", (int)i);
            if (!CHECK_STATUS(
                    release(&s, trees[k].levels, OPTIONS(.epsilon = epsilon), &id),
                    SCRIM_OK) ||
                !CHECK_STATUS(scrim_hierarchy_replay(
                                  s.vault, id, TREE(.confidence = "0.95"), &tree, NULL),
                              SCRIM_OK))
                break;
            REQUIRE_OK(scrim_hierarchy_linear(tree, SCRIM_NO_TABLE, weights, &sum, NULL));
            const double error = (sum.estimate - truth) / sum.deviation;
            squares += error * error;
            missed += truth < sum.low || truth > sum.high;
            /* Chernoff's bound, and not Chebyshev's, which is 4.47 deviations. */
            CHECK((sum.high - sum.low) / 2 < 3.05 * sum.deviation);
            for (size_t v = 0; v < 3; v++) {
                scrim_hierarchy_node_at(tree, v, &node);
                const double width = trees[k].is_even ? 8 : 12;
                double count = ROWS;
                if (v > 0) {
                    count = 0;
                    for (double age = width * ((double)v - 1); age < width * (double)v;
                         age++)
                        count += age < ROWS % 32 ? ROWS / 32 + 1 : ROWS / 32;
                }
                node_missed += count < node.low || count > node.high;
                nodes++;
                CHECK((node.high - node.low) / 2 < 3.9 * node.deviation);
            }
            scrim_hierarchy_free(tree);
        }
        /* The kurtosis of the error is between 3 and 6: its squares have a deviation of at most sqrt(5). */
        if (fabs(squares / (double)runs - 1) > 5 * sqrt(5 / (double)runs))
            CHECK_FAIL("tree %zu: squares are %.3f of the variance", k,
                       squares / (double)runs);
        if (missed > 0.05 * (double)runs + 5 * sqrt(0.0475 * (double)runs))
            CHECK_FAIL("tree %zu: %.0f of %.0f intervals fail", k, missed, (double)runs);
        if (node_missed > 0.05 * nodes + 5 * sqrt(3 * 0.0475 * nodes))
            CHECK_FAIL("tree %zu: %.0f of %.0f nodes fail", k, node_missed, nodes);
    }
    query_scene_end(&s);
}
