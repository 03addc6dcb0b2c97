/* Trees of counts where a unit has several rows: all levels count the same rows, and no unit costs more than what is charged. */
#include "base/number/own.h"
#include "base/number/ratio.h"
#include "check.h"
#include "query/plan/plan_model.h"
#include "query/query_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define COLUMNS                                                                          \
    "column=sex=text\nkeys=sex=f,m\nmissing=sex=f\n"                                     \
    "column=part=int[1,9]\nkeys=part=1,2\nmissing=part=1\n"                              \
    "column=kind=text\nkeys=kind=a,b\nmissing=kind=a\n"                                  \
    "budget=epsilon=100000,delta=0.5\n"
#define LEAVES 4
#define PEOPLE 60

static scrim_plan *make_plan(query_scene *s, const scrim_hierarchy_design *design,
                             const scrim_query_options *options, scrim_status want)
{
    scrim_plan *plan = NULL;
    CHECK_STATUS(scrim_hierarchy_plan_design(s->vault, "people", design, options, &plan,
                                             NULL, &s->error),
                 want);
    return plan;
}

/* The same rows on all levels. */

/* Everybody has `rows` rows in each of the eight cells; and one more that is not listed. */
static void write_rows(char *text, size_t capacity, int rows)
{
    size_t at = (size_t)snprintf(text, capacity, "who,sex,part,kind\n");
    for (int i = 0; i < PEOPLE; i++)
        for (int k = 0; k < 8 * rows; k++)
            at += (size_t)snprintf(text + at, capacity - at, "p%d,%s,%d,%s\n", i,
                                   k % 2 == 0 ? "f" : "m", k % 4 < 2 ? 1 : 2,
                                   k % 8 < 4 ? "a" : "b");
    for (int i = 0; i < PEOPLE; i++)
        at += (size_t)snprintf(text + at, capacity - at, "p%d,m,7,a\n", i);
}

/* Noise is 0 at such an epsilon: a unit moves a sum by at most 8, there are at most 6 queries and some 60 counts, so that the
 * probability of any other noise is below 120 e^(-1000/48), 2e-7. */
static void check_sums(query_scene *s, const scrim_hierarchy_design *design,
                       int64_t expected)
{
    scrim_plan *plan = make_plan(s, design, OPTIONS(.epsilon = "1000"), SCRIM_OK);
    scrim_result *result = NULL;
    scrim_hierarchy *tree = NULL;
    scrim_hierarchy_facts facts;
    scrim_result_facts answer;
    if (plan != NULL &&
        CHECK_STATUS(scrim_query_run(s->vault, plan, &result, &s->error), SCRIM_OK)) {
        scrim_result_describe(result, &answer);
        REQUIRE_OK(
            scrim_hierarchy_replay(s->vault, answer.release, NULL, &tree, &s->error));
        scrim_hierarchy_describe(tree, &facts);
        int64_t sums[64] = {0};
        scrim_hierarchy_node node;
        REQUIRE(facts.nodes <= COUNT(sums));
        for (size_t i = facts.nodes; i-- > 1;) {
            scrim_hierarchy_node_at(tree, i, &node);
            CHECK(node.is_measured);
            sums[node.parent] += node.noisy;
            if (node.level + 1 < facts.levels)
                CHECK_INT(node.noisy, sums[i]);
        }
        scrim_hierarchy_node_at(tree, 0, &node);
        CHECK_INT(node.noisy, sums[0]);
        CHECK_INT(node.noisy, expected);
        for (size_t i = 0; i < facts.queries; i++) {
            scrim_hierarchy_query query;
            const char *keys[SCRIM_TABLE_COLUMNS];
            int64_t sum = 0;
            scrim_hierarchy_query_at(tree, i, &query);
            scrim_hierarchy_level level;
            scrim_hierarchy_level_at(tree, query.level, &level);
            for (size_t n = 0; n < level.count; n++)
                for (size_t c = 0; c < query.cells; c++)
                    sum += scrim_hierarchy_noisy_at(tree, i, level.first + n, c, keys);
            CHECK_INT(sum, expected);
        }
    }
    scrim_hierarchy_free(tree);
    scrim_result_free(result);
    scrim_plan_free(plan);
}

