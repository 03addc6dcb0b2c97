#include "lab/quantity.h"

#include <arb_hypgeom.h>
#include <stdio.h>
#include <string.h>

#ifndef __clang__ /* gcc takes a fraction, whose first member is its numerator, for that member */
#pragma GCC diagnostic ignored "-Wstringop-overread"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

#define BITS LAB_QUANTITY_BITS
/* Exact powers have at most this many bits; larger ones become balls. */
#define POWER_BITS 200000
/* An exact text is shown up to EXACT_SHOWN characters, a decimal up to DECIMAL_PLACES places. */
#define EXACT_SHOWN 24
#define DECIMAL_PLACES 20
#define PARSED_BYTES 80

/* Values. */

void lab_quantity_init(lab_quantity *out)
{
    out->is_exact = true;
    fmpq_init(out->exact);
    arb_init(out->ball);
}

void lab_quantity_clear(lab_quantity *x)
{
    fmpq_clear(x->exact);
    arb_clear(x->ball);
}

void lab_quantity_set(lab_quantity *out, const lab_quantity *x)
{
    out->is_exact = x->is_exact;
    fmpq_set(out->exact, x->exact);
    arb_set(out->ball, x->ball);
}

void lab_quantity_set_int64(lab_quantity *out, int64_t value)
{
    out->is_exact = true;
    fmpq_set_si(out->exact, value, 1);
}

void lab_quantity_ball(const lab_quantity *x, arb_t out)
{
    if (x->is_exact)
        arb_set_fmpq(out, x->exact, BITS);
    else
        arb_set(out, x->ball);
}

double lab_quantity_upper(const lab_quantity *x)
{
    arb_t ball;
    arb_init(ball);
    lab_quantity_ball(x, ball);
    arf_t upper;
    arf_init(upper);
    arb_get_ubound_arf(upper, ball, BITS);
    const double value = arf_get_d(upper, ARF_RND_CEIL);
    arf_clear(upper);
    arb_clear(ball);
    return value;
}

static bool is_whole(const lab_quantity *x)
{
    return x->is_exact && fmpz_is_one(fmpq_denref(x->exact));
}

bool lab_quantity_int64(const lab_quantity *x, int64_t *out)
{
    if (!is_whole(x) || !fmpz_fits_si(fmpq_numref(x->exact)))
        return false;
    *out = fmpz_get_si(fmpq_numref(x->exact));
    return true;
}

bool lab_quantity_compare(const lab_quantity *a, const lab_quantity *b, int *out)
{
    if (a->is_exact && b->is_exact) {
        const int order = fmpq_cmp(a->exact, b->exact);
        *out = (order > 0) - (order < 0);
        return true;
    }
    arb_t left, right;
    arb_init(left);
    arb_init(right);
    lab_quantity_ball(a, left);
    lab_quantity_ball(b, right);
    const bool is_less = arb_lt(left, right), is_more = arb_gt(left, right);
    arb_clear(left);
    arb_clear(right);
    *out = is_less ? -1 : 1;
    return is_less || is_more;
}

/* Texts. */

static bool take_digits(const char **at, fmpz_t value, long *count)
{
    const char *begin = *at;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        fmpz_mul_ui(value, value, 10);
        fmpz_add_ui(value, value, (ulong)(**at - '0'));
    }
    *count = *at - begin;
    return *count > 0;
}

/* "-12" of at most four digits. */
static bool take_exponent(const char **at, long *value)
{
    const bool is_negative = **at == '-';
    fmpz_t digits;
    long count = 0;
    *at += is_negative;
    fmpz_init(digits);
    const bool is_read = take_digits(at, digits, &count) && count <= 4;
    *value = is_read ? fmpz_get_si(digits) : 0;
    if (is_negative)
        *value = -*value;
    fmpz_clear(digits);
    return is_read;
}

static void multiply_power(fmpq_t value, long base, long exponent)
{
    fmpq_t power;
    fmpq_init(power);
    fmpq_set_si(power, base, 1);
    fmpq_pow_si(power, power, exponent);
    fmpq_mul(value, value, power);
    fmpq_clear(power);
}

