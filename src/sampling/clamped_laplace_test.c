#include "exact.h"
#include "law_vectors.h"
#include "random/bits_tape.h"
#include "sampling/bounded_laplace.h"
#include "sampling/distribution.h"
#include "transcript.h"
#include "vectors.h"

#include <stdio.h>

TEST(clamped_laplace_law_is_that_of_the_microdata_vectors)
{
    CLAIM("clamped-laplace.exact");
    json_t *row = vectors_load("microdata", "tdgeo_pmf"), *printed;
    char scale[SC_RATIO_TEXT_BYTES];
    const char *key;
    sc_law law;
    sc_ball value, sum;
    sc_ball_init(&value);
    sc_ball_init(&sum);
    law_vectors_reciprocal(json_object_get(row, "eps_rate"), scale);
    exact_law(&sc_clamped_laplace_law, scale,
              json_integer_value(json_object_get(row, "B")), &law);
    CHECK_INT(json_object_size(json_object_get(row, "pmf")), 9);
    json_object_foreach(json_object_get(row, "pmf"), key, printed)
    {
        sc_law_pmf(&law, strtol(key, NULL, 10), EXACT_BITS, &value);
        CHECK_PRINTED(&value, json_string_value(printed));
        sc_ball_add(&sum, &sum, &value, EXACT_BITS);
    }
    sc_ball_set_int64(&value, 1);
    CHECK(sc_ball_contains(&sum, &value));
    sc_law_clear(&law);
    sc_ball_clear(&value);
    sc_ball_clear(&sum);
}

/* v:tdgeo_B: the variance of the noise of rate eps/2 clamped at B. */
TEST(clamped_laplace_variance_is_that_of_the_microdata_vectors)
{
    json_t *rows = vectors_load("microdata", "tdgeo_B"), *row;
    size_t i;
    sc_ball value;
    sc_ball_init(&value);
    CHECK(json_array_size(rows) >= 5);
    json_array_foreach(rows, i, row)
    {
        char reciprocal[SC_RATIO_TEXT_BYTES], scale[SC_RATIO_TEXT_BYTES];
        sc_ratio doubled, two;
        sc_law law;
        law_vectors_reciprocal(json_object_get(row, "eps"), reciprocal);
        exact_ratio(reciprocal, &doubled);
        exact_ratio("2", &two);
        sc_ratio_mul(&doubled, &doubled, &two);
        sc_ratio_format(&doubled, scale, sizeof scale);
        exact_law(&sc_clamped_laplace_law, scale,
                  json_integer_value(json_object_get(row, "B_exact_single")), &law);
        sc_law_variance(&law, EXACT_BITS, &value);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "var")));
        sc_ratio_clear(&doubled);
        sc_ratio_clear(&two);
        sc_law_clear(&law);
    }
    sc_ball_clear(&value);
}

/* v:truncated_geometric_clamped clamps the result f + X to 0..n: the law of X, with its
 * two tails at the ends. */
TEST(laplace_law_gives_the_clamped_results_of_the_vectors)
{
    CLAIM("law.encloses");
    json_t *tables = vectors_load("mechanisms", "truncated_geometric_clamped"), *table,
           *row, *printed;
    size_t i, j, k;
    sc_ball value;
    sc_ball_init(&value);
    CHECK(json_array_size(tables) >= 3);
    json_array_foreach(tables, i, table)
    {
        char scale[64];
        sc_law law;
        const json_int_t n = json_integer_value(json_object_get(table, "n"));
        law_vectors_quotient(json_object_get(table, "t"), json_object_get(table, "s"),
                             scale);
        exact_law(&sc_discrete_laplace_law, scale, 0, &law);
        json_array_foreach(json_object_get(table, "rows"), j, row)
        {
            const json_int_t f = json_integer_value(json_object_get(row, "true_value"));
            json_array_foreach(json_object_get(row, "pmf"), k, printed)
            {
                const sc_int128 x = (sc_int128)k - f;
                if (k == 0)
                    sc_law_at_most(&law, x, EXACT_BITS, &value);
                else if ((json_int_t)k == n)
                    sc_law_at_least(&law, x, EXACT_BITS, &value);
                else
                    sc_law_pmf(&law, x, EXACT_BITS, &value);
                CHECK_PRINTED(&value, json_string_value(printed));
            }
            CHECK_INT(k, n + 1);
        }
        sc_law_clear(&law);
    }
    sc_ball_clear(&value);
}

/* The sampler: the discrete Laplace's draws, clamped. */

static scrim_status draw(const void *scale, sc_bits *bits, sc_int128 *out,
                         scrim_error *error)
{
    return sc_clamped_laplace_reference(bits, scale, 4, out, error);
}

static scrim_status draw_and_clamp(const void *scale, sc_bits *bits, sc_int128 *out,
                                   scrim_error *error)
{
    scrim_status status = sc_discrete_laplace_reference(bits, scale, out, error);
    *out = *out > 4 ? 4 : *out < -4 ? -4 : *out;
    return status;
}

TEST(clamped_laplace_draws_what_the_laplace_draws)
{
    CLAIM("clamped-laplace.exact");
    static const char *const list[] = {"1/3", "7/3", "1000", "2^60"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_fraction scale;
        exact_fraction(list[i], &scale);
        transcript_check_twins(check_seed() + i, 500, draw, &scale, draw_and_clamp,
                               &scale);
        sc_fraction_clear(&scale);
    }
}

TEST(clamp_keeps_what_is_inside)
{
    CHECK_INT(sc_clamp(3, 4), 3);
    CHECK_INT(sc_clamp(4, 4), 4);
    CHECK_INT(sc_clamp(5, 4), 4);
    CHECK_INT(sc_clamp(-5, 4), -4);
    CHECK_INT(sc_clamp(SC_INT128_MAX, (sc_int128)1 << 60), (sc_int128)1 << 60);
    CHECK_INT(sc_clamp(SC_INT128_MIN, (sc_int128)1 << 60), -((sc_int128)1 << 60));
}

/* A05: a draw of a scale of 2^60 leaves 64 bits once in three thousand; it ends at the bound of
 * its own side, by the fill of many as by single wide draws. */
TEST(clamped_laplace_of_a_wide_scale_does_not_wrap)
{
    CLAIM("clamped-laplace.exact");
    enum { DRAWS = 20000 };
    static int64_t many[DRAWS];
    static sc_int128 single[DRAWS];
    scrim_distribution *d = NULL;
    sc_tape *a = NULL, *b = NULL;
    REQUIRE_OK(
        scrim_distribution_parse("clamped-laplace scale=2^60 bound=2^60", &d, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &a, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &b, NULL));
    REQUIRE_OK(sc_distribution_fill(d, sc_tape_bits_of(a), DRAWS, many, NULL));
    REQUIRE_OK(sc_distribution_fill_wide(d, sc_tape_bits_of(b), DRAWS, single, NULL));
    size_t differ = 0;
    for (size_t i = 0; i < DRAWS; i++)
        differ += many[i] != single[i];
    CHECK_INT(differ, 0);
    sc_tape_free(a);
    sc_tape_free(b);
    scrim_distribution_free(d);
}
