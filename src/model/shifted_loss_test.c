#include "curves.h"
#include "exact.h"
#include "model/vector_loss.h"
#include "sampling/law.h"
#include "vectors.h"

#include <string.h>

#define FILE_NAME "flexible-accuracy"

/* delta at `at` of `copies` copies. */
static void delta_of(const char *epsilon, uint64_t q, uint64_t copies, const char *at,
                     sc_ball *out)
{
    sc_ratio e, x;
    sc_shifted_loss loss;
    exact_ratio(epsilon, &e);
    exact_ratio(at, &x);
    sc_shifted_loss_init(&loss, &e, q, EXACT_BITS);
    sc_shifted_loss_delta(&loss, &e, copies, &x, EXACT_BITS, out);
    sc_shifted_loss_clear(&loss);
    sc_ratio_clear(&x);
    sc_ratio_clear(&e);
}

TEST(shifted_loss_has_the_printed_profile)
{
    CLAIM("shifted-loss.exact");
    const json_t *rows = vectors_load(FILE_NAME, "privacy_profile"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 14);
    json_array_foreach(rows, i, row)
    {
        sc_ball got;
        sc_ball_init(&got);
        delta_of(vectors_text(row, "eps"), vectors_number(row, "q"), 1,
                 vectors_text(row, "eps_prime"), &got);
        CHECK_PRINTED(&got, vectors_text(row, "delta"));
        sc_ball_clear(&got);
    }
}

TEST(shifted_loss_composes_as_printed)
{
    CLAIM("shifted-loss.exact");
    const json_t *rows = vectors_load(FILE_NAME, "composition"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 9);
    json_array_foreach(rows, i, row)
    {
        sc_ball got;
        sc_ball_init(&got);
        delta_of(vectors_text(row, "eps"), vectors_number(row, "q"),
                 vectors_number(row, "K"), vectors_text(row, "eps_prime"), &got);
        CHECK_PRINTED(&got, vectors_text(row, "delta"));
        sc_ball_clear(&got);
    }
}

TEST(shifted_loss_of_a_replaced_element_is_that_of_two)
{
    CLAIM("shifted-loss.exact");
    const json_t *rows = vectors_load(FILE_NAME, "substitution"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        sc_ball got;
        sc_ball_init(&got);
        delta_of(vectors_text(row, "eps"), vectors_number(row, "q"), 2,
                 vectors_text(row, "eps_substitution"), &got);
        CHECK_PRINTED(&got, vectors_text(row, "delta_substitution"));
        sc_ball_clear(&got);
    }
}

/* The masses are those of the two laws side by side, and add up to 1 with the end. */
TEST(shifted_loss_is_read_off_the_law)
{
    CLAIM("shifted-loss.exact");
    static const uint64_t list[] = {1, 2, 3, 4, 9, 20};
    for (size_t i = 0; i < COUNT(list); i++) {
        const sc_int128 q = (sc_int128)list[i];
        sc_law law;
        sc_shifted_loss loss;
        sc_ball sum[3], all, x, y;
        exact_law(&sc_shifted_laplace_law, "2/3", q, &law);
        sc_shifted_loss_init(&loss, &law.shape, list[i], EXACT_BITS);
        sc_ball_init(&all);
        sc_ball_init(&x);
        sc_ball_init(&y);
        for (int k = 0; k < 3; k++)
            sc_ball_init(&sum[k]);
        for (sc_int128 k = 1 - q; k <= 0; k++) {
            sc_law_pmf(&law, k - 1, EXACT_BITS, &x); /* of the larger count */
            sc_law_pmf(&law, k, EXACT_BITS, &y);
            const int side = sc_ball_is_less(&x, &y)   ? 0
                             : sc_ball_is_less(&y, &x) ? 2
                                                       : 1;
            sc_ball_add(&sum[side], &sum[side], &x, EXACT_BITS);
        }
        CHECK_SAME(&sum[0], &loss.down, 200);
        CHECK_SAME(&sum[1], &loss.level, 200);
        CHECK_SAME(&sum[2], &loss.up, 200);
        sc_ball_add(&all, &loss.up, &loss.down, EXACT_BITS);
        sc_ball_add(&all, &all, &loss.level, EXACT_BITS);
        sc_ball_add(&all, &all, &loss.infinite, EXACT_BITS);
        sc_ball_set_int64(&x, 1);
        CHECK_SAME(&all, &x, 200);
        for (int k = 0; k < 3; k++)
            sc_ball_clear(&sum[k]);
        sc_ball_clear(&y);
        sc_ball_clear(&x);
        sc_ball_clear(&all);
        sc_shifted_loss_clear(&loss);
        sc_law_clear(&law);
    }
}

/* The curve that stands for it: once and twice. */
TEST(curve_of_shifted_noise_is_its_loss)
{
    CLAIM("curve.bounds");
    static const char *const at[] = {"0", "1/3", "1/2", "3/4", "1", "2"};
    for (size_t i = 0; i < 2 * COUNT(at); i++) {
        sc_curve curve;
        sc_ratio epsilon;
        sc_ball got, want;
        sc_ball_init(&got);
        sc_ball_init(&want);
        sc_curve_init(&curve);
        exact_ratio("1/2", &epsilon);
        sc_curve_set_shifted(&curve, &epsilon, 11, i % 2 == 1);
        curves_delta(&curve, at[i / 2], &got);
        delta_of("1/2", 11, 1 + i % 2, at[i / 2], &want);
        CHECK_SAME(&got, &want, 200);
        curves_renyi(&curve, "2", &got);
        CHECK(!sc_ball_is_finite(&got));
        sc_curve_clear(&curve);
        sc_ratio_clear(&epsilon);
        sc_ball_clear(&want);
        sc_ball_clear(&got);
    }
}
