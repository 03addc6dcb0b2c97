#include "curves.h"

void curves_of(curves_set *set, const char *number, sc_curve *out)
{
    sc_ratio value;
    exact_ratio(number, &value);
    sc_curve_init(out);
    set(out, &value);
    sc_ratio_clear(&value);
}

void curves_of_noise(curves_set_noise *set, const char *shape, uint64_t shift,
                     sc_curve *out)
{
    sc_ratio value;
    exact_ratio(shape, &value);
    sc_curve_init(out);
    set(out, &value, shift);
    sc_ratio_clear(&value);
}

void curves_delta(const sc_curve *curve, const char *epsilon, sc_ball *out)
{
    sc_ratio x;
    exact_ratio(epsilon, &x);
    sc_curve_delta_upper(curve, &x, EXACT_BITS, out);
    sc_ratio_clear(&x);
}

void curves_renyi(const sc_curve *curve, const char *order, sc_ball *out)
{
    sc_ratio x;
    exact_ratio(order, &x);
    sc_curve_renyi_upper(curve, &x, EXACT_BITS, out);
    sc_ratio_clear(&x);
}
