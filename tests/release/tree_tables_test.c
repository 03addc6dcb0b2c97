/* Trees whose groups have tables, from end to end: planned, charged, drawn, recorded, and made consistent. */
#include "check.h"
#include "faults.h"
#include "query/query_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define TREE(...) SCRIM_OPTIONS(scrim_hierarchy_options, __VA_ARGS__)
#define ROWS 300

static const char policy[] =
    "unit=person\nrows-per-unit=1\n"
    "column=state=text\nkeys=state=North,South\nmissing=state=North\n"
    "column=county=int[1,9]\nkeys=county=1,2,3\nmissing=county=1\n"
    "column=sex=text\nkeys=sex=Female,Male\nmissing=sex=Male\n"
    "column=ok=bool\n"
    "column=work=text\nkeys=work=none,some,full\nmissing=work=none\n"
    "budget=epsilon=100000,delta=0.5\n";

static bool begin(query_scene *s)
{
    static char bytes[ROWS * 60];
    static const char *const works[] = {"none", "some", "full", "odd"};
    size_t at =
        (size_t)snprintf(bytes, sizeof bytes, "person,state,county,sex,ok,work\n");
    /* Every twentieth row has a value that is not listed, and belongs to no group of any query. */
    for (int i = 0; i < ROWS; i++)
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "p%d,%s,%d,%s,%s,%s\n", i,
                               i % 3 == 0 ? "North" : "South", i % 7 < 4 ? 1 : 3,
                               i % 4 == 0 ? "Female" : "Male", i % 5 == 0 ? "" : "true",
                               works[i % 20 == 7 ? 3 : i % 2]);
    return query_scene_begin(s, policy, bytes);
}

static int64_t true_count(int state, int county, int sex, int ok, int work)
{
    int64_t count = 0;
    for (int i = 0; i < ROWS; i++)
        count += i % 20 != 7 && (state < 0 || (i % 3 == 0 ? 0 : 1) == state) &&
                 (county < 0 || (i % 7 < 4 ? 0 : 2) == county) &&
                 (sex < 0 || (i % 4 == 0 ? 0 : 1) == sex) &&
                 (ok < 0 || (i % 5 == 0 ? 2 : 1) == ok) &&
                 (work < 0 || (i % 2 == 0 ? 1 : 2) == work);
    return count;
}

static const char *const tables[] = {"sex, ok", "work"};

