#include "balls.h"
#include "exact.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "vectors.h"

#include <stdlib.h>

/* delta at epsilon of noise of this sigma, sensitivity 1. */
static void delta_of(const char *epsilon, const sc_ball *sigma, sc_ball *out)
{
    sc_ratio e;
    sc_ball ratio;
    exact_ratio(epsilon, &e);
    sc_ball_init(&ratio);
    sc_ball_set_int64(&ratio, 1);
    sc_ball_div(&ratio, &ratio, sigma, 4 * EXACT_BITS);
    sc_analytic_gaussian_delta(&e, &ratio, EXACT_BITS, out);
    sc_ball_clear(&ratio);
    sc_ratio_clear(&e);
}

TEST(analytic_gaussian_delta_matches_the_vectors)
{
    CLAIM("analytic-gaussian.exact");
    json_t *rows = vectors_load("mechanisms", "gaussian_delta"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_ratio value;
        sc_ball sigma, delta;
        exact_ratio(vectors_text(row, "sigma"), &value);
        sc_ball_init(&sigma);
        sc_ball_init(&delta);
        sc_ball_set_ratio(&sigma, &value, 4 * EXACT_BITS);
        delta_of(vectors_text(row, "epsilon"), &sigma, &delta);
        CHECK_PRINTED(&delta, vectors_text(row, "delta"));
        sc_ball_clear(&delta);
        sc_ball_clear(&sigma);
        sc_ratio_clear(&value);
    }
}

