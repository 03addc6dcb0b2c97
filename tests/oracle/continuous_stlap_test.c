#include "continuous_stlap.h"
#include "exact.h"
#include "sampling/law.h"
#include "vectors.h"

#define FILE_NAME "flexible-accuracy"

/* A number of a vector, as a ball. */
static void ball_of(const char *text, sc_ball *out)
{
    sc_ratio x;
    exact_ratio(text, &x);
    sc_ball_init(out);
    sc_ball_set_ratio(out, &x, EXACT_BITS);
    sc_ratio_clear(&x);
}

static void q_of(const json_t *row, sc_ratio *out)
{
    const json_t *q = json_object_get(row, "q");
    if (json_is_string(q)) {
        exact_ratio(json_string_value(q), out);
        return;
    }
    sc_ratio_init(out);
    sc_ratio_set_int64(out, json_integer_value(q));
}

TEST(continuous_stlap_has_the_printed_deltas)
{
    const json_t *rows = vectors_load(FILE_NAME, "delta_of_eps_q"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 91);
    json_array_foreach(rows, i, row)
    {
        sc_ball epsilon, length, got;
        sc_ratio q;
        q_of(row, &q);
        sc_ball_init(&got);
        sc_ball_init(&length);
        ball_of(vectors_text(row, "eps"), &epsilon);
        sc_ball_set_ratio(&length, &q, EXACT_BITS);
        continuous_stlap_formula(&epsilon, &length, EXACT_BITS, &got);
        CHECK_PRINTED(&got, vectors_text(row, "delta_continuous"));
        if (sc_ratio_compare_int64(&q, 2) >= 0) {
            continuous_stlap_delta(&epsilon, &q, EXACT_BITS, &got);
            CHECK_PRINTED(&got, vectors_text(row, "delta_continuous"));
        }
        sc_ball_clear(&got);
        sc_ball_clear(&length);
        sc_ball_clear(&epsilon);
        sc_ratio_clear(&q);
    }
}

TEST(continuous_stlap_of_a_small_q)
{
    const json_t *row = vectors_load(FILE_NAME, "continuous_small_q");
    sc_ball epsilon, length, got;
    sc_ratio q;
    REQUIRE(row != NULL);
    q_of(row, &q);
    ball_of(vectors_text(row, "eps"), &epsilon);
    ball_of("1.5", &length);
    sc_ball_init(&got);
    continuous_stlap_delta(&epsilon, &q, EXACT_BITS, &got);
    CHECK_PRINTED(&got, vectors_text(row, "true_delta"));
    continuous_stlap_formula(&epsilon, &length, EXACT_BITS, &got);
    CHECK_PRINTED(&got, vectors_text(row, "formula"));
    sc_ratio_set_int64(&q, 1);
    continuous_stlap_delta(&epsilon, &q, EXACT_BITS, &got);
    CHECK_NEAR(sc_ball_lower(&got), 1, 0);
    sc_ball_clear(&got);
    sc_ball_clear(&length);
    sc_ball_clear(&epsilon);
    sc_ratio_clear(&q);
}

TEST(continuous_stlap_finds_the_printed_q)
{
    const json_t *rows = vectors_load(FILE_NAME, "q_of_eps_delta"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        sc_ball epsilon, delta, got;
        ball_of(vectors_text(row, "eps"), &epsilon);
        ball_of(vectors_text(row, "delta"), &delta);
        sc_ball_init(&got);
        continuous_stlap_q(&epsilon, &delta, EXACT_BITS, &got);
        CHECK_PRINTED(&got, vectors_text(row, "q_continuous_real"));
        sc_ball_clear(&got);
        sc_ball_clear(&delta);
        sc_ball_clear(&epsilon);
    }
    CHECK(i >= 35);
}