static scrim_status release(query_scene *s, const char *const *queries, size_t count,
                            const scrim_query_options *options, uint64_t *id)
{
    const scrim_hierarchy_design design = {.size = sizeof design,
                                           .levels = "state,county",
                                           .tables = tables,
                                           .table_count = 2,
                                           .queries = queries,
                                           .query_count = count};
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_result_facts facts;
    s->error = (scrim_error){.message = ""};
    scrim_status status = scrim_hierarchy_plan_design(s->vault, "people", &design,
                                                      options, &plan, NULL, &s->error);
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

static int64_t cell_count(const scrim_hierarchy *tree, size_t table, size_t node,
                          size_t cell)
{
    scrim_hierarchy_cell c;
    scrim_hierarchy_cell_at(tree, table, node, cell, &c);
    return c.count;
}

/* Cells add up to their node and to the cell of the parent, in both tables; nothing is negative. */
static void check_sums(const scrim_hierarchy *tree)
{
    scrim_hierarchy_facts facts;
    scrim_hierarchy_describe(tree, &facts);
    CHECK_INT(facts.tables, 2);
    for (size_t t = 0; t < facts.tables; t++) {
        scrim_hierarchy_table table;
        scrim_hierarchy_table_at(tree, t, &table);
        CHECK_INT(table.cells, t == 0 ? 6 : 3);
        int64_t below[9][6] = {{0}};
        for (size_t v = facts.nodes; v-- > 0;) {
            scrim_hierarchy_node node;
            int64_t sum = 0;
            scrim_hierarchy_node_at(tree, v, &node);
            CHECK(node.count >= 0);
            for (size_t i = 0; i < table.cells; i++) {
                const int64_t count = cell_count(tree, t, v, i);
                CHECK(count >= 0);
                sum += count;
                if (v > 0)
                    below[node.parent][i] += count;
                if (node.level < 2)
                    CHECK_INT(count, below[v][i]);
            }
            CHECK_INT(sum, node.count);
        }
    }
}

static void check_truth(const scrim_hierarchy *tree)
{
    for (int v = 0; v < 9; v++) {
        const int state = v == 0  ? -1
                          : v < 3 ? v - 1
                                  : (v - 3) / 3,
                  county = v < 3 ? -1 : (v - 3) % 3;
        scrim_hierarchy_node node;
        scrim_hierarchy_node_at(tree, (size_t)v, &node);
        CHECK_INT(node.count, true_count(state, county, -1, -1, -1));
        for (int i = 0; i < 6; i++)
            CHECK_INT(cell_count(tree, 0, (size_t)v, (size_t)i),
                      true_count(state, county, i / 3, i % 3, -1));
        for (int i = 0; i < 3; i++)
            CHECK_INT(cell_count(tree, 1, (size_t)v, (size_t)i),
                      true_count(state, county, -1, -1, i));
    }
}

/* With hardly any noise the cells are those of the data, whatever is measured. */
SLOW_TEST(tree_tables_hold_the_counts_of_the_data)
{
    CLAIM("tree-tables.adds-up");
    CLAIM("tree-design.shares");
    static const char *const one[] = {"total,sex:1,sex*ok:2,work:3"}, *const each[] = {
                                                                          "sex,work",
                                                                          "total",
                                                                          "work,sex*ok"};
    static const struct {
        const char *const *queries;
        size_t count;
        const char *shares, *first;
    } cases[] = {
        {NULL, 0, NULL, "laplace sensitivity=1 epsilon=100 neighbours=add-remove"},
        {one, 1, "1,2,1", "laplace sensitivity=1 epsilon=225/7 neighbours=add-remove"},
        {each, 3, "1,1,2", ""},
        {each, 3, "1,0,2", ""}};
    query_scene s;
    if (begin(&s))
        for (size_t i = 0; i < COUNT(cases); i++) {
            uint64_t id = 0;
            scrim_hierarchy *tree = NULL;
            scrim_hierarchy_level level;
            scrim_hierarchy_cell cell;
            if (!CHECK_STATUS(release(&s, cases[i].queries, cases[i].count,
                                      OPTIONS(.epsilon = "900", .delta = "0",
                                              .shares = cases[i].shares),
                                      &id),
                              SCRIM_OK) ||
                !CHECK_STATUS(scrim_hierarchy_replay(s.vault, id, NULL, &tree, &s.error),
                              SCRIM_OK)) {
                CHECK_STR(s.error.message, "");
                break;
            }
            scrim_hierarchy_level_at(tree, 0, &level);
            CHECK_STR(level.measurement, cases[i].first);
            check_truth(tree);
            check_sums(tree);
            scrim_hierarchy_cell_at(tree, 0, 4, 5, &cell);
            CHECK_STR(cell.keys[0], "Male");
            CHECK(cell.keys[1] == NULL);
            scrim_hierarchy_free(tree);
            query_scene_end(&s);
            if (!begin(&s))
                break;
        }
    query_scene_end(&s);
}

static void check_noisy(query_scene *s, const scrim_query_options *options,
                        const char *const *known, size_t known_count)
{
    static const char *const queries[] = {"total,sex,ok:2,work,sex*ok"};
    uint64_t id = 0;
    scrim_hierarchy *tree = NULL;
    if (CHECK_STATUS(release(s, queries, 1, options, &id), SCRIM_OK) &&
        CHECK_STATUS(scrim_hierarchy_replay(
                         s->vault, id, TREE(.known = known, .known_count = known_count),
                         &tree, &s->error),
                     SCRIM_OK)) {
        scrim_hierarchy_node node;
        check_sums(tree);
        scrim_hierarchy_node_at(tree, 0, &node);
        if (known_count > 0)
            CHECK_INT(node.count, 285);
    } else {
        CHECK_STR(s->error.message, "");
    }
    scrim_hierarchy_free(tree);
}

SLOW_TEST(tree_tables_add_up_whatever_the_noise)
{
    CLAIM("tree-tables.adds-up");
    static const char *const known[] = {"total:285", "state=North,county=2:0"};
    query_scene s;
    if (begin(&s)) {
        check_noisy(&s, OPTIONS(.epsilon = "0.5"), NULL, 0);
        check_noisy(&s, OPTIONS(.epsilon = "0.1", .shares = "1,0,1"), NULL, 0);
        check_noisy(&s, OPTIONS(.epsilon = "0.2"), known, 2);
        check_noisy(&s,
                    OPTIONS(.epsilon = "0.3", .delta = "1e-6", .mechanism = "gaussian"),
                    known, 1);
    }
    query_scene_end(&s);
}

/* A cell of the root is a linear function of cells of leaves, and so is a node. */
TEST(linear_functions_of_trees_have_the_variance_of_their_parts)
{
    CLAIM("table-effects.best");
    query_scene s;
    uint64_t id = 0;
    scrim_hierarchy *tree = NULL;
    scrim_hierarchy_cell cell;
    scrim_hierarchy_node node;
    scrim_hierarchy_sum sum;
    double weights[36] = {0}, ones[6] = {1, 1, 1, 0, 0, 0};
    for (size_t v = 0; v < 6; v++)
        weights[v * 6 + 4] = 1;
    if (begin(&s) &&
        CHECK_STATUS(release(&s, NULL, 0, OPTIONS(.epsilon = "1"), &id), SCRIM_OK) &&
        CHECK_STATUS(scrim_hierarchy_replay(s.vault, id, NULL, &tree, &s.error),
                     SCRIM_OK)) {
        /* Nothing is past the last. */
        const char *keys[SCRIM_TABLE_COLUMNS] = {NULL};
        scrim_hierarchy_node nothing;
        scrim_hierarchy_level level;
        scrim_hierarchy_table table;
        scrim_hierarchy_query query;
        scrim_hierarchy_cell_at(tree, 9, 0, 0, &cell);
        CHECK(cell.estimate == 0 && cell.keys[0] == NULL);
        scrim_hierarchy_cell_at(tree, 0, SIZE_MAX, 0, &cell);
        CHECK(cell.estimate == 0 && cell.deviation == 0);
        scrim_hierarchy_cell_at(tree, 0, 0, SIZE_MAX, &cell);
        CHECK(cell.estimate == 0 && cell.deviation == 0);
        scrim_hierarchy_node_at(tree, SIZE_MAX, &nothing);
        CHECK(nothing.deviation == 0 && nothing.key == NULL);
        scrim_hierarchy_level_at(tree, 99, &level);
        CHECK(level.deviation == 0);
        scrim_hierarchy_table_at(tree, 99, &table);
        CHECK_INT(table.columns, 0);
        scrim_hierarchy_query_at(tree, SIZE_MAX, &query);
        CHECK(query.measurement == NULL);
        CHECK_INT(scrim_hierarchy_noisy_at(tree, SIZE_MAX, 0, 0, keys), 0);
        CHECK_INT(scrim_hierarchy_noisy_at(tree, 0, SIZE_MAX, 0, keys), 0);
        CHECK_STATUS(scrim_hierarchy_linear(tree, 99, weights, &sum, NULL),
                     SCRIM_E_PARAM);
        scrim_hierarchy_cell_at(tree, 0, 0, 4, &cell);
        CHECK_STATUS(scrim_hierarchy_linear(tree, 0, weights, &sum, NULL), SCRIM_OK);
        CHECK_NEAR(sum.estimate, cell.estimate, 1e-9);
        CHECK_NEAR(sum.deviation, cell.deviation, 1e-9);
        scrim_hierarchy_node_at(tree, 1, &node);
        CHECK_STATUS(scrim_hierarchy_linear(tree, SCRIM_NO_TABLE, ones, &sum, NULL),
                     SCRIM_OK);
        CHECK_NEAR(sum.estimate, node.estimate, 1e-9);
        CHECK_NEAR(sum.deviation, node.deviation, 1e-9);
        CHECK(sum.low < sum.estimate && sum.estimate < sum.high);
    }
    scrim_hierarchy_free(tree);
    query_scene_end(&s);
}

/* How often the intervals of all cells of the first table hold. */
static void check_coverage(query_scene *s, const char *noise)
{
    static const char *const queries[] = {"total,sex,sex*ok,work"};
    const uint64_t runs = check_count(12, 1000);
    double held = 0, total = 0, widths = 0, deviations = 0;
    for (uint64_t r = 0; r < runs; r++) {
        char epsilon[40];
        uint64_t id = 0;
        scrim_hierarchy *tree = NULL;
        snprintf(epsilon, sizeof epsilon, "0.5%06d", (int)r);
        if (!CHECK_STATUS(
                release(s, queries, 1,
                        OPTIONS(.epsilon = epsilon, .delta = "1e-6", .mechanism = noise),
                        &id),
                SCRIM_OK) ||
            !CHECK_STATUS(scrim_hierarchy_replay(s->vault, id, TREE(.confidence = "0.9"),
                                                 &tree, &s->error),
                          SCRIM_OK))
            return;
        for (int v = 0; v < 9; v++)
            for (int i = 0; i < 6; i++) {
                scrim_hierarchy_cell cell;
                const int state = v == 0  ? -1
                                  : v < 3 ? v - 1
                                          : (v - 3) / 3,
                          county = v < 3 ? -1 : (v - 3) % 3;
                const double truth = (double)true_count(state, county, i / 3, i % 3, -1);
                scrim_hierarchy_cell_at(tree, 0, (size_t)v, (size_t)i, &cell);
                held += cell.low <= truth && truth <= cell.high;
                deviations += (cell.estimate - truth) * (cell.estimate - truth) /
                              (cell.deviation * cell.deviation);
                widths += (cell.high - cell.low) / 2 / cell.deviation;
                total++;
            }
        scrim_hierarchy_free(tree);
    }
    /* Six deviations below 0.9, as if the cells of a tree were one. */
    if (held / total < 0.9 - 6 * sqrt(0.09 / (double)runs))
        CHECK_FAIL("%s: intervals hold in %.3f", noise, held / total);
    /* The estimates are as far from the truth as their deviations say, and intervals are not those of any noise at all. */
    if (fabs(deviations / total - 1) > 6 * sqrt(3 / (double)runs))
        CHECK_FAIL("%s: squares are %.3f of the variance", noise, deviations / total);
    CHECK(widths / total < 0.99 * sqrt(1 / 0.1));
}

SLOW_TEST(intervals_of_tree_tables_hold)
{
    CLAIM("count-tree.interval");
    query_scene s;
    if (begin(&s)) {
        check_coverage(&s, "laplace");
        check_coverage(&s, "gaussian");
    }
    query_scene_end(&s);
}

/* Far from 0 the last step changes little, and the simulated intervals of cells hold as often as they say. */
static void check_simulated(query_scene *s, const char *noise, double *held,
                            double *total)
{
    const uint64_t runs = check_count(20, 1000);
    for (uint64_t r = 0; r < runs; r++) {
        char epsilon[40];
        uint64_t id = 0;
        scrim_hierarchy *tree = NULL;
        snprintf(epsilon, sizeof epsilon, "8.%06d", (int)r);
        if (!CHECK_STATUS(
                release(s, NULL, 0,
                        OPTIONS(.epsilon = epsilon, .delta = "1e-6", .mechanism = noise),
                        &id),
                SCRIM_OK) ||
            !CHECK_STATUS(scrim_hierarchy_replay(
                              s->vault, id, TREE(.confidence = "0.9", .simulations = 200),
                              &tree, &s->error),
                          SCRIM_OK))
            return;
        for (int v = 0; v < 3; v++)
            for (int i = 0; i < 6; i++) {
                scrim_hierarchy_cell cell;
                const int64_t truth = true_count(v - 1, -1, i / 3, i % 3, -1);
                scrim_hierarchy_cell_at(tree, 0, (size_t)v, (size_t)i, &cell);
                CHECK(cell.simulated_low <= cell.simulated_high);
                if (truth < 10)
                    continue;
                *held += cell.simulated_low <= truth && truth <= cell.simulated_high;
                ++*total;
            }
        scrim_hierarchy_free(tree);
    }
}

/* Cells of different groups are nearly independent: of 12 cells a release at least 4 are as if they were. */
SLOW_TEST(simulated_intervals_of_cells_hold_far_from_zero)
{
    CLAIM("simulated-tables.public");
    static const char *const noises[] = {"laplace", "gaussian"};
    query_scene s;
    if (begin(&s))
        for (size_t i = 0; i < COUNT(noises); i++) {
            double held = 0, total = 0;
            check_simulated(&s, noises[i], &held, &total);
            if (CHECK(total > 0) &&
                fabs(held / total - 0.91) > 0.03 + 5 * sqrt(0.09 / (total / 3)))
                CHECK_FAIL("%s: simulated intervals hold in %.3f of %.0f", noises[i],
                           held / total, total);
        }
    query_scene_end(&s);
}

/* The same release has the same simulated intervals, with and without known counts; cells of a count that is known to be 0 are 0. */
SLOW_TEST(simulations_of_tables_repeat)
{
    CLAIM("simulated-tables.public");
    static const char *const known[] = {"total:285", "state=North,county=2:0"};
    query_scene s;
    uint64_t id = 0;
    if (begin(&s) &&
        CHECK_STATUS(release(&s, NULL, 0, OPTIONS(.epsilon = "1"), &id), SCRIM_OK))
        for (size_t count = 0; count <= 2; count += 2) {
            scrim_hierarchy *trees[2] = {NULL, NULL};
            for (size_t i = 0; i < 2; i++)
                REQUIRE_OK(scrim_hierarchy_replay(
                    s.vault, id,
                    TREE(.simulations = 50, .known = known, .known_count = count),
                    &trees[i], &s.error));
            for (size_t v = 0; v < 9; v++)
                for (size_t k = 0; k < 9; k++) {
                    scrim_hierarchy_cell a, b;
                    const size_t table = k < 6 ? 0 : 1, cell = k < 6 ? k : k - 6;
                    scrim_hierarchy_cell_at(trees[0], table, v, cell, &a);
                    scrim_hierarchy_cell_at(trees[1], table, v, cell, &b);
                    CHECK_INT(a.simulated_low, b.simulated_low);
                    CHECK_INT(a.simulated_high, b.simulated_high);
                    CHECK(0 <= a.simulated_low && a.simulated_low <= a.simulated_high);
                    if (count == 2 && v == 4)
                        CHECK_INT(a.simulated_high, 0);
                }
            scrim_hierarchy_free(trees[0]);
            scrim_hierarchy_free(trees[1]);
        }
    scrim_hierarchy *large = NULL;
    CHECK_STATUS(scrim_hierarchy_replay(s.vault, id, TREE(.simulations = 1000000), &large,
                                        &s.error),
                 SCRIM_E_LIMIT);
    CHECK_STR(s.error.message, "the tree is too large to be simulated so often: counts "
                               "times simulations must be at most 33554432");
    query_scene_end(&s);
}

static void check_refused(query_scene *s, scrim_hierarchy_design design,
                          const char *shares, scrim_status status, const char *message)
{
    scrim_plan *plan = NULL;
    design.size = sizeof design;
    CHECK_STATUS(scrim_hierarchy_plan_design(s->vault, "people", &design,
                                             OPTIONS(.epsilon = "1", .shares = shares),
                                             &plan, NULL, &s->error),
                 status);
    CHECK_STR(s->error.message, message);
    scrim_plan_free(plan);
}

TEST(tree_tables_refuse_what_is_no_design)
{
    query_scene s;
#define DESIGN(...)                                                                      \
    (scrim_hierarchy_design)                                                             \
    {                                                                                    \
        .levels = "state,county", __VA_ARGS__                                            \
    }
    if (begin(&s)) {
        static const char *const twice[] = {"sex", "work,sex"},
                                 *const level[] = {"state"}, *const empty[] = {"sex,,ok"},
                                 *const good[] = {"sex,ok"};
        static const char not_whole[] =
            "the last level must measure all cells of every table";
        check_refused(&s, DESIGN(.tables = twice, .table_count = 2), NULL, SCRIM_E_PARAM,
                      "the column sex is given twice; a column of two tables must be a "
                      "level");
        check_refused(&s, DESIGN(.tables = level, .table_count = 1), NULL, SCRIM_E_PARAM,
                      "the column state is given twice; a column of two tables must be a "
                      "level");
        check_refused(&s, DESIGN(.tables = empty, .table_count = 1), NULL, SCRIM_E_PARAM,
                      "a table must be 1 to 6 columns, as in sex,race");
        const char *queries[] = {"total,sex", "total", "sexx:1"};
        check_refused(&s,
                      DESIGN(.tables = good, .table_count = 1, .queries = queries,
                             .query_count = 1),
                      NULL, SCRIM_E_PARAM, not_whole);
        check_refused(&s,
                      DESIGN(.tables = good, .table_count = 1, .queries = queries,
                             .query_count = 2),
                      NULL, SCRIM_E_PARAM,
                      "queries must be given once, or 3 times: for all rows and for each "
                      "level");
        check_refused(&s,
                      DESIGN(.tables = good, .table_count = 1, .queries = queries,
                             .query_count = 3),
                      NULL, SCRIM_E_PARAM,
                      "'sexx:1' is not a query; write total, or columns of one table, as "
                      "in total,sex:1,sex*race:2");
        queries[0] = "sex*ok,ok*sex";
        check_refused(&s,
                      DESIGN(.tables = good, .table_count = 1, .queries = queries,
                             .query_count = 1),
                      NULL, SCRIM_E_PARAM, "a query is given twice for one level");
        queries[0] = "sex*ok:999983,total:999979";
        check_refused(&s,
                      DESIGN(.tables = good, .table_count = 1, .queries = queries,
                             .query_count = 1),
                      "999961,1,1", SCRIM_E_PARAM,
                      "the shares of levels and queries differ too much; use smaller "
                      "integers");
    }
    query_scene_end(&s);
}

/* A plan knows all errors before anything is charged, and the release has them. */
TEST(trees_are_expected_as_they_are_released)
{
    CLAIM("count-tree.released");
    static const scrim_hierarchy_design design = {.size = sizeof design,
                                                  .levels = "state,county",
                                                  .tables = tables,
                                                  .table_count = 2};
    query_scene s;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_result_facts facts;
    scrim_hierarchy *expected = NULL, *tree = NULL;
    if (begin(&s) &&
        CHECK_STATUS(scrim_hierarchy_plan_design(s.vault, "people", &design,
                                                 OPTIONS(.epsilon = "1"), &plan, NULL,
                                                 &s.error),
                     SCRIM_OK) &&
        CHECK_STATUS(scrim_hierarchy_expect(plan, NULL, &expected, &s.error), SCRIM_OK) &&
        CHECK_STATUS(scrim_query_run(s.vault, plan, &result, &s.error), SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        CHECK_STATUS(
            scrim_hierarchy_replay(s.vault, facts.release, NULL, &tree, &s.error),
            SCRIM_OK);
        for (size_t i = 0; i < 3; i++) {
            scrim_hierarchy_level a, b;
            scrim_hierarchy_cell c, d;
            scrim_hierarchy_level_at(expected, i, &a);
            scrim_hierarchy_level_at(tree, i, &b);
            CHECK_STR(a.measurement, b.measurement);
            CHECK_INT(a.count, b.count);
            CHECK(a.deviation > 0 && a.deviation == b.deviation);
            CHECK(a.half_width > 0 && a.half_width == b.half_width);
            CHECK(a.lower >= 0 && a.lower == b.lower && a.lower < a.bound);
            scrim_hierarchy_cell_at(expected, 1, a.first, 0, &c);
            scrim_hierarchy_cell_at(tree, 1, a.first, 0, &d);
            CHECK_INT(c.count, 0);
            CHECK(c.deviation > 0 && c.deviation == d.deviation);
        }
    }
    scrim_hierarchy_free(tree);
    scrim_hierarchy_free(expected);
    scrim_result_free(result);
    scrim_plan_free(plan);
    query_scene_end(&s);
}

/* Levels of one column: groups that cannot be are not there, so that a county lies in one state. */
TEST(trees_of_nested_levels)
{
    CLAIM("possible-keys.all");
    CLAIM("noisy-tree.whole");
    static const char lines[] =
        "unit=person\nrows-per-unit=1\n"
        "column=place=text\nkeys=place=A1,A2,B1,B2,B3\nmissing=place=A1\n"
        "column=age=int[0,15]\nmissing=age=0\nbudget=epsilon=5000\n";
    static const int64_t want[] = {90, 36, 54, 18, 18, 18, 18, 18};
    char bytes[4000] = "person,place,age\n";
    query_scene s;
    size_t at = strlen(bytes);
    for (int i = 0; i < 90; i++)
        at += (size_t)snprintf(bytes + at, sizeof bytes - at, "p%d,%s%d,%d\n", i,
                               i % 5 < 2 ? "A" : "B", i % 5 < 2 ? i % 5 + 1 : i % 5 - 1,
                               i % 16);
    scrim_hierarchy *tree = NULL;
    for (int part = 0; part < 2; part++) {
        const scrim_hierarchy_design design = {
            .size = sizeof design,
            .levels = part == 0 ? "SUBSTR(place, 1, 1) as area, place"
                                : "BUCKET(age, 8) AS wide,BUCKET(age, 2) AS narrow,age"};
        scrim_plan *plan = NULL;
        scrim_result *result = NULL;
        scrim_result_facts facts;
        scrim_hierarchy_facts shown;
        scrim_hierarchy_level level;
        if (query_scene_begin(&s, lines, bytes) &&
            CHECK_STATUS(scrim_hierarchy_plan_design(s.vault, "people", &design,
                                                     OPTIONS(.epsilon = "300"), &plan,
                                                     NULL, &s.error),
                         SCRIM_OK) &&
            CHECK_STATUS(scrim_query_run(s.vault, plan, &result, &s.error), SCRIM_OK)) {
            scrim_result_describe(result, &facts);
            CHECK_STATUS(
                scrim_hierarchy_replay(s.vault, facts.release, NULL, &tree, &s.error),
                SCRIM_OK);
            scrim_hierarchy_describe(tree, &shown);
            CHECK_INT(shown.nodes, part == 0 ? 8 : 1 + 2 + 8 + 16);
            scrim_hierarchy_level_at(tree, 1, &level);
            CHECK_STR(level.name, part == 0 ? "area" : "wide");
            for (size_t v = 0; part == 0 && v < COUNT(want); v++) {
                scrim_hierarchy_node node;
                scrim_hierarchy_node_at(tree, v, &node);
                CHECK_INT(node.count, want[v]);
            }
        } else {
            CHECK_STR(s.error.message, "");
        }
        scrim_hierarchy_free(tree);
        scrim_result_free(result);
        scrim_plan_free(plan);
        tree = NULL;
        query_scene_end(&s);
    }
}

/* Whatever allocation fails, a tree is planned, expected and shown whole or not at all. */
FAULT_TEST(tree_tables_survive_without_memory)
{
    static const char *const queries[] = {"total,sex*ok,work", "total",
                                          "sex,sex*ok,work"};
    const scrim_hierarchy_design design = {.size = sizeof design,
                                           .levels = "state,county",
                                           .tables = tables,
                                           .table_count = 2,
                                           .queries = queries,
                                           .query_count = 3};
    const char *known = "total:285";
    query_scene s;
    uint64_t id = 0;
    scrim_status status = SCRIM_OK;
    scrim_plan *plan = NULL;
    if (begin(&s) &&
        CHECK_STATUS(release(&s, queries, 3, OPTIONS(.epsilon = "1"), &id), SCRIM_OK)) {
        FAULT_LOOP(planned)
        {
            scrim_plan_free(plan);
            plan = NULL;
            status = scrim_hierarchy_plan_design(s.vault, "people", &design,
                                                 OPTIONS(.epsilon = "2"), &plan, NULL,
                                                 &s.error);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
        }
        CHECK_STATUS(status, SCRIM_OK);
        FAULT_LOOP(expected)
        {
            scrim_hierarchy *tree = NULL;
            status = scrim_hierarchy_expect(plan, NULL, &tree, &s.error);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            scrim_hierarchy_free(tree);
        }
        CHECK_STATUS(status, SCRIM_OK);
        FAULT_LOOP(shown)
        {
            scrim_hierarchy *tree = NULL;
            status = scrim_hierarchy_replay(
                s.vault, id, TREE(.known = &known, .known_count = 1), &tree, &s.error);
            if (status == SCRIM_OK)
                check_sums(tree);
            else
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            scrim_hierarchy_free(tree);
        }
        CHECK_STATUS(status, SCRIM_OK);
        /* All runs of a simulation are alike: every 23rd allocation meets them at different places. */
        FAULT_LOOP(simulated)
        {
            scrim_hierarchy *tree = NULL;
            simulated.nth += 22;
            status = scrim_hierarchy_replay(
                s.vault, id, TREE(.known = &known, .known_count = 1, .simulations = 40),
                &tree, &s.error);
            if (status != SCRIM_OK)
                CHECK_STATUS(status, SCRIM_E_MEMORY);
            scrim_hierarchy_free(tree);
        }
        CHECK_STATUS(status, SCRIM_OK);
    }
    scrim_plan_free(plan);
    query_scene_end(&s);
}
