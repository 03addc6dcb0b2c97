#include "balls.h"
#include "base/memory.h"
#include "check.h"
#include "composition/loss/continuous_noise.h"
#include "exact.h"
#include "vectors.h"

#include <stdio.h>

typedef void curve_setter(sc_curve *curve, const sc_ratio *noise);

static void check_delta(const json_t *row, const sc_ratio *noise, curve_setter *set)
{
    sc_curve curve;
    sc_ratio epsilon;
    sc_ball delta;
    exact_ratio(vectors_text(row, "epsilon"), &epsilon);
    sc_curve_init(&curve);
    sc_ball_init(&delta);
    set(&curve, noise);
    sc_curve_delta_upper(&curve, &epsilon, EXACT_BITS, &delta);
    CHECK_PRINTED(&delta, vectors_text(row, "delta"));
    sc_ball_clear(&delta);
    sc_curve_clear(&curve);
    sc_ratio_clear(&epsilon);
}

TEST(continuous_curve_gaussian_delta_matches_the_vectors)
{
    CLAIM("continuous-curve.exact");
    json_t *rows = vectors_load("mechanisms", "gaussian_delta"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_ratio sigma;
        exact_ratio(vectors_text(row, "sigma"), &sigma);
        check_delta(row, &sigma, sc_curve_set_continuous_gaussian);
        sc_ratio_clear(&sigma);
    }
}

TEST(continuous_curve_laplace_delta_is_the_printed_one)
{
    CLAIM("continuous-curve.exact");
    json_t *rows = vectors_load("mechanisms", "laplace_delta"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) >= 10);
    json_array_foreach(rows, index, row)
    {
        sc_ratio scale, one;
        exact_ratio(vectors_text(row, "epsilon0"), &scale);
        exact_ratio("1", &one);
        sc_ratio_div(&scale, &one, &scale);
        check_delta(row, &scale, sc_curve_set_continuous_laplace);
        sc_ratio_clear(&one);
        sc_ratio_clear(&scale);
    }
}

/* Rows with a finite order above 1 against the curve; how many there were. */
static size_t check_renyi(const char *member, const char *noise_name, curve_setter *set)
{
    json_t *rows = vectors_load("local-and-accounting", member), *row;
    size_t index, count = 0;
    json_array_foreach(rows, index, row)
    {
        const json_t *shift = json_object_get(row, "Delta");
        const char *alpha = vectors_text(row, "alpha");
        sc_curve curve;
        sc_ratio noise, order, distance;
        sc_ball renyi;
        if (alpha[0] == 'i' || (alpha[0] == '1' && alpha[1] == '\0'))
            continue;
        exact_ratio(vectors_text(row, noise_name), &noise);
        exact_ratio(alpha, &order);
        exact_ratio("1", &distance);
        if (shift != NULL)
            sc_ratio_set_int64(&distance, json_integer_value(shift));
        sc_ratio_div(&noise, &noise, &distance);
        sc_curve_init(&curve);
        sc_ball_init(&renyi);
        set(&curve, &noise);
        sc_curve_renyi_upper(&curve, &order, EXACT_BITS, &renyi);
        CHECK_PRINTED(&renyi, vectors_text(row, "rdp"));
        count++;
        sc_ball_clear(&renyi);
        sc_curve_clear(&curve);
        sc_ratio_clear(&distance);
        sc_ratio_clear(&order);
        sc_ratio_clear(&noise);
    }
    return count;
}

TEST(continuous_curve_renyi_matches_the_vectors)
{
    CLAIM("continuous-curve.exact");
    CHECK(check_renyi("rdp_gaussian", "sigma", sc_curve_set_continuous_gaussian) > 5);
    CHECK(check_renyi("rdp_laplace", "b", sc_curve_set_continuous_laplace) > 5);
}

/* Single releases of the vectors of many. */
TEST(continuous_curve_laplace_delta_matches_the_vectors)
{
    CLAIM("continuous-curve.exact");
    json_t *rows = vectors_load("local-and-accounting", "pld_laplace_kfold_delta"), *row;
    size_t index, count = 0;
    json_array_foreach(rows, index, row)
    {
        sc_curve curve;
        sc_ratio scale, epsilon, one;
        sc_ball delta, want;
        if (json_integer_value(json_object_get(row, "k")) != 1)
            continue;
        exact_ratio(vectors_text(row, "eps0"), &scale);
        exact_ratio(vectors_text(row, "eps"), &epsilon);
        exact_ratio("1", &one);
        sc_ratio_div(&scale, &one, &scale);
        sc_curve_init(&curve);
        sc_ball_init(&delta);
        sc_ball_init(&want);
        sc_curve_set_continuous_laplace(&curve, &scale);
        sc_curve_delta_upper(&curve, &epsilon, EXACT_BITS, &delta);
        CHECK(ball_set_text(&want, vectors_text(row, "delta"), EXACT_BITS));
        CHECK_NEAR(sc_ball_upper(&delta), sc_ball_upper(&want), 1e-14);
        CHECK_NEAR(sc_ball_lower(&delta), sc_ball_upper(&want), 1e-14);
        count++;
        /* From 1/scale on there is nothing left. */
        sc_ratio_div(&epsilon, &one, &scale);
        sc_curve_delta_upper(&curve, &epsilon, EXACT_BITS, &delta);
        CHECK(sc_ball_upper(&delta) == 0);
        sc_ball_clear(&want);
        sc_ball_clear(&delta);
        sc_curve_clear(&curve);
        sc_ratio_clear(&one);
        sc_ratio_clear(&epsilon);
        sc_ratio_clear(&scale);
    }
    CHECK(count >= 1);
}

