/* Intervals of averages over columns with NULL, of arithmetic on aggregates and of totals per person have the
 * truth in them as often as they say: 94 to 99.5 % of the time for 95 %, over 2,000 runs of each of four
 * settings in the long tier.
 *
 * A run is a whole answer: a charge, a pass over the rows, draws, intervals. What makes it fast are a table of
 * few rows, a plan that is made once, and several outputs in one question. A tally is that of all settings
 * together: a right engine does not miss 0.94 once in 1e9 then. The upper bar is not asked of what is
 * computed from intervals of parts that hold together: a mean times something, or means of other rows divided
 * and subtracted, which covered 0.997 to 0.9995, 0.993 to 0.995 and 0.995 to 0.999. */
#include "audit/bounds.h"
#include "check.h"
#include "coverage_bar.h"
#include "coverage_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FALSE_ALARM_HIGH 1e-4 /* of one that covers 0.995 */
#define BAR_HIGH 0.995
#define PEOPLE 240
#define OUTPUTS 8

/* One person has one to three rows; x is NULL in every seventh, y in every fifth. */
typedef struct small_row {
    int person, x, y;
    bool has_x, has_y;
} small_row;

static small_row rows[3 * PEOPLE];
static size_t row_count;

static void write_rows(const char *path)
{
    FILE *file = fopen(path, "w");
    row_count = 0;
    REQUIRE(file != NULL);
    fputs("who,x,y\n", file);
    for (int person = 0; person < PEOPLE; person++)
        for (int row = 0; row <= person % 3; row++) {
            const int n = (int)row_count;
            small_row *r = &rows[row_count++];
            *r = (small_row){person, 20 + n * 37 % 61, n * 29 % 101 - 30, n % 7 != 0,
                             n % 5 != 0};
            fprintf(file, "%d,", person);
            r->has_x ? fprintf(file, "%d,", r->x) : fputs(",", file);
            r->has_y ? fprintf(file, "%d\n", r->y) : fputs("\n", file);
        }
    CHECK(fclose(file) == 0);
}

/* Truths. */

static double count_all(void)
{
    return (double)row_count;
}

/* n, the sum and the sum of squares of the values that are there. */
static void moments(bool of_x, double *n, double *sum, double *squares)
{
    *n = *sum = *squares = 0;
    for (size_t i = 0; i < row_count; i++) {
        const double value = of_x ? rows[i].x : rows[i].y;
        if (of_x ? rows[i].has_x : rows[i].has_y) {
            ++*n;
            *sum += value;
            *squares += value * value;
        }
    }
}

static double count_of(bool of_x)
{
    double n, sum, squares;
    moments(of_x, &n, &sum, &squares);
    return n;
}

static double sum_of(bool of_x)
{
    double n, sum, squares;
    moments(of_x, &n, &sum, &squares);
    return sum;
}

static double mean_of(bool of_x)
{
    return sum_of(of_x) / count_of(of_x);
}

static double deviation_of_x(void)
{
    double n, sum, squares;
    moments(true, &n, &sum, &squares);
    return sqrt((squares - sum * sum / n) / (n - 1));
}

static double count_above(int x)
{
    size_t count = 0;
    for (size_t i = 0; i < row_count; i++)
        count += rows[i].has_x && rows[i].x > x;
    return (double)count;
}

static double mean_x(void)
{
    return mean_of(true);
}
static double mean_y(void)
{
    return mean_of(false);
}
static double difference(void)
{
    return sum_of(true) - 2 * sum_of(false);
}
static double quotient(void)
{
    return sum_of(false) / count_all();
}
static double share(void)
{
    return count_above(50) / count_all();
}
static double of_means(void)
{
    return mean_of(false) / mean_of(true);
}
static double product(void)
{
    return count_above(50) * mean_of(true);
}
static double counts(void)
{
    return count_above(50) * count_of(false);
}
static double square(void)
{
    return sum_of(false) * sum_of(false) / 1000;
}
static double variation(void)
{
    return deviation_of_x() / mean_of(true);
}
static double least(void)
{
    return fmin(count_of(true), fmin(count_of(false), count_all()));
}
static double greatest(void)
{
    return fmax(count_above(30), fmax(count_above(50), count_above(70)));
}
static double distance(void)
{
    return fabs(sum_of(false) - sum_of(true));
}
static double gap(void)
{
    return fabs(mean_of(true) - mean_of(false));
}

