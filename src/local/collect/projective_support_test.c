#include "check.h"
#include "local/collect/support_counts.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <stdlib.h>

/* The digits of a point as the specification lists them, leftmost first. */
static void digits_of(uint32_t index, uint32_t q, uint32_t t, uint32_t *digits)
{
    uint32_t begin = 0, size = 1, after = 0;
    while (index >= begin + size) {
        begin += size;
        size *= q;
        after++;
    }
    index -= begin;
    for (uint32_t i = 0; i < t; i++)
        digits[i] = 0;
    digits[t - 1 - after] = 1;
    for (uint32_t i = 0; i < after; i++, index /= q)
        digits[t - 1 - i] = index % q;
}

static double plain_support(const double *h, uint32_t v, uint32_t q, uint32_t t)
{
    uint32_t x[32], y[32];
    double sum = 0;
    digits_of(v, q, t, x);
    for (uint32_t i = 0; i < sc_projective_points(q, t); i++) {
        uint32_t product = 0;
        digits_of(i, q, t, y);
        for (uint32_t j = 0; j < t; j++)
            product += x[j] * y[j];
        sum += product % q == 0 ? h[i] : 0;
    }
    return sum;
}

static void compare(sc_bits *bits, uint32_t q, uint32_t t, uint32_t stride)
{
    const uint32_t points = sc_projective_points(q, t);
    double *h = calloc(points, sizeof *h), *sums = calloc(points, sizeof *sums);
    uint64_t word = 0;
    for (uint32_t i = 0; i < points; i++) {
        REQUIRE_OK(sc_bits_word(bits, &word, NULL));
        h[i] = sums[i] = (double)(word % 1000);
    }
    REQUIRE_OK(sc_projective_support(sums, q, t, NULL));
    unsigned wrong = 0;
    for (uint32_t v = 0; v < points; v += stride)
        wrong += sums[v] != plain_support(h, v, q, t);
    if (!CHECK_INT(wrong, 0))
        CHECK_FAIL("q = %u, t = %u", q, t);
    free(sums);
    free(h);
}

TEST(projective_support_is_the_sum_over_hyperplanes)
{
    CLAIM("projective-support.exact");
    static const struct {
        uint32_t q, t, stride;
    } sizes[] = {{2, 3, 1}, {2, 7, 1},  {3, 2, 1},  {3, 3, 1},   {3, 6, 7},
                 {5, 3, 1}, {5, 4, 11}, {7, 5, 53}, {11, 3, 13}, {53, 3, 101}};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < COUNT(sizes); i++)
        compare(sc_tape_bits_of(tape), sizes[i].q, sizes[i].t, sizes[i].stride);
    sc_tape_free(tape);
}

TEST(projective_support_has_the_vector)
{
    const json_t *vector = vectors_load("local-additions", "pgr_decode");
    double sums[13];
    REQUIRE(vector != NULL);
    const json_t *h = json_object_get(vector, "histogram"),
                 *support = json_object_get(vector, "T");
    for (size_t i = 0; i < COUNT(sums); i++)
        sums[i] = (double)json_integer_value(json_array_get(h, i));
    REQUIRE_OK(sc_projective_support(sums, 3, 3, NULL));
    for (size_t i = 0; i < COUNT(sums); i++)
        CHECK_INT((int64_t)sums[i], json_integer_value(json_array_get(support, i)));
}
