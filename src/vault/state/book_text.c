/* Numbers of the book for people. */
#include "vault/state/book.h"

/* Twenty decimal places; away says in which direction. */
static void cut(const sc_ratio *x, bool away, char text[SCRIM_NUMBER_BYTES])
{
    if (sc_ratio_format(x, text, SCRIM_NUMBER_BYTES) < SCRIM_NUMBER_BYTES)
        return;
    SC_OWN(sc_ratio, scale, scaled);
    SC_OWN(sc_integer, whole, places);
    sc_integer_set_uint128(&places, (sc_uint128)10000000000u * 10000000000u);
    sc_integer_set_uint128(&whole, 1);
    sc_ratio_set_fraction(&scale, &places, &whole);
    sc_ratio_mul(&scaled, x, &scale);
    if (away)
        sc_ratio_ceil(&scaled, &whole);
    else
        sc_ratio_floor(&scaled, &whole);
    sc_ratio_set_fraction(&scaled, &whole, &places);
    sc_ratio_format(&scaled, text, SCRIM_NUMBER_BYTES);
}

void sc_book_format_lower(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    cut(x, false, text);
}

void sc_book_format_upper(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    cut(x, true, text);
}
