#include "check.h"
#include "experiment/competitor_law.h"
#include "experiment/experiment_data.h"
#include "experiment/flexible_accuracy.h"
#include "experiment/flexible_accuracy_tape.h"
#include "faults.h"
#include "scrim/measurement.h"

#include <math.h>
#include <string.h>

#define ROWS_EACH ((size_t)42) /* six epsilons, seven mechanisms */

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

TEST(experiment_rows_are_in_order)
{
    static const char *const epsilons[] = {"0.05", "0.1", "0.2", "0.5", "1", "2"};
    static const char *const mechanisms[] = {"stlap",     "exponential", "ptr", "smooth",
                                             "stability", "choosing",    "esa"};
    static const size_t bars[] = {100, 100, 100, 100, 30, 300};
    scrim_experiment *found = NULL;
    scrim_error error;
    heard h = {0, 0, 0};
    REQUIRE_OK(sc_flexible_accuracy_seeded(
        SCRIM_OPTIONS(scrim_experiment_options, .sets = 2, .runs = 3, .workers = 1,
                      .progress = hear, .context = &h),
        check_seed(), &found, &error));
    CHECK(h.total == 36 * ROWS_EACH);
    CHECK_INT(h.done, h.total);
    for (size_t i = 0; i < 6 * ROWS_EACH; i++) {
        const scrim_experiment_row *row = scrim_experiment_row_at(found, i);
        REQUIRE(row != NULL);
        CHECK_INT(row->experiment, 1 + i / ROWS_EACH);
        CHECK_STR(row->epsilon, epsilons[i % ROWS_EACH / 7]);
        CHECK_STR(row->mechanism, mechanisms[i % 7]);
        CHECK_INT(row->runs, 6);
        CHECK_INT(row->raw.has_expected, strcmp(row->mechanism, "choosing") != 0);
        CHECK_INT(row->flexible.has_expected, row->raw.has_expected);
        /* What is dropped can only help. */
        CHECK(row->flexible.mean <= row->raw.mean);
        CHECK(row->flexible.quantile <= row->raw.quantile);
    }
    CHECK(scrim_experiment_row_at(found, 6 * ROWS_EACH) == NULL);
    for (size_t i = 0; i < 6; i++) {
        const scrim_experiment_data *data = scrim_experiment_data_at(found, i);
        REQUIRE(data != NULL);
        CHECK_INT(data->experiment, i + 1);
        CHECK_INT(data->bars, bars[i]);
        CHECK_STR(data->statistic,
                  scrim_experiment_row_at(found, i * ROWS_EACH)->statistic);
    }
    CHECK(scrim_experiment_data_at(found, 6) == NULL);
    CHECK_INT(scrim_experiment_data_at(found, 3)->heights[49], 540);
    CHECK_INT(scrim_experiment_data_at(found, 3)->value, 50);
    CHECK_INT(scrim_experiment_data_at(found, 3)->allowance, 257);
    scrim_experiment_free(found);
}

/* The least is marked, each of several that are equal, and none that is only near. */
static void check_marks(const scrim_experiment *found, size_t first)
{
    double raw = HUGE_VAL, flexible = HUGE_VAL;
    for (size_t i = first; i < first + 7; i++) {
        raw = fmin(raw, scrim_experiment_row_at(found, i)->raw.mean);
        flexible = fmin(flexible, scrim_experiment_row_at(found, i)->flexible.mean);
    }
    for (size_t i = first; i < first + 7; i++) {
        const scrim_experiment_row *row = scrim_experiment_row_at(found, i);
        CHECK_INT(row->raw.is_least, row->raw.mean <= raw);
        CHECK_INT(row->flexible.is_least, row->flexible.mean <= flexible);
    }
}

TEST(experiment_marks_the_least)
{
    for (unsigned number = 4; number <= 6; number += 2) {
        scrim_experiment *found = NULL;
        scrim_error error;
        REQUIRE_OK(sc_flexible_accuracy_seeded(
            SCRIM_OPTIONS(scrim_experiment_options, .only = number, .sets = 5, .runs = 5),
            check_seed(), &found, &error));
        CHECK_INT(scrim_experiment_data_at(found, 0)->experiment, number);
        CHECK(scrim_experiment_data_at(found, 1) == NULL);
        for (size_t first = 0; first < ROWS_EACH; first += 7)
            check_marks(found, first);
        /* At epsilon 2 none of our bars of 540 can fall below 500. */
        if (number == 4) {
            CHECK(scrim_experiment_row_at(found, 35)->raw.is_least);
            CHECK(scrim_experiment_row_at(found, 35)->raw.mean == 0);
        }
        scrim_experiment_free(found);
    }
}

static bool same_error(const scrim_experiment_error *a, const scrim_experiment_error *b)
{
    return a->mean == b->mean && a->standard_error == b->standard_error &&
           a->quantile == b->quantile && a->is_least == b->is_least &&
           a->has_expected == b->has_expected && a->expected == b->expected;
}

