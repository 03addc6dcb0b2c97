#include "balls.h"
#include "curves.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "vectors.h"

#include <stdio.h>

/* j of j/64. */
static int64_t parts_of(const sc_ratio *variance)
{
    sc_ratio parts;
    sc_integer whole;
    sc_int128 j = 0;
    exact_ratio("64", &parts);
    sc_integer_init(&whole);
    sc_ratio_mul(&parts, &parts, variance);
    CHECK(sc_ratio_is_integer(&parts));
    sc_ratio_floor(&parts, &whole);
    CHECK(sc_integer_get_int128(&whole, &j));
    sc_integer_clear(&whole);
    sc_ratio_clear(&parts);
    return (int64_t)j;
}

TEST(gaussian_calibration_matches_the_vectors)
{
    CLAIM("gaussian-calibration.exact");
    json_t *rows = json_object_get(
               vectors_load("mechanisms", "discrete_gaussian_calibration"), "rows"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_ratio epsilon, delta, variance;
        sc_curve curve;
        sc_ball reached;
        uint64_t shift = (uint64_t)json_integer_value(json_object_get(row, "D"));
        const json_t *pair = json_object_get(row, "sigma2");
        exact_ratio(vectors_text(row, "epsilon"), &epsilon);
        exact_ratio(vectors_text(row, "delta"), &delta);
        sc_ratio_init(&variance);
        REQUIRE_OK(sc_gaussian_variance_exact(&epsilon, &delta, shift, &variance, NULL));
        CHECK_INT(json_integer_value(json_array_get(pair, 1)), 64);
        CHECK_INT(parts_of(&variance), json_integer_value(json_array_get(pair, 0)));
        sc_curve_init(&curve);
        sc_ball_init(&reached);
        sc_curve_set_gaussian(&curve, &variance, shift);
        curves_delta(&curve, vectors_text(row, "epsilon"), &reached);
        CHECK_PRINTED(&reached, vectors_text(row, "discrete_delta"));
        sc_ball_clear(&reached);
        sc_curve_clear(&curve);
        sc_ratio_clear(&variance);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
}

/* Does a curve have at most delta at epsilon? */
static bool meets(const sc_curve *curve, const char *epsilon, const char *delta)
{
    sc_ball reached, wanted;
    sc_ball_init(&reached);
    sc_ball_init(&wanted);
    curves_delta(curve, epsilon, &reached);
    CHECK(ball_set_text(&wanted, delta, EXACT_BITS));
    bool result = sc_ball_is_less_equal(&reached, &wanted);
    sc_ball_clear(&wanted);
    sc_ball_clear(&reached);
    return result;
}

/* Also where everything is extreme: what is returned was tested. */
TEST(gaussian_calibration_meets_extreme_targets)
{
    CLAIM("gaussian-calibration.exact");
    static const struct {
        const char *epsilon, *delta;
        uint64_t shift;
    } list[] = {{"1e-9", "1e-40", 1},     {"1000", "1e-12", 1},    {"1000", "0.999", 5},
                {"1e-6", "0.5", 1000003}, {"0.001", "1e-9", 4096}, {"20", "1e-6", 1}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio epsilon, delta, variance;
        sc_curve curve;
        exact_ratio(list[i].epsilon, &epsilon);
        exact_ratio(list[i].delta, &delta);
        sc_ratio_init(&variance);
        sc_curve_init(&curve);
        REQUIRE_OK(
            sc_gaussian_variance_exact(&epsilon, &delta, list[i].shift, &variance, NULL));
        sc_curve_set_gaussian(&curve, &variance, list[i].shift);
        CHECK(meets(&curve, list[i].epsilon, list[i].delta));
        sc_curve_clear(&curve);
        sc_ratio_clear(&variance);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
}

/* distance^2 / (2 j/64) */
static void concentrated(const sc_ratio *distance, int64_t j, sc_curve *out)
{
    sc_ratio rho, part;
    char text[32];
    snprintf(text, sizeof text, "%lld/32", (long long)j);
    exact_ratio(text, &part);
    sc_ratio_init(&rho);
    sc_ratio_mul(&rho, distance, distance);
    sc_ratio_div(&rho, &rho, &part);
    sc_curve_init(out);
    sc_curve_set_concentrated(out, &rho);
    sc_ratio_clear(&rho);
    sc_ratio_clear(&part);
}

/* Several values: j converts to the wanted delta, j - 1 does not. */
TEST(gaussian_calibration_of_several_values_is_the_smallest)
{
    CLAIM("gaussian-calibration.exact");
    static const struct {
        const char *epsilon, *delta, *distance;
    } list[] = {{"1", "1e-6", "1"},  {"1/2", "1e-9", "3/2"},
                {"5", "1e-5", "10"}, {"0.01", "1e-12", "1.414214"},
                {"100", "0.1", "2"}, {"0.001", "0.9", "7"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio epsilon, delta, distance, variance;
        sc_curve curve, less;
        exact_ratio(list[i].epsilon, &epsilon);
        exact_ratio(list[i].delta, &delta);
        exact_ratio(list[i].distance, &distance);
        sc_ratio_init(&variance);
        REQUIRE_OK(sc_gaussian_variance_concentrated(&epsilon, &delta, &distance,
                                                     &variance, NULL));
        int64_t j = parts_of(&variance);
        concentrated(&distance, j, &curve);
        CHECK(meets(&curve, list[i].epsilon, list[i].delta));
        if (j > 1) {
            concentrated(&distance, j - 1, &less);
            CHECK(!meets(&less, list[i].epsilon, list[i].delta));
            sc_curve_clear(&less);
        }
        sc_curve_clear(&curve);
        sc_ratio_clear(&variance);
        sc_ratio_clear(&distance);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
}

TEST(gaussian_calibration_is_limited)
{
    sc_ratio epsilon, delta, far, variance;
    scrim_error error = {.message = ""};
    exact_ratio("2^-60", &epsilon);
    exact_ratio("2^-160", &delta);
    exact_ratio("2^40", &far);
    exact_ratio("-1", &variance);
    CHECK_STATUS(sc_gaussian_variance_exact(&epsilon, &delta, (uint64_t)1 << 40,
                                            &variance, &error),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(
        sc_gaussian_variance_concentrated(&epsilon, &delta, &far, &variance, &error),
        SCRIM_E_LIMIT);
    CHECK(sc_ratio_compare_int64(&variance, -1) == 0);
    sc_ratio_clear(&variance);
    sc_ratio_clear(&far);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}
