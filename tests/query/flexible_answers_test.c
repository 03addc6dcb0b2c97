/* The certificates of answers that are read from a histogram are true in every run, on
 * published tables, by group and under both relations of neighbours. The truth is what
 * coverage_people.c computes of what is declared. */
#include "check.h"
#include "coverage_run.h"
#include "mechanism/histogram/stlap.h"
#include "query/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const keys[] = {
    [PEOPLE_ALL] = NULL, [PEOPLE_BY_SEX] = "sex", [PEOPLE_BY_LEVEL] = "level"};

/* People of a group from one value on up to below another. */
static size_t between(const people_group *group, people_column column, double low,
                      double high)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        count += group->sorted[column][i] >= low && group->sorted[column][i] < high;
    return count;
}

/* The most that each bucket loses: of all statements, one histogram each. */
static uint64_t q_of(const scrim_plan *plan)
{
    const sc_planned_statement *s = &plan->statements[0];
    for (size_t i = 0; i < s->part_count; i++)
        if (s->parts[i].width > 0)
            return sc_stlap_q(s->parts[i].measurement);
    CHECK_FAIL("no histogram in a plan");
    return 0;
}

/* A cell, and that its interval has the truth. */
static bool read_cell(const scrim_result *result, size_t row, size_t column, double truth,
                      double *value)
{
    const scrim_result_cell *cell = scrim_result_cell_at(result, 0, row, column);
    *value = strtod(cell->value, NULL);
    if (!(strtod(cell->low, NULL) <= truth && truth <= strtod(cell->high, NULL)))
        CHECK_FAIL("[%s, %s] lacks %g", cell->low, cell->high, truth);
    CHECK(scrim_result_column_at(result, 0, column)->certificate != NULL);
    return cell->bytes > 0;
}

/* MIN, MAX, RANGE, MODE, MAX_K of ages, which have a bucket each. */
static void check_ages(const people_group *group, const scrim_result *result, size_t row,
                       size_t first, uint64_t q)
{
    const double *ages = group->sorted[PEOPLE_AGE];
    const double least = ages[0], most = ages[group->count - 1];
    double low = 0, high = 0, range = 0, mode = 0, shared = 0, large = -1;
    size_t fullest = 0;
    for (double age = least; age <= most; age++) {
        const size_t count = between(group, PEOPLE_AGE, age, age + 1);
        fullest = count > fullest ? count : fullest;
        large = count >= 100 ? age : large;
    }
    const bool has_low = read_cell(result, row, first, least, &low),
               has_high = read_cell(result, row, first + 1, most, &high);
    CHECK_INT(has_low, has_high);
    CHECK_INT(read_cell(result, row, first + 2, most - least, &range), has_low);
    CHECK_INT(read_cell(result, row, first + 3, ages[group->count / 2], &mode), has_low);
    if (!has_low) {
        CHECK(fullest <= q);
        return;
    }
    CHECK(range == high - low);
    for (double age = least; age <= most; age++) {
        const size_t count = between(group, PEOPLE_AGE, age, age + 1);
        CHECK((age >= low && age <= high) || count <= q);
    }
    CHECK(between(group, PEOPLE_AGE, low, low + 1) > 0);
    CHECK(between(group, PEOPLE_AGE, high, high + 1) > 0);
    CHECK(between(group, PEOPLE_AGE, mode, mode + 1) + q >= fullest);
    if (large >= 0 && read_cell(result, row, first + 4, large, &shared))
        CHECK(between(group, PEOPLE_AGE, shared, shared + 1) >= 100);
}

/* A row a bucket: never too much, never q too little; and what is not there holds at most q. */
static void check_buckets(const people_group *group, const scrim_result *result,
                          const char *key, uint64_t q)
{
    const size_t first = key == NULL ? 0 : 1;
    size_t all = 0, next = 0;
    for (double start = 10; start < 100; start += 10) {
        const size_t truth = between(group, PEOPLE_AGE, start, start + 10);
        size_t shown = 0;
        for (size_t row = 0; row < scrim_result_rows(result, 0); row++) {
            if (key != NULL &&
                strcmp(scrim_result_cell_at(result, 0, row, 0)->value, key) != 0)
                continue;
            if (strtod(scrim_result_cell_at(result, 0, row, first)->value, NULL) != start)
                continue;
            const scrim_result_cell *cell =
                scrim_result_cell_at(result, 0, row, first + 1);
            shown = strtoul(cell->value, NULL, 10);
            CHECK(row >= next && shown > 0);
            CHECK_INT(strtoul(cell->low, NULL, 10), shown);
            CHECK_INT(strtoul(cell->high, NULL, 10), shown + q);
            next = row;
            all++;
        }
        CHECK(shown <= truth && truth <= shown + q);
    }
    CHECK(all <= 9);
}