/* Also where the tails agree so far that they are asked for again with more bits. */
TEST(analytic_gaussian_delta_may_take_the_place_of_the_ratio)
{
    CLAIM("analytic-gaussian.exact");
    static const struct {
        const char *epsilon, *ratio;
    } cases[] = {{"1", "1"}, {"1/10", "1/1000"}, {"1e-40", "1e-40"}, {"1e-38", "1e-40"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_ratio epsilon, ratio;
        sc_ball apart, same;
        exact_ratio(cases[i].epsilon, &epsilon);
        exact_ratio(cases[i].ratio, &ratio);
        sc_ball_init(&apart);
        sc_ball_init(&same);
        sc_ball_set_ratio(&same, &ratio, 16 * EXACT_BITS);
        sc_analytic_gaussian_delta(&epsilon, &same, 128, &apart);
        sc_analytic_gaussian_delta(&epsilon, &same, 128, &same);
        CHECK(sc_ball_is_accurate(&same, 128) && ball_overlaps(&same, &apart));
        sc_ball_clear(&same);
        sc_ball_clear(&apart);
        sc_ratio_clear(&ratio);
        sc_ratio_clear(&epsilon);
    }
}

/* sqrt(2 ln(1.25/delta)) / epsilon: the sigma of the literature, which breaks. */
static void classic_sigma(const char *epsilon, const char *delta, sc_ball *out)
{
    sc_ratio e, d, five, four;
    sc_ball part;
    exact_ratio(epsilon, &e);
    exact_ratio(delta, &d);
    exact_ratio("5", &five);
    exact_ratio("4", &four);
    sc_ball_init(&part);
    sc_ratio_mul(&d, &d, &four);
    sc_ratio_div(&d, &five, &d);
    sc_ball_set_ratio(out, &d, 4 * EXACT_BITS);
    sc_ball_log(out, out, 4 * EXACT_BITS);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_sqrt(out, out, 4 * EXACT_BITS);
    sc_ball_set_ratio(&part, &e, 4 * EXACT_BITS);
    sc_ball_div(out, out, &part, 4 * EXACT_BITS);
    sc_ball_clear(&part);
    sc_ratio_clear(&four);
    sc_ratio_clear(&five);
    sc_ratio_clear(&d);
    sc_ratio_clear(&e);
}

SLOW_TEST(analytic_gaussian_sigma_matches_the_vectors)
{
    CLAIM("analytic-gaussian.exact");
    json_t *rows = vectors_load("mechanisms", "analytic_gaussian_sigma"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        const char *epsilon = vectors_text(row, "epsilon"),
                   *delta = vectors_text(row, "delta");
        sc_ratio e, d, sigma;
        sc_ball ours, want, reached, target;
        sc_ball *const all[] = {&ours, &want, &reached, &target};
        for (size_t i = 0; i < COUNT(all); i++)
            sc_ball_init(all[i]);
        exact_ratio(epsilon, &e);
        exact_ratio(delta, &d);
        sc_ratio_init(&sigma);
        REQUIRE_OK(sc_analytic_gaussian_sigma_upper(&e, &d, &sigma, NULL));
        sc_ball_set_ratio(&ours, &sigma, 4 * EXACT_BITS);
        CHECK(ball_set_text(&want, vectors_text(row, "sigma"), EXACT_BITS));
        CHECK_NEAR(sc_ball_upper(&ours), sc_ball_upper(&want), 1e-14);
        /* It meets the delta, and 2^-60 less does not. */
        sc_ball_set_ratio(&target, &d, EXACT_BITS);
        delta_of(epsilon, &ours, &reached);
        CHECK(sc_ball_is_less_equal(&reached, &target));
        sc_ball_mul_power2(&want, &ours, -60);
        sc_ball_sub(&ours, &ours, &want, 4 * EXACT_BITS);
        delta_of(epsilon, &ours, &reached);
        CHECK(sc_ball_is_less(&target, &reached));
        /* The classic sigma, and what it has in truth. */
        classic_sigma(epsilon, delta, &ours);
        CHECK_PRINTED(&ours, vectors_text(row, "classic_sigma"));
        delta_of(epsilon, &ours, &reached);
        CHECK_PRINTED(&reached, vectors_text(row, "classic_actual_delta"));
        CHECK(sc_ball_is_less_equal(&reached, &target) ==
              json_is_true(json_object_get(row, "classic_valid")));
        sc_ratio_clear(&sigma);
        sc_ratio_clear(&d);
        sc_ratio_clear(&e);
        for (size_t i = 0; i < COUNT(all); i++)
            sc_ball_clear(all[i]);
    }
}

/* Where the classic sigma stops to be valid: its delta crosses within 1e-15 of the printed
 * epsilon. */
TEST(analytic_gaussian_shows_where_the_classic_breaks)
{
    CLAIM("analytic-gaussian.exact");
    json_t *rows = vectors_load("mechanisms", "gaussian_classic_breaks_at"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 5);
    json_array_foreach(rows, index, row)
    {
        for (int side = 0; side < 2; side++) {
            char near[SC_RATIO_TEXT_BYTES];
            sc_ratio epsilon, factor;
            sc_ball sigma, reached, target;
            sc_ball_init(&sigma);
            sc_ball_init(&reached);
            sc_ball_init(&target);
            exact_ratio(vectors_text(row, "epsilon_break"), &epsilon);
            exact_ratio(side == 0 ? "0.999999999999999" : "1.000000000000001", &factor);
            sc_ratio_mul(&epsilon, &epsilon, &factor);
            sc_ratio_format(&epsilon, near, sizeof near);
            classic_sigma(near, vectors_text(row, "delta"), &sigma);
            delta_of(near, &sigma, &reached);
            CHECK(ball_set_text(&target, vectors_text(row, "delta"), EXACT_BITS));
            CHECK(side == 0 ? sc_ball_is_less(&reached, &target)
                            : sc_ball_is_less(&target, &reached));
            sc_ratio_clear(&factor);
            sc_ratio_clear(&epsilon);
            sc_ball_clear(&target);
            sc_ball_clear(&reached);
            sc_ball_clear(&sigma);
        }
    }
}

/* One value: Laplace has the smaller deviation. With l1 sensitivity k and l2 sensitivity sqrt(k)
 * the Gaussian wins from the printed k on. */
TEST(analytic_gaussian_against_laplace)
{
    const json_t *row = vectors_load("mechanisms", "gaussian_vs_laplace");
    sc_ratio epsilon, delta, sigma, two;
    sc_ball laplace, gaussian, k;
    REQUIRE(row != NULL);
    exact_ratio(vectors_text(row, "epsilon"), &epsilon);
    exact_ratio(vectors_text(row, "delta"), &delta);
    exact_ratio("2", &two);
    sc_ratio_init(&sigma);
    sc_ball_init(&laplace);
    sc_ball_init(&gaussian);
    sc_ball_init(&k);
    REQUIRE_OK(sc_analytic_gaussian_sigma_upper(&epsilon, &delta, &sigma, NULL));
    sc_ball_set_ratio(&gaussian, &sigma, EXACT_BITS);
    CHECK_NEAR(sc_ball_upper(&gaussian),
               strtod(vectors_text(row, "analytic_sigma"), NULL), 1e-14);
    sc_ball_set_ratio(&laplace, &two, EXACT_BITS);
    sc_ball_sqrt(&laplace, &laplace, EXACT_BITS);
    CHECK_PRINTED(&laplace, vectors_text(row, "laplace_std"));
    /* sigma sqrt(k) < k sqrt(2) */
    for (int64_t values = 1; values < 20; values++) {
        sc_ball left, right;
        sc_ball_init(&left);
        sc_ball_init(&right);
        sc_ball_set_int64(&k, values);
        sc_ball_sqrt(&left, &k, EXACT_BITS);
        sc_ball_mul(&left, &left, &gaussian, EXACT_BITS);
        sc_ball_mul(&right, &k, &laplace, EXACT_BITS);
        CHECK(
            sc_ball_is_less(&left, &right) ==
            (values >= json_integer_value(json_object_get(row, "gaussian_wins_from_k"))));
        sc_ball_clear(&right);
        sc_ball_clear(&left);
    }
    sc_ball_clear(&k);
    sc_ball_clear(&gaussian);
    sc_ball_clear(&laplace);
    sc_ratio_clear(&sigma);
    sc_ratio_clear(&two);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}

/* Extreme targets: solved, or refused as beyond the limit, with out untouched. */
TEST(analytic_gaussian_at_the_ends)
{
    static const struct {
        const char *epsilon, *delta;
        scrim_status status;
    } list[] = {{"2^-60", "2^-160", SCRIM_OK},
                {"1000", "2^-160", SCRIM_OK},
                {"1000", "0.999", SCRIM_OK},
                {"2^-60", "0.999", SCRIM_OK},
                {"2^-200", "2^-200", SCRIM_E_LIMIT}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio epsilon, delta, sigma;
        exact_ratio(list[i].epsilon, &epsilon);
        exact_ratio(list[i].delta, &delta);
        exact_ratio("-5", &sigma);
        CHECK_STATUS(sc_analytic_gaussian_sigma_upper(&epsilon, &delta, &sigma, NULL),
                     list[i].status);
        CHECK((sc_ratio_compare_int64(&sigma, -5) == 0) == (list[i].status != SCRIM_OK));
        sc_ratio_clear(&sigma);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
}