/* The total of one person, clamped to -60 to 90. */
static double total(void)
{
    double sum = 0;
    for (int person = 0; person < PEOPLE; person++) {
        double own = 0;
        for (size_t i = 0; i < row_count; i++)
            own += rows[i].person == person && rows[i].has_y ? rows[i].y : 0;
        sum += fmin(fmax(own, -60), 90);
    }
    return sum;
}
static double half_total(void)
{
    return total() / 2 + 3;
}

typedef struct formula_output {
    const char *text;
    double (*truth)(void);
    bool is_by_parts;
} formula_output;

typedef struct formula_question {
    const char *lines; /* of the policy, besides */
    formula_output outputs[OUTPUTS];
    size_t count;
} formula_question;

static const formula_question averages = {
    "", {{"AVG(x)", mean_x, false}, {"AVG(y)", mean_y, false}}, 2};
static const formula_question quotients = {
    "",
    {{"SUM(x) - 2 * SUM(y) AS difference", difference, false},
     {"SUM(y) / COUNT(*) AS quotient", quotient, false},
     {"COUNT(*) FILTER (WHERE x > 50) / COUNT(*) AS share", share, false},
     {"AVG(y) / AVG(x) AS of_means", of_means, true}},
    4};
static const formula_question products = {
    "",
    {{"COUNT(*) FILTER (WHERE x > 50) * COUNT(y) AS counts", counts, false},
     {"SUM(y) * SUM(y) / 1000 AS square", square, false},
     {"COUNT(*) FILTER (WHERE x > 50) * AVG(x) AS product", product, false}},
    3};
static const formula_question variations = {
    "", {{"STDDEV(x) / AVG(x) AS variation", variation, false}}, 1};
static const formula_question extremes = {
    "",
    {{"LEAST(COUNT(x), COUNT(y), COUNT(*)) AS least", least, false},
     {"GREATEST(COUNT(*) FILTER (WHERE x > 30), COUNT(*) FILTER (WHERE x > 50), "
      "COUNT(*) FILTER (WHERE x > 70)) AS greatest",
      greatest, false},
     {"ABS(SUM(y) - SUM(x)) AS distance", distance, false},
     {"ABS(AVG(x) - AVG(y)) AS gap", gap, false}},
    4};
static const formula_question totals = {"max-total=y=-60,90\n",
                                        {{"SUM(y)", total, false},
                                         {"SUM(y) / 2 + 3 AS half", half_total, false},
                                         {"COUNT(*)", count_all, false}},
                                        3};

typedef struct formula_tally {
    uint64_t trials, covered, open;
    double width, truth;
} formula_tally;

static const char *query_of(const formula_question *q, char text[1000])
{
    size_t used = (size_t)snprintf(text, 1000, "SELECT ");
    for (size_t i = 0; i < q->count; i++)
        used += (size_t)snprintf(text + used, 1000 - used, "%s%s", i > 0 ? ", " : "",
                                 q->outputs[i].text);
    return text;
}

static void count_result(const formula_question *q, const scrim_result *result,
                         formula_tally *tallies)
{
    for (size_t i = 0; i < q->count; i++) {
        const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, i);
        const double truth = tallies[i].truth;
        const double low = cell->low[0] == '\0' ? -HUGE_VAL : strtod(cell->low, NULL),
                     high = cell->high[0] == '\0' ? HUGE_VAL : strtod(cell->high, NULL);
        tallies[i].trials++;
        tallies[i].open += cell->is_open != 0;
        tallies[i].covered += low <= truth && truth <= high;
        tallies[i].width += (high - low) / 2;
    }
}