SLOW_TEST(nested_trees_count_the_same_rows_on_all_levels)
{
    CLAIM("nested-groups.sum");
    CLAIM("level-queries.same");
    static const struct {
        const char *bounds;
        int rows;
        int64_t of_tree, of_table; /* rows of everybody that count */
    } cases[] = {{"max-groups=2\nmax-rows=2\n", 5, (int64_t)2 * 2, (int64_t)2 * 2},
                 {"max-groups=3\nmax-rows=2\n", 1, (int64_t)3 * 2, (int64_t)3 * 1},
                 {"max-groups=1\nmax-rows=5\n", 2, 4, 2},
                 {"max-groups=9\nmax-rows=1\n", 2, 4, 8},
                 {"rows-per-unit=1\n", 2, 1, 1}};
    static char bytes[PEOPLE * 1000];
    const char *table = "kind", *measured = "total,kind";
    const scrim_hierarchy_design plain = {.size = sizeof plain, .levels = "sex,part"};
    const scrim_hierarchy_design with = {.size = sizeof with,
                                         .levels = "sex,part",
                                         .tables = &table,
                                         .table_count = 1,
                                         .queries = &measured,
                                         .query_count = 1};
    const char *tables[] = {"part", "kind"};
    const scrim_hierarchy_design several = {
        .size = sizeof several, .levels = "sex", .tables = tables, .table_count = 2};
    for (size_t i = 0; i < COUNT(cases); i++) {
        query_scene s;
        char policy[500];
        snprintf(policy, sizeof policy, "unit=who\n%s%s", cases[i].bounds, COLUMNS);
        write_rows(bytes, sizeof bytes, cases[i].rows);
        if (query_scene_begin(&s, policy, bytes)) {
            check_sums(&s, &plain, PEOPLE * cases[i].of_tree);
            check_sums(&s, &with, PEOPLE * cases[i].of_table);
            check_sums(&s, &several, PEOPLE * cases[i].of_table);
        }
        query_scene_end(&s);
    }
}

/* The loss. */

/* The number behind a name in a measurement, "laplace sensitivity=6 epsilon=1/3 ..."; false
 * where the name is missing. */
static bool read_number(const char *line, const char *name, sc_ratio *out)
{
    const char *at = strstr(line, name);
    if (at == NULL)
        return false;
    at += strlen(name);
    return sc_ratio_parse((sc_text){at, strcspn(at, " ")}, out, NULL) == SCRIM_OK;
}

/* How far a unit moves the groups of a level: 0 all rows, 1 the sexes, 2 the leaves. */
static void norms(const int moved[LEAVES], size_t level, int64_t *l1, int64_t *squares)
{
    const size_t width = level == 0 ? 4 : level == 1 ? 2 : 1;
    *l1 = *squares = 0;
    for (size_t i = 0; i < LEAVES; i += width) {
        int sum = 0;
        for (size_t k = 0; k < width; k++)
            sum += moved[i + k];
        *l1 += abs(sum);
        *squares += (int64_t)sum * sum;
    }
}

/* The parts of a plan: what is charged for each, divided by how far it is for (or its square). */
typedef struct rates {
    bool is_gaussian;
    sc_ratio each[3], charged;
} rates;

static void rates_init(rates *r)
{
    for (size_t i = 0; i < 3; i++)
        sc_ratio_init(&r->each[i]);
    sc_ratio_init(&r->charged);
}

static void rates_clear(rates *r)
{
    for (size_t i = 0; i < 3; i++)
        sc_ratio_clear(&r->each[i]);
    sc_ratio_clear(&r->charged);
}

