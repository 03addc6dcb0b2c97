#include "experiment/errata/quantity_functions.h"

#define BITS SC_QUANTITY_BITS
/* Exact powers have at most so many bits; a larger one becomes a ball. */
#define POWER_BITS 200000
#define LOOP_LIMIT SC_QUANTITY_LIMIT

/* Arithmetic: exact if both sides are. */

typedef void ratio_operation(sc_ratio *out, const sc_ratio *a, const sc_ratio *b);
typedef void ball_operation(sc_ball *out, const sc_ball *a, const sc_ball *b, long bits);

static void combine(sc_quantity *out, const sc_quantity *a, const sc_quantity *b,
                    ratio_operation *exactly, ball_operation *nearly)
{
    if (a->is_exact && b->is_exact) {
        exactly(&out->exact, &a->exact, &b->exact);
        out->is_exact = true;
        return;
    }
    SC_OWN(sc_ball, left, right);
    sc_quantity_ball(a, &left);
    sc_quantity_ball(b, &right);
    nearly(&out->ball, &left, &right, BITS);
    out->is_exact = false;
}

void sc_quantity_add(sc_quantity *out, const sc_quantity *a, const sc_quantity *b)
{
    combine(out, a, b, sc_ratio_add, sc_ball_add);
}

void sc_quantity_sub(sc_quantity *out, const sc_quantity *a, const sc_quantity *b)
{
    combine(out, a, b, sc_ratio_sub, sc_ball_sub);
}

/* 0 times whatever is 0, exactly. */
void sc_quantity_mul(sc_quantity *out, const sc_quantity *a, const sc_quantity *b)
{
    const bool is_zero = (a->is_exact && sc_ratio_sign(&a->exact) == 0) ||
                         (b->is_exact && sc_ratio_sign(&b->exact) == 0);
    if (is_zero)
        sc_quantity_set_int64(out, 0);
    else
        combine(out, a, b, sc_ratio_mul, sc_ball_mul);
}

bool sc_quantity_div(sc_quantity *out, const sc_quantity *a, const sc_quantity *b)
{
    if (b->is_exact && sc_ratio_sign(&b->exact) == 0)
        return false;
    combine(out, a, b, sc_ratio_div, sc_ball_div);
    return out->is_exact || sc_ball_is_finite(&out->ball);
}

void sc_quantity_negate(sc_quantity *x)
{
    SC_OWN(sc_quantity, zero);
    combine(x, &zero, x, sc_ratio_sub, sc_ball_sub);
}

static void whole_power(sc_quantity *out, const sc_quantity *a, uint64_t exponent)
{
    if (!a->is_exact || sc_ratio_bits(&a->exact) * exponent > POWER_BITS) {
        SC_OWN(sc_ball, base);
        sc_quantity_ball(a, &base);
        sc_ball_power(&out->ball, &base, exponent, BITS);
        out->is_exact = false;
        return;
    }
    SC_OWN(sc_ratio, square, result);
    sc_ratio_set(&square, &a->exact);
    sc_ratio_set_int64(&result, 1);
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            sc_ratio_mul(&result, &result, &square);
        if (exponent > 1)
            sc_ratio_mul(&square, &square, &square);
    }
    sc_quantity_set_ratio(out, &result);
}

bool sc_quantity_power(sc_quantity *out, const sc_quantity *a, const sc_quantity *b)
{
    int64_t exponent;
    SC_OWN(sc_quantity, one, result);
    if (sc_quantity_int64(b, &exponent) && exponent > -LOOP_LIMIT &&
        exponent < LOOP_LIMIT) {
        whole_power(&result, a, (uint64_t)(exponent < 0 ? -exponent : exponent));
        if (exponent >= 0) {
            sc_quantity_set(out, &result);
            return true;
        }
        sc_quantity_set_int64(&one, 1);
        return sc_quantity_div(out, &one, &result);
    }
    SC_OWN(sc_ball, base, power);
    sc_quantity_ball(a, &base);
    sc_quantity_ball(b, &power);
    sc_ball_log(&base, &base, BITS);
    sc_ball_mul(&base, &base, &power, BITS);
    sc_ball_exp(&base, &base, BITS);
    sc_quantity_set_ball(out, &base);
    return sc_ball_is_finite(&base);
}

/* Functions of values. */

typedef void ball_function(sc_ball *out, const sc_ball *a, long bits);

static bool apply(sc_quantity *x, ball_function *function)
{
    SC_OWN(sc_ball, ball);
    sc_quantity_ball(x, &ball);
    function(&ball, &ball, BITS);
    sc_quantity_set_ball(x, &ball);
    return sc_ball_is_finite(&ball);
}