SLOW_TEST(experiment_is_the_same_with_any_workers)
{
    CLAIM("experiment.workers");
    static const unsigned workers[] = {2, 5};
    scrim_experiment *alone = NULL, *together = NULL;
    scrim_error error;
    REQUIRE_OK(sc_flexible_accuracy_seeded(
        SCRIM_OPTIONS(scrim_experiment_options, .sets = 3, .runs = 2, .workers = 1), 7,
        &alone, &error));
    for (size_t w = 0; w < COUNT(workers); w++) {
        size_t wrong = 0;
        REQUIRE_OK(
            sc_flexible_accuracy_seeded(SCRIM_OPTIONS(scrim_experiment_options, .sets = 3,
                                                      .runs = 2, .workers = workers[w]),
                                        7, &together, &error));
        for (size_t i = 0; i < 6 * ROWS_EACH; i++) {
            const scrim_experiment_row *a = scrim_experiment_row_at(alone, i),
                                       *b = scrim_experiment_row_at(together, i);
            wrong +=
                !same_error(&a->raw, &b->raw) || !same_error(&a->flexible, &b->flexible);
        }
        CHECK_INT(wrong, 0);
        CHECK_BYTES(scrim_experiment_data_at(alone, 4)->heights,
                    scrim_experiment_data_at(together, 4)->heights, 30 * sizeof(int64_t));
        scrim_experiment_free(together);
    }
    REQUIRE_OK(sc_flexible_accuracy_seeded(
        SCRIM_OPTIONS(scrim_experiment_options, .only = 5, .sets = 3, .runs = 2), 8,
        &together, &error));
    CHECK(memcmp(scrim_experiment_data_at(alone, 4)->heights,
                 scrim_experiment_data_at(together, 0)->heights,
                 30 * sizeof(int64_t)) != 0);
    scrim_experiment_free(together);
    scrim_experiment_free(alone);
}

/* The means of the runs agree with the expected errors. Where data are fixed the deviation of a run
 * is known, and n runs are off by 6 deviations and 12 of the largest error / n with a probability
 * below 3e-8 (Bernstein); 216 means are looked at. */
static void check_mean(const scrim_experiment_row *row, const scrim_experiment_error *got,
                       const sc_expected_error *expected, size_t bars)
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
static void check_means(const scrim_experiment *found, size_t first,
                        const sc_scene *scene)
{
    sc_competitors c;
    scrim_error error;
    REQUIRE_OK(sc_competitors_init(&c, scrim_experiment_row_at(found, first)->epsilon,
                                   SCRIM_EXPERIMENT_DELTA, &error));
    for (unsigned m = 0; m < SC_COMPETITOR_KINDS; m++) {
        const scrim_experiment_row *row = scrim_experiment_row_at(found, first + m);
        long double law[SC_HEIGHTS_MAX + 1];
        sc_expected_error raw, flexible;
        if (!row->raw.has_expected)
            continue;
        REQUIRE_OK(sc_competitor_law(&c, (sc_competitor)m, scene, law, &error));
        sc_expected_errors(scene, law, &raw, &flexible);
        check_mean(row, &row->raw, &raw, scene->x->bars);
        check_mean(row, &row->flexible, &flexible, scene->x->bars);
    }
    sc_competitors_clear(&c);
}

SLOW_TEST(experiment_means_are_as_expected)
{
    CLAIM("experiment.errors");
    for (unsigned number = 2; number <= 6; number += 2) {
        const sc_experiment_kind *kind = sc_experiment_kind_of(number, false);
        const uint64_t runs = check_count(400, 100000);
        scrim_experiment *found = NULL;
        scrim_error error;
        sc_heights x;
        sc_scene scene;
        REQUIRE_OK(sc_flexible_accuracy_seeded(SCRIM_OPTIONS(scrim_experiment_options,
                                                             .only = number, .sets = 2,
                                                             .runs = runs),
                                               check_seed(), &found, &error));
        REQUIRE_OK(sc_experiment_make(kind, NULL, &x, &error));
        sc_scene_init(&scene, &kind->f, &x);
        for (size_t first = 0; first < ROWS_EACH; first += 7)
            check_means(found, first, &scene);
        scrim_experiment_free(found);
    }
}

/* Where data are drawn, the expected error is that on the same data sets: six deviations of what
 * the runs add, which is less than the largest error / sqrt(n). */
