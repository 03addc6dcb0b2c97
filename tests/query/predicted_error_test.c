/* The predicted errors of `explain`, against answers, of columns that are declared as the surveys
 * ask.
 *
 * With the true rows, mean and deviation for --expect the prediction is within a tenth of the
 * half-widths that come, on average, and of how far answers are from the truth but for one in twenty. For
 * the latter: at most 0.05 are farther than eleven tenths of it, and at least 0.05 farther than nine
 * tenths, as far as 1e-9 allows to say. With the rows alone it is not below nine tenths of the
 * half-widths: on these tables it is 1.04 to 1.17 times as large for AVG, 1.2 to 1.7 for VAR and 1.4 to 3.5 for STDDEV,
 * whose mean and deviation lie at a quarter to two fifths and at two fifths to a half of the radius,
 * not at a half and at a quarter. */
#include "audit/bounds.h"
#include "check.h"
#include "coverage_run.h"
#include "query/estimate/quantile_estimate.h"
#include "query/plan/plan.h"
#include "query/rows/quantile_rings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FALSE_ALARM 1e-9
#define MISSED 0.05
#define TENTH 0.1

/* One aggregate, asked alone. */
typedef struct prediction_case {
    coverage_output output;
    bool
        is_variance; /* whose interval is conservative: answers may be nearer to the truth */
} prediction_case;

static const prediction_case cases[] = {
    {{"COUNT(*)", COVERAGE_COUNT, PEOPLE_AGE, 0, NULL}, false},
    {{"COUNT(DISTINCT who)", COVERAGE_COUNT, PEOPLE_AGE, 0, NULL}, false},
    {{"SUM(age)", COVERAGE_SUM, PEOPLE_AGE, 0, NULL}, false},
    {{"AVG(age)", COVERAGE_AVG, PEOPLE_AGE, 0, NULL}, false},
    {{"VAR(age)", COVERAGE_VAR, PEOPLE_AGE, 0, NULL}, true},
    {{"VAR_POP(age)", COVERAGE_VAR_POP, PEOPLE_AGE, 0, NULL}, true},
    {{"STDDEV(age)", COVERAGE_STDDEV, PEOPLE_AGE, 0, NULL}, true},
    {{"STDDEV_POP(age)", COVERAGE_STDDEV_POP, PEOPLE_AGE, 0, NULL}, true},
};

static double predicted(coverage *c, const coverage_question *question,
                        const coverage_setting *setting)
{
    char query[200];
    scrim_plan *plan = NULL;
    scrim_plan_output output;
    double error = 0;
    if (CHECK_STATUS(
            coverage_plan(c, coverage_query(question, setting->by, query, sizeof query),
                          setting, &plan),
            SCRIM_OK) &&
        CHECK_STATUS(scrim_plan_output_at(plan, 0, 0, &output, NULL), SCRIM_OK))
        error = strtod(output.error, NULL);
    scrim_plan_free(plan);
    return error;
}

/* How many answers are farther from the truth than that. */
static uint64_t farther(const coverage_tally *tally, double distance)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < tally->trials; i++)
        count += tally->distances[i] > distance;
    return count;
}

#define FEW 30

/* The standard deviation of the mean of half-widths. */
static double spread_of_mean_width(const coverage_tally *tally)
{
    const double n = (double)tally->trials, mean = tally->width / n;
    const double spread = sqrt(fmax(0, tally->width_squares / n - mean * mean) / n);
    /* With few answers, as in the short tier, the spread itself is not known. */
    return n < FEW ? fmax(spread, mean / 20) : spread;
}

typedef struct case_setting {
    const char *mechanism, *epsilon;
    bool is_guessed; /* mean and deviation are said */
} case_setting;

static void show(const prediction_case *k, const case_setting *s, const char *expect,
                 double error, const coverage_tally *tally)
{
    const double runs = (double)tally->trials;
    printf(
        "# %s, %s, epsilon %s, expect %s: predicted %g, half-width %g (%.3f); %.4f are "
        "farther than it, %.4f and %.4f than 0.9 and 1.1 of it\n",
        k->output.text, s->mechanism, s->epsilon, expect, error, tally->width / runs,
        error / (tally->width / runs), (double)farther(tally, error) / runs,
        (double)farther(tally, error * (1 - TENTH)) / runs,
        (double)farther(tally, error * (1 + TENTH)) / runs);
}

/* Where the noise is about as large as the value each answer has another width, and a deviation
 * another one than its mean width soon. */
static bool is_lost(const prediction_case *k, double error, double truth)
{
    const bool is_root =
        k->output.kind == COVERAGE_STDDEV || k->output.kind == COVERAGE_STDDEV_POP;
    return k->is_variance && error > (is_root ? truth / 5 : truth);
}

