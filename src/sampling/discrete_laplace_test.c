#include "exact.h"
#include "law_vectors.h"
#include "sampling/discrete_laplace.h"
#include "transcript.h"
#include "vectors.h"

#include <stdio.h>

static scrim_status draw(const void *scale, sc_bits *bits, sc_int128 *out,
                         scrim_error *error)
{
    return sc_discrete_laplace_reference(bits, scale, out, error);
}

TEST(discrete_laplace_reproduces_the_transcripts_in_words_and_in_integers)
{
    CLAIM("discrete-laplace.exact");
    static const struct {
        const char *name, *scale;
    } list[] = {{"discrete_laplace_1_1", "1"},
                {"discrete_laplace_10_1", "10"},
                {"discrete_laplace_7_3", "7/3"},
                {"discrete_laplace_1000_7", "1000/7"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_fraction scale;
        exact_fraction(list[i].scale, &scale);
        CHECK(scale.is_small);
        transcript_check(list[i].name, draw, &scale);
        scale.is_small = false;
        transcript_check(list[i].name, draw, &scale);
        sc_fraction_clear(&scale);
    }
}

TEST(discrete_laplace_takes_the_same_bits_in_words_and_in_integers)
{
    static const char *const list[] = {"1/3", "22/7", "1e6", "1125899906842623",
                                       "1/1125899906842623"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_fraction scale;
        exact_fraction(list[i], &scale);
        sc_fraction wide = scale;
        wide.is_small = false;
        CHECK(scale.is_small);
        transcript_check_twins(check_seed() + i, 400, draw, &scale, draw, &wide);
        sc_fraction_clear(&scale);
    }
}

/* E|X| = 2 p/(1-p^2) by the law's own numbers: 2 (1 + mean of the geometric law) P(X >= 1). */
static void mean_abs(const char *scale, sc_ball *out)
{
    sc_law law, one_sided;
    sc_ball part;
    sc_ball_init(&part);
    exact_law(&sc_discrete_laplace_law, scale, 0, &law);
    exact_law(&sc_geometric_law, scale, 0, &one_sided);
    sc_law_mean(&one_sided, EXACT_BITS, out);
    sc_ball_add_int64(out, out, 1, EXACT_BITS);
    sc_law_at_least(&law, 1, EXACT_BITS, &part);
    sc_ball_mul(out, out, &part, EXACT_BITS);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_clear(&part);
    sc_law_clear(&law);
    sc_law_clear(&one_sided);
}

TEST(discrete_laplace_law_is_that_of_the_vectors)
{
    CLAIM("discrete-laplace.exact");
    json_t *rows = vectors_load("mechanisms", "discrete_laplace"), *row;
    size_t i;
    sc_ball value;
    sc_ball_init(&value);
    CHECK(json_array_size(rows) >= 9);
    json_array_foreach(rows, i, row)
    {
        char scale[64];
        sc_law law;
        law_vectors_quotient(json_object_get(row, "t"), json_object_get(row, "s"), scale);
        exact_law(&sc_discrete_laplace_law, scale, 0, &law);
        law_vectors_check(&law, row);
        mean_abs(scale, &value);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "mean_abs")));
        sc_law_clear(&law);
    }
    sc_ball_clear(&value);
}

TEST(discrete_laplace_law_is_that_of_the_microdata_vectors)
{
    json_t *rows = vectors_load("microdata", "dgeo"), *row;
    size_t i;
    sc_ball value;
    sc_ball_init(&value);
    CHECK(json_array_size(rows) >= 5);
    json_array_foreach(rows, i, row)
    {
        char scale[SC_RATIO_TEXT_BYTES];
        sc_law law;
        law_vectors_reciprocal(json_object_get(row, "eps"), scale);
        exact_law(&sc_discrete_laplace_law, scale, 0, &law);
        sc_law_pmf(&law, 0, EXACT_BITS, &value);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "p0")));
        sc_law_at_least(&law, 3, EXACT_BITS, &value);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "tail_ge_3")));
        sc_law_variance(&law, EXACT_BITS, &value);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "variance")));
        mean_abs(scale, &value);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "mean_abs")));
        sc_law_clear(&law);
    }
    sc_ball_clear(&value);
}
