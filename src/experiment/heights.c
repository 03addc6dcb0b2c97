#include "experiment/heights.h"

int64_t sc_heights_total(const sc_heights *x)
{
    int64_t total = 0;
    for (size_t i = 1; i <= x->bars; i++)
        total += x->at[i];
    return total;
}

int64_t sc_heights_most(const sc_heights *x)
{
    int64_t most = 0;
    for (size_t i = 1; i <= x->bars; i++)
        most = x->at[i] > most ? x->at[i] : most;
    return most;
}

size_t sc_heights_value(const sc_height_statistic *f, const sc_heights *x)
{
    size_t best = 1;
    if (!f->is_mode) {
        size_t v = x->bars;
        while (v > 0 && x->at[v] < f->k)
            v--;
        return v;
    }
    for (size_t i = 2; i <= x->bars; i++)
        if (x->at[i] > x->at[best])
            best = i;
    return best;
}

size_t sc_heights_answer(const sc_height_statistic *f, const sc_heights *released)
{
    const size_t value = sc_heights_value(f, released);
    return value > 0 && released->at[value] > 0 ? value : 0;
}
