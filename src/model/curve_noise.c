#include "model/curve.h"
#include "model/renyi_conversion.h"
#include "sampling/law.h"

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

static const sc_curve_functions laplace = {"laplace", laplace_delta, laplace_renyi,
                                           SC_CURVE_PAIR_LAPLACE};

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

static const sc_curve_functions gaussian = {"gaussian", gaussian_delta, gaussian_renyi,
                                            SC_CURVE_PAIR_GAUSSIAN};

void sc_curve_set_gaussian(sc_curve *curve, const sc_ratio *variance, uint64_t shift)
{
    curve->functions = &gaussian;
    sc_ratio_set(&curve->shape, variance);
    curve->count = shift;
}
