/* Intervals have the truth in them as often as they say, and not much more often (issue "Answers
 * right"). The truth is what coverage_people.c computes of what is declared.
 *
 * A right engine covers at least 0.95 of the time, by its claims. A tally fails when that is less
 * than 1e-9 likely; where it is large enough, 0.94 is held outright. Above, a tally fails beyond
 * 0.995 where one of 0.97 (of a variance and of a quantile, which are conservative by their headers,
 * 0.985) would not do so once in 1e9. What the upper bar is not asked of:
 *
 *  - open intervals, of groups whose number of rows is not known to be above 0: everything that is
 *    possible is always true
 *  - variances of groups of which one in twenty is open: where the number of rows is not much larger
 *    than its noise, almost everything is possible (moment_interval.h)
 *  - WITH RANGE, which is always true
 *  - arithmetic that is neither a sum nor a quotient: its parts hold together, which is more than is
 *    asked for
 *  - quantiles of ages: hundreds of people are of one age. An interval of that age alone, as these
 *    are, is as narrow as can be, and always true (below)
 */
#include "audit/bounds.h"
#include "check.h"
#include "coverage_bar.h"
#include "coverage_run.h"

#include <stdio.h>
#include <string.h>

#define FALSE_ALARM 1e-9
#define BAR_HIGH 0.995
#define TIGHT 0.97
#define TIGHT_OF_OTHERS 0.985

static const char *const epsilons[] = {"0.1", "0.5", "2"};
static const char *const mechanisms[] = {"laplace", "gaussian"};

static void add(coverage_tally *sum, const coverage_tally *tally)
{
    sum->trials += tally->trials;
    sum->covered += tally->covered;
    sum->open += tally->open;
}

static void check_low(const char *what, const coverage_tally *tally)
{
    if (!CHECK(covers_enough(tally->covered, tally->trials)))
        CHECK_FAIL("%s: %.4f of %llu intervals have the truth in them", what,
                   (double)tally->covered / (double)tally->trials,
                   (unsigned long long)tally->trials);
}

/* Open intervals are covered, and left out. */
static void check_high(const char *what, const coverage_output *output,
                       const coverage_tally *tally)
{
    const bool is_variance =
        output->kind >= COVERAGE_VAR && output->kind < COVERAGE_QUANTILE;
    const double tight = output->kind >= COVERAGE_VAR ? TIGHT_OF_OTHERS : TIGHT;
    const uint64_t trials = tally->trials - tally->open;
    const uint64_t covered = tally->covered - tally->open;
    const uint64_t bar = (uint64_t)(BAR_HIGH * (double)trials) + 1;
    CHECK(tally->open <= tally->covered);
    if (is_variance && tally->open > tally->trials / 20)
        return;
    if (covered >= bar && sc_binomial_at_least(bar, trials, tight) < FALSE_ALARM)
        CHECK_FAIL("%s: padded, %.4f of %llu intervals have the truth in them", what,
                   (double)covered / (double)trials, (unsigned long long)trials);
}

/* One line a setting and output, for who reads the long tier. */
static void show(const char *what, const coverage_tally *tally)
{
    if (check_is_long() && tally->trials > 0)
        printf("# %s: %llu, %.4f covered, %.4f open, half-width %.6g\n", what,
               (unsigned long long)tally->trials,
               (double)tally->covered / (double)tally->trials,
               (double)tally->open / (double)tally->trials,
               tally->width / (double)tally->trials);
}

static const char *table_name(people_table table, int replace)
{
    if (table == PEOPLE_ADULT)
        return replace ? "adult, replace" : "adult";
    return replace ? "pums, replace" : "pums";
}

static bool is_tight(int question, const coverage_output *output)
{
    return question == COVERAGE_PLAIN || question == COVERAGE_MOMENTS ||
           question == COVERAGE_FORMULAS ||
           (question == COVERAGE_QUANTILES && output->column != PEOPLE_AGE);
}

/* With a noise of a row or two, the few that share a weight or a round income count as those of one age
 * do: of 4,000 intervals of a quartile by sex, 0.9962 had the truth in them. */
static bool is_coarse(int question, const coverage_setting *setting)
{
    return question == COVERAGE_QUANTILES && strcmp(setting->epsilon, "8") == 0;
}

static void check_setting(coverage *c, int question_index,
                          const coverage_setting *setting, const char *name,
                          uint64_t runs, coverage_tally *sums)
{
    static const char *const bys[] = {"all", "sex", "level"};
    const coverage_question *question = &coverage_questions[question_index];
    coverage_tally tallies[COVERAGE_OUTPUTS] = {{.trials = 0}};
    if (!coverage_ask(c, question, setting, runs, tallies))
        return;
    for (size_t i = 0; i < question->count; i++) {
        char what[200];
        snprintf(what, sizeof what, "%s by %s, %s, epsilon %s: %s", name,
                 bys[setting->by], setting->mechanism, setting->epsilon,
                 question->outputs[i].text);
        show(what, &tallies[i]);
        if (question_index == COVERAGE_RANGE)
            CHECK_INT(tallies[i].covered, tallies[i].trials);
        else
            check_low(what, &tallies[i]);
        if (is_tight(question_index, &question->outputs[i]) &&
            !is_coarse(question_index, setting))
            check_high(what, &question->outputs[i], &tallies[i]);
        add(&sums[i], &tallies[i]);
    }
}

