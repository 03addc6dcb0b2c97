#include "composition/accountant/accountant.h"

void sc_enclosure_init(sc_enclosure *enclosure)
{
    enclosure->has_lower = enclosure->has_upper = false;
    sc_ball_init(&enclosure->lower);
    sc_ball_init(&enclosure->upper);
}

void sc_enclosure_clear(sc_enclosure *enclosure)
{
    sc_ball_clear(&enclosure->lower);
    sc_ball_clear(&enclosure->upper);
}

void sc_best_init(sc_best *best)
{
    sc_enclosure_init(&best->bounds);
    best->upper_by = best->lower_by = NULL;
}

void sc_best_clear(sc_best *best)
{
    sc_enclosure_clear(&best->bounds);
}

/* Ends are compared as rounded to this many bits. */
#define BITS 256L

/* Is the upper end of a below that of b? */
static bool ends_below(const sc_ball *a, const sc_ball *b)
{
    SC_OWN(sc_ball, end, other);
    sc_ball_set_upper(&end, a, BITS);
    sc_ball_set_upper(&other, b, BITS);
    return sc_ball_is_less(&end, &other);
}

/* Is the lower end of a above that of b? */
static bool starts_above(const sc_ball *a, const sc_ball *b)
{
    SC_OWN(sc_ball, minus, other);
    sc_ball_neg(&minus, a);
    sc_ball_neg(&other, b);
    return ends_below(&minus, &other);
}

void sc_best_take(sc_best *best, const sc_accountant *by, const sc_enclosure *found)
{
    sc_enclosure *b = &best->bounds;
    if (found->has_upper && sc_ball_is_finite(&found->upper) &&
        (!b->has_upper || ends_below(&found->upper, &b->upper))) {
        b->has_upper = true;
        sc_ball_set(&b->upper, &found->upper);
        best->upper_by = by;
    }
    if (found->has_lower && sc_ball_is_finite(&found->lower) &&
        (!b->has_lower || starts_above(&found->lower, &b->lower))) {
        b->has_lower = true;
        sc_ball_set(&b->lower, &found->lower);
        best->lower_by = by;
    }
}
