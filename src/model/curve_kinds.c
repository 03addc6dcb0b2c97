#include "model/copies.h"
#include "model/curve.h"
#include "model/renyi_conversion.h"
#include "model/vector_loss.h"
#include "sampling/law.h"

/* The delta of randomised response of epsilon e0 at e: (exp(e0) - exp(e)) / (1 + exp(e0)), written
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

static const sc_curve_functions pure = {
    .name = "pure",
    .delta = pure_delta,
    .renyi = pure_renyi,
    .pair = SC_CURVE_PAIR_PURE,
};

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

static const sc_curve_functions bounded_range = {
    .name = "bounded-range",
    .delta = pure_delta,
    .renyi = bounded_range_renyi,
    .pair = SC_CURVE_PAIR_PURE,
};

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

static const sc_curve_functions approximate = {
    .name = "approximate",
    .delta = approximate_delta,
    .pair = SC_CURVE_PAIR_APPROXIMATE,
};

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

bool sc_rho_implies(const sc_ratio *rho, const sc_ratio *epsilon, const sc_ratio *delta)
{
    const long bits = 256;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ball, got, most);
    sc_curve_set_concentrated(&curve, rho);
    sc_curve_delta_upper(&curve, epsilon, bits, &got);
    sc_ball_set_ratio(&most, delta, bits);
    return sc_ball_is_finite(&got) && sc_ball_is_less_equal(&got, &most);
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

/* The shift as a rational. */
static void shift_of(const sc_curve *curve, sc_ratio *out)
{
    sc_ratio_set_int128(out, (sc_int128)curve->count);
}

static sc_int128 floor_of(const sc_ratio *x)
{
    sc_int128 value = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(x, &whole);
    /* Shifts are below 2^62 and scales below 2^60: what does not fit lies beyond every tail. */
    if (!sc_integer_get_int128(&whole, &value))
        value = (sc_int128)sc_integer_sign(&whole) * ((sc_int128)1 << 119);
    return value;
}

/* out = first - exp(epsilon) second. */
static void less_exp(sc_ball *first, sc_ball *second, const sc_ratio *epsilon, long bits,
                     sc_ball *out)
{
    sc_ball_set_ratio(out, epsilon, bits);
    sc_ball_exp(out, out, bits);
    sc_ball_mul(second, second, out, bits);
    sc_ball_sub(out, first, second, bits);
}

/* F(x) - exp(e) F(x - D) at x = floor((D - e scale) / 2); 0 from D/scale on. */
static void laplace_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                          sc_ball *out)
{
    SC_OWN(sc_ratio, edge, shift, half);
    shift_of(curve, &shift);
    sc_ratio_mul(&edge, epsilon, &curve->shape);
    sc_ratio_sub(&edge, &shift, &edge);
    if (sc_ratio_sign(&edge) <= 0) {
        sc_ball_set_int64(out, 0);
    } else {
        sc_law law;
        sc_ratio_set_int64(&half, 2);
        sc_ratio_div(&edge, &edge, &half);
        sc_int128 x = floor_of(&edge);
        sc_law_init(&law, &sc_discrete_laplace_law, &curve->shape, 0);
        SC_OWN(sc_ball, first, second);
        sc_law_at_most(&law, x, bits, &first);
        sc_law_at_most(&law, x - (sc_int128)curve->count, bits, &second);
        less_exp(&first, &second, epsilon, bits, out);
        sc_law_clear(&law);
    }
}

/* exp(-x w) for rationals x and w. */
static void exp_minus(const sc_ratio *x, const sc_ratio *w, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, product);
    sc_ratio_mul(&product, x, w);
    sc_ball_set_ratio(out, &product, bits);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, bits);
}

/* out = 1 - exp(-x w). */
static void gap_to_one(const sc_ratio *x, const sc_ratio *w, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, product);
    sc_ratio_mul(&product, x, w);
    sc_ball_set_ratio(out, &product, bits);
    sc_ball_neg(out, out);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
}

/* With x = exp(-w), w = 1/scale, and y = x^(2 order - 1):
 * D w + ln( (1-x)/(1+x) [ (1 + y^D)/(1-x) + y (1 - y^(D-1))/(1-y) ] ) / (order - 1). */
