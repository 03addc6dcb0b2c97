#include "check.h"
#include "faults.h"
#include "lab/experiment/flexible_accuracy.h"
#include "random/bits_tape.h"
#include "system_calls.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two data sets of three runs: errors 0 1 2 and 4 4 7, of 50 bars. */
static void fill(lab_error_tally *tally)
{
    for (uint32_t e = 0; e < 3; e++)
        lab_error_tally_add(tally, e);
    lab_error_tally_end_set(tally);
    lab_error_tally_add(tally, 4);
    lab_error_tally_add(tally, 4);
    lab_error_tally_add(tally, 7);
    lab_error_tally_end_set(tally);
}

TEST(error_tally_tells_mean_and_deviation)
{
    lab_error_tally a = {0};
    lab_experiment_error of_runs, of_sets;
    fill(&a);
    lab_error_tally_summarise(&a, 50, 2, false, &of_runs);
    lab_error_tally_summarise(&a, 50, 2, true, &of_sets);
    CHECK_NEAR(of_runs.mean, 6, 1e-12); /* 3 bars of 50 */
    CHECK_NEAR(of_sets.mean, 6, 1e-12);
    /* Squares about 3: 9 4 1 1 1 16. */
    CHECK_NEAR(of_runs.standard_error, 2 * sqrt(32.0 / 5 / 6), 1e-12);
    /* Means 1 and 5: a deviation of sqrt(8) over sqrt(2). */
    CHECK_NEAR(of_sets.standard_error, 2 * sqrt(8.0 / 2), 1e-12);
    CHECK_NEAR(of_runs.quantile, 14, 1e-12);
}

TEST(error_tally_knows_no_error_of_one_run)
{
    lab_error_tally one = {0};
    lab_experiment_error told;
    lab_error_tally_add(&one, 5);
    lab_error_tally_end_set(&one);
    lab_error_tally_summarise(&one, 100, 1, true, &told);
    CHECK_NEAR(told.mean, 5, 1e-12);
    CHECK(told.standard_error == 0);
    CHECK_NEAR(told.quantile, 5, 1e-12);
}

/* Two of 40 runs may be beyond. */
TEST(error_tally_quantile_leaves_a_twentieth)
{
    lab_error_tally t = {0};
    lab_experiment_error told;
    for (uint32_t e = 1; e <= 40; e++)
        lab_error_tally_add(&t, e);
    lab_error_tally_end_set(&t);
    lab_error_tally_summarise(&t, 100, 1, false, &told);
    CHECK_NEAR(told.quantile, 38, 1e-12);
    lab_error_tally_add(&t, 0); /* of 41, two as well */
    lab_error_tally_summarise(&t, 100, 1, false, &told);
    CHECK_NEAR(told.quantile, 38, 1e-12);
    CHECK_NEAR(told.mean, 20, 1e-12);
}

#define ROWS_EACH ((size_t)42) /* six epsilons, seven mechanisms */

/* The same seed gives the same rows. */
static scrim_status run_seeded(uint64_t seed, const lab_experiment_options *options,
                               lab_experiment **out, scrim_error *error)
{
    sc_entropy_seed(seed);
    const scrim_status status = lab_flexible_accuracy(options, out, error);
    sc_entropy_release();
    return status;
}

typedef struct heard {
    uint64_t calls, done, total;
} heard;

static void hear(void *context, uint64_t done, uint64_t total)
{
    heard *h = context;
    CHECK(done <= total && (h->total == 0 || h->total == total));
    h->calls++;
    h->done = done;
    h->total = total;
}

SLOW_TEST(experiment_rows_are_in_order)
{
    static const char *const epsilons[] = {"0.05", "0.1", "0.2", "0.5", "1", "2"};
    static const char *const mechanisms[] = {"stlap",     "exponential", "ptr", "smooth",
                                             "stability", "choosing",    "esa"};
    static const size_t bars[] = {100, 100, 100, 100, 30, 300};
    lab_experiment *found = NULL;
    scrim_error error;
    heard h = {0, 0, 0};
    REQUIRE_OK(run_seeded(
        check_seed(),
        &(lab_experiment_options){.sets = 2, .runs = 3, .progress = hear, .context = &h},
        &found, &error));
    CHECK(h.total == 36 * ROWS_EACH);
    CHECK_INT(h.done, h.total);
    for (size_t i = 0; i < 6 * ROWS_EACH; i++) {
        const lab_experiment_row *row = &found->rows[i];
        CHECK_INT(row->experiment, 1 + i / ROWS_EACH);
        CHECK_STR(row->epsilon, epsilons[i % ROWS_EACH / 7]);
        CHECK_STR(row->mechanism, mechanisms[i % 7]);
        CHECK_INT(row->runs, 6);
        CHECK_INT(row->raw.has_expected, strcmp(row->mechanism, "choosing") != 0);
        CHECK_INT(row->flexible.has_expected, row->raw.has_expected);
        /* Dropping elements can only help. */
        CHECK(row->flexible.mean <= row->raw.mean);
        CHECK(row->flexible.quantile <= row->raw.quantile);
    }
    CHECK_INT(found->row_count, 6 * ROWS_EACH);
    for (size_t i = 0; i < 6; i++) {
        const lab_experiment_data *data = &found->data[i];
        CHECK_INT(data->experiment, i + 1);
        CHECK_INT(data->bars, bars[i]);
        CHECK_STR(data->statistic, found->rows[i * ROWS_EACH].statistic);
    }
    CHECK_INT(found->data_count, 6);
    CHECK_INT(found->data[3].heights[49], 540);
    CHECK_INT(found->data[3].value, 50);
    CHECK_INT(found->data[3].allowance, 257);
    free(found);
}

