#include "balls.h"
#include "curves.h"
#include "model/renyi_conversion.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The epsilon of a curve at a delta is the printed one: not below it, to 1e-12. */
static void check_epsilon(const sc_curve *curve, const char *delta, const char *printed)
{
    sc_ratio target, found;
    sc_ball ours, want;
    exact_ratio(delta, &target);
    sc_ratio_init(&found);
    sc_ball_init(&ours);
    sc_ball_init(&want);
    if (CHECK(sc_curve_epsilon_upper(curve, &target, &found))) {
        sc_ball_set_ratio(&ours, &found, EXACT_BITS);
        CHECK(ball_set_text(&want, printed, EXACT_BITS));
        CHECK_NEAR(sc_ball_upper(&ours), sc_ball_upper(&want), 1e-12);
        CHECK(sc_ball_upper(&ours) > sc_ball_lower(&want) * (1 - 1e-16));
    }
    sc_ball_clear(&want);
    sc_ball_clear(&ours);
    sc_ratio_clear(&found);
    sc_ratio_clear(&target);
}

TEST(conversion_of_concentrated_privacy_matches_the_vectors)
{
    CLAIM("conversion.sound");
    json_t *rows = vectors_load("local-and-accounting", "zcdp_to_dp"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 3);
    json_array_foreach(rows, index, row)
    {
        sc_curve curve;
        curves_of(sc_curve_set_concentrated, vectors_text(row, "rho"), &curve);
        check_epsilon(&curve, vectors_text(row, "delta"), vectors_text(row, "eps_cks"));
        sc_curve_clear(&curve);
    }
}

/* Curves of divergences alone, for the rows of other mechanisms. */

/* curve->count times what any mechanism of curve->epsilon has. */
static void copies_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                         sc_ball *out)
{
    sc_curve one;
    sc_curve_init(&one);
    sc_curve_set_pure(&one, &curve->epsilon);
    sc_curve_renyi_upper(&one, order, bits, out);
    sc_ball_mul_int64(out, out, (int64_t)curve->count, bits);
    sc_curve_clear(&one);
}

/* Continuous Laplace of scale b = curve->shape, shift 1, curve->count times:
 * ln( a/(2a-1) exp((a-1)/b) + (a-1)/(2a-1) exp(-a/b) ) / (a-1). */
static void laplace_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                          sc_ball *out)
{
    sc_ball a, less, b, first, second;
    sc_ball *const all[] = {&a, &less, &b, &first, &second};
    for (size_t i = 0; i < COUNT(all); i++)
        sc_ball_init(all[i]);
    sc_ball_set_ratio(&a, order, bits);
    sc_ball_add_int64(&less, &a, -1, bits);
    sc_ball_set_ratio(&b, &curve->shape, bits);
    sc_ball_div(&first, &less, &b, bits);
    sc_ball_exp(&first, &first, bits);
    sc_ball_mul(&first, &first, &a, bits);
    sc_ball_div(&second, &a, &b, bits);
    sc_ball_neg(&second, &second);
    sc_ball_exp(&second, &second, bits);
    sc_ball_mul(&second, &second, &less, bits);
    sc_ball_add(&first, &first, &second, bits);
    sc_ball_add(&second, &a, &less, bits);
    sc_ball_div(&first, &first, &second, bits);
    sc_ball_log(&first, &first, bits);
    sc_ball_div(out, &first, &less, bits);
    sc_ball_mul_int64(out, out, (int64_t)curve->count, bits);
    for (size_t i = 0; i < COUNT(all); i++)
        sc_ball_clear(all[i]);
}

static const sc_curve_functions copies = {.name = "copies", .renyi = copies_renyi};
static const sc_curve_functions laplaces = {.name = "laplaces", .renyi = laplace_renyi};