static bool read_rates(const scrim_plan *plan, rates *r)
{
    SC_OWN(sc_ratio, far);
    bool is_read = plan->statement_count == 3;
    for (size_t i = 0; is_read && i < 3; i++) {
        const char *line =
            scrim_measurement_text(plan->statements[i].parts[0].measurement);
        is_read = read_number(line, "sensitivity=", &far) &&
                  read_number(line, r->is_gaussian ? "rho=" : "epsilon=", &r->each[i]);
        sc_ratio_add(&r->charged, &r->charged, &r->each[i]);
        if (r->is_gaussian)
            sc_ratio_mul(&far, &far, &far);
        sc_ratio_div(&r->each[i], &r->each[i], &far);
    }
    return is_read;
}

static void loss_of(const rates *r, const int moved[LEAVES], sc_ratio *loss)
{
    SC_OWN(sc_ratio, part);
    sc_ratio_set_int64(loss, 0);
    for (size_t i = 0; i < 3; i++) {
        int64_t l1, squares;
        norms(moved, i, &l1, &squares);
        sc_ratio_set_int64(&part, r->is_gaussian ? squares : l1);
        sc_ratio_mul(&part, &part, &r->each[i]);
        sc_ratio_add(loss, loss, &part);
    }
}

/* All that a unit can contribute; returns how many. */
static size_t list_units(int groups, int rows, int out[][LEAVES])
{
    size_t count = 0;
    int all = 1;
    for (int i = 0; i < LEAVES; i++)
        all *= rows + 1;
    for (int code = 0; code < all; code++) {
        int used = 0, rest = code;
        for (int i = 0; i < LEAVES; i++, rest /= rows + 1) {
            out[count][i] = rest % (rows + 1);
            used += out[count][i] > 0;
        }
        count += used <= groups;
    }
    return count;
}

static void check_loss(const scrim_plan *plan, int groups, int rows, bool is_gaussian)
{
    static int units[256][LEAVES];
    const size_t count = list_units(groups, rows, units);
    const bool is_replace = plan->neighbours == SCRIM_REPLACE;
    SC_OWN(sc_ratio, loss, worst);
    rates r = {.is_gaussian = is_gaussian};
    rates_init(&r);
    if (CHECK(read_rates(plan, &r)))
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < (is_replace ? count : 1); k++) {
                int moved[LEAVES];
                for (size_t j = 0; j < LEAVES; j++)
                    moved[j] = units[i][j] - (is_replace ? units[k][j] : 0);
                loss_of(&r, moved, &loss);
                CHECK(sc_ratio_compare(&loss, &r.charged) <= 0);
                if (sc_ratio_compare(&loss, &worst) > 0)
                    sc_ratio_set(&worst, &loss);
            }
    /* Laplace noise with people that are added: what is charged is attained, as all rows may be of one sex. */
    if (!is_gaussian && !is_replace && groups <= 2)
        CHECK_INT(sc_ratio_compare(&worst, &r.charged), 0);
    rates_clear(&r);
}

SLOW_TEST(nested_trees_charge_for_the_worst_unit)
{
    CLAIM("plan.nested");
    static const char *const relations[] = {"add-remove", "replace"};
    const scrim_hierarchy_design design = {.size = sizeof design, .levels = "sex,part"};
    for (int groups = 1; groups <= LEAVES; groups++)
        for (int rows = 1; rows <= 3; rows++)
            for (size_t n = 0; n < COUNT(relations); n++) {
                query_scene s;
                char policy[500];
                snprintf(policy, sizeof policy,
                         "unit=who\nmax-groups=%d\nmax-rows=%d\nneighbours=%s\n%s",
                         groups, rows, relations[n], COLUMNS);
                if (query_scene_begin(&s, policy, "who,sex,part,kind\n"))
                    for (int g = 0; g < 2; g++) {
                        scrim_plan *plan = make_plan(
                            &s, &design,
                            OPTIONS(.epsilon = "1", .delta = "1e-6", .shares = "1,2,3",
                                    .mechanism = g == 0 ? "laplace" : "gaussian"),
                            SCRIM_OK);
                        if (plan != NULL)
                            check_loss(plan, groups, rows, g == 1);
                        scrim_plan_free(plan);
                    }
                query_scene_end(&s);
            }
}

