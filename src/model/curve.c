#include "model/curve.h"

#include "sampling/law.h"

void sc_curve_init(sc_curve *curve)
{
    *curve = (sc_curve){0};
    sc_ratio_init(&curve->epsilon);
    sc_ratio_init(&curve->delta);
    sc_ratio_init(&curve->shape);
}

void sc_curve_clear(sc_curve *curve)
{
    sc_ratio_clear(&curve->epsilon);
    sc_ratio_clear(&curve->delta);
    sc_ratio_clear(&curve->shape);
}

static void set_infinite(sc_ball *out)
{
    sc_ball zero;
    sc_ball_init(&zero);
    sc_ball_set_int64(out, 1);
    sc_ball_div(out, out, &zero, 64);
    sc_ball_clear(&zero);
}

/* out = min(out, other) as upper bounds: whichever is certainly the smaller. */
static void take_smaller(sc_ball *out, const sc_ball *other)
{
    if (!sc_ball_is_finite(out) || sc_ball_is_less(other, out))
        sc_ball_set(out, other);
}

/* What randomised response of epsilon e0 has at e: (exp(e0) - exp(e)) / (1 + exp(e0)), written
 * so that nothing cancels; 0 from e0 on. */
static void pure_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                       sc_ball *out)
{
    if (sc_ratio_compare(epsilon, &curve->epsilon) >= 0) {
        sc_ball_set_int64(out, 0);
        return;
    }
    sc_ratio gap;
    sc_ball below;
    sc_ratio_init(&gap);
    sc_ball_init(&below);
    sc_ratio_sub(&gap, epsilon, &curve->epsilon);
    sc_ball_set_ratio(out, &gap, bits);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
    sc_ball_set_ratio(&below, &curve->epsilon, bits);
    sc_ball_neg(&below, &below);
    sc_ball_exp(&below, &below, bits);
    sc_ball_add_int64(&below, &below, 1, bits);
    sc_ball_div(out, out, &below, bits);
    sc_ball_clear(&below);
    sc_ratio_clear(&gap);
}

/* log(1 + exp(-factor epsilon)). */
static void softplus_of_minus(const sc_ratio *factor, const sc_ratio *epsilon, long bits,
                              sc_ball *out)
{
    sc_ratio exponent;
    sc_ratio_init(&exponent);
    sc_ratio_mul(&exponent, factor, epsilon);
    sc_ball_set_ratio(out, &exponent, bits);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, bits);
    sc_ball_log1p(out, out, bits);
    sc_ratio_clear(&exponent);
}

/* 2 order - 1 and order - 1. */
static void order_parts(const sc_ratio *order, sc_ratio *twice_less, sc_ratio *less)
{
    sc_ratio one;
    sc_ratio_init(&one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(less, order, &one);
    sc_ratio_add(twice_less, less, order);
    sc_ratio_clear(&one);
}

/* [ln cosh((order - 1/2) e) - ln cosh(e/2)] / (order - 1), by ln cosh t = t - ln 2 +
 * log1p(exp(-2t)). */
static void pure_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                       sc_ball *out)
{
    sc_ratio less, twice, one;
    sc_ball part;
    sc_ratio_init(&less);
    sc_ratio_init(&twice);
    sc_ratio_init(&one);
    sc_ball_init(&part);
    sc_ratio_set_int64(&one, 1);
    order_parts(order, &twice, &less);
    softplus_of_minus(&twice, &curve->epsilon, bits, out);
    softplus_of_minus(&one, &curve->epsilon, bits, &part);
    sc_ball_sub(out, out, &part, bits);
    sc_ball_set_ratio(&part, &less, bits);
    sc_ball_div(out, out, &part, bits);
    sc_ball_set_ratio(&part, &curve->epsilon, bits);
    sc_ball_add(out, out, &part, bits);
    sc_ball_clear(&part);
    sc_ratio_clear(&one);
    sc_ratio_clear(&twice);
    sc_ratio_clear(&less);
}