static void vector_curve(const char *mechanism, const char *parameter, sc_curve *out)
{
    sc_ratio value, half;
    exact_ratio(parameter, &value);
    exact_ratio("1/2", &half);
    sc_curve_init(out);
    if (strncmp(mechanism, "gaussian", 8) == 0) {
        /* 10 times 1/(2 sigma^2), or once */
        sc_ratio_div(&half, &half, &value);
        sc_ratio_div(&half, &half, &value);
        sc_ratio_set_int64(&value, mechanism[8] == '\0' ? 1 : 10);
        sc_ratio_mul(&half, &half, &value);
        sc_curve_set_concentrated(out, &half);
    } else if (strcmp(mechanism, "rr100fold") == 0) {
        out->functions = &copies;
        sc_ratio_set(&out->epsilon, &value);
        out->count = 100;
    } else if (CHECK(strcmp(mechanism, "laplace50fold") == 0)) {
        out->functions = &laplaces;
        sc_ratio_set(&out->shape, &value);
        out->count = 50;
    }
    sc_ratio_clear(&half);
    sc_ratio_clear(&value);
}

TEST(conversion_of_divergences_matches_the_vectors)
{
    CLAIM("conversion.sound");
    json_t *rows = vectors_load("local-and-accounting", "rdp_to_dp"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 3);
    json_array_foreach(rows, index, row)
    {
        sc_curve curve;
        vector_curve(vectors_text(row, "mechanism"), vectors_text(row, "param"), &curve);
        check_epsilon(&curve, vectors_text(row, "delta"), vectors_text(row, "eps_cks"));
        /* Never below the truth. */
        if (vectors_text(row, "eps_true") != NULL)
            CHECK(strtod(vectors_text(row, "eps_true"), NULL) <
                  strtod(vectors_text(row, "eps_cks"), NULL));
        sc_curve_clear(&curve);
    }
}

/* A divergence that is known up to one order only: delta is the order, epsilon the divergence. */
static void one_order_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                            sc_ball *out)
{
    if (sc_ratio_compare(order, &curve->shape) <= 0) {
        sc_ball_set_ratio(out, &curve->epsilon, bits);
        return;
    }
    sc_ball zero;
    sc_ball_init(&zero);
    sc_ball_set_int64(out, 1);
    sc_ball_div(out, out, &zero, bits);
    sc_ball_clear(&zero);
}

static const sc_curve_functions one_order = {.name = "one order",
                                             .renyi = one_order_renyi};

TEST(conversion_at_a_fixed_order_matches_the_vectors)
{
    CLAIM("conversion.sound");
    json_t *rows = vectors_load("local-and-accounting", "rdp_to_dp_fixed_order"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 2);
    json_array_foreach(rows, index, row)
    {
        sc_curve curve;
        sc_ratio order;
        exact_ratio(vectors_text(row, "alpha"), &order);
        curves_of(sc_curve_set_concentrated, vectors_text(row, "rdp"), &curve);
        curve.functions = &one_order;
        sc_ratio_set(&curve.shape, &order);
        check_epsilon(&curve, vectors_text(row, "delta"), vectors_text(row, "eps_cks"));
        sc_ratio_clear(&order);
        sc_curve_clear(&curve);
    }
}

/* delta at epsilon and epsilon at delta are two readings of one line. */
TEST(conversion_forwards_and_backwards)
{
    static const char *const rhos[] = {"1e-30", "1e-9", "1/1000", "1/2", "20"};
    static const char *const deltas[] = {"1e-40", "1e-6", "1/10"};
    for (size_t i = 0; i < sizeof rhos / sizeof *rhos; i++)
        for (size_t j = 0; j < sizeof deltas / sizeof *deltas; j++) {
            sc_curve curve;
            sc_ratio target, epsilon;
            sc_ball log_delta, value, rho, wanted;
            sc_ball_init(&log_delta);
            sc_ball_init(&value);
            sc_ball_init(&rho);
            sc_ball_init(&wanted);
            exact_ratio(deltas[j], &target);
            sc_ratio_init(&epsilon);
            curves_of(sc_curve_set_concentrated, rhos[i], &curve);
            sc_ball_set_ratio(&log_delta, &target, EXACT_BITS);
            sc_ball_log(&log_delta, &log_delta, EXACT_BITS);
            CHECK(sc_renyi_epsilon(&curve, &log_delta, EXACT_BITS, &value));
            CHECK(sc_ball_round_up(&value, 200, &epsilon));
            if (sc_ratio_sign(&epsilon) > 0) {
                CHECK(sc_renyi_log_delta(&curve, &epsilon, EXACT_BITS, &value));
                CHECK_NEAR(sc_ball_upper(&value), sc_ball_upper(&log_delta), 1e-12);
                CHECK(sc_renyi_rho(&epsilon, &log_delta, EXACT_BITS, &rho));
                sc_ball_set_ratio(&wanted, &curve.epsilon, EXACT_BITS);
                CHECK_NEAR(sc_ball_upper(&rho), sc_ball_upper(&wanted), 1e-12);
            }
            sc_curve_clear(&curve);
            sc_ratio_clear(&epsilon);
            sc_ratio_clear(&target);
            sc_ball_clear(&wanted);
            sc_ball_clear(&rho);
            sc_ball_clear(&value);
            sc_ball_clear(&log_delta);
        }
}

