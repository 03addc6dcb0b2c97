#include "check.h"
#include "experiment/error_tally.h"

#include <math.h>

/* Two data sets of three runs: errors 0 1 2 and 4 4 7, of 50 bars. */
static void fill(sc_error_tally *first, sc_error_tally *second)
{
    for (uint32_t e = 0; e < 3; e++)
        sc_error_tally_add(first, e);
    sc_error_tally_end_set(first);
    sc_error_tally_add(second, 4);
    sc_error_tally_add(second, 4);
    sc_error_tally_add(second, 7);
    sc_error_tally_end_set(second);
}

TEST(error_tally_tells_mean_and_deviation)
{
    sc_error_tally a = {0}, b = {0};
    scrim_experiment_error of_runs, of_sets;
    fill(&a, &b);
    sc_error_tally_merge(&a, &b);
    sc_error_tally_tell(&a, 50, 2, false, &of_runs);
    sc_error_tally_tell(&a, 50, 2, true, &of_sets);
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
    sc_error_tally one = {0};
    scrim_experiment_error told;
    sc_error_tally_add(&one, 5);
    sc_error_tally_end_set(&one);
    sc_error_tally_tell(&one, 100, 1, true, &told);
    CHECK_NEAR(told.mean, 5, 1e-12);
    CHECK(told.standard_error == 0);
    CHECK_NEAR(told.quantile, 5, 1e-12);
}

/* Of 40 runs two may be beyond. */
TEST(error_tally_quantile_leaves_a_twentieth)
{
    sc_error_tally t = {0};
    scrim_experiment_error told;
    for (uint32_t e = 1; e <= 40; e++)
        sc_error_tally_add(&t, e);
    sc_error_tally_end_set(&t);
    sc_error_tally_tell(&t, 100, 1, false, &told);
    CHECK_NEAR(told.quantile, 38, 1e-12);
    sc_error_tally_add(&t, 0); /* of 41, two as well */
    sc_error_tally_tell(&t, 100, 1, false, &told);
    CHECK_NEAR(told.quantile, 38, 1e-12);
    CHECK_NEAR(told.mean, 20, 1e-12);
}