static const sc_curve_functions pure = {"pure", pure_delta, pure_renyi};

void sc_curve_set_pure(sc_curve *curve, const sc_ratio *epsilon)
{
    curve->functions = &pure;
    sc_ratio_set(&curve->epsilon, epsilon);
}

/* order epsilon^2 / 8 where that is smaller. */
static void bounded_range_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                                sc_ball *out)
{
    sc_ratio line, eight;
    sc_ball other;
    sc_ratio_init(&line);
    sc_ratio_init(&eight);
    sc_ball_init(&other);
    pure_renyi(curve, order, bits, out);
    sc_ratio_set_int64(&eight, 8);
    sc_ratio_mul(&line, &curve->epsilon, &curve->epsilon);
    sc_ratio_mul(&line, &line, order);
    sc_ratio_div(&line, &line, &eight);
    sc_ball_set_ratio(&other, &line, bits);
    take_smaller(out, &other);
    sc_ball_clear(&other);
    sc_ratio_clear(&eight);
    sc_ratio_clear(&line);
}

static const sc_curve_functions bounded_range = {"bounded-range", pure_delta,
                                                 bounded_range_renyi};

void sc_curve_set_bounded_range(sc_curve *curve, const sc_ratio *epsilon)
{
    curve->functions = &bounded_range;
    sc_ratio_set(&curve->epsilon, epsilon);
}

/* delta + (1 - delta) times the pure one. */
static void approximate_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                              sc_ball *out)
{
    sc_ball delta, rest;
    sc_ball_init(&delta);
    sc_ball_init(&rest);
    pure_delta(curve, epsilon, bits, out);
    sc_ball_set_ratio(&delta, &curve->delta, bits);
    sc_ball_neg(&rest, &delta);
    sc_ball_add_int64(&rest, &rest, 1, bits);
    sc_ball_mul(out, out, &rest, bits);
    sc_ball_add(out, out, &delta, bits);
    sc_ball_clear(&rest);
    sc_ball_clear(&delta);
}

static const sc_curve_functions approximate = {"approximate", approximate_delta, NULL};

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
    sc_ratio line;
    sc_ratio_init(&line);
    sc_ratio_mul(&line, &curve->epsilon, order);
    sc_ball_set_ratio(out, &line, bits);
    sc_ratio_clear(&line);
}

static const sc_curve_functions concentrated = {"concentrated", NULL, concentrated_renyi};

void sc_curve_set_concentrated(sc_curve *curve, const sc_ratio *rho)
{
    curve->functions = &concentrated;
    sc_ratio_set(&curve->epsilon, rho);
}

/* Copies of one epsilon. With l of count losses negative the sum is (count - 2l) epsilon; the
 * terms below are its binomial probability times 1 - exp(e - sum), summed where that is
 * positive (spec/mechanisms.md 8.3). */

/* (count - 2 l) epsilon, less e. */
static void loss_above(const sc_curve *curve, uint64_t l, const sc_ratio *e,
                       sc_ratio *out)
{
    sc_integer net;
    sc_integer_init(&net);
    sc_integer one;
    sc_integer_init(&one);
    sc_integer_set_int128(&one, 1);
    sc_integer_set_int128(&net, (sc_int128)curve->count - 2 * (sc_int128)l);
    sc_ratio_set_fraction(out, &net, &one);
    sc_ratio_mul(out, out, &curve->epsilon);
    sc_ratio_sub(out, out, e);
    sc_integer_clear(&one);
    sc_integer_clear(&net);
}

