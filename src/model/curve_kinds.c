#include "model/copies.h"
#include "model/curve.h"
#include "model/renyi_conversion.h"

/* What randomised response of epsilon e0 has at e: (exp(e0) - exp(e)) / (1 + exp(e0)), written
 * so that nothing cancels; 0 from e0 on. */
static void pure_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                       sc_ball *out)
{
    if (sc_ratio_compare(epsilon, &curve->epsilon) >= 0) {
        sc_ball_set_int64(out, 0);
        return;
    }
    SC_OWN(sc_ratio, gap);
    SC_OWN(sc_ball, below);
    sc_ratio_sub(&gap, epsilon, &curve->epsilon);
    sc_ball_set_ratio(out, &gap, bits);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
    sc_ball_set_ratio(&below, &curve->epsilon, bits);
    sc_ball_neg(&below, &below);
    sc_ball_exp(&below, &below, bits);
    sc_ball_add_int64(&below, &below, 1, bits);
    sc_ball_div(out, out, &below, bits);
}

/* log(1 + exp(-factor epsilon)). */
static void softplus_of_minus(const sc_ratio *factor, const sc_ratio *epsilon, long bits,
                              sc_ball *out)
{
    SC_OWN(sc_ratio, exponent);
    sc_ratio_mul(&exponent, factor, epsilon);
    sc_ball_set_ratio(out, &exponent, bits);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, bits);
    sc_ball_log1p(out, out, bits);
}

/* [ln cosh((order - 1/2) e) - ln cosh(e/2)] / (order - 1), by ln cosh t = t - ln 2 +
 * log1p(exp(-2t)). */
static void pure_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                       sc_ball *out)
{
    SC_OWN(sc_ratio, less, twice, one);
    SC_OWN(sc_ball, part);
    sc_ratio_set_int64(&one, 1);
    sc_renyi_less_one(order, &less);
    sc_ratio_add(&twice, &less, order);
    softplus_of_minus(&twice, &curve->epsilon, bits, out);
    softplus_of_minus(&one, &curve->epsilon, bits, &part);
    sc_ball_sub(out, out, &part, bits);
    sc_ball_set_ratio(&part, &less, bits);
    sc_ball_div(out, out, &part, bits);
    sc_ball_set_ratio(&part, &curve->epsilon, bits);
    sc_ball_add(out, out, &part, bits);
}

static const sc_curve_functions pure = {"pure", pure_delta, pure_renyi,
                                        SC_CURVE_PAIR_PURE};

void sc_curve_set_pure(sc_curve *curve, const sc_ratio *epsilon)
{
    curve->functions = &pure;
    sc_ratio_set(&curve->epsilon, epsilon);
}

/* order epsilon^2 / 8 where that is smaller. */
static void bounded_range_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                                sc_ball *out)
{
    SC_OWN(sc_ratio, line, eight);
    SC_OWN(sc_ball, other);
    pure_renyi(curve, order, bits, out);
    sc_ratio_set_int64(&eight, 8);
    sc_ratio_mul(&line, &curve->epsilon, &curve->epsilon);
    sc_ratio_mul(&line, &line, order);
    sc_ratio_div(&line, &line, &eight);
    sc_ball_set_ratio(&other, &line, bits);
    sc_ball_take_smaller(out, &other);
}

static const sc_curve_functions bounded_range = {"bounded-range", pure_delta,
                                                 bounded_range_renyi, SC_CURVE_PAIR_PURE};

void sc_curve_set_bounded_range(sc_curve *curve, const sc_ratio *epsilon)
{
    curve->functions = &bounded_range;
    sc_ratio_set(&curve->epsilon, epsilon);
}

/* delta + (1 - delta) times the pure one. */
static void approximate_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                              sc_ball *out)
{
    SC_OWN(sc_ball, delta, rest);
    pure_delta(curve, epsilon, bits, out);
    sc_ball_set_ratio(&delta, &curve->delta, bits);
    sc_ball_neg(&rest, &delta);
    sc_ball_add_int64(&rest, &rest, 1, bits);
    sc_ball_mul(out, out, &rest, bits);
    sc_ball_add(out, out, &delta, bits);
}

static const sc_curve_functions approximate = {"approximate", approximate_delta, NULL,
                                               SC_CURVE_PAIR_APPROXIMATE};

void sc_curve_set_approximate(sc_curve *curve, const sc_ratio *epsilon,
                              const sc_ratio *delta)
{
    if (sc_ratio_sign(delta) == 0) {
        sc_curve_set_pure(curve, epsilon);
        return;
    }
    curve->functions = &approximate;
    sc_ratio_set(&curve->epsilon, epsilon);
    sc_ratio_set(&curve->delta, delta);
}

static void concentrated_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                               sc_ball *out)
{
    SC_OWN(sc_ratio, line);
    sc_ratio_mul(&line, &curve->epsilon, order);
    sc_ratio_add(&line, &line, &curve->shape);
    sc_ball_set_ratio(out, &line, bits);
}

static const sc_curve_functions concentrated = {.name = "concentrated",
                                                .renyi = concentrated_renyi};

void sc_curve_set_concentrated(sc_curve *curve, const sc_ratio *rho)
{
    curve->functions = &concentrated;
    sc_ratio_set(&curve->epsilon, rho);
    sc_ratio_set_int64(&curve->shape, 0);
}

void sc_curve_set_line(sc_curve *curve, const sc_ratio *xi, const sc_ratio *rho)
{
    sc_curve_set_concentrated(curve, rho);
    sc_ratio_set(&curve->shape, xi);
}

/* Copies of one epsilon. */

static void composed_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                           sc_ball *out)
{
    if (!sc_copies_delta(&curve->epsilon, curve->count, epsilon, bits, out))
        sc_ball_set_int64(out, 1);
}

static void composed_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                           sc_ball *out)
{
    pure_renyi(curve, order, bits, out);
    sc_ball_mul_int64(out, out, (int64_t)curve->count, bits);
}

static const sc_curve_functions composed = {
    .name = "composed", .delta = composed_delta, .renyi = composed_renyi};

void sc_curve_set_composed(sc_curve *curve, const sc_ratio *epsilon, uint64_t count)
{
    curve->functions = &composed;
    sc_ratio_set(&curve->epsilon, epsilon);
    curve->count = count;
}
