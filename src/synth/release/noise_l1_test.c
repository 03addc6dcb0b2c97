#include "check.h"
#include "faults.h"
#include "synth/release/synth_report.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

TEST(noise_l1_meets_its_vector)
{
    CLAIM("noise-l1.tight");
    const json_t *list = vectors_load("synthetic", "noise_l1");
    REQUIRE(list != NULL);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        const sc_cell_noise noise = {false, (double)vectors_number(row, "sigma2")};
        const uint64_t cells = vectors_number(row, "cells");
        double bound = 0;
        REQUIRE_OK(sc_noise_l1_upper(&noise, cells, 0.05, &bound, NULL));
        CHECK_INT((int64_t)bound, vectors_number(row, "quantile_95"));
        CHECK_NEAR(sc_noise_l1_sums_upper(&noise, 1, cells, 0.05),
                   strtod(vectors_text(row, "subgaussian_bound"), NULL), 1e-5);
    }
}

/* The tail of a sum of n by plain convolution. */
#define PLACES 512
static double plain_tail(const sc_cell_noise *noise, unsigned n, size_t beyond)
{
    static double one[PLACES], sum[PLACES], next[PLACES];
    double total = 0, tail = 0;
    for (size_t k = 0; k < PLACES; k++) {
        const double x = (double)k;
        one[k] =
            (k == 0 ? 1 : 2) * (noise->is_laplace ? exp(-x / noise->parameter)
                                                  : exp(-x * x / (2 * noise->parameter)));
        total += one[k];
    }
    memset(sum, 0, sizeof sum);
    sum[0] = 1;
    for (; n > 0; n--) {
        memset(next, 0, sizeof next);
        for (size_t a = 0; a < PLACES; a++)
            for (size_t b = 0; a + b < PLACES && sum[a] > 0; b++)
                next[a + b] += sum[a] * one[b] / total;
        memcpy(sum, next, sizeof sum);
    }
    for (size_t k = PLACES; k-- > beyond + 1;)
        tail += sum[k];
    return tail;
}

TEST(noise_l1_is_the_quantile)
{
    CLAIM("noise-l1.upper");
    CLAIM("noise-l1.tight");
    const sc_cell_noise noises[] = {{false, 0.3}, {false, 50}, {true, 0.4}, {true, 6}};
    const double betas[] = {0.3, 0.05, 1e-4};
    for (size_t i = 0; i < COUNT(noises); i++)
        for (unsigned n = 1; n <= 5; n += 2)
            for (size_t b = 0; b < COUNT(betas); b++) {
                double bound = 0;
                REQUIRE_OK(sc_noise_l1_upper(&noises[i], n, betas[b], &bound, NULL));
                CHECK(plain_tail(&noises[i], n, (size_t)bound) <= betas[b]);
                CHECK(bound == 0 ||
                      plain_tail(&noises[i], n, (size_t)bound - 1) > betas[b]);
            }
}

/* Coarse noise and many cells: within a few hundredths of the normal approximation, from below within a thousandth,
 * since discrete noise has a slightly smaller mean. */
TEST(noise_l1_is_near_where_it_is_not_exact)
{
    const struct {
        sc_cell_noise noise;
        uint64_t cells;
        double share;
    } cases[] = {{{false, 1e8}, 50, 0.01},
                 {{false, 1e14}, 50, 0.03},
                 {{false, 1e4}, 1000000, 0.01},
                 {{false, 100}, 16777216, 0.01}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const double sigma = sqrt(cases[i].noise.parameter), n = (double)cases[i].cells;
        const double mean = sigma * sqrt(2 / 3.14159265358979) * n;
        const double normal =
            mean + 1.6448 * sigma * sqrt(n * (1 - 2 / 3.14159265358979));
        double bound = 0;
        REQUIRE_OK(
            sc_noise_l1_upper(&cases[i].noise, cases[i].cells, 0.05, &bound, NULL));
        CHECK(bound > normal * (1 - 1e-3) && bound < normal * (1 + cases[i].share));
    }
}

TEST(noise_l1_survives_without_memory)
{
    const sc_cell_noise noise = {false, 4};
    FAULT_LOOP(fault)
    {
        double bound;
        CHECK(sc_noise_l1_upper(&noise, 5, 0.05, &bound, NULL) ==
              (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
    }
}
