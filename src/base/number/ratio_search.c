#include "base/number/ratio_search.h"

bool sc_ratio_bracket(sc_ratio_question *holds, const void *context, int near, int far,
                      sc_ratio *low, sc_ratio *high)
{
    int exponent = 0;
    SC_OWN(sc_ratio, two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_set_int64(high, 1);
    while (exponent > near && holds(context, high)) {
        sc_ratio_div(high, high, &two);
        exponent--;
    }
    while (exponent < far && !holds(context, high)) {
        sc_ratio_mul(high, high, &two);
        exponent++;
    }
    sc_ratio_div(low, high, &two);
    return exponent > near && exponent < far;
}

void sc_ratio_bisect(sc_ratio_question *holds, const void *context, int steps,
                     sc_ratio *low, sc_ratio *high)
{
    SC_OWN(sc_ratio, middle, two);
    sc_ratio_set_int64(&two, 2);
    for (int step = 0; step < steps; step++) {
        sc_ratio_add(&middle, low, high);
        sc_ratio_div(&middle, &middle, &two);
        sc_ratio_set(holds(context, &middle) ? high : low, &middle);
    }
}