/* The least is marked, each of several that are equal, and none that is only near. */
static void check_marks(const lab_experiment *found, size_t first)
{
    double raw = HUGE_VAL, flexible = HUGE_VAL;
    for (size_t i = first; i < first + 7; i++) {
        raw = fmin(raw, found->rows[i].raw.mean);
        flexible = fmin(flexible, found->rows[i].flexible.mean);
    }
    for (size_t i = first; i < first + 7; i++) {
        const lab_experiment_row *row = &found->rows[i];
        CHECK_INT(row->raw.is_least, row->raw.mean <= raw);
        CHECK_INT(row->flexible.is_least, row->flexible.mean <= flexible);
    }
}

SLOW_TEST(experiment_marks_the_least)
{
    for (unsigned number = 4; number <= 6; number += 2) {
        lab_experiment *found = NULL;
        scrim_error error;
        REQUIRE_OK(run_seeded(
            check_seed(), &(lab_experiment_options){.only = number, .sets = 5, .runs = 5},
            &found, &error));
        CHECK_INT(found->data[0].experiment, number);
        CHECK_INT(found->data_count, 1);
        for (size_t first = 0; first < ROWS_EACH; first += 7)
            check_marks(found, first);
        /* At epsilon 2 no bar of ours of 540 can fall below 500. */
        if (number == 4) {
            CHECK(found->rows[35].raw.is_least);
            CHECK(found->rows[35].raw.mean == 0);
        }
        free(found);
    }
}

/* The means of the runs agree with the expected errors. Where data are fixed the deviation of a run
 * is known, and n runs are off by 6 deviations and 12 of the largest error / n with a probability
 * below 3e-8 (Bernstein); 216 means are looked at. */
static void check_mean(const lab_experiment_row *row, const lab_experiment_error *got,
                       const lab_expected_error *expected, size_t bars)
{
    const double percent = 100 / (double)bars, n = (double)row->runs;
    const double slack = 6 * expected->deviation / sqrt(n) + 12 * (double)bars / n;
    CHECK_NEAR(got->expected + 1e-9, percent * expected->mean + 1e-9, 1e-12);
    if (fabs(got->mean - percent * expected->mean) > percent * slack)
        CHECK_FAIL("experiment %u, epsilon %s, %s: %g, and %g is expected",
                   row->experiment, row->epsilon, row->mechanism, got->mean,
                   percent * expected->mean);
}

/* The rows of one epsilon. */
static void check_means(const lab_experiment *found, size_t first, const lab_scene *scene)
{
    lab_competitors c;
    scrim_error error;
    REQUIRE_OK(lab_competitors_init(&c, found->rows[first].epsilon, LAB_EXPERIMENT_DELTA,
                                    &error));
    for (unsigned m = 0; m < LAB_COMPETITOR_KINDS; m++) {
        const lab_experiment_row *row = &found->rows[first + m];
        long double law[LAB_BARS_MAX + 1];
        lab_expected_error raw, flexible;
        if (!row->raw.has_expected)
            continue;
        lab_competitor_law(&c, (lab_competitor)m, scene, law);
        lab_expected_errors(scene, law, &raw, &flexible);
        check_mean(row, &row->raw, &raw, scene->x->count);
        check_mean(row, &row->flexible, &flexible, scene->x->count);
    }
    lab_competitors_clear(&c);
}

SLOW_TEST(experiment_means_are_as_expected)
{
    CLAIM("experiment.errors");
    for (unsigned number = 2; number <= 6; number += 2) {
        const lab_experiment_kind *kind = lab_experiment_kind_of(number, false);
        const uint64_t runs = check_count(400, 100000);
        lab_experiment *found = NULL;
        scrim_error error;
        lab_bars x;
        lab_scene scene;
        REQUIRE_OK(
            run_seeded(check_seed(),
                       &(lab_experiment_options){.only = number, .sets = 2, .runs = runs},
                       &found, &error));
        lab_experiment_make(kind, NULL, &x);
        lab_scene_init(&scene, &kind->f, &x);
        for (size_t first = 0; first < ROWS_EACH; first += 7)
            check_means(found, first, &scene);
        free(found);
    }
}

