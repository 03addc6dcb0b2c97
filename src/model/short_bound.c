#include "model/short_bound.h"

#include "model/cost.h"

#define SHORT_CHARS 12
#define SIX_DIGITS 100000 /* the least number that has them */
#define PLACES_MOST 60    /* what is smaller than all of them is 0 or the last of them */

/* The decimal number next to x. */
static void round_decimal(const sc_ratio *x, bool up, sc_ratio *out)
{
    SC_OWN(sc_ratio, power, ten);
    SC_OWN(sc_integer, whole);
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
}

static void put(const sc_ratio *x, bool up, char text[SCRIM_NUMBER_BYTES])
{
    if (sc_ratio_format(x, text, SCRIM_NUMBER_BYTES) <= SHORT_CHARS)
        return;
    SC_OWN(sc_ratio, rounded);
    round_decimal(x, up, &rounded);
    if (up)
        sc_cost_put_upper(&rounded, text);
    else
        sc_cost_put_lower(&rounded, text);
}

void sc_short_bound_put_upper(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    put(x, true, text);
}

void sc_short_bound_put_lower(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    put(x, false, text);
}
