#include "check.h"
#include "plans.h"
#include "query/estimate/real_digits.h"
#include "query/plan/plan_bars.h"
#include "query/plan/plan_predict.h"

#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

/* The part of a histogram, of which the plan has one. */
static const sc_drawn_part *bars_part(const plan_scene *scene)
{
    const sc_planned_statement *s = &scene->plan->statements[0];
    for (size_t i = 0; i < s->part_count; i++)
        if (s->parts[i].width > 0)
            return &s->parts[i];
    CHECK_FAIL("a plan without a histogram");
    return &s->parts[0];
}

static void check_line(plan_scene *scene, const char *query, const char *line,
                       int64_t width)
{
    if (!plan_ask(scene, query,
                  OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap",
                          .cut_share = "0")))
        return;
    const sc_drawn_part *part = bars_part(scene);
    CHECK_STR(scrim_measurement_text(part->measurement), line);
    CHECK_INT(part->width, width);
    CHECK(part->is_apart && part->copies == 1);
}

TEST(plan_bars_are_one_histogram_of_all_groups)
{
    plan_scene scene;
    if (plan_begin(&scene, "")) {
        check_line(&scene, "SELECT MAX(age), MIN(age), RANGE(age)",
                   "stlap epsilon=1 delta=0.000001 neighbours=add-remove", 2);
        check_line(&scene, "SELECT MAX(age, 5)",
                   "stlap epsilon=1 delta=0.000001 neighbours=add-remove", 5);
        check_line(&scene, "SELECT size, HISTOGRAM(age, 10) GROUP BY size",
                   "stlap epsilon=1 delta=0.000001 neighbours=add-remove", 10);
    }
    plan_end(&scene);
    if (plan_begin(&scene, "max-groups=3\nmax-rows=4\n")) {
        check_line(&scene, "SELECT size, MAX(age) GROUP BY size",
                   "stlap epsilon=1 delta=0.000001 group=12 neighbours=add-remove", 50);
        check_line(&scene, "SELECT MAX(age)",
                   "stlap epsilon=1 delta=0.000001 group=4 neighbours=add-remove", 10);
    }
    plan_end(&scene);
    if (plan_begin(&scene, "max-rows=4\nneighbours=replace\n"))
        check_line(&scene, "SELECT MAX(age)",
                   "stlap epsilon=1 delta=0.000001 group=4 neighbours=replace", 20);
    plan_end(&scene);
}

/* Budget is shared with other aggregates, and delta with whatever needs one. */
TEST(plan_bars_share_the_budget)
{
    plan_scene scene;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT city, MAX(age), COUNT(*) WITH RANGE AS n GROUP BY city",
                 OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap"))) {
        const scrim_cost *cost = sc_bundle_cost(scene.plan->bundle);
        CHECK_STR(cost->epsilon, "1");
        CHECK_STR(cost->delta, "0.000001");
        CHECK(strstr(scrim_measurement_text(bars_part(&scene)->measurement),
                     " delta=0.00000025 ") != NULL);
    }
    if (plan_ask(&scene, "SELECT AVG(age), MAX_K(age, 3)", OPTIONS(.epsilon = "1"))) {
        CHECK_STR(sc_bundle_cost(scene.plan->bundle)->epsilon, "1");
        CHECK_STR(sc_bundle_cost(scene.plan->bundle)->delta, "0");
    }
    plan_refused(&scene, "SELECT AVG(age), 2 * MAX_K(age, 3) AS k",
                 OPTIONS(.epsilon = "1"), SCRIM_E_PARAM,
                 "arithmetic on MAX_K needs a delta, e.g. 1e-7");
    plan_end(&scene);
}

