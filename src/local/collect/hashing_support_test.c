#include "check.h"
#include "local/collect/support_counts.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <stdlib.h>

static uint32_t product(uint32_t a, uint32_t v, uint32_t g, uint32_t m)
{
    uint32_t sum = 0;
    for (; m > 0; m--, a /= g, v /= g)
        sum += a % g * (v % g);
    return sum % g;
}

static void compare(sc_bits *bits, uint32_t g, uint32_t m)
{
    uint32_t values = 1;
    for (uint32_t i = 0; i < m; i++)
        values *= g;
    double *n = calloc((size_t)values * g, sizeof *n);
    double *counts = calloc((size_t)values * g, sizeof *counts);
    uint64_t word = 0;
    for (uint32_t i = 0; i < values * g; i++) {
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
        n[i] = counts[i] = (double)(word % 1000);
    }
    REQUIRE_OK(sc_hashing_support(counts, g, m, NULL));
    unsigned wrong = 0;
    for (uint32_t v = 0; v < values; v++) {
        double sum = 0;
        for (uint32_t a = 0; a < values; a++)
            sum += n[a * g + product(a, v, g, m)];
        wrong += counts[v] != sum;
    }
    if (!CHECK_INT(wrong, 0))
        CHECK_FAIL("g = %u, m = %u", g, m);
    free(counts);
    free(n);
}

TEST(hashing_support_is_the_sum_over_seeds)
{
    CLAIM("hashing-support.exact");
    static const uint32_t sizes[][2] = {{2, 1}, {2, 6}, {3, 1}, {3, 4}, {5, 3}, {7, 2}};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < COUNT(sizes); i++)
        compare(sc_tape_bits_of(tape), sizes[i][0], sizes[i][1]);
    sc_tape_free(tape);
}

TEST(hashing_support_has_the_vector)
{
    const json_t *vector = vectors_load("local-additions", "olh_decode");
    double counts[27];
    REQUIRE(vector != NULL);
    const json_t *rows = json_object_get(vector, "counts"),
                 *support = json_object_get(vector, "T");
    for (size_t i = 0; i < COUNT(counts); i++)
        counts[i] = (double)json_integer_value(
            json_array_get(json_array_get(rows, i / 3), i % 3));
    REQUIRE_OK(sc_hashing_support(counts, 3, 2, NULL));
    for (size_t i = 0; i < 9; i++)
        CHECK_INT((int64_t)counts[i], json_integer_value(json_array_get(support, i)));
}
