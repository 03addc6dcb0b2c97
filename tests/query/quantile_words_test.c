/* The words of `explain` about quantiles before they are drawn, against answers: of Adult, of PUMS, and of orders
 * whose amounts are spread as amounts are, of customers with one to five of them.
 *
 * Without a guess it says by how many rows a quantile is off at most, which holds as often as it
 * says, and that how far this is in the unit of the column cannot be known. Should it name such an error, it
 * has to be within a factor of two of the intervals that come. */
#include "audit/bounds.h"
#include "check.h"
#include "coverage_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FALSE_ALARM 1e-9
#define MISSED 0.05

/* Rows that lie below a value, and that do not lie above it. */
static void count_about(const double *sorted, size_t count, double value, double *below,
                        double *upto)
{
    size_t low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        low += sorted[i] < value - 1e-9;
        high += sorted[i] <= value + 1e-9;
    }
    *below = (double)low;
    *upto = (double)high;
}

/* By how many rows a value is off the rank of a quantile: 0 where it is the quantile. */
static double rank_off(const double *sorted, size_t count, double p, double value)
{
    double below, upto;
    const double rank = p * (double)count;
    count_about(sorted, count, value, &below, &upto);
    return fmax(0, fmax(below - rank, rank - upto));
}

typedef struct quantile_case {
    const char *query;
    const double *sorted;
    size_t count;
    double p;
} quantile_case;

typedef struct quantile_draws {
    double radius,
        even; /* rows; what rows spread evenly would make it, in the column's unit */
    uint64_t beyond;
    double half, largest; /* the mean half-width; the largest distance in rows */
} quantile_draws;

/* Failures that a right bound has no more often than once in 1e9. */
static void check_draws(const quantile_case *k, const char *epsilon, const char *named,
                        const quantile_draws *d, uint64_t runs)
{
    if (sc_binomial_at_least(d->beyond, runs, MISSED) < FALSE_ALARM)
        CHECK_FAIL("%s: %llu of %llu are more than %g rows off", k->query,
                   (unsigned long long)d->beyond, (unsigned long long)runs, d->radius);
    /* A bound that says nothing would hold as well. */
    CHECK(d->radius < (double)k->count / 4);
    if (named[0] != '\0') {
        const double error = strtod(named, NULL);
        if (!CHECK(error <= 2 * d->half && d->half <= 2 * error))
            CHECK_FAIL("%s: predicted %g, half-width %g", k->query, error, d->half);
    }
    if (check_is_long())
        printf("# %s, epsilon %s: at most %g rows off, %.4f were more, the farthest %g; "
               "half-width %g, %.2f times as much if even\n",
               k->query, epsilon, d->radius, (double)d->beyond / (double)runs, d->largest,
               d->half, d->even / d->half);
}

static bool draw(coverage *c, const scrim_plan *plan, const quantile_case *k,
                 uint64_t runs, quantile_draws *d)
{
    for (uint64_t i = 0; i < runs; i++) {
        scrim_result *result = coverage_answer(c, plan);
        if (result == NULL)
            return false;
        const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, 0);
        const double off = rank_off(k->sorted, k->count, k->p, strtod(cell->value, NULL));
        d->beyond += off > d->radius;
        d->largest = fmax(d->largest, off);
        d->half += (strtod(cell->high, NULL) - strtod(cell->low, NULL)) / 2;
        scrim_result_free(result);
    }
    d->half /= (double)runs;
    return true;
}

static void check_case(coverage *c, const quantile_case *k, const char *epsilon,
                       uint64_t runs)
{
    char expect[32];
    scrim_plan *plan = NULL;
    scrim_plan_output output;
    quantile_draws d = {.beyond = 0};
    snprintf(expect, sizeof expect, "%zu", k->count);
    const coverage_setting setting = {
        .mechanism = "laplace", .epsilon = epsilon, .expect = expect};
    if (CHECK_STATUS(coverage_plan(c, k->query, &setting, &plan), SCRIM_OK) &&
        CHECK_STATUS(scrim_plan_output_at(plan, 0, 0, &output, NULL), SCRIM_OK)) {
        d.radius = strtod(output.rank_error, NULL);
        d.even = coverage_predicted(plan);
        CHECK(d.radius > 0 && strstr(output.ranks, "rows from the true rank") != NULL);
        CHECK(output.is_unknown == (output.error[0] == '\0'));
        if (draw(c, plan, k, runs, &d))
            check_draws(k, epsilon, output.error, &d, runs);
    }
    scrim_plan_free(plan);
}

