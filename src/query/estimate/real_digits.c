#include "query/estimate/real_digits.h"

#include "base/number/ball.h"

#include <math.h>

#define SIGNIFICANT 1000

void sc_real_to_ratio(double x, sc_ratio *out)
{
    int exponent = 0;
    const int64_t mantissa = (int64_t)ldexp(frexp(x, &exponent), 53);
    SC_OWN(sc_integer, whole);
    sc_integer_set_int128(&whole, mantissa);
    exponent -= 53;
    if (exponent >= 0) {
        sc_integer_shift_left(&whole, &whole, (unsigned)exponent);
        sc_ratio_set_integer(out, &whole);
    } else {
        sc_ratio_set_dyadic(out, &whole, (unsigned)-exponent);
    }
}

static void power_of_ten(int exponent, sc_ratio *out)
{
    SC_OWN(sc_ratio, ten);
    sc_ratio_set_int64(&ten, 10);
    sc_ratio_set_int64(out, 1);
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++)
        sc_ratio_mul(out, out, &ten);
    sc_ratio_set_int64(&ten, 1);
    if (exponent < 0)
        sc_ratio_div(out, &ten, out);
}

void sc_real_three_upper(double x, sc_ratio *out)
{
    sc_ratio unit, exact;
    sc_integer units;
    if (x <= 0) {
        sc_ratio_set_int64(out, 0);
        return;
    }
    int exponent = (int)floor(log10(x)) - 2;
    sc_ratio_init(&unit);
    sc_ratio_init(&exact);
    sc_integer_init(&units);
    sc_real_to_ratio(x, &exact);
    do { /* log10 may have been a little low */
        power_of_ten(exponent++, &unit);
        sc_ratio_div(out, &exact, &unit);
        sc_ratio_ceil(out, &units);
        sc_ratio_set_integer(out, &units);
    } while (sc_ratio_compare_int64(out, SIGNIFICANT) > 0);
    sc_ratio_mul(out, out, &unit);
    sc_integer_clear(&units);
    sc_ratio_clear(&exact);
    sc_ratio_clear(&unit);
}

unsigned sc_digits_for(double error)
{
    unsigned digits = 0;
    for (double unit = 1; unit > error && digits < SC_REAL_DIGITS; unit /= 10)
        digits++;
    return digits;
}

unsigned sc_digits_of_step(const sc_ratio *step)
{
    unsigned digits = 0;
    SC_OWN(sc_ratio, multiple, ten);
    sc_ratio_set(&multiple, step);
    sc_ratio_set_int64(&ten, 10);
    for (; !sc_ratio_is_integer(&multiple) && digits < SC_REAL_DIGITS; digits++)
        sc_ratio_mul(&multiple, &multiple, &ten);
    return digits;
}
