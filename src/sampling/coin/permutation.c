#include "sampling/coin/permutation.h"

scrim_status sc_permutation_draw(sc_bits *bits, size_t n, uint64_t *order,
                                 scrim_error *error)
{
    for (size_t j = 0; j < n; j++)
        order[j] = j;
    for (size_t j = 0; j + 1 < n; j++) {
        uint64_t step;
        scrim_status status = sc_uniform_64(bits, n - j, &step, error);
        if (status != SCRIM_OK)
            return status;
        uint64_t other = order[j + step];
        order[j + step] = order[j];
        order[j] = other;
    }
    return SCRIM_OK;
}

/* The first index of sorted[0..count) whose value is at least wanted. */
static size_t lower_bound(const uint64_t *sorted, size_t count, uint64_t wanted)
{
    size_t low = 0;
    while (count > 0) {
        size_t half = count / 2;
        if (sorted[low + half] < wanted) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

scrim_status sc_subset_draw(sc_bits *bits, uint64_t n, size_t k, uint64_t *chosen,
                            scrim_error *error)
{
    /* Floyd: for j = n-k .. n-1 take a number of 0..j; if it is taken already, take j,
     * which is larger than all before. */
    for (size_t count = 0; count < k; count++) {
        uint64_t j = n - k + count, value = 0;
        scrim_status status = sc_uniform_64(bits, j + 1, &value, error);
        if (status != SCRIM_OK)
            return status;
        size_t at = lower_bound(chosen, count, value);
        if (at < count && chosen[at] == value) {
            chosen[count] = j;
            continue;
        }
        for (size_t i = count; i > at; i--)
            chosen[i] = chosen[i - 1];
        chosen[at] = value;
    }
    return SCRIM_OK;
}
