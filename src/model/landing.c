#include "model/landing.h"

#include "model/data_number.h"

#include <string.h>

static sc_landing landing_of_ratio(const sc_grid *grid, const sc_ratio *x)
{
    sc_landing landing = {.place = sc_grid_of_ratio(grid, x)};
    SC_OWN(sc_ratio, steps);
    sc_grid_step(grid, &steps);
    sc_ratio_div(&steps, x, &steps);
    landing.is_below = sc_ratio_compare_int64(&steps, grid->low) < 0;
    landing.is_above = sc_ratio_compare_int64(&steps, grid->high) > 0;
    landing.is_rounded =
        !landing.is_below && !landing.is_above && !sc_ratio_is_integer(&steps);
    return landing;
}

/* A finite double is (-1)^sign mantissa 2^exponent, by its bits. */
static void set_double(sc_ratio *out, bool is_negative, uint64_t mantissa, int exponent)
{
    SC_OWN(sc_integer, n);
    sc_integer_set_int128(&n, is_negative ? -(sc_int128)mantissa : (sc_int128)mantissa);
    if (exponent > 0)
        sc_integer_shift_left(&n, &n, (unsigned)exponent);
    sc_ratio_set_dyadic(out, &n, exponent < 0 ? (unsigned)-exponent : 0);
}

sc_landing sc_landing_of_double(const sc_grid *grid, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const bool is_negative = bits >> 63 != 0;
    const int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 0x7ff)
        return (sc_landing){.place = is_negative ? grid->low : grid->high,
                            .is_below = is_negative,
                            .is_above = !is_negative};
    mantissa |= exponent > 0 ? UINT64_C(1) << 52 : 0;
    SC_OWN(sc_ratio, value);
    set_double(&value, is_negative, mantissa, (exponent > 0 ? exponent : 1) - 1075);
    return landing_of_ratio(grid, &value);
}

bool sc_landing_of_text(const sc_grid *grid, sc_text text, sc_landing *out)
{
    SC_OWN(sc_ratio, value);
    const bool is_read = sc_data_number_value(text, &value);
    if (is_read)
        *out = landing_of_ratio(grid, &value);
    return is_read;
}