static void laplace_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                          sc_ball *out)
{
    sc_ratio w, twice, less, shift, one, far;
    sc_ratio *const numbers[] = {&w, &twice, &less, &shift, &one, &far};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sc_ratio_init(numbers[i]);
    SC_OWN(sc_ball, gap_x, gap_y, sum, part);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_div(&w, &one, &curve->shape);
    sc_renyi_less_one(order, &less);
    sc_ratio_add(&twice, &less, order);
    shift_of(curve, &shift);
    gap_to_one(&one, &w, bits, &gap_x);
    gap_to_one(&twice, &w, bits, &gap_y);
    /* (1 + y^D) / (1 - x) */
    sc_ratio_mul(&far, &twice, &shift);
    exp_minus(&far, &w, bits, &sum);
    sc_ball_add_int64(&sum, &sum, 1, bits);
    sc_ball_div(&sum, &sum, &gap_x, bits);
    /* y (1 - y^(D-1)) / (1 - y) */
    sc_ratio_sub(&far, &shift, &one);
    sc_ratio_mul(&far, &far, &twice);
    gap_to_one(&far, &w, bits, &part);
    exp_minus(&twice, &w, bits, out);
    sc_ball_mul(&part, &part, out, bits);
    sc_ball_div(&part, &part, &gap_y, bits);
    sc_ball_add(&sum, &sum, &part, bits);
    /* (1 - x) / (1 + x) = gap / (2 - gap) */
    sc_ball_mul(&sum, &sum, &gap_x, bits);
    sc_ball_neg(&part, &gap_x);
    sc_ball_add_int64(&part, &part, 2, bits);
    sc_ball_div(&sum, &sum, &part, bits);
    sc_ball_log(&sum, &sum, bits);
    sc_ball_set_ratio(&part, &less, bits);
    sc_ball_div(&sum, &sum, &part, bits);
    sc_ratio_mul(&far, &shift, &w);
    sc_ball_set_ratio(out, &far, bits);
    sc_ball_add(out, out, &sum, bits);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sc_ratio_clear(numbers[i]);
}

static const sc_curve_functions laplace = {
    .name = "laplace",
    .delta = laplace_delta,
    .renyi = laplace_renyi,
    .pair = SC_CURVE_PAIR_LAPLACE,
};

void sc_curve_set_laplace(sc_curve *curve, const sc_ratio *scale, uint64_t shift)
{
    curve->functions = &laplace;
    sc_ratio_set(&curve->shape, scale);
    curve->count = shift;
}

/* P(Y > e v/D - D/2) - exp(e) P(Y > e v/D + D/2), strictly above rational thresholds. */
static void gaussian_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                           sc_ball *out)
{
    sc_law law;
    SC_OWN(sc_ratio, centre, shift, half);
    SC_OWN(sc_ball, first, second);
    sc_law_init(&law, &sc_discrete_gaussian_law, &curve->shape, 0);
    shift_of(curve, &shift);
    sc_ratio_mul(&centre, epsilon, &curve->shape);
    sc_ratio_div(&centre, &centre, &shift);
    sc_ratio_set_int64(&half, 2);
    sc_ratio_div(&half, &shift, &half);
    sc_ratio_sub(&centre, &centre, &half);
    sc_int128 low = floor_of(&centre) + 1;
    sc_law_at_least(&law, low, bits, &first);
    sc_law_at_least(&law, low + (sc_int128)curve->count, bits, &second);
    less_exp(&first, &second, epsilon, bits, out);
    sc_law_clear(&law);
}

/* order D^2 / (2 v). */
static void gaussian_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                           sc_ball *out)
{
    SC_OWN(sc_ratio, line, twice);
    shift_of(curve, &line);
    sc_ratio_mul(&line, &line, &line);
    sc_ratio_mul(&line, &line, order);
    sc_ratio_add(&twice, &curve->shape, &curve->shape);
    sc_ratio_div(&line, &line, &twice);
    sc_ball_set_ratio(out, &line, bits);
}

static const sc_curve_functions gaussian = {
    .name = "gaussian",
    .delta = gaussian_delta,
    .renyi = gaussian_renyi,
    .pair = SC_CURVE_PAIR_GAUSSIAN,
};

void sc_curve_set_gaussian(sc_curve *curve, const sc_ratio *variance, uint64_t shift)
{
    curve->functions = &gaussian;
    sc_ratio_set(&curve->shape, variance);
    curve->count = shift;
}

static void delta_of(const sc_curve *curve, uint64_t copies, const sc_ratio *epsilon,
                     long bits, sc_ball *out)
{
    sc_shifted_loss loss;
    sc_shifted_loss_init(&loss, &curve->shape, curve->count, bits + 32);
    sc_shifted_loss_delta(&loss, &curve->shape, copies, epsilon, bits + 32, out);
    sc_shifted_loss_clear(&loss);
}

static void once(const sc_curve *curve, const sc_ratio *epsilon, long bits, sc_ball *out)
{
    delta_of(curve, 1, epsilon, bits, out);
}

static void twice(const sc_curve *curve, const sc_ratio *epsilon, long bits, sc_ball *out)
{
    delta_of(curve, 2, epsilon, bits, out);
}

/* Some of it has an infinite loss, so that no Renyi divergence is finite. */
static const sc_curve_functions shifted = {
    .name = "shifted-laplace",
    .delta = once,
    .pair = SC_CURVE_PAIR_SHIFTED,
};
static const sc_curve_functions shifted_twice = {
    .name = "shifted-laplace-twice",
    .delta = twice,
    .pair = SC_CURVE_PAIR_SHIFTED_TWICE,
};

void sc_curve_set_shifted(sc_curve *curve, const sc_ratio *epsilon, uint64_t q,
                          bool is_twice)
{
    curve->functions = is_twice ? &shifted_twice : &shifted;
    sc_ratio_set(&curve->shape, epsilon);
    curve->count = q;
}
