#include "exact.h"
#include "law_vectors.h"
#include "sampling/bounded_laplace.h"
#include "transcript.h"
#include "vectors.h"

#include <stdio.h>

TEST(truncated_laplace_law_is_that_of_the_vectors)
{
    CLAIM("truncated-laplace.exact");
    json_t *rows = vectors_load("mechanisms", "truncated_discrete_laplace"), *row;
    size_t i;
    sc_ball value, other;
    sc_ball_init(&value);
    sc_ball_init(&other);
    CHECK(json_array_size(rows) >= 6);
    json_array_foreach(rows, i, row)
    {
        char scale[64];
        sc_law law;
        const json_int_t bound = json_integer_value(json_object_get(row, "B"));
        const json_int_t shift = json_integer_value(json_object_get(row, "D"));
        law_vectors_quotient(json_object_get(row, "t"), json_object_get(row, "s"), scale);
        exact_law(&sc_truncated_laplace_law, scale, bound, &law);
        law_vectors_check(&law, row);
        /* Z is 1/P(0); delta is the mass of the D outermost points of one side. */
        sc_law_pmf(&law, 0, EXACT_BITS, &other);
        sc_ball_set_int64(&value, 1);
        sc_ball_div(&value, &value, &other, EXACT_BITS);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "normaliser")));
        sc_law_at_least(&law, bound - shift + 1, EXACT_BITS, &value);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "delta")));
        sc_law_clear(&law);
    }
    sc_ball_clear(&value);
    sc_ball_clear(&other);
}

/* It is the shifted law of q = 2 bound, moved by bound. */
TEST(truncated_laplace_is_the_shifted_one_moved)
{
    CLAIM("truncated-laplace.exact");
    sc_law truncated, shifted;
    sc_ball a, b;
    sc_ball_init(&a);
    sc_ball_init(&b);
    exact_law(&sc_truncated_laplace_law, "7/3", 9, &truncated);
    exact_law(&sc_shifted_laplace_law, "3/7", 18, &shifted);
    for (int64_t k = -10; k <= 10; k++) {
        sc_law_pmf(&truncated, k, EXACT_BITS, &a);
        sc_law_pmf(&shifted, k - 9, EXACT_BITS, &b);
        CHECK_SAME(&a, &b, 240);
        sc_law_at_least(&truncated, k, EXACT_BITS, &a);
        sc_law_at_least(&shifted, k - 9, EXACT_BITS, &b);
        CHECK_SAME(&a, &b, 240);
    }
    sc_law_variance(&truncated, EXACT_BITS, &a);
    sc_law_variance(&shifted, EXACT_BITS, &b);
    CHECK_SAME(&a, &b, 240);
    sc_law_clear(&truncated);
    sc_law_clear(&shifted);
    sc_ball_clear(&a);
    sc_ball_clear(&b);
}

static scrim_status draw(const void *scale, sc_bits *bits, sc_int128 *out,
                         scrim_error *error)
{
    return sc_truncated_laplace_reference(bits, scale, 5, out, error);
}

static scrim_status draw_shifted(const void *scale, sc_bits *bits, sc_int128 *out,
                                 scrim_error *error)
{
    scrim_status status = sc_shifted_laplace_reference(bits, scale, 10, out, error);
    *out += 5;
    return status;
}

TEST(truncated_laplace_draws_what_the_shifted_one_draws)
{
    static const char *const list[] = {"1/3", "7/3", "1000"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_fraction scale;
        exact_fraction(list[i], &scale);
        transcript_check_twins(check_seed() + i, 1000, draw, &scale, draw_shifted,
                               &scale);
        sc_fraction_clear(&scale);
    }
}