/* 1000 expected rows of 121 ages: 8 a year, 82 in ten. */
TEST(plan_bars_caution_where_nothing_will_be_shown)
{
    CLAIM("plan-bars.caution");
    static const struct {
        const char *query, *epsilon, *expect, *caution;
    } cases[] = {
        {"SELECT MAX(age, 10)", "1", "1000", ""},
        {"SELECT MAX(age)", "1", "1000", ""},
        {"SELECT MAX(age, 1)", "1", "10000", ""},
        {"SELECT HISTOGRAM(age, 1)", "8", "1000", ""},
        {"SELECT MAX(age, 1)", "1", "1000",
         "of 1000 rows that are spread evenly a bucket has 8, and up to 27 of each are "
         "left out: most likely none is shown, and there is no value; take a larger "
         "epsilon or delta, or wider buckets, or expect more rows where there are "
         "more"},
        {"SELECT HISTOGRAM(age, 1)", "1", "100",
         "of 100 rows that are spread evenly a bucket has less than 1, and up to 27 of "
         "each are left out: most likely none is shown, and there is no row; take a "
         "larger epsilon or delta, or wider buckets, or expect more rows where there "
         "are more"},
        {"SELECT MAX_K(age, 90, 10)", "1", "1000",
         "of 1000 rows that are spread evenly a bucket has 82, and up to 27 of each are "
         "left out: most likely none is shown with 90, and there is no value; take a "
         "larger epsilon or delta, or wider buckets, or expect more rows where there "
         "are more"},
        {"SELECT MODE(age)", "1", "5",
         "of 5 rows that are spread evenly a bucket has 4, and up to 27 of each are left "
         "out: most likely none is shown, and there is no value; take a larger epsilon "
         "or delta, or expect more rows where there are more"}};
    plan_scene scene;
    if (plan_begin(&scene, ""))
        for (size_t i = 0; i < COUNT(cases); i++)
            if (plan_ask(&scene, cases[i].query,
                         OPTIONS(.epsilon = cases[i].epsilon, .delta = "1e-6",
                                 .mechanism = "stlap", .expect = cases[i].expect))) {
                scrim_plan_statement statement;
                scrim_plan_output column;
                REQUIRE_OK(scrim_plan_statement_at(scene.plan, 0, &statement, NULL));
                REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, statement.outputs - 1,
                                                &column, NULL));
                CHECK_STR(column.caution, cases[i].caution);
            }
    plan_end(&scene);
}

TEST(plan_bars_are_bounded)
{
    plan_scene scene;
    CLAIM("plan-bars.bounded");
    if (plan_begin(&scene, "")) {
        static const struct {
            const char *query, *expect;
            uint64_t most;
        } cases[] = {{"SELECT MAX(big)", "1000", 1 << 20},
                     {"SELECT MAX(big)", "1000000000", 1 << 20},
                     {"SELECT city, MAX(big) GROUP BY city", "1000000000", 1 << 16},
                     {"SELECT BUCKET(age, 1) AS a, MAX(big) GROUP BY a", "1000000000",
                      (1 << 22) / 121}};
        for (size_t i = 0; i < COUNT(cases); i++)
            if (plan_ask(&scene, cases[i].query,
                         OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap",
                                 .expect = cases[i].expect))) {
                const sc_planned_statement *s = &scene.plan->statements[0];
                const sc_drawn_part *part = bars_part(&scene);
                const sc_bar_grid grid =
                    sc_bar_view_grid(&s->statistics, part->statistic, part->width);
                CHECK(grid.count <= cases[i].most && grid.count > 1);
            }
        plan_refused(&scene, "SELECT city, HISTOGRAM(income, 1) GROUP BY city",
                     OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap"),
                     SCRIM_E_LIMIT,
                     "a histogram has at most 65536 buckets in each of these groups; "
                     "take a larger width, or fewer groups");
    }
    plan_end(&scene);
}

/* The buckets of all groups if there are `groups` groups; 0 when that is refused. */
static uint64_t buckets_of(plan_scene *scene, uint64_t groups, scrim_error *error)
{
    sc_planned_statement many = scene->plan->statements[0];
    const sc_drawn_part *part = bars_part(scene);
    int64_t width = 0;
    many.key_count = (size_t)groups;
    const scrim_status status =
        sc_plan_bars_width(&many, part->statistic, part->measurement,
                           &scene->plan->options.expect, &width, error);
    CHECK(status == SCRIM_OK || status == SCRIM_E_LIMIT);
    return status == SCRIM_OK
               ? groups * sc_bar_view_grid(&many.statistics, part->statistic, width).count
               : 0;
}