TEST(experiment_means_are_as_expected_on_drawn_data)
{
    CLAIM("experiment.errors");
    for (unsigned number = 1; number <= 5; number += 2) {
        scrim_experiment *found = NULL;
        scrim_error error;
        size_t differ = 0; /* rows whose data sets have other means */
        REQUIRE_OK(sc_flexible_accuracy_seeded(
            SCRIM_OPTIONS(scrim_experiment_options, .only = number, .sets = 4,
                          .runs = check_count(400, 20000)),
            check_seed(), &found, &error));
        for (size_t i = 0; i < ROWS_EACH; i++) {
            const scrim_experiment_row *row = scrim_experiment_row_at(found, i);
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
        scrim_experiment_free(found);
    }
}

TEST(experiment_six_may_be_noisy)
{
    scrim_experiment *found = NULL;
    scrim_error error;
    const scrim_experiment_data *data;
    REQUIRE_OK(
        sc_flexible_accuracy_seeded(SCRIM_OPTIONS(scrim_experiment_options, .only = 6,
                                                  .sets = 1, .runs = 1, .is_noisy = 1),
                                    check_seed(), &found, &error));
    data = scrim_experiment_data_at(found, 0);
    CHECK(data->heights[0] != data->heights[1] || data->heights[1] != data->heights[2]);
    CHECK(strstr(data->data, "Poisson") != NULL);
    scrim_experiment_free(found);
}

/* A hundred of each where nothing is said. */
TEST(experiment_counts_have_defaults)
{
    for (unsigned sets = 0; sets <= 1; sets++) {
        scrim_experiment *found = NULL;
        scrim_error error;
        REQUIRE_OK(
            sc_flexible_accuracy_seeded(SCRIM_OPTIONS(scrim_experiment_options, .only = 2,
                                                      .sets = sets, .runs = 1 - sets),
                                        check_seed(), &found, &error));
        CHECK_INT(scrim_experiment_row_at(found, 0)->runs, 100);
        scrim_experiment_free(found);
    }
}

TEST(experiment_draws_from_the_system)
{
    scrim_experiment *found = NULL;
    scrim_error error;
    REQUIRE_OK(scrim_experiment_flexible_accuracy(
        SCRIM_OPTIONS(scrim_experiment_options, .only = 1, .sets = 2, .runs = 1), &found,
        &error));
    CHECK(scrim_experiment_data_at(found, 0)->heights[44] > 500);
    scrim_experiment_free(found);
    scrim_experiment_free(NULL);
}

TEST(experiment_refuses_what_it_cannot_do)
{
    static const struct {
        scrim_experiment_options options;
        scrim_status status;
        const char *message;
    } list[] = {{{.size = sizeof(scrim_experiment_options), .only = 7},
                 SCRIM_E_PARAM,
                 "only: experiments are 1 to 6"},
                {{.size = sizeof(scrim_experiment_options), .sets = 1000001},
                 SCRIM_E_LIMIT,
                 "sets: at most 1000000"},
                {{.size = sizeof(scrim_experiment_options), .runs = 1000001},
                 SCRIM_E_LIMIT,
                 "runs: at most 1000000"},
                {{.size = sizeof(scrim_experiment_options), .workers = 257},
                 SCRIM_E_LIMIT,
                 "workers: at most 256"}};
    scrim_experiment *found = NULL;
    scrim_error error;
    for (size_t i = 0; i < COUNT(list); i++) {
        CHECK_STATUS(scrim_experiment_flexible_accuracy(&list[i].options, &found, &error),
                     list[i].status);
        CHECK_STR(error.message, list[i].message);
    }
    CHECK_STATUS(scrim_experiment_flexible_accuracy(&(scrim_experiment_options){0},
                                                    &found, &error),
                 SCRIM_E_PARAM);
    CHECK(found == NULL);
}

/* Bits that end: the failure of one worker ends all. */
static scrim_status open_nothing(const void *context, uint64_t stream, void **handle,
                                 scrim_error *error)
{
    (void)context;
    (void)stream;
    (void)handle;
    if (error != NULL) {
        error->status = SCRIM_E_ENTROPY;
        strcpy(error->message, "no bits");
    }
    return SCRIM_E_ENTROPY;
}

TEST(experiment_fails_with_its_bits)
{
    const sc_bit_streams streams = {open_nothing, NULL, NULL, NULL};
    scrim_experiment *found = NULL;
    scrim_error error;
    CHECK_STATUS(sc_flexible_accuracy_run(
                     SCRIM_OPTIONS(scrim_experiment_options, .only = 2, .workers = 3),
                     &streams, &found, &error),
                 SCRIM_E_ENTROPY);
    CHECK_STR(error.message, "no bits");
    CHECK(found == NULL);
}

FAULT_TEST(experiment_survives_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        scrim_experiment *found = NULL;
        scrim_error error;
        const scrim_status status =
            sc_flexible_accuracy_seeded(SCRIM_OPTIONS(scrim_experiment_options, .only = 5,
                                                      .sets = 1, .runs = 1, .workers = 1),
                                        1, &found, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        scrim_experiment_free(found);
        /* The six sets of competitors fail alike, and have a test of their own. */
        if (fault.nth > 3 && !check_is_long())
            fault.nth += 6;
    }
}
