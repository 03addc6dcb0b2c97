#include "check.h"
#include "experiment/experiment_data.h"
#include "random/bits_tape.h"

#include <math.h>

TEST(experiments_are_six)
{
    CHECK(sc_experiment_kind_of(0, false) == NULL);
    CHECK(sc_experiment_kind_of(7, false) == NULL);
    for (unsigned number = 1; number <= SC_EXPERIMENTS; number++) {
        const sc_experiment_kind *kind = sc_experiment_kind_of(number, false);
        CHECK_INT(kind->number, number);
        CHECK_INT(sc_experiment_kind_of(number, true) == kind, number != 6);
    }
}

/* How often a bar of height h stands from first to last. */
static void check_block(const sc_heights *x, size_t first, size_t last, int64_t height)
{
    for (size_t i = first; i <= last; i++)
        CHECK_INT(x->at[i], height);
}

TEST(experiment_data_that_are_not_drawn)
{
    sc_heights x;
    REQUIRE_OK(sc_experiment_make(sc_experiment_kind_of(2, false), NULL, &x, NULL));
    CHECK_INT(x.bars, 100);
    check_block(&x, 1, 50, 1000);
    check_block(&x, 51, 100, 1);
    REQUIRE_OK(sc_experiment_make(sc_experiment_kind_of(4, true), NULL, &x, NULL));
    CHECK_INT(x.bars, 100);
    check_block(&x, 1, 50, 540);
    check_block(&x, 51, 100, 490);
    REQUIRE_OK(sc_experiment_make(sc_experiment_kind_of(6, false), NULL, &x, NULL));
    CHECK_INT(x.bars, 300);
    check_block(&x, 1, 120, 130);
    check_block(&x, 121, 125, 200);
    check_block(&x, 126, 210, 185);
    check_block(&x, 211, 220, 190);
    check_block(&x, 221, 300, 130);
}

/* The Cauchy law about 45 with scale 4: P(X < e) = 1/2 + atan((e - 45)/4)/pi. A bar is as high as
 * its part of 10^6 draws within six deviations, and the quarters hold what they must. */
TEST(experiment_data_of_cauchy_draws)
{
    const uint64_t sets = check_count_whole(20, 1000);
    double sums[101] = {0};
    sc_tape *tape = NULL;
    scrim_error error;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    for (uint64_t set = 0; set < sets; set++)
        for (unsigned number = 1; number <= 3; number += 2) {
            sc_heights x;
            REQUIRE_OK(sc_experiment_make(sc_experiment_kind_of(number, false),
                                          sc_tape_bits_of(tape), &x, &error));
            CHECK_INT(x.bars, 100);
            CHECK(sc_heights_total(&x) < 10000 && sc_heights_total(&x) > 9000);
            if (number == 1)
                check_block(&x, 91, 100, 0);
            for (size_t i = 1; number == 3 && i <= 100; i++)
                sums[i] += (double)x.at[i];
        }
    for (int i = 1; i <= 100; i++) {
        const double pi = acos(-1);
        const double p = (atan((i + 0.5 - 45) / 4) - atan((i - 0.5 - 45) / 4)) / pi;
        const double draws = 10000 * (double)sets;
        CHECK(fabs(sums[i] - draws * p) <= 6 * sqrt(draws * p));
    }
    sc_tape_free(tape);
}

/* Mean and variance of a Poisson number are the same; heights of all the bars of experiments 5
 * and 6. */
TEST(experiment_data_of_poisson_bars)
{
    const uint64_t sets = check_count_whole(100, 2000);
    sc_tape *tape = NULL;
    scrim_error error;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    for (unsigned number = 5; number <= 6; number++) {
        double sum = 0, squares = 0, count = 0;
        sc_heights x = {.bars = 0}, about;
        REQUIRE_OK(
            sc_experiment_make(sc_experiment_kind_of(6, false), NULL, &about, &error));
        for (uint64_t set = 0; set < sets; set++) {
            REQUIRE_OK(sc_experiment_make(sc_experiment_kind_of(number, true),
                                          sc_tape_bits_of(tape), &x, &error));
            for (size_t i = 1; i <= x.bars; i++) {
                const double mean = number == 5 ? 250 : (double)about.at[i];
                const double z = ((double)x.at[i] - mean) / sqrt(mean);
                sum += z;
                squares += z * z;
                count++;
            }
        }
        CHECK_INT(x.bars, number == 5 ? 30 : 300);
        CHECK(fabs(sum) <= 6 * sqrt(count));
        CHECK(fabs(squares - count) <= 6 * sqrt(2.1 * count));
    }
    sc_tape_free(tape);
}

TEST(experiment_data_fail_without_bits)
{
    sc_tape *tape = NULL;
    scrim_error error;
    sc_heights x;
    REQUIRE_OK(sc_tape_words(NULL, 0, &tape, &error));
    for (unsigned number = 1; number <= 5; number += 2)
        CHECK_STATUS(sc_experiment_make(sc_experiment_kind_of(number, false),
                                        sc_tape_bits_of(tape), &x, &error),
                     SCRIM_E_ENTROPY);
    sc_tape_free(tape);
}
