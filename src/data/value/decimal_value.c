#include "data/value/decimal_value.h"

#include "base/number/ratio.h"

/* A finite number c 2^exponent. Its neighbours are 2^exponent above and below, but where is_border
 * the one below is half as far. */
typedef struct binary {
    uint64_t c;
    int exponent;
    bool is_border;
} binary;

typedef struct format {
    unsigned fraction_bits, exponent_bits;
} format;

static const format doubles = {52, 11}, singles = {23, 8}, halves = {10, 5};

/* False for NaN and infinity. */
static bool take_apart(const format *f, uint64_t bits, binary *x, sc_shortest *out)
{
    const uint64_t mask = ((uint64_t)1 << f->exponent_bits) - 1,
                   fraction = bits & (((uint64_t)1 << f->fraction_bits) - 1),
                   biased = bits >> f->fraction_bits & mask;
    const int bias = (int)(mask >> 1) + (int)f->fraction_bits;
    *out =
        (sc_shortest){.is_negative = (bits >> f->fraction_bits >> f->exponent_bits) != 0};
    /* Subnormal numbers have the exponent of the smallest normal ones and no hidden bit. */
    x->c = biased == 0 ? fraction : fraction | (uint64_t)1 << f->fraction_bits;
    x->exponent = (biased == 0 ? 1 : (int)biased) - bias;
    x->is_border = fraction == 0 && biased > 1;
    return biased != mask;
}

/* The fast way, in two words. */

#define PLACES 126       /* behind the binary point */
#define FITTING_POWER 22 /* 2^53 10^22 fits */
#define WHOLE 64         /* 2^53 2^64 fits */

/* The two decimals next to the number, n and n + 1 in units of the last digit: how far they are, and
 * how far the next numbers are. A decimal is read as the number when it is at most half as far as
 * the next number on its side; half way goes to the even one. */
typedef struct choice {
    sc_uint128 n, below, above, ulp; /* below, above < 2^126, ulp < 2^127 */
} choice;

static bool choose(const choice *x, const binary *number, uint64_t *digits)
{
    const unsigned is_odd = number->c % 2 != 0;
    const sc_uint128 below = (number->is_border ? 4 : 2) * x->below;
    const bool is_low = below + is_odd <= x->ulp,
               is_high = 2 * x->above + is_odd <= x->ulp;
    if (!is_low && !is_high)
        return false;
    const bool is_nearer = x->above < x->below || (x->above == x->below && x->n % 2 != 0);
    *digits = (uint64_t)(x->n + (is_high && (!is_low || is_nearer)));
    return true;
}

/* With a binary point: the fewest digits behind the decimal point. */
static bool find_behind(const binary *number, sc_shortest *out)
{
    const unsigned places = (unsigned)-number->exponent;
    sc_uint128 power = 1;
    if (places > PLACES)
        return false;
    const sc_uint128 unit = (sc_uint128)1 << places;
    for (int k = 0; k <= FITTING_POWER; k++, power *= 10) {
        const sc_uint128 scaled = number->c * power, below = scaled & (unit - 1);
        const choice x = {scaled >> places, below, unit - below, power};
        if (choose(&x, number, &out->digits)) {
            out->exponent = -k;
            return true;
        }
    }
    return false;
}

/* A whole number: the most zeros at its end. */
static bool find_whole(const binary *number, sc_shortest *out)
{
    sc_uint128 unit = 1;
    int zeros = 0;
    if (number->exponent > WHOLE)
        return false;
    const sc_uint128 whole = (sc_uint128)number->c << number->exponent;
    for (; unit <= whole; zeros++)
        unit *= 10;
    for (; unit > 0; unit /= 10, zeros--) {
        const sc_uint128 n = whole / unit, below = whole - n * unit;
        const choice x = {n, below, unit - below, (sc_uint128)1 << number->exponent};
        if (choose(&x, number, &out->digits)) {
            out->exponent = zeros;
            return true;
        }
    }
    return false;
}

/* The plain way, in integers of any size. */

/* Times 10 and 2 to these powers, where they are above 0. */
static void scale(sc_integer *x, int ten, int two)
{
    for (int i = 0; i < ten; i++)
        sc_integer_mul_uint64(x, x, 10);
    if (two > 0)
        sc_integer_shift_left(x, x, (unsigned)two);
}

/* choose in integers of any size, with 10^exponent as the unit. */
static bool try_unit(const binary *number, int exponent, sc_shortest *out)
{
    sc_uint128 n = 0;
    SC_OWN(sc_integer, scaled, unit, ulp, whole, below, above);
    sc_integer_set_int128(&scaled, number->c);
    sc_integer_set_int128(&unit, 1);
    sc_integer_set_int128(&ulp, 1);
    scale(&scaled, -exponent, number->exponent);
    scale(&ulp, -exponent, number->exponent);
    scale(&unit, exponent, -number->exponent);
    sc_integer_divide(&whole, &below, &scaled, &unit);
    sc_integer_sub(&above, &unit, &below);
    const int order = sc_integer_compare(&above, &below);
    sc_integer_mul_uint64(&below, &below, number->is_border ? 4 : 2);
    sc_integer_mul_uint64(&above, &above, 2);
    const int is_odd = number->c % 2 != 0;
    const bool is_low = sc_integer_compare(&below, &ulp) <= -is_odd,
               is_high = sc_integer_compare(&above, &ulp) <= -is_odd;
    if ((!is_low && !is_high) || !sc_integer_get_uint128(&whole, &n))
        return false;
    const bool is_nearer = order < 0 || (order == 0 && n % 2 != 0);
    out->digits = (uint64_t)(n + (is_high && (!is_low || is_nearer)));
    out->exponent = exponent;
    return true;
}

/* From a unit above the number down: the first that serves has the fewest digits. */
static void find_plain(const binary *number, sc_shortest *out)
{
    int exponent = 2, bits = number->exponent;
    for (uint64_t c = number->c; c > 0; c >>= 1)
        bits++;
    exponent += bits * 30103 / 100000; /* log10(2), within one */
    while (!try_unit(number, exponent, out))
        exponent--;
}

static bool find(const format *f, uint64_t bits, bool is_plain, sc_shortest *out)
{
    binary number;
    if (!take_apart(f, bits, &number, out))
        return false;
    if (number.c == 0)
        return true;
    if (is_plain ||
        !(number.exponent < 0 ? find_behind(&number, out) : find_whole(&number, out)))
        find_plain(&number, out);
    return true;
}

bool sc_shortest_of_double(uint64_t bits, sc_shortest *out)
{
    return find(&doubles, bits, false, out);
}

bool sc_shortest_of_single(uint32_t bits, sc_shortest *out)
{
    return find(&singles, bits, false, out);
}

bool sc_shortest_of_half(uint16_t bits, sc_shortest *out)
{
    return find(&halves, bits, false, out);
}

bool sc_shortest_of_double_plain(uint64_t bits, sc_shortest *out)
{
    return find(&doubles, bits, true, out);
}

/* 10^38 < 2^127 < 10^39 / 2. */
#define LARGEST_POWER 38

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
    return power < -LARGEST_POWER ? 0 : divide(is_negative, digits, power_of_10(-power));
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