static void composed_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                           sc_ball *out)
{
    sc_ratio above;
    sc_ball mass, step, term;
    sc_ratio_init(&above);
    sc_ball_init(&mass);
    sc_ball_init(&step);
    sc_ball_init(&term);
    sc_ball_set_ratio(&step, &curve->epsilon, bits);
    sc_ball_neg(&step, &step);
    sc_ball_exp(&step, &step, bits);
    sc_ball_add_int64(&mass, &step, 1, bits);
    sc_ball_power(&mass, &mass, curve->count, bits);
    sc_ball_set_int64(&term, 1);
    sc_ball_div(&mass, &term, &mass, bits); /* the probability of l = 0 */
    sc_ball_set_int64(out, 0);
    for (uint64_t l = 0; l <= curve->count; l++) {
        loss_above(curve, l, epsilon, &above);
        if (sc_ratio_sign(&above) <= 0)
            break;
        sc_ball_set_ratio(&term, &above, bits);
        sc_ball_neg(&term, &term);
        sc_ball_expm1(&term, &term, bits);
        sc_ball_neg(&term, &term);
        sc_ball_mul(&term, &term, &mass, bits);
        sc_ball_add(out, out, &term, bits);
        sc_ball_mul(&mass, &mass, &step, bits);
        sc_ball_mul_int64(&mass, &mass, (int64_t)(curve->count - l), bits);
        sc_ball_set_int64(&term, (int64_t)(l + 1));
        sc_ball_div(&mass, &mass, &term, bits);
    }
    sc_ball_clear(&term);
    sc_ball_clear(&step);
    sc_ball_clear(&mass);
    sc_ratio_clear(&above);
}

static void composed_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                           sc_ball *out)
{
    pure_renyi(curve, order, bits, out);
    sc_ball_mul_int64(out, out, (int64_t)curve->count, bits);
}

static const sc_curve_functions composed = {"composed", composed_delta, composed_renyi};

void sc_curve_set_composed(sc_curve *curve, const sc_ratio *epsilon, uint64_t count)
{
    curve->functions = &composed;
    sc_ratio_set(&curve->epsilon, epsilon);
    curve->count = count;
}

/* Noise: the shift as a rational. */
static void shift_of(const sc_curve *curve, sc_ratio *out)
{
    sc_integer whole, one;
    sc_integer_init(&whole);
    sc_integer_init(&one);
    sc_integer_set_uint128(&whole, curve->count);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_fraction(out, &whole, &one);
    sc_integer_clear(&one);
    sc_integer_clear(&whole);
}

static sc_int128 floor_of(const sc_ratio *x)
{
    sc_integer whole;
    sc_int128 value = 0;
    sc_integer_init(&whole);
    sc_ratio_floor(x, &whole);
    /* Shifts are below 2^62 and scales below 2^60: what does not fit lies beyond every tail. */
    if (!sc_integer_get_int128(&whole, &value))
        value = (sc_int128)sc_integer_sign(&whole) * ((sc_int128)1 << 119);
    sc_integer_clear(&whole);
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
    sc_ratio edge, shift, half;
    sc_ratio_init(&edge);
    sc_ratio_init(&shift);
    sc_ratio_init(&half);
    shift_of(curve, &shift);
    sc_ratio_mul(&edge, epsilon, &curve->shape);
    sc_ratio_sub(&edge, &shift, &edge);
    if (sc_ratio_sign(&edge) <= 0) {
        sc_ball_set_int64(out, 0);
    } else {
        sc_law law;
        sc_ball first, second;
        sc_ratio_set_int64(&half, 2);
        sc_ratio_div(&edge, &edge, &half);
        sc_int128 x = floor_of(&edge);
        sc_law_init(&law, &sc_discrete_laplace_law, &curve->shape, 0);
        sc_ball_init(&first);
        sc_ball_init(&second);
        sc_law_at_most(&law, x, bits, &first);
        sc_law_at_most(&law, x - (sc_int128)curve->count, bits, &second);
        less_exp(&first, &second, epsilon, bits, out);
        sc_ball_clear(&second);
        sc_ball_clear(&first);
        sc_law_clear(&law);
    }
    sc_ratio_clear(&half);
    sc_ratio_clear(&shift);
    sc_ratio_clear(&edge);
}

/* exp(-x w) for rationals x and w. */
static void exp_minus(const sc_ratio *x, const sc_ratio *w, long bits, sc_ball *out)
{
    sc_ratio product;
    sc_ratio_init(&product);
    sc_ratio_mul(&product, x, w);
    sc_ball_set_ratio(out, &product, bits);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, bits);
    sc_ratio_clear(&product);
}

