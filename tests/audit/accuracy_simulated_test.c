/* Accuracy statements of the catalogue, simulated: a statement holds as often as it says, and is at most half as wide again as
 * the quantile of the errors, or a step wider, on data where they are large; or a reason says why not. Here are the
 * mechanisms whose answers are numbers, one by one and all at once, and ranks; accuracy_compared_test.c has the others. */
#include "audit/accuracy_simulated.h"
#include "check.h"
#include "tape_release.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

typedef struct situation {
    const char *line;
    const char *why; /* it is wider than that; NULL: it is not */
    size_t count;
    int64_t input[MOST];
    size_t answers;
    int64_t truth[MOST];
} situation;

static const char always[] = "holds always, as the largest error does",
                  added[] = "the range always holds, and noise is added to it";

#define SAME(n, ...)                                                                     \
    n, {__VA_ARGS__}, n,                                                                 \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

static const situation situations[] = {
    {"laplace sensitivity=1 epsilon=1 size=3 neighbours=replace", NULL, SAME(3, 5, 0, 9)},
    {"gaussian sensitivity=1 epsilon=1 delta=1e-3 size=3 neighbours=replace", NULL,
     SAME(3, 5, 0, 9)},
    {"truncated-laplace sensitivity=1 epsilon=1 bound=20 size=2 neighbours=replace",
     always, SAME(2, 5, 0)},
    {"laplace-share sensitivity=1 epsilon=1 shares=3 honest=1 neighbours=replace", NULL,
     SAME(1, 5)},
    {"laplace-share sensitivity=1 epsilon=1 shares=4 honest=6 neighbours=replace", NULL,
     SAME(1, 5)},
    {"gaussian-share sensitivity=1 variance=5 honest=5 neighbours=replace", NULL,
     SAME(1, 5)},
    {"gaussian-share sensitivity=1 variance=5 honest=40 size=3 neighbours=replace", NULL,
     SAME(3, 5, 1, 2)},
    {"robust-laplace rho=2 epsilon=1 neighbours=replace", NULL, SAME(1, 5)},
    {"robust rho=1 epsilon=1 of laplace sensitivity=1 epsilon=1 size=3 "
     "neighbours=replace",
     NULL, SAME(3, 5, 0, 9)},
    {"robust rho=1 epsilon=1 of robust-laplace rho=1 epsilon=1 neighbours=replace", NULL,
     SAME(1, 5)},
    {"robust rho=7/2 epsilon=1/3 theta=1/10 of robust-laplace rho=2 epsilon=1 "
     "neighbours=replace",
     NULL, SAME(1, 5)},
    {"robust rho=1 epsilon=1 of robust-laplace rho=3 epsilon=2 theta=1/10 "
     "neighbours=replace",
     NULL, SAME(1, 5)},
    {"robust rho=1 epsilon=1 of truncated-laplace sensitivity=1 epsilon=1 bound=8 "
     "neighbours=replace",
     NULL, SAME(1, 5)},
    {"robust rho=1 epsilon=1 of range sensitivity=1 epsilon=1 width=6 neighbours=replace",
     added, SAME(1, 5)},
    {"robust rho=1 epsilon=1 of laplace-share sensitivity=1 epsilon=1 shares=4 honest=2 "
     "neighbours=replace",
     NULL, SAME(1, 5)},
    {"robust rho=1 epsilon=1 of gaussian-share sensitivity=1 variance=4 honest=2 "
     "neighbours=replace",
     NULL, SAME(1, 5)},
    {"robust rho=1 epsilon=1 of stlap epsilon=1 q=7 neighbours=replace", NULL,
     SAME(3, 50, 40, 30)},
    {"robust rho=1 epsilon=1 of rounded-stlap q=9 neighbours=add-remove", NULL,
     SAME(3, 50, 40, 30)},
    {"robust rho=1 epsilon=1 of point-first epsilon=1 neighbours=add-remove", NULL,
     SAME(4, 50, 40, 30, 0)},
    {"robust rho=1 epsilon=1 of sum-first epsilon=1 neighbours=add-remove", NULL,
     SAME(4, 50, 40, 30, 0)},
    {"robust rho=1 epsilon=1 of counter sensitivity=1 epsilon=1 steps=7 "
     "neighbours=replace",
     NULL,
     7,
     {1, 1, 0, 0, 1, 1, 1},
     7,
     {1, 2, 2, 2, 3, 4, 5}},
    {"robust rho=1 epsilon=1 of linear-queries epsilon=1 bins=3 coefficients=1,1,0,0,1,1 "
     "neighbours=replace",
     NULL,
     3,
     {4, 5, 6},
     2,
     {9, 11}},
    {"robust rho=1 epsilon=1 of marginals epsilon=1 tables=2,3 neighbours=replace", NULL,
     SAME(5, 4, 5, 6, 1, 2)},
    {"robust rho=1 epsilon=1 of hierarchy epsilon=2 fan-outs=5 neighbours=replace", NULL,
     SAME(5, 50, 40, 30, 20, 10)},
    {"counter sensitivity=1 epsilon=1 steps=7 neighbours=replace",
     NULL,
     7,
     {1, 1, 0, 0, 1, 1, 1},
     7,
     {1, 2, 2, 2, 3, 4, 5}},
    {"counter sensitivity=1 epsilon=1/3 steps=12 neighbours=replace",
     NULL,
     12,
     {1, 1, 0, 0, 1, 1, 1},
     12,
     {1, 2, 2, 2, 3, 4, 5, 5, 5, 5, 5, 5}},
    {"counter sensitivity=1 rho=2 steps=12 neighbours=replace",
     NULL,
     12,
     {1, 1, 0, 0, 1, 1, 1},
     12,
     {1, 2, 2, 2, 3, 4, 5, 5, 5, 5, 5, 5}},
    {"linear-queries epsilon=1 bins=3 coefficients=1,1,0,0,1,1 neighbours=replace",
     NULL,
     3,
     {4, 5, 6},
     2,
     {9, 11}},
    {"linear-queries epsilon=1 bins=4 workload=prefix neighbours=replace",
     NULL,
     4,
     {4, 5, 6, 1},
     4,
     {4, 9, 15, 16}},
    {"linear-queries rho=2 bins=3 coefficients=1,1,0,0,1,1 neighbours=replace",
     NULL,
     3,
     {4, 5, 6},
     2,
     {9, 11}},
    {"marginals epsilon=1/3 tables=2,3 neighbours=replace", NULL, SAME(5, 4, 5, 6, 1, 2)},
    {"marginals rho=1/8 tables=2,3 neighbours=replace", NULL, SAME(5, 4, 5, 6, 1, 2)},
    {"point-first epsilon=1 neighbours=add-remove", NULL,
     SAME(8, 50, 40, 30, 20, 20, 20, 20, 90)},
    {"point-first epsilon=1/10 neighbours=add-remove", NULL,
     SAME(8, 50, 40, 30, 20, 20, 20, 20, 90)},
    {"point-first rho=1/2 neighbours=add-remove", NULL,
     SAME(8, 50, 40, 30, 20, 20, 20, 20, 90)},
    {"sum-first epsilon=1 neighbours=add-remove", NULL,
     SAME(8, 50, 40, 30, 20, 20, 20, 20, 90)},
    {"sum-first epsilon=1 neighbours=add-remove", NULL, SAME(2, 50, 40)},
    {"sum-first epsilon=1 neighbours=add-remove", NULL, SAME(1, 50)},
    {"sum-first epsilon=1 neighbours=add-remove", NULL, SAME(8, 900)},
    {"sum-first rho=2 neighbours=add-remove", NULL,
     SAME(8, 50, 40, 30, 20, 20, 20, 20, 90)},
    {"sum-first epsilon=1 delta=1e-2 neighbours=add-remove", always,
     SAME(8, 50, 40, 30, 20, 20, 20, 20, 90)},
    {"sum-first epsilon=1 delta=1e-2 neighbours=add-remove", always,
     SAME(8, 0, 0, 0, 0, 0, 0, 0, 90)},
    {"hierarchy epsilon=2 fan-outs=2,2 neighbours=add-remove", NULL,
     SAME(4, 50, 40, 30, 20)},
    {"hierarchy epsilon=1/2 fan-outs=5 neighbours=add-remove", NULL,
     SAME(5, 500, 400, 300, 200, 100)},
    {"hierarchy epsilon=1/2 fan-outs=2,2,2 neighbours=add-remove", NULL,
     SAME(8, 500, 400, 300, 200, 100, 50, 500, 40)},
    {"hierarchy epsilon=1/2 fan-outs=2,2,2 neighbours=add-remove", NULL,
     SAME(8, 0, 0, 0, 0, 0, 0, 500, 0)},
    {"hierarchy rho=2 fan-outs=2 shares=1/3,2/3 neighbours=add-remove", NULL,
     SAME(2, 500, 400)},
    {"hierarchy epsilon=1/2 delta=1e-6 fan-outs=2 neighbours=add-remove", always,
     SAME(2, 500, 400)},
    {"range sensitivity=1 epsilon=1 delta=1e-2 neighbours=replace", always, SAME(1, 5)},
};

