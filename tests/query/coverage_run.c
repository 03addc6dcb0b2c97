#include "coverage_run.h"

#include "base/number/ball_double.h"
#include "base/text.h"
#include "check.h"
#include "query/plan/plan.h"
#include "query/plan/plan_predict.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The rows of a group whose age is above, or is not, a number. */
static double rows_above(const people_group *group, double age)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        count += group->sorted[PEOPLE_AGE][i] > age;
    return (double)count;
}

static double rows_without(const people_group *group, double age)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        count += group->sorted[PEOPLE_AGE][i] != age;
    return (double)count;
}

static double difference(const people_group *group)
{
    return group->sum[PEOPLE_PAY] - 100 * group->sum[PEOPLE_AGE];
}

static double mean_pay(const people_group *group)
{
    return people_mean(group, PEOPLE_PAY);
}

static double pay_a_year(const people_group *group)
{
    return people_mean(group, PEOPLE_PAY) / people_mean(group, PEOPLE_AGE);
}

static double share(const people_group *group)
{
    return 100 * rows_above(group, 45) / (double)group->count;
}

static double odds(const people_group *group)
{
    const double above = rows_above(group, 45);
    return above / (above + rows_above(group, 30));
}

/* The ages of LEAST below. */
static double least_of_ten(const people_group *group)
{
    double least = (double)group->count;
    for (int age = 25; age < 35; age++)
        least = fmin(least, rows_without(group, age));
    return least;
}

static double ages(const people_group *group)
{
    double different = 0;
    for (size_t i = 0; i < group->count; i++)
        different +=
            i == 0 || group->sorted[PEOPLE_AGE][i] != group->sorted[PEOPLE_AGE][i - 1];
    return different;
}

static double distance(const people_group *group)
{
    return fabs(people_mean(group, PEOPLE_PAY) - 300 * people_mean(group, PEOPLE_AGE));
}

static double product(const people_group *group)
{
    return rows_above(group, 45) * people_mean(group, PEOPLE_AGE);
}

static double variation(const people_group *group)
{
    return sqrt(people_variance(group, PEOPLE_AGE, true)) /
           people_mean(group, PEOPLE_AGE);
}

#define COMPUTED(text, of)                                                               \
    {                                                                                    \
        (text), COVERAGE_COMPUTED, PEOPLE_AGE, 0, (of)                                   \
    }

const coverage_question coverage_questions[COVERAGE_QUESTIONS] = {
    [COVERAGE_PLAIN] = {"counts",
                        {{"COUNT(*)", COVERAGE_COUNT, PEOPLE_AGE, 0, NULL},
                         {"COUNT(DISTINCT who)", COVERAGE_COUNT, PEOPLE_AGE, 0, NULL},
                         {"SUM(pay)", COVERAGE_SUM, PEOPLE_PAY, 0, NULL},
                         COMPUTED("COUNT(DISTINCT age) AS ages", ages)},
                        4},
    [COVERAGE_MOMENTS] = {"moments",
                          {{"AVG(age)", COVERAGE_AVG, PEOPLE_AGE, 0, NULL},
                           {"SUM(age)", COVERAGE_SUM, PEOPLE_AGE, 0, NULL},
                           {"VAR(age)", COVERAGE_VAR, PEOPLE_AGE, 0, NULL},
                           {"VAR_POP(age)", COVERAGE_VAR_POP, PEOPLE_AGE, 0, NULL},
                           {"STDDEV(age)", COVERAGE_STDDEV, PEOPLE_AGE, 0, NULL},
                           {"STDDEV_POP(age)", COVERAGE_STDDEV_POP, PEOPLE_AGE, 0, NULL}},
                          6},
    [COVERAGE_QUANTILES] =
        {"quantiles",
         {{"MEDIAN(weight)", COVERAGE_QUANTILE, PEOPLE_WEIGHT, 0.5, NULL},
          {"QUANTILE(weight, 0.25)", COVERAGE_QUANTILE, PEOPLE_WEIGHT, 0.25, NULL},
          {"QUANTILE(age, 0.1)", COVERAGE_QUANTILE, PEOPLE_AGE, 0.1, NULL},
          {"QUANTILE(age, 0.5)", COVERAGE_QUANTILE, PEOPLE_AGE, 0.5, NULL},
          {"QUANTILE(age, 0.9)", COVERAGE_QUANTILE, PEOPLE_AGE, 0.9, NULL}},
         5},
    [COVERAGE_RANGE] = {"ranges",
                        {{"COUNT(*) WITH RANGE", COVERAGE_COUNT, PEOPLE_AGE, 0, NULL},
                         {"SUM(age) WITH RANGE", COVERAGE_SUM, PEOPLE_AGE, 0, NULL}},
                        2},
    [COVERAGE_FORMULAS] =
        {"formulas",
         {COMPUTED("SUM(pay) - 100 * SUM(age) AS difference", difference),
          COMPUTED("SUM(pay) / COUNT(*) AS mean", mean_pay),
          COMPUTED("AVG(pay) / AVG(age) AS pay_a_year", pay_a_year),
          COMPUTED("100 * COUNT(*) FILTER (WHERE age > 45) / COUNT(*) AS share", share),
          COMPUTED("COUNT(*) FILTER (WHERE age > 45) / (COUNT(*) FILTER (WHERE age > 45) "
                   "+ COUNT(*) FILTER (WHERE age > 30)) AS odds",
                   odds)},
         5},
    [COVERAGE_PARTS] =
        {"parts",
         {COMPUTED(
              "LEAST(COUNT(*) FILTER (WHERE age <> 25), "
              "COUNT(*) FILTER (WHERE age <> 26), COUNT(*) FILTER (WHERE age <> 27), "
              "COUNT(*) FILTER (WHERE age <> 28), COUNT(*) FILTER (WHERE age <> 29), "
              "COUNT(*) FILTER (WHERE age <> 30), COUNT(*) FILTER (WHERE age <> 31), "
              "COUNT(*) FILTER (WHERE age <> 32), COUNT(*) FILTER (WHERE age <> 33), "
              "COUNT(*) FILTER (WHERE age <> 34)) AS least",
              least_of_ten),
          COMPUTED("ABS(AVG(pay) - 300 * AVG(age)) AS distance", distance),
          COMPUTED("COUNT(*) FILTER (WHERE age > 45) * AVG(age) AS product", product),
          COMPUTED("STDDEV(age) / AVG(age) AS variation", variation)},
         4},
};