static void check_sums(int question_index, const char *name, const coverage_tally *sums)
{
    const coverage_question *question = &coverage_questions[question_index];
    for (size_t i = 0; i < question->count; i++) {
        char what[200];
        snprintf(what, sizeof what, "%s: %s", name, question->outputs[i].text);
        show(what, &sums[i]);
        CHECK(sums[i].trials > 0);
        check_low(what, &sums[i]);
        if (is_tight(question_index, &question->outputs[i]))
            check_high(what, &question->outputs[i], &sums[i]);
    }
}

/* In the short tier only settings of a design in which each grouping meets each noise, and
 * each epsilon and relation of neighbours comes equally often. Keys that are discovered have the larger ones: with the
 * smallest, the few groups that are shown are those whose noise was large, and nothing is said of these alone (see
 * coverage_of_counts_that_select_is_over_all_groups). */
static bool is_in_design(int by, int mechanism, int epsilon, int replace)
{
    static const int design[PEOPLE_BYS][COUNT(mechanisms)] = {{0, 2}, {1, 0}, {2, 1}};
    if (by == PEOPLE_BY_LEVEL && epsilon == 0)
        return false;
    return check_is_long() ||
           (epsilon == design[by][mechanism] && replace == (by + mechanism) % 2);
}

/* The settings of the long tier: groupings, mechanisms, epsilons and relations. */
#define SETTINGS (PEOPLE_BYS * COUNT(mechanisms) * COUNT(epsilons) * 2)

/* A run with many groups is worth many. The short tier makes a share of the runs that depends on
 * the grouping. The long one makes as many as give 2,000 intervals: of each setting, or of all settings together where the
 * table is large or where formula_coverage_test.c has the runs of each. */
static uint64_t runs_of(const coverage *c, people_table table, people_by by, int question,
                        uint64_t most)
{
    const uint64_t share = by == PEOPLE_BY_LEVEL ? 60 : 40;
    const uint64_t quick = most * share / 100;
    const bool is_together = table == PEOPLE_ADULT || question == COVERAGE_PARTS;
    const uint64_t intervals =
        c->people.group_count[by] * (is_together ? SETTINGS : (uint64_t)1);
    const uint64_t runs =
        check_count(quick, (2000 + intervals - 1) / intervals) / check_every(5);
    return runs > 0 ? runs : 1;
}

static void check_table(people_table table, int question, uint64_t quick)
{
    coverage_tally sums[COVERAGE_OUTPUTS] = {{.trials = 0}};
    for (int replace = 0; replace < 2; replace++) {
        coverage c;
        const bool is_begun = coverage_begin(&c, table, replace != 0);
        for (int by = 0; is_begun && by < PEOPLE_BYS; by++)
            for (size_t m = 0; m < COUNT(mechanisms); m++)
                for (size_t e = 0; e < COUNT(epsilons); e++)
                    if (is_in_design(by, (int)m, (int)e, replace) &&
                        e % check_every(2) == 0)
                        check_setting(&c, question,
                                      &(coverage_setting){.by = (people_by)by,
                                                          .mechanism = mechanisms[m],
                                                          .epsilon = epsilons[e]},
                                      table_name(table, replace),
                                      runs_of(&c, table, (people_by)by, question, quick),
                                      sums);
        coverage_end(&c);
    }
    check_sums(question, table_name(table, 0), sums);
}

SLOW_TEST(coverage_of_counts_and_sums)
{
    CLAIM("estimate.exact");
    check_table(PEOPLE_PUMS, COVERAGE_PLAIN, 45);
}

SLOW_TEST(coverage_of_counts_and_sums_of_adult)
{
    check_table(PEOPLE_ADULT, COVERAGE_PLAIN, 10);
}

SLOW_TEST(coverage_of_means_and_variances)
{
    CLAIM("mean-interval.coverage");
    CLAIM("variance-interval.coverage");
    check_table(PEOPLE_PUMS, COVERAGE_MOMENTS, 45);
}

SLOW_TEST(coverage_of_means_and_variances_of_adult)
{
    check_table(PEOPLE_ADULT, COVERAGE_MOMENTS, 10);
}

SLOW_TEST(coverage_with_range_is_certain)
{
    CLAIM("estimate.exact");
    check_table(PEOPLE_PUMS, COVERAGE_RANGE, 10);
}

SLOW_TEST(coverage_with_range_is_certain_of_adult)
{
    check_table(PEOPLE_ADULT, COVERAGE_RANGE, 5);
}

SLOW_TEST(coverage_of_arithmetic_on_aggregates)
{
    CLAIM("formula-estimate.coverage");
    CLAIM("quotient-interval.coverage");
    check_table(PEOPLE_PUMS, COVERAGE_FORMULAS, 40);
}

