#include "model/grid.h"

#include <string.h>

/* Setting up. */

/* base^exponent. */
static void power(unsigned base, int exponent, sc_ratio *out)
{
    SC_OWN(sc_integer, value, one);
    sc_integer_set_int128(&one, 1);
    sc_integer_set_int128(&value, 1);
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++)
        sc_integer_mul_uint64(&value, &value, base);
    if (exponent < 0)
        sc_ratio_set_fraction(out, &one, &value);
    else
        sc_ratio_set_fraction(out, &value, &one);
}

/* The exponent of a step of this base, estimated from its size in bits and then compared. */
static bool find_exponent(const sc_ratio *step, unsigned base, int *out)
{
    const long bits = sc_ratio_exponent(step);
    SC_OWN(sc_ratio, candidate);
    int guess = (int)(base == 2 ? bits : bits * 30103 / 100000);
    bool found = false;
    for (int e = guess - 1; !found && e <= guess + 1; e++) {
        power(base, e, &candidate);
        found = sc_ratio_compare(&candidate, step) == 0;
        if (found)
            *out = e;
    }
    return found;
}

/* value/step as an integer of at most 2^62 in absolute value. */
static scrim_status in_steps(const sc_ratio *value, const sc_ratio *step,
                             const char *name, int64_t *out, scrim_error *error)
{
    sc_int128 wide = 0;
    SC_OWN(sc_ratio, quotient);
    SC_OWN(sc_integer, whole);
    sc_ratio_div(&quotient, value, step);
    sc_ratio_numerator(&quotient, &whole);
    scrim_status status = SCRIM_OK;
    const sc_int128 limit = (sc_int128)1 << SC_GRID_BITS;
    if (!sc_ratio_is_integer(&quotient))
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                                   "must be a multiple of the grid's step");
    else if (!sc_integer_get_int128(&whole, &wide) || wide > limit || wide < -limit)
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "%s: it is more than 4.6e18 steps of the grid from 0", name);
    else
        *out = (int64_t)wide;
    return status;
}

static scrim_status set_step(sc_grid *grid, const sc_ratio *step, scrim_error *error)
{
    int exponent = 0;
    if (sc_ratio_sign(step) > 0 && find_exponent(step, 2, &exponent))
        grid->is_decimal = false;
    else if (sc_ratio_sign(step) > 0 && find_exponent(step, 10, &exponent))
        grid->is_decimal = true;
    else
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "grid",
            "a step must be a power of 2 or of 10, such as 0.01 or 0.125");
    grid->exponent = exponent;
    int limit = grid->is_decimal ? SC_GRID_EXPONENT_DECIMAL : SC_GRID_EXPONENT_BINARY;
    if (exponent > limit || exponent < -limit)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "grid",
                                 "a step must be from 1e-330 to 1e330");
    return SCRIM_OK;
}

scrim_status sc_grid_init(sc_grid *grid, const sc_ratio *step, const sc_ratio *lower,
                          const sc_ratio *upper, const sc_ratio *missing,
                          scrim_error *error)
{
    sc_grid new = {0};
    scrim_status status = set_step(&new, step, error);
    if (status == SCRIM_OK)
        status = in_steps(lower, step, "lower", &new.low, error);
    if (status == SCRIM_OK)
        status = in_steps(upper, step, "upper", &new.high, error);
    if (status == SCRIM_OK && new.low >= new.high)
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "lower",
                                   "must be below upper");
    new.missing = new.low;
    if (status == SCRIM_OK && missing != NULL)
        status = in_steps(missing, step, "missing", &new.missing, error);
    if (status == SCRIM_OK && (new.missing < new.low || new.missing > new.high))
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "missing",
                                   "must be between lower and upper");
    if (status == SCRIM_OK)
        *grid = new;
    return status;
}

void sc_grid_step(const sc_grid *grid, sc_ratio *out)
{
    power(grid->is_decimal ? 10 : 2, grid->exponent, out);
}

/* Values. */

int64_t sc_grid_of_ratio(const sc_grid *grid, const sc_ratio *x)
{
    sc_int128 wide = 0;
    SC_OWN(sc_ratio, steps, half);
    SC_OWN(sc_integer, floor);
    sc_grid_step(grid, &steps);
    sc_ratio_div(&steps, x, &steps);
    power(2, -1, &half);
    sc_ratio_add(&steps, &steps, &half);
    sc_ratio_floor(&steps, &floor);
    if (!sc_integer_get_int128(&floor, &wide))
        wide = sc_integer_sign(&floor) < 0 ? SC_INT128_MIN : SC_INT128_MAX;
    return sc_grid_clamp(grid, wide);
}

/* A finite double: (-1)^negative mantissa 2^exponent. */
typedef struct parts {
    bool negative;
    uint64_t mantissa;
    int exponent;
} parts;

#define MANTISSA_BITS 52
#define EXPONENT_MASK 0x7ff
#define EXPONENT_BIAS 1075 /* 1023, and the 52 bits of the mantissa */

/* floor(+-n 2^shift + 1/2), or something beyond +-2^63 when it lies there; n < 2^114. */
static sc_int128 round_shifted(bool negative, sc_uint128 n, int shift)
{
    if (n == 0)
        return 0;
    if (shift >= 0) {
        if ((int)sc_bit_length128(n) + shift > 64)
            return negative ? SC_INT128_MIN : SC_INT128_MAX;
        sc_int128 value = (sc_int128)(n << shift);
        return negative ? -value : value;
    }
    if (shift < -116)
        return 0; /* below 1/4 of a step */
    sc_uint128 half = (sc_uint128)1 << (-shift - 1);
    /* floor(x + 1/2), and for a negative number -ceil(|x| - 1/2): a half goes up in both. */
    return negative ? -(sc_int128)((n + half - 1) >> -shift)
                    : (sc_int128)((n + half) >> -shift);
}

