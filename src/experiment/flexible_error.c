#include "experiment/flexible_error.h"

#include <string.h>

int64_t sc_flexible_allowance(const sc_heights *x)
{
    return 5 * sc_heights_total(x) / 1000;
}

/* v is the largest bar of k or more once every higher one is brought below k. */
static void reach_max(int64_t k, const sc_heights *x, int64_t allowance, bool *reach)
{
    int64_t cost = 0;
    for (size_t v = x->bars; v > 0; v--) {
        const int64_t above = x->at[v] - k + 1;
        reach[v] = above > 0 && cost <= allowance;
        cost += above > 0 ? above : 0;
    }
    reach[0] = cost <= allowance;
}

/* v is the mode once each bar before it is below x(v) and none after it is above. */
static void reach_mode(const sc_heights *x, int64_t allowance, bool *reach)
{
    for (size_t v = 1; v <= x->bars; v++) {
        int64_t cost = 0;
        for (size_t i = 1; i <= x->bars; i++) {
            const int64_t above = x->at[i] - x->at[v] + (i < v ? 1 : 0);
            cost += i != v && above > 0 ? above : 0;
        }
        reach[v] = cost <= allowance && (v == 1 || x->at[v] >= 1);
    }
}

void sc_flexible_reach(const sc_height_statistic *f, const sc_heights *x,
                       int64_t allowance, bool reach[SC_HEIGHTS_MAX + 1])
{
    memset(reach, 0, (SC_HEIGHTS_MAX + 1) * sizeof *reach);
    if (f->is_mode)
        reach_mode(x, allowance, reach);
    else
        reach_max(f->k, x, allowance, reach);
}

void sc_flexible_errors(const sc_height_statistic *f, const sc_heights *x,
                        int64_t allowance, uint32_t errors[SC_HEIGHTS_MAX + 1])
{
    bool reach[SC_HEIGHTS_MAX + 1];
    uint32_t far = SC_HEIGHTS_MAX + 1; /* beyond every distance; something is in reach */
    sc_flexible_reach(f, x, allowance, reach);
    for (size_t y = 0; y <= x->bars; y++) {
        far = reach[y] ? 0 : far + 1;
        errors[y] = far;
    }
    far = SC_HEIGHTS_MAX + 1;
    for (size_t y = x->bars + 1; y-- > 0;) {
        far = reach[y] ? 0 : far + 1;
        errors[y] = far < errors[y] ? far : errors[y];
    }
}