static bool is_near(const prediction_case *k, double error, const coverage_tally *tally)
{
    const double slack = 6 * spread_of_mean_width(tally) / error;
    const double width = tally->width / (double)tally->trials;
    return fabs(width / error - 1) <= TENTH + slack &&
           sc_binomial_at_least(farther(tally, error * (1 + TENTH)), tally->trials,
                                MISSED) >= FALSE_ALARM &&
           (k->is_variance || sc_binomial_at_most(farther(tally, error * (1 - TENTH)),
                                                  tally->trials, MISSED) >= FALSE_ALARM);
}

static bool is_conservative(double error, const coverage_tally *tally)
{
    const double slack = 6 * spread_of_mean_width(tally) / error;
    return tally->width / (double)tally->trials / error - 1 <= TENTH + slack;
}

static void check_case(coverage *c, const prediction_case *k, const case_setting *s,
                       uint64_t runs)
{
    char expect[PEOPLE_EXPECT_BYTES];
    const coverage_question question = {"one", {k->output}, 1};
    people_expect(people_find(&c->people, PEOPLE_ALL, ""), expect);
    if (!s->is_guessed)
        expect[strcspn(expect, ",")] = '\0';
    const coverage_setting setting = {.by = PEOPLE_ALL,
                                      .mechanism = s->mechanism,
                                      .epsilon = s->epsilon,
                                      .expect = expect};
    coverage_tally tallies[COVERAGE_OUTPUTS] = {{.trials = 0}};
    tallies[0].distances = calloc(runs, sizeof(double));
    const double error = predicted(c, &question, &setting);
    if (CHECK(tallies[0].distances != NULL && error > 0) &&
        coverage_ask(c, &question, &setting, runs, tallies)) {
        const double truth =
            coverage_truth(&k->output, people_find(&c->people, PEOPLE_ALL, ""));
        const bool is_right =
            s->is_guessed ? is_lost(k, error, truth) || is_near(k, error, &tallies[0])
                          : is_conservative(error, &tallies[0]);
        if (!CHECK(is_right) || check_is_long())
            show(k, s, expect, error, &tallies[0]);
    }
    free(tallies[0].distances);
}

static void check_table(people_table table, bool is_guessed, uint64_t runs)
{
    static const char *const epsilons[] = {"0.5", "2", "0.1"};
    static const char *const mechanisms[] = {"laplace", "gaussian"};
    const size_t epsilon_count = check_is_long() ? COUNT(epsilons) : 1;
    for (int replace = 0; replace < 2; replace++) {
        coverage c;
        const bool is_begun = coverage_begin(&c, table, replace != 0);
        for (size_t i = 0; is_begun && i < COUNT(cases); i += check_every(3))
            for (size_t m = 0; m < COUNT(mechanisms); m++)
                for (size_t e = 0; e < epsilon_count; e++)
                    if (check_is_long() || (i + m) % 2 == (size_t)replace)
                        check_case(
                            &c, &cases[i],
                            &(case_setting){mechanisms[m], epsilons[e], is_guessed},
                            runs);
        coverage_end(&c);
    }
}

SLOW_TEST(predicted_error_is_that_of_answers)
{
    CLAIM("plan-predict.near");
    check_table(PEOPLE_PUMS, true, check_count_whole(12, 2000));
}

SLOW_TEST(predicted_error_is_that_of_answers_about_many)
{
    CLAIM("estimate.predict");
    check_table(PEOPLE_ADULT, true, check_count(2, 200));
}

SLOW_TEST(predicted_error_without_a_guess_is_not_below_that_of_answers)
{
    CLAIM("plan-predict.conservative");
    check_table(PEOPLE_PUMS, false, check_count_whole(12, 2000));
}

SLOW_TEST(predicted_error_without_a_guess_is_not_below_that_of_answers_about_many)
{
    CLAIM("estimate.predict");
    check_table(PEOPLE_ADULT, false, check_count(2, 40));
}

/* Quantiles. */

/* Widths double from ring to ring: of a few answers all may have the same. */
static bool is_as_wide(double error, double within, const coverage_tally *tally)
{
    const double runs = (double)tally->trials;
    const double slack = 6 * fmax(spread_of_mean_width(tally) / error, 0.3 / sqrt(runs));
    return fabs(tally->width / runs / error - 1) <= within + slack;
}