/* out = 1 - exp(-x w). */
static void gap_to_one(const sc_ratio *x, const sc_ratio *w, long bits, sc_ball *out)
{
    sc_ratio product;
    sc_ratio_init(&product);
    sc_ratio_mul(&product, x, w);
    sc_ball_set_ratio(out, &product, bits);
    sc_ball_neg(out, out);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
    sc_ratio_clear(&product);
}

/* With x = exp(-w), w = 1/scale, and y = x^(2 order - 1):
 * D w + ln( (1-x)/(1+x) [ (1 + y^D)/(1-x) + y (1 - y^(D-1))/(1-y) ] ) / (order - 1). */
static void laplace_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                          sc_ball *out)
{
    sc_ratio w, twice, less, shift, one, far;
    sc_ratio *const numbers[] = {&w, &twice, &less, &shift, &one, &far};
    sc_ball gap_x, gap_y, sum, part;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sc_ratio_init(numbers[i]);
    sc_ball_init(&gap_x);
    sc_ball_init(&gap_y);
    sc_ball_init(&sum);
    sc_ball_init(&part);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_div(&w, &one, &curve->shape);
    order_parts(order, &twice, &less);
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
    sc_ball_clear(&part);
    sc_ball_clear(&sum);
    sc_ball_clear(&gap_y);
    sc_ball_clear(&gap_x);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sc_ratio_clear(numbers[i]);
}

static const sc_curve_functions laplace = {"laplace", laplace_delta, laplace_renyi};

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
    sc_ratio centre, shift, half;
    sc_law law;
    sc_ball first, second;
    sc_ratio_init(&centre);
    sc_ratio_init(&shift);
    sc_ratio_init(&half);
    sc_ball_init(&first);
    sc_ball_init(&second);
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
    sc_ball_clear(&second);
    sc_ball_clear(&first);
    sc_ratio_clear(&half);
    sc_ratio_clear(&shift);
    sc_ratio_clear(&centre);
}

/* order D^2 / (2 v). */
static void gaussian_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                           sc_ball *out)
{
    sc_ratio line, twice;
    sc_ratio_init(&line);
    sc_ratio_init(&twice);
    shift_of(curve, &line);
    sc_ratio_mul(&line, &line, &line);
    sc_ratio_mul(&line, &line, order);
    sc_ratio_add(&twice, &curve->shape, &curve->shape);
    sc_ratio_div(&line, &line, &twice);
    sc_ball_set_ratio(out, &line, bits);
    sc_ratio_clear(&twice);
    sc_ratio_clear(&line);
}

static const sc_curve_functions gaussian = {"gaussian", gaussian_delta, gaussian_renyi};

void sc_curve_set_gaussian(sc_curve *curve, const sc_ratio *variance, uint64_t shift)
{
    curve->functions = &gaussian;
    sc_ratio_set(&curve->shape, variance);
    curve->count = shift;
}

/* From Renyi divergences to (epsilon, delta). Any order is sound, so the search for a good one
 * needs no proof (spec/local-and-accounting.md 5). */

/* What an order gives: ln delta at an epsilon, or epsilon at a ln delta. */
typedef struct conversion {
    const sc_curve *curve;
    const sc_ratio *epsilon; /* or NULL */
    const sc_ball *log_delta;
    long bits;
} conversion;

/* With r the divergence and a the order:
 *     ln delta = (a-1)(r - epsilon) - ln(a-1) + a ln(1 - 1/a)
 *     epsilon  = r + ln(1 - 1/a) - (ln delta + ln a)/(a-1) */