static void set_exact(const parts *x, sc_ratio *value)
{
    SC_OWN(sc_ratio, factor);
    sc_ratio_set_int128(value,
                        x->negative ? -(sc_int128)x->mantissa : (sc_int128)x->mantissa);
    power(2, x->exponent, &factor);
    sc_ratio_mul(value, value, &factor);
}

/* Decimal steps that do not fit machine words: the double as an exact rational. */
static int64_t by_ratio(const sc_grid *grid, const parts *x)
{
    SC_OWN(sc_ratio, value);
    set_exact(x, &value);
    return sc_grid_of_ratio(grid, &value);
}

/* A finite value on a grid whose step is 10^exponent. */
static int64_t on_decimal(const sc_grid *grid, const parts *x)
{
    if (grid->exponent > 0 || grid->exponent < -18)
        return by_ratio(grid, x);
    uint64_t factor = 1; /* up to 10^18 < 2^60; the product is below 2^113 */
    for (int i = grid->exponent; i < 0; i++)
        factor *= 10;
    return sc_grid_clamp(
        grid, round_shifted(x->negative, (sc_uint128)x->mantissa * factor, x->exponent));
}

typedef enum double_kind { FINITE, INFINITE, NOT_A_NUMBER } double_kind;

/* A finite one is taken apart; of an infinite one there is the sign. */
static double_kind take_apart(double x, parts *value)
{
    uint64_t bits;
    _Static_assert(sizeof bits == sizeof x, "a double is an IEEE binary64");
    memcpy(&bits, &x, sizeof bits);
    unsigned biased = (unsigned)(bits >> MANTISSA_BITS) & EXPONENT_MASK;
    uint64_t fraction = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    *value = (parts){.negative = bits >> 63 != 0};
    if (biased == EXPONENT_MASK)
        return fraction != 0 ? NOT_A_NUMBER : INFINITE;
    /* Subnormal numbers have the exponent of the smallest normal ones and no hidden bit. */
    value->mantissa = biased == 0 ? fraction : fraction | (uint64_t)1 << MANTISSA_BITS;
    value->exponent = (biased == 0 ? 1 : (int)biased) - EXPONENT_BIAS;
    return FINITE;
}

bool sc_grid_value_of_double(double x, sc_ratio *value)
{
    parts taken;
    const double_kind kind = take_apart(x, &taken);
    if (kind == NOT_A_NUMBER)
        return false;
    if (kind == INFINITE) {
        taken.mantissa = 1;
        taken.exponent = SC_GRID_EXPONENT_BINARY;
    }
    set_exact(&taken, value);
    return true;
}

int64_t sc_grid_of_double(const sc_grid *grid, double x)
{
    parts value;
    const double_kind kind = take_apart(x, &value);
    if (kind != FINITE)
        return kind == NOT_A_NUMBER ? grid->missing
               : value.negative     ? grid->low
                                    : grid->high;
    if (grid->is_decimal)
        return on_decimal(grid, &value);
    return sc_grid_clamp(grid, round_shifted(value.negative, value.mantissa,
                                             value.exponent - grid->exponent));
}

/* Sensitivity. */

static void distance_in_steps(const sc_grid *grid, const sc_ratio *distance,
                              sc_ratio *out)
{
    SC_OWN(sc_ratio, step);
    sc_grid_step(grid, &step);
    sc_ratio_div(out, distance, &step);
}

void sc_grid_sensitivity_upper(const sc_grid *grid, const sc_ratio *distance,
                               sc_integer *out)
{
    SC_OWN(sc_ratio, steps);
    distance_in_steps(grid, distance, &steps);
    sc_ratio_ceil(&steps, out);
}

void sc_grid_sensitivity_l1_upper(const sc_grid *grid, const sc_ratio *distance,
                                  uint64_t changed, sc_integer *out)
{
    SC_OWN(sc_ratio, steps);
    SC_OWN(sc_integer, count);
    distance_in_steps(grid, distance, &steps);
    sc_ratio_floor(&steps, out);
    sc_integer_set_uint128(&count, changed);
    sc_integer_add(out, out, &count);
}

void sc_grid_sensitivity_l2_upper(const sc_grid *grid, const sc_ratio *distance,
                                  uint64_t changed, sc_ratio *out)
{
    distance_in_steps(grid, distance, out);
    if (changed == 0)
        return;
    /* sqrt(changed) <= (floor(sqrt(changed 2^128 - 1)) + 1) / 2^64, exact for squares. */
    SC_OWN(sc_integer, root, scale, one);
    SC_OWN(sc_ratio, up);
    sc_integer_set_int128(&one, 1);
    sc_integer_set_uint128(&root, changed);
    sc_integer_shift_left(&root, &root, 128);
    sc_integer_sub(&root, &root, &one);
    sc_integer_sqrt(&root, &root);
    sc_integer_add(&root, &root, &one);
    sc_integer_shift_left(&scale, &one, 64);
    sc_ratio_set_fraction(&up, &root, &scale);
    sc_ratio_add(out, out, &up);
}
