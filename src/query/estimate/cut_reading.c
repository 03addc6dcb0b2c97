#include "query/estimate/cut_reading.h"

#include <math.h>

/* Counts of people are far below. */
#define MOST ((sc_uint128)UINT64_MAX)

/* The largest count of one cell's noise, but for a chance of beta to one side. */
static int64_t radius_of(const sc_noise *noise, double beta)
{
    const sc_noise_sum alone = {.terms = {noise}, .weights = {1}, .count = 1};
    return (int64_t)fmin(fmax(ceil(sc_noise_sum_radius_upper(&alone, 2 * beta)) - 1, 0),
                         1e18);
}

static uint64_t rows_low(const sc_ladder_reading *r, const uint64_t *from, size_t first,
                         const sc_noise *noise)
{
    size_t cells = 0;
    sc_uint128 sum = 0;
    for (size_t i = first; i < r->count; i++)
        cells += from[i] > 0;
    if (cells == 0)
        return 0;
    const int64_t radius = radius_of(noise, r->beta / (double)cells);
    for (size_t i = first; i < r->count; i++)
        if (r->counts[i] > radius)
            sum += (sc_uint128)(uint64_t)(r->counts[i] - radius) * from[i];
    return (uint64_t)(sum < MOST ? sum : MOST);
}

/* As that of a sum, or of each cell by itself, which is nearer where noise is hardly a step wide. */
static uint64_t rows_high(const sc_ladder_reading *r, const uint64_t *from, size_t first,
                          const sc_noise *noise)
{
    sc_noise_sum sum = {.count = 0};
    double all = 0, weights = 0;
    for (size_t i = first; i < r->count; i++) {
        if (from[i] == 0)
            continue;
        sum.terms[sum.count] = noise;
        sum.weights[sum.count++] = (double)from[i];
        weights += (double)from[i];
        /* No count of people is below 0: noise that takes one there says nothing against the others. */
        all += r->counts[i] > 0 ? (double)r->counts[i] * (double)from[i] : 0;
    }
    if (sum.count == 0)
        return 0;
    const double each = (double)radius_of(noise, r->beta / (double)sum.count),
                 high = all + fmin(sc_noise_sum_radius_upper(&sum, 2 * r->beta),
                                   weights * each);
    return high <= 0 ? 0 : high >= 0x1p63 ? (uint64_t)1 << 63 : (uint64_t)ceil(high);
}

sc_cut_reading sc_cut_read(const sc_ladder_reading *r, const uint64_t *from, size_t first)
{
    sc_noise noise;
    sc_noise_init(&noise, sc_noise_law(r->noise));
    sc_cut_reading out = {
        .people = sc_reading_share(r, sc_reading_above(r, first - 1), r->count - first),
        .rows_low = rows_low(r, from, first, &noise),
        .rows_high = rows_high(r, from, first, &noise)};
    if (out.rows_high < out.rows_low)
        out.rows_high = out.rows_low;
    return out;
}

int sc_cut_share_of_rows(uint64_t left, int64_t kept)
{
    const sc_uint128 all = (sc_uint128)left + (uint64_t)(kept > 0 ? kept : 0);
    return all == 0 ? 0 : (int)((sc_uint128)left * SC_LADDER_WHOLE / all);
}