TEST(continuous_curve_reads_its_line)
{
    static const struct {
        const char *name, *rest, *text, *shape;
        bool has_rho_alone;
        const char *number; /* rho, or epsilon */
    } list[] = {
        {"continuous-gaussian", "sigma=3",
         "continuous-gaussian sigma=3 sensitivity=1 neighbours=add-remove", "3", true,
         "1/18"},
        {"continuous-gaussian", "sensitivity=2 sigma=3 neighbours=replace",
         "continuous-gaussian sigma=3 sensitivity=2 neighbours=replace", "3/2", true,
         "2/9"},
        {"continuous-laplace", "scale=0.5 sensitivity=3",
         "continuous-laplace scale=0.5 sensitivity=3 neighbours=add-remove", "1/6", false,
         "6"},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_exact_cost cost;
        sc_ratio want;
        char *text = NULL;
        sc_cost_init(&cost);
        const sc_continuous *continuous = sc_continuous_find(sc_text_of(list[i].name));
        REQUIRE(continuous != NULL);
        REQUIRE_OK(sc_continuous_parse(continuous, sc_text_of(list[i].rest), &cost, &text,
                                       NULL));
        CHECK_STR(text, list[i].text);
        exact_ratio(list[i].shape, &want);
        CHECK(sc_ratio_compare(&cost.curve.shape, &want) == 0);
        sc_ratio_clear(&want);
        exact_ratio(list[i].number, &want);
        CHECK(cost.has_rho && cost.has_epsilon != list[i].has_rho_alone);
        CHECK(sc_ratio_compare(cost.has_epsilon ? &cost.epsilon : &cost.rho, &want) == 0);
        CHECK(cost.curve.is_attained);
        sc_ratio_clear(&want);
        sc_free(text);
        sc_cost_clear(&cost);
    }
    CHECK(sc_continuous_find(sc_text_of("gaussian")) == NULL);
    CHECK(sc_continuous_at(2) == NULL);
}

/* P(N > x) or, mirrored, P(N < x), from the error function at many bits. */
static void truth(const sc_ball *x, bool is_above, sc_ball *out)
{
    sc_ball root;
    sc_ball_init(&root);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, 1200);
    sc_ball_div(out, x, &root, 1200);
    if (!is_above)
        sc_ball_neg(out, out);
    sc_ball_erfc(out, out, 1200);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_clear(&root);
}

static void check_one(const sc_ball *got, const sc_ball *x, bool is_above, long bits,
                      size_t i)
{
    sc_ball wanted;
    sc_ball_init(&wanted);
    truth(x, is_above, &wanted);
    if (!sc_ball_contains(got, &wanted) || !sc_ball_is_accurate(got, bits))
        CHECK_FAIL("point %zu, %s, %ld bits: [%.17g, %.17g]", i,
                   is_above ? "above" : "below", bits, sc_ball_lower(got),
                   sc_ball_upper(got));
    sc_ball_clear(&wanted);
}

static void check_tails(const char *first, const char *step, size_t count, long bits)
{
    sc_ball *above = sc_balls_new(count), *below = sc_balls_new(count);
    sc_ball from, by, x;
    sc_ball_scope scope;
    REQUIRE(above != NULL && below != NULL);
    sc_ball_enter(&scope);
    sc_ball_init(&from);
    sc_ball_init(&by);
    sc_ball_init(&x);
    CHECK(ball_set_text(&from, first, 1200) && ball_set_text(&by, step, 1200));
    CHECK(sc_normal_tails(&from, &by, count, bits, above, below));
    for (size_t i = 0; i < count; i++) {
        sc_ball_mul_int64(&x, &by, (int64_t)i, 1200);
        sc_ball_add(&x, &x, &from, 1200);
        check_one(&above[i], &x, true, bits - 16, i);
        check_one(&below[i], &x, false, bits - 16, i);
    }
    sc_ball_clear(&x);
    sc_ball_clear(&by);
    sc_ball_clear(&from);
    sc_ball_leave(&scope);
    sc_balls_free(below, count);
    sc_balls_free(above, count);
}

TEST(normal_tails_are_those_of_the_error_function)
{
    CLAIM("normal-tails.hold");
    check_tails("-1", "0.125", 17, 128); /* through 0, on a centre and beside one */
    check_tails("-9.3", "0.07", 266, 128);
    check_tails("-2.01", "0.013", 310, 220);
    check_tails("0", "0.001", 130, 90);
    check_tails("-3", "0.4", 16, 128); /* too far apart for a series */
    check_tails("21.5", "0.11", 40, 700);
    check_tails("-30", "0.2", 12, 128);
    check_tails("1", "1e-30", 3, 128);
    check_tails("0.5", "0.1", 1, 128);
}