/* However many groups are listed; what does not fit is refused. */
TEST(plan_bars_of_many_groups_are_bounded)
{
    static const struct {
        const char *query;
        uint64_t most; /* groups that have a histogram */
    } cases[] = {
        {"SELECT sex, MAX(big) GROUP BY sex", (1 << 22) / 5},
        {"SELECT sex, MAX(big, 1152921504606846976) GROUP BY sex", (1 << 22) / 9},
        {"SELECT sex, MAX(size) GROUP BY sex", (1 << 22) / 2},
        {"SELECT sex, MAX(size, 50) GROUP BY sex", (1 << 22) / 2},
        {"SELECT sex, MAX(age) GROUP BY sex", 1 << 22}};
    plan_scene scene;
    CLAIM("plan-bars.bounded");
    if (plan_begin(&scene, ""))
        for (size_t i = 0; i < COUNT(cases); i++) {
            const uint64_t most = cases[i].most;
            const uint64_t groups[] = {2, 490000, most - 1, most, most + 1, 1 << 22};
            scrim_error error = {.status = SCRIM_OK};
            if (!plan_ask(&scene, cases[i].query,
                          OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap")))
                continue;
            for (size_t k = 0; k < COUNT(groups); k++)
                if (groups[k] <= 1 << 22) {
                    const uint64_t buckets = buckets_of(&scene, groups[k], &error);
                    CHECK_INT(buckets > 0, groups[k] <= most);
                    CHECK(buckets <= 1 << 22);
                }
            if (i == 0)
                CHECK_STR(error.message,
                          "a histogram has at most 1 bucket in each of these groups, "
                          "which no width brings its range to; narrow the range, name a "
                          "width, or take fewer groups");
        }
    plan_end(&scene);
}

/* 1000 rows over 121 ages are 8 each: next to nothing is shown, but in buckets of two ages most
 * is; of 100000, all is. */
TEST(plan_bars_predict_an_error)
{
    static const struct {
        const char *query, *expect, *error;
    } cases[] = {{"SELECT MAX(age, 1)", "1000", "120"},
                 {"SELECT RANGE(age, 1)", "1000", "120"},
                 {"SELECT MAX(age)", "1000", "1.15"},
                 {"SELECT RANGE(age)", "1000", "2.3"},
                 {"SELECT MAX(age)", "100000", "0"},
                 {"SELECT MAX(age, 10)", "1000", "5"},
                 {"SELECT RANGE(age, 10)", "1000", "10"},
                 {"SELECT MAX_K(age, 1000)", "100000", "120"},
                 {"SELECT MODE(age)", "1000", ""},
                 {"SELECT HISTOGRAM(age, 10)", "1000", "13.5"}};
    plan_scene scene;
    if (plan_begin(&scene, ""))
        for (size_t i = 0; i < COUNT(cases); i++)
            if (plan_ask(&scene, cases[i].query,
                         OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap",
                                 .expect = cases[i].expect))) {
                scrim_plan_output output;
                const sc_query *query = scene.plan->statements[0].query;
                REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, query->output_count - 1,
                                                &output, NULL));
                CHECK_STR(output.error, cases[i].error);
                CHECK(strstr(output.certificate,
                             "after contribution bounds and clamping, at most "
                             "27 people of each bucket") == output.certificate);
                CHECK(strstr(output.flexible, " gamma=0 ") != NULL);
            }
    plan_end(&scene);
}