/* The prediction where the rows in each ring are known, about a quantile in steps. */
static double predicted_knowing(const coverage *c, const scrim_plan *plan,
                                const coverage_output *output, double value)
{
    const people_group *group = people_find(&c->people, PEOPLE_ALL, "");
    const sc_planned_statement *s = &plan->statements[0];
    const sc_extent *extent = &s->query->aggregates[0].value->extent;
    const double step = (double)extent->step.numerator / (double)extent->step.denominator;
    const sc_int128 quantile = (sc_int128)round(value / step);
    int64_t ends[SC_RINGS_MOST + 1];
    double rows[SC_RINGS_MOST] = {0};
    sc_noise noise;
    sc_noise_init(&noise, sc_noise_law(s->parts[1].measurement));
    const size_t rings = sc_rings_of(extent->low, extent->high, &quantile, 1, ends);
    for (size_t i = 0, ring = 0; i < group->count; i++) {
        while ((double)ends[ring + 1] <= round(group->sorted[output->column][i] / step))
            ring++;
        rows[ring]++;
    }
    return sc_rank_predict(&noise, output->p, MISSED, ends, rows, rings) * step;
}

/* Asks `runs` times; returns the mean of what was predicted about the answers. */
static double ask_knowing(coverage *c, const coverage_output *output,
                          const coverage_setting *setting, uint64_t runs,
                          coverage_tally *tally)
{
    char query[200];
    const coverage_question question = {"one", {*output}, 1};
    const double truth = coverage_truth(output, people_find(&c->people, PEOPLE_ALL, ""));
    scrim_plan *plan = NULL;
    double sum = 0;
    CHECK_STATUS(coverage_plan(c,
                               coverage_query(&question, PEOPLE_ALL, query, sizeof query),
                               setting, &plan),
                 SCRIM_OK);
    for (uint64_t i = 0; plan != NULL && i < runs; i++) {
        scrim_result *result = coverage_answer(c, plan);
        if (result == NULL)
            break;
        const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, 0);
        const double value = strtod(cell->value, NULL);
        const double half = (strtod(cell->high, NULL) - strtod(cell->low, NULL)) / 2;
        tally->distances[tally->trials++] = fabs(value - truth);
        tally->width += half;
        tally->width_squares += half * half;
        sum += predicted_knowing(c, plan, output, value);
        scrim_result_free(result);
    }
    scrim_plan_free(plan);
    return sum / (double)runs;
}

/* A quantile's interval follows from the rows about it, of which a guess has but a mean and a deviation:
 * the prediction is held against answers knowing the table; and with the normal law that the rows are
 * spread by as far as intervals go, which round incomes are not, it is near. */
static void check_quantile(coverage *c, const coverage_output *output,
                           const case_setting *s, uint64_t runs)
{
    char expect[PEOPLE_EXPECT_BYTES] = "the table";
    const coverage_question question = {"one", {*output}, 1};
    const prediction_case k = {*output, true};
    coverage_setting setting = {
        .by = PEOPLE_ALL, .mechanism = s->mechanism, .epsilon = s->epsilon};
    coverage_tally tally = {.distances = calloc(runs, sizeof(double))};
    if (CHECK(tally.distances != NULL)) {
        double error = ask_knowing(c, output, &setting, runs, &tally);
        if (!CHECK(is_as_wide(error, TENTH, &tally)) || check_is_long())
            show(&k, s, expect, error, &tally);
        people_expect_about(people_find(&c->people, PEOPLE_ALL, ""), output->column,
                            output->p, tally.width / (double)runs, expect);
        setting.expect = expect;
        error = predicted(c, &question, &setting);
        if (!CHECK(!s->is_guessed || is_as_wide(error, 2 * TENTH, &tally)) ||
            check_is_long())
            show(&k, s, expect, error, &tally);
    }
    free(tally.distances);
}

static void check_quantiles(people_table table, bool is_guessed, uint64_t runs)
{
    static const coverage_output outputs[] = {
        {"MEDIAN(weight)", COVERAGE_QUANTILE, PEOPLE_WEIGHT, 0.5, NULL},
        {"QUANTILE(weight, 0.25)", COVERAGE_QUANTILE, PEOPLE_WEIGHT, 0.25, NULL},
        {"QUANTILE(weight, 0.4)", COVERAGE_QUANTILE, PEOPLE_WEIGHT, 0.4, NULL},
    };
    static const char *const mechanisms[] = {"laplace", "gaussian"};
    static const char *const epsilons[] = {"0.5", "0.1", "2"};
    coverage c;
    const bool is_begun = coverage_begin(&c, table, false);
    for (size_t i = 0; is_begun && i < COUNT(outputs); i += check_every(2))
        for (size_t e = 0; e < (check_is_long() ? COUNT(epsilons) : 1); e++)
            for (size_t m = 0; m < COUNT(mechanisms); m++)
                if (check_is_long() || m == i % 2)
                    check_quantile(
                        &c, &outputs[i],
                        &(case_setting){mechanisms[m], epsilons[e], is_guessed && e < 2},
                        runs);
    coverage_end(&c);
}

SLOW_TEST(predicted_error_of_quantiles_is_that_of_answers)
{
    CLAIM("plan-predict.near");
    check_quantiles(PEOPLE_PUMS, false, check_count_whole(60, 2000));
}

