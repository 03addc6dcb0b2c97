#define SC_WITH_ARB
#include "base/number/ball_double.h"

#include "base/work_limit.h"

#include <math.h>

void sc_ball_set_double(sc_ball *out, double value)
{
    arb_set_d(out->x, value);
}

void sc_ball_split(const sc_ball *x, double *high, double *low)
{
    SC_OWN(sc_ball, rest);
    *high = sc_ball_lower(x);
    sc_ball_set_double(&rest, *high);
    sc_ball_sub(&rest, x, &rest, 128);
    *low = sc_ball_lower(&rest);
}

double sc_ball_near(const sc_ratio *x)
{
    return mpq_get_d(x->q);
}

void sc_ball_doubles(const fmpz *values, size_t count, long bits, double *out)
{
    for (size_t j = 0; j < count; j++) {
        slong exponent; /* the integer itself may be beyond doubles */
        const double mantissa = fmpz_get_d_2exp(&exponent, &values[j]);
        out[j] = fmpz_is_zero(&values[j]) ? 0 : ldexp(mantissa, (int)(exponent - bits));
    }
}

void sc_ball_sum(const fmpz *values, size_t count, long bits, sc_ball *out)
{
    fmpz_t sum;
    fmpz_init(sum);
    for (size_t j = 0; j < count; j++)
        fmpz_add(sum, sum, &values[j]);
    arb_set_fmpz(out->x, sum);
    sc_ball_mul_power2(out, out, -bits);
    fmpz_clear(sum);
}

void sc_ball_sin_cos_pi(sc_ball *sine, sc_ball *cosine, const sc_ball *a, long bits)
{
    sc_work_add_each(1, 400 + (uint64_t)bits * (uint64_t)bits / 100);
    arb_sin_cos_pi(sine->x, cosine->x, a->x, bits);
}

/* sc_ball is exactly an arb_struct, so an array of balls can be passed to Arb. */
_Static_assert(sizeof(sc_ball) == sizeof(arb_struct), "a ball has something beside it");

void sc_ball_dot(sc_ball *out, const sc_ball *x, const sc_ball *y, size_t count,
                 size_t stride, long bits)
{
    sc_work_add_each(count, 10 + (uint64_t)bits * (uint64_t)bits / 8000);
    arb_dot(out->x, NULL, 0, x->x, (slong)stride, y->x, (slong)stride, (slong)count,
            bits);
}