bool sc_take_exp(sc_quantity *x)
{
    if (x[0].is_exact && sc_ratio_sign(&x[0].exact) == 0) {
        sc_quantity_set_int64(&x[0], 1);
        return true;
    }
    return apply(&x[0], sc_ball_exp);
}

bool sc_take_ln(sc_quantity *x)
{
    if (x[0].is_exact && sc_ratio_compare_int64(&x[0].exact, 1) == 0) {
        sc_quantity_set_int64(&x[0], 0);
        return true;
    }
    return apply(&x[0], sc_ball_log);
}

/* Exact if x is the square of a fraction. */
bool sc_take_sqrt(sc_quantity *x)
{
    SC_OWN(sc_integer, above, below, root_above, root_below, square);
    if (!x[0].is_exact || sc_ratio_sign(&x[0].exact) < 0)
        return apply(&x[0], sc_ball_sqrt);
    sc_ratio_numerator(&x[0].exact, &above);
    sc_ratio_denominator(&x[0].exact, &below);
    sc_integer_sqrt(&root_above, &above);
    sc_integer_sqrt(&root_below, &below);
    sc_integer_mul(&square, &root_above, &root_above);
    bool is_square = sc_integer_compare(&square, &above) == 0;
    sc_integer_mul(&square, &root_below, &root_below);
    is_square = is_square && sc_integer_compare(&square, &below) == 0;
    if (!is_square)
        return apply(&x[0], sc_ball_sqrt);
    sc_ratio_set_fraction(&x[0].exact, &root_above, &root_below);
    return true;
}

bool sc_take_floor(sc_quantity *x)
{
    SC_OWN(sc_integer, whole);
    if (x[0].is_exact)
        sc_ratio_floor(&x[0].exact, &whole);
    else if (!sc_ball_floor(&x[0].ball, &whole))
        return false;
    x[0].is_exact = true;
    sc_ratio_set_integer(&x[0].exact, &whole);
    return true;
}

bool sc_take_ceil(sc_quantity *x)
{
    sc_quantity_negate(&x[0]);
    if (!sc_take_floor(x))
        return false;
    sc_quantity_negate(&x[0]);
    return true;
}

/* The larger one, or the smaller one for wanted -1. */
static bool take_extreme(sc_quantity *x, int wanted)
{
    int sign;
    if (sc_quantity_compare(&x[0], &x[1], &sign)) {
        if (sign == -wanted)
            sc_quantity_set(&x[0], &x[1]);
        return true;
    }
    /* Whichever it is, it lies in both. */
    SC_OWN(sc_ball, left, right);
    sc_quantity_ball(&x[0], &left);
    sc_quantity_ball(&x[1], &right);
    sc_ball_set_union(&left, &left, &right, BITS);
    sc_quantity_set_ball(&x[0], &left);
    return true;
}

bool sc_take_max(sc_quantity *x)
{
    return take_extreme(x, 1);
}

bool sc_take_min(sc_quantity *x)
{
    return take_extreme(x, -1);
}

bool sc_take_abs(sc_quantity *x)
{
    sc_quantity_set(&x[1], &x[0]);
    sc_quantity_negate(&x[1]);
    return sc_take_max(x);
}

bool sc_take_binomial(sc_quantity *x)
{
    int64_t n, k;
    SC_OWN(sc_ratio, factor);
    if (!sc_quantity_int64(&x[0], &n) || !sc_quantity_int64(&x[1], &k) || n < 0 ||
        n > LOOP_LIMIT)
        return false;
    sc_quantity_set_int64(&x[0], k < 0 || k > n ? 0 : 1);
    k = k > n - k ? n - k : k;
    for (int64_t i = 1; i <= k; i++) {
        sc_ratio_set_quotient(&factor, n - k + i, i);
        sc_ratio_mul(&x[0].exact, &x[0].exact, &factor);
    }
    return true;
}

/* Q(x) = erfc(x / sqrt 2) / 2. */
bool sc_take_normal_tail(sc_quantity *x)
{
    SC_OWN(sc_ball, ball, root);
    sc_quantity_ball(&x[0], &ball);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, BITS);
    sc_ball_div(&ball, &ball, &root, BITS);
    sc_ball_erfc(&ball, &ball, BITS);
    sc_ball_mul_power2(&ball, &ball, -1);
    sc_quantity_set_ball(&x[0], &ball);
    return sc_ball_is_finite(&ball);
}

/* within(x, r): all that lies at most r from x; for a sum that stands for an integral or a series, with
 * a proved bound on its error. */
bool sc_take_within(sc_quantity *x)
{
    SC_OWN(sc_ball, ball, radius);
    sc_quantity_ball(&x[0], &ball);
    sc_quantity_ball(&x[1], &radius);
    sc_ball_widen(&ball, &radius);
    sc_quantity_set_ball(&x[0], &ball);
    return true;
}
