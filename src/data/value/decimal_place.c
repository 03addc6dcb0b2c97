#include "data/value/decimal_place.h"

#include "data/value/shortest.h"

/* 10^38 < 2^127 < 10^39 / 2. */
#define POWER 38

static sc_uint128 power_of_10(int exponent)
{
    sc_uint128 power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* floor(+-n/d + 1/2): a half goes up, also below 0. */
static sc_int128 divide(bool is_negative, sc_uint128 n, sc_uint128 d)
{
    const sc_uint128 whole = n / d, rest = n - whole * d;
    const unsigned up = is_negative ? rest > d - rest : rest >= d - rest;
    const sc_int128 value = (sc_int128)(whole + up);
    return is_negative ? -value : value;
}

/* +-n 10^exponent, or something beyond every range. */
static sc_int128 multiply(bool is_negative, sc_uint128 n, int exponent)
{
    const sc_uint128 most = (sc_uint128)1 << 120;
    for (; exponent > 0 && n > 0 && n < most; exponent--)
        n *= 10;
    return is_negative ? -(sc_int128)n : (sc_int128)n;
}

/* On a grid whose step is 10^-places, or 1. */
static sc_int128 on_decimal(bool is_negative, sc_uint128 digits, int exponent, int places)
{
    const int power = exponent + places;
    if (power >= 0)
        return multiply(is_negative, digits, power);
    return power < -POWER ? 0 : divide(is_negative, digits, power_of_10(-power));
}

static int64_t by_ratio(const sc_grid *grid, bool is_negative, sc_uint128 digits,
                        int exponent)
{
    SC_OWN(sc_integer, n, d);
    SC_OWN(sc_ratio, value);
    sc_integer_set_int128(&n, is_negative ? -(sc_int128)digits : (sc_int128)digits);
    sc_integer_set_int128(&d, 1);
    for (int i = 0; i < exponent; i++)
        sc_integer_mul_uint64(&n, &n, 10);
    for (int i = 0; i < -exponent; i++)
        sc_integer_mul_uint64(&d, &d, 10);
    sc_ratio_set_fraction(&value, &n, &d);
    return sc_grid_of_ratio(grid, &value);
}

int64_t sc_decimal_place(const sc_grid *grid, bool is_negative, sc_uint128 digits,
                         int exponent)
{
    if (grid->is_decimal || grid->exponent == 0)
        return sc_grid_clamp(grid,
                             on_decimal(is_negative, digits, exponent, -grid->exponent));
    return by_ratio(grid, is_negative, digits, exponent);
}

/* Floating point. */

/* The digits of very small and very large numbers take long to find, and do not matter: less than a
 * quarter of a step is 0, as its decimal is less than half a step, and what is beyond 2^63 steps is
 * beyond every range. The step lies between these powers of 2; log2(10) is 3.3219. */
static int step_lower(const sc_grid *grid)
{
    const int e = grid->exponent;
    return grid->is_decimal ? e * (e > 0 ? 3321 : 3322) / 1000 - 1 : e;
}

static int step_upper(const sc_grid *grid)
{
    const int e = grid->exponent;
    return grid->is_decimal ? e * (e > 0 ? 3322 : 3321) / 1000 + 1 : e;
}

static bool place_of(const sc_grid *grid, bool is_there, const sc_shortest *x,
                     int64_t *place)
{
    if (is_there)
        *place = sc_decimal_place(grid, x->is_negative, x->digits, x->exponent);
    return is_there;
}

bool sc_decimal_place_of_double(const sc_grid *grid, uint64_t bits, int64_t *place)
{
    sc_shortest x;
    const int biased = (int)(bits >> 52 & 0x7ff), exponent = biased - 1023;
    if (exponent + 1 <= step_lower(grid) - 2) {
        *place = sc_grid_clamp(grid, 0);
        return true;
    }
    if (biased != 0x7ff && exponent >= step_upper(grid) + 64) {
        *place = bits >> 63 != 0 ? grid->low : grid->high;
        return true;
    }
    const bool is_there = sc_shortest_of_double(bits, &x);
    return place_of(grid, is_there, &x, place);
}

bool sc_decimal_place_of_single(const sc_grid *grid, uint32_t bits, int64_t *place)
{
    sc_shortest x;
    const bool is_there = sc_shortest_of_single(bits, &x);
    return place_of(grid, is_there, &x, place);
}

bool sc_decimal_place_of_half(const sc_grid *grid, uint16_t bits, int64_t *place)
{
    sc_shortest x;
    const bool is_there = sc_shortest_of_half(bits, &x);
    return place_of(grid, is_there, &x, place);
}