SLOW_TEST(predicted_error_of_quantiles_is_that_of_answers_about_many)
{
    CLAIM("estimate.predict");
    check_quantiles(PEOPLE_ADULT, true, check_count(20, 500));
}

/* Without a guess a prediction takes rows to be spread evenly over the range; so they are here,
 * thirty-three of each. */
SLOW_TEST(predicted_error_of_a_median_is_that_of_rows_spread_evenly)
{
    static const char *const epsilons[] = {"0.05", "0.2", "0.5"};
    const uint64_t runs = check_count(40, 1000);
    coverage c;
    const bool is_begun = coverage_begin(&c, PEOPLE_ADULT, false);
    FILE *file = is_begun ? fopen(c.scene.table, "w") : NULL;
    if (CHECK(file != NULL)) {
        fputs("who,age,pay,weight,sex,level\n", file);
        for (int i = 0; i < 33 * 74; i++)
            fprintf(file, "%d,%d,40,1,Male,x\n", i, 17 + i % 74);
        CHECK(fclose(file) == 0);
        for (size_t e = 0; e < COUNT(epsilons); e++) {
            const coverage_setting setting = {
                .mechanism = "laplace", .epsilon = epsilons[e], .expect = "2442"};
            coverage_tally tally = {.trials = 0};
            scrim_plan *plan = NULL;
            CHECK_STATUS(coverage_plan(&c, "SELECT MEDIAN(age)", &setting, &plan),
                         SCRIM_OK);
            const double error = plan == NULL ? 0 : coverage_predicted(plan);
            for (uint64_t i = 0; plan != NULL && i < runs; i++) {
                scrim_result *result = coverage_answer(&c, plan);
                if (result == NULL)
                    break;
                const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, 0);
                const double half =
                    (strtod(cell->high, NULL) - strtod(cell->low, NULL)) / 2;
                tally.trials++;
                tally.width += half;
                tally.width_squares += half * half;
                scrim_result_free(result);
            }
            if (!CHECK(is_as_wide(error, TENTH, &tally)))
                CHECK_FAIL("epsilon %s: predicted %g, half-width %g", epsilons[e], error,
                           tally.width / (double)runs);
            scrim_plan_free(plan);
        }
    }
    coverage_end(&c);
}

/* Targets. */

/* An epsilon with three digits, less a thousandth. */
static void less_a_thousandth(const char *epsilon, char text[24])
{
    snprintf(text, 24, "%.3f", strtod(epsilon, NULL) - 0.001);
}

static void check_target(coverage *c, const coverage_output *output,
                         const char *mechanism, const char *target, uint64_t runs)
{
    char expect[PEOPLE_EXPECT_BYTES], query[100], less[24] = "";
    const coverage_question question = {"one", {*output}, 1};
    people_expect(people_find(&c->people, PEOPLE_ALL, ""), expect);
    coverage_setting setting = {
        .mechanism = mechanism, .target_error = target, .expect = expect};
    coverage_tally tallies[COVERAGE_OUTPUTS] = {{.trials = 0}};
    scrim_plan *plan = NULL;
    scrim_plan_facts facts;
    CHECK(predicted(c, &question, &setting) <= strtod(target, NULL));
    if (coverage_ask(c, &question, &setting, runs, tallies))
        CHECK(tallies[0].width / (double)runs <=
              strtod(target, NULL) * 1.01 + 6 * spread_of_mean_width(&tallies[0]));
    coverage_query(&question, PEOPLE_ALL, query, sizeof query);
    if (CHECK_STATUS(coverage_plan(c, query, &setting, &plan), SCRIM_OK) &&
        CHECK_STATUS(scrim_plan_describe(c->scene.vault, plan, &facts, NULL), SCRIM_OK)) {
        less_a_thousandth(facts.epsilon, less);
        setting.target_error = NULL;
        setting.epsilon = less;
        if (!CHECK(predicted(c, &question, &setting) > strtod(target, NULL)))
            CHECK_FAIL("%s: %s is enough for %s", output->text, less, target);
    }
    scrim_plan_free(plan);
}

SLOW_TEST(predicted_error_is_the_target_and_so_are_answers)
{
    CLAIM("target.smallest");
    static const char *const targets[] = {"20", "20", "1500", "0.1",
                                          "10", "10", "0.1",  "0.1"};
    coverage c;
    const bool is_begun = coverage_begin(&c, PEOPLE_ADULT, false);
    for (size_t i = 0; is_begun && i < COUNT(targets); i += check_every(3)) {
        if (check_is_long() || i % 2 == 0)
            check_target(&c, &cases[i].output, "laplace", targets[i],
                         check_count(2, 1000));
        if (check_is_long() || i % 2 == 1)
            check_target(&c, &cases[i].output, "gaussian", targets[i],
                         check_count(2, 1000));
    }
    coverage_end(&c);
}