static void ask(coverage *c, const formula_question *q, const coverage_setting *setting,
                uint64_t runs, formula_tally *tallies)
{
    char query[1000];
    scrim_plan *plan = NULL;
    if (!CHECK_STATUS(coverage_plan(c, query_of(q, query), setting, &plan), SCRIM_OK))
        CHECK_FAIL("%s: %s", query, c->scene.error.message);
    for (size_t i = 0; i < q->count; i++)
        tallies[i].truth = q->outputs[i].truth();
    for (uint64_t i = 0; plan != NULL && i < runs; i++) {
        scrim_result *result = coverage_answer(c, plan);
        if (result == NULL)
            break;
        count_result(q, result, tallies);
        scrim_result_free(result);
    }
    scrim_plan_free(plan);
}

static void check_tally(const formula_output *output, const formula_tally *t)
{
    const bool is_padded =
        !output->is_by_parts &&
        sc_binomial_at_least(t->covered, t->trials, BAR_HIGH) < FALSE_ALARM_HIGH;
    if (!covers_enough(t->covered, t->trials) || is_padded)
        CHECK_FAIL("%s: %.4f of %llu intervals have the truth in them", output->text,
                   (double)t->covered / (double)t->trials, (unsigned long long)t->trials);
}

static void check_question(const formula_question *q)
{
    static const char *const relations[] = {"add-remove", "replace"};
    static const coverage_setting settings[] = {
        {.mechanism = "laplace", .epsilon = "8", .expect = "480"},
        {.mechanism = "gaussian", .epsilon = "16", .expect = "480"},
    };
    const uint64_t runs = check_count_whole(10, 2000);
    formula_tally sums[OUTPUTS] = {{.trials = 0}};
    for (size_t r = 0; r < COUNT(relations); r++) {
        char policy[400];
        coverage c;
        snprintf(policy, sizeof policy,
                 "unit=who\ncolumn=x=int[0,100]\ncolumn=y=int[-50,100]\n"
                 "neighbours=%s\nmax-groups=1\nmax-rows=3\n%s",
                 relations[r], q->lines);
        if (coverage_begin_policy(&c, policy)) {
            write_rows(c.scene.table);
            for (size_t s = 0; coverage_read(&c) && s < COUNT(settings); s++) {
                formula_tally tallies[OUTPUTS] = {{.trials = 0}};
                ask(&c, q, &settings[s], runs, tallies);
                for (size_t i = 0; i < q->count; i++) {
                    printf("# %s, %s, %s: %.4f of %llu, half-width %g, %llu open\n",
                           q->outputs[i].text, relations[r], settings[s].mechanism,
                           (double)tallies[i].covered / (double)tallies[i].trials,
                           (unsigned long long)tallies[i].trials,
                           tallies[i].width / (double)tallies[i].trials,
                           (unsigned long long)tallies[i].open);
                    sums[i].trials += tallies[i].trials;
                    sums[i].covered += tallies[i].covered;
                }
            }
        }
        coverage_end(&c);
    }
    for (size_t i = 0; i < q->count; i++)
        check_tally(&q->outputs[i], &sums[i]);
}

SLOW_TEST(formula_coverage_of_averages_with_null)
{
    CLAIM("mean-interval.coverage");
    check_question(&averages);
}

SLOW_TEST(formula_coverage_of_sums_and_quotients)
{
    CLAIM("formula-estimate.coverage");
    check_question(&quotients);
}

SLOW_TEST(formula_coverage_of_products)
{
    CLAIM("formula-smooth.coverage");
    check_question(&products);
}

SLOW_TEST(formula_coverage_of_variation)
{
    CLAIM("formula-estimate.coverage");
    check_question(&variations);
}

SLOW_TEST(formula_coverage_of_least_and_greatest)
{
    CLAIM("formula-parts.level");
    check_question(&extremes);
}

SLOW_TEST(formula_coverage_of_totals)
{
    CLAIM("estimate.exact");
    check_question(&totals);
}
