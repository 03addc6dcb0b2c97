#define SC_WITH_ARB
#include "balls.h"

#include "base/text.h"

#include <arb_hypgeom.h>

/* [sign] digits [. digits] [e [sign] digits]. Arb's own reader takes much more than
 * that. */
static bool is_decimal(sc_text text)
{
    if (!sc_text_take(&text, '-'))
        (void)sc_text_take(&text, '+');
    const bool whole = sc_text_take_digits(&text).bytes > 0;
    const bool point = sc_text_take(&text, '.');
    if (point ? sc_text_take_digits(&text).bytes == 0 : !whole)
        return false;
    if (sc_text_take(&text, 'e')) {
        if (!sc_text_take(&text, '-'))
            (void)sc_text_take(&text, '+');
        if (sc_text_take_digits(&text).bytes == 0)
            return false;
    }
    return text.bytes == 0;
}

bool ball_set_text(sc_ball *out, const char *text, long bits)
{
    sc_ball value;
    sc_ball_init(&value);
    const bool read =
        is_decimal(sc_text_of(text)) && arb_set_str(value.x, text, bits) == 0;
    if (read)
        arb_swap(out->x, value.x);
    sc_ball_clear(&value);
    return read;
}

bool ball_contains_ratio(const sc_ball *a, const sc_ratio *inside)
{
    fmpq_t ratio;
    fmpq_init(ratio);
    fmpq_set_mpq(ratio, inside->q);
    const bool contains = arb_contains_fmpq(a->x, ratio) != 0;
    fmpq_clear(ratio);
    return contains;
}

bool ball_overlaps(const sc_ball *a, const sc_ball *b)
{
    return arb_overlaps(a->x, b->x) != 0;
}

void ball_gamma_upper(sc_ball *out, const sc_ball *s, const sc_ball *x, long bits)
{
    arb_hypgeom_gamma_upper(out->x, s->x, x->x, 1, bits);
}

void outcomes_mass(const sc_outcomes *outcomes, const int64_t *key, sc_ball *out)
{
    size_t low = 0, high = outcomes->count, width = outcomes->width;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = sc_outcomes_compare(outcomes->keys + middle * width, key, width);
        if (order == 0) {
            sc_ball_set(out, &outcomes->mass[middle]);
            return;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    sc_ball zero;
    sc_ball_init(&zero);
    sc_ball_set_union(out, &zero, &outcomes->rest, 64);
    sc_ball_clear(&zero);
}