static int less(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Some 4 standard deviations above 95 % of the runs, for 3 wrong alarms in 10^5. */
static size_t rare(uint64_t runs)
{
    return (size_t)(0.05 * (double)runs + 4.1 * sqrt(0.0475 * (double)runs) + 1);
}

/* The error that is passed by fewer than 5 % of the runs, from above; sorts. */
static double quantile_upper(double *errors, uint64_t runs)
{
    const double few = 0.05 * (double)runs - 4.1 * sqrt(0.0475 * (double)runs);
    qsort(errors, runs, sizeof *errors, less);
    return errors[runs - 1 - (size_t)fmax(0, few)];
}

typedef struct errors {
    double *at[MOST], *all;       /* of each answer, and the largest; a run each */
    double low[MOST], high[MOST]; /* how far its interval reaches */
    size_t missed[MOST], missed_all;
} errors;

static void errors_init(errors *e, uint64_t runs)
{
    memset(e, 0, sizeof *e);
    e->all = calloc(runs, sizeof(double));
    for (size_t i = 0; i < MOST; i++)
        e->at[i] = calloc(runs, sizeof(double));
}

static void errors_clear(errors *e)
{
    free(e->all);
    for (size_t i = 0; i < MOST; i++)
        free(e->at[i]);
}

static bool run_once(const situation *s, const scrim_measurement *m,
                     const scrim_certificate *c, uint64_t run, errors *e)
{
    sc_tape *tape = NULL;
    scrim_answer *answer = NULL;
    const scrim_input input = {.integers = s->input, .count = s->count};
    bool is_well =
        CHECK_STATUS(sc_tape_seeded(check_seed() + run, &tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(tape_release(m, &input, tape, &answer, NULL, NULL), SCRIM_OK) &&
        CHECK(scrim_answer_count(answer) == s->answers);
    for (size_t i = 0; is_well && i < s->answers; i++) {
        char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
        const double value = scrim_answer_double(answer, i), truth = (double)s->truth[i];
        if (scrim_answer_kind_at(answer, i) != SCRIM_ANSWER_VALUE)
            continue; /* not shown */
        is_well =
            CHECK_STATUS(scrim_answer_interval(answer, i, c, low, high, NULL), SCRIM_OK);
        e->low[i] = value - strtod(low, NULL);
        e->high[i] = strtod(high, NULL) - value;
        e->missed[i] += truth < value - e->low[i] || truth > value + e->high[i];
        e->at[i][run] = fabs(value - truth);
        e->all[run] = fmax(e->all[run], e->at[i][run]);
    }
    e->missed_all += is_well && e->all[run] > strtod(c->radius_all, NULL);
    scrim_answer_free(answer);
    sc_tape_free(tape);
    return is_well;
}

static bool is_narrow(double radius, double quantile)
{
    return radius <= 1.5 * quantile + 1e-9 || radius <= quantile + 1;
}

/* Values whose intervals are as wide have one statement: the one with the largest errors. */
static bool check_widths(const situation *s, errors *e, uint64_t runs)
{
    double quantiles[MOST];
    bool is_well = true;
    for (size_t i = 0; i < s->answers; i++)
        quantiles[i] = quantile_upper(e->at[i], runs);
    for (size_t i = 0; i < s->answers; i++) {
        double most = 0;
        for (size_t j = 0; j < s->answers; j++)
            if (e->high[j] == e->high[i])
                most = fmax(most, quantiles[j]);
        is_well = CHECK(s->why != NULL || is_narrow(e->high[i], most)) && is_well;
    }
    return is_well;
}

static void check_situation(const situation *s)
{
    const uint64_t runs = check_count(600, 8000);
    scrim_measurement *m = tape_measurement(s->line);
    scrim_certificate c;
    errors e;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", s->count, &c, NULL));
    const bool is_always = c.form == SCRIM_CERTIFICATE_RANGE,
               is_drop = c.form == SCRIM_CERTIFICATE_DROP,
               is_joint = c.radius_all[0] != '\0';
    CHECK(is_always || is_drop || c.form == SCRIM_CERTIFICATE_INTERVAL);
    CHECK(s->why != NULL || !is_always);
    errors_init(&e, runs);
    bool is_well = true;
    for (uint64_t r = 0; is_well && r < runs; r++)
        is_well = run_once(s, m, &c, r, &e);
    for (size_t i = 0; i < s->answers; i++)
        is_well = CHECK(e.missed[i] <= (is_always ? 0 : rare(runs))) && is_well;
    is_well = CHECK(!is_joint || e.missed_all <= rare(runs)) && is_well;
    /* Between both sides of a value that is only lost: robust_test.c has its law. */
    is_well = (is_drop || check_widths(s, &e, runs)) && is_well;
    const double all = quantile_upper(e.all, runs);
    is_well = CHECK(!is_joint || is_narrow(strtod(c.radius_all, NULL), all)) && is_well;
    if (!is_well)
        check_fail(__FILE__, __LINE__, "%s: within %s, all %s", s->line, c.radius,
                   c.radius_all);
    errors_clear(&e);
    scrim_measurement_free(m);
}

SLOW_TEST(accuracy_of_values_is_that_of_many_runs)
{
    for (size_t i = 0; i < COUNT(situations); i++)
        check_situation(&situations[i]);
}

bool accuracy_is_simulated(const char *mechanism)
{
    const size_t length = strlen(mechanism);
    for (size_t i = 0; i < COUNT(situations); i++)
        if (strncmp(situations[i].line, mechanism, length) == 0 &&
            situations[i].line[length] == ' ')
            return true;
    return false;
}