TEST(continuous_stlap_rounds_as_printed)
{
    const json_t *rows = vectors_load(FILE_NAME, "pmf_rounded_continuous"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 4);
    json_array_foreach(rows, i, row)
    {
        const json_t *list = json_object_get(row, "drop_j_from_0"), *mass;
        size_t lost;
        sc_ball epsilon, got, sum, one;
        sc_ratio q;
        q_of(row, &q);
        ball_of(vectors_text(row, "eps"), &epsilon);
        sc_ball_init(&got);
        sc_ball_init(&sum);
        ball_of("1", &one);
        json_array_foreach(list, lost, mass)
        {
            continuous_stlap_rounded(&epsilon, &q, lost, EXACT_BITS, &got);
            CHECK_PRINTED(&got, json_string_value(mass));
            sc_ball_add(&sum, &sum, &got, EXACT_BITS);
        }
        CHECK_SAME(&sum, &one, 200);
        sc_ball_clear(&one);
        sc_ball_clear(&sum);
        sc_ball_clear(&got);
        sc_ball_clear(&epsilon);
        sc_ratio_clear(&q);
    }
}

/* q = 2.7 loses 3 elements now and then; and rounded up instead, an even q is the discrete law of
 * q - 1. */
TEST(continuous_stlap_rounded_may_lose_more_than_q)
{
    sc_ball epsilon, got, below, want;
    sc_ratio q, z;
    exact_ratio("2.7", &q);
    ball_of("1", &epsilon);
    sc_ball_init(&got);
    sc_ball_init(&below);
    sc_ball_init(&want);
    continuous_stlap_rounded(&epsilon, &q, 3, EXACT_BITS, &got);
    const json_t *errata = vectors_load(FILE_NAME, "errata");
    CHECK_PRINTED(&got, vectors_text(errata, "rounding_exceeds_q"));
    sc_law law;
    exact_law(&sc_shifted_laplace_law, "1", 7, &law);
    sc_ratio_set_int64(&q, 8);
    sc_ratio_init(&z);
    for (int64_t k = -7; k <= 0; k++) {
        sc_ratio_set_int64(&z, k);
        continuous_stlap_at_most(&epsilon, &q, &z, EXACT_BITS, &got);
        sc_ratio_set_int64(&z, k - 1);
        continuous_stlap_at_most(&epsilon, &q, &z, EXACT_BITS, &below);
        sc_ball_sub(&got, &got, &below, EXACT_BITS);
        sc_law_pmf(&law, k, EXACT_BITS, &want);
        CHECK_SAME(&got, &want, 200);
    }
    sc_law_clear(&law);
    sc_ball_clear(&want);
    sc_ball_clear(&below);
    sc_ball_clear(&got);
    sc_ball_clear(&epsilon);
    sc_ratio_clear(&z);
    sc_ratio_clear(&q);
}

TEST(continuous_stlap_of_the_draft_is_as_printed)
{
    const json_t *rows = vectors_load(FILE_NAME, "mechanism4"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 10);
    json_array_foreach(rows, i, row)
    {
        sc_ball epsilon, claimed, exact;
        sc_ratio q;
        q_of(row, &q);
        sc_ball_init(&epsilon);
        sc_ball_init(&claimed);
        sc_ball_init(&exact);
        continuous_stlap_published(vectors_number(row, "q"), EXACT_BITS, &epsilon,
                                   &claimed);
        CHECK_PRINTED(&claimed, vectors_text(row, "claimed"));
        continuous_stlap_delta(&epsilon, &q, EXACT_BITS, &exact);
        CHECK_PRINTED(&exact, vectors_text(row, "exact"));
        CHECK(sc_ball_is_less(&exact, &claimed));
        sc_ball_clear(&exact);
        sc_ball_clear(&claimed);
        sc_ball_clear(&epsilon);
        sc_ratio_clear(&q);
    }
}

TEST(continuous_stlap_corrected_claims_are_as_printed)
{
    const json_t *rows = vectors_load(FILE_NAME, "data_dependent_q_corrected"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 7);
    json_array_foreach(rows, i, row)
    {
        sc_ball epsilon, above, delta;
        sc_ratio tau;
        ball_of(vectors_text(row, "eps"), &epsilon);
        exact_ratio(vectors_text(row, "tau"), &tau);
        sc_ball_init(&above);
        sc_ball_init(&delta);
        continuous_stlap_corrected(&epsilon, &tau, vectors_number(row, "n"),
                                   vectors_number(row, "t"), EXACT_BITS, &above, &delta);
        CHECK_PRINTED(&above, vectors_text(row, "eps_corrected"));
        CHECK_PRINTED(&delta, vectors_text(row, "delta_corrected"));
        sc_ball_clear(&delta);
        sc_ball_clear(&above);
        sc_ball_clear(&epsilon);
        sc_ratio_clear(&tau);
    }
}