static void convert(const conversion *c, const sc_ratio *order, sc_ball *out)
{
    sc_ratio less, twice;
    sc_ball a, a_less, log_a, log_kept, value;
    sc_ball *const balls[] = {&a, &a_less, &log_a, &log_kept, &value};
    sc_ratio_init(&less);
    sc_ratio_init(&twice);
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++)
        sc_ball_init(balls[i]);
    order_parts(order, &twice, &less);
    sc_ball_set_ratio(&a, order, c->bits);
    sc_ball_set_ratio(&a_less, &less, c->bits);
    sc_ball_log(&log_a, &a, c->bits);
    sc_ball_log(&value, &a_less, c->bits);
    sc_ball_sub(&log_kept, &value, &log_a, c->bits);
    c->curve->functions->renyi(c->curve, order, c->bits, out);
    if (c->epsilon != NULL) {
        sc_ball_set_ratio(&log_a, c->epsilon, c->bits);
        sc_ball_sub(out, out, &log_a, c->bits);
        sc_ball_mul(out, out, &a_less, c->bits);
        sc_ball_sub(out, out, &value, c->bits);
        sc_ball_mul(&log_kept, &log_kept, &a, c->bits);
        sc_ball_add(out, out, &log_kept, c->bits);
    } else {
        sc_ball_add(out, out, &log_kept, c->bits);
        sc_ball_add(&value, c->log_delta, &log_a, c->bits);
        sc_ball_div(&value, &value, &a_less, c->bits);
        sc_ball_sub(out, out, &value, c->bits);
    }
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++)
        sc_ball_clear(balls[i]);
    sc_ratio_clear(&twice);
    sc_ratio_clear(&less);
}

#define ORDER_FINE 64 /* orders to a doubling of order - 1, in the finest pass */

/* 1 + 2^k (1 + m / ORDER_FINE) for position k ORDER_FINE + m. */
static void order_at(int64_t position, sc_ratio *out)
{
    int64_t k = position / ORDER_FINE, m = position % ORDER_FINE;
    if (m < 0) {
        m += ORDER_FINE;
        k--;
    }
    sc_integer n, d;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_set_int128(&n, ORDER_FINE + m);
    sc_integer_set_int128(&d, ORDER_FINE);
    if (k > 0)
        sc_integer_shift_left(&n, &n, (unsigned)k);
    else
        sc_integer_shift_left(&d, &d, (unsigned)-k);
    sc_integer_add(&n, &n, &d);
    sc_ratio_set_fraction(out, &n, &d);
    sc_integer_clear(&d);
    sc_integer_clear(&n);
}

/* The smallest value over orders from 1 + 2^-14 to 1 + 2^21, coarse first. */
static void best_order(const conversion *c, sc_ball *out)
{
    sc_ratio order;
    sc_ball value;
    int64_t low = (int64_t)-14 * ORDER_FINE, high = (int64_t)21 * ORDER_FINE, best = low;
    sc_ratio_init(&order);
    sc_ball_init(&value);
    set_infinite(out);
    for (int64_t step = ORDER_FINE; step > 0; step /= 8) {
        for (int64_t at = low; at <= high; at += step) {
            order_at(at, &order);
            convert(c, &order, &value);
            if (!sc_ball_is_finite(&value))
                continue;
            if (!sc_ball_is_finite(out) || sc_ball_is_less(&value, out)) {
                sc_ball_set(out, &value);
                best = at;
            }
        }
        low = best - step;
        high = best + step;
    }
    sc_ball_clear(&value);
    sc_ratio_clear(&order);
}

void sc_curve_delta_upper(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                          sc_ball *out)
{
    if (curve->functions == NULL) {
        sc_ball_set_int64(out, 1);
    } else if (curve->functions->delta != NULL) {
        curve->functions->delta(curve, epsilon, bits, out);
    } else {
        conversion c = {curve, epsilon, NULL, bits};
        best_order(&c, out);
        if (sc_ball_is_finite(out))
            sc_ball_exp(out, out, bits);
    }
    /* Of something that is a probability, 1 is always an upper bound. */
    if (!sc_ball_is_finite(out))
        sc_ball_set_int64(out, 1);
    sc_ball_cut_unit(out);
}

