#include "synth/model/noisy_total.h"

#include "synth/model/rounded_count.h"

static void inverse_sizes(const sc_synth_columns *columns, sc_ratio *out)
{
    SC_OWN(sc_ratio, inverse);
    for (size_t i = 0; i < columns->count; i++) {
        sc_ratio_set_quotient(&inverse, 1, columns->sizes[i]);
        sc_ratio_add(out, out, &inverse);
    }
}

static void add_column(const int64_t *counts, uint32_t size, sc_ratio *sum)
{
    sc_int128 total = 0;
    for (uint32_t u = 0; u < size; u++)
        total += counts[u];
    SC_OWN(sc_ratio, mean, inverse);
    sc_ratio_set_int128(&mean, total);
    sc_ratio_set_quotient(&inverse, 1, size);
    sc_ratio_mul(&mean, &mean, &inverse);
    sc_ratio_add(sum, sum, &mean);
}

/* floor(T + 1/2), from 1 to the largest count. */
static int64_t round_total(const sc_ratio *total)
{
    SC_OWN(sc_ratio, shifted);
    SC_OWN(sc_integer, floor);
    sc_int128 value;
    sc_ratio_set_quotient(&shifted, 1, 2);
    sc_ratio_add(&shifted, &shifted, total);
    if (sc_ratio_compare_int64(&shifted, 1) < 0)
        return 1;
    if (sc_ratio_compare_int64(&shifted, SC_SYNTH_COUNT_MAX) >= 0)
        return SC_SYNTH_COUNT_MAX;
    sc_ratio_floor(&shifted, &floor);
    return sc_integer_get_int128(&floor, &value) ? (int64_t)value : SC_SYNTH_COUNT_MAX;
}

int64_t sc_noisy_total(const sc_synth_columns *columns, const int64_t *const *counts,
                       sc_ratio *exact)
{
    SC_OWN(sc_ratio, sum, inverses);
    for (size_t i = 0; i < columns->count; i++)
        add_column(counts[i], columns->sizes[i], &sum);
    inverse_sizes(columns, &inverses);
    sc_ratio_div(&sum, &sum, &inverses);
    if (exact != NULL)
        sc_ratio_set(exact, &sum);
    return round_total(&sum);
}

double sc_noisy_total_variance(const sc_synth_columns *columns)
{
    double inverses = 0;
    for (size_t i = 0; i < columns->count; i++)
        inverses += 1 / (double)columns->sizes[i];
    return 1 / inverses;
}