/* A target is met by the width or by the epsilon; a mode has no target. */
TEST(plan_bars_meet_a_target)
{
    plan_scene scene;
    if (plan_begin(&scene, "") &&
        plan_ask(&scene, "SELECT MAX(age, 5)",
                 OPTIONS(.target_error = "3", .delta = "1e-6", .mechanism = "stlap"))) {
        scrim_plan_output output;
        REQUIRE_OK(scrim_plan_output_at(scene.plan, 0, 0, &output, NULL));
        sc_ratio error;
        sc_ratio_init(&error);
        REQUIRE_OK(sc_ratio_parse(sc_text_of(output.error), &error, NULL));
        CHECK(sc_ratio_compare_int64(&error, 3) <= 0);
        sc_ratio_clear(&error);
    }
    plan_refused(&scene, "SELECT MODE(age)",
                 OPTIONS(.target_error = "3", .delta = "1e-6", .mechanism = "stlap"),
                 SCRIM_E_PARAM, "target-error: MODE and SUPPORT have no predicted error");
    plan_end(&scene);
}

static int64_t counted_width(plan_scene *scene, const char *query)
{
    int64_t width = -1;
    sc_arena arena;
    sc_arena_init(&arena);
    if (plan_ask(scene, query,
                 OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap"))) {
        const int64_t *widths = sc_plan_bars_counted(&scene->plan->statements[0], &arena);
        width = CHECK(widths != NULL) ? widths[0] : -1;
    }
    sc_arena_clear(&arena);
    return width;
}

/* Buckets that are few are counted, at a width that all histograms of a value are made of. */
TEST(plan_bars_are_counted_where_they_are_few)
{
    plan_scene scene;
    CLAIM("plan-bars.counted");
    if (plan_begin(&scene, "")) {
        CHECK_INT(counted_width(&scene, "SELECT MAX(age, 1), MIN(age, 10)"), 1);
        CHECK_INT(counted_width(&scene, "SELECT MAX(age, 15), MIN(age, 10)"), 5);
        CHECK_INT(counted_width(&scene, "SELECT sex, MAX(age) GROUP BY sex"), 2);
        CHECK_INT(counted_width(&scene, "SELECT MAX(age), MEDIAN(age)"), 0);
        CHECK_INT(counted_width(&scene, "SELECT city, MAX(age) GROUP BY city"), 0);
        CHECK_INT(counted_width(&scene, "SELECT MAX(income, 1)"), 100);
        CHECK_INT(counted_width(&scene, "SELECT MAX(income, 0.2)"), 0);
        CHECK_INT(counted_width(&scene, "SELECT COUNT(*), SUM(age)"), 0);
        /* 121 groups of 3368 would take too much. */
        CHECK_INT(counted_width(&scene, "SELECT MAX(income, 50), BUCKET(age, 1) AS a "
                                        "GROUP BY a"),
                  5000);
        CHECK_INT(counted_width(&scene, "SELECT MAX(income, 30), BUCKET(age, 1) AS a "
                                        "GROUP BY a"),
                  0);
    }
    plan_end(&scene);
}

/* Narrow buckets fill wide ones, row by row as it would be. */
TEST(plan_bars_gather_narrow_buckets)
{
    static const int64_t narrow[] = {1, 2, 5}, times[] = {1, 2, 3, 7};
    CLAIM("plan-bars.counted");
    for (int64_t low = -9; low < 9; low++)
        for (size_t i = 0; i < COUNT(narrow) * COUNT(times); i++) {
            const int64_t width = narrow[i / COUNT(times)];
            const sc_bar_grid from = sc_bar_grid_of(low, low + 40, width),
                              to = sc_bar_grid_of(low, low + 40,
                                                  width * times[i % COUNT(times)]);
            sc_uint128 counts[41] = {0};
            int64_t cells[41] = {0}, want[41] = {0};
            for (int64_t x = low; x <= low + 40; x++) {
                counts[sc_bar_grid_place(&from, x)] += (uint64_t)(x + 10);
                want[sc_bar_grid_place(&to, x)] += x + 10;
            }
            sc_plan_bars_gather(&from, counts, &to, cells);
            CHECK_BYTES(cells, want, sizeof want);
        }
}
