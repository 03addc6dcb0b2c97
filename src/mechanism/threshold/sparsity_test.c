#include "exact.h"
#include "mechanism/threshold/suppression.h"
#include "scrim/threshold.h"
#include "vectors.h"

#include <math.h>

static const char *text_in(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

/* F16: fewer than half of the zeros, where what is below 0 is made 0. */
TEST(sparsity_has_the_printed_shares)
{
    CLAIM("sparsity.shares");
    json_t *rows = vectors_load("thresholding", "section_6_1"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        sc_ratio epsilon;
        sc_ball share;
        scrim_sparsity s;
        exact_ratio(text_in(row, "eps"), &epsilon);
        sc_ball_init(&share);
        sc_sparsity_positive(&epsilon, EXACT_BITS, &share);
        CHECK_PRINTED(&share, text_in(row, "prob_nonzero_after_round_negative_to_zero"));
        sc_ball_mul_power2(&share, &share, 1);
        CHECK_PRINTED(&share, text_in(row, "prob_nonzero_without_rounding"));
        REQUIRE_OK(scrim_sparsity_of(text_in(row, "eps"), "1000", "1/10", &s, NULL));
        CHECK(s.positive_upper < 0.5);
        CHECK_NEAR(s.nonzero_upper, 2 * s.positive_upper, 1e-15);
        CHECK_NEAR(s.nonzero_upper, sc_ball_upper(&share), 1e-15);
        sc_ball_clear(&share);
        sc_ratio_clear(&epsilon);
    }
    CHECK_INT(r, 3);
}

TEST(sparsity_has_the_printed_threshold)
{
    CLAIM("sparsity.smallest");
    json_t *row = vectors_load("thresholding", "section_6_1_T");
    sc_ratio epsilon, keys, beta;
    sc_ball formula;
    exact_ratio(text_in(row, "eps"), &epsilon);
    exact_ratio(text_in(row, "n"), &keys);
    exact_ratio(text_in(row, "beta"), &beta);
    sc_ball_init(&formula);
    sc_sparsity_formula(&epsilon, &keys, &beta, EXACT_BITS, &formula);
    CHECK_PRINTED(&formula, text_in(row, "T"));
    CHECK(sc_sparsity_threshold(&epsilon, &keys, &beta) <= 323);
    sc_ball_clear(&formula);
    sc_ratio_clear(&beta);
    sc_ratio_clear(&keys);
    sc_ratio_clear(&epsilon);
}

TEST(sparsity_threshold_is_the_smallest)
{
    CLAIM("sparsity.smallest");
    static const struct {
        const char *epsilon, *keys, *beta;
    } list[] = {{"0.1", "1e12", "0.01"},
                {"1", "1", "1/2"},
                {"1", "1", "0.9"},
                {"2", "1000", "1e-6"},
                {"1/2", "50", "0.3"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_sparsity s;
        REQUIRE_OK(
            scrim_sparsity_of(list[i].epsilon, list[i].keys, list[i].beta, &s, NULL));
        const double e = i == 4 ? 0.5 : strtod(list[i].epsilon, NULL);
        const double n = strtod(list[i].keys, NULL);
        const double beta = i == 1 ? 0.5 : strtod(list[i].beta, NULL);
        for (uint64_t t = s.threshold == 1 ? 1 : s.threshold - 1; t <= s.threshold; t++) {
            const double any = -expm1(n * log1p(-exp(-e * (double)t) / (1 + exp(-e))));
            CHECK((any <= beta) == (t == s.threshold));
        }
        CHECK_NEAR(s.formula_upper, log(n / beta) / e, 1e-12);
    }
    scrim_sparsity s = {.threshold = 7};
    CHECK_STATUS(scrim_sparsity_of("0", "10", "1/2", &s, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_sparsity_of("1", "1/2", "1/2", &s, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_sparsity_of("1", "10", "1", &s, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_sparsity_of("1", NULL, "1/2", &s, NULL), SCRIM_E_SYNTAX);
    CHECK_INT(s.threshold, 7);
}