typedef void check_group(const people_group *group, const scrim_result *result,
                         size_t row, const char *key, uint64_t q);

static void check_row_ages(const people_group *group, const scrim_result *result,
                           size_t row, const char *key, uint64_t q)
{
    check_ages(group, result, row, key == NULL ? 0 : 1, q);
}

/* A width of its own: the value is in the middle of a bucket that holds somebody. */
static void check_row_pay(const people_group *group, const scrim_result *result,
                          size_t row, const char *key, uint64_t q)
{
    double value;
    const double most = group->sorted[PEOPLE_PAY][group->count - 1];
    if (!read_cell(result, row, key == NULL ? 0 : 1, most, &value))
        return;
    const scrim_result_cell *cell =
        scrim_result_cell_at(result, 0, row, key == NULL ? 0 : 1);
    CHECK(between(group, PEOPLE_PAY, strtod(cell->low, NULL), HUGE_VAL) > 0);
    CHECK(value >= strtod(cell->low, NULL));
    (void)q;
}

static void check_row_buckets(const people_group *group, const scrim_result *result,
                              size_t row, const char *key, uint64_t q)
{
    if (row == 0 ||
        (key != NULL &&
         strcmp(scrim_result_cell_at(result, 0, row - 1, 0)->value, key) != 0))
        check_buckets(group, result, key, q);
}

static void check_runs(coverage *c, people_by by, const char *aggregates,
                       const char *epsilon, check_group *check, uint64_t runs)
{
    char query[300];
    scrim_plan *plan = NULL;
    const coverage_setting setting = {.epsilon = epsilon, .mechanism = "stlap"};
    snprintf(query, sizeof query, "SELECT %s%s%s%s%s", by == PEOPLE_ALL ? "" : keys[by],
             by == PEOPLE_ALL ? "" : ", ", aggregates,
             by == PEOPLE_ALL ? "" : " GROUP BY ", by == PEOPLE_ALL ? "" : keys[by]);
    if (coverage_plan(c, query, &setting, &plan) != SCRIM_OK) {
        CHECK_FAIL("no plan for %s: %s", query, c->scene.error.message);
        return;
    }
    const uint64_t q = q_of(plan);
    for (uint64_t run = 0; run < runs; run++) {
        scrim_result *result = coverage_answer(c, plan);
        for (size_t row = 0; result != NULL && row < scrim_result_rows(result, 0);
             row++) {
            const char *key =
                by == PEOPLE_ALL ? NULL : scrim_result_cell_at(result, 0, row, 0)->value;
            const people_group *group =
                people_find(&c->people, by, key == NULL ? "" : key);
            if (CHECK(group != NULL))
                check(group, result, row, key, q);
        }
        scrim_result_free(result);
    }
    scrim_plan_free(plan);
}

static void check_table(people_table table, bool is_replace, people_by by,
                        const char *epsilon)
{
    coverage c;
    const uint64_t runs = check_count_whole(1, 400);
    if (coverage_begin(&c, table, is_replace)) {
        check_runs(&c, by,
                   "MIN(age, 1), MAX(age, 1), RANGE(age, 1), MODE(age, 1), MAX_K(age, "
                   "100, 1) AS k",
                   epsilon, check_row_ages, runs);
        check_runs(&c, by, "MAX(pay)", epsilon, check_row_pay, runs);
        check_runs(&c, by, "HISTOGRAM(age, 10)", epsilon, check_row_buckets, runs);
    }
    coverage_end(&c);
}

TEST(flexible_answers_are_true_in_every_run)
{
    CLAIM("bar-answer.interval");
    check_table(PEOPLE_ADULT, false, PEOPLE_BY_SEX, "1");
    check_table(PEOPLE_PUMS, true, PEOPLE_ALL, "0.5");
    if (!check_is_long())
        return;
    static const char *const epsilons[] = {"0.1", "0.5", "2"};
    for (int table = 0; table < 2; table++)
        for (int replace = 0; replace < 2; replace++)
            for (int by = 0; by < PEOPLE_BYS; by++)
                for (size_t i = 0; i < COUNT(epsilons); i++)
                    check_table((people_table)table, replace != 0, (people_by)by,
                                epsilons[i]);
}