/* Where data are drawn, the expected error is that on the same data sets: six deviations of what
 * the runs add, which is less than the largest error / sqrt(n). */
SLOW_TEST(experiment_means_are_as_expected_on_drawn_data)
{
    CLAIM("experiment.errors");
    for (unsigned number = 1; number <= 5; number += 2) {
        lab_experiment *found = NULL;
        scrim_error error;
        size_t differ = 0; /* rows whose data sets have other means */
        REQUIRE_OK(run_seeded(check_seed(),
                              &(lab_experiment_options){.only = number,
                                                        .sets = 4,
                                                        .runs = check_count(400, 20000)},
                              &found, &error));
        for (size_t i = 0; i < ROWS_EACH; i++) {
            const lab_experiment_row *row = &found->rows[i];
            const double slack = 6 * 50 / sqrt((double)row->runs);
            differ += row->raw.standard_error > 0;
            if (!row->raw.has_expected)
                continue;
            if (fabs(row->raw.mean - row->raw.expected) > slack ||
                fabs(row->flexible.mean - row->flexible.expected) > slack)
                CHECK_FAIL("experiment %u, epsilon %s, %s: %g, and %g is expected",
                           number, row->epsilon, row->mechanism, row->raw.mean,
                           row->raw.expected);
        }
        CHECK(differ >= ROWS_EACH / 2);
        free(found);
    }
}

SLOW_TEST(experiment_six_may_be_noisy)
{
    lab_experiment *found = NULL;
    scrim_error error;
    const lab_experiment_data *data;
    REQUIRE_OK(run_seeded(
        check_seed(),
        &(lab_experiment_options){.only = 6, .sets = 1, .runs = 1, .is_noisy = 1}, &found,
        &error));
    data = &found->data[0];
    CHECK(data->heights[0] != data->heights[1] || data->heights[1] != data->heights[2]);
    CHECK(strstr(data->data, "Poisson") != NULL);
    free(found);
}

/* A hundred of each where nothing is said. */
TEST(experiment_counts_have_defaults)
{
    for (unsigned sets = 0; sets <= 1; sets++) {
        lab_experiment *found = NULL;
        scrim_error error;
        REQUIRE_OK(run_seeded(
            check_seed(),
            &(lab_experiment_options){.only = 2, .sets = sets, .runs = 1 - sets}, &found,
            &error));
        CHECK_INT(found->rows[0].runs, 100);
        free(found);
    }
}

TEST(experiment_draws_from_the_system)
{
    lab_experiment *found = NULL;
    scrim_error error;
    REQUIRE_OK(lab_flexible_accuracy(
        &(lab_experiment_options){.only = 1, .sets = 2, .runs = 1}, &found, &error));
    CHECK(found->data[0].heights[44] > 500);
    free(found);
}

TEST(experiment_refuses_what_it_cannot_do)
{
    static const struct {
        lab_experiment_options options;
        scrim_status status;
        const char *message;
    } list[] = {{{.only = 7}, SCRIM_E_PARAM, "only: experiments are 1 to 6"},
                {{.sets = 1000001}, SCRIM_E_LIMIT, "sets: at most 1000000"},
                {{.runs = 1000001}, SCRIM_E_LIMIT, "runs: at most 1000000"}};
    lab_experiment *found = NULL;
    scrim_error error;
    for (size_t i = 0; i < COUNT(list); i++) {
        CHECK_STATUS(lab_flexible_accuracy(&list[i].options, &found, &error),
                     list[i].status);
        CHECK_STR(error.message, list[i].message);
    }
    CHECK(found == NULL);
}

/* The system has no random bits. */
static ssize_t no_random(void *buffer, size_t bytes, unsigned flags)
{
    (void)buffer, (void)bytes, (void)flags;
    errno = ENOSYS;
    return -1;
}

TEST(experiment_fails_with_its_bits)
{
    lab_experiment *found = NULL;
    scrim_error error;
    system_call.getrandom = no_random;
    CHECK_STATUS(
        lab_flexible_accuracy(&(lab_experiment_options){.only = 2}, &found, &error),
        SCRIM_E_ENTROPY);
    system_call.getrandom = NULL;
    CHECK(strstr(error.message, "getrandom") != NULL);
    CHECK(found == NULL);
}

FAULT_TEST(experiment_survives_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        lab_experiment *found = NULL;
        scrim_error error;
        const scrim_status status =
            run_seeded(1, &(lab_experiment_options){.only = 5, .sets = 1, .runs = 1},
                       &found, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        free(found);
        /* The six sets of competitors fail alike, and have a test of their own. */
        if (fault.nth > 3 && !check_is_long())
            fault.nth += 6;
    }
}