/* The rho for an (epsilon, delta): larger than what the plain conversion allows. */
TEST(conversion_finds_a_larger_rho_than_the_plain_one)
{
    json_t *rows = json_object_get(vectors_load("local-and-accounting", "zcdp_misc"),
                                   "rho_for_target"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 1);
    json_array_foreach(rows, index, row)
    {
        sc_ratio epsilon;
        sc_ball log_delta, rho, plain;
        exact_ratio(vectors_text(row, "eps"), &epsilon);
        sc_ball_init(&log_delta);
        sc_ball_init(&rho);
        sc_ball_init(&plain);
        CHECK(ball_set_text(&log_delta, vectors_text(row, "delta"), EXACT_BITS));
        sc_ball_log(&log_delta, &log_delta, EXACT_BITS);
        CHECK(sc_renyi_rho(&epsilon, &log_delta, EXACT_BITS, &rho));
        CHECK(ball_set_text(&plain, vectors_text(row, "rho_8_13"), EXACT_BITS));
        CHECK(sc_ball_is_less(&plain, &rho));
        CHECK(sc_ball_upper(&rho) < 2 * sc_ball_lower(&plain));
        sc_ball_clear(&plain);
        sc_ball_clear(&rho);
        sc_ball_clear(&log_delta);
        sc_ratio_clear(&epsilon);
    }
}

TEST(conversion_of_nothing_finds_nothing)
{
    sc_curve curve;
    sc_ratio one, zero;
    sc_ball value;
    exact_ratio("1", &one);
    exact_ratio("0", &zero);
    sc_ball_init(&value);
    sc_curve_init(&curve);
    curve.functions = &one_order; /* its order is 0: no order is known */
    CHECK(!sc_renyi_log_delta(&curve, &one, EXACT_BITS, &value));
    sc_ball_set_int64(&value, -5);
    CHECK(!sc_renyi_epsilon(&curve, &value, EXACT_BITS, &value));
    curves_delta(&curve, "1", &value);
    CHECK(sc_ball_lower(&value) == 1.0);
    sc_curve_clear(&curve);
    sc_ball_clear(&value);
    sc_ratio_clear(&zero);
    sc_ratio_clear(&one);
}

/* Not below the distance of two Gaussians, erf(d / (2 sqrt 2)) at rho = d^2 / 2, and at most sqrt(rho / 2). */
TEST(conversion_of_a_rho_to_a_distance)
{
    CLAIM("conversion.distance");
    static const char *const rhos[] = {"0", "1e-9", "0.187642", "1", "4", "1000"};
    sc_curve curve;
    sc_curve_init(&curve);
    SC_OWN(sc_ratio, rho);
    SC_OWN(sc_ball, distance);
    for (size_t i = 0; i < COUNT(rhos); i++) {
        REQUIRE_OK(sc_ratio_parse(sc_text_of(rhos[i]), &rho, NULL));
        const double at = sc_ratio_upper(&rho);
        sc_curve_set_concentrated(&curve, &rho);
        CHECK(sc_renyi_distance(&curve, 128, &distance));
        const double got = sc_ball_upper(&distance);
        CHECK(got >= erf(sqrt(2 * at) / sqrt(8)) - 1e-12);
        CHECK(got <= sqrt(at / 2) * (1 + 1e-4) && got <= 1 + 1e-12);
    }
    sc_curve_clear(&curve);
}