/* Several tables: queries by some of the three columns sex, part and kind, whose eight cells bound the rows. */

/* By column: does the query group by it? All rows, part, kind; and the same by sex. */
static const unsigned grouped[] = {0, 2, 4, 1, 3, 5};
#define CELLS 8

/* The sum over queries of what a unit moves each by (or of its squares), times what is charged for one step. */
static void loss_of_cells(const sc_ratio *each, const int moved[CELLS], bool is_gaussian,
                          sc_ratio *loss)
{
    SC_OWN(sc_ratio, part);
    sc_ratio_set_int64(loss, 0);
    for (size_t q = 0; q < COUNT(grouped); q++) {
        int64_t sums[CELLS] = {0}, far = 0;
        for (unsigned i = 0; i < CELLS; i++)
            sums[i & grouped[q]] += moved[i];
        for (unsigned i = 0; i < CELLS; i++)
            far += is_gaussian ? sums[i] * sums[i] : llabs(sums[i]);
        sc_ratio_set_int64(&part, far);
        sc_ratio_mul(&part, &part, &each[q]);
        sc_ratio_add(loss, loss, &part);
    }
}

static void check_loss_of_cells(const scrim_plan *plan, int groups, int rows,
                                bool is_gaussian)
{
    sc_ratio each[COUNT(grouped)];
    SC_OWN(sc_ratio, far, charged, loss, worst);
    REQUIRE(plan->statement_count == COUNT(grouped));
    for (size_t q = 0; q < COUNT(grouped); q++) {
        const char *line =
            scrim_measurement_text(plan->statements[q].parts[0].measurement);
        sc_ratio_init(&each[q]);
        CHECK(read_number(line, "sensitivity=", &far) &&
              read_number(line, is_gaussian ? "rho=" : "epsilon=", &each[q]));
        sc_ratio_add(&charged, &charged, &each[q]);
        if (is_gaussian)
            sc_ratio_mul(&far, &far, &far);
        sc_ratio_div(&each[q], &each[q], &far);
    }
    int all = 1;
    for (int i = 0; i < CELLS; i++)
        all *= rows + 1;
    for (int code = 0; code < all; code++) {
        int moved[CELLS], used = 0, rest = code;
        for (int i = 0; i < CELLS; i++, rest /= rows + 1) {
            moved[i] = rest % (rows + 1);
            used += moved[i] > 0;
        }
        if (used > groups)
            continue;
        loss_of_cells(each, moved, is_gaussian, &loss);
        CHECK(sc_ratio_compare(&loss, &charged) <= 0);
        if (sc_ratio_compare(&loss, &worst) > 0)
            sc_ratio_set(&worst, &loss);
    }
    /* Laplace noise: every row moves every query by one, so that what is charged is attained. */
    if (!is_gaussian)
        CHECK_INT(sc_ratio_compare(&worst, &charged), 0);
    for (size_t q = 0; q < COUNT(grouped); q++)
        sc_ratio_clear(&each[q]);
}

SLOW_TEST(nested_tables_charge_for_the_worst_unit)
{
    CLAIM("plan.nested");
    const char *tables[] = {"part", "kind"};
    const scrim_hierarchy_design design = {
        .size = sizeof design, .levels = "sex", .tables = tables, .table_count = 2};
    for (int groups = 1; groups <= 3; groups++)
        for (int rows = 1; rows <= 2; rows++) {
            query_scene s;
            char policy[500];
            if (groups * rows == 1)
                continue;
            snprintf(policy, sizeof policy, "unit=who\nmax-groups=%d\nmax-rows=%d\n%s",
                     groups, rows, COLUMNS);
            if (query_scene_begin(&s, policy, "who,sex,part,kind\n"))
                for (int g = 0; g < 2; g++) {
                    scrim_plan *plan = make_plan(
                        &s, &design,
                        OPTIONS(.epsilon = "1", .delta = "1e-6", .shares = "1,2",
                                .mechanism = g == 0 ? "laplace" : "gaussian"),
                        SCRIM_OK);
                    if (plan != NULL)
                        check_loss_of_cells(plan, groups, rows, g == 1);
                    scrim_plan_free(plan);
                }
            query_scene_end(&s);
        }
}