void sc_curve_renyi_upper(const sc_curve *curve, const sc_ratio *order, long bits,
                          sc_ball *out)
{
    if (curve->functions == NULL || curve->functions->renyi == NULL)
        set_infinite(out);
    else
        curve->functions->renyi(curve, order, bits, out);
}

/* Is delta_upper(epsilon) certainly at most target? */
static bool meets(const sc_curve *curve, const sc_ratio *epsilon, const sc_ball *target)
{
    sc_ball value;
    sc_ball_init(&value);
    sc_curve_delta_upper(curve, epsilon, 256, &value);
    bool result = sc_ball_is_less_equal(&value, target);
    sc_ball_clear(&value);
    return result;
}

#define EPSILON_FAR 20 /* 2^20 is the largest epsilon that is looked for */
#define EPSILON_STEPS 46

/* Bisection between low, which does not meet the target or is 0, and high, which does. */
static void bisect(const sc_curve *curve, const sc_ball *target, sc_ratio *low,
                   sc_ratio *high)
{
    sc_ratio middle, two;
    sc_ratio_init(&middle);
    sc_ratio_init(&two);
    sc_ratio_set_int64(&two, 2);
    for (int step = 0; step < EPSILON_STEPS; step++) {
        sc_ratio_add(&middle, low, high);
        sc_ratio_div(&middle, &middle, &two);
        sc_ratio_set(meets(curve, &middle, target) ? high : low, &middle);
    }
    sc_ratio_clear(&two);
    sc_ratio_clear(&middle);
}

static bool search_epsilon(const sc_curve *curve, const sc_ball *target, sc_ratio *out)
{
    sc_ratio low, two;
    int doublings = 0;
    sc_ratio_init(&low);
    sc_ratio_init(&two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_set_int64(out, 0);
    bool found = meets(curve, out, target);
    if (!found) {
        sc_ratio_set_int64(out, 1);
        for (; !(found = meets(curve, out, target)) && doublings < EPSILON_FAR;
             doublings++) {
            sc_ratio_set(&low, out);
            sc_ratio_mul(out, out, &two);
        }
        if (found)
            bisect(curve, target, &low, out);
    }
    sc_ratio_clear(&two);
    sc_ratio_clear(&low);
    return found;
}

/* epsilon straight from the orders: a ball, of which a rational above the upper end is wanted. */
static bool renyi_epsilon(const sc_curve *curve, const sc_ball *target, sc_ratio *out)
{
    sc_ball log_delta, value;
    sc_integer whole, scale;
    sc_ball_init(&log_delta);
    sc_ball_init(&value);
    sc_integer_init(&whole);
    sc_integer_init(&scale);
    sc_ball_log(&log_delta, target, 256);
    conversion c = {curve, NULL, &log_delta, 256};
    best_order(&c, &value);
    bool found = sc_ball_is_finite(&value);
    if (found) {
        sc_ball_mul_power2(&value, &value, EPSILON_STEPS);
        sc_ball_add_int64(&value, &value, 1, 256);
        found = sc_ball_floor(&value, &whole);
        sc_integer_set_int128(&scale, (sc_int128)1 << EPSILON_STEPS);
        if (found && sc_integer_sign(&whole) < 0)
            sc_integer_set_int128(&whole, 0);
        sc_ratio_set_fraction(out, &whole, &scale);
    }
    sc_integer_clear(&scale);
    sc_integer_clear(&whole);
    sc_ball_clear(&value);
    sc_ball_clear(&log_delta);
    return found;
}

bool sc_curve_epsilon_upper(const sc_curve *curve, const sc_ratio *delta, sc_ratio *out)
{
    sc_ball target;
    sc_ball_init(&target);
    sc_ball_set_ratio(&target, delta, 256);
    bool found = false;
    if (curve->functions != NULL)
        found = curve->functions->delta == NULL
                    ? sc_ratio_sign(delta) > 0 && renyi_epsilon(curve, &target, out)
                    : search_epsilon(curve, &target, out);
    sc_ball_clear(&target);
    return found;
}
