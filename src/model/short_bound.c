#include "model/short_bound.h"

#include "model/cost.h"

#define SHORT_CHARS 12
#define SIX_DIGITS 100000 /* the least number that has them */
#define PLACES_MOST 60    /* what is smaller than all of them is 0 or the last of them */

/* The decimal number next to x. */
static void round_decimal(const sc_ratio *x, bool up, sc_ratio *out)
{
    sc_ratio power, ten;
    sc_integer whole;
    sc_ratio_init(&power);
    sc_ratio_init(&ten);
    sc_integer_init(&whole);
    sc_ratio_set_int64(&power, 1);
    sc_ratio_set_int64(&ten, 10);
    sc_ratio_set(out, x);
    for (int i = 0; i < PLACES_MOST && sc_ratio_compare_int64(out, SIX_DIGITS) < 0; i++) {
        sc_ratio_mul(out, out, &ten);
        sc_ratio_mul(&power, &power, &ten);
    }
    if (up)
        sc_ratio_ceil(out, &whole);
    else
        sc_ratio_floor(out, &whole);
    sc_ratio_set_integer(out, &whole);
    sc_ratio_div(out, out, &power);
    sc_integer_clear(&whole);
    sc_ratio_clear(&ten);
    sc_ratio_clear(&power);
}

static void put(const sc_ratio *x, bool up, char text[SCRIM_NUMBER_BYTES])
{
    sc_ratio rounded;
    if (sc_ratio_format(x, text, SCRIM_NUMBER_BYTES) <= SHORT_CHARS)
        return;
    sc_ratio_init(&rounded);
    round_decimal(x, up, &rounded);
    if (up)
        sc_cost_put_upper(&rounded, text);
    else
        sc_cost_put_lower(&rounded, text);
    sc_ratio_clear(&rounded);
}

void sc_short_bound_put_upper(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    put(x, true, text);
}

void sc_short_bound_put_lower(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    put(x, false, text);
}
