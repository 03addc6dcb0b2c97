#include "composition/calibration/decimal_grid.h"

#define LEAST 100000 /* of six digits */
#define PLACES 5     /* behind the first digit */

/* 10^exponent */
static void power_of_ten(int64_t exponent, sc_ratio *out)
{
    int64_t times = exponent < 0 ? -exponent : exponent;
    SC_OWN(sc_ratio, ten);
    sc_ratio_set_int64(&ten, 10);
    sc_ratio_set_int64(out, 1);
    for (int64_t i = 0; i < times; i++)
        if (exponent < 0)
            sc_ratio_div(out, out, &ten);
        else
            sc_ratio_mul(out, out, &ten);
}

/* e with 10^e <= x < 10^(e+1), between -SC_PLACE_FAR and SC_PLACE_FAR - 1. */
static int64_t decade_of(const sc_ratio *x)
{
    int64_t low = -SC_PLACE_FAR, high = SC_PLACE_FAR;
    SC_OWN(sc_ratio, power);
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        power_of_ten(middle, &power);
        if (sc_ratio_compare(x, &power) >= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t sc_place_floor(const sc_ratio *x)
{
    int64_t decade = decade_of(x);
    sc_int128 digits = 0;
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, whole);
    power_of_ten(PLACES - decade, &scaled);
    sc_ratio_mul(&scaled, &scaled, x);
    sc_ratio_floor(&scaled, &whole);
    if (!sc_integer_get_int128(&whole, &digits) || digits > 10 * LEAST - 1)
        digits = 10 * LEAST - 1;
    if (digits < LEAST)
        digits = LEAST;
    return SC_PLACE_DECADE * decade + (int64_t)(digits - LEAST);
}

int64_t sc_place_ceil(const sc_ratio *x)
{
    int64_t place = sc_place_floor(x);
    SC_OWN(sc_ratio, value);
    sc_place_value(place, &value);
    if (sc_ratio_compare(&value, x) < 0)
        place++;
    return place;
}

void sc_place_value(int64_t place, sc_ratio *out)
{
    int64_t rest = place % SC_PLACE_DECADE;
    if (rest < 0)
        rest += SC_PLACE_DECADE;
    int64_t decade = (place - rest) / SC_PLACE_DECADE;
    SC_OWN(sc_ratio, digits);
    sc_ratio_set_int64(&digits, rest + LEAST);
    power_of_ten(decade - PLACES, out);
    sc_ratio_mul(out, out, &digits);
}