static bool read_fraction(const char *at, fmpq_t out)
{
    const bool is_negative = *at == '-';
    long count = 0, exponent = 0;
    at += is_negative;
    fmpq_zero(out);
    if (!take_digits(&at, fmpq_numref(out), &count))
        return false;
    if (*at == '/') {
        at++;
        fmpz_zero(fmpq_denref(out));
        if (!take_digits(&at, fmpq_denref(out), &count) || *at != '\0' ||
            fmpz_is_zero(fmpq_denref(out))) {
            fmpz_one(fmpq_denref(out));
            return false;
        }
        fmpq_canonicalise(out);
    } else if (*at == '^') {
        at++;
        const bool is_two = fmpz_equal_si(fmpq_numref(out), 2);
        if (!is_two || !take_exponent(&at, &exponent) || *at != '\0')
            return false;
        fmpq_one(out);
        multiply_power(out, 2, exponent);
    } else {
        long places = 0;
        if (*at == '.' && (at++, !take_digits(&at, fmpq_numref(out), &places)))
            return false;
        if (*at == 'e' && (at++, !take_exponent(&at, &exponent)))
            return false;
        if (*at != '\0')
            return false;
        multiply_power(out, 10, exponent - places);
    }
    if (is_negative)
        fmpq_neg(out, out);
    return true;
}

bool lab_quantity_parse(lab_quantity *out, const char *text, size_t bytes)
{
    char copy[PARSED_BYTES + 1];
    if (bytes > PARSED_BYTES)
        return false;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    out->is_exact = true;
    return read_fraction(copy, out->exact);
}

/* How many significant digits of a ball are certain, at most LAB_QUANTITY_DIGITS. */
static int certain_digits(const arb_t ball)
{
    /* A digit has 3.33 bits; two more bits let the last one be rounded. */
    const slong bits = arb_rel_accuracy_bits(ball);
    int digits = LAB_QUANTITY_DIGITS;
    while (digits > 1 && bits < 2 + (slong)digits * 10 / 3)
        digits--;
    return digits;
}

/* The smallest power of ten that the denominator divides; more than DECIMAL_PLACES if no such
 * power does. */
static unsigned decimal_places(const fmpq_t x)
{
    unsigned places = 0;
    fmpz_t power;
    fmpz_init(power);
    fmpz_one(power);
    while (places <= DECIMAL_PLACES && !fmpz_divisible(power, fmpq_denref(x))) {
        fmpz_mul_ui(power, power, 10);
        places++;
    }
    fmpz_clear(power);
    return places;
}

/* "12", "0.25" or "1/3", of a number with less than 128 bits above and below the line. */
static void format_exact(const fmpq_t x, char text[3 * LAB_QUANTITY_TEXT_BYTES])
{
    static const char zeros[] = "00000000000000000000";
    const unsigned places = decimal_places(x);
    if (places == 0 || places > DECIMAL_PLACES) {
        (void)fmpq_get_str(text, 10, x);
        return;
    }
    char above[LAB_QUANTITY_TEXT_BYTES], below[LAB_QUANTITY_TEXT_BYTES];
    fmpz_t whole, rest, power;
    fmpz_init(whole);
    fmpz_init(rest);
    fmpz_init(power);
    fmpz_ui_pow_ui(power, 10, places);
    fmpz_divexact(rest, power, fmpq_denref(x));
    fmpz_mul(rest, rest, fmpq_numref(x));
    fmpz_abs(rest, rest);
    fmpz_fdiv_qr(whole, rest, rest, power);
    (void)fmpz_get_str(above, 10, whole);
    (void)fmpz_get_str(below, 10, rest);
    (void)snprintf(text, (size_t)3 * LAB_QUANTITY_TEXT_BYTES, "%s%s.%.*s%s",
                   fmpq_sgn(x) < 0 ? "-" : "", above, (int)(places - strlen(below)),
                   zeros, below);
    fmpz_clear(whole);
    fmpz_clear(rest);
    fmpz_clear(power);
}