TEST(nested_trees_say_whose_rows_they_count)
{
    CLAIM("kept-words.public");
    query_scene s;
    scrim_plan_statement first, last;
    const char *two[] = {"part", "kind"};
    const scrim_hierarchy_design design = {.size = sizeof design, .levels = "sex,part"};
    const scrim_hierarchy_design tables = {
        .size = sizeof tables, .levels = "sex", .tables = two, .table_count = 2};
    if (query_scene_begin(&s, "unit=who\nmax-groups=2\nmax-rows=3\n" COLUMNS,
                          "who,sex,part,kind\n")) {
        scrim_plan *plan = make_plan(&s, &design, OPTIONS(.epsilon = "1"), SCRIM_OK);
        if (plan != NULL) {
            REQUIRE_OK(scrim_plan_statement_at(plan, 0, &first, NULL));
            REQUIRE_OK(scrim_plan_statement_at(plan, 2, &last, NULL));
            CHECK_STR(
                first.kept,
                "3 rows per who in each of 2 groups of query 3; further rows are left "
                "out");
            CHECK_STR(first.missing, "");
            CHECK_INT(first.max_rows, 6);
            CHECK_INT(last.max_groups, 2);
            CHECK_INT(last.max_rows, 3);
            CHECK(strstr(plan->question, " rows-of=3 : ") != NULL);
        }
        scrim_plan_free(plan);
        plan = make_plan(&s, &tables, OPTIONS(.epsilon = "1"), SCRIM_OK);
        if (plan != NULL) {
            REQUIRE_OK(scrim_plan_statement_at(plan, 0, &first, NULL));
            CHECK_STR(
                first.kept,
                "3 rows per who in each of 2 groups of all columns together; further "
                "rows are left out");
            CHECK_INT(first.max_rows, 6);
            CHECK(strstr(plan->question, " rows-of=all : ") != NULL);
            CHECK(strstr(plan->question,
                         " ; all SELECT sex, part, kind, COUNT(*) AS group_count GROUP "
                         "BY sex, part, kind") != NULL);
        }
        scrim_plan_free(plan);
    }
    query_scene_end(&s);
    if (query_scene_begin(&s, "unit=who\nmax-groups=4\nmax-rows=500000000\n" COLUMNS,
                          "who,sex,part,kind\n")) {
        (void)make_plan(&s, &design, OPTIONS(.epsilon = "1"), SCRIM_E_LIMIT);
        CHECK_STR(s.error.message,
                  "max-groups times max-rows must be at most 1000000000");
    }
    query_scene_end(&s);
    const char *wide[] = {"b", "c"};
    const scrim_hierarchy_design large = {
        .size = sizeof large, .levels = "a", .tables = wide, .table_count = 2};
    if (query_scene_begin(&s,
                          "unit=who\nmax-groups=2\nmax-rows=1\ncolumn=a=int[0,99]\n"
                          "column=b=int[0,99]\ncolumn=c=int[0,99]\n"
                          "budget=epsilon=9\n",
                          "who,a,b,c\n")) {
        (void)make_plan(&s, &large, OPTIONS(.epsilon = "1"), SCRIM_E_LIMIT);
        CHECK_STR(s.error.message,
                  "several tables of units with several rows need all combinations of "
                  "their columns: at most 65536 groups, or 4194304 if all keys are "
                  "listed; release one table at a time");
    }
    query_scene_end(&s);
}
