#include "check.h"
#include "synth/model/synth_rows.h"
#include "vectors.h"

#include <stdio.h>

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

TEST(allocation_meets_its_vector)
{
    const json_t *list = vectors_load("synthetic", "allocation");
    REQUIRE(list != NULL);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        const json_t *weights = json_object_get(row, "weights");
        const size_t count = json_array_size(weights);
        double w[8], above = 0, below = 1;
        uint64_t counts[8];
        for (size_t j = 0; j < count; j++)
            w[j] = (double)json_integer_value(json_array_get(weights, j));
        CHECK(sscanf(vectors_text(row, "u"), "%lf/%lf", &above, &below) >= 1);
        sc_allocate_rows(w, count, vectors_number(row, "rows"), above / below, counts);
        for (size_t j = 0; j < count; j++)
            CHECK_INT(counts[j], json_integer_value(
                                     json_array_get(json_object_get(row, "counts"), j)));
    }
}

TEST(allocation_adds_up)
{
    CLAIM("allocation.total");
    CLAIM("allocation.near");
    uint64_t seed = check_seed();
    for (uint64_t left = check_count(3000, 300000); left > 0; left--) {
        double weights[100], sum = 0;
        uint64_t counts[100], total = 0;
        const size_t count = 1 + next(&seed) % 100;
        const uint64_t rows = next(&seed) >> (24 + next(&seed) % 40);
        for (size_t i = 0; i < count; i++) {
            weights[i] = next(&seed) % 5 == 0 ? 0 : (double)(next(&seed) >> 40) / 3;
            sum += weights[i];
        }
        sc_allocate_rows(weights, count, rows, (double)(next(&seed) >> 11) * 0x1p-53,
                         counts);
        for (size_t i = 0; i < count; i++) {
            const double share = weights[i] / sum * (double)rows;
            total += counts[i];
            CHECK(weights[i] > 0 || sum == 0 || counts[i] == 0);
            CHECK(sum == 0 || ((double)counts[i] > share * (1 - 1e-12) - 1 &&
                               (double)counts[i] < share * (1 + 1e-12) + 1));
        }
        if (!CHECK_INT(total, rows))
            return;
    }
}

/* The mean over many u is the share: every count has it as its expectation. */
TEST(allocation_is_even_on_average)
{
    const double weights[] = {3, 1, 2, 0.5};
    double sums[4] = {0, 0, 0, 0};
    for (int i = 0; i < 1300; i++) {
        uint64_t counts[4];
        sc_allocate_rows(weights, 4, 7, i / 1300.0, counts);
        for (int j = 0; j < 4; j++)
            sums[j] += (double)counts[j] / 1300;
    }
    for (int j = 0; j < 4; j++)
        CHECK_NEAR(sums[j], weights[j] * 7 / 6.5, 0.003);
}

TEST(allocation_takes_no_weight_that_is_not_positive)
{
    const double weights[] = {-1, 2, -(0.0), 1};
    uint64_t counts[4];
    sc_allocate_rows(weights, 4, 9, 0.3, counts);
    CHECK_INT(counts[0], 0);
    CHECK_INT(counts[1], 6);
    CHECK_INT(counts[2], 0);
    CHECK_INT(counts[3], 3);
}