void lab_quantity_format(const lab_quantity *x, char text[LAB_QUANTITY_TEXT_BYTES])
{
    if (x->is_exact && fmpz_bits(fmpq_numref(x->exact)) < 128 &&
        fmpz_bits(fmpq_denref(x->exact)) < 128) {
        char exact[3 * LAB_QUANTITY_TEXT_BYTES];
        format_exact(x->exact, exact);
        if (strlen(exact) <= EXACT_SHOWN) {
            memcpy(text, exact, strlen(exact) + 1);
            return;
        }
    }
    arb_t ball;
    arb_init(ball);
    lab_quantity_ball(x, ball);
    char *shown = arb_is_finite(ball) ? arb_get_str(ball, certain_digits(ball),
                                                    ARB_STR_MORE | ARB_STR_NO_RADIUS)
                                      : NULL;
    (void)snprintf(text, LAB_QUANTITY_TEXT_BYTES, "%s", shown == NULL ? "inf" : shown);
    if (shown != NULL)
        flint_free(shown);
    arb_clear(ball);
}

/* Arithmetic: exact if both sides are. */

typedef void exact_operation(fmpq_t out, const fmpq_t a, const fmpq_t b);
typedef void ball_operation(arb_t out, const arb_t a, const arb_t b, slong bits);

static void combine(lab_quantity *out, const lab_quantity *a, const lab_quantity *b,
                    exact_operation *exactly, ball_operation *nearly)
{
    if (a->is_exact && b->is_exact) {
        exactly(out->exact, a->exact, b->exact);
        out->is_exact = true;
        return;
    }
    arb_t left, right;
    arb_init(left);
    arb_init(right);
    lab_quantity_ball(a, left);
    lab_quantity_ball(b, right);
    nearly(out->ball, left, right, BITS);
    out->is_exact = false;
    arb_clear(left);
    arb_clear(right);
}

static bool is_zero(const lab_quantity *x)
{
    return x->is_exact && fmpq_is_zero(x->exact);
}

static bool is_finite(const lab_quantity *x)
{
    return x->is_exact || arb_is_finite(x->ball);
}

void lab_quantity_add(lab_quantity *out, const lab_quantity *a, const lab_quantity *b)
{
    combine(out, a, b, fmpq_add, arb_add);
}

void lab_quantity_sub(lab_quantity *out, const lab_quantity *a, const lab_quantity *b)
{
    combine(out, a, b, fmpq_sub, arb_sub);
}

void lab_quantity_mul(lab_quantity *out, const lab_quantity *a, const lab_quantity *b)
{
    if (is_zero(a) || is_zero(b)) /* exactly 0, whatever the other one is */
        lab_quantity_set_int64(out, 0);
    else
        combine(out, a, b, fmpq_mul, arb_mul);
}

bool lab_quantity_div(lab_quantity *out, const lab_quantity *a, const lab_quantity *b)
{
    if (is_zero(b))
        return false;
    combine(out, a, b, fmpq_div, arb_div);
    return is_finite(out);
}

void lab_quantity_negate(lab_quantity *x)
{
    fmpq_neg(x->exact, x->exact);
    arb_neg(x->ball, x->ball);
}

static void whole_power(lab_quantity *out, const lab_quantity *a, int64_t exponent)
{
    const uint64_t size = (uint64_t)(exponent < 0 ? -exponent : exponent);
    if (a->is_exact && fmpq_height_bits(a->exact) * size <= POWER_BITS) {
        fmpq_pow_si(out->exact, a->exact, exponent);
        out->is_exact = true;
        return;
    }
    lab_quantity_ball(a, out->ball);
    arb_pow_ui(out->ball, out->ball, size, BITS);
    if (exponent < 0)
        arb_inv(out->ball, out->ball, BITS);
    out->is_exact = false;
}

bool lab_quantity_power(lab_quantity *out, const lab_quantity *a, const lab_quantity *b)
{
    int64_t exponent;
    if (lab_quantity_int64(b, &exponent) && exponent > -LAB_QUANTITY_LIMIT &&
        exponent < LAB_QUANTITY_LIMIT) {
        if (exponent < 0 && is_zero(a))
            return false;
        LAB_QUANTITY(power);
        whole_power(&power, a, exponent);
        lab_quantity_set(out, &power);
        return is_finite(out);
    }
    arb_t base, power;
    arb_init(base);
    arb_init(power);
    lab_quantity_ball(a, base);
    lab_quantity_ball(b, power);
    arb_log(base, base, BITS);
    arb_mul(base, base, power, BITS);
    arb_exp(out->ball, base, BITS);
    out->is_exact = false;
    arb_clear(base);
    arb_clear(power);
    return is_finite(out);
}

/* Functions. */