bool coverage_begin(coverage *c, people_table table, bool is_replace)
{
    return coverage_begin_with(
        c, table, is_replace ? "neighbours=replace\n" : "neighbours=add-remove\n");
}

bool coverage_begin_policy(coverage *c, const char *policy)
{
    char lines[1000];
    c->people = (people){.count = 0};
    snprintf(lines, sizeof lines, "%sbudget=epsilon=1e9,delta=0.9\n", policy);
    if (!query_scene_begin_with(&c->scene, lines, "-"))
        return false;
    snprintf(c->scene.table, sizeof c->scene.table, "%s/table.csv", c->scene.base.folder);
    return true;
}

bool coverage_read(const coverage *c)
{
    const int file = open(c->scene.table, O_RDONLY);
    const bool is_open = CHECK(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    close(file);
    return is_open;
}

bool coverage_begin_with(coverage *c, people_table table, const char *lines)
{
    char policy[1000];
    snprintf(policy, sizeof policy, "%s%s", people_policy(table), lines);
    return coverage_begin_policy(c, policy) &&
           people_begin(&c->people, table, c->scene.table) && coverage_read(c);
}

void coverage_end(coverage *c)
{
    people_end(&c->people);
    query_scene_end(&c->scene);
}

const char *coverage_query(const coverage_question *question, people_by by, char *text,
                           size_t bytes)
{
    static const char *const keys[] = {
        [PEOPLE_ALL] = "", [PEOPLE_BY_SEX] = "sex", [PEOPLE_BY_LEVEL] = "level"};
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, bytes);
    sc_text_put(&sink, sc_text_of("SELECT "));
    sc_text_put(&sink, sc_text_of(keys[by]));
    for (size_t i = 0; i < question->count; i++) {
        sc_text_put(&sink, sc_text_of(i > 0 || by != PEOPLE_ALL ? ", " : ""));
        sc_text_put(&sink, sc_text_of(question->outputs[i].text));
    }
    if (by != PEOPLE_ALL) {
        sc_text_put(&sink, sc_text_of(" GROUP BY "));
        sc_text_put(&sink, sc_text_of(keys[by]));
    }
    CHECK(sink.length < bytes);
    return text;
}

scrim_status coverage_plan(coverage *c, const char *query,
                           const coverage_setting *setting, scrim_plan **out)
{
    return scrim_plan_new(c->scene.vault, "people", &query, 1,
                          SCRIM_OPTIONS(scrim_query_options, .epsilon = setting->epsilon,
                                        .target_error = setting->target_error,
                                        .delta = "1e-6", .expect = setting->expect,
                                        .mechanism = setting->mechanism, .workers = 1),
                          out, NULL, &c->scene.error);
}