SLOW_TEST(coverage_of_arithmetic_on_aggregates_of_adult)
{
    check_table(PEOPLE_ADULT, COVERAGE_FORMULAS, 5);
}

/* Their intervals are wider than need be: LEAST of ten counts among them. */
SLOW_TEST(coverage_of_arithmetic_by_parts)
{
    CLAIM("formula-parts.level");
    check_table(PEOPLE_PUMS, COVERAGE_PARTS, 25);
}

/* Where a unit may be in several groups, the count that keeps a group is shown. What is shown near
 * the threshold is what was too large by chance: the interval holds over all groups, shown or not,
 * and the column says so (spec/thresholding.md 3). */
SLOW_TEST(coverage_of_counts_that_select_is_over_all_groups)
{
    static const coverage_question question = {
        "units", {{"COUNT(DISTINCT who)", COVERAGE_COUNT, PEOPLE_AGE, 0, NULL}}, 1};
    const coverage_setting setting = {.by = PEOPLE_BY_LEVEL, .epsilon = "0.5"};
    coverage_tally tallies[COVERAGE_OUTPUTS] = {{.trials = 0}};
    const uint64_t runs = check_count(20, 2000);
    coverage c;
    scrim_plan *plan = NULL;
    char query[100];
    if (coverage_begin_with(&c, PEOPLE_PUMS, "neighbours=add-remove\nmax-groups=3\n") &&
        coverage_ask(&c, &question, &setting, runs, tallies)) {
        const uint64_t hidden =
            runs * c.people.group_count[PEOPLE_BY_LEVEL] - tallies[0].trials;
        CHECK(hidden > 0 && tallies[0].trials > 0);
        show("pums by level, counts that select, shown ones alone", &tallies[0]);
        tallies[0].trials += hidden;
        tallies[0].covered += hidden;
        check_low("counts that select", &tallies[0]);
        coverage_query(&question, setting.by, query, sizeof query);
        CHECK_STATUS(coverage_plan(&c, query, &setting, &plan), SCRIM_OK);
        scrim_result *result = plan == NULL ? NULL : coverage_answer(&c, plan);
        if (result != NULL) {
            const char *note = scrim_result_column_at(result, 0, 1)->note;
            CHECK(note != NULL && strstr(note, "groups are hidden") != NULL);
        }
        scrim_result_free(result);
    }
    scrim_plan_free(plan);
    coverage_end(&c);
}

/* The settings of the long tier, without the mechanism, which follows from the relation. */
#define QUANTILE_SETTINGS (PEOPLE_BYS * 3 * 2)

static uint64_t quantile_runs(const coverage *c, people_table table, people_by by)
{
    const uint64_t intervals = c->people.group_count[by] *
                               (table == PEOPLE_ADULT ? QUANTILE_SETTINGS : (uint64_t)1);
    return (2000 + intervals - 1) / intervals;
}

static void check_quantiles(people_table table, uint64_t quick)
{
    static const char *const budgets[] = {"2", "0.5", "8"};
    coverage_tally sums[COVERAGE_OUTPUTS] = {{.trials = 0}};
    for (int replace = 0; replace < 2; replace++) {
        coverage c;
        const bool is_begun = coverage_begin(&c, table, replace != 0);
        for (int by = 0; is_begun && by < (check_is_long() ? PEOPLE_BYS : 1); by++)
            for (size_t e = 0; e < (check_is_long() ? COUNT(budgets) : 1); e++)
                check_setting(&c, COVERAGE_QUANTILES,
                              &(coverage_setting){.by = (people_by)by,
                                                  .mechanism = mechanisms[replace],
                                                  .epsilon = budgets[e]},
                              table_name(table, replace),
                              check_count(quick, quantile_runs(&c, table, (people_by)by)),
                              sums);
        coverage_end(&c);
    }
    check_sums(COVERAGE_QUANTILES, table_name(table, 0), sums);
}

SLOW_TEST(coverage_of_quantiles)
{
    CLAIM("rank-interval.coverage");
    check_quantiles(PEOPLE_PUMS, 40);
}

SLOW_TEST(coverage_of_quantiles_of_adult)
{
    check_quantiles(PEOPLE_ADULT, 10);
}

/* A median that many share is known to the year. */
TEST(coverage_of_quantiles_of_ages_is_of_one_age)
{
    coverage c;
    const coverage_question question = {
        "median", {{"MEDIAN(age)", COVERAGE_QUANTILE, PEOPLE_AGE, 0.5, NULL}}, 1};
    coverage_tally tally[COVERAGE_OUTPUTS] = {{.trials = 0}};
    const coverage_setting setting = {
        .by = PEOPLE_ALL, .mechanism = "laplace", .epsilon = "0.5"};
    if (coverage_begin(&c, PEOPLE_ADULT, false) &&
        coverage_ask(&c, &question, &setting, check_count(5, 2000), tally)) {
        CHECK_INT(tally[0].covered, tally[0].trials);
        CHECK(tally[0].width == 0);
    }
    coverage_end(&c);
}