/* Turns x into a ball, in place. */
static void make_ball(lab_quantity *x)
{
    lab_quantity_ball(x, x->ball);
    x->is_exact = false;
}

bool lab_quantity_exp(lab_quantity *x)
{
    if (is_zero(x)) {
        lab_quantity_set_int64(x, 1);
        return true;
    }
    make_ball(x);
    arb_exp(x->ball, x->ball, BITS);
    return is_finite(x);
}

bool lab_quantity_ln(lab_quantity *x)
{
    if (x->is_exact && fmpq_is_one(x->exact)) {
        lab_quantity_set_int64(x, 0);
        return true;
    }
    make_ball(x);
    arb_log(x->ball, x->ball, BITS);
    return is_finite(x);
}

/* Exact if x is the square of a fraction. */
bool lab_quantity_sqrt(lab_quantity *x)
{
    if (x->is_exact && fmpz_is_square(fmpq_numref(x->exact)) &&
        fmpz_is_square(fmpq_denref(x->exact))) {
        fmpz_sqrt(fmpq_numref(x->exact), fmpq_numref(x->exact));
        fmpz_sqrt(fmpq_denref(x->exact), fmpq_denref(x->exact));
        return true;
    }
    make_ball(x);
    arb_sqrt(x->ball, x->ball, BITS);
    return is_finite(x);
}

bool lab_quantity_floor(lab_quantity *x)
{
    fmpz_t whole;
    fmpz_init(whole);
    bool is_certain = true;
    if (x->is_exact) {
        fmpz_fdiv_q(whole, fmpq_numref(x->exact), fmpq_denref(x->exact));
    } else {
        arb_t floor;
        arb_init(floor);
        arb_floor(floor, x->ball, BITS);
        is_certain = arb_get_unique_fmpz(whole, floor) != 0;
        arb_clear(floor);
    }
    if (is_certain) {
        fmpq_set_fmpz(x->exact, whole);
        x->is_exact = true;
    }
    fmpz_clear(whole);
    return is_certain;
}

bool lab_quantity_ceil(lab_quantity *x)
{
    lab_quantity_negate(x);
    if (!lab_quantity_floor(x))
        return false;
    lab_quantity_negate(x);
    return true;
}

/* The larger one, or the smaller one for wanted -1. */
static bool take_extreme(lab_quantity *x, int wanted)
{
    int sign;
    if (lab_quantity_compare(&x[0], &x[1], &sign)) {
        if (sign == -wanted)
            lab_quantity_set(&x[0], &x[1]);
        return true;
    }
    /* Undecided: both contain it, and so does the ball around both. */
    make_ball(&x[0]);
    make_ball(&x[1]);
    arb_union(x[0].ball, x[0].ball, x[1].ball, BITS);
    return true;
}

bool lab_quantity_max(lab_quantity *x)
{
    return take_extreme(x, 1);
}

bool lab_quantity_min(lab_quantity *x)
{
    return take_extreme(x, -1);
}

bool lab_quantity_abs(lab_quantity *x)
{
    lab_quantity_set(&x[1], &x[0]);
    lab_quantity_negate(&x[1]);
    return lab_quantity_max(x);
}

bool lab_quantity_binomial(lab_quantity *x)
{
    int64_t n, k;
    if (!lab_quantity_int64(&x[0], &n) || !lab_quantity_int64(&x[1], &k) || n < 0 ||
        n > LAB_QUANTITY_LIMIT)
        return false;
    fmpq_zero(x->exact);
    if (k >= 0 && k <= n)
        fmpz_bin_uiui(fmpq_numref(x->exact), (ulong)n, (ulong)k);
    return true;
}

/* Q(x) = erfc(x / sqrt 2) / 2. */
bool lab_quantity_normal_tail(lab_quantity *x)
{
    arb_t root;
    arb_init(root);
    make_ball(x);
    arb_sqrt_ui(root, 2, BITS);
    arb_div(x->ball, x->ball, root, BITS);
    arb_hypgeom_erfc(x->ball, x->ball, BITS);
    arb_mul_2exp_si(x->ball, x->ball, -1);
    arb_clear(root);
    return is_finite(x);
}

bool lab_quantity_within(lab_quantity *x)
{
    make_ball(&x[0]);
    make_ball(&x[1]);
    arb_add_error(x[0].ball, x[1].ball);
    return true;
}
