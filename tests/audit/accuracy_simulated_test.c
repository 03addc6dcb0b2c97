/* Accuracy statements of the catalogue, simulated: a statement holds as often as it says, and is at most half as wide again as
 * the quantile of the errors, or a step wider, on data where they are large; or a reason says why not. Here are the
 * mechanisms whose answers are numbers, one by one and all at once, and ranks; the others are compared with
 * their exact laws by the tests of a list, and no mechanism of the catalogue is left out. */
#include "audit/catalogue_lines.h"
#include "check.h"
#include "runner.h"
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

/* Statements about something else than values, and the test that holds each to its exact distribution, or to many runs. */
typedef struct elsewhere {
    const char *mechanism, *test;
    const char *why; /* it is wider than 1.5 times the quantile; NULL: it is not */
} elsewhere;

static const char several[] =
    "several failures, each bounded on its worst input, are added",
                  reports[] = "a bound of sums of reports, Chernoff's or Hoeffding's";

#define LOCAL "support_radius_holds_and_is_not_much_wider_than_the_exact_one"
#define MEAN "local_mechanisms_certify_a_mean_as_printed"

static const elsewhere others[] = {
    {"randomised-query", "randomised_query_is_accurate_about_what_was_drawn", NULL},
    {"interval-counts", "interval_counts_are_within_their_bound", several},
    {"smalldb", "smalldb_has_the_accuracy_of_the_specification", several},
    {"mwem", "mwem_states_how_well_it_selects", several},
    {"exponential", "exponential_accuracy_is_attained", NULL},
    {"permute-and-flip", "permute_and_flip_accuracy_is_attained", NULL},
    {"one-sided-noisy-max", "permute_and_flip_accuracy_is_attained", NULL},
    {"noisy-max", "noisy_max_accuracy_holds", NULL},
    {"base2-exponential", "base2_exponential_accuracy_is_attained", NULL},
    {"top-k", "top_k_accuracy_holds", several},
    {"quantile", "quantile_rank_errors_stay_within_the_radius", several},
    {"body", "body_ranks_are_near", several},
    {"depth-median", "depth_medians_are_deep", several},
    {"body-depth", "depths_are_near_the_truth", NULL},
    {"body-extension", "extension_draws_follow_their_law", several},
    {"above-threshold", "above_threshold_certifies_its_radius", NULL},
    {"sparse-vector", "sparse_accuracy_fails_as_often_as_it_says", NULL},
    {"guess-and-check", "sparse_accuracy_fails_as_often_as_it_says", NULL},
    {"generalised-sparse-vector", "generalised_certifies_its_radius", NULL},
    {"stagewise-sparse-vector", "stagewise_certifies_its_radius", NULL},
    {"partition-selection", "partition_selection_certifies_the_smallest_group", NULL},
    {"threshold-laplace", "threshold_laplace_certifies_groups_and_values", NULL},
    {"threshold-gaussian", "threshold_gaussian_certifies_groups_and_values", NULL},
    {"threshold-truncated", "threshold_truncated_certifies_groups_and_values", NULL},
    {"threshold-weighted", "threshold_weighted_certifies_weights_and_values", NULL},
    {"item-sets", "item_sets_are_drawn_by_their_law", NULL},
    {"frequent-sets", "frequent_sets_are_found_level_by_level", several},
    {"stabilise", "stabilise_certifies_utilities", NULL},
    {"randomised-response",
     "randomised_response_radius_holds_and_is_not_much_wider_than_the_exact_one",
     reports},
    {"projective-geometry", LOCAL, reports},
    {"subset-selection", LOCAL, reports},
    {"symmetric-unary", LOCAL, reports},
    {"optimised-unary", LOCAL, reports},
    {"local-hashing", LOCAL, reports},
    {"text-hashing", LOCAL, reports},
    {"repeated-unary", LOCAL, reports},
    {"rappor", LOCAL, reports},
    {"hadamard", "local_mechanisms_certify_all_frequencies", reports},
    {"bit-flip", "local_mechanisms_certify_all_frequencies", reports},
    {"square-wave", MEAN, reports},
    {"one-bit-mean", MEAN, reports},
    {"rounded-bit-mean", MEAN, reports},
    {"laplace-mean", MEAN, reports},
    {"condensed-geometric", MEAN, reports},
    {"emptiness", "emptiness_certifies_the_smallest_set", NULL},
    {"stlap", "stlap_only_ever_drops", always},
    {"bucket-histogram", "bucket_histogram_never_invents_anyone", always},
    {"private-size-stlap", "private_size_stlap_only_ever_drops", always},
    {"rounded-stlap", "rounded_stlap_only_ever_drops", always},
};

static bool is_test(const char *name)
{
    for (const check_test *t = check_first(); t != NULL; t = t->next)
        if (strcmp(t->name, name) == 0)
            return true;
    return false;
}

static bool is_simulated(const char *mechanism)
{
    const size_t length = strlen(mechanism);
    for (size_t i = 0; i < COUNT(situations); i++)
        if (strncmp(situations[i].line, mechanism, length) == 0 &&
            situations[i].line[length] == ' ')
            return true;
    return false;
}

/* Has the line any statement of accuracy, of one value or many? */
static bool has_statement(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_certificate c = {.form = SCRIM_CERTIFICATE_NONE};
    if (CHECK_STATUS(scrim_measurement_parse_model(line, &m, NULL), SCRIM_OK) &&
        scrim_measurement_certify(m, "0.95", 1, &c, NULL) != SCRIM_OK)
        c.form = SCRIM_CERTIFICATE_NONE;
    scrim_measurement_free(m);
    return c.form != SCRIM_CERTIFICATE_NONE;
}

TEST(accuracy_of_every_mechanism_is_compared)
{
    size_t compared = 0;
    for (size_t i = 0; i < COUNT(others); i++)
        if (!CHECK(is_test(others[i].test)))
            CHECK_FAIL("no test %s", others[i].test);
    for (size_t f = 0; f < line_family_count; f++) {
        const char *name = line_families[f].name;
        char line[LINE_BYTES];
        bool is_listed = is_simulated(name);
        for (size_t i = 0; i < COUNT(others) && !is_listed; i++)
            is_listed = strcmp(others[i].mechanism, name) == 0;
        line_at(&line_families[f], 0, line);
        compared += is_listed;
        if (!CHECK(is_listed || !has_statement(line)))
            CHECK_FAIL("%s states an accuracy, and no test compares it", line);
    }
    CHECK(10 * compared >= 9 * line_family_count);
}
