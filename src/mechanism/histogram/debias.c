#include "mechanism/histogram/debias.h"

void sc_bars_debiased(const sc_bars *bars, uint64_t place, sc_ratio *out)
{
    const uint64_t shown = sc_bars_at(bars, place);
    sc_ratio_set_int64(out, (int64_t)shown);
    if (shown == 0)
        return;
    SC_OWN(sc_ratio, half, two);
    sc_ratio_set_int64(&half, (int64_t)bars->q);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, &half, &two);
    sc_ratio_add(out, out, &half);
}
