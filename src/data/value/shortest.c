#include "data/value/shortest.h"

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

#define PLACES 126 /* behind the binary point */
#define POWER 22   /* 2^53 10^22 fits */
#define WHOLE 64   /* 2^53 2^64 fits */

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
    for (int k = 0; k <= POWER; k++, power *= 10) {
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
