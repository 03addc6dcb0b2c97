#include "base/number/decimal.h"

#include <stdio.h>
#include <string.h>

/* x 10^power. */
static void scale(const sc_ratio *x, long power, sc_ratio *out)
{
    SC_OWN(sc_integer, ten);
    SC_OWN(sc_ratio, factor);
    sc_integer_set_int128(&ten, 1);
    for (long i = power < 0 ? -power : power; i > 0; i--)
        sc_integer_mul_uint64(&ten, &ten, 10);
    sc_ratio_set_integer(&factor, &ten);
    if (power < 0)
        sc_ratio_div(out, x, &factor);
    else
        sc_ratio_mul(out, x, &factor);
}

static sc_int128 power_of_ten(unsigned power)
{
    sc_int128 value = 1;
    while (power-- > 0)
        value *= 10;
    return value;
}

/* The whole number of this number of digits, and the power of ten it is to be multiplied with, that x
 * is when it is rounded; 0 unless x is above 0. */
static void round_to(const sc_ratio *x, unsigned digits, bool up, sc_int128 *whole,
                     long *power)
{
    const sc_int128 low = power_of_ten(digits - 1);
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, rounded);
    *whole = *power = 0;
    if (sc_ratio_sign(x) <= 0)
        return;
    /* log10(2) = 0.30103; what is guessed is off by at most two. */
    *power = sc_ratio_exponent(x) * 30103 / 100000 - (long)digits - 1;
    for (;;) {
        scale(x, -*power, &scaled);
        if (up)
            sc_ratio_ceil(&scaled, &rounded);
        else
            sc_ratio_floor(&scaled, &rounded);
        if (!sc_integer_get_int128(&rounded, whole) || *whole >= 10 * low)
            ++*power;
        else
            break;
    }
    while (*whole % 10 == 0) {
        *whole /= 10;
        ++*power;
    }
}

/* Plain where that is not long, else with a power of ten. */
#define LEADING_ZEROS 5

static void put(sc_int128 whole, long power, char text[SC_DECIMAL_BYTES])
{
    char digits[SC_INT128_BYTES];
    const long count = (long)sc_int128_format(whole, digits), point = count + power;
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, SC_DECIMAL_BYTES);
    if (power >= 0 && point <= SC_DECIMAL_DIGITS) {
        sc_text_put(&sink, sc_text_of(digits));
        sc_text_put_times(&sink, '0', (size_t)power);
    } else if (point > 0 && power < 0) {
        sc_text_put(&sink, (sc_text){digits, (size_t)point});
        sc_text_put(&sink, sc_text_of("."));
        sc_text_put(&sink, sc_text_of(digits + point));
    } else if (point <= 0 && point > -LEADING_ZEROS) {
        sc_text_put(&sink, sc_text_of("0."));
        sc_text_put_times(&sink, '0', (size_t)-point);
        sc_text_put(&sink, sc_text_of(digits));
    } else {
        char exponent[24];
        snprintf(exponent, sizeof exponent, "e%ld", point - 1);
        sc_text_put(&sink, (sc_text){digits, 1});
        sc_text_put(&sink, sc_text_of(count > 1 ? "." : ""));
        sc_text_put(&sink, sc_text_of(digits + 1));
        sc_text_put(&sink, sc_text_of(exponent));
    }
}

static void directed(const sc_ratio *x, unsigned digits, bool up,
                     char text[SC_DECIMAL_BYTES])
{
    sc_int128 whole;
    long power;
    round_to(x, digits, up, &whole, &power);
    put(whole, power, text);
}

void sc_decimal_upper(const sc_ratio *x, unsigned digits, char text[SC_DECIMAL_BYTES])
{
    directed(x, digits, true, text);
}

void sc_decimal_lower(const sc_ratio *x, unsigned digits, char text[SC_DECIMAL_BYTES])
{
    directed(x, digits, false, text);
}

static void round_directed(const sc_ratio *x, unsigned digits, bool up, sc_ratio *out)
{
    sc_int128 whole;
    long power;
    round_to(x, digits, up, &whole, &power);
    sc_ratio_set_int128(out, whole);
    scale(out, power, out);
}

void sc_decimal_round_up(const sc_ratio *x, unsigned digits, sc_ratio *out)
{
    round_directed(x, digits, true, out);
}

void sc_decimal_round_down(const sc_ratio *x, unsigned digits, sc_ratio *out)
{
    round_directed(x, digits, false, out);
}