static void check_people(people_table table, const char *const epsilons[2], uint64_t runs)
{
    static const struct {
        const char *query;
        people_column column;
        double p;
    } cases[] = {{"SELECT MEDIAN(weight)", PEOPLE_WEIGHT, 0.5},
                 {"SELECT QUANTILE(age, 0.9)", PEOPLE_AGE, 0.9},
                 {"SELECT MEDIAN(pay)", PEOPLE_PAY, 0.5},
                 {"SELECT QUANTILE(weight, 0.25)", PEOPLE_WEIGHT, 0.25}};
    coverage c;
    if (coverage_begin(&c, table, false)) {
        const people_group *all = people_find(&c.people, PEOPLE_ALL, "");
        for (size_t i = 0; i < (check_is_long() ? COUNT(cases) : 1); i++)
            for (size_t e = 0; e < (check_is_long() ? 2 : 1); e++)
                check_case(&c,
                           &(quantile_case){cases[i].query, all->sorted[cases[i].column],
                                            all->count, cases[i].p},
                           epsilons[e], runs);
    }
    coverage_end(&c);
}

SLOW_TEST(quantile_words_hold_of_pums)
{
    CLAIM("plan-ranks.holds");
    check_people(PEOPLE_PUMS, (const char *const[2]){"1", "3"},
                 check_count_whole(40, 2000));
}

SLOW_TEST(quantile_words_hold_of_adult)
{
    CLAIM("plan-ranks.holds");
    check_people(PEOPLE_ADULT, (const char *const[2]){"0.5", "0.1"}, check_count(5, 300));
}

/* Orders. */

#define CUSTOMERS 1500
#define ORDERS (5 * CUSTOMERS)

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Amounts in cents, half of them below 22 and one in forty above 150, of at most 10,000. */
static size_t write_orders(const char *path, double amounts[ORDERS])
{
    size_t count = 0;
    uint64_t seed = 20;
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        CHECK_FAIL("cannot write %s", path);
        return 0;
    }
    fputs("who,amount\n", file);
    for (int customer = 0; customer < CUSTOMERS; customer++)
        for (int row = 0; row < 1 + customer % 5; row++) {
            double normal = -6;
            for (int i = 0; i < 12; i++) {
                seed = seed * 6364136223846793005U + 1442695040888963407U;
                normal += (double)(seed >> 40) / (double)(1 << 24);
            }
            amounts[count] = floor(100 * fmin(22 * exp(normal), 10000)) / 100;
            fprintf(file, "%d,%.2f\n", customer, amounts[count++]);
        }
    CHECK(fclose(file) == 0);
    qsort(amounts, count, sizeof *amounts, by_value);
    return count;
}

SLOW_TEST(quantile_words_hold_of_orders)
{
    CLAIM("plan-ranks.holds");
    static double amounts[ORDERS];
    static const struct {
        const char *query;
        double p;
    } cases[] = {{"SELECT MEDIAN(amount)", 0.5}, {"SELECT QUANTILE(amount, 0.9)", 0.9}};
    static const char *const epsilons[] = {"2", "0.5"};
    coverage c;
    if (coverage_begin_policy(&c, "unit=who\ncolumn=amount=decimal[0,10000]/0.01\n"
                                  "missing=amount=0\nmax-groups=1\nmax-rows=5\n")) {
        const size_t count = write_orders(c.scene.table, amounts);
        if (coverage_read(&c))
            for (size_t i = 0; i < (check_is_long() ? COUNT(cases) : 1); i++)
                for (size_t e = 0; e < (check_is_long() ? COUNT(epsilons) : 1); e++)
                    check_case(
                        &c, &(quantile_case){cases[i].query, amounts, count, cases[i].p},
                        epsilons[e], check_count_whole(20, 2000));
    }
    coverage_end(&c);
}