double coverage_predicted(const scrim_plan *plan)
{
    const size_t count = sc_plan_aggregates(plan);
    sc_ratio *errors = sc_plan_errors_new(count);
    double error = (double)NAN;
    if (CHECK(errors != NULL && count == 1) &&
        CHECK_STATUS(
            sc_plan_predict(plan, plan->trial, &plan->options.confidence, errors, NULL),
            SCRIM_OK))
        error = sc_ball_near(&errors[0]);
    sc_plan_errors_free(errors, count);
    return error;
}

scrim_result *coverage_answer(coverage *c, const scrim_plan *plan)
{
    scrim_result *result = NULL;
    if (!CHECK(lseek(STDIN_FILENO, 0, SEEK_SET) == 0))
        return NULL;
    if (scrim_query_run(c->scene.vault, plan, &result, &c->scene.error) != SCRIM_OK)
        CHECK_FAIL("no answer: %s", c->scene.error.message);
    return result;
}

double coverage_truth(const coverage_output *output, const people_group *group)
{
    switch (output->kind) {
    case COVERAGE_COUNT:
        return (double)group->count;
    case COVERAGE_SUM:
        return group->sum[output->column];
    case COVERAGE_AVG:
        return people_mean(group, output->column);
    case COVERAGE_VAR:
        return people_variance(group, output->column, true);
    case COVERAGE_VAR_POP:
        return people_variance(group, output->column, false);
    case COVERAGE_STDDEV:
        return sqrt(people_variance(group, output->column, true));
    case COVERAGE_STDDEV_POP:
        return sqrt(people_variance(group, output->column, false));
    case COVERAGE_QUANTILE:
        return people_quantile(group, output->column, output->p);
    case COVERAGE_COMPUTED:
        return output->truth(group);
    }
    return (double)NAN;
}

/* One row of an answer. */
static void count_row(const coverage_question *question, const people_group *group,
                      const scrim_result *result, size_t row, size_t first_column,
                      coverage_tally *tallies)
{
    for (size_t i = 0; i < question->count; i++) {
        const coverage_output *output = &question->outputs[i];
        const scrim_result_cell *cell =
            scrim_result_cell_at(result, 0, row, first_column + i);
        const double truth = coverage_truth(output, group);
        /* An end that there is not is infinite. */
        const double low = cell->low[0] == '\0' ? -HUGE_VAL : strtod(cell->low, NULL),
                     high = cell->high[0] == '\0' ? HUGE_VAL : strtod(cell->high, NULL);
        coverage_tally *tally = &tallies[i];
        const bool is_covered = low <= truth && truth <= high;
        if (tally->distances != NULL)
            tally->distances[tally->trials] = fabs(strtod(cell->value, NULL) - truth);
        tally->trials++;
        tally->open += cell->is_open != 0;
        tally->width += (high - low) / 2;
        tally->width_squares += (high - low) / 2 * (high - low) / 2;
        tally->covered += is_covered;
    }
}

/* Public keys all, discovered ones if they exist. */
static bool count_answer(const coverage *c, const coverage_question *question,
                         people_by by, const scrim_result *result,
                         coverage_tally *tallies)
{
    const size_t rows = scrim_result_rows(result, 0);
    if (by != PEOPLE_BY_LEVEL && !CHECK_INT(rows, c->people.group_count[by]))
        return false;
    for (size_t r = 0; r < rows; r++) {
        const char *key =
            by == PEOPLE_ALL ? "" : scrim_result_cell_at(result, 0, r, 0)->value;
        const people_group *group = people_find(&c->people, by, key);
        if (!CHECK(group != NULL))
            return false;
        count_row(question, group, result, r, by == PEOPLE_ALL ? 0 : 1, tallies);
    }
    return true;
}

bool coverage_ask(coverage *c, const coverage_question *question,
                  const coverage_setting *setting, uint64_t runs, coverage_tally *tallies)
{
    char query[1500];
    scrim_plan *plan = NULL;
    if (coverage_plan(c, coverage_query(question, setting->by, query, sizeof query),
                      setting, &plan) != SCRIM_OK) {
        CHECK_FAIL("no plan for %s: %s", query, c->scene.error.message);
        return false;
    }
    bool is_whole = true;
    for (uint64_t run = 0; is_whole && run < runs; run++) {
        scrim_result *result = coverage_answer(c, plan);
        is_whole =
            result != NULL && count_answer(c, question, setting->by, result, tallies);
        scrim_result_free(result);
    }
    scrim_plan_free(plan);
    return is_whole;
}
